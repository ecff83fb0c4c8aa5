"""A plan made of counts alone, and its shards split further, come to what one split in memory comes to."""

from collections import Counter
from functools import partial

from hypothesis import given
from hypothesis import strategies as st

from smindex_plugins import urls
from smindex_plugins.model import NamedSection, Page
from smindex_plugins.settings import Settings
from smindex_plugins.sitemaps import sections
from smindex_plugins.sitemaps.sections import Section
from smindex_plugins.tables.plan import divide, name_sections, reserved
from smindex_plugins.tables.rows import BITS
from smindex_plugins.tables.rows import NAMED as MARK

SITE = "https://e.org/d/"
NAMED = NamedSection(name="all", urls=("b/",))
SEGMENTS = st.sampled_from(["a", "b", "deep", "", "plumless", "buckeroo"]) | st.integers(0, 40).map(str)
PATHS = st.sets(st.lists(SEGMENTS, min_size=1, max_size=5).map("/".join), max_size=80)
Files = dict[str, list[str]]


def fitting(pages: list[Page], most: int) -> list[str] | None:
    return [page.url for page in pages] if len(pages) <= most else None


def in_memory(paths: set[str], settings: Settings) -> Files:
    pages = [Page(url=SITE + path) for path in sorted(paths)]
    grouped = sections.group(pages, SITE, settings, reserved(settings))
    taken = {*reserved(settings), *(section.stem for section in grouped)}
    write = partial(fitting, most=settings.max_urls)
    return {stem: some for each in grouped for stem, _, some in sections.split(each, taken, write)}


def by_shards(paths: set[str], settings: Settings) -> Files:
    """Split the same pages as an engine does, which counts them, and gives each shard to a task of its own."""
    pages = [SITE + path for path in sorted(paths)]
    named = {url: sections.first_named(urls.relative_path(url, SITE), settings.sections) for url in pages}
    directory = {url: "/".join(url[len(SITE) :].split("/", settings.section_depth)[:-1]) for url in pages}
    homes = sections.home_directories(
        Counter(directory[url] for url in pages if not named[url]), settings.section_min_pages
    )
    home = {url: MARK + str(named[url]) if named[url] else homes[directory[url]] for url in pages}
    ends = {
        each: (min(some), max(some))
        for each in {*home.values()}
        if each.startswith(MARK) and (some := [url for url in pages if home[url] == each])
    }
    stems = name_sections({*home.values()}, ends, SITE, settings)
    sizes, numbers = Counter(home.values()), {each: number for number, each in enumerate(stems)}
    large = {each for each, size in sizes.items() if size > settings.max_urls}
    bucket = {
        url: (numbers[home[url]], sections.url_hash(url) >> (sections.HASH_BITS - BITS) if home[url] in large else 0)
        for url in pages
    }
    counts = ((*which, count) for which, count in Counter(bucket.values()).items())
    shards, places = divide([*stems.values()], counts, settings)
    place = {(section, bits): shard for section, bits, shard in places}
    files: Files = {}
    for number, task in enumerate(shards):
        part = Section(stem=task.stem, pages=[Page(url=url) for url in pages if place[bucket[url]] == number])
        write = partial(fitting, most=settings.max_urls)
        files |= {stem: some for stem, _, some in sections.split(part, task.taken, write, task.bits)}
    return files


SETTINGS = st.builds(
    Settings,
    max_urls=st.integers(1, 20),
    section_depth=st.integers(0, 3),
    section_min_pages=st.integers(1, 4),
    sections=st.sampled_from([(), (NAMED,)]),
    sitemap_placement=st.sampled_from(["section", "root"]),
)


@given(PATHS, SETTINGS)
def test_shards_come_to_the_files_of_one_split_in_their_order(paths: set[str], settings: Settings) -> None:
    expected, found = in_memory(paths, settings), by_shards(paths, settings)
    assert found == expected
    assert list(found) == list(expected)


def test_pages_that_no_hash_tells_apart_are_one_shard() -> None:
    paths = {f"a/{twin}/{'/' * number}" for twin in ("plumless", "buckeroo") for number in range(3)}
    assert by_shards(paths, Settings(max_urls=1)) == in_memory(paths, Settings(max_urls=1))
