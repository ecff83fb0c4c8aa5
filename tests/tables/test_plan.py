"""A plan made of counts alone, and the cuts of its shards, come to what one cut in memory comes to."""

from collections import Counter
from functools import partial

from hypothesis import given
from hypothesis import strategies as st

from smindex_plugins import urls
from smindex_plugins.model import NamedSection, Page
from smindex_plugins.settings import Settings
from smindex_plugins.sitemaps import sections
from smindex_plugins.sitemaps.sections import Section
from smindex_plugins.tables.plan import Counted, Plan, plan_sections, reserved

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
    return {stem: some for each in grouped for stem, _, some in sections.cut(each, SITE, taken, write)}


def by_shards(paths: set[str], settings: Settings) -> Files:
    """Cut the same pages as an engine does, which counts them, and gives each shard to a task of its own."""
    pages = [SITE + path for path in sorted(paths)]
    name = {url: sections.first_named(urls.relative_path(url, SITE), settings.sections) for url in pages}
    place = {url: "/".join(url[len(SITE) :].split("/", settings.section_depth)[:-1]) for url in pages}
    together: dict[tuple[str | None, str], list[str]] = {}
    for url in pages:
        together.setdefault((name[url], "" if name[url] else place[url]), []).append(url)
    counted = [Counted(*which, len(some), some[0], some[-1]) for which, some in together.items()]
    planned, homes = plan_sections(counted, SITE, settings)
    plan = Plan(planned, settings, max((url.count("/") for url in pages), default=0))
    at = {url: home.section for home in homes for url in together[home.named, home.directory]}
    key = {
        url: b"".join(_hash(part) for part in url[len(SITE) :].split("/")[planned[at[url]].above :]) for url in pages
    }
    shard = {url: plan.small.get(at[url]) for url in pages}
    while plan.open:
        opened = {each.node for each in plan.open}
        begin = 2 * plan.rounds
        bits = {url: int.from_bytes(key[url][begin : begin + 2].ljust(2, b"\0")) for url in pages}
        known = len(plan.buckets)
        plan.add(
            [(*which, count) for which, count in Counter((at[u], bits[u]) for u in pages if at[u] in opened).items()]
        )
        gone = {(bucket.node, bucket.bits): bucket for bucket in plan.buckets[known:]}
        for url in (url for url in pages if at[url] in opened):
            bucket = gone[at[url], bits[url]]
            shard[url], at[url] = bucket.shard, -1 if bucket.child is None else bucket.child
    files: Files = {}
    for number in plan.order():
        task = plan.shards()[number]
        part = Section(stem=task.stem, pages=[Page(url=url) for url in pages if shard[url] == number])
        write = partial(fitting, most=settings.max_urls)
        files |= {stem: some for stem, _, some in sections.cut(part, SITE, task.taken, write, task.begin)}
    return files


def _hash(segment: str) -> bytes:
    return sections.key(segment).ljust(4, b"\0")


SETTINGS = st.builds(
    Settings,
    max_urls=st.integers(1, 20),
    section_depth=st.integers(0, 3),
    section_min_pages=st.integers(1, 4),
    sections=st.sampled_from([(), (NAMED,)]),
    sitemap_placement=st.sampled_from(["section", "root"]),
)


@given(PATHS, SETTINGS)
def test_shards_come_to_the_files_of_one_cut_in_their_order(paths: set[str], settings: Settings) -> None:
    expected, found = in_memory(paths, settings), by_shards(paths, settings)
    assert found == expected
    assert list(found) == list(expected)


def test_a_directory_with_most_of_a_section_is_divided_by_what_is_below_it() -> None:
    paths = {f"a/deep/down/{number}" for number in range(100)} | {f"a/{number}/x" for number in range(20)}
    found = by_shards(paths, Settings(max_urls=10))
    assert found == in_memory(paths, Settings(max_urls=10))
    assert len(found) > 11


def test_pages_that_no_key_tells_apart_are_one_shard() -> None:
    paths = {f"a/{twin}/{'/' * number}" for twin in ("plumless", "buckeroo") for number in range(3)}
    assert by_shards(paths, Settings(max_urls=1)) == in_memory(paths, Settings(max_urls=1))
