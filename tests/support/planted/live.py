"""A live site in which nothing is wrong, and single answers with which one thing is."""

import contextlib
import gzip
import io
from dataclasses import dataclass
from pathlib import Path

import pytest

from smindex_plugins.cli.main import main
from tests.support.command import PAGE, SITE
from tests.support.planted import index, urlset
from tests.support.servers import Route, Server, serving


def serve_clean(server: Server) -> None:
    """Serve a site in which nothing is wrong."""
    base = server.base
    server.serve(
        "/robots.txt", f"User-agent: *\nDisallow: /private/\nSitemap: {base}sitemap_index.xml\n"
    )
    server.serve("/sitemap_index.xml", index(base + "a/sitemap.xml", base + "s.xml.gz"))
    server.serve("/a/sitemap.xml", urlset(base + "a/1", base + "a/2"))
    server.serve("/s.xml.gz", gzip.compress(urlset(base, base + "b").encode()))
    for path in ("/", "/b", "/a/1", "/a/2"):
        server.page(path)


@dataclass(frozen=True, slots=True)
class LiveFault:
    """An answer of a server with which one thing is wrong."""

    kind: str
    words: str
    path: str
    route: Route
    also: frozenset[str] = frozenset()

    command = "check"

    def __str__(self) -> str:
        return f"{self.kind}: {self.words}"

    def report(self, _: Path) -> list[str]:
        """Serve the site with that answer, check it with its pages, and return the lines that are
        printed.
        """
        out = io.StringIO()
        with (
            serving() as server,
            pytest.MonkeyPatch.context() as patch,
            contextlib.redirect_stdout(out),
        ):
            patch.setenv("no_proxy", "127.0.0.1")
            serve_clean(server)
            server.serve("/new.xml", urlset(server.base + "a/1"))
            status, headers, content = self.route
            assert isinstance(content, bytes)
            server.routes[self.path] = (
                status,
                headers,
                content.replace(SITE.encode(), server.base.encode()),
            )
            main(["check", server.base, "--pages"])
        return [line.strip().replace(server.base, SITE) for line in out.getvalue().splitlines()]


HTML = {"Content-Type": "text/html"}
GZIP = {"Content-Encoding": "gzip"}
LATER = {"Retry-After": "86400"}
"""So long that the request is not repeated."""
SITEMAP = urlset(SITE + "a/1").encode()
NAMED = f"Sitemap: {SITE}sitemap_index.xml\n"


def robots(text: str) -> Route:
    return (200, {}, text.encode())


def page(content: str, **headers: str) -> Route:
    return (
        200,
        {**HTML, **{name.replace("_", "-"): value for name, value in headers.items()}},
        content.encode(),
    )


LIVE = [
    *(
        LiveFault(kind, words, "/a/sitemap.xml", route)
        for kind, words, route in (
            ("missing-sitemap", "a sitemap with 404", (404, {}, b"")),
            ("missing-sitemap", "a sitemap with 410", (410, {}, b"")),
            ("unfetched-sitemap", "a server error instead of a sitemap", (500, {}, b"")),
            (
                "unfetched-sitemap",
                "a sitemap that redirects to itself",
                (302, {"Location": "/a/sitemap.xml"}, b""),
            ),
            (
                "unfetched-sitemap",
                "a sitemap that redirects to a file",
                (302, {"Location": "file:///etc/passwd"}, b""),
            ),
            ("unfetched-sitemap", "a sitemap with 403", (403, {}, b"")),
            ("unfetched-sitemap", "a sitemap with 503", (503, LATER, b"")),
            ("unfetched-sitemap", "a sitemap with 204", (204, {}, b"")),
            (
                "unfetched-sitemap",
                "a sitemap in Brotli",
                (200, {"Content-Encoding": "br"}, b"\x0b\x02\x80"),
            ),
            ("unfetched-sitemap", "a sitemap that is no gzip", (200, GZIP, b"no gzip")),
            (
                "unfetched-sitemap",
                "a sitemap that is cut",
                (200, {"Content-Length": "300"}, SITEMAP[:90]),
            ),
            ("unreadable-sitemap", "an empty sitemap", (200, {}, b"")),
            ("unsupported-format", "a page in place of a sitemap", (200, {}, PAGE.encode())),
            ("sitemap-redirects", "a sitemap that has moved", (301, {"Location": "/new.xml"}, b"")),
            ("wrong-content-type", "a sitemap that is served as HTML", (200, HTML, SITEMAP)),
        )
    ),
    LiveFault(
        "compression-error",
        "a compressed sitemap that is cut",
        "/s.xml.gz",
        (200, {}, gzip.compress(SITEMAP)[:-8]),
    ),
    *(
        LiveFault(kind, words, "/b", route)
        for kind, words, route in (
            *(
                ("page-error", f"a page with {status}", (status, {}, b""))
                for status in (410, 404, 300, 301, 304)
            ),
            ("page-error", "a page with 503", (503, LATER, b"")),
            ("page-error", "a page with 429", (429, LATER, b"")),
            ("page-redirects", "a page that has moved", (301, {"Location": "/a/1"}, b"")),
            ("page-redirects", "a Refresh header", page(PAGE, Refresh="0; url=/a/1")),
            (
                "page-redirects",
                "a refresh in the body",
                page("<!doctype html><p>B<meta http-equiv=refresh content='0;/a/1'>"),
            ),
            ("page-unreachable", "a page that redirects to itself", (301, {"Location": "/b"}, b"")),
            (
                "page-unreachable",
                "a page that redirects to FTP",
                (302, {"Location": "ftp://e.org/"}, b""),
            ),
            (
                "page-unreachable",
                "a page that is no gzip",
                page("no gzip", Content_Encoding="gzip"),
            ),
            (
                "page-unreachable",
                "a page whose gzip is cut",
                (200, GZIP, gzip.compress(PAGE.encode() * 9)[:-9]),
            ),
            ("page-unreachable", "a page that is cut", page(PAGE, Content_Length="300")),
            (
                "page-unreachable",
                "a page in Brotli",
                (200, {"Content-Encoding": "br"}, b"\x0b\x02\x80"),
            ),
            (
                "noindex-page",
                "an X-Robots-Tag for Googlebot",
                page(PAGE, X_Robots_Tag="googlebot: noindex"),
            ),
            (
                "noindex-page",
                "an X-Robots-Tag with none",
                page(PAGE, X_Robots_Tag="nofollow, NONE"),
            ),
            (
                "noindex-page",
                "an X-Robots-Tag of several",
                page(PAGE, X_Robots_Tag="max-snippet: 5, googlebot: nofollow, noindex"),
            ),
            (
                "noindex-page",
                "a robots meta",
                page("<!doctype html><meta name=robots content=noindex><body>B</body>"),
            ),
            (
                "canonical-elsewhere",
                "a canonical link",
                page("<!doctype html><link rel=canonical href=/a/1><body>B</body>"),
            ),
            (
                "canonical-elsewhere",
                "a Link header",
                (
                    200,
                    {
                        "Content-Type": "application/pdf",
                        "Link": '</s.css>; rel=preload, </a/1>; rel="canonical"',
                    },
                    b"",
                ),
            ),
            ("empty-page", "a page with 204", (204, {}, b"")),
            ("empty-page", "a page with 205", (205, {}, b"")),
            ("empty-page", "a page of no bytes", (200, {}, b"")),
            ("empty-page", "a page without a body", page("<!doctype html><title>a</title>")),
        )
    ),
    *(
        LiveFault(kind, words, "/robots.txt", route)
        for kind, words, route in (
            ("robots-unreachable", "a server error instead of robots.txt", (500, {}, b"")),
            ("robots-unreachable", "a robots.txt with 429", (429, LATER, b"")),
            (
                "robots-unreachable",
                "a robots.txt that redirects to itself",
                (302, {"Location": "/robots.txt"}, b""),
            ),
            ("robots-is-html", "an HTML page instead of robots.txt", page(PAGE)),
            (
                "robots-without-sitemap",
                "a robots.txt without a Sitemap line",
                robots("User-agent: *\n"),
            ),
            (
                "robots-without-sitemap",
                "a Sitemap line for the host before a move",
                robots("Sitemap: https://old.e.net/sitemap.xml\n"),
            ),
            (
                "robots-names-no-sitemap",
                "a Sitemap line for the home page",
                robots(f"{NAMED}Sitemap: {SITE}\n"),
            ),
            (
                "robots-names-no-sitemap",
                "a Sitemap line for itself",
                robots(f"Sitemap: {SITE}robots.txt\n"),
            ),
            ("robots-too-large", "a robots.txt of 600 KB", robots(NAMED + "#" * 600_000)),
            (
                "robots-blocks-page",
                "a page that robots.txt blocks",
                robots(f"{NAMED}User-agent: *\nDisallow: /b\n"),
            ),
            (
                "robots-names-missing-sitemap",
                "a Sitemap line for a missing file",
                robots(f"Sitemap: {SITE}no.xml\n{NAMED}"),
            ),
        )
    ),
]
