"""Situations in which `smindex check` finds something, for the manual: sites, and servers of sites."""

import gzip
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest

from smindex_plugins.checks import Site
from smindex_plugins.limits import MAX_BYTES
from smindex_plugins.model import Spot
from smindex_plugins.sitemaps import Document, Entry
from tests.support.command import PAGE, SITE
from tests.support.faults import PLANTED
from tests.support.gitrepo import Repo
from tests.support.listed import document
from tests.support.planted import index, urlset
from tests.support.server import Server, serving
from tests.support.situations import Files, Messages, Situation, judged, run

CHECK = f"check site --site-url {SITE}"
SITEMAP = SITE + "sitemap.xml"


def site(files: Files) -> dict[str, str | bytes]:
    return {f"site/{name}": content for name, content in files.items()}


def planted(fault: str, arguments: str = CHECK) -> Messages:
    return run(arguments, site(PLANTED[fault][1]))


def urls(count: int) -> Document:
    return document("urlset", SITEMAP, *(f"{SITE}{number}" for number in range(count)))


def sitemaps(count: int) -> Document:
    return document("sitemapindex", f"{SITE}sitemap_index.xml", *(f"{SITE}{number}.xml" for number in range(count)))


def articles(count: int) -> Document:
    today = datetime.now(UTC).date().isoformat()
    return Document(
        url=f"{SITE}sitemap-news.xml", kind="urlset", entries=[Entry(SITE, SITE)], news=[(1, today)] * count
    )


def compared(source: str) -> Messages:
    """Return what compares the date of one page with the history of a repository."""
    pages = {"sitemap.xml": urlset(f"<loc>{SITE}guide/</loc><lastmod>2024-05-01</lastmod>"), "guide/index.html": PAGE}

    def prepare(root: Path) -> None:
        Repo.create(root / "sources").commit(3, {source: "The guide"})

    return run(f"{CHECK} --sources sources", site(pages), prepare)


def live(arguments: str, *changes: Callable[[Server], object]) -> Messages:
    """Return what checks a server on this machine, shown with the address of an example."""

    def create(root: Path) -> list[str]:
        with pytest.MonkeyPatch.context() as patch, serving() as server:
            patch.setenv("no_proxy", "127.0.0.1,localhost")
            server.serve("/robots.txt", f"Sitemap: {server.base}sitemap_index.xml\n")
            server.serve("/sitemap_index.xml", index(f"{server.base}guide/sitemap.xml"))
            server.serve("/guide/sitemap.xml", urlset(f"{server.base}guide/a"))
            server.page("/guide/a")
            for change in changes:
                change(server)
            lines = run(f"check {server.base}{arguments}", {})(root)
            there = server.base.replace("127.0.0.1", "localhost")
            return [line.replace(server.base, SITE).replace(there, "https://www.e.org/") for line in lines]

    return create


def answers(path: str, status: int, content: str = "", **headers: str) -> Callable[[Server], object]:
    return lambda server: server.serve(path, content, status, **headers)


def moved(server: Server) -> None:
    there = server.base.replace("127.0.0.1", "localhost")
    server.serve("/old/", b"", 301, Location=f"{there}new/")
    server.page("/new/")
    server.serve("/robots.txt", f"Sitemap: {there}sitemap.xml\n")
    server.serve("/sitemap.xml", urlset(there))


def packed(server: Server) -> None:
    server.serve("/sitemap_index.xml", index(f"{server.base}guide/sitemap.xml.gz"))
    content = gzip.compress(urlset(f"{server.base}guide/a").encode(), mtime=0)
    server.serve("/guide/sitemap.xml.gz", content, Content_Encoding="gzip")


POSTS = {f"posts/{number}.html": PAGE for number in range(20)}
FOREIGN = {
    "s.xml": urlset(SITE, "https://blog.e.net/a"),
    "sitemap_index.xml": index(SITE + "s.xml"),
    "index.html": PAGE,
}
WITH_PAGES = " --pages"


def found(words: str, messages: Messages) -> Situation:
    return Situation(words, "`smindex check`", messages)


LINKED = {
    "site/sitemap.xml": urlset(SITE, f"{SITE}a/", f"{SITE}b/"),
    "site/index.html": f'{PAGE}<a href="a/">a</a> <a href="c/">c</a>',
    "site/a/index.html": f'{PAGE}<a href="/">Home</a>',
    "site/b/index.html": f'{PAGE}<a href="/">Home</a>',
    "site/c/index.html": PAGE,
}

CHECK_SITUATIONS: dict[str, Situation] = {
    "orphan-page": found(
        "The sitemap lists `/`, `/a/` and `/b/`. The home page links to `/a/` alone, and the command has `--links`.",
        run(f"{CHECK} --links", LINKED),
    ),
    "unlisted-but-linked": found(
        "The home page links to `/c/`, which is not in the sitemap, and the command has `--links`.",
        run(f"{CHECK} --links", LINKED),
    ),
    "too-many-images": found("One entry has 1,001 images.", planted("1,001 images")),
    "url-too-long": found("A sitemap lists a URL of 2,048 characters.", planted("2,048 characters")),
    "too-many-urls": found("A sitemap lists 50,001 URLs.", judged(urls(50_001))),
    "too-large": found(
        "A sitemap has one byte more than search engines read.",
        judged(document("urlset", SITEMAP, SITE, size=MAX_BYTES + 1)),
    ),
    "too-many-sitemaps": found("An index lists 50,001 sitemaps.", judged(sitemaps(50_001))),
    "too-many-news": found("A sitemap has 1,001 articles of today.", judged(articles(1_001))),
    "unreadable-directory": found(
        "The user who runs the command may not enter `team/docs`.",
        judged(Site(closed={Spot("team/docs"): "Permission denied"})),
    ),
    "unproven-cross-site": found(
        "A sitemap lists `https://blog.e.net/a`, and the `robots.txt` of that site does not name the index.",
        run(
            f"{CHECK} --cross-site https://blog.e.net=blog.txt",
            {**site(FOREIGN), "blog.txt": "User-agent: *\nAllow: /\n"},
        ),
    ),
    "false-date": found(
        "The sitemap gives a page the date 2024-05-01. Its source has not changed since 2020.",
        compared("docs/guide.md"),
    ),
    "uncompared-dates": found(
        "The directory after `--sources` has no source of any page.", compared("elsewhere/other.md")
    ),
    "page-error": found("A listed page is not there any more.", live(WITH_PAGES, answers("/guide/a", 410))),
    "page-unreachable": found(
        "A listed page redirects to itself.", live(WITH_PAGES, answers("/guide/a", 301, Location="/guide/a"))
    ),
    "sitemap-redirects": found(
        "A sitemap that the index lists has moved.",
        live("", answers("/guide/sitemap.xml", 301, Location="/new.xml"), answers("/new.xml", 200, urlset(SITE))),
    ),
    "unfetched-sitemap": found(
        "The server has an error when it is asked for a sitemap.", live("", answers("/guide/sitemap.xml", 500))
    ),
    "wrong-content-type": found(
        "The server sends a sitemap as HTML.",
        live("", answers("/guide/sitemap.xml", 200, urlset(SITE + "guide/a"), Content_Type="text/html")),
    ),
    "robots-unreachable": found(
        "The server has an error when it is asked for `robots.txt`.",
        live("sitemap_index.xml", answers("/robots.txt", 500)),
    ),
}
