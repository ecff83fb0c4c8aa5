"""A live site is checked over HTTP; the server is on this machine.

Single faults are planted in the registry.
"""

import gzip
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from smindex_plugins.cli.main import main
from smindex_plugins.reading import live
from tests.support.command import findings
from tests.support.planted import index, urlset
from tests.support.planted.live import serve_clean
from tests.support.servers import Server, certified, serving

Found = Callable[..., set[str]]
Output = Callable[..., str]


@pytest.fixture
def clean(server: Server) -> Server:
    serve_clean(server)
    return server


@pytest.fixture
def waited(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """Wait for nothing, and record for how long."""
    seconds: list[float] = []
    monkeypatch.setattr(time, "sleep", seconds.append)
    return seconds


@pytest.fixture
def found(server: Server, capsys: pytest.CaptureFixture[str]) -> Found:
    """Check the site, or a part of it, and give the kinds of what is found."""
    return lambda *arguments, path="": {
        each["check"] for each in findings(capsys, server.base + path, *arguments)
    }


@pytest.fixture
def output(server: Server, capsys: pytest.CaptureFixture[str]) -> Output:
    """Check a site as a user does, and give what is printed: the reason, if it can't be
    checked.
    """

    def checked(*arguments: str, url: str = "", path: str = "", code: int = 0) -> str:
        capsys.readouterr()
        assert main(["check", url or server.base + path, *arguments]) == code
        printed = capsys.readouterr()
        assert not printed.out or code < 2
        return " ".join((printed.err if code == 2 else printed.out).split())

    return checked


def serve_pages(server: Server, count: int) -> None:
    """Serve a sitemap of pages `/p/0`, `/p/1` and so on."""
    server.serve("/sitemap.xml", urlset(*(f"{server.base}p/{number}" for number in range(count))))
    for number in range(count):
        server.page(f"/p/{number}")


# Where a check begins


def test_a_clean_site_is_found_through_robots_txt_an_index_or_a_sitemap(
    clean: Server, output: Output, found: Found
) -> None:
    assert (
        output("--pages")
        == "nothing wrong in 1 index, 2 sitemaps, 4 URLs (4 without a date), 4 pages"
    )
    (agent,) = {agent for _, _, agent in clean.requests}
    assert agent.startswith("smindex/")
    for path in ("sitemap_index.xml", "a/sitemap.xml", "s.xml.gz"):
        assert not found(path=path)


def test_an_address_is_followed_to_where_the_site_is(server: Server, output: Output) -> None:
    server.serve("/docs/sitemap.xml", urlset(f"{server.base}docs/"))
    for path in ("/docs", "/docs?a=b"):
        server.serve(path, b"", 301, Location="/docs/")
    for path in ("/docs/", "/docs/index.html"):
        server.page(path)
    for path in ("docs/", "docs", "docs/index.html", "docs?a=b"):
        assert output(path=path).startswith("nothing wrong in 1 sitemap, 1 URL")
    server.page("/docs")
    assert output(path="docs").startswith("nothing wrong in 1 sitemap, 1 URL")


def test_an_address_that_leads_to_another_host_is_left_for_that(
    server: Server, output: Output, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("no_proxy", "127.0.0.1,localhost")
    there = server.base.replace("127.0.0.1", "localhost")
    server.serve("/old/", b"", 301, Location=f"{there}new/")
    server.page("/new/")
    led = f"{server.base}old/: it leads to {there}new/; there is no robots.txt"
    assert output(path="old/", code=2).startswith(f"smindex: {led}")
    server.serve("/robots.txt", f"Sitemap: {there}sitemap.xml\n")
    server.serve("/sitemap.xml", urlset(there))
    server.serve("/", b"", 301, Location=f"{there}de/")
    server.page("/de/")
    for path, end in (("old/", "new/"), ("", "")):
        assert f"{server.base}{path} itself (it leads to {there}{end})" in output(path=path)


@pytest.mark.usefixtures("waited")
def test_without_a_sitemap_at_the_usual_names_the_reasons_are_given(
    server: Server, output: Output
) -> None:
    def why() -> str:
        return output(code=2).partition(": ")[2].partition(": ")[2]

    usual = "and no sitemap has one of the usual names"
    assert why().startswith(f"there is no robots.txt, {usual}")
    server.serve("/robots.txt", "User-agent: *\n")
    assert why().startswith(f"robots.txt lists no sitemap, {usual}")
    server.serve("/robots.txt", b"", 503)
    assert why().startswith(f"robots.txt can't be fetched (the server answers with 503), {usual}")
    del server.routes["/robots.txt"]
    for path in ("/sitemap_index.xml", "/sitemap.xml"):
        server.serve(path, b"", 403)
    refused = f"({server.base}sitemap_index.xml: the server answers with 403)"
    assert f"wp-sitemap.xml {refused}; pass the URL" in why()
    for path in ("/", "/sitemap_index.xml", "/sitemap-index.xml", "/sitemap.xml"):
        server.page(path, "\n<!DOCTYPE html><body>Not found</body>")
    assert why().startswith(
        "there is no robots.txt, and at the usual names of sitemaps the server returns only HTML"
    )
    server.serve("/sitemap.xml", urlset(server.base + "a"))
    server.requests.clear()
    assert output().startswith("nothing wrong")
    assert server.paths.count("/sitemap.xml") == 1


def test_every_usual_name_is_read_that_no_other_sitemap_lists(
    server: Server, output: Output
) -> None:
    server.serve("/sitemap_index.xml", urlset(server.base + "blog"))
    server.serve("/sitemap.xml", urlset(server.base, server.base + "a"))
    assert output().startswith("nothing wrong in 2 sitemaps, 3 URLs")
    server.serve("/wp-sitemap.xml", b"", 301, Location="/sitemap.xml")
    server.page("/sitemapindex.xml")
    assert output().startswith("nothing wrong in 2 sitemaps, 3 URLs")
    server.serve(
        "/sitemap-index.xml", index(f"{server.base}sitemap.xml", f"{server.base}sitemap_index.xml")
    )
    assert output().startswith("nothing wrong in 1 index, 2 sitemaps, 3 URLs")


def test_an_error_at_a_usual_name_is_named_as_not_checked(server: Server, output: Output) -> None:
    server.serve("/sitemap.xml", urlset(server.base))
    server.serve("/sitemap_index.xml", b"", 500)
    server.serve("/sitemap-index.xml", b"", 403)  # as object storage says that there is nothing
    said = output()
    assert said.startswith("nothing wrong")
    assert f"{server.base}sitemap_index.xml (the server answers with 500)" in said
    assert "sitemap-index.xml" not in said


@pytest.mark.parametrize("names", [["sitemap.xml"], ["sitemap.xml", "sitemap_index.xml"]])
def test_a_generators_own_sitemap_in_robots_txt_counts_no_page_twice(
    server: Server, output: Output, names: list[str]
) -> None:
    mark = "<!-- Written by smindex-plugins -->\n<"
    ours = index(f"{server.base}s.xml").replace("<sitemapindex", f"{mark}sitemapindex")
    server.serve("/sitemap_index.xml", ours)
    pages = urlset(server.base, server.base + "a")
    server.serve("/sitemap.xml", pages)
    server.serve("/s.xml", pages.replace("<urlset", f"{mark}urlset"))
    server.serve("/robots.txt", "".join(f"Sitemap: {server.base}{name}\n" for name in names))
    assert "1 notice in 1 index, 1 sitemap, 2 URLs" in output()


def cut(_: str) -> None:
    raise ConnectionAbortedError


def test_a_site_that_cannot_be_reached_is_named_with_the_reason(
    server: Server, output: Output, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    server.before = cut
    with serving(certified(tmp_path)[0]) as secure:
        for url, problem in (
            (server.base, "the server closes the connection without a response."),
            (
                server.base.replace("http://", "https://"),
                "can't establish an encrypted connection: ",
            ),
            (secure.base, "its certificate is not valid: self-signed certificate."),
            ("http://127.0.0.1:1/", "it refuses connections on port 1"),
            ("https://127.0.0.1:1/sitemap.xml", "it refuses connections on port 1"),
        ):
            assert output(url=url, code=2).startswith(
                f"smindex: {url}: can't reach 127.0.0.1: {problem}"
            )
    monkeypatch.setenv("no_proxy", "*")
    assert "nosuch.invalid: its host name can't be resolved (" in output(
        url="https://nosuch.invalid/a", code=2
    )


def test_a_proxy_is_used_if_the_environment_names_one(
    server: Server, output: Output, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("no_proxy")
    monkeypatch.setenv("http_proxy", server.base.replace("http://", "http://me:pw@"))
    server.serve("http://e.invalid/sitemap.xml", urlset("http://e.invalid/a"))
    assert output(url="http://e.invalid/").startswith("nothing wrong")
    assert {path.rpartition("/")[0] for path in server.paths} == {"http://e.invalid"}
    monkeypatch.setenv("http_proxy", "http://127.0.0.1:1")
    problem = "can't reach e.invalid: can't connect to its proxy: it refuses"
    assert problem in output(url="http://e.invalid/", code=2)


# Sitemaps


def test_an_index_that_robots_txt_names_is_reported_there(
    clean: Server, capsys: pytest.CaptureFixture[str]
) -> None:
    for status, headers, kind in (
        (302, {"Location": "/sitemap_index.xml"}, "unfetched-sitemap"),
        (404, {}, "robots-names-missing-sitemap"),
    ):
        clean.routes["/sitemap_index.xml"] = (status, headers, b"")
        (finding,) = findings(capsys, clean.base, code=1)
        assert (finding["check"], finding["where"]) == (kind, f"{clean.base}robots.txt, line 3")


@pytest.mark.parametrize(
    "kind", ["text/xml", "application/xml; charset=UTF-8", "application/octet-stream", "text/plain"]
)
def test_a_sitemap_may_have_any_type_but_that_of_a_page(
    clean: Server, found: Found, kind: str
) -> None:
    for path in ("/sitemap_index.xml", "/a/sitemap.xml", "/s.xml.gz"):
        status, _, content = clean.routes[path]
        clean.routes[path] = (status, {"Content-Type": kind}, content)
    assert not found()


def test_what_comes_too_slowly_is_not_waited_for(
    clean: Server, capsys: pytest.CaptureFixture[str]
) -> None:
    def trickle() -> Iterator[bytes]:
        for _ in range(1_000):
            yield b" "
            time.sleep(0.02)

    for path, kind in (("/a/sitemap.xml", "unfetched-sitemap"), ("/b", "page-unreachable")):
        serve_clean(clean)
        clean.routes[path] = (200, {"Content-Type": "text/html"}, trickle())
        (finding,) = findings(capsys, clean.base, "--pages", "--timeout", "0.3", code=1)
        assert finding["check"] == kind
        assert "its response takes longer than 0.3 seconds" in finding["problem"]


def test_a_bomb_fills_no_memory(clean: Server, found: Found) -> None:
    bomb = gzip.compress(b"<" + b" " * 60_000_000, 1)
    clean.serve("/a/sitemap.xml", bomb, Content_Encoding="gzip")
    clean.serve("/s.xml.gz", bomb)
    assert found() == {"too-large"}


def test_indexes_without_an_end_are_requested_up_to_a_limit(
    server: Server, output: Output, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(live, "MAX_FILES", 30)  # to serve 50,000 takes minutes
    server.before = lambda path: server.serve(
        path, index(*(f"{server.base}{path[1:-4]}{n}.xml" for n in range(10)))
    )
    said = output("--only=missing-sitemap", path="0.xml")
    assert len({*server.paths} - {"/robots.txt"}) == 30
    assert "271 listed sitemaps because a run requests at most 30" in said


# Pages


def test_pages_are_requested_only_on_demand_and_once(clean: Server, found: Found) -> None:
    assert not found()
    assert "/b" not in clean.paths
    clean.serve("/a/sitemap.xml", urlset(*(clean.base + path for path in ("a/1", "a/2", "b"))))
    found("--pages")
    assert [method for method, path, _ in clean.requests if path == "/b"] == ["GET"]


@pytest.mark.parametrize(("arguments", "most"), [([], 4), (["--jobs", "9"], 9)])
def test_as_many_pages_are_requested_at_the_same_time_as_the_user_wants(
    arguments: list[str], most: int, server: Server, found: Found
) -> None:
    serve_pages(server, 27)
    at_work, seen, all_came = set[str](), [0], threading.Event()

    def count(path: str) -> None:
        """Keep a request until as many came as may come, and then for a while, in which one too
        many could come.
        """
        if path.startswith("/p/"):
            at_work.add(path)
            seen.append(len(at_work))
            if len(at_work) >= most:
                all_came.set()
            all_came.wait(10)
            time.sleep(0.02)
            at_work.remove(path)

    server.before = count
    assert not found("--pages", *arguments)
    assert max(seen) == most


def test_a_slow_page_does_not_keep_those_after_it_waiting(server: Server, found: Found) -> None:
    serve_pages(server, 60)
    others, came = threading.Event(), []

    def wait(path: str) -> None:
        if path == "/p/31":
            came.append(others.wait(10))
        if path == "/p/50":
            others.set()

    server.before = wait
    assert not found("--pages", "--jobs", "2")
    assert came == [True]


def test_what_the_deadline_left_out_is_counted(server: Server, output: Output) -> None:
    serve_pages(server, 500)
    sitemaps = ["sitemap.xml", *(f"{number}.xml" for number in range(39))]
    server.serve("/robots.txt", f"Sitemap: {server.base}sitemap_index.xml\n")
    server.serve("/sitemap_index.xml", index(*(server.base + path for path in sitemaps)))
    for path in sitemaps[1:]:
        server.serve(f"/{path}", urlset(f"{server.base}{path}/a"))
    server.before = lambda path: time.sleep(0.05 if path.startswith("/p/") else 0)
    begun = time.monotonic()
    said = output("--pages", "--deadline", "1", "--only", "page-error")
    assert time.monotonic() - begun < 4
    assert (
        " pages not requested in time (--deadline 1); 36 sitemaps not requested in time"
        " (--deadline 1)" in said
    )


def test_a_finding_shows_what_says_noindex(
    clean: Server, capsys: pytest.CaptureFixture[str]
) -> None:
    clean.page("/b", X_Robots_Tag="googlebot: nofollow, noindex")
    clean.page("/a/1", '<!doctype html><meta name="robots" content="noindex"><p>A')
    clean.page("/a/2", X_Robots_Tag="otherbot: noindex, nofollow")
    problems = [
        finding["problem"].partition(", which ")[2]
        for finding in findings(capsys, clean.base, "--pages")
    ]
    assert sorted(problems) == [
        'is marked noindex: <meta name="robots" content="noindex">.',
        "is marked noindex: X-Robots-Tag: googlebot: nofollow, noindex.",
    ]


# robots.txt


@pytest.mark.parametrize(
    ("lines", "fetched"),
    [
        ("User-agent: *\nDisallow: /a/\nAllow: /a/2", {"/", "/b", "/a/2"}),
        ("User-agent: *\nDisallow: /\nUser-agent: Googlebot\nAllow: /", set[str]()),
        (
            "User-agent: *\nDisallow: /\nUser-agent: Googlebot\nUser-agent: smindex\nDisallow: /b",
            {"/", "/a/1", "/a/2"},
        ),
        ("User-agent: Bingbot\nDisallow: /", {"/", "/a/1", "/a/2", "/b"}),
    ],
)
def test_what_robots_txt_forbids_is_not_requested_but_counted(
    clean: Server, output: Output, lines: str, fetched: set[str]
) -> None:
    clean.serve("/robots.txt", f"{lines}\nSitemap: {clean.base}sitemap_index.xml\n")
    said = output("--pages", "--ignore", "robots-blocks-page")
    assert {path for method, path, _ in clean.requests if method == "GET"} & {
        "/",
        "/a/1",
        "/a/2",
        "/b",
    } == fetched
    left = 4 - len(fetched)
    assert ("4 URLs (4 without a date)" + f", {len(fetched)} pages" * bool(fetched)) in said
    assert (f"{left} page{'s' * (left > 1)} that robots.txt forbids" in said) == bool(left)


@pytest.mark.usefixtures("waited")
@pytest.mark.parametrize("status", [429, 500, 503])
def test_a_robots_txt_that_fails_forbids_all_pages(
    clean: Server, output: Output, status: int
) -> None:
    clean.serve("/robots.txt", b"", status)
    assert "not checked: 4 pages because robots.txt can't be fetched" in output("--pages", code=1)
    assert "/b" not in clean.paths


@pytest.mark.parametrize(("delay", "apart"), [("2", 2), ("86400", 10), ("soon", 0)])
def test_a_crawl_delay_is_honoured_up_to_ten_seconds(
    clean: Server, found: Found, waited: list[float], delay: str, apart: float
) -> None:
    clean.serve(
        "/robots.txt",
        f"User-agent: *\nCrawl-delay: {delay}\nSitemap: {clean.base}sitemap_index.xml\n",
    )
    assert not found("--pages")
    assert "/b" in clean.paths
    after = len(clean.requests) - 3  # the address, robots.txt, and the first request after that
    assert after * apart - 2 < max(waited, default=0) <= after * apart
    assert len(waited) == (after if apart else 0)


def test_another_host_may_be_listed_if_its_robots_txt_or_a_given_one_names_the_file(
    server: Server,
    found: Found,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    """Two names of this machine are two hosts, which have one robots.txt."""
    monkeypatch.setenv("no_proxy", "127.0.0.1,localhost")
    other, url = server.base.replace("127.0.0.1", "localhost"), f"{server.base}sitemap.xml"
    server.serve("/sitemap.xml", urlset(server.base + "a", other + "b"))
    assert found(path="sitemap.xml") == {"outside-scope"}
    proof = tmp_path / "robots.txt"
    given = f"--cross-site={other.rstrip('/')}={proof}"
    assert found(given, path="sitemap.xml") == {"outside-scope", "unproven-cross-site"}
    proof.write_text("User-agent: *\n")
    fixes = {each["check"]: each["fix"] for each in findings(capsys, url, given)}
    assert fixes["unproven-cross-site"] == f"Add this line to {other}robots.txt: `Sitemap: {url}`"
    proof.write_text(f"Sitemap: {url}\n")
    server.requests.clear()
    assert not found(given, path="sitemap.xml")
    assert server.paths == [
        "/robots.txt",
        "/sitemap.xml",
    ], "one robots.txt, that of the site itself"
    server.serve("/robots.txt", f"Sitemap: {url}\n")
    assert not found(path="sitemap.xml")
