"""What the expressions for plain values take is in its normal form, as the package's own functions say."""

import re

from hypothesis import given
from hypothesis import strategies as st

from smindex_plugins import urls
from smindex_plugins.dates import w3c_date
from smindex_plugins.tables.rows import DOT_SEGMENT, MIDNIGHT, PLAIN_DATE, PLAIN_REST

ADDRESSES = st.sampled_from(
    ["https://e.org/", "http://e.org:8080/a%20b/", "https://xn--bcher-kva.example/d/", "https://[::1]/x/"]
)
ESCAPES = st.integers(0, 255).flatmap(lambda byte: st.sampled_from([f"%{byte:02X}", f"%{byte:02x}"]))
SIGNS = st.characters(max_codepoint=0x17F) | st.sampled_from([*"/.?%&'=@:;,+#", "//", "/../", "/./", "?a=b"]) | ESCAPES
DIGITS = st.integers(0, 9999).map("{:04}".format)
TWO = st.integers(0, 70).map("{:02}".format)


def is_plain(address: str, rest: str) -> bool:
    """Whether no Python looks at a URL, as `rows` asks it of Arrow."""
    url = address + rest
    return bool(re.fullmatch(PLAIN_REST, rest)) and DOT_SEGMENT not in url and not url.endswith("?")


@given(ADDRESSES, st.lists(SIGNS, max_size=12).map("".join))
def test_a_url_that_is_plain_is_normal(address: str, rest: str) -> None:
    if is_plain(address, rest):
        assert urls.normalise(address + rest) == address + rest


@given(st.integers(0, 255))
def test_an_escape_is_plain_if_it_is_normal(byte: int) -> None:
    for escape in (f"%{byte:02X}", f"%{byte:02x}"):
        is_normal = urls.normalise(f"https://e.org/{escape}x") == f"https://e.org/{escape}x"
        assert is_plain("https://e.org/", f"{escape}x") == is_normal


def test_urls_as_shops_and_wikis_have_them_are_plain() -> None:
    for rest in ("", "p/item-1/", "wiki/K%C3%B6ln", "search?q=a%20b&page=2", "a//b", "x/y.html", "it's(1),*@:;"):
        assert is_plain("https://e.org/", rest)


@given(st.builds("{}-{}-{}{}".format, DIGITS, TWO, TWO, st.just("") | st.builds("T{}:{}:{}Z".format, TWO, TWO, TWO)))
def test_a_date_that_is_plain_is_as_the_package_writes_it(date: str) -> None:
    if re.fullmatch(PLAIN_DATE, date):
        assert w3c_date(date) == date.removesuffix(MIDNIGHT)


def test_every_day_of_an_ordinary_year_is_plain() -> None:
    days = [f"2023-{month:02}-{day:02}" for month in range(1, 13) for day in range(1, 32)]
    assert [day for day in days if re.fullmatch(PLAIN_DATE, day)] == [day for day in days if w3c_date(day)]
