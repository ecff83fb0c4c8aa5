"""How pages become sections and sections parts, and when a removal changed a section."""

import itertools
import os
import zlib
from collections.abc import Iterable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from smindex_plugins.base import urls
from smindex_plugins.base.dates import utc
from smindex_plugins.base.model import NamedSection, Page
from smindex_plugins.base.settings import Settings
from smindex_plugins.writing import sections
from smindex_plugins.writing.sections import Section
from tests.support.history import KnownHistory, day

BASE = "https://e.org/docs/"
SEGMENTS = st.sampled_from(
    ["a", "b", "c", "a-b", "root", "sitemap", "x%2Fy", "%C3%BC", "", "index.html"]
)
SITES = st.sets(st.lists(SEGMENTS, min_size=1, max_size=5).map("/".join), max_size=25).map(sorted)
PATTERNS = st.sampled_from(["a/", "b/", "a/b/", "**/c/", "**/index.html", "*", "**"])
NAMED = st.builds(
    NamedSection,
    name=st.sampled_from(["a", "b", "guide", "a-b"]),
    urls=st.lists(PATTERNS, min_size=1).map(tuple),
)
SIZES = {"section_depth": st.integers(0, 3), "section_min_pages": st.integers(1, 4)}
OPTIONS = st.fixed_dictionaries(
    {
        **SIZES,
        "sections": st.lists(NAMED, max_size=3, unique_by=lambda section: section.name).map(tuple),
        "sitemap_placement": st.sampled_from(["section", "root"]),
    }
)


def group(paths: list[str], reserved: str = "sitemap-a", **options: Any) -> list[Section]:  # noqa: ANN401 - of Settings
    pages = [Page(url=BASE + path) for path in sorted(paths)]
    return sections.group(pages, BASE, Settings(**options), frozenset({reserved}))


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
    by_category = sections.group(
        pages, BASE, Settings(section_by="category", sections=own), frozenset()
    )
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
    return {
        section.stem: [urls.relative_path(page.url, BASE) for page in section.pages]
        for section in grouped
    }


@given(SITES, OPTIONS)
def test_every_page_is_in_one_section_below_its_directory_with_a_file_of_its_own(
    paths: list[str], options: dict[str, Any]
) -> None:
    grouped = shape(group(paths, **options))
    assert sorted(itertools.chain.from_iterable(grouped.values())) == sorted(paths)
    assert list(grouped) == sorted(grouped)
    assert all(members and members == sorted(members) for members in grouped.values())
    for stem, members in grouped.items():
        assert all(path.startswith(stem[: stem.rfind("/") + 1]) for path in members)
    files = [urls.file_path(stem) for stem in grouped]
    assert None not in files
    assert len({*files, "sitemap-a"}) == len(grouped) + 1, "nor does one have the name of the index"


@given(SITES, st.fixed_dictionaries(SIZES))
def test_no_section_is_too_small_or_too_deep(paths: list[str], options: dict[str, Any]) -> None:
    for stem, members in shape(group(paths, **options)).items():
        assert stem == "sitemap-root" or len(members) >= options["section_min_pages"]
        assert stem.count("/") <= options["section_depth"]


NESTED = ["", "a/", "a/b/", "a/b/c/", "a/b/c/d.html"]
ONE, TWO = NamedSection(name="one", urls=("a/x/",)), NamedSection(name="two", urls=("a/",))
API = {"sections": (NamedSection(name="api", urls=("**/api/",)),)}


@pytest.mark.parametrize(
    ("paths", "options", "expected"),
    [
        (NESTED, {"section_depth": 0}, {"sitemap-root": NESTED}),
        (NESTED, {"section_depth": 2}, {"a/b/sitemap": NESTED[2:], "sitemap-root": NESTED[:2]}),
        (
            NESTED,
            {"section_depth": 2, "section_min_pages": 1},
            {"a/b/sitemap": NESTED[2:], "a/sitemap": ["a/"], "sitemap-root": [""]},
        ),
        # A small directory belongs to its parent, which may belong to its own.
        (
            ["", "about/", "a/", "a/b/"],
            {},
            {"a/sitemap": ["a/", "a/b/"], "sitemap-root": ["", "about/"]},
        ),
        (["a/b/1", "a/c/1"], {"section_depth": 2}, {"a/sitemap": ["a/b/1", "a/c/1"]}),
        (["a/b/c/1"], {"section_depth": 3}, {"sitemap-root": ["a/b/c/1"]}),
        # A directory that no disk can hold belongs to the one above, and an empty name takes no
        # pages of others.
        (
            ["a/x%2Fy/1", "a/x%2Fy/2", "a//1"],
            {"section_depth": 2},
            {"a/sitemap": ["a//1", "a/x%2Fy/1", "a/x%2Fy/2"]},
        ),
        (
            ["//x", "a/1", "a/2", "b"],
            {},
            {"a/sitemap": ["a/1", "a/2"], "sitemap-root": ["//x", "b"]},
        ),
        # A page is in the first named section that matches, in the deepest directory that holds all
        # pages of that.
        (
            ["a/x/1", "a/y/1"],
            {"sections": (ONE, TWO)},
            {"a/x/sitemap-one": ["a/x/1"], "a/y/sitemap-two": ["a/y/1"]},
        ),
        (["a/b/c/api/1", "a/b/d/api/2"], API, {"a/b/sitemap-api": ["a/b/c/api/1", "a/b/d/api/2"]}),
        (["a/b/api/1", "a/c/api/2"], API, {"a/sitemap-api": ["a/b/api/1", "a/c/api/2"]}),
        (
            ["", "a/b/1", "a/b/2", "c/api/1"],
            {**API, "section_depth": 2, "sitemap_placement": "root"},
            {"sitemap-a-b": ["a/b/1", "a/b/2"], "sitemap-api": ["c/api/1"], "sitemap-root": [""]},
        ),
    ],
)
def test_pages_are_in_sections_by_their_directories_and_the_options(
    paths: list[str], options: dict[str, Any], expected: dict[str, list[str]]
) -> None:
    assert shape(group(paths, **options)) == expected


@pytest.mark.parametrize(
    ("reserved", "named"),
    [("sitemap-root", ()), ("sitemap-one", (NamedSection(name="one", urls=("**",)),))],
)
def test_no_section_takes_the_name_of_the_index(
    reserved: str, named: tuple[NamedSection, ...]
) -> None:
    (section,) = group(["1", "2"], reserved, sections=named)
    assert section.stem.startswith(reserved + "-")
    assert len(section.stem) == len(reserved) + 9


def test_pages_of_other_sites_have_a_sitemap_for_each_site_named_after_its_host_beside_the_index() -> (
    None
):
    others = [
        "http://[::1]:80/",
        "http://f.org/",
        "https://e.org/",
        "https://f.org/a/1",
        "https://f.org/a/2",
    ]
    pages = [Page(url=url) for url in [*others[:3], BASE, *others[3:], "https://www.f.org:8443/"]]
    grouped = sections.group(pages, BASE, Settings(), frozenset())
    assert [
        (section.stem, section.base, [page.url for page in section.pages]) for section in grouped
    ] == [
        ("sitemap-1-80", "http://[::1]:80/", others[:1]),
        ("sitemap-e.org", "https://e.org/", ["https://e.org/"]),
        ("sitemap-f.org", "http://f.org/", ["http://f.org/"]),
        ("sitemap-f.org-2de18b78", "https://f.org/", others[3:]),
        ("sitemap-root", "", [BASE]),
        ("sitemap-www.f.org-8443", "https://www.f.org:8443/", ["https://www.f.org:8443/"]),
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


def split(
    paths: Iterable[str], most: int, taken: Iterable[str] = (), stem: str = "a/sitemap"
) -> dict[str, list[str]]:
    """Split a section and give the paths in each part by its stem."""

    def write(pages: list[Page]) -> list[str] | None:
        return (
            [urls.relative_path(page.url, BASE) for page in pages] if len(pages) <= most else None
        )

    section = Section(stem=stem, pages=[Page(url=BASE + path) for path in sorted(paths)])
    parts = list(sections.split(section, {stem, *taken}, write))
    assert len({stem for stem, _, _ in parts}) == len(parts)
    assert all(content == sorted(content) for _, _, content in parts)
    return {stem: content for stem, _, content in parts}


def changed(before: dict[str, list[str]], after: dict[str, list[str]]) -> set[str]:
    return {stem for stem in before.keys() | after.keys() if before.get(stem) != after.get(stem)}


BELOW = st.lists(
    st.sampled_from("abcdefgh") | st.text("abz0/", max_size=3), min_size=1, max_size=4
).map(lambda segments: "a/" + "/".join(segments))


@given(st.sets(BELOW, min_size=1, max_size=60), BELOW, st.integers(1, 20))
def test_one_page_more_or_less_changes_one_part_or_divides_it(
    paths: set[str], other: str, most: int
) -> None:
    before, after = split(paths - {other}, most), split(paths | {other}, most)
    assert len(before.keys() - after.keys()) <= 1
    assert len(changed(before, after)) <= 3


def test_a_part_takes_no_name_that_is_taken() -> None:
    free = split("0123", 2, stem="sitemap-root")
    others = {*free} - {"sitemap-root"}
    around = split("0123", 2, taken=others, stem="sitemap-root")
    assert [*around] == [stem + "-part" * (stem in others) for stem in free]
    assert list(around.values()) == list(free.values())


def test_parts_are_called_by_the_first_bits_of_the_hashes_of_urls() -> None:
    """Under other names, every search engine would read them all again."""
    assert split([f"a/{number}" for number in range(8)], 2) == {
        "a/sitemap": ["a/3", "a/7"],
        "a/sitemap-01": ["a/2", "a/6"],
        "a/sitemap-1": ["a/0", "a/4"],
        "a/sitemap-11": ["a/1", "a/5"],
    }
    assert zlib.crc32(b"plumless") == zlib.crc32(b"buckeroo")
    assert split(["a/plumless", "a/buckeroo"], 1) == {
        "a/sitemap-00100000001101000111111010010101": ["a/buckeroo"],
        "a/sitemap-001000000011010001111110100101011": ["a/plumless"],
    }


# Removals


NOW = datetime.fromtimestamp(day(100), UTC)
PAST, FUTURE = day(60), day(100) + 1
REMOVED = "2020-11-12T12:26:40Z"


def removals(
    grouped: list[list[Page]], removed: dict[str, int], *omitted: Page, **options: object
) -> dict[int, str]:
    found = [Section(stem=str(number), pages=pages) for number, pages in enumerate(grouped)]
    dated = [*itertools.chain.from_iterable(grouped), *omitted]
    return sections.newest_removals(
        dated, found, KnownHistory(removals=removed), Settings.load(options), NOW
    )


def made_from(source: str) -> Page:
    return Page(url=f"{BASE}{source}/", sources=(source,))


R, A, B = map(made_from, ("/docs/1.md", "/docs/a/1.md", "/docs/b/1.md"))
LIST = Page(url=f"{BASE}list", lists=("https://f.org/a", R.url))


@pytest.mark.parametrize(
    ("grouped", "removed", "expected"),
    [
        ([[A], [B]], {"/docs/b": PAST}, {1: REMOVED}),
        ([[R], [A]], {"/docs/a/x/y": PAST, "/docs/gone": PAST - 9}, {0: utc(PAST - 9), 1: REMOVED}),
        ([[A]], {"/src": PAST, "/": PAST}, {}),
        ([[R]], {"/docs/x": PAST - 9, "/docs/y": PAST, "/docs/z": PAST - 5}, {0: REMOVED}),
        ([[LIST], [R]], {"/docs": PAST}, {0: REMOVED, 1: REMOVED}),
        *(([[R]], {"/docs": when}, {}) for when in (FUTURE, 10**30)),
    ],
)
def test_a_removal_changes_the_sections_of_the_nearest_pages(
    grouped: list[list[Page]], removed: dict[str, int], expected: dict[int, str]
) -> None:
    assert removals(grouped, removed) == expected
    assert removals(grouped, removed, lastmod_format="date") == {
        number: date[:10] for number, date in expected.items()
    }
    assert removals(grouped, removed, lastmod="off") == {}


def test_a_removal_among_pages_that_are_not_listed_changes_no_sitemap(tmp_path: Path) -> None:
    assert removals([[R]], {"/docs/drafts": PAST}, made_from("/docs/drafts/1.md")) == {}
    real = os.path.realpath(tmp_path)
    (tmp_path / "docs").mkdir()
    (tmp_path / "link").symlink_to("docs")
    pages = [[made_from(f"{real}/{name}.md")] for name in ("docs/1", "link/2")]
    assert removals(pages, {f"{real}/docs": PAST}) == {
        0: REMOVED,
        1: REMOVED,
    }, "two names of one directory"
