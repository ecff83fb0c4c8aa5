"""What was just written is read back, and judged as `smindex check` judges it."""

import gzip
from pathlib import Path

import pytest

from smindex_plugins.checks import check_written
from tests.support.command import SITE
from tests.support.planted import index, urlset, write

INDEX = "sitemap_index.xml"
GOOD = urlset(SITE + "a/b")


def found(directory: Path) -> list[tuple[str, str]]:
    return [(finding.check, finding.where) for finding in check_written(str(directory), SITE, INDEX)]


def test_a_sound_site_has_no_finding(tmp_path: Path) -> None:
    write(tmp_path, {INDEX: index(SITE + "s.xml", SITE + "a/s.xml.gz"), "s.xml": GOOD})
    write(tmp_path, {"a/s.xml.gz": gzip.compress(GOOD.encode())})
    assert found(tmp_path) == []


@pytest.mark.parametrize(
    ("path", "content", "check", "where"),
    [
        ("a/s.xml", None, "missing-sitemap", INDEX),
        ("a/s.xml", b"", "unreadable-sitemap", "a/s.xml"),
        ("a/s.xml", b"<html/>", "unsupported-format", "a/s.xml"),
        ("a/s.xml", index(SITE + "b").encode(), "nested-index", INDEX),
        ("a/s.xml", urlset().encode(), "empty-sitemap", "a/s.xml"),
        ("a/s.xml", urlset(SITE + "b").encode(), "outside-scope", "a/s.xml"),
        ("a/s.xml.gz", GOOD.encode(), "compression-error", "a/s.xml.gz"),
        ("a/s.xml.gz", gzip.compress(GOOD.encode())[:-9], "compression-error", "a/s.xml.gz"),
    ],
)
def test_whatever_is_wrong_with_a_file_is_a_finding_and_the_next_is_judged_too(
    tmp_path: Path, path: str, content: bytes | None, check: str, where: str
) -> None:
    write(tmp_path, {INDEX: index(SITE + path, SITE + "z.xml"), "z.xml": urlset()})
    if content is not None:
        write(tmp_path, {path: content})
    assert found(tmp_path) == [(check, SITE + where), ("empty-sitemap", SITE + "z.xml")]


def test_language_variants_are_judged_too(tmp_path: Path) -> None:
    link = '<xhtml:link rel="alternate" hreflang="{}" href="{}"/>'
    entry = f"<loc>{SITE}a</loc>{link.format('de', '/a')}{link.format('en', SITE + 'a')}"
    write(tmp_path, {INDEX: index(SITE + "s.xml"), "s.xml": urlset(entry)})
    assert found(tmp_path) == [("relative-hreflang", SITE + "s.xml")]


def test_a_sitemap_in_the_place_of_the_index_is_a_finding(tmp_path: Path) -> None:
    write(tmp_path, {INDEX: GOOD})
    assert found(tmp_path) == [("unreadable-sitemap", SITE + INDEX)]


def test_an_index_that_is_not_there_is_a_finding(tmp_path: Path) -> None:
    assert found(tmp_path) == [("unreadable-sitemap", SITE + INDEX)]
