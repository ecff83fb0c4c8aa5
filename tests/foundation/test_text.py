import time
from collections import OrderedDict
from contextlib import suppress
from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from smindex_plugins.limits import MAX_SHOWN
from smindex_plugins.text import brief, did_you_mean
from smindex_plugins.yaml_values import load_yaml


class Hostile:
    def __repr__(self) -> str:
        raise ValueError

    __str__ = __repr__


def bomb(levels: int) -> object:
    value: object = "x"
    for _ in range(levels):
        value = [value] * 9
    return value


def endless() -> object:
    value: dict[str, object] = {}
    value["a"] = [value]
    return value


def deep(levels: int) -> object:
    value: object = "x"
    for _ in range(levels):
        value = [value]
    return value


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("a", "'a'"),
        ({"a": [1, None, True]}, "{'a': [1, None, True]}"),
        ((), "()"),
        ((1,), "(1,)"),
        ([], "[]"),
        ({}, "{}"),
        (date(2026, 5, 10), "datetime.date(2026, 5, 10)"),
        (Hostile(), "<Hostile>"),
        (OrderedDict(a=1), "<OrderedDict>"),
        (-1, "-1"),
        (endless(), "{'a': [{…}]}"),
        (deep(10_000), "[[[…]]]"),
        (list(range(9)), "[0, 1, 2, 3, 4, 5, 6, 7, …]"),
        ("https://u:" + "p" * 300 + "@e.org", "'https://***@e.org'"),
        ("\n::error::\x1b[1m", r"'\n::error::\x1b[1m'"),
    ],
)
def test_a_value_is_shown_as_python_writes_it(value: object, text: str) -> None:
    assert brief(value) == text


def test_a_number_that_python_refuses_to_write_is_told_by_its_type() -> None:
    assert brief({"a": 1 << 20_000}) == "{'a': <int>}"


@pytest.mark.parametrize(
    "value", [bomb(40), {"a": bomb(40)}, "x" * 10_000_000, b"x" * 10_000_000, [Hostile()] * 99], ids=type
)
def test_no_value_takes_long_to_show_or_much_room(value: object) -> None:
    started = time.process_time()
    assert len(brief(value)) <= MAX_SHOWN
    assert time.process_time() - started < 1


_ANY = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text() | st.binary() | st.datetimes(),
    lambda below: st.lists(below) | st.dictionaries(st.text() | st.integers() | st.none(), below) | st.tuples(below),
)


@given(_ANY)
def test_every_value_is_shown_on_one_line(value: object) -> None:
    assert len(brief(value).splitlines()) <= 1
    assert len(brief(value)) <= MAX_SHOWN


@pytest.mark.parametrize(
    ("name", "near"), [("section_depht", "section_depth"), ("exclude", "exclude"), ("zzz", ""), ("", "")]
)
def test_the_nearest_name_is_meant(name: str, near: str) -> None:
    assert did_you_mean(name, iter(["exclude", "section_depth"])) == near


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("", None),
        ("a: 1\nb: [x, null]", {"a": 1, "b": ["x", None]}),
        ("a: !unknown x", {"a": "x"}),
        ("a: !!python/name:os.system [x]", {"a": ["x"]}),
        ("a: !relative {b: 1}", {"a": {"b": 1}}),
        ("a: 2026-05-10", {"a": date(2026, 5, 10)}),
        ("a: 2026-02-30", {"a": "2026-02-30"}),
        ("a: " + "1" * 5_000, {"a": "1" * 5_000}),
        ("a: !ENV HOME", {"a": "of HOME"}),
        ("a: !ENV [A, B]", {"a": "of ['A', 'B']"}),
    ],
)
def test_yaml_is_read_without_running_anything(text: str, value: object) -> None:
    assert load_yaml(text, {"!ENV": lambda given: f"of {given}"}) == value


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("a: [1", "did not find expected ',' or ']'"),
        ("a: b: c", "line 1: mapping values are not allowed in this context"),
        ("a: \x00", "control characters are not allowed|special characters are not allowed"),
        ("a: !x &a [*a]", "it is nested too deeply"),
        ("a: 1\n---\nb: 2", "line 2: but found another document"),
    ],
)
def test_why_yaml_is_not_valid_is_told_on_one_line(text: str, problem: str) -> None:
    with pytest.raises(ValueError, match=problem) as wrong:
        load_yaml(text)
    assert "\n" not in str(wrong.value)


def test_neither_nesting_nor_aliases_of_usual_length_take_long() -> None:
    bomb = "a0: &a0 [x, x]\n" + "".join(f"a{n}: &a{n} [*a{n - 1}, *a{n - 1}, *a{n - 1}]\n" for n in range(1, 40))
    started = time.process_time()
    for text in ("[" * 16_384, "{a: " * 4_096, "- " * 8_192, bomb, '"' + "a" * 16_000):
        with suppress(ValueError):
            brief(load_yaml(text))
    assert time.process_time() - started < 5
