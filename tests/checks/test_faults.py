"""Every planted fault is found, and named rightly."""

from collections import Counter
from pathlib import Path

import pytest

from tests.support.command import SITE, findings
from tests.support.faults import PLANTED, listing
from tests.support.planted import ROOT, SEVENTEEN, index, urlset, write


def test_all_seventeen(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(tmp_path, SEVENTEEN)
    found = findings(capsys, str(tmp_path), "--site-url", ROOT, code=1)
    counts = Counter(finding["check"] for finding in found)
    # One robots.txt holds two of the faults; a page under a forbidden directory is forbidden each time it is listed.
    assert counts.pop("robots-blocks-page") == 7
    assert counts.pop("robots-blocks-sitemap") == 1
    assert counts == {
        "sitemap-outside-index": 2,
        "nested-index": 1,
        "missing-sitemap": 1,
        "invalid-date": 2,
        "empty-sitemap": 1,
        "too-many-urls": 1,
        "duplicate-url": 2,
        "twin-url": 1,
        "outside-scope": 2,
        "invalid-url": 1,
        "url-too-long": 1,
        "unescaped-url": 1,
        "robots-relative-sitemap": 1,
    }


@pytest.mark.parametrize("fault", PLANTED)
def test_a_planted_fault_is_found_and_named(tmp_path: Path, capsys: pytest.CaptureFixture[str], fault: str) -> None:
    name, files = PLANTED[fault]
    write(tmp_path, files)
    found = findings(capsys, str(tmp_path), "--site-url", ADDRESSES.get(fault, SITE))
    consequences = ALSO.get(fault, set())
    assert {finding["check"] for finding in found} == {name} | consequences


ADDRESSES = {"a build for development": "http://localhost:4000/"}
ALSO = {
    # What else is true of a site in which one thing is wrong.
    "a url in an index": {"empty-sitemap"},
    "Latin-1 bytes": {"unescaped-url"},
    "a changefreq in capitals": {"ignored-hints"},
    "a priority over 1": {"ignored-hints"},
    "old news": {"missing-tag"},
    "a relative variant": {"hreflang-without-self"},
}


def test_nothing_allows_an_index_to_list_what_is_above_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(tmp_path, {"a/sitemap_index.xml": index(SITE + "s.xml"), "s.xml": urlset(SITE + "a/b")})
    (finding,) = findings(capsys, str(tmp_path), "--site-url", SITE, "--index-filename", "a/sitemap_index.xml", code=1)
    assert finding["check"] == "sitemap-outside-index"


@pytest.mark.parametrize("url", [SITE + "web/https://f.org/b", SITE + "?to=//c", SITE + "?a=1&amp;b=2;c"])
def test_a_url_that_only_looks_wrong_is_right(tmp_path: Path, capsys: pytest.CaptureFixture[str], url: str) -> None:
    write(tmp_path, listing(url))
    assert not findings(capsys, str(tmp_path), "--site-url", SITE)
