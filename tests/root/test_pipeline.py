"""The pipeline from pages to files, where `tests/laws` does not look: limits, what is in the way, what is counted."""

import errno
import os
import tracemalloc
from collections.abc import Callable
from pathlib import Path

import pytest

from smindex_plugins.history import Reason, Unknown
from smindex_plugins.limits import MAX_BYTES
from smindex_plugins.model import Page
from smindex_plugins.settings import Settings, Site
from tests.support.dated import publish_as_given
from tests.support.listed import BASE, INDEX, files_in, pages_of, publish, read_back, read_entries, sitemaps
from tests.support.planted import write

OTHER = "https://f.org"


def test_the_index_has_for_each_sitemap_the_newest_date_of_its_pages(tmp_path: Path) -> None:
    publish(tmp_path, pages_of({"a/1": "2026-05-10T12:00:00Z", "a/2": "2026-05-11", "b/1": None, "b/2": None}))
    entries = read_entries((tmp_path / INDEX).read_bytes())
    assert [(entry.url, entry.lastmod) for entry in entries] == [
        (f"{BASE}a/sitemap.xml", "2026-05-11"),
        (f"{BASE}b/sitemap.xml", None),
    ]


def test_more_sitemaps_than_an_index_may_list_give_several_and_fewer_one_again(tmp_path: Path) -> None:
    pages = pages_of(f"{name}/{part}" for name in "abc" for part in "12")
    publish(tmp_path, pages)
    report = publish(tmp_path, pages, max_urls=2)
    assert report.index_urls == [f"{BASE}sitemap_index-{number}.xml" for number in (1, 2)]
    entries = [
        entry for number in (1, 2) for entry in read_entries((tmp_path / f"sitemap_index-{number}.xml").read_bytes())
    ]
    assert [entry.url for entry in entries] == [f"{BASE}{name}/sitemap.xml" for name in "abc"]
    assert "3 sitemaps listed in 2 indexes, " in report.summary(0)
    (level, steps), *lines = report.messages()
    assert (level, "search engines find all indexes, which one cannot replace" in steps) == ("notice", True)
    assert lines == [("notice", f"Sitemap: {url}") for url in report.index_urls]
    assert not (tmp_path / INDEX).exists()
    publish(tmp_path, pages)
    assert [name for name in files_in(tmp_path) if "index" in name] == [INDEX]


def test_an_index_takes_no_name_that_a_sitemap_has(tmp_path: Path) -> None:
    pages = pages_of(f"{name}/{part}" for name in ("1", "b", "c") for part in "12")
    report = publish(tmp_path, pages, max_urls=2, sitemap_placement="root", index_filename="sitemap.xml")
    assert (report.index_urls, report.findings) == ([f"{BASE}sitemap-2.xml", f"{BASE}sitemap-3.xml"], [])


def test_500_indexes_are_written_and_for_one_more_nothing_changes(tmp_path: Path) -> None:
    report = publish(tmp_path, pages_of(f"page-{number}" for number in range(500)), max_urls=1)
    assert (len(report.index_urls), report.findings) == (500, [])
    before = files_in(tmp_path)
    report = publish(tmp_path, pages_of(f"page-{number}" for number in range(501)), max_urls=1)
    (finding,) = report.findings
    assert (finding.check, "501 indexes to list 501 sitemaps" in finding.problem) == ("too-many-sitemaps", True)
    assert (report.sitemaps, report.changes.written, report.index_urls) == (0, [], [])
    assert files_in(tmp_path) == before


TOO_LARGE = Page(url=f"{BASE}b", images=(BASE + "x" * MAX_BYTES,))


def test_an_entry_larger_than_a_file_may_be_is_left_out_and_named(tmp_path: Path) -> None:
    report = publish(tmp_path, [*pages_of("ac"), TOO_LARGE])
    (finding,) = report.findings
    assert (finding.check, finding.where) == ("entry-too-large", TOO_LARGE.url)
    assert (report.pages, [each.reason for each in report.omitted]) == (2, ["with an entry that is too large"])
    assert [page.url for each in read_back(tmp_path) for page in each.pages] == [f"{BASE}a", f"{BASE}c"]
    report = publish(tmp_path, [TOO_LARGE])
    assert (report.pages, report.sitemaps, files_in(tmp_path)) == (0, 0, {})


@pytest.mark.parametrize("path", ["a" * 40_000, "é" * 10_000, "\U0001f600" * 2_047])
def test_a_page_with_a_url_of_any_length_costs_no_other_page_its_place(tmp_path: Path, path: str) -> None:
    report = publish(tmp_path, [Page(url=BASE + path), Page(url=f"{BASE}b/")])
    assert report.pages == 1
    assert [finding.check for finding in report.findings if finding.level != "notice"] == ["unlistable-url"]


@pytest.mark.parametrize(
    "content",
    [
        "<!doctype html><title>A</title><body>" + "<div>" * 300_000 + "text",
        "<a><b>" * 350_000,
        "<!doctype html><title>A</title>" + "<template>" * 100_000 + "<p>text",
        "<!doctype html><title>A</title><body>text" + "<main><img src=a.png>" * 100_000,
    ],
    ids=lambda content: content[-30:],
)
def test_deep_html_costs_no_other_page_its_place(tmp_path: Path, content: str) -> None:
    write(tmp_path, {"a.html": "<!doctype html><title>A</title><body>text", "b.html": content})
    pages = [Page(url=f"{BASE}{name}.html", file=str(tmp_path / f"{name}.html")) for name in "ab"]
    report = publish(tmp_path, pages, images=True)
    listed = [page.url for sitemap in read_back(tmp_path) for page in sitemap.pages]
    assert f"{BASE}a.html" in listed
    assert len(listed) == report.pages == 2 - len(report.omitted)
    assert not report.findings


def test_without_pages_the_earlier_files_go_and_nothing_new_comes(tmp_path: Path) -> None:
    publish(tmp_path, pages_of(["a/1", "a/2", "b"]))
    report = publish(tmp_path, [])
    assert (report.pages, report.sections, report.sitemaps) == (0, 0, 0)
    assert [finding.check for finding in report.findings] == ["nothing-listed"]
    assert not files_in(tmp_path)


def test_with_gzip_the_sitemaps_are_compressed_and_the_index_is_not(tmp_path: Path) -> None:
    publish(tmp_path, pages_of(["a/1", "a/2", "b"]), gzip=True)
    assert [*files_in(tmp_path)] == ["a/sitemap.xml.gz", "sitemap-root.xml.gz", INDEX]
    assert len(read_back(tmp_path)) == 2


def test_a_missing_output_directory_is_made(tmp_path: Path) -> None:
    assert publish(tmp_path / "nowhere", pages_of("a")).findings == []
    assert (tmp_path / "nowhere" / INDEX).is_file()


def test_an_earlier_file_that_cannot_be_removed_is_an_error_of_the_build(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    publish(tmp_path, pages_of(["", "a/1", "a/2"]))
    really = os.remove

    def remove(path: str) -> None:
        if path == str(tmp_path / "a" / "sitemap.xml"):
            raise PermissionError(errno.EPERM, "Operation not permitted")
        really(path)

    monkeypatch.setattr(os, "remove", remove)
    (finding,) = publish(tmp_path, pages_of([""])).findings
    assert (finding.check, finding.where, finding.level) == ("cannot-write", "a/sitemap.xml", "error")
    assert [each.url for each in read_back(tmp_path)] == [f"{BASE}sitemap-root.xml"]


def test_memory_beyond_the_pages_is_a_few_files_and_not_the_site(tmp_path: Path) -> None:
    """The rendered site has 5 MB; lists of pages, at 8 bytes a page, and a few files of 1 MB are in memory."""
    paths = [f"{number // 5_000}/page-{number:06}/" for number in range(50_000)]
    pages = pages_of(dict.fromkeys(paths, "2026-05-10"))
    tracemalloc.start()
    try:
        report = publish(tmp_path, pages)
        _, most = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert (report.pages, report.findings) == (50_000, [])
    assert most < 4_000_000


def test_images_are_written_read_back_and_valid(tmp_path: Path, validate: Callable[[bytes], None]) -> None:
    write(tmp_path, {"page.html": '<!doctype html><p>text<img src="a.png">'})
    page = Page(url=f"{BASE}a/", file=str(tmp_path / "page.html"), mapped=True)
    assert not publish(tmp_path / "site", [page], images=True).findings
    ((listed,),) = [sitemap.pages for sitemap in read_back(tmp_path / "site")]
    assert listed.images == (f"{BASE}a/a.png",)
    for content in files_in(tmp_path / "site").values():
        validate(content)


def test_a_page_without_a_date_is_counted_also_if_its_file_gives_it_its_other_name(tmp_path: Path) -> None:
    pages = []
    for path, canonical in {"a/": "a/index.html", "b/index.html": "b/", "c/": "c/"}.items():
        file = f"{path.removesuffix('index.html')}index.html"
        write(tmp_path, {file: f'<!doctype html><link rel="canonical" href="{BASE}{canonical}"><body><p>text'})
        pages.append(Page(url=BASE + path, file=str(tmp_path / file)))
    why = {page.file: Unknown(Reason.UNTRACKED) for page in pages}
    report = publish_as_given(pages, Site(url=BASE, directory=str(tmp_path), settings=Settings()), why=why)
    assert report.undated == {"not committed to git": 3}


class TestPatterns:
    """What is no reason to call a pattern unmatched, and what is."""

    def test_the_name_of_a_source_is_known_for_its_page(self, tmp_path: Path) -> None:
        pages = [Page(url=f"{BASE}{name}.html", source_name=f"posts/{n}-{name}.md") for n, name in enumerate("abc")]
        assert [str(finding) for finding in publish(tmp_path, pages, exclude="posts/1-b.md").findings] == [
            "exclude: `posts/1-b.md` matches no page. Did you mean `b.html`? [unmatched-pattern]"
        ]

    def test_a_page_that_is_left_out_for_another_reason_was_matched(self, tmp_path: Path) -> None:
        write(tmp_path, {"noindex.html": '<!doctype html><meta name="robots" content="noindex"><p>text'})
        pages = [
            Page(url=f"{BASE}drafts/a/", unlisted="marked draft"),
            Page(url=f"{BASE}secret/", file=str(tmp_path / "noindex.html"), mapped=True),
            Page(url=f"{BASE}list/2/", number=2),
            *pages_of(["404.html", "", "api/", "api/one/", "guide/a/"]),
        ]
        patterns = ["drafts/", "secret/", "list/2/", "404.html", "api/", "api/one/"]
        sections = [{"name": "a", "urls": ["drafts/"]}, {"name": "b", "urls": ["secret/"]}]
        assert not publish(tmp_path, pages, exclude=patterns, sections=sections, pagination=False).findings

    @pytest.mark.parametrize("pattern", ["search.html", "assets/"])
    def test_what_is_in_the_output_and_of_no_page_may_have_one(self, tmp_path: Path, pattern: str) -> None:
        (tmp_path / "assets").mkdir()
        write(tmp_path, {"search.html": "<title>Search</title>"})
        assert not publish(tmp_path, pages_of([""]), exclude=pattern).findings

    def test_the_directory_of_pages_that_have_other_urls_is_no_excuse(self, tmp_path: Path) -> None:
        write(tmp_path, {"posts/a.html": "<!doctype html><title>A</title><p>text"})
        pages = [Page(url=f"{BASE}a/", file=str(tmp_path / "posts/a.html"), mapped=True), Page(url=BASE)]
        whole, one = publish(tmp_path, pages, exclude=["posts/", "posts/a.html"]).findings
        assert (whole.where, whole.problem) == ("exclude[0]", "`posts/` matches no page.")
        assert (one.where, one.fix) == ("exclude[1]", "Did you mean `a/`?")

    def test_without_any_page_no_pattern_is_blamed(self, tmp_path: Path) -> None:
        assert [finding.check for finding in publish(tmp_path, [], exclude="drafts/").findings] == ["nothing-listed"]

    def test_an_origin_that_is_the_canonical_one_of_a_page_is_matched(self, tmp_path: Path) -> None:
        link = '<!doctype html><link rel="canonical" href="{}"><p>text'
        write(tmp_path, {"robots.txt": f"Sitemap: {BASE}{INDEX}\n", "site/a.html": link.format("https://f.org/a/")})
        write(tmp_path, {"site/b.html": link.format("https://www.g.org/b/")})
        pages = [Page(url=f"{BASE}{name}", file=str(tmp_path / "site" / name)) for name in ("a.html", "b.html")]
        both = dict.fromkeys([OTHER, "https://g.org"], "robots.txt")
        found = publish(tmp_path / "site", [Page(url=BASE), *pages], cross_site=both).findings
        wrong = [each for each in found if each.check == "unmatched-pattern"]
        assert [(each.where, each.problem) for each in wrong] == [
            ("cross_site['https://g.org']", "no page has its canonical URL there.")
        ]


class TestOtherSites:
    """Pages of other sites that agree, each in a sitemap with those of its own."""

    def test_each_site_has_a_sitemap_of_its_own(self, tmp_path: Path) -> None:
        write(tmp_path, {"f/robots.txt": f"Sitemap: {BASE}{INDEX}\n"})
        given = {"https://www.e.org": "f/robots.txt", OTHER: "f", "https://www.f.org:8443/": "f"}
        urls = (BASE, f"{OTHER}/", f"{OTHER}/de/a", "https://www.f.org:8443/x", "https://www.e.org/a")
        report = publish(tmp_path / "site", [Page(url=url) for url in urls], cross_site=given)
        assert (report.findings, report.pages, report.sitemaps) == ([], 5, 4)
        assert f"<loc>{OTHER}/de/a</loc>" in (tmp_path / "site/sitemap-f.org.xml").read_text()
        assert (tmp_path / "site/sitemap-www.f.org-8443.xml").read_text().count("<loc>") == 1
        assert (tmp_path / "site/sitemap-www.e.org.xml").read_text().count("<loc>") == 1

    def test_a_page_with_its_canonical_url_there_is_listed_there(self, tmp_path: Path) -> None:
        """As if each language has a host, and one build makes them all."""
        write(tmp_path, {"f/robots.txt": f"Sitemap: {BASE}{INDEX}\n"})
        html = f'<!doctype html><link rel="canonical" href="{OTHER}/de/a/"><body>A'
        site = write(tmp_path / "site", {"de/a/index.html": html, "index.html": "<!doctype html><body>A"})
        pages = [Page(url=BASE + path, file=str(site / path / "index.html")) for path in ("", "de/a/")]
        for exclude, listed in (([], 2), (["de/"], 1)):
            report = publish(site, pages, cross_site={OTHER: "f"}, exclude=exclude)
            assert (report.findings, report.pages) == ([], listed)
            assert (site / "sitemap-f.org.xml").exists() == (listed == 2)

    def test_one_more_page_of_a_large_one_changes_two_sitemaps_at_most(self, tmp_path: Path) -> None:
        """Also if the other site's URLs are shorter than the address of this one."""
        base = f"{BASE}{'long/' * 9}"
        write(tmp_path, {"f/robots.txt": f"Sitemap: {base}{INDEX}\n"})
        urls = [base, *(f"{OTHER}/{number}" for number in range(1, 40))]
        for more in ([], [f"{OTHER}/0"]):
            pages = [Page(url=url) for url in (*urls, *more)]
            report = publish(tmp_path / "site", pages, base, cross_site={OTHER: "f"}, max_urls=10)
            assert not report.findings
        assert len(report.changes.written) <= 3
        assert len(report.changes.unchanged) > 2
        assert {page.url for each in sitemaps(tmp_path / "site", base) for page in each.pages} == {*urls, f"{OTHER}/0"}
