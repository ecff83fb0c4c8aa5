"""A live site is checked over HTTP; the server is on this machine. Single faults are planted in the registry."""

import gzip
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from smindex_plugins.cli.main import main
from smindex_plugins.sites import UnreachableError, check, live
from tests.support.command import findings
from tests.support.planted import index, urlset
from tests.support.planted.live import serve_clean
from tests.support.servers import Server, certified, serving, silent, speaking


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


def found(server: Server, capsys: pytest.CaptureFixture[str], *arguments: str, path: str = "") -> set[str]:
    return {finding["check"] for finding in findings(capsys, server.base + path, *arguments)}


def refused(capsys: pytest.CaptureFixture[str], url: str, *arguments: str) -> str:
    """Check what cannot be checked, and return why."""
    capsys.readouterr()
    assert main(["check", url, *arguments]) == 2
    printed = capsys.readouterr()
    assert not printed.out
    return printed.err


def serve_pages(server: Server, count: int) -> None:
    """Serve a sitemap of pages `/p/0`, `/p/1` and so on."""
    server.serve("/sitemap.xml", urlset(*(f"{server.base}p/{number}" for number in range(count))))
    for number in range(count):
        server.page(f"/p/{number}")


# Where a check begins


def test_a_clean_site_is_found_through_robots_txt(clean: Server, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", clean.base, "--pages"]) == 0
    assert capsys.readouterr().out == "nothing wrong in 1 index, 2 sitemaps, 4 URLs, 4 pages\n"
    (agent,) = {agent for _, _, agent in clean.requests}
    assert agent.startswith("smindex/")


def test_an_index_or_a_sitemap_can_be_given_itself(clean: Server, capsys: pytest.CaptureFixture[str]) -> None:
    for path in ("sitemap_index.xml", "a/sitemap.xml", "s.xml.gz"):
        assert not found(clean, capsys, path=path)


def test_without_robots_txt_the_usual_names_are_tried(server: Server) -> None:
    server.serve("/sitemap.xml", urlset(server.base + "a", server.base + "a"))
    assert [finding.check for finding in check(server.base)] == ["duplicate-url"]
    assert [finding.check for finding in check(server.base + "sitemap.xml")] == ["duplicate-url"]
    with pytest.raises(UnreachableError):
        check("http://127.0.0.1:1/").__next__()


def test_an_address_is_followed_to_where_the_site_is(server: Server, capsys: pytest.CaptureFixture[str]) -> None:
    server.serve("/docs/sitemap.xml", urlset(f"{server.base}docs/"))
    for path in ("/docs", "/docs?a=b"):
        server.serve(path, b"", 301, Location="/docs/")
    for path in ("/docs/", "/docs/index.html"):
        server.page(path)
    for path in ("docs/", "docs", "docs/index.html", "docs?a=b"):
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
    led = f"{server.base}old/: it leads to {there}new/; there is no robots.txt"
    assert refused(capsys, server.base + "old/").startswith(f"smindex: {led}")
    server.serve("/robots.txt", f"Sitemap: {there}sitemap.xml\n")
    server.serve("/sitemap.xml", urlset(there))
    server.serve("/", b"", 301, Location=f"{there}de/")
    server.page("/de/")
    for path, end in (("old/", "new/"), ("", "")):
        assert main(["check", server.base + path]) == 0
        unseen = f"{server.base}{path} itself (it leads to {there}{end})"
        assert unseen in " ".join(capsys.readouterr().out.split())


def test_pages_in_the_place_of_sitemaps_are_no_sitemaps(server: Server, capsys: pytest.CaptureFixture[str]) -> None:
    for path in ("/", "/sitemap_index.xml", "/sitemap-index.xml", "/sitemap.xml"):
        server.page(path, "\n<!DOCTYPE html><body>Not found</body>")
    words = "there is no robots.txt, and at the usual names of sitemaps the server has only HTML pages"
    assert words in refused(capsys, server.base)
    server.serve("/sitemap.xml", urlset(server.base + "a"))
    assert not found(server, capsys)
    assert server.paths.count("/sitemap.xml") == 2


@pytest.mark.usefixtures("waited")
def test_without_a_sitemap_the_reasons_are_given(server: Server, capsys: pytest.CaptureFixture[str]) -> None:
    assert "there is no robots.txt, and no sitemap has one of the usual names" in refused(capsys, server.base)
    server.serve("/robots.txt", "User-agent: *\n")
    assert "robots.txt names no sitemap, and no sitemap has one of the usual names" in refused(capsys, server.base)
    del server.routes["/robots.txt"]
    for name in ("sitemap_index.xml", "sitemap.xml"):
        server.serve(f"/{name}", b"", 403)
    assert "wp-sitemap.xml (the server answers with 403); give the URL" in refused(capsys, server.base)
    server.serve("/robots.txt", b"", 503)
    words = "robots.txt cannot be fetched (the server answers with 503), and no sitemap"
    assert words in refused(capsys, server.base)


@pytest.mark.parametrize(
    ("url", "problem"),
    [
        ("https://nosuch.invalid/docs", "cannot reach nosuch.invalid: its name is not known ("),
        ("http://127.0.0.1:1/", "cannot reach 127.0.0.1: it refuses connections at port 1"),
        ("https://127.0.0.1:1/sitemap.xml", "cannot reach 127.0.0.1: it refuses connections at port 1"),
    ],
)
def test_a_site_that_cannot_be_reached_is_named_with_the_reason(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, url: str, problem: str
) -> None:
    monkeypatch.setenv("no_proxy", "*")
    assert refused(capsys, url).startswith(f"smindex: {url}: {problem}")


def cut(_: str) -> None:
    raise ConnectionAbortedError


def trickle() -> Iterator[bytes]:
    for _ in range(1_000):
        yield b" "
        time.sleep(0.02)


def test_a_server_that_answers_nothing_is_named_with_the_reason(
    server: Server, capsys: pytest.CaptureFixture[str]
) -> None:
    server.before = cut
    problem = "cannot reach 127.0.0.1: the server closes the connection without an answer"
    assert refused(capsys, server.base) == f"smindex: {server.base}: {problem}.\n"
    with speaking(silent) as host:
        for flag, words in (
            ("--timeout", "the server does not answer within 0.3 seconds"),
            ("--deadline", "the time for the whole run, 0.3 seconds, is over"),
        ):
            problem = f"smindex: http://{host}/: cannot reach 127.0.0.1: {words}.\n"
            assert refused(capsys, f"http://{host}/", flag, "0.3") == problem


def test_a_port_without_tls_and_a_certificate_that_nobody_knows_are_named(
    server: Server, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    problem = "cannot reach 127.0.0.1: no encrypted connection can be made: "
    assert problem in refused(capsys, server.base.replace("http://", "https://"))
    with serving(certified(tmp_path)[0]) as secure:
        problem = "cannot reach 127.0.0.1: its certificate is not valid: self-signed certificate"
        assert refused(capsys, secure.base) == f"smindex: {secure.base}: {problem}.\n"


def test_a_proxy_is_used_if_the_environment_names_one(
    server: Server, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("no_proxy")
    monkeypatch.setenv("http_proxy", server.base.replace("http://", "http://me:pw@"))
    server.serve("http://e.invalid/sitemap.xml", urlset("http://e.invalid/a"))
    assert not findings(capsys, "http://e.invalid/", code=0)
    assert {path.rpartition("/")[0] for path in server.paths} == {"http://e.invalid"}
    monkeypatch.setenv("http_proxy", "http://127.0.0.1:1")
    assert "cannot reach e.invalid: its proxy cannot be reached: it refuses" in refused(capsys, "http://e.invalid/")


# Sitemaps


def test_an_index_that_robots_txt_names_is_reported_there(clean: Server, capsys: pytest.CaptureFixture[str]) -> None:
    for status, headers, kind in (
        (500, {}, "unfetched-sitemap"),
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
    clean: Server, capsys: pytest.CaptureFixture[str], kind: str
) -> None:
    for path in ("/sitemap_index.xml", "/a/sitemap.xml", "/s.xml.gz"):
        status, _, content = clean.routes[path]
        clean.routes[path] = (status, {"Content-Type": kind}, content)
    assert not found(clean, capsys)


def test_a_sitemap_that_comes_too_slowly_or_not_at_all_is_not_waited_for(
    clean: Server, capsys: pytest.CaptureFixture[str]
) -> None:
    over = threading.Event()

    def dawdle(path: str) -> None:
        if path == "/a/sitemap.xml":
            over.wait(5)

    clean.routes["/a/sitemap.xml"] = (200, {}, trickle())
    (finding,) = findings(capsys, clean.base, "--timeout", "0.3", code=1)
    assert (finding["check"], "takes longer than 0.3 s" in finding["problem"]) == ("unfetched-sitemap", True)
    clean.before = dawdle
    (finding,) = findings(capsys, clean.base, "--timeout", "0.3", code=1)
    assert (finding["check"], "not answer within 0.3 s" in finding["problem"]) == ("unfetched-sitemap", True)
    over.set()
    clean.before = lambda path: cut(path) if path == "/a/sitemap.xml" else None
    assert found(clean, capsys) == {"unfetched-sitemap"}


def test_compression_for_the_way_is_undone_and_a_file_that_is_compressed_stays_so(
    clean: Server, capsys: pytest.CaptureFixture[str]
) -> None:
    clean.serve("/a/sitemap.xml", gzip.compress(urlset(clean.base + "a/1").encode()), Content_Encoding="gzip")
    clean.serve("/s.xml.gz", gzip.compress(urlset(clean.base + "b").encode()), Content_Encoding="gzip")
    assert not found(clean, capsys)
    clean.serve("/s.xml.gz", urlset(clean.base + "b"), Content_Encoding="gzip")
    assert found(clean, capsys) == {"compression-error"}


def test_a_bomb_and_ten_gigabytes_fill_no_memory(clean: Server, capsys: pytest.CaptureFixture[str]) -> None:
    bomb = gzip.compress(b"<" + b" " * 60_000_000, 1)
    clean.serve("/a/sitemap.xml", bomb, Content_Encoding="gzip")
    clean.serve("/s.xml.gz", bomb)
    assert found(clean, capsys) == {"too-large"}
    clean.serve("/a/sitemap.xml", b"<urlset", Content_Length=str(10 * 2**30))
    assert "unfetched-sitemap" in found(clean, capsys)


def test_indexes_in_a_circle_end(server: Server, capsys: pytest.CaptureFixture[str]) -> None:
    server.serve("/one.xml", index(server.base + "two.xml"))
    server.serve("/two.xml", index(server.base + "one.xml", server.base + "two.xml"))
    assert found(server, capsys, path="one.xml") == {"nested-index"}


def test_indexes_without_an_end_are_requested_up_to_a_limit(
    server: Server, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(live, "MAX_FILES", 30)
    server.before = lambda path: server.serve(path, index(*(f"{server.base}{path[1:-4]}{n}.xml" for n in range(10))))
    main(["check", server.base + "0.xml", "--only=missing-sitemap"])
    assert len({*server.paths} - {"/robots.txt"}) == 30
    assert "271 listed sitemaps because a run requests at most 30" in capsys.readouterr().out


# Pages


def test_pages_are_requested_only_on_demand_and_once(clean: Server, capsys: pytest.CaptureFixture[str]) -> None:
    assert not found(clean, capsys)
    assert "/b" not in clean.paths
    clean.serve("/a/sitemap.xml", urlset(*(clean.base + path for path in ("a/1", "a/2", "b"))))
    found(clean, capsys, "--pages")
    assert [method for method, path, _ in clean.requests if path == "/b"] == ["GET"]


@pytest.mark.parametrize(("arguments", "most"), [([], 4), (["--jobs", "1"], 1), (["--jobs", "9"], 9)])
def test_as_many_pages_are_requested_at_the_same_time_as_the_user_wants(
    arguments: list[str], most: int, server: Server, capsys: pytest.CaptureFixture[str]
) -> None:
    serve_pages(server, 27)
    lock, at_work, seen, all_came = threading.Lock(), [0], [0], threading.Event()

    def count(path: str) -> None:
        """Keep a request until as many came as may come, and then for a while, in which one too many could come."""
        if path.startswith("/p/"):
            with lock:
                at_work[0] += 1
                seen.append(at_work[0])
                if at_work[0] >= most:
                    all_came.set()
            all_came.wait(10)
            time.sleep(0.02)
            with lock:
                at_work[0] -= 1

    server.before = count
    assert not found(server, capsys, "--pages", *arguments)
    assert max(seen) == most


def test_a_slow_page_does_not_keep_those_after_it_waiting(server: Server, capsys: pytest.CaptureFixture[str]) -> None:
    serve_pages(server, 60)
    others, came = threading.Event(), []

    def wait(path: str) -> None:
        if path == "/p/31":
            came.append(others.wait(10))
        if path == "/p/50":
            others.set()

    server.before = wait
    assert not found(server, capsys, "--pages", "--jobs", "2")
    assert came == [True]


def test_a_page_that_comes_too_slowly_is_named(clean: Server, capsys: pytest.CaptureFixture[str]) -> None:
    clean.routes["/b"] = (200, {"Content-Type": "text/html"}, trickle())
    (finding,) = findings(capsys, clean.base, "--pages", "--timeout", "0.3")
    assert finding["check"] == "page-unreachable"
    assert f"{clean.base}b" in finding["problem"]
    assert "its answer takes longer than 0.3 seconds" in finding["problem"]


def test_what_the_deadline_left_out_is_counted(server: Server, capsys: pytest.CaptureFixture[str]) -> None:
    server.serve("/robots.txt", f"Sitemap: {server.base}sitemap_index.xml\n")
    server.serve("/sitemap_index.xml", index(*(f"{server.base}{number}.xml" for number in range(40))))
    server.serve("/0.xml", urlset(*(f"{server.base}{number}" for number in range(500))))
    for number in range(1, 40):
        server.serve(f"/{number}.xml", urlset(f"{server.base}{number}/a"))
    for number in range(500):
        server.page(f"/{number}")
    server.before = lambda path: time.sleep(0 if "xml" in path or "robots" in path else 0.05)
    begun = time.monotonic()
    assert main(["check", server.base, "--pages", "--deadline", "1", "--only", "page-error"]) == 0
    assert time.monotonic() - begun < 4
    unseen = capsys.readouterr().out.splitlines()[-1]
    assert " pages not requested in time (--deadline 1); 36 sitemaps not requested in time (--deadline 1)" in unseen


def test_a_finding_shows_what_says_noindex(clean: Server, capsys: pytest.CaptureFixture[str]) -> None:
    clean.page("/b", X_Robots_Tag="googlebot: nofollow, noindex")
    clean.page("/a/1", '<!doctype html><meta name="robots" content="noindex"><p>A')
    problems = [finding["problem"].partition(", which ")[2] for finding in findings(capsys, clean.base, "--pages")]
    assert sorted(problems) == [
        'is marked noindex: <meta name="robots" content="noindex">.',
        "is marked noindex: X-Robots-Tag: googlebot: nofollow, noindex.",
    ]


@pytest.mark.parametrize(
    "header",
    ["otherbot: noindex, nofollow", "unavailable_after: 25 Jun 2099 15:00:00 PST", "googlebot-news: noindex", "all"],
)
def test_a_header_for_another_crawler_does_not_keep_a_page_out(
    clean: Server, capsys: pytest.CaptureFixture[str], header: str
) -> None:
    clean.page("/b", X_Robots_Tag=header)
    assert not found(clean, capsys, "--pages")


# robots.txt


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
def test_what_robots_txt_forbids_is_not_requested_but_counted(
    clean: Server, capsys: pytest.CaptureFixture[str], lines: str, fetched: set[str]
) -> None:
    clean.serve("/robots.txt", f"{lines}\nSitemap: {clean.base}sitemap_index.xml\n")
    main(["check", clean.base, "--pages", "--ignore", "robots-blocks-page"])
    printed = capsys.readouterr().out
    assert {path for method, path, _ in clean.requests if method == "GET"} & {"/", "/a/1", "/a/2", "/b"} == fetched
    left = 4 - len(fetched)
    assert ("4 URLs" + f", {len(fetched)} pages" * bool(fetched)) in printed
    assert (f"{left} page{'s' * (left > 1)} that robots.txt forbids" in printed) == bool(left)


@pytest.mark.usefixtures("waited")
def test_a_robots_txt_that_fails_forbids_all_pages(clean: Server, capsys: pytest.CaptureFixture[str]) -> None:
    clean.serve("/robots.txt", b"", 503)
    assert main(["check", clean.base, "--pages"]) == 1
    assert "not looked at: 4 pages because robots.txt cannot be fetched" in capsys.readouterr().out
    assert "/b" not in clean.paths


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
    clean: Server, capsys: pytest.CaptureFixture[str], waited: list[float], lines: str, apart: float
) -> None:
    clean.serve("/robots.txt", f"{lines}\nSitemap: {clean.base}sitemap_index.xml\n")
    assert not found(clean, capsys, "--pages")
    assert "/b" in clean.paths
    after = len(clean.requests) - 3  # the address, robots.txt, and the first request after that
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
def test_another_host_may_be_listed_if_its_robots_txt_names_the_file(
    server: Server, capsys: pytest.CaptureFixture[str]
) -> None:
    assert found(server, capsys, path="sitemap.xml") == {"outside-scope"}
    server.serve("/robots.txt", f"Sitemap: {server.base}sitemap.xml\n")
    assert not found(server, capsys, path="sitemap.xml")


def test_a_given_robots_txt_of_another_host_is_read_in_place_of_that_on_its_server(
    server: Server, capsys: pytest.CaptureFixture[str], other: str, tmp_path: Path
) -> None:
    proof = tmp_path / "robots.txt"
    given = f"--cross-site={other.rstrip('/')}={proof}"
    assert found(server, capsys, given, path="sitemap.xml") == {"outside-scope", "unproven-cross-site"}
    proof.write_text("User-agent: *\n")
    fixes = {each["check"]: each["fix"] for each in findings(capsys, server.base + "sitemap.xml", given)}
    assert fixes["unproven-cross-site"] == (f"Add this line to {other}robots.txt: `Sitemap: {server.base}sitemap.xml`")
    proof.write_text(f"Sitemap: {server.base}sitemap.xml\n")
    server.requests.clear()
    assert not found(server, capsys, given, path="sitemap.xml")
    assert server.paths == ["/robots.txt", "/sitemap.xml"], "one robots.txt, that of the site itself"
