"""A live site is checked over HTTP; the server is one of our own, on this machine."""

import gzip
import threading
from pathlib import Path

import pytest

from smindex_plugins.cli.main import main
from smindex_plugins.sites import fetching
from tests.support.command import PAGE, findings
from tests.support.planted import index, urlset
from tests.support.server import Route, Server


def clean(server: Server) -> None:
    """Serve a site in which nothing is wrong."""
    base = server.base
    server.serve("/robots.txt", f"User-agent: *\nDisallow: /private/\nSitemap: {base}sitemap_index.xml\n")
    server.serve("/sitemap_index.xml", index(base + "a/sitemap.xml", base + "s.xml.gz"))
    server.serve("/a/sitemap.xml", urlset(base + "a/1", base + "a/2"))
    server.serve("/s.xml.gz", gzip.compress(urlset(base, base + "b").encode()))
    for path in ("/", "/b", "/a/1", "/a/2"):
        server.page(path)


def found(server: Server, capsys: pytest.CaptureFixture[str], *arguments: str, path: str = "") -> set[str]:
    return {finding["check"] for finding in findings(capsys, server.base + path, *arguments)}


def test_a_clean_site_is_found_through_robots_txt(server: Server, capsys: pytest.CaptureFixture[str]) -> None:
    clean(server)
    assert main(["check", server.base, "--pages"]) == 0
    assert capsys.readouterr().out == "nothing wrong in 1 index, 2 sitemaps, 4 URLs, 4 pages\n"
    assert {agent for _, _, agent in server.asked} == {server.asked[0][2]}
    assert server.asked[0][2].startswith("smindex/")


def test_pages_are_asked_for_only_on_demand_and_by_head_first(
    server: Server, capsys: pytest.CaptureFixture[str]
) -> None:
    clean(server)
    assert not found(server, capsys)
    assert not [path for _, path, _ in server.asked if path == "/b"]
    assert not found(server, capsys, "--pages")
    assert [method for method, path, _ in server.asked if path == "/b"] == ["HEAD", "GET"]


def test_without_robots_txt_the_usual_names_are_tried(server: Server, capsys: pytest.CaptureFixture[str]) -> None:
    server.serve("/sitemap.xml", urlset(server.base + "a"))
    assert not found(server, capsys)


def test_an_index_or_a_sitemap_can_be_given_itself(server: Server, capsys: pytest.CaptureFixture[str]) -> None:
    clean(server)
    for path in ("sitemap_index.xml", "a/sitemap.xml", "s.xml.gz"):
        assert not found(server, capsys, path=path)


def test_a_site_that_does_not_answer_is_exit_code_2(capsys: pytest.CaptureFixture[str]) -> None:
    for url in ("http://127.0.0.1:1/", "http://127.0.0.1:1/sitemap.xml"):
        assert main(["check", url]) == 2
        assert capsys.readouterr().err.startswith(f"smindex: {url}: ")


@pytest.mark.parametrize(
    ("check", "path", "route"),
    [
        ("missing-sitemap", "/a/sitemap.xml", (404, {}, b"")),
        ("unfetched-sitemap", "/a/sitemap.xml", (500, {}, b"")),
        ("unfetched-sitemap", "/a/sitemap.xml", (302, {"Location": "/a/sitemap.xml"}, b"")),
        ("unfetched-sitemap", "/a/sitemap.xml", (302, {"Location": "file:///etc/passwd"}, b"")),
        ("sitemap-redirects", "/a/sitemap.xml", (301, {"Location": "/b.xml"}, b"")),
        ("unsupported-format", "/a/sitemap.xml", (200, {}, PAGE.encode())),
        ("page-error", "/b", (404, {}, b"")),
        ("page-error", "/b", (503, {}, b"")),
        ("page-redirects", "/b", (301, {"Location": "/a/1"}, b"")),
        ("page-unreachable", "/b", (301, {"Location": "/b"}, b"")),
        ("noindex-page", "/b", (200, {"X-Robots-Tag": "googlebot: noindex"}, b"")),
        (
            "noindex-page",
            "/b",
            (200, {"Content-Type": "text/html"}, b"<!doctype html><meta name=robots content=noindex><body>B</body>"),
        ),
        (
            "canonical-elsewhere",
            "/b",
            (200, {"Content-Type": "text/html"}, b"<!doctype html><link rel=canonical href=/a/1><body>B</body>"),
        ),
        ("robots-without-sitemap", "/robots.txt", (200, {}, b"User-agent: *\n")),
        ("robots-blocks-page", "/robots.txt", (200, {}, b"Sitemap: /sitemap_index.xml\nUser-agent: *\nDisallow: /b")),
        (
            "canonical-elsewhere",
            "/b",
            (200, {"Content-Type": "application/pdf", "Link": '</s.css>; rel=preload, </a/1>; rel="canonical"'}, b""),
        ),
        ("noindex-page", "/b", (200, {"X-Robots-Tag": "nofollow, NONE"}, b"")),
        ("page-error", "/b", (410, {}, b"")),
        ("page-error", "/b", (429, {"Retry-After": "86400"}, b"")),
        ("page-unreachable", "/b", (302, {"Location": "ftp://e.org/"}, b"")),
        ("missing-sitemap", "/a/sitemap.xml", (410, {}, b"")),
        ("unfetched-sitemap", "/a/sitemap.xml", (403, {}, b"")),
        ("unfetched-sitemap", "/a/sitemap.xml", (503, {"Retry-After": "3600"}, b"")),
        ("unfetched-sitemap", "/a/sitemap.xml", (204, {}, b"")),
        ("unfetched-sitemap", "/a/sitemap.xml", (200, {"Content-Encoding": "br"}, b"\x0b\x02\x80")),
        ("unfetched-sitemap", "/a/sitemap.xml", (200, {"Content-Encoding": "gzip"}, b"no gzip")),
        ("unreadable-sitemap", "/a/sitemap.xml", (200, {}, b"")),
        (
            "unreadable-sitemap",
            "/a/sitemap.xml",
            (200, {"Content-Length": "300"}, urlset("http://e.org/a").encode()[:90]),
        ),
        ("compression-error", "/s.xml.gz", (200, {}, gzip.compress(b"<urlset/>")[:-8])),
        ("robots-unreachable", "/robots.txt", (500, {}, b"")),
        ("robots-unreachable", "/robots.txt", (429, {}, b"")),
        ("robots-unreachable", "/robots.txt", (302, {"Location": "/robots.txt"}, b"")),
        ("robots-is-html", "/robots.txt", (200, {"Content-Type": "text/html"}, PAGE.encode())),
        ("robots-names-missing-sitemap", "/robots.txt", (200, {}, b"Sitemap: /no.xml\nSitemap: /sitemap_index.xml")),
    ],
)
def test_a_fault_of_the_server_is_found(
    server: Server, capsys: pytest.CaptureFixture[str], check: str, path: str, route: Route
) -> None:
    clean(server)
    server.serve("/b.xml", urlset(server.base + "a/b"))
    server.page("/a/b")
    server.routes[path] = route
    names = found(server, capsys, "--pages")
    assert check in names
    assert names - {check} <= {"robots-relative-sitemap", "missing-sitemap"}


def test_an_index_that_robots_txt_names_is_told_there(server: Server, capsys: pytest.CaptureFixture[str]) -> None:
    clean(server)
    for route, check in (
        ((500, {}, b""), "unfetched-sitemap"),
        ((302, {"Location": "/sitemap_index.xml"}, b""), "unfetched-sitemap"),
        ((404, {}, b""), "robots-names-missing-sitemap"),
    ):
        server.routes["/sitemap_index.xml"] = route
        (finding,) = findings(capsys, server.base, code=1)
        assert finding["check"] == check
        assert finding["where"] == f"{server.base}robots.txt, line 3"


def test_a_sitemap_that_is_served_as_a_page_is_told(server: Server, capsys: pytest.CaptureFixture[str]) -> None:
    clean(server)
    for path in ("/sitemap_index.xml", "/a/sitemap.xml"):
        status, _, content = server.routes[path]
        server.serve(path, content, status, Content_Type="text/html; charset=utf-8")
    assert found(server, capsys) == {"wrong-content-type"}
    for served_as in ("text/xml", "application/xml; charset=UTF-8", "application/octet-stream", "text/plain"):
        for path in ("/sitemap_index.xml", "/a/sitemap.xml", "/s.xml.gz"):
            status, _, content = server.routes[path]
            server.serve(path, content, status, Content_Type=served_as)
        assert not found(server, capsys)


def test_a_server_that_dawdles_is_not_waited_for(
    server: Server, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    clean(server)
    monkeypatch.setattr(fetching, "_TIMEOUT", 0.2)
    dawdled = threading.Event()
    server.before = lambda path: dawdled.wait(5) if path == "/a/sitemap.xml" else None
    (finding,) = findings(capsys, server.base)
    dawdled.set()
    assert finding["check"] == "unfetched-sitemap"
    assert "does not answer within 0.2 seconds" in finding["problem"]


def test_an_answer_that_trickles_is_not_read_to_its_end(
    server: Server, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    clean(server)
    monkeypatch.setattr(fetching, "_DEADLINE", 0.3)
    server.trickle = "/a/sitemap.xml"
    (finding,) = findings(capsys, server.base)
    assert finding["check"] == "unfetched-sitemap"
    assert "takes longer than 0.3 seconds" in finding["problem"]


def test_a_connection_that_is_cut_is_told(server: Server, capsys: pytest.CaptureFixture[str]) -> None:
    clean(server)

    def cut(path: str) -> None:
        if path == "/a/sitemap.xml":
            raise ConnectionAbortedError

    server.before = cut
    assert found(server, capsys) == {"unfetched-sitemap"}


def test_what_the_server_packs_for_the_way_is_unpacked(server: Server, capsys: pytest.CaptureFixture[str]) -> None:
    clean(server)
    packed = gzip.compress(urlset(server.base + "a/1").encode())
    server.serve("/a/sitemap.xml", packed, Content_Encoding="gzip")
    file = gzip.compress(urlset(server.base + "b").encode())
    for sent in (file, gzip.compress(file)):
        server.serve("/s.xml.gz", sent, Content_Encoding="gzip")
        assert not found(server, capsys)
        assert "gzip-as-encoding" in found(server, capsys, "--advice")
    server.serve("/s.xml.gz", urlset(server.base + "b"), Content_Encoding="gzip")
    assert found(server, capsys) == {"compression-error"}


def test_a_bomb_on_the_way_is_a_file_that_is_too_large(server: Server, capsys: pytest.CaptureFixture[str]) -> None:
    clean(server)
    bomb = gzip.compress(b"<" + b" " * 60_000_000, 1)
    server.serve("/a/sitemap.xml", bomb, Content_Encoding="gzip")
    server.serve("/s.xml.gz", bomb)
    assert found(server, capsys) == {"too-large"}


def test_ten_gigabytes_that_are_announced_are_not_waited_for(
    server: Server, capsys: pytest.CaptureFixture[str]
) -> None:
    clean(server)
    server.serve("/a/sitemap.xml", b"<urlset", Content_Length=str(10 * 2**30))
    assert found(server, capsys) & {"unfetched-sitemap", "unreadable-sitemap"}


def test_indexes_in_a_circle_end(server: Server, capsys: pytest.CaptureFixture[str]) -> None:
    server.serve("/one.xml", index(server.base + "two.xml"))
    server.serve("/two.xml", index(server.base + "one.xml", server.base + "two.xml"))
    assert found(server, capsys, path="one.xml") == {"nested-index", "index-lists-itself"}


def test_a_server_that_asks_to_wait_is_asked_again(
    server: Server, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    clean(server)
    busy = server.routes["/a/sitemap.xml"]
    waited: list[float] = []
    monkeypatch.setattr(fetching.Fetcher.__init__, "__defaults__", (waited.append,))

    def recover(path: str) -> None:
        if path == "/a/sitemap.xml" and ("GET", path) in [(method, at) for method, at, _ in server.asked[:-1]]:
            server.routes[path] = busy

    server.before = recover
    server.serve("/a/sitemap.xml", b"", 503, Retry_After="7")
    assert not found(server, capsys)
    assert 7 in waited


@pytest.fixture
def other(server: Server, monkeypatch: pytest.MonkeyPatch) -> str:
    """List a page of another host: two names of this machine are two hosts, which have one robots.txt."""
    monkeypatch.setenv("no_proxy", "127.0.0.1,localhost")
    base = server.base.replace("127.0.0.1", "localhost")
    server.serve("/sitemap.xml", urlset(server.base + "a", base + "b"))
    return base


@pytest.mark.usefixtures("other")
def test_another_host_may_be_listed_where_its_own_robots_txt_names_the_file(
    server: Server, capsys: pytest.CaptureFixture[str]
) -> None:
    assert found(server, capsys, path="sitemap.xml") == {"outside-scope"}
    server.serve("/robots.txt", f"Sitemap: {server.base}sitemap.xml\n")
    assert not found(server, capsys, path="sitemap.xml")


def test_what_is_said_of_another_host_stands_for_its_robots_txt(
    server: Server, capsys: pytest.CaptureFixture[str], other: str, tmp_path: Path
) -> None:
    proof = tmp_path / "robots.txt"
    given = f"--cross-site={other.rstrip('/')}={proof}"
    assert found(server, capsys, given, path="sitemap.xml") == {"outside-scope", "unproven-cross-site"}
    ignored = "--ignore=unproven-cross-site"
    assert found(server, capsys, given, ignored, path="sitemap.xml") == {"outside-scope"}
    proof.write_text("User-agent: *\n")
    (line,) = (
        each for each in findings(capsys, server.base + "sitemap.xml", given) if each["check"] != "outside-scope"
    )
    assert line["fix"] == f"Add this line to {other}robots.txt: `Sitemap: {server.base}sitemap.xml`"
    proof.write_text(f"Sitemap: {server.base}sitemap.xml\n")
    server.asked.clear()
    assert not found(server, capsys, given, path="sitemap.xml")
    assert [path for _, path, _ in server.asked] == ["/robots.txt", "/sitemap.xml"], "one robots.txt, the site's own"


@pytest.mark.usefixtures("other")
def test_the_part_of_an_index_that_another_host_names_is_named(
    server: Server, capsys: pytest.CaptureFixture[str]
) -> None:
    server.serve("/robots.txt", f"Sitemap: {server.base}sitemap-0f.xml\n")
    server.serve("/sitemap-0f.xml", urlset(server.base + "c"))
    assert not found(server, capsys, path="sitemap.xml")
