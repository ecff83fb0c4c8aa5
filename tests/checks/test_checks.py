from datetime import UTC, datetime

import pytest

from smindex_plugins.catalogue import CHECKED
from smindex_plugins.checks import Selection, Site
from smindex_plugins.limits import MAX_BYTES, MAX_URLS
from smindex_plugins.sitemaps.document import Document, Entry
from tests.support import faults
from tests.support.listed import document

BASE = "https://e.org/docs/"
TRIED_ELSEWHERE = {
    *("orphan-page", "unlisted-but-linked"),  # with --links
    "unreadable-directory",  # tests/sites/test_closed.py
    "missing-sitemap",  # in the site of seventeen faults
    *("sitemap-outside-index", "too-many-urls", "robots-relative-sitemap"),
    *("too-large", "too-many-news", "too-many-sitemaps"),  # below
    *("false-date", "uncompared-dates", "unproven-cross-site"),  # with a history, and with a site that does not agree
    "noindex-not-rendered",  # with sources: tests/sites/test_unlisted.py
    *("page-error", "page-unreachable", "sitemap-redirects", "unfetched-sitemap"),  # of live sites
    *("robots-unreachable", "wrong-content-type"),
}
INDEX = BASE + "sitemap_index.xml"
SITEMAP = BASE + "catalog/sitemap.xml"


def listing(*listed: str) -> Document:
    return document("sitemapindex", INDEX, *listed)


def sitemap(*listed: str, url: str = SITEMAP, size: int = 0) -> Document:
    return document("urlset", url, *listed, size=size)


def found(document: Document) -> list[tuple[str, str]]:
    findings = list(Selection().judge(document))
    assert all(finding.level == "error" and finding.problem and finding.fix for finding in findings)
    return [(finding.check, finding.where) for finding in findings]


def test_clean_files_have_no_finding() -> None:
    assert found(listing(SITEMAP, BASE + "sitemap-root.xml")) == []
    assert found(sitemap(BASE + "catalog/", BASE + "catalog/a")) == []
    assert found(sitemap(BASE, BASE + "b/c/", url=BASE + "sitemap-root.xml", size=MAX_BYTES)) == []


def test_files_at_every_limit_are_clean() -> None:
    assert found(sitemap(*(f"{BASE}catalog/{number}" for number in range(MAX_URLS)), size=MAX_BYTES)) == []
    assert found(listing(*(f"{BASE}{number}.xml" for number in range(MAX_URLS)))) == []


@pytest.mark.parametrize(
    "url",
    [
        "https://e.org/docs/catalog/../catalog/a",
        "HTTPS://E.ORG:443/docs/%63atalog/a",
    ],
)
def test_a_url_in_another_form_of_the_same_place_is_in_scope(url: str) -> None:
    assert found(sitemap(url)) == []


@pytest.mark.parametrize(
    "url",
    [
        "https://e.org/docs/",
        "https://e.org/docs/catalog",
        "https://e.org/docs/catalogue/a",
        "https://e.org/docs/catalog/../a",
        "https://e.org/docs/catalog/%2e%2E/a",
        "https://e.org/docs/catalog%2Fa",
        "http://e.org/docs/catalog/a",
        "https://www.f.org/docs/catalog/a",
        "https://e.org:8443/docs/catalog/a",
    ],
)
def test_outside_scope(url: str) -> None:
    (finding,) = Selection().judge(sitemap(url))
    assert (finding.check, finding.where) == ("outside-scope", SITEMAP)
    assert url in finding.problem
    assert BASE + "catalog/." in finding.problem


def test_an_idn_host_in_two_spellings_is_one_host() -> None:
    index = listing("https://xn--bcher-kva.example/s.xml")
    index.url = "https://bücher.example/i.xml"
    assert found(index) == []


@pytest.mark.parametrize(
    "url",
    [
        "https://e.org/sitemap.xml",
        "https://e.org/docs2/sitemap.xml",
        "https://e.org/docs/../sitemap.xml",
        "https://f.org/docs/sitemap.xml",
        "http://e.org/docs/sitemap.xml",
        "https://e.org:8443/docs/sitemap.xml",
    ],
)
def test_sitemap_outside_index(url: str) -> None:
    assert found(listing(url)) == [("sitemap-outside-index", INDEX)]


@pytest.mark.parametrize("url", ["/docs/catalog/a", "catalog/a", "ftp://e.org/a", "https://u:p@e.org/a", " "])
def test_invalid_url(url: str) -> None:
    assert found(listing(url)) == [("invalid-url", INDEX)]
    assert found(sitemap(url)) == [("invalid-url", SITEMAP)]


def test_duplicate_sitemap() -> None:
    assert found(listing(BASE + "a.xml", BASE + "b.xml", BASE + "a.xml")) == [("duplicate-url", INDEX)]


def test_too_many_sitemaps() -> None:
    many = listing(*(f"{BASE}{number}.xml" for number in range(MAX_URLS + 1)))
    assert found(many) == [("too-many-sitemaps", INDEX)]


def test_too_many_urls() -> None:
    many = sitemap(*(f"{BASE}catalog/{number}" for number in range(MAX_URLS + 1)))
    assert found(many) == [("too-many-urls", SITEMAP)]


def test_too_large() -> None:
    assert found(sitemap(BASE + "catalog/", size=MAX_BYTES + 1)) == [("too-large", SITEMAP)]


def test_empty_sitemap() -> None:
    assert found(sitemap()) == [("empty-sitemap", SITEMAP)]


def test_a_finding_reads_where_problem_fix_and_check() -> None:
    (finding,) = Selection().judge(sitemap(BASE + "images/"))
    assert str(finding) == (
        "https://e.org/docs/catalog/sitemap.xml: lists https://e.org/docs/images/, which is outside "
        "https://e.org/docs/catalog/. List the page in a sitemap of its own directory or above. [outside-scope]"
    )


def test_every_check_is_tried_with_a_planted_fault() -> None:
    tried = {name for name, _ in faults.PLANTED.values()}
    assert CHECKED.keys() - tried == TRIED_ELSEWHERE


def names(document: Document) -> set[str]:
    return {finding.check for finding in Selection().judge(document)}


def test_too_many_news() -> None:
    today = datetime.now(UTC).date().isoformat()
    full = sitemap(BASE + "a", url=BASE + "n.xml")
    full.news = [(1, today)] * 1_001
    assert names(full) == {"too-many-news"}


def whole(*documents: Document) -> list[tuple[str, str]]:
    site = Site()
    for each in documents:
        site.add(each)
    return [(finding.check, finding.problem) for finding in Selection().judge(site)]


def test_a_url_listed_again_after_its_twin_is_a_duplicate() -> None:
    a, b = BASE + "a", BASE + "a/"
    found = whole(sitemap(a, b, url=BASE + "s.xml"), sitemap(b, url=BASE + "t.xml"))
    assert found == [
        ("twin-url", f"lists {b}, which differs from {a} only in the trailing slash."),
        ("duplicate-url", f"lists {b}, which {BASE}s.xml already lists."),
    ]


def test_language_variants_are_compared_between_files_and_may_be_listed_twice() -> None:
    def page(name: str, *codes: str) -> Document:
        entry = Entry(BASE + name, BASE + name, alternates=tuple((code, BASE + code) for code in codes))
        return Document(url=f"{BASE}{name}.xml", kind="urlset", entries=[entry])

    assert not whole(page("en", "en", "de"), page("de", "en", "de"))
    assert [check for check, _ in whole(page("en", "en", "de"), page("de", "de"))] == ["hreflang-not-mutual"]
    assert [check for check, _ in whole(page("en", "en", "de"), page("de", "de"), page("de", "en"))] == [
        "duplicate-url"
    ]
