import errno
import gzip
import os
import random
import tracemalloc
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from smindex_plugins import urls
from smindex_plugins.history import Reason, Unknown
from smindex_plugins.limits import MAX_BYTES
from smindex_plugins.model import Page
from smindex_plugins.report import Report
from smindex_plugins.settings import Settings, Site
from tests.support.dated import publish_as_given
from tests.support.listed import Listed, read_entries, sitemaps

BASE = "https://e.org/docs/"
INDEX = "sitemap_index.xml"
NAMES = st.sampled_from(["a", "b", "größe", "x y", "it's", "r&d", "~u", "root", "sitemap", "index.html"])
PATHS = st.lists(NAMES, min_size=1, max_size=4).map("/".join)
DATES = st.sampled_from([None, "2026-05-10", "2026-05-10T12:30:15Z", "1999-12-31"])
SITES = st.dictionaries(PATHS, DATES, min_size=1, max_size=25)
CHOICES = st.fixed_dictionaries(
    {
        "section_depth": st.integers(0, 3),
        "section_min_pages": st.integers(1, 3),
        "sitemap_placement": st.sampled_from(["section", "root"]),
        "gzip": st.booleans(),
        "max_urls": st.sampled_from([1, 3, 10, 50_000]),
        "index_filename": st.sampled_from([INDEX, "sitemap-root.xml", "sitemap-a.xml"]),
        "sections": st.sampled_from([[], [{"name": "a", "urls": ["**/a/"]}, {"name": "x", "urls": ["a/*"]}]]),
    }
)


def pages_of(site: dict[str, str | None]) -> list[Page]:
    return [Page(url=BASE + urls.from_file_path(path), lastmod=lastmod) for path, lastmod in site.items()]


def publish(directory: Path, pages: list[Page], **settings: object) -> Report:
    target = Site(url=BASE, directory=str(directory), settings=Settings.load(settings))
    return publish_as_given(pages, target)


def read_back(directory: Path, *index_urls: str) -> list[Listed]:
    return sitemaps(directory, BASE, [urls.relative_path(url, BASE) for url in index_urls or [BASE + INDEX]])


def files_in(directory: Path) -> dict[str, bytes]:
    return {str(path.relative_to(directory)): path.read_bytes() for path in directory.rglob("*") if path.is_file()}


@given(site=SITES, settings=CHOICES)
def test_what_is_read_back_is_what_was_given_each_page_once_and_in_scope(
    tmp_path_factory: pytest.TempPathFactory,
    validate: Callable[[bytes], None],
    site: dict[str, str | None],
    settings: dict[str, object],
) -> None:
    directory = tmp_path_factory.mktemp("site")
    report = publish(directory, pages_of(site), **settings)
    written = read_back(directory, *report.index_urls)
    listed = [page for sitemap in written for page in sitemap.pages]
    # Not every site has pages for the sections that it is given.
    assert {finding.check for finding in report.findings} <= {"unmatched-pattern"}
    assert sorted(listed, key=lambda page: page.url) == sorted(pages_of(site), key=lambda page: page.url)
    assert (report.pages, report.sitemaps) == (len(site), len(written))
    for sitemap in written:
        assert all(urls.is_within(page.url, urls.directory(sitemap.url)) for page in sitemap.pages)
        assert urls.is_within(sitemap.url, BASE)
        assert len(sitemap.pages) <= settings["max_urls"]  # type: ignore[operator] # a number in a dict of objects
    for path, content in files_in(directory).items():
        validate(gzip.decompress(content) if path.endswith(".gz") else content)
    assert len(files_in(directory)) == len(written) + len(report.index_urls)


@given(site=SITES, settings=CHOICES)
def test_the_same_pages_in_any_order_give_the_same_bytes(
    tmp_path_factory: pytest.TempPathFactory, site: dict[str, str | None], settings: dict[str, object]
) -> None:
    one, other = tmp_path_factory.mktemp("site"), tmp_path_factory.mktemp("site")
    publish(one, pages_of(site), **settings)
    publish(other, random.Random(0).sample(pages_of(site), len(site)), **settings)  # noqa: S311 - a shuffle
    assert files_in(one) == files_in(other)


@given(before=SITES, after=SITES, settings=CHOICES)
def test_what_an_earlier_build_wrote_leaves_no_trace(
    tmp_path_factory: pytest.TempPathFactory,
    before: dict[str, str | None],
    after: dict[str, str | None],
    settings: dict[str, object],
) -> None:
    used, fresh = tmp_path_factory.mktemp("site"), tmp_path_factory.mktemp("site")
    publish(used, pages_of(before))
    publish(used, pages_of(after), **settings)
    publish(fresh, pages_of(after), **settings)
    assert files_in(used) == files_in(fresh)


def test_a_second_build_of_the_same_pages_changes_nothing(tmp_path: Path) -> None:
    pages = pages_of({"a/1": None, "a/2": "2026-05-10", "b": None})
    written = publish(tmp_path, pages).changes.written
    second = publish(tmp_path, pages).changes
    assert (second.written, second.unchanged, second.removed) == ([], written, [])


def test_the_index_has_for_each_sitemap_the_newest_date_of_its_pages(tmp_path: Path) -> None:
    publish(tmp_path, pages_of({"a/1": "2026-05-10T12:00:00Z", "a/2": "2026-05-11", "b/1": None, "b/2": None}))
    entries = read_entries((tmp_path / INDEX).read_bytes())
    assert [(entry.url, entry.lastmod) for entry in entries] == [
        (BASE + "a/sitemap.xml", "2026-05-11"),
        (BASE + "b/sitemap.xml", None),
    ]


def test_a_section_over_the_limit_of_urls_is_cut_into_several_files(tmp_path: Path) -> None:
    report = publish(tmp_path, pages_of({f"a/{number}": None for number in range(5)}), max_urls=3)
    assert sorted(files_in(tmp_path)) == ["a/sitemap-1.xml", "a/sitemap.xml", INDEX]
    assert (report.sections, report.sitemaps, report.pages) == (1, 2, 5)
    assert sum(len(sitemap.pages) for sitemap in read_back(tmp_path)) == 5


def test_one_url_a_file_is_possible_for_one_page(tmp_path: Path) -> None:
    assert publish(tmp_path, pages_of({"a": None}), max_urls=1).sitemaps == 1


def test_more_sitemaps_than_an_index_may_list_give_several_indexes(tmp_path: Path) -> None:
    site = pages_of({f"{name}/{part}": None for name in "abc" for part in "12"})
    report = publish(tmp_path, site, max_urls=2)
    assert report.index_urls == [BASE + "sitemap_index-1.xml", BASE + "sitemap_index-2.xml"]
    first, second = (read_entries((tmp_path / f"sitemap_index-{number}.xml").read_bytes()) for number in (1, 2))
    assert [entry.url for entry in (*first, *second)] == [f"{BASE}{name}/sitemap.xml" for name in "abc"]
    assert "3 sitemaps listed in 2 indexes, " in report.summary(0)
    (level, steps), *lines = report.messages()
    assert level == "notice"
    assert steps.startswith("So that search engines find all indexes, which one cannot replace, do two things once: ")
    assert lines == [
        ("notice", f"Sitemap: {BASE}sitemap_index-1.xml"),
        ("notice", f"Sitemap: {BASE}sitemap_index-2.xml"),
    ]


def test_of_several_indexes_and_one_the_earlier_go(tmp_path: Path) -> None:
    site: dict[str, str | None] = {f"{name}/{part}": None for name in "abc" for part in "12"}
    publish(tmp_path, pages_of(site))
    publish(tmp_path, pages_of(site), max_urls=2)
    assert {name for name in files_in(tmp_path) if "index" in name} == {"sitemap_index-1.xml", "sitemap_index-2.xml"}
    publish(tmp_path, pages_of(site), max_urls=5)
    assert {name for name in files_in(tmp_path) if "index" in name} == {INDEX}


def test_an_index_takes_no_name_that_a_sitemap_has(tmp_path: Path) -> None:
    site = pages_of({f"{name}/{part}": None for name in ("1", "b", "c") for part in "12"})
    settings = {"max_urls": 2, "sitemap_placement": "root", "index_filename": "sitemap.xml"}
    report = publish(tmp_path, site, **settings)
    assert report.index_urls == [BASE + "sitemap-2.xml", BASE + "sitemap-3.xml"]
    assert not report.findings


def test_more_indexes_than_search_engines_take_write_nothing(tmp_path: Path) -> None:
    publish(tmp_path, pages_of({"a/1": None, "a/2": None}))
    before = files_in(tmp_path)
    report = publish(tmp_path, pages_of({f"page-{number}": None for number in range(501)}), max_urls=1)
    assert [finding.check for finding in report.findings] == ["too-many-sitemaps"]
    assert "501 indexes to list 501 sitemaps" in report.findings[0].problem
    assert (report.sitemaps, report.changes.written, report.index_urls) == (0, [], [])
    assert files_in(tmp_path) == before


def test_as_many_indexes_as_search_engines_take_are_written(tmp_path: Path) -> None:
    report = publish(tmp_path, pages_of({f"page-{number}": None for number in range(500)}), max_urls=1)
    assert (len(report.index_urls), report.findings) == (500, [])


TOO_LARGE = Page(url=f"{BASE}b", images=(BASE + "x" * MAX_BYTES,))


def test_an_entry_larger_than_a_file_may_be_is_left_out_and_the_counts_add_up(tmp_path: Path) -> None:
    report = publish(tmp_path, [*pages_of({"a": None, "c": None}), TOO_LARGE])
    (finding,) = report.findings
    assert (finding.check, finding.where) == ("entry-too-large", TOO_LARGE.url)
    assert report.pages == 2
    assert [omission.reason for omission in report.omitted] == ["with an entry that is too large"]
    assert [page.url for sitemap in read_back(tmp_path) for page in sitemap.pages] == [BASE + "a", BASE + "c"]


def test_a_section_whose_every_entry_is_too_large_has_no_sitemap(tmp_path: Path) -> None:
    report = publish(tmp_path, [TOO_LARGE])
    assert (report.pages, report.sitemaps) == (0, 0)
    assert not files_in(tmp_path)


def test_without_pages_the_earlier_files_go_and_nothing_new_comes(tmp_path: Path) -> None:
    publish(tmp_path, pages_of({"a/1": None, "a/2": None, "b": None}))
    report = publish(tmp_path, [])
    assert (report.pages, report.sections, report.sitemaps) == (0, 0, 0)
    assert [finding.check for finding in report.findings] == ["nothing-listed"]
    assert not files_in(tmp_path)


def test_with_gzip_the_sitemaps_are_compressed_and_the_index_is_plain(tmp_path: Path) -> None:
    publish(tmp_path, pages_of({"a/1": None, "a/2": None, "b": None}), gzip=True)
    assert sorted(files_in(tmp_path)) == ["a/sitemap.xml.gz", "sitemap-root.xml.gz", INDEX]
    assert len(read_back(tmp_path)) == 2


def test_a_file_that_is_not_ours_stops_the_build_and_is_named(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "sitemap.xml").write_text("<urlset/>")
    report = publish(tmp_path, pages_of({"a/1": None, "a/2": None, "b": None}))
    assert [(finding.check, finding.where) for finding in report.findings] == [("file-not-ours", "a/sitemap.xml")]
    assert report.sitemaps == 0
    assert files_in(tmp_path) == {"a/sitemap.xml": b"<urlset/>"}


def test_a_missing_output_directory_is_made(tmp_path: Path) -> None:
    report = publish(tmp_path / "nowhere", pages_of({"a": None}))
    assert report.findings == []
    assert (tmp_path / "nowhere" / "sitemap_index.xml").is_file()


def test_memory_beyond_the_pages_is_a_few_files_and_not_the_site(tmp_path: Path) -> None:
    """The rendered site has 20 MB; lists of pages, at 8 bytes a page, and a few files of 4 MB are in memory."""
    pages = [Page(url=f"{BASE}{number // 25_000}/page-{number:06}/", lastmod="2026-05-10") for number in range(200_000)]
    tracemalloc.start()
    try:
        report = publish(tmp_path, pages)
        _, most = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert (report.pages, report.findings) == (200_000, [])
    assert most < 15_000_000


def test_the_summary_is_one_line_with_the_counts(tmp_path: Path) -> None:
    report = publish(tmp_path, pages_of({"a/1": None, "a/2": None, "b": None, "404.html": None}), exclude=["b"])
    assert report.summary(0.25) == (
        f"2 pages in 1 section, 1 sitemap listed in {BASE}{INDEX}; "
        "left out: 1 excluded by `b`, 1 shown for errors; all pages have dates; 0.25 s"
    )
    report.undated["not committed to git"] += 2
    report.omitted.clear()
    assert "; 2 without a date; " in report.summary(0.25)


def test_images_are_written_read_back_and_valid(tmp_path: Path, validate: Callable[[bytes], None]) -> None:
    file = tmp_path / "page.html"
    file.write_text('<!doctype html><p>text<img src="a.png">')
    target = Site(url=BASE, directory=str(tmp_path / "site"), settings=Settings(images=True))
    pages = [Page(url=f"{BASE}a/", file=str(file), mapped=True)]
    report = publish_as_given(pages, target)
    assert not report.findings
    ((listed,),) = [sitemap.pages for sitemap in read_back(tmp_path / "site")]
    assert listed.images == (f"{BASE}a/a.png",)
    for content in files_in(tmp_path / "site").values():
        validate(content)


def test_a_page_without_a_date_is_counted_also_where_its_file_calls_it_by_its_other_name(tmp_path: Path) -> None:
    html = '<!doctype html><title>A</title><link rel="canonical" href="{}"><body><p>text'
    pages = []
    for path, canonical in {"a/": "a/index.html", "b/index.html": "b/", "c/": "c/"}.items():
        file = tmp_path / path.removesuffix("index.html") / "index.html"
        file.parent.mkdir()
        file.write_text(html.format(BASE + canonical), encoding="utf-8")
        pages.append(Page(url=BASE + path, file=str(file)))
    why = {page.file: Unknown(Reason.UNTRACKED) for page in pages}
    target = Site(url=BASE, directory=str(tmp_path), settings=Settings())
    report = publish_as_given(pages, target, why=why)
    assert report.undated == {"not committed to git": 3}


@pytest.mark.parametrize("path", ["a" * 40_000, "é" * 10_000, "\U0001f600" * 2_047])
def test_a_page_with_a_url_of_any_length_costs_no_other_page_its_place(tmp_path: Path, path: str) -> None:
    report = publish(tmp_path, [Page(url=BASE + path), Page(url=BASE + "b/")])
    assert report.pages == 1
    assert [finding.check for finding in report.findings if finding.level != "notice"] == ["unlistable-url"]


def test_an_earlier_file_that_cannot_be_removed_is_an_error_of_the_build(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pages = [Page(url=f"{BASE}{name}", lastmod="2026-05-10") for name in ("", "a/1", "a/2")]
    publish(tmp_path, pages)
    really = os.remove

    def remove(path: str) -> None:
        if path == str(tmp_path / "a" / "sitemap.xml"):
            raise PermissionError(errno.EPERM, "Operation not permitted")
        really(path)

    monkeypatch.setattr(os, "remove", remove)
    report = publish(tmp_path, pages[:1])
    assert [(finding.check, finding.where, finding.level) for finding in report.findings] == [
        ("cannot-write", "a/sitemap.xml", "error")
    ]
    assert [listed.url for listed in read_back(tmp_path)] == [f"{BASE}sitemap-root.xml"]
