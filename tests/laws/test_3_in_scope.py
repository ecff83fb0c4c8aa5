"""Law 3, in scope by construction.

Every page URL is under the directory of the sitemap that lists it; every sitemap is on the index's
origin, in its directory or below. Anything out of scope is reported with both URLs and not written.
One thing lifts this: the robots.txt of another site that names the index, as sitemaps.org allows.
"""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from smindex_plugins import Page, check
from smindex_plugins.base.urls import normalise
from smindex_plugins.report import Report
from tests.support.listed import BASE, INDEX, OPTIONS, SITES, pages_of, publish, read_back
from tests.support.planted import write


def assert_in_scope(directory: Path, report: Report) -> None:
    for sitemap in read_back(directory, report.index_urls):
        assert sitemap.url.startswith(BASE)
        scope = sitemap.url.rpartition("/")[0] + "/"
        assert [page.url for page in sitemap.pages if not page.url.startswith(scope)] == []


@given(site=SITES, options=OPTIONS)
def test_every_page_is_under_the_directory_of_its_sitemap_and_that_under_the_index(
    tmp_path_factory: pytest.TempPathFactory,
    site: dict[str, str | None],
    options: dict[str, object],
) -> None:
    directory = tmp_path_factory.mktemp("site")
    assert_in_scope(directory, publish(directory, pages_of(site), **options))


OUTSIDE = [
    *(
        "https://e.org/",
        "https://e.org/docs",
        "https://e.org/docs-2/a/",
        "https://e.org/docs/../blog/",
    ),
    *(
        "http://e.org/docs/a/",
        "https://www.e.org/docs/a/",
        "https://e.org:8443/docs/a/",
        "https://f.org/docs/a/",
    ),
]


@given(site=SITES, outside=st.sets(st.sampled_from(OUTSIDE), min_size=1), options=OPTIONS)
def test_a_page_out_of_scope_is_not_listed_and_counted(
    tmp_path_factory: pytest.TempPathFactory,
    site: dict[str, str | None],
    outside: set[str],
    options: dict[str, object],
) -> None:
    directory = tmp_path_factory.mktemp("site")
    report = publish(directory, [*pages_of(site), *(Page(url=url) for url in outside)], **options)
    assert_in_scope(directory, report)
    assert (report.pages, len(report.omitted)) == (len(site), len(outside))


@pytest.mark.parametrize("decided_by", ["canonical", "filter"])
@pytest.mark.parametrize("url", OUTSIDE)
def test_what_is_out_of_scope_is_reported_with_both_urls(
    tmp_path: Path, url: str, decided_by: str
) -> None:
    link = f'<link rel="canonical" href="{url}">' if decided_by == "canonical" else ""
    write(tmp_path, {"index.html": "<p>Text", "a/index.html": f"<!doctype html>{link}<p>Text"})
    pages = [Page(url=BASE + path, file=str(tmp_path / path / "index.html")) for path in ("", "a/")]
    options = (
        {"filter": lambda page: page if page.url == BASE else Page(url=url)}
        if decided_by == "filter"
        else {}
    )
    report = publish(tmp_path, pages, **options)
    assert [page.url for sitemap in read_back(tmp_path) for page in sitemap.pages] == [BASE]
    (finding,) = report.findings
    is_address = decided_by == "canonical" and url in {
        "http://e.org/docs/a/",
        "https://www.e.org/docs/a/",
    }
    assert finding.check == ("contradicted-address" if is_address else "canonical-outside")
    assert {f"{BASE}a/", normalise(url), BASE} <= {
        word.rstrip(".,") for word in finding.problem.split()
    }


OTHER = "https://f.org"
PAGES = (BASE, f"{BASE}guide/a", f"{BASE}guide/b", f"{OTHER}/", f"{OTHER}/de/a", f"{OTHER}/de/b")


@pytest.mark.parametrize(
    ("robots", "agrees"),
    [
        (
            f"User-agent: *\nAllow: /\n\nSitemap: {OTHER}/sitemap.xml\nSitemap: {BASE}{INDEX}\n",
            True,
        ),
        (f"Sitemap: {BASE}sitemap-f.org.xml\n", True),  # the sitemap of its pages
        ("", False),
        (f"Sitemap: {OTHER}/sitemap.xml\n", False),
        (f"# Sitemap: {BASE}{INDEX}\n", False),
        (f"Sitemap: /docs/{INDEX}\n", False),
        (f"Sitemap: http://e.org/docs/{INDEX}\n", False),
        (f"Sitemap: https://e.org/{INDEX}\n", False),
        (f"Sitemap: {BASE}{INDEX}.gz\n", False),
    ],
)
def test_pages_of_another_site_are_listed_apart_if_its_robots_txt_names_the_index(
    tmp_path: Path,
    robots: str,
    agrees: bool,  # noqa: FBT001 - the column of a table
) -> None:
    write(tmp_path, {"f/robots.txt": robots})
    report = publish(
        tmp_path / "site",
        [Page(url=url) for url in PAGES],
        cross_site={OTHER: "f"},
        section_min_pages=2,
    )
    by_origin = [
        {page.url.split("/")[2] for page in each.pages} for each in read_back(tmp_path / "site")
    ]
    if agrees:
        assert report.findings == []
        assert (report.pages, by_origin) == (6, [{"e.org"}, {"f.org"}, {"e.org"}])
    else:
        assert (report.pages, by_origin) == (3, [{"e.org"}, {"e.org"}])
        assert {(each.check, each.level) for each in report.findings} == {
            ("unproven-cross-site", "error"),
            ("canonical-outside", "warning"),
        }
        assert (
            report.findings[0].fix
            == f"Add this line to {OTHER}/robots.txt: `Sitemap: {BASE}{INDEX}`"
        )


def test_the_robots_txt_of_the_site_itself_lifts_no_scope(tmp_path: Path) -> None:
    write(tmp_path, {"e/robots.txt": f"Sitemap: {BASE}{INDEX}\n"})
    pages = [Page(url=BASE), Page(url="https://e.org/blog/")]
    report = publish(tmp_path / "site", pages, cross_site={"https://e.org": "e"})
    assert report.pages == 1
    assert {finding.check for finding in report.findings} == {
        "unproven-cross-site",
        "canonical-outside",
    }


@given(site=SITES, options=OPTIONS)
def test_the_check_finds_nothing_out_of_scope_in_what_a_build_wrote(
    tmp_path_factory: pytest.TempPathFactory,
    site: dict[str, str | None],
    options: dict[str, object],
) -> None:
    directory = tmp_path_factory.mktemp("site")
    report = publish(directory, pages_of(site), **options)
    found = {
        finding.check
        for finding in check(
            str(directory / report.index_urls[0].rpartition("/")[2]), site_url=BASE
        )
    }
    assert found.isdisjoint({"outside-scope", "sitemap-outside-index"})
