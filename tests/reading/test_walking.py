"""The walk from the first sitemaps to all others, whatever reads them."""

from collections.abc import Iterator, Mapping, Sequence

from hypothesis import given
from hypothesis import strategies as st

from smindex_plugins.reading.document import Document, Entry
from smindex_plugins.reading.found import Found, Listing, Reached
from smindex_plugins.reading.walking import Totals, Walk, named_by
from smindex_plugins.writing.robots import Robots, parse

BASE = "https://e.org/"


def walked(lists: Mapping[str, Sequence[str]], *starts: str) -> list[Found]:
    """Walk through indexes, each with what it lists. What none of them is named is a sitemap."""

    def read(listings: list[Listing]) -> Iterator[Reached]:
        for listing in listings:
            index = lists.get(listing.url.removeprefix(BASE))
            entries = [
                Entry(BASE + name, BASE + name, line=line)
                for line, name in enumerate(index or (), 2)
            ]
            document = Document(
                url=listing.url, kind="urlset" if index is None else "sitemapindex", entries=entries
            )
            yield Reached(document=document, listing=listing)

    groups = [[Listing(BASE + start)] for start in starts]
    return list(Walk(groups=groups, read=read, totals=Totals()).files())


def test_what_an_index_lists_comes_after_it_once_with_the_line_that_lists_it() -> None:
    found = walked({"i": ["a", "j", "a"], "j": ["i", "b", "a"]}, "i")
    assert [each.document.url.removeprefix(BASE) for each in found] == ["i", "a", "j", "b"]
    lines = [
        (each.listing.by.where.removeprefix(BASE), each.listing.by.line)
        for each in found
        if each.listing.by
    ]
    assert lines == [("i", 2), ("i", 3), ("j", 3)]


NAMES = st.sampled_from("abcdefgh")


@given(st.dictionaries(NAMES, st.lists(NAMES)), st.lists(NAMES, unique=True))
def test_everything_that_can_be_reached_is_found_once(
    lists: dict[str, list[str]], starts: list[str]
) -> None:
    reached, waiting = set(starts), list(starts)
    while waiting:
        new = set(lists.get(waiting.pop(), ())) - reached
        reached |= new
        waiting += new
    assert sorted(
        each.document.url.removeprefix(BASE) for each in walked(lists, *starts)
    ) == sorted(reached)


def test_the_lines_of_a_robots_txt_are_listings_and_invalid_ones_are_none() -> None:
    lines = ("/a.xml", "https://e.org/b.xml", "https://e.org/a.xml", "mailto:a@b")
    found = named_by(parse("".join(f"Sitemap: {line}\n" for line in lines).encode()), BASE)
    assert [(listing.url, listing.by and listing.by.line) for listing in found] == [
        (BASE + "a.xml", 1),
        (BASE + "b.xml", 2),
    ]
    assert named_by(None, BASE) == named_by(Robots(), BASE) == []
