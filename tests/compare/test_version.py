"""A version of a site: a directory, a live site or an earlier report; and what of it can't be
compared.
"""

import gzip
import json
from collections.abc import Callable
from pathlib import Path

import pytest

from smindex_plugins import diff
from smindex_plugins.cli.main import main
from tests.support.planted import index, urlset, write
from tests.support.servers import Server

SITE = "https://e.org/"
Refused = Callable[[str, str], str]


def site(root: Path, *pages: str) -> str:
    """Write a site of two sitemaps, of which one is in a directory."""
    files = {
        "a.xml": urlset(SITE + "always"),
        "guide/sitemap.xml": urlset(*(SITE + "guide/" + page for page in pages)),
    }
    write(root, {**files, "sitemap_index.xml": index(*(SITE + name for name in files))})
    return str(root)


@pytest.fixture
def refused(capsys: pytest.CaptureFixture[str]) -> Refused:
    """Compare what can't be compared, and return why."""

    def compared(old: str, new: str) -> str:
        capsys.readouterr()
        assert main(["diff", old, new]) == 2
        return capsys.readouterr().err

    return compared


def test_a_live_site_is_compared_with_a_directory(server: Server, tmp_path: Path) -> None:
    """What is live has the hash of what was built, in whatever order and form."""
    base = server.base
    server.serve("/sitemap_index.xml", b"\n" + index(base + "s.xml").encode())
    server.serve("/s.xml", urlset(base + "gone", base))
    write(
        tmp_path, {"sitemap_index.xml": index(base + "s.xml"), "s.xml": urlset(base, base + "new")}
    )
    found = diff(base, str(tmp_path))
    assert (found.added, found.removed, found.changed) == ([base + "new"], [base + "gone"], [])
    server.serve("/s.xml", urlset(base + "new", base))
    same = [diff(base, str(tmp_path)), diff(str(tmp_path), base + "sitemap_index.xml")]
    assert not any(same)
    assert same[0].live == same[1].live


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (None, "there is no such file"),
        ("<urlset", "not well-formed XML"),
        ("<!doctype html><p>Not found", "it is an HTML page"),
        ("<!DOCTYPE a><urlset/>", "document type"),
        (
            gzip.compress(urlset(*(SITE + str(number) for number in range(1_000))).encode())[:-100],
            "damaged",
        ),
    ],
    ids=["missing", "cut", "a page", "a document type", "cut gzip"],
)
def test_a_version_with_a_sitemap_that_cannot_be_read_is_not_compared(
    tmp_path: Path, server: Server, refused: Refused, content: str | bytes | None, words: str
) -> None:
    """For its pages would all seem to be removed."""
    whole = site(tmp_path / "whole", "a")
    listed = index(SITE + "a.xml", SITE + "guide/s.xml.gz")
    write(tmp_path / "torn", {"sitemap_index.xml": listed, "a.xml": urlset(SITE + "a")})
    server.serve("/sitemap_index.xml", index(server.base + "s.xml.gz"))
    if content is not None:
        write(tmp_path / "torn", {"guide/s.xml.gz": content})
        server.serve("/s.xml.gz", (tmp_path / "torn/guide/s.xml.gz").read_bytes())
    for old, new in (
        (whole, str(tmp_path / "torn")),
        (str(tmp_path / "torn"), whole),
        (server.base, whole),
    ):
        error = refused(old, new)
        assert "s.xml.gz" in error
        assert words in error


def test_a_version_that_is_not_there_has_a_reason(
    tmp_path: Path, server: Server, refused: Refused
) -> None:
    whole = site(tmp_path / "whole", "a")
    write(tmp_path, {"empty/a.txt": "", "other.json": "{}"})
    server.serve("/503.xml", b"", 503, Retry_After="86400")
    for new, words in (
        (str(tmp_path / "nowhere"), "nowhere: there is no such directory or file"),
        (str(tmp_path / "empty"), "there is no sitemap in it"),
        (str(tmp_path / "other.json"), "it is not a report. Write one with `smindex report"),
        (server.base, "no sitemap has one of the usual names"),
        (server.base + "503.xml", "503"),
    ):
        assert words in refused(whole, new)


def test_what_was_joined_from_the_web_is_compared_on_neither_side_and_named(
    server: Server, tmp_path: Path
) -> None:
    """The directory lists the sitemaps of another build, which only the live site has."""
    base = server.base
    server.serve("/blog/sitemap.xml", urlset(base + "blog/a"))
    write(
        tmp_path / "docs",
        {"sitemap.xml": urlset(base + "docs/a"), "index.html": "<title>A</title>A"},
    )
    assert (
        main(["join", str(tmp_path), "--site-url", base, "--add", base + "blog/sitemap.xml"]) == 0
    )
    for path in ("sitemap_index.xml", "docs/sitemap.xml"):
        server.serve(f"/{path}", (tmp_path / path).read_bytes())
    found = diff(base, str(tmp_path))
    assert not found
    assert [each.partition(" (")[0] for each in found.not_compared] == [f"{base}blog/sitemap.xml"]


def test_a_feed_that_robots_txt_names_is_no_sitemap_and_named(
    server: Server, tmp_path: Path
) -> None:
    base = server.base
    server.serve(
        "/robots.txt", f"Sitemap: {base}feed.xml\nSitemap: {base}s.xml\nSitemap: {base}gone.xml\n"
    )
    server.serve("/feed.xml", "<rss><channel/></rss>")
    server.serve("/s.xml", urlset(base))
    write(tmp_path, {"s.xml": urlset(base)})
    found = diff(base, str(tmp_path / "s.xml"))
    assert not found
    assert found.not_compared == [
        f"{base}{name} (it is not part of {base})" for name in ("feed.xml", "gone.xml")
    ]


def test_an_earlier_report_is_a_version_without_sitemaps_and_variants(tmp_path: Path) -> None:
    old, new, report = (
        site(tmp_path / "old", "a"),
        site(tmp_path / "new", "b"),
        str(tmp_path / "report.json"),
    )
    assert main(["report", old, "-o", report]) == 0
    for one, other, added, removed in ((report, new, "b", "a"), (new, report, "a", "b")):
        found = diff(one, other)
        assert (found.added, found.removed) == (
            [SITE + "guide/" + added],
            [SITE + "guide/" + removed],
        )
        assert not found.sitemaps.changed
        assert [each.partition(" (")[0] for each in found.not_compared] == [
            "sitemaps and language variants, which a report doesn't contain",
            "what happened to removed pages",
        ]
    assert not diff(report, old)


def test_an_invalid_date_is_none_for_every_command(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    dated = f"<loc>{SITE}</loc><lastmod>2026-01-02</lastmod>"
    wrong = f"<loc>{SITE}a</loc><lastmod>yesterday</lastmod>"
    old = write(tmp_path / "old", {"sitemap.xml": urlset(dated, wrong)})
    report = tmp_path / "report.json"
    assert main(["report", str(old), "-o", str(report)]) == 0
    assert json.loads(report.read_bytes())["summary"]["undated"] == 1
    capsys.readouterr()
    main(["check", str(old), "--format", "json"])
    assert json.loads(capsys.readouterr().out)["summary"]["undated"] == 1
    other = wrong.replace("yesterday", "tomorrow")
    new = write(tmp_path / "new", {"sitemap.xml": urlset(dated, other)})
    for version in (str(report), str(old)):
        difference = diff(version, str(new))
        assert not difference
        assert (difference.undated, difference.days) == (1, 1)
