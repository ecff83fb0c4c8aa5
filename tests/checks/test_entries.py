"""Rules for single entries: where their URLs may lead, and what each message advises."""

from pathlib import Path
from typing import Literal

import pytest

from smindex_plugins.checks.table import Selection
from tests.support.command import SITE, findings
from tests.support.listed import checked, document
from tests.support.planted import index, urlset, write
from tests.support.servers import Server

BASE = "https://e.org/docs/"
INDEX, SITEMAP = BASE + "sitemap_index.xml", BASE + "catalog/sitemap.xml"


def found(kind: Literal["urlset", "sitemapindex"], url: str) -> list[str]:
    """Judge an entry of the index, or of a sitemap below it."""
    listing = document(kind, SITEMAP if kind == "urlset" else INDEX, url)
    return [finding.check for finding in Selection().judge(checked(listing))]


@pytest.mark.parametrize(
    ("path", "is_inside"),
    [
        ("https://e.org/docs/catalog/", True),
        ("https://e.org/docs/catalog/../catalog/a", True),
        ("HTTPS://E.ORG:443/docs/%63atalog/a", True),
        ("https://e.org/docs/", False),
        ("https://e.org/docs/catalog", False),
        ("https://e.org/docs/catalogue/a", False),
        ("https://e.org/docs/catalog/%2e%2E/a", False),
        ("https://e.org/docs/catalog%2Fa", False),
        ("http://e.org/docs/catalog/a", False),
        ("https://www.f.org/docs/catalog/a", False),
        ("https://e.org:8443/docs/catalog/a", False),
    ],
)
def test_a_page_is_below_the_directory_of_its_sitemap(path: str, *, is_inside: bool) -> None:
    assert found("urlset", path) == ([] if is_inside else ["outside-scope"])


@pytest.mark.parametrize(
    ("url", "is_inside"),
    [
        (SITEMAP, True),
        ("https://e.org/docs2/sitemap.xml", False),
        ("https://e.org/docs/../sitemap.xml", False),
        ("https://f.org/docs/sitemap.xml", False),
        ("http://e.org/docs/sitemap.xml", False),
    ],
)
def test_a_sitemap_is_below_the_directory_of_its_index(url: str, *, is_inside: bool) -> None:
    assert found("sitemapindex", url) == ([] if is_inside else ["sitemap-outside-index"])


def test_an_international_host_in_two_spellings_is_one_host() -> None:
    index_of_both = document(
        "sitemapindex", "https://bücher.example/i.xml", "https://xn--bcher-kva.example/s.xml"
    )
    assert not list(Selection().judge(checked(index_of_both)))


@pytest.mark.parametrize(
    "url", ["/docs/catalog/a", "catalog/a", "ftp://e.org/a", "https://u:p@e.org/a", " "]
)
def test_a_url_is_absolute_and_of_the_web(url: str) -> None:
    assert found("sitemapindex", url) == found("urlset", url) == ["invalid-url"]


def fixes(capsys: pytest.CaptureFixture[str], *arguments: str) -> dict[str, str]:
    return {each["check"]: each["fix"] for each in findings(capsys, *arguments)}


@pytest.mark.parametrize(
    ("url", "fix"),
    [
        (SITE + "b/", "List the page in a sitemap in its own directory or above."),
        ("http://e.org/a/b/", "Start the URL with https://e.org, the address of the file itself. "),
        (
            "https://other.net/b/",
            (
                "List it in a sitemap at https://other.net, or list the index in"
                " https://other.net/robots.txt"
            ),
        ),
    ],
)
def test_the_fix_of_a_page_outside_depends_on_where_it_is(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], url: str, fix: str
) -> None:
    write(tmp_path, {"sitemap_index.xml": index(SITE + "a/s.xml"), "a/s.xml": urlset(url)})
    advice = fixes(capsys, str(tmp_path), "--site-url", SITE)["outside-scope"]
    assert advice.startswith(fix)
    assert ("--cross-site https://other.net" in advice) == ("other" in url)


def test_on_a_live_site_no_option_is_advised_that_it_does_not_take(
    server: Server, capsys: pytest.CaptureFixture[str]
) -> None:
    server.serve("/sitemap.xml", urlset("http://other.invalid/b/"))
    assert "--" not in fixes(capsys, server.base)["outside-scope"]


def test_a_robots_txt_without_the_sitemap_gets_its_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write(
        tmp_path,
        {
            "sitemap_index.xml": index(SITE + "s.xml"),
            "s.xml": urlset(SITE),
            "robots.txt": "Allow: /\n",
        },
    )
    advice = fixes(capsys, str(tmp_path), "--site-url", SITE)["robots-without-sitemap"]
    assert advice == f"Add `Sitemap: {SITE}sitemap_index.xml`."


def test_an_element_without_its_namespace_is_told_which(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    image = f"<loc>{SITE}</loc><image xmlns='http://wrong.example'><loc>{SITE}a.png</loc></image>"
    write(tmp_path, {"sitemap.xml": urlset(image)})
    advice = fixes(capsys, str(tmp_path), "--site-url", SITE)["wrong-namespace"]
    assert 'xmlns:image="http://www.google.com/schemas/sitemap-image/1.1"' in advice


def test_dates_that_stand_for_none_are_one_finding_for_each_file(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    zeros = ("1970-01-01T01:00:00+01:00", "0001-01-01T00:00:00+05:00", "1969-12-31", "2024-05-01")
    listed = (
        f"<loc>{SITE}p{number}</loc><lastmod>{date}</lastmod>" for number, date in enumerate(zeros)
    )
    in_index = f"<loc>{SITE}s.xml</loc><lastmod>0001-01-01T00:00:00Z</lastmod>"
    write(tmp_path, {"sitemap_index.xml": index(in_index), "s.xml": urlset(*listed)})
    found = findings(capsys, str(tmp_path), "--site-url", SITE, code=0)
    assert [(each["check"], each["where"], each["problem"]) for each in found] == [
        (
            "zero-date",
            "sitemap_index.xml, line 3",
            f"lists {SITE}s.xml with the date 0001-01-01T00:00:00Z.",
        ),
        (
            "zero-date",
            "s.xml, line 3",
            f"3 of its 4 dates stand for no date, such as {zeros[0]} for {SITE}p0.",
        ),
    ]
