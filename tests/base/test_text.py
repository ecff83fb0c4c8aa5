"""Foreign texts and values in messages: short, on one line, without passwords."""

from collections import OrderedDict

import pytest
from hypothesis import given
from hypothesis import strategies as st

from smindex_plugins.base.limits import MAX_PART, MAX_SHOWN
from smindex_plugins.base.text import brief, counted, listed, masked, printable


class Hostile:
    def __repr__(self) -> str:
        raise ValueError


ENDLESS: dict[str, object] = {}
ENDLESS["a"] = [ENDLESS]


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("a", "'a'"),
        ((1,), "(1,)"),
        (Hostile(), "<Hostile>"),
        (OrderedDict(a=1), "<OrderedDict>"),
        ({"a": 1 << 20_000}, "{'a': <int>}"),
        (ENDLESS, "{'a': [{…}]}"),
        ([[[["x"]]]], "[[[…]]]"),
        (list(range(9)), "[0, 1, 2, 3, 4, 5, 6, 7, …]"),
        ("https://u:" + "p" * 300 + "@e.org", "'https://***@e.org'"),
        ("\n::error::\x1b[1m", r"'\n::error::\x1b[1m'"),
    ],
)
def test_a_value_is_shown_as_python_writes_it(value: object, text: str) -> None:
    assert brief(value) == text


@given(
    st.recursive(
        st.none()
        | st.booleans()
        | st.integers()
        | st.floats()
        | st.text()
        | st.binary()
        | st.datetimes(),
        lambda below: (
            st.lists(below)
            | st.dictionaries(st.text() | st.integers() | st.none(), below)
            | st.tuples(below)
        ),
    )
)
def test_every_value_is_shown_on_one_line(value: object) -> None:
    assert len(brief(value).splitlines()) <= 1
    assert len(brief(value)) <= MAX_SHOWN


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "of https://u:p@e.org/a, and http://u@f.org",
            "of https://***@e.org/a, and http://***@f.org",
        ),
        ("//u:p@e.org/", "//***@e.org/"),
        *(
            (text, text)
            for text in (
                "https://e.org:80/@user/a@b",
                "https://e.org/?mail=a@b.org",
                "git@e.org and a@b",
            )
        ),
        ("https://e.org/?token=a.b&page=2: gone", "https://e.org/?token=***&page=2: gone"),
        (
            "https://e.org/?a=1&X-Amz-Signature=ab: gone",
            "https://e.org/?a=1&X-Amz-Signature=***: gone",
        ),
    ],
)
def test_users_and_passwords_of_urls_are_masked(text: str, expected: str) -> None:
    assert masked(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a\nb\x1b[1m\u202e\ud800", r"a\nb\x1b[1m\u202e\ud800"),
        ("::error::x", r"\x3a:error::x"),
        ("  a ::warning file=b::c", r"  a \x3a:warning file=b::c"),
        ("##vso[a]", r"\x23#vso[a]"),
        ("std::map, C++ ::x, ## heading", "std::map, C++ ::x, ## heading"),
        ("https://u:p@e.org/", "https://***@e.org/"),
    ],
)
def test_a_printable_text_controls_neither_the_terminal_nor_a_ci_service(
    text: str, expected: str
) -> None:
    assert printable(text) == expected


def test_a_long_text_keeps_its_beginning_and_its_end() -> None:
    expected = printable("a" * MAX_PART + "the problem")
    assert len(expected) == MAX_PART
    assert expected.startswith("aaa")
    assert expected.endswith("the problem")


def test_counts_are_written_with_their_nouns() -> None:
    assert (counted(1, "page"), counted(1200, "page")) == ("1 page", "1,200 pages")
    assert listed({"marked noindex": 1200, "empty": 1}) == "1 empty, 1,200 marked noindex"
