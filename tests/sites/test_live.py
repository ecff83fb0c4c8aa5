"""A live site is checked over HTTP; the server is one of our own, on this machine."""

import gzip
import threading
import time
from pathlib import Path

import pytest

from smindex_plugins.cli.main import main
from smindex_plugins.sites import live
from smindex_plugins.web import Fetcher
from tests.support.command import PAGE, findings
from tests.support.planted import index, urlset
from tests.support.server import Route, Server, serve_securely


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


def test_pages_are_asked_for_only_on_demand_and_once(server: Server, capsys: pytest.CaptureFixture[str]) -> None:
    clean(server)
    assert not found(server, capsys)
    assert not [path for _, path, _ in server.asked if path == "/b"]
    assert not found(server, capsys, "--pages")
    assert [method for method, path, _ in server.asked if path == "/b"] == ["GET"]


def test_a_page_that_two_sitemaps_list_is_fetched_once(server: Server, capsys: pytest.CaptureFixture[str]) -> None:
    clean(server)
    server.serve("/a/sitemap.xml", urlset(server.base + "a/1", server.base + "a/2", server.base + "b"))
    found(server, capsys, "--pages")
    assert [path for _, path, _ in server.asked].count("/b") == 1


@pytest.mark.parametrize(("arguments", "most"), [([], 4), (["--jobs", "1"], 1), (["--jobs", "9"], 9)])
def test_as_many_pages_are_asked_for_at_the_same_time_as_the_user_wants(
    arguments: list[str], most: int, server: Server, capsys: pytest.CaptureFixture[str]
) -> None:
    listed = [f"{server.base}p/{number}" for number in range(27)]
    server.serve("/sitemap.xml", urlset(*listed))
    for url in listed:
        server.page("/" + url.removeprefix(server.base))
    lock, at_work, seen = threading.Lock(), [0], [0]
    all_came = threading.Event()

    def count(path: str) -> None:
        """Keep a request until as many came as may come, and then for a while, in which one too many could come."""
        if not path.startswith("/p/"):
            return
        with lock:
            at_work[0] += 1
            seen.append(at_work[0])
            if at_work[0] >= most:
                all_came.set()
        all_came.wait(10)
        time.sleep(0.05)
        with lock:
            at_work[0] -= 1

    server.before = count
    assert not found(server, capsys, "--pages", *arguments)
    assert max(seen) == most


def test_a_slow_answer_does_not_keep_those_after_it_waiting(server: Server, capsys: pytest.CaptureFixture[str]) -> None:
    listed = [f"{server.base}p/{number}" for number in range(60)]
    server.serve("/sitemap.xml", urlset(*listed))
    for url in listed:
        server.page("/" + url.removeprefix(server.base))
    others, came = threading.Event(), []

    def wait(path: str) -> None:
        if path == "/p/31":
            came.append(others.wait(10))
        if path == "/p/50":
            others.set()

    server.before = wait
    assert not found(server, capsys, "--pages", "--jobs", "2")
    assert came == [True]


def test_a_server_that_refuses_some_requests_gets_fewer_and_none_of_its_pages_counts_as_missing(
    server: Server, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    listed = [f"{server.base}p/{number}" for number in range(20)]
    server.serve("/sitemap.xml", urlset(*listed))
    for url in listed:
        server.serve("/" + url.removeprefix(server.base), b"", 429)
    waited: list[float] = []
    monkeypatch.setattr(Fetcher, "pause", lambda _, seconds: waited.append(seconds))

    def relent(path: str) -> None:
        if path.startswith("/p/") and [asked for _, asked, _ in server.asked].count(path) == 3:
            server.page(path)

    server.before = relent
    assert not found(server, capsys, "--pages")
    assert len([path for _, path, _ in server.asked if path.startswith("/p/")]) == 60
    assert max(waited) > 0.4


def test_connections_are_kept_and_used_again(server: Server, capsys: pytest.CaptureFixture[str]) -> None:
    server.persists = True
    listed = [f"{server.base}p/{number}" for number in range(200)]
    server.serve("/sitemap.xml", urlset(*listed))
    for url in listed:
        server.page("/" + url.removeprefix(server.base), PAGE * 100)
    server.serve("/p/7", b"%PDF" * 100_000, Content_Type="application/pdf")
    server.serve("/p/8", b"", 404)
    assert found(server, capsys, "--pages", path="sitemap.xml") == {"page-error"}
    assert len(server.asked) == 202, "robots.txt, the sitemap, and each page once"
    assert server.connections <= 8


def test_without_robots_txt_the_usual_names_are_tried(server: Server, capsys: pytest.CaptureFixture[str]) -> None:
    server.serve("/sitemap.xml", urlset(server.base + "a"))
    assert not found(server, capsys)


def test_an_index_or_a_sitemap_can_be_given_itself(server: Server, capsys: pytest.CaptureFixture[str]) -> None:
    clean(server)
    for path in ("sitemap_index.xml", "a/sitemap.xml", "s.xml.gz"):
        assert not found(server, capsys, path=path)


@pytest.mark.parametrize("path", ["", "docs/", "docs", "sitemap.xml"])
@pytest.mark.parametrize(
    ("origin", "problem"),
    [
        ("https://nosuch.invalid", "cannot reach nosuch.invalid: its name is not known ("),
        ("http://127.0.0.1:1", "cannot reach 127.0.0.1: it refuses connections at port 1"),
        ("https://127.0.0.1:1", "cannot reach 127.0.0.1: it refuses connections at port 1"),
    ],
)
def test_a_site_that_cannot_be_reached_is_named_with_the_reason(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, origin: str, problem: str, path: str
) -> None:
    monkeypatch.setenv("no_proxy", "*")
    assert main(["check", f"{origin}/{path}"]) == 2
    printed = capsys.readouterr()
    assert not printed.out
    assert printed.err.startswith(f"smindex: {origin}/{path}: {problem}")


def test_a_server_that_is_reached_and_answers_nothing_is_named_with_the_reason(
    server: Server, capsys: pytest.CaptureFixture[str]
) -> None:
    def cut(_: str) -> None:
        raise ConnectionAbortedError

    server.before = cut
    assert main(["check", server.base]) == 2
    problem = "cannot reach 127.0.0.1: the server closes the connection without an answer"
    assert capsys.readouterr().err == f"smindex: {server.base}: {problem}.\n"
    dawdled = threading.Event()
    server.before = lambda _: dawdled.wait(5)
    assert main(["check", server.base, "--timeout", "0.2"]) == 2
    dawdled.set()
    problem = "cannot reach 127.0.0.1: the server does not answer within 0.2 seconds"
    assert capsys.readouterr().err == f"smindex: {server.base}: {problem}.\n"


def test_a_port_that_speaks_no_tls_and_a_certificate_that_nobody_knows_are_told(
    server: Server, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    secure = server.base.replace("http://", "https://")
    assert main(["check", secure]) == 2
    assert "cannot reach 127.0.0.1: no encrypted connection can be made: " in capsys.readouterr().err
    with serve_securely(tmp_path) as base:
        assert main(["check", base]) == 2
    problem = "cannot reach 127.0.0.1: its certificate is not valid: self-signed certificate"
    assert capsys.readouterr().err == f"smindex: {base}: {problem}.\n"


def test_a_proxy_is_asked_where_the_environment_names_one(
    server: Server, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("no_proxy")
    monkeypatch.setenv("http_proxy", server.base.replace("http://", "http://me:pw@"))
    server.serve("http://e.invalid/sitemap.xml", urlset("http://e.invalid/a"))
    assert not findings(capsys, "http://e.invalid/", code=0)
    assert {path.rpartition("/")[0] for _, path, _ in server.asked} == {"http://e.invalid"}
    monkeypatch.setenv("http_proxy", "http://127.0.0.1:1")
    assert main(["check", "http://e.invalid/"]) == 2
    assert "cannot reach e.invalid: its proxy cannot be reached: it refuses" in capsys.readouterr().err


@pytest.fixture
def _hasty(monkeypatch: pytest.MonkeyPatch) -> None:
    """Wait for nothing that a server asks to wait for."""
    monkeypatch.setattr(Fetcher, "pause", lambda *_: None)


@pytest.mark.usefixtures("_hasty")
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
        ("noindex-page", "/b", (200, {"X-Robots-Tag": "max-snippet: 5, googlebot: nofollow, noindex"}, b"")),
        ("page-error", "/b", (410, {}, b"")),
        ("page-error", "/b", (103, {}, b"")),
        ("page-error", "/b", (301, {}, b"")),
        ("page-error", "/b", (300, {}, b"")),
        ("page-error", "/b", (304, {}, b"")),
        ("empty-page", "/b", (204, {}, b"")),
        ("empty-page", "/b", (205, {}, b"")),
        ("empty-page", "/b", (200, {}, b"")),
        ("empty-page", "/b", (200, {"Content-Type": "text/html"}, b"<!doctype html><title>a</title>")),
        ("page-unreachable", "/b", (200, {"Content-Type": "text/html", "Content-Encoding": "gzip"}, b"no gzip")),
        ("page-unreachable", "/b", (200, {"Content-Encoding": "gzip"}, gzip.compress(PAGE.encode() * 9)[:-9])),
        ("page-unreachable", "/b", (200, {"Content-Type": "text/html", "Content-Length": "300"}, PAGE.encode())),
        ("page-unreachable", "/b", (200, {"Content-Encoding": "br"}, b"\x0b\x02\x80")),
        ("page-redirects", "/b", (200, {"Refresh": "0; url=/a/1", "Content-Type": "text/html"}, PAGE.encode())),
        (
            "page-redirects",
            "/b",
            (200, {"Content-Type": "text/html"}, b"<!doctype html><p>B<meta http-equiv=refresh content='0;/a/1'>"),
        ),
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
            "unfetched-sitemap",
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


def test_what_says_noindex_is_shown(server: Server, capsys: pytest.CaptureFixture[str]) -> None:
    clean(server)
    server.page("/b", X_Robots_Tag="googlebot: nofollow, noindex")
    server.page("/a/1", '<!doctype html><meta name="robots" content="noindex"><p>A')
    problems = [finding["problem"].partition(", which ")[2] for finding in findings(capsys, server.base, "--pages")]
    assert sorted(problems) == [
        'is marked noindex: <meta name="robots" content="noindex">.',
        "is marked noindex: X-Robots-Tag: googlebot: nofollow, noindex.",
    ]


@pytest.mark.parametrize(
    "header",
    ["otherbot: noindex, nofollow", "unavailable_after: 25 Jun 2099 15:00:00 PST", "googlebot-news: noindex", "all"],
)
def test_a_header_for_another_crawler_does_not_keep_a_page_out(
    server: Server, capsys: pytest.CaptureFixture[str], header: str
) -> None:
    clean(server)
    server.page("/b", X_Robots_Tag=header)
    assert not found(server, capsys, "--pages")


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


def test_a_server_that_dawdles_is_not_waited_for(server: Server, capsys: pytest.CaptureFixture[str]) -> None:
    clean(server)
    dawdled = threading.Event()
    server.before = lambda path: dawdled.wait(5) if path == "/a/sitemap.xml" else None
    (finding,) = findings(capsys, server.base, "--timeout", "0.2")
    dawdled.set()
    assert finding["check"] == "unfetched-sitemap"
    assert "does not answer within 0.2 seconds" in finding["problem"]


def test_an_answer_that_trickles_is_not_read_to_its_end(server: Server, capsys: pytest.CaptureFixture[str]) -> None:
    clean(server)
    server.trickle = "/a/sitemap.xml"
    (finding,) = findings(capsys, server.base, "--timeout", "0.3")
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
    server.serve("/s.xml.gz", file, Content_Encoding="gzip")
    assert not found(server, capsys)
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
    assert found(server, capsys, path="one.xml") == {"nested-index"}


def test_indexes_of_indexes_fill_no_memory_and_what_they_list_is_counted(
    server: Server, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(live, "MAX_FILES", 30)

    def answer(path: str) -> None:
        server.serve(path, index(*(f"{server.base}{path[1:-4]}{number}.xml" for number in range(10))))

    server.before = answer
    main(["check", server.base + "0.xml", "--only=missing-sitemap"])
    asked = {path for _, path, _ in server.asked} - {"/robots.txt"}
    assert len(asked) == 30
    assert "271 listed sitemaps because a run requests at most 30" in capsys.readouterr().out


def test_a_server_that_asks_to_wait_is_asked_again(
    server: Server, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    clean(server)
    busy = server.routes["/a/sitemap.xml"]
    waited: list[float] = []
    monkeypatch.setattr(Fetcher, "pause", lambda _, seconds: waited.append(seconds))

    def recover(path: str) -> None:
        if path == "/a/sitemap.xml" and ("GET", path) in [(method, at) for method, at, _ in server.asked[:-1]]:
            server.routes[path] = busy

    server.before = recover
    server.serve("/a/sitemap.xml", b"", 503, Retry_After="7")
    assert not found(server, capsys)
    assert 7 in waited


def test_an_address_is_followed_to_where_the_site_is(server: Server, capsys: pytest.CaptureFixture[str]) -> None:
    base = f"{server.base}docs/"
    server.serve("/docs/sitemap.xml", urlset(base))
    server.serve("/docs", b"", 301, Location="/docs/")
    server.page("/docs/")
    for path in ("docs/", "docs", "docs/index.html", "docs?a=b"):
        server.page("/docs/index.html")
        server.routes["/docs?a=b"] = server.routes["/docs"]
        assert main(["check", server.base + path]) == 0
        assert capsys.readouterr().out.startswith("nothing wrong in 1 sitemap, 1 URL")
    server.page("/docs")
    assert not found(server, capsys, path="docs")


def test_an_address_that_leads_to_another_host_is_left_for_that(
    server: Server, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("no_proxy", "127.0.0.1,localhost")
    there = server.base.replace("127.0.0.1", "localhost")
    server.serve("/old/", b"", 301, Location=f"{there}new/")
    server.page("/new/")
    assert main(["check", server.base + "old/"]) == 2
    error = capsys.readouterr().err
    assert error.startswith(f"smindex: {server.base}old/: it leads to {there}new/; there is no robots.txt")
    server.serve("/robots.txt", f"Sitemap: {there}sitemap.xml\n")
    server.serve("/sitemap.xml", urlset(there))
    assert main(["check", server.base + "old/"]) == 0
    assert f"{server.base}old/ itself (it leads to {there}new/)" in " ".join(capsys.readouterr().out.split())
    server.serve("/", b"", 301, Location=f"{there}de/")
    server.page("/de/")
    main(["check", server.base])
    assert f"{server.base} itself (it leads to {there})" in " ".join(capsys.readouterr().out.split())


def test_pages_in_the_place_of_sitemaps_are_no_sitemaps(server: Server, capsys: pytest.CaptureFixture[str]) -> None:
    for path in ("/", "/sitemap_index.xml", "/sitemap-index.xml", "/sitemap.xml"):
        server.page(path, "\n<!DOCTYPE html><body>Not found</body>")
    assert main(["check", server.base]) == 2
    error = capsys.readouterr().err
    assert "there is no robots.txt, and at the usual names of sitemaps the server has only HTML pages" in error
    server.serve("/sitemap.xml", urlset(server.base + "a"))
    assert not found(server, capsys)
    assert [path for _, path, _ in server.asked].count("/sitemap.xml") == 2


@pytest.mark.usefixtures("_hasty")
def test_without_a_sitemap_the_reasons_are_told(server: Server, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", server.base]) == 2
    assert "there is no robots.txt, and no sitemap has one of the usual names" in capsys.readouterr().err
    server.serve("/robots.txt", "User-agent: *\n")
    assert main(["check", server.base]) == 2
    assert "robots.txt names no sitemap, and no sitemap has one of the usual names" in capsys.readouterr().err
    del server.routes["/robots.txt"]
    for name in ("sitemap_index.xml", "sitemap.xml"):
        server.serve(f"/{name}", b"", 403)
    assert main(["check", server.base]) == 2
    assert "wp-sitemap.xml (the server answers with 403); give the URL" in capsys.readouterr().err
    server.serve("/robots.txt", b"", 503)
    assert main(["check", server.base]) == 2
    assert "robots.txt cannot be fetched (the server answers with 503), and no sitemap" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("lines", "fetched"),
    [
        ("User-agent: *\nDisallow: /b", {"/", "/a/1", "/a/2"}),
        ("User-agent: *\nDisallow: /a/\nAllow: /a/2", {"/", "/b", "/a/2"}),
        ("User-agent: smindex\nDisallow: /a/\nUser-agent: *\nAllow: /", {"/", "/b"}),
        ("User-agent: *\nDisallow: /\nUser-agent: Googlebot\nAllow: /", set[str]()),
        ("User-agent: *\nDisallow: /\nUser-agent: Googlebot\nUser-agent: smindex\nDisallow: /b", {"/", "/a/1", "/a/2"}),
        ("User-agent: Googlebot\nDisallow: /b", {"/", "/a/1", "/a/2"}),
        ("User-agent: Bingbot\nDisallow: /", {"/", "/a/1", "/a/2", "/b"}),
    ],
)
def test_what_robots_txt_forbids_is_not_fetched_but_counted(
    server: Server, capsys: pytest.CaptureFixture[str], lines: str, fetched: set[str]
) -> None:
    clean(server)
    server.serve("/robots.txt", f"{lines}\nSitemap: {server.base}sitemap_index.xml\n")
    main(["check", server.base, "--pages", "--ignore", "robots-blocks-page"])
    printed = capsys.readouterr().out
    assert {path for method, path, _ in server.asked if method == "GET"} & {"/", "/a/1", "/a/2", "/b"} == fetched
    left = 4 - len(fetched)
    assert ("4 URLs" + f", {len(fetched)} pages" * bool(fetched)) in printed
    assert (f"{left} page{'s' * (left > 1)} that robots.txt forbids" in printed) == bool(left)


@pytest.mark.usefixtures("_hasty")
def test_a_robots_txt_that_fails_forbids_all(server: Server, capsys: pytest.CaptureFixture[str]) -> None:
    clean(server)
    server.serve("/robots.txt", b"", 503)
    assert main(["check", server.base, "--pages"]) == 1
    assert "not looked at: 4 pages because robots.txt cannot be fetched" in capsys.readouterr().out
    assert "/b" not in {path for _, path, _ in server.asked}


@pytest.mark.parametrize(
    ("lines", "apart"),
    [
        ("User-agent: *\nCrawl-delay: 2", 2),
        ("User-agent: *\nCrawl-delay: 86400", 10),
        ("User-agent: *\nCrawl-delay: 7\nUser-agent: smindex\nCrawl-delay: 0.5", 0.5),
        ("User-agent: Bingbot\nCrawl-delay: 2", 0),
        ("User-agent: *\nCrawl-delay: soon", 0),
    ],
)
def test_a_crawl_delay_is_honoured_up_to_ten_seconds(
    server: Server, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, lines: str, apart: float
) -> None:
    clean(server)
    server.serve("/robots.txt", f"{lines}\nSitemap: {server.base}sitemap_index.xml\n")
    waited: list[float] = []
    monkeypatch.setattr(Fetcher, "pause", lambda _, seconds: waited.append(seconds))
    assert not found(server, capsys, "--pages")
    after = len(server.asked) - 3  # the address, robots.txt, and the first request after that
    assert after * apart - 2 < max(waited, default=0) <= after * apart
    assert len(waited) == (after if apart else 0)


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
