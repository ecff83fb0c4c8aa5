"""The pipeline from pages to files, where `tests/laws` does not look: limits, what is in the way,
what is counted.
"""

import tracemalloc
from pathlib import Path

from smindex_plugins.base import urls
from smindex_plugins.base.dates import utc
from smindex_plugins.base.limits import MAX_BYTES
from smindex_plugins.base.model import Page
from smindex_plugins.base.proof import NoDate, Unknown
from smindex_plugins.base.site import Site
from smindex_plugins.build import publish as publish_with_dates
from tests.support.history import Repo, day, publish_as_given
from tests.support.listed import BASE, INDEX, files_in, pages_of, publish, read_back, read_entries
from tests.support.planted import write

OTHER = "https://f.org"


def test_a_sitemap_has_in_the_index_the_date_of_its_newest_page_or_removal(
    tmp_path: Path, repo: Repo
) -> None:
    pages = [
        Page(url=f"{BASE}{name}", sources=(repo.file(f"{name}.md"),))
        for name in ("a/1", "a/2", "b/1", "b/2")
    ]
    repo.commit(1, {"a/1.md": "1", "b/1.md": "1", "b/2.md": "1", "b/3.md": "1"})
    repo.commit(2, {"a/2.md": "2"})
    repo.commit(3, {"b/3.md": None})
    assert not publish_with_dates(pages, Site(url=BASE, directory=str(tmp_path))).findings
    entries = read_entries((tmp_path / INDEX).read_bytes())
    assert [entry.lastmod for entry in entries] == [utc(day(2)), utc(day(3))]


def test_more_sitemaps_than_an_index_may_list_give_several_and_fewer_one_again(
    tmp_path: Path,
) -> None:
    pages = pages_of(f"{name}/{part}" for name in "abc" for part in "12")
    report = publish(tmp_path, pages, max_urls=2)
    assert report.index_urls == [f"{BASE}sitemap_index-{number}.xml" for number in (1, 2)]
    listed = [each.url for each in read_back(tmp_path, report.index_urls)]
    assert listed == [f"{BASE}{name}/sitemap.xml" for name in "abc"]
    assert "3 sitemaps listed in 2 indexes, " in report.summary(0)
    assert "search engines find all indexes" in report.next_steps
    publish(tmp_path, pages)
    assert [name for name in files_in(tmp_path) if "index" in name] == [INDEX]


def test_500_indexes_are_written_and_for_one_more_nothing_changes(tmp_path: Path) -> None:
    report = publish(tmp_path, pages_of(f"page-{number}" for number in range(500)), max_urls=1)
    assert (len(report.index_urls), report.findings) == (500, [])
    before = files_in(tmp_path)
    report = publish(tmp_path, pages_of(f"page-{number}" for number in range(501)), max_urls=1)
    (finding,) = report.findings
    assert (finding.check, finding.where) == ("too-many-sitemaps", INDEX)
    assert (
        finding.problem
        == "it would take 501 indexes to list 501 sitemaps; search engines accept 500."
    )
    assert finding.fix.startswith("Nothing was written. ")
    assert (report.sitemaps, report.changes.written, report.index_urls) == (0, [], [])
    assert files_in(tmp_path) == before


def test_an_entry_larger_than_a_file_may_be_is_left_out_and_named(tmp_path: Path) -> None:
    large = Page(url=f"{BASE}b", images=(BASE + "x" * MAX_BYTES,))
    for others in (pages_of("ac"), []):
        report = publish(tmp_path, [*others, large])
        assert [(each.check, each.where) for each in report.findings] == [
            ("entry-too-large", large.url)
        ]
        assert [each.reason for each in report.omitted] == ["with an entry that is too large"]
        listed = [
            page.url for each in read_back(tmp_path, report.index_urls) for page in each.pages
        ]
        assert (listed, report.pages) == ([page.url for page in others], len(others))
    assert files_in(tmp_path) == {}


def test_deep_html_costs_no_other_page_its_place(tmp_path: Path) -> None:
    write(
        tmp_path,
        {"a.html": "<!doctype html><title>A</title><body>text", "b.html": "<a><b>" * 350_000},
    )
    pages = [Page(url=f"{BASE}{name}.html", file=str(tmp_path / f"{name}.html")) for name in "ab"]
    report = publish(tmp_path, pages, images=True)
    listed = [page.url for sitemap in read_back(tmp_path) for page in sitemap.pages]
    assert f"{BASE}a.html" in listed
    assert len(listed) == report.pages == 2 - len(report.omitted)
    assert not report.findings


def test_memory_beyond_the_pages_is_a_few_files_and_not_the_site(tmp_path: Path) -> None:
    """The rendered site has 5 MB; lists of pages, at 8 bytes a page, and a few files of 1 MB are in
    memory.
    """
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


def test_a_page_without_a_date_is_counted_also_if_its_file_gives_it_its_other_name(
    tmp_path: Path,
) -> None:
    pages = []
    why = {}
    for path, canonical in {"a/": "a/index.html", "b/index.html": "b/"}.items():
        file = f"{path[0]}.html"
        write(
            tmp_path,
            {file: f'<!doctype html><link rel="canonical" href="{BASE}{canonical}"><body><p>text'},
        )
        pages.append(Page(url=BASE + path, file=str(tmp_path / file)))
        why[str(tmp_path / file)] = Unknown(NoDate.UNTRACKED)
    report = publish_as_given(pages, Site(url=BASE, directory=str(tmp_path)), why=why)
    assert report.undated == {"not committed to git": 2}


class TestPatterns:
    """What is no reason to call a pattern unmatched, and what is. Law 7 has the options."""

    def test_the_name_of_a_source_is_known_for_its_page(self, tmp_path: Path) -> None:
        pages = [
            Page(url=f"{BASE}{name}.html", source_name=f"posts/{n}-{name}.md")
            for n, name in enumerate("abc")
        ]
        assert [
            str(finding) for finding in publish(tmp_path, pages, exclude="posts/1-b.md").findings
        ] == ["exclude: `posts/1-b.md` matches no page. Did you mean `b.html`? [unmatched-pattern]"]

    def test_a_page_that_is_left_out_for_another_reason_was_matched(self, tmp_path: Path) -> None:
        pages = [
            Page(url=f"{BASE}drafts/a/", unlisted="marked draft"),
            Page(url=f"{BASE}list/2/", number=2),
            *pages_of(["404.html", "", "api/", "api/one/"]),
        ]
        patterns = ["drafts/", "list/2/", "404.html", "api/", "api/one/"]
        sections = [{"name": "a", "urls": ["drafts/"]}]
        assert not publish(
            tmp_path, pages, exclude=patterns, sections=sections, pagination=False
        ).findings

    def test_what_is_in_the_output_may_have_one_unless_its_pages_have_other_urls(
        self, tmp_path: Path
    ) -> None:
        html = "<!doctype html><title>A</title><p>text"
        write(tmp_path, {"search.html": html, "assets/a.css": "", "posts/a.html": html})
        pages = [
            Page(url=f"{BASE}a/", file=str(tmp_path / "posts/a.html"), mapped=True),
            Page(url=BASE),
        ]
        exclude = ["search.html", "assets/", "posts/", "posts/a.html"]
        whole, one = publish(tmp_path, pages, exclude=exclude).findings
        assert (whole.where, whole.problem) == ("exclude[2]", "`posts/` matches no page.")
        assert (one.where, one.fix) == ("exclude[3]", "Did you mean `a/`?")

    def test_without_any_page_no_pattern_is_blamed(self, tmp_path: Path) -> None:
        assert [finding.check for finding in publish(tmp_path, [], exclude="drafts/").findings] == [
            "nothing-listed"
        ]

    def test_an_origin_that_is_the_canonical_one_of_a_page_is_matched(self, tmp_path: Path) -> None:
        html = f'<!doctype html><link rel="canonical" href="{OTHER}/a/"><p>text'
        write(tmp_path, {"robots.txt": f"Sitemap: {BASE}{INDEX}\n", "site/a.html": html})
        pages = [Page(url=BASE), Page(url=f"{BASE}a.html", file=str(tmp_path / "site/a.html"))]
        both = dict.fromkeys([OTHER, "https://g.org"], "robots.txt")
        assert [
            (each.where, each.problem)
            for each in publish(tmp_path / "site", pages, cross_site=both).findings
        ] == [("cross_site['https://g.org']", "no page has its canonical URL there.")]


class TestOtherSites:
    """Pages of other sites that agree, each in a sitemap with those of its own."""

    def test_a_page_with_its_canonical_url_there_is_listed_there(self, tmp_path: Path) -> None:
        """As if each language has a host, and one build makes them all."""
        write(tmp_path, {"f/robots.txt": f"Sitemap: {BASE}{INDEX}\n"})
        html = f'<!doctype html><link rel="canonical" href="{OTHER}/de/a/"><body>A'
        site = write(
            tmp_path / "site", {"de/a/index.html": html, "index.html": "<!doctype html><body>A"}
        )
        pages = [
            Page(url=BASE + path, file=str(site / path / "index.html")) for path in ("", "de/a/")
        ]
        for exclude, origins in (([], [OTHER, "https://e.org"]), (["de/"], ["https://e.org"])):
            assert publish(site, pages, cross_site={OTHER: "f"}, exclude=exclude).findings == []
            assert [
                urls.origin(page.url) for each in read_back(site) for page in each.pages
            ] == origins
