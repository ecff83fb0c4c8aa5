"""Law 1, complete and exclusive: every published page is in exactly one section sitemap; the counts
add up.

A page that is not listed is counted, with the reason. So pages and omissions together are always
all that was built.
"""

import gzip
from collections.abc import Callable
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from smindex_plugins import Host, Page, Settings, Site
from smindex_plugins.build import publish as publish_with_dates
from tests.support.listed import BASE, OPTIONS, SITES, files_in, pages_of, publish, read_back
from tests.support.planted import write

HTML = "<!doctype html><title>A</title>{}<p>Text"


@given(site=SITES, options=OPTIONS)
def test_what_is_read_back_is_what_was_given_each_page_once(
    tmp_path_factory: pytest.TempPathFactory,
    validate: Callable[[bytes], None],
    site: dict[str, str | None],
    options: dict[str, object],
) -> None:
    directory = tmp_path_factory.mktemp("site")
    report = publish(directory, pages_of(site), **options)
    sitemaps = read_back(directory, report.index_urls)
    listed = [(page.url, page.lastmod) for sitemap in sitemaps for page in sitemap.pages]
    assert sorted(listed) == sorted((page.url, page.lastmod) for page in pages_of(site))
    assert (report.pages, report.sitemaps) == (len(site), len(sitemaps))
    assert len(files_in(directory)) == len(sitemaps) + len(report.index_urls)
    for path, content in files_in(directory).items():
        validate(gzip.decompress(content) if path.endswith(".gz") else content)
    # Not every site has pages for the sections that it is given.
    assert {finding.check for finding in report.findings} <= {"unmatched-pattern"}


KINDS = [
    ("a/", "", "", None),
    ("guide/b/", f'<link rel="canonical" href="{BASE}guide/b/">', "", None),
    ("guide/c/", "", "", None),
    ("noindex/", '<meta name="robots" content="noindex">', "", "marked noindex"),
    (
        "moved/",
        '<meta http-equiv="refresh" content="0; url=/docs/a/">',
        "",
        "redirecting elsewhere",
    ),
    (
        "guide/copy/",
        f'<link rel="canonical" href="{BASE}guide/b/">',
        "",
        "with another canonical URL",
    ),
    ("theirs/", '<link rel="canonical" href="https://f.org/">', "", "with another canonical URL"),
    ("draft/", "", "marked draft", "marked draft"),
    ("drafts/d/", "", "", "excluded by the settings"),
    ("404.html", "", "", "an error page"),
]
"""Pages by their paths: what is in the head, what their source says, and why they are then not
listed."""
STRAYS = ["coverage/index.html", "old.html", "guide/stray.htm"]


@given(st.sets(st.sampled_from(KINDS)), st.sets(st.sampled_from(STRAYS)))
def test_pages_and_omissions_are_all_html_files_of_a_build(
    tmp_path_factory: pytest.TempPathFactory,
    given: set[tuple[str, str, str, str | None]],
    strays: set[str],
) -> None:
    directory, pages = tmp_path_factory.mktemp("site"), list[Page]()
    write(directory, dict.fromkeys(strays, HTML))
    for path, head, unlisted, _ in given:
        file = path if path.endswith(".html") else f"{path}index.html"
        write(directory, {file: HTML.format(head)})
        pages.append(
            Page(
                url=BASE + path, file=str(directory / file), lastmod="2026-05-10", unlisted=unlisted
            )
        )
    site = Site(url=BASE, directory=str(directory), settings=Settings(exclude=("drafts/",)))
    report = publish_with_dates(pages, site, Host(others=()))
    listed = [
        page.url for sitemap in read_back(directory, report.index_urls) for page in sitemap.pages
    ]
    assert sorted(listed) == sorted(BASE + path for path, _, _, reason in given if reason is None)
    expected = [
        *(reason for *_, reason in given if reason),
        *["not produced by any page"] * len(strays),
    ]
    assert sorted(str(each.reason) for each in report.omitted) == sorted(expected)
    assert all(str(each) for each in report.omitted)
    assert len(listed) + len(report.omitted) == len([*directory.rglob("*.htm*")])


PATHS = ("", "blog/a/", "blog/b/", "guide/a/", "guide/b/")
ANSWERS = st.sampled_from(
    [
        *("same", None, "raise", 42),
        *({"lastmod": "2020-02-02"}, {"lastmod": None}, {"lastmod": "2099-01-01"}, {"lastmod": 3}),
        *(
            {"url": f"{BASE}blog/a/"},
            {"url": f"{BASE}new page/"},
            {"url": "https://f.org/"},
            {"url": "ftp://e.org/"},
        ),
        {"file": "x"},
    ]
)


@given(st.lists(ANSWERS, min_size=len(PATHS), max_size=len(PATHS)))
def test_whatever_the_users_filter_returns_each_page_is_listed_once_or_counted(
    tmp_path_factory: pytest.TempPathFactory, answers: list[object]
) -> None:
    directory = tmp_path_factory.mktemp("site")
    by_url = dict(zip((BASE + path for path in PATHS), answers, strict=True))

    def answer(page: Page) -> object:
        given = by_url[page.url]
        if given == "raise":
            raise RuntimeError
        return (
            page
            if given == "same"
            else replace(page, **given)
            if isinstance(given, dict)
            else given
        )

    report = publish(directory, pages_of(dict.fromkeys(PATHS, "2026-01-01")), filter=answer)
    listed = [page for sitemap in read_back(directory, report.index_urls) for page in sitemap.pages]
    assert len(listed) + len(report.omitted) == len(PATHS)
    assert len({page.url for page in listed}) == len(listed) == report.pages
    assert {page.lastmod for page in listed} <= {"2026-01-01", "2020-02-02", None}
