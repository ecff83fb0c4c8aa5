from dataclasses import replace
from datetime import UTC, datetime

import pytest

from smindex_plugins.checks import readback
from smindex_plugins.checks import registry as checks
from smindex_plugins.checks.survey import Survey
from smindex_plugins.limits import MAX_BYTES, MAX_URLS
from smindex_plugins.model import Details, Finding, IndexEntry, Page, Site, Sitemap, SitemapIndex
from smindex_plugins.sitemaps.listing import Document
from tests.support import faults

BASE = "https://e.org/docs/"
TRIED_ELSEWHERE = {
    *("duplicate-sitemap", "missing-sitemap", "nested-index"),  # in the site of seventeen faults
    *("sitemap-outside-index", "too-many-urls", "robots-relative-sitemap"),
    *("too-large", "too-many-indexes", "too-many-news", "too-many-sitemaps"),  # below
    *("false-date", "unproven-cross-site"),  # with a history, and with a site that does not agree
    "unmatched-pages",  # with a server that maps URLs to files
    *("page-error", "page-unreachable", "sitemap-redirects", "unfetched-sitemap"),  # of live sites
    *("robots-unreachable", "wrong-content-type"),
}
INDEX = SitemapIndex(
    url=BASE + "sitemap_index.xml",
    entries=(IndexEntry(url=BASE + "catalog/sitemap.xml"), IndexEntry(url=BASE + "sitemap-root.xml")),
)
SITEMAP = Sitemap(url=BASE + "catalog/sitemap.xml", pages=(Page(url=BASE + "catalog/"), Page(url=BASE + "catalog/a")))
ROOT = Sitemap(url=BASE + "sitemap-root.xml", pages=(Page(url=BASE), Page(url=BASE + "b/c/")), size=MAX_BYTES)


def found(index: SitemapIndex = INDEX, *sitemaps: Sitemap | Finding) -> list[tuple[str, str]]:
    findings = list(readback.check(Site(index=index, sitemaps=sitemaps or (SITEMAP, ROOT))))
    assert all(finding.level == "error" and finding.problem and finding.fix for finding in findings)
    return [(finding.check, finding.where) for finding in findings]


def test_language_variants_that_were_read_back_are_judged_too() -> None:
    page = Page(
        url=BASE + "catalog/a", details=Details(alternates=(("de", "/docs/catalog/a"), ("en", BASE + "catalog/a")))
    )
    (finding,) = readback.check(Site(index=INDEX, sitemaps=[replace(SITEMAP, pages=(page,))]))
    assert (finding.check, finding.level) == ("relative-hreflang", "warning")


def listing(*urls: str) -> SitemapIndex:
    return replace(INDEX, entries=tuple(IndexEntry(url=url) for url in urls))


def test_a_clean_site_has_no_finding() -> None:
    assert found() == []


def test_a_site_at_every_limit_is_clean() -> None:
    pages = tuple(Page(url=f"{BASE}catalog/{number}") for number in range(MAX_URLS))
    full = replace(SITEMAP, pages=pages, size=MAX_BYTES)
    assert found(listing(*(f"{BASE}{number}.xml" for number in range(MAX_URLS))), full) == []


@pytest.mark.parametrize(
    "url",
    [
        "https://e.org/docs/catalog/../catalog/a",
        "HTTPS://E.ORG:443/docs/%63atalog/a",
    ],
)
def test_a_url_in_another_form_of_the_same_place_is_in_scope(url: str) -> None:
    assert found(INDEX, replace(SITEMAP, pages=(Page(url=url),))) == []


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
    (finding,) = readback.check(Site(index=INDEX, sitemaps=[replace(SITEMAP, pages=(Page(url=url),))]))
    assert (finding.check, finding.where) == ("outside-scope", SITEMAP.url)
    assert url in finding.problem
    assert BASE + "catalog/." in finding.problem


def test_an_idn_host_in_two_spellings_is_one_host() -> None:
    sitemap = Sitemap(url="https://xn--bcher-kva.example/s.xml", pages=(Page(url="https://xn--bcher-kva.example/a"),))
    index = SitemapIndex(url="https://bücher.example/i.xml", entries=(IndexEntry(url=sitemap.url),))
    assert found(index, sitemap) == []


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
    assert found(listing(url)) == [("sitemap-outside-index", INDEX.url)]


@pytest.mark.parametrize("url", ["/docs/catalog/a", "catalog/a", "ftp://e.org/a", "https://u:p@e.org/a", " "])
def test_invalid_url(url: str) -> None:
    assert found(listing(url)) == [("invalid-url", INDEX.url)]
    assert found(INDEX, replace(SITEMAP, pages=(Page(url=url),))) == [("invalid-url", SITEMAP.url)]


def test_duplicate_sitemap() -> None:
    assert found(listing(BASE + "a.xml", BASE + "b.xml", BASE + "a.xml")) == [("duplicate-sitemap", INDEX.url)]


def test_too_many_sitemaps() -> None:
    many = listing(*(f"{BASE}{number}.xml" for number in range(MAX_URLS + 1)))
    assert found(many) == [("too-many-sitemaps", INDEX.url)]


def test_too_many_urls() -> None:
    many = replace(SITEMAP, pages=tuple(Page(url=f"{BASE}catalog/{number}") for number in range(MAX_URLS + 1)))
    assert found(INDEX, many) == [("too-many-urls", SITEMAP.url)]


def test_too_large() -> None:
    assert found(INDEX, replace(SITEMAP, size=MAX_BYTES + 1)) == [("too-large", SITEMAP.url)]


def test_empty_sitemap() -> None:
    assert found(INDEX, replace(SITEMAP, pages=())) == [("empty-sitemap", SITEMAP.url)]


def test_what_could_not_be_read_is_passed_on_and_the_rest_is_judged() -> None:
    unreadable = Finding(check="unreadable-sitemap", level="error", where="x", problem="It is torn.", fix="Mend it.")
    assert found(INDEX, unreadable, replace(ROOT, pages=())) == [
        ("unreadable-sitemap", "x"),
        ("empty-sitemap", ROOT.url),
    ]


def test_a_finding_reads_where_problem_fix_and_check() -> None:
    (finding,) = readback.check(Site(index=INDEX, sitemaps=[replace(SITEMAP, pages=(Page(url=BASE + "images/"),))]))
    assert str(finding) == (
        "https://e.org/docs/catalog/sitemap.xml: lists https://e.org/docs/images/, which is outside "
        "https://e.org/docs/catalog/. List the page in a sitemap of its own directory or above. [outside-scope]"
    )


def test_every_check_says_in_one_sentence_what_must_be_so() -> None:
    for kind in checks.CATALOGUE.values():
        for sentence in (kind.meaning, kind.fix):
            assert sentence.endswith(".")
            assert "\n" not in sentence


def test_every_check_is_tried_with_a_planted_fault() -> None:
    tried = {name for name, _ in faults.PLANTED.values()}
    assert {kind.name for kind in checks.CHECKED.values() if not kind.is_advice} - tried == TRIED_ELSEWHERE


def names(document: Document) -> set[str]:
    return {finding.check for finding in checks.Selection(frozenset(checks.CATALOGUE)).document(document)}


def test_too_many_news() -> None:
    today = datetime.now(UTC).date().isoformat()
    assert names(Document(url=BASE + "n.xml", kind="urlset", count=1, news=[(1, today)] * 1_001)) == {"too-many-news"}


def test_too_many_indexes() -> None:
    survey = Survey()
    for number in range(501):
        survey.add(Document(url=f"{BASE}{number}.xml", kind="sitemapindex"))
    assert [finding.check for finding in checks.Selection().survey(survey)] == ["too-many-indexes"]


def test_advice() -> None:
    full = Document(
        url=BASE + "s.xml", kind="urlset", urls=[BASE + "a" * 1_100], dates=[""], count=46_000, has_xslt=True
    )
    assert names(full) == {"nearly-full", "dead-stylesheet", "url-too-long-for-yandex"}
    one = Document(url=INDEX.url, kind="sitemapindex", urls=[BASE + "s.xml"], dates=[""], count=1)
    assert names(one) == {"index-of-one", "index-not-for-baidu"}
