import itertools
import zlib
from collections.abc import Iterable
from typing import Literal, cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from smindex_plugins import urls
from smindex_plugins.model import NamedSection, Page
from smindex_plugins.settings import Settings
from smindex_plugins.sitemaps import sections
from smindex_plugins.sitemaps.sections import Section

BASE = "https://e.org/docs/"
SEGMENTS = st.sampled_from(["a", "b", "c", "a-b", "root", "sitemap", "x%2Fy", "%C3%BC", "", "index.html"])
PATHS = st.lists(SEGMENTS, min_size=1, max_size=5).map("/".join)
SITES = st.sets(PATHS, max_size=25).map(sorted)
NAMES = st.sampled_from(["a", "b", "guide", "a-b"])
PATTERNS = st.sampled_from(["a/", "b/", "a/b/", "**/c/", "**/index.html", "*", "**"])
NAMED = st.lists(
    st.builds(NamedSection, name=NAMES, urls=st.lists(PATTERNS, min_size=1, max_size=2).map(tuple)),
    max_size=3,
    unique_by=lambda section: section.name,
)
DEPTHS = st.integers(0, 3)
LEASTS = st.integers(1, 4)
PLACEMENTS = st.sampled_from(["section", "root"])


def group(
    paths: list[str],
    depth: int = 1,
    least: int = 2,
    named: list[NamedSection] | None = None,
    placement: str = "section",
    *,
    reserved: str = "sitemap-a",
) -> list[Section]:
    pages = [Page(url=BASE + path) for path in sorted(paths)]
    settings = Settings(
        section_depth=depth,
        section_min_pages=least,
        sections=tuple(named or ()),
        sitemap_placement=cast("Literal['section', 'root']", placement),
    )
    return sections.group(pages, BASE, settings, frozenset({reserved}))


def test_categories_have_sections_beside_the_index_whatever_their_names_are() -> None:
    named = {
        "a": "News",
        "b/c": "Crème brûlée & co",
        "d": "Creme brulee  CO",
        "e": "日本",
        "f": "root",
        "g/h": "",
        "g/i": "",
        "j": "",
        "k": "Own",
    }
    pages = [Page(url=BASE + path, section=category) for path, category in named.items()]
    own = (NamedSection(name="news", urls=("k",)),)
    by_category = sections.group(pages, BASE, Settings(section_by="category", sections=own), frozenset())
    assert shape(by_category) == {
        "g/sitemap": ["g/h", "g/i"],
        "sitemap-creme-brulee-co": ["d"],
        "sitemap-creme-brulee-co-d681e340": ["b/c"],
        "sitemap-cf2abf0c": ["e"],
        "sitemap-news": ["k"],
        "sitemap-news-69752f23": ["a"],
        "sitemap-root": ["j"],
        "sitemap-root-4813494d": ["f"],
    }
    assert shape(sections.group(pages, BASE, Settings(), frozenset())) == {
        "g/sitemap": ["g/h", "g/i"],
        "sitemap-root": ["a", "b/c", "d", "e", "f", "j", "k"],
    }


def shape(grouped: list[Section]) -> dict[str, list[str]]:
    return {section.stem: [urls.relative_path(page.url, BASE) for page in section.pages] for section in grouped}


@given(SITES, DEPTHS, LEASTS, NAMED, PLACEMENTS)
def test_every_page_is_in_one_section_below_its_directory_with_a_file_of_its_own(
    paths: list[str], depth: int, least: int, named: list[NamedSection], placement: str
) -> None:
    grouped = shape(group(paths, depth, least, named, placement))
    assert sorted(itertools.chain.from_iterable(grouped.values())) == sorted(paths)
    assert list(grouped) == sorted(grouped)
    assert all(members and members == sorted(members) for members in grouped.values())
    for stem, members in grouped.items():
        assert all(path.startswith(stem[: stem.rfind("/") + 1]) for path in members)
    files = [urls.file_path(stem) for stem in grouped]
    assert None not in files
    assert len({*files, "sitemap-a"}) == len(grouped) + 1, "nor does one have the name of the index"


@given(SITES, DEPTHS, LEASTS)
def test_no_section_is_too_small_or_too_deep(paths: list[str], depth: int, least: int) -> None:
    for stem, members in shape(group(paths, depth, least)).items():
        assert stem == "sitemap-root" or len(members) >= least
        assert stem.count("/") <= depth


@pytest.mark.parametrize(
    ("depth", "expected"),
    [
        (0, {"sitemap-root": ["", "a/", "a/b/", "a/b/c/", "a/b/c/d.html"]}),
        (1, {"sitemap-root": [""], "a/sitemap": ["a/", "a/b/", "a/b/c/", "a/b/c/d.html"]}),
        (2, {"sitemap-root": [""], "a/sitemap": ["a/"], "a/b/sitemap": ["a/b/", "a/b/c/", "a/b/c/d.html"]}),
        (
            3,
            {
                "sitemap-root": [""],
                "a/sitemap": ["a/"],
                "a/b/sitemap": ["a/b/"],
                "a/b/c/sitemap": ["a/b/c/", "a/b/c/d.html"],
            },
        ),
    ],
)
def test_the_depth_says_how_many_directories_make_a_section(depth: int, expected: dict[str, list[str]]) -> None:
    assert shape(group(["", "a/", "a/b/", "a/b/c/", "a/b/c/d.html"], depth, least=1)) == expected


@pytest.mark.parametrize(
    ("paths", "depth", "expected"),
    [
        # A page is no section of one, and a small directory goes to its parent, which may go on to its own.
        (["", "about/", "a/", "a/b/"], 1, {"sitemap-root": ["", "about/"], "a/sitemap": ["a/", "a/b/"]}),
        (["a/b/1", "a/c/1"], 2, {"a/sitemap": ["a/b/1", "a/c/1"]}),
        (["", "a/b/1"], 2, {"sitemap-root": ["", "a/b/1"]}),
        (["a/b/c/1"], 3, {"sitemap-root": ["a/b/c/1"]}),
        # A directory that no disk can hold belongs to the one above, and an empty name takes no pages of others.
        (["a/x%2Fy/1", "a/x%2Fy/2", "a//1", "a//2"], 2, {"a/sitemap": ["a//1", "a//2", "a/x%2Fy/1", "a/x%2Fy/2"]}),
        (["//x", "a/1", "a/2", "b"], 1, {"a/sitemap": ["a/1", "a/2"], "sitemap-root": ["//x", "b"]}),
    ],
)
def test_pages_that_make_no_section_belong_to_the_one_above(
    paths: list[str], depth: int, expected: dict[str, list[str]]
) -> None:
    assert shape(group(paths, depth)) == expected


def test_the_first_named_section_that_meets_a_page_has_it() -> None:
    named = [NamedSection(name="one", urls=("a/x/",)), NamedSection(name="two", urls=("a/",))]
    assert shape(group(["a/x/1", "a/x/2", "a/y/1", "b/1"], named=named)) == {
        "a/x/sitemap-one": ["a/x/1", "a/x/2"],
        "a/y/sitemap-two": ["a/y/1"],
        "sitemap-root": ["b/1"],
    }


def test_a_named_section_lies_in_the_deepest_directory_that_holds_all_its_pages() -> None:
    named = [NamedSection(name="api", urls=("a/**/api/",))]
    assert list(shape(group(["a/b/c/api/1", "a/b/d/api/2"], named=named))) == ["a/b/sitemap-api"]
    assert list(shape(group(["a/b/api/1", "a/c/api/2"], named=named))) == ["a/sitemap-api"]
    assert list(shape(group(["a/b/api/1"], named=named))) == ["a/b/api/sitemap-api"]


def test_placed_at_the_root_every_sitemap_is_beside_the_index() -> None:
    named = [NamedSection(name="api", urls=("c/",))]
    grouped = shape(group(["", "a/b/1", "a/b/2", "c/d/1"], depth=2, named=named, placement="root"))
    assert grouped == {"sitemap-a-b": ["a/b/1", "a/b/2"], "sitemap-api": ["c/d/1"], "sitemap-root": [""]}


@pytest.mark.parametrize(
    ("reserved", "named"),
    [("sitemap-root", []), ("sitemap-one", [NamedSection(name="one", urls=("**",))])],
)
def test_no_section_takes_the_name_of_the_index(reserved: str, named: list[NamedSection]) -> None:
    (section,) = group(["1", "2"], named=named, reserved=reserved)
    assert section.stem.startswith(reserved + "-")
    assert len(section.stem) == len(reserved) + 9


@pytest.mark.parametrize(
    ("origin", "stem"),
    [
        ("https://f.org", "sitemap-f.org"),
        ("https://www.f.org:8443", "sitemap-www.f.org-8443"),
        ("http://[::1]:80", "sitemap-1-80"),
        ("https://x.f.org", "sitemap-x.f.org"),
    ],
)
def test_the_sitemap_of_another_site_is_named_after_its_host(origin: str, stem: str) -> None:
    assert sections.stem_of(origin) == stem


def test_pages_of_other_sites_have_a_sitemap_for_each_site_beside_the_index() -> None:
    others = ["http://f.org/", "https://e.org/", "https://f.org/a/1", "https://f.org/a/2"]
    pages = [Page(url=url) for url in [*others[:2], BASE, *others[2:]]]
    grouped = sections.group(pages, BASE, Settings(), frozenset())
    assert [(section.stem, section.base, [page.url for page in section.pages]) for section in grouped] == [
        ("sitemap-e.org", "https://e.org/", ["https://e.org/"]),
        ("sitemap-f.org", "http://f.org/", ["http://f.org/"]),
        ("sitemap-f.org-2de18b78", "https://f.org/", ["https://f.org/a/1", "https://f.org/a/2"]),
        ("sitemap-root", "", [BASE]),
    ]


def test_no_section_takes_the_name_of_another_sites_sitemap() -> None:
    pages = [Page(url=url) for url in (f"{BASE}f.org/1", f"{BASE}f.org/2", "https://f.org/")]
    grouped = sections.group(pages, BASE, Settings(sitemap_placement="root"), frozenset())
    assert [len(section.pages) for section in grouped] == [1, 2]
    assert grouped[0].stem == "sitemap-f.org"
    assert grouped[1].stem.startswith("sitemap-f.org-")


def test_a_page_that_the_server_maps_elsewhere_is_in_no_directory() -> None:
    mapped = [Page(url=f"{BASE}a/{number}", mapped=True) for number in (1, 2)]
    (section,) = sections.group(mapped, BASE, Settings(), frozenset())
    assert section.stem == "sitemap-root"
    named = Settings(sections=(NamedSection(name="one", urls=("a/",)),))
    (section,) = sections.group(mapped, BASE, named, frozenset())
    assert section.stem == "sitemap-one"


def split(paths: Iterable[str], most: int, taken: Iterable[str] = (), stem: str = "a/sitemap") -> dict[str, list[str]]:
    """Split a section and give the paths in each part by its stem."""

    def write(pages: list[Page]) -> list[str] | None:
        return [urls.relative_path(page.url, BASE) for page in pages] if len(pages) <= most else None

    section = Section(stem=stem, pages=[Page(url=BASE + path) for path in sorted(paths)])
    parts = list(sections.split(section, {stem, *taken}, write))
    assert len({stem for stem, _, _ in parts}) == len(parts)
    return {stem: content for stem, _, content in parts}


def changed(before: dict[str, list[str]], after: dict[str, list[str]]) -> set[str]:
    return {stem for stem in before.keys() | after.keys() if before.get(stem) != after.get(stem)}


BELOW = st.lists(st.sampled_from("abcdefgh") | st.text("abz0/", max_size=3), min_size=1, max_size=4).map(
    lambda segments: "a/" + "/".join(segments)
)


@given(st.sets(BELOW, min_size=1, max_size=60), BELOW, st.integers(1, 20))
def test_one_page_more_or_less_changes_one_part_or_divides_it(paths: set[str], other: str, most: int) -> None:
    before, after = split(paths - {other}, most), split(paths | {other}, most)
    assert len(before.keys() - after.keys()) <= 1
    assert len(changed(before, after)) <= 3


def test_one_page_more_or_less_of_many_changes_at_most_two_parts() -> None:
    paths = [f"a/page-{number:06}/" for number in range(20_000)]
    before = split(paths, 5_000)
    assert 4 <= len(before) <= 8
    assert min(map(len, before.values())) > 2_000
    for other in ("a/", "a/page-1000000/", "a/another/", "a/new/deep/page.html"):
        assert len(changed(before, split([*paths, other], 5_000))) <= 2
    for gone in (0, 12_345, 19_999):
        assert len(changed(before, split(paths[:gone] + paths[gone + 1 :], 5_000))) <= 2


def test_a_section_that_grows_over_the_limit_keeps_its_file_and_gets_another() -> None:
    paths = [f"a/{number}" for number in range(100)]
    assert list(split(paths, 100)) == ["a/sitemap"]
    assert sorted(split([*paths, "a/100"], 100)) == ["a/sitemap", "a/sitemap-1"]


def test_pages_are_told_apart_though_their_names_have_one_hash() -> None:
    assert zlib.crc32(b"plumless") == zlib.crc32(b"buckeroo")
    parts = split(["a/plumless", "a/buckeroo"], 1)
    assert sorted(parts.values()) == [["a/buckeroo"], ["a/plumless"]]


def test_a_part_takes_no_name_that_is_taken() -> None:
    paths = [str(number) for number in range(4)]
    free = split(paths, 2, stem="sitemap-root")
    others = set(free) - {"sitemap-root"}
    around = split(paths, 2, taken=others, stem="sitemap-root")
    assert "sitemap-root" in around
    assert not others & set(around)
    assert list(around.values()) == list(free.values())
    assert set(around) == {"sitemap-root", *(f"{stem}-part" for stem in others)}


def test_parts_are_called_by_the_first_bits_of_the_hashes_of_urls() -> None:
    """Under other names, every search engine would read them all again."""
    assert split([f"a/{number}" for number in range(8)], 2) == {
        "a/sitemap": ["a/3", "a/7"],
        "a/sitemap-01": ["a/2", "a/6"],
        "a/sitemap-1": ["a/0", "a/4"],
        "a/sitemap-11": ["a/1", "a/5"],
    }
    assert list(split(["a/plumless", "a/buckeroo"], 1)) == [
        "a/sitemap-00100000001101000111111010010101",
        "a/sitemap-001000000011010001111110100101011",
    ]
