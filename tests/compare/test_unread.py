"""Pages are lost whichever sitemap lists them, and `--fail-on lost` never passes while one was not
read.
"""

import json
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from smindex_plugins.cli.main import main
from tests.support.command import PAGE, SITE
from tests.support.planted import index, urlset, write
from tests.support.servers import Server

OURS = "<!-- Written by smindex-plugins -->\n<"
Files = Mapping[str, str]
Compared = Callable[..., tuple[int, list[str], str]]


def listing(*names: str) -> str:
    return urlset(*(f"{SITE}{name}/" if name else SITE for name in names))


def pages(*names: str) -> dict[str, str]:
    return {f"{name}/index.html".lstrip("/"): PAGE for name in names}


def ours(*names: str) -> dict[str, str]:
    """Return what this tool wrote for some pages, with these pages."""
    files = {"sitemap_index.xml": index(f"{SITE}s.xml"), "s.xml": listing(*names)}
    marked = {
        name: (
            text.replace("<urlset", f"{OURS}urlset").replace("<sitemapindex", f"{OURS}sitemapindex")
        )
        for name, text in files.items()
    }
    return {**marked, **pages(*names)}


def robots(*names: str) -> dict[str, str]:
    return {"robots.txt": "".join(f"Sitemap: {SITE}{name}\n" for name in names)}


@pytest.fixture
def compared(tmp_path: Path, server: Server, capsys: pytest.CaptureFixture[str]) -> Compared:
    """Compare an old site with a new one, and return the exit code, the lost pages and the error.

    The old or the new one can be live.
    """

    def compare(old: Files, new: Files, *, live: str = "") -> tuple[int, list[str], str]:
        base = server.base if live else SITE
        targets = []
        for name, files in (("old", old), ("new", new)):
            texts = {path: text.replace(SITE, base) for path, text in files.items()}
            if name == live:
                for path, text in texts.items():
                    if path.endswith(".html"):
                        server.page(f"/{path.removesuffix('index.html')}", text)
                    else:
                        server.serve(f"/{path}", text)
                targets.append(base)
            else:
                targets.append(str(write(tmp_path / name, texts)))
        code = main(["diff", *targets, "--site-url", base, "--fail-on", "lost", "--format", "json"])
        printed = capsys.readouterr()
        gone = json.loads(printed.out)["gone"] if printed.out else []
        lost = [each["url"].removeprefix(base) for each in gone if each["fate"] == "lost"]
        return code, lost, printed.err

    return compare


LIVE = pytest.mark.parametrize("live", ["", "old", "new"])


@LIVE
@pytest.mark.parametrize("name", ["sitemap_index.xml", "sitemap-index.xml"])
def test_a_sitemap_with_the_name_of_an_index_does_not_hide_a_lost_page(
    compared: Compared, name: str, live: str
) -> None:
    old = {
        name: listing("blog"),
        "sitemap.xml": listing("", "a", "b"),
        **pages("", "a", "b", "blog"),
    }
    new = {name: listing("blog"), "sitemap.xml": listing("", "a"), **pages("", "a", "blog")}
    assert compared(old, new, live=live)[:2] == (1, ["b/"])


@LIVE
@pytest.mark.parametrize("lines", [["sitemap.xml"], ["sitemap.xml", "sitemap_index.xml"]])
def test_a_stale_sitemap_of_the_generator_does_not_hide_a_lost_page(
    compared: Compared, lines: list[str], live: str
) -> None:
    stale = {"sitemap.xml": listing("", "a", "b", "c"), **robots(*lines)}
    assert compared(
        {**ours("", "a", "b", "c"), **stale}, {**ours("", "a", "b"), **stale}, live=live
    )[:2] == (1, ["c/"])


def test_a_listed_page_without_a_file_is_lost_also_as_the_target_of_a_redirect(
    compared: Compared,
) -> None:
    sitemap = {"sitemap.xml": listing("", "a", "b", "c")}
    old = {**sitemap, **pages("", "a", "b", "c")}
    kept = {"sitemap.xml": listing("", "a", "b"), "_redirects": "/c/ /b/ 301\n"}
    assert compared(old, {**kept, **pages("", "a")})[:2] == (1, ["b/", "c/"])
    moved = {**sitemap, "_redirects": "/b/ /a/ 301\n/c/ / 410\n"}
    assert compared(old, {**moved, **pages("", "a")})[:2] == (0, [])


def test_a_listed_page_is_there_if_another_file_declares_its_url(compared: Compared) -> None:
    """As a server maps it."""
    sitemap = {"sitemap.xml": listing("", "a", "guide/b")}
    declaring = PAGE.replace("<body>", f'<link rel="canonical" href="{SITE}guide/b/"><body>')
    built = {**sitemap, **pages("", "a"), "x.html": declaring}
    assert compared(built, built)[:2] == (0, [])
    same_name = {**sitemap, **pages("", "a"), "content/b.html": PAGE}
    assert compared(same_name, same_name)[:2] == (0, [])


def test_a_page_that_only_a_second_sitemap_listed_is_lost_too(compared: Compared) -> None:
    """Unless it was already missing, as in a sitemap that an earlier build left."""
    new = ours("", "a")
    for name in ("sitemap.xml", "old/sitemap.xml", "de/sitemap.xml"):
        old = {**ours("", "a"), name: listing("", "a", "extra"), **pages("extra")}
        assert compared(old, new)[:2] == (1, ["extra/"])
        old.pop("extra/index.html")
        assert compared(old, new)[0] == 1  # the file of the last comparison is still there


def test_a_left_over_sitemap_of_pages_that_were_missing_before_loses_nothing(
    compared: Compared,
) -> None:
    assert compared({**ours("", "a"), "old/sitemap.xml": listing("x", "y")}, ours("", "a")) == (
        0,
        [],
        "",
    )


@pytest.mark.parametrize("side", ["old", "new"])
@pytest.mark.parametrize(
    ("unread", "named"),
    [
        (
            {
                "sitemap.xml": index(f"{SITE}s.xml", "https://blog.e.net/s.xml"),
                "s.xml": listing("", "a"),
            },
            "blog.e.net",
        ),
        ({"sitemap.xml": index(f"{SITE}s.xml", "gone.xml"), "s.xml": listing("", "a")}, "gone.xml"),
        ({"sitemap.xml": listing("", "a"), **robots("sitemap.xml", "gone.xml")}, "gone.xml"),
        (
            {**ours("", "a"), "sitemap-index.xml": '<urlset xmlns="x"><url><loc>'},
            "sitemap-index.xml",
        ),
        (
            {"feed.xml": "<rss><channel/></rss>", **robots("feed.xml")},
            "none of its sitemaps was read",
        ),
    ],
    ids=[
        "on another host",
        "a relative child",
        "only in robots.txt",
        "torn beside ours",
        "only a feed",
    ],
)
def test_nothing_passes_while_a_sitemap_is_unread_and_it_is_named(
    compared: Compared, unread: Files, named: str, side: str
) -> None:
    good = {"sitemap.xml": listing("", "a"), **pages("", "a")}
    bad = {**unread, **pages("", "a")}
    code, lost, error = compared(bad, good) if side == "old" else compared(good, bad)
    assert (code, lost) == (2, [])
    assert named in error


@pytest.mark.parametrize("text", [PAGE, "<sitemap-page/>"])
def test_another_file_with_the_name_of_a_sitemap_is_none(compared: Compared, text: str) -> None:
    site = {**ours("", "a"), "sitemap.xml": text}
    assert compared(site, site) == (0, [], "")


def test_a_lost_page_counts_more_than_an_unread_sitemap(compared: Compared) -> None:
    old = {"sitemap.xml": listing("", "a"), **pages("", "a"), **robots("sitemap.xml", "gone.xml")}
    assert compared(old, {"sitemap.xml": listing(""), **pages("")})[:2] == (1, ["a/"])


def test_an_error_at_a_usual_name_of_a_live_site_is_a_sitemap_that_was_not_read(
    compared: Compared, server: Server
) -> None:
    site = {"sitemap.xml": listing("", "a"), **pages("", "a")}
    assert compared(site, site, live="old") == (0, [], "")
    server.serve("/sitemap_index.xml", b"", 500)
    code, lost, error = compared(site, site, live="old")
    assert (code, lost) == (2, [])
    assert "sitemap_index.xml (the server answers with 500)" in error


def test_a_report_that_was_made_without_a_sitemap_does_not_pass(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    site = {
        "sitemap.xml": index(f"{SITE}s.xml", f"{SITE}gone.xml"),
        "s.xml": listing(""),
        **pages(""),
    }
    old, report = write(tmp_path / "old", site), str(tmp_path / "report.json")
    new = write(tmp_path / "new", {"sitemap.xml": listing(""), **pages("")})
    assert main(["report", str(old), "-o", report]) == 0
    assert main(["diff", report, str(new), "--fail-on", "lost"]) == 2
    assert "1 file that can't be read" in capsys.readouterr().err
