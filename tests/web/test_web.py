"""Real servers on this machine that throttle, lead astray, never end, or cut what they send."""

import gzip
import threading
import time
from functools import partial

import pytest

from smindex_plugins.cli.main import main
from smindex_plugins.web import Answer, Fetcher, retry_after
from tests.support.planted import urlset
from tests.support.server import Server
from tests.support.speaking import CHUNKED, OK, Speak, drip, endless, speaking


@pytest.fixture
def fetcher(server: Server) -> Fetcher:
    made = Fetcher(timeout=5)
    made.allow(server.base)
    return made


def throttle(server: Server, rate: float, refusal: tuple[int, dict[str, str]]) -> None:
    """Refuse every request for a page that comes too soon after the last one that was answered."""
    lock, last = threading.Lock(), [0.0]

    def before(path: str) -> None:
        with lock:
            now = time.monotonic()
            if not path.startswith("/p/"):
                return
            if now - last[0] < 1 / rate:
                server.routes[path] = (*refusal, b"")
            else:
                last[0] = now
                server.page(path)

    server.before = before


@pytest.mark.parametrize(
    ("rate", "pages", "refusal"),
    [
        (2, 5, (429, {})),
        (2, 5, (503, {"Retry-After": "1"})),
        (20, 60, (503, {})),
        (50, 100, (429, {"Retry-After": "1"})),
        (50, 100, (429, {})),
    ],
)
def test_no_page_of_a_server_that_throttles_counts_as_missing(
    server: Server,
    capsys: pytest.CaptureFixture[str],
    rate: float,
    pages: int,
    refusal: tuple[int, dict[str, str]],
) -> None:
    server.serve("/sitemap.xml", urlset(*(f"{server.base}p/{number}" for number in range(pages))))
    throttle(server, rate, refusal)
    assert main(["check", server.base, "--pages"]) == 0
    assert f"{pages} pages" in capsys.readouterr().out


def test_a_server_that_always_refuses_gets_five_requests_with_longer_and_longer_pauses(
    server: Server, fetcher: Fetcher, monkeypatch: pytest.MonkeyPatch
) -> None:
    waited: list[float] = []
    monkeypatch.setattr(Fetcher, "pause", lambda _, seconds: waited.append(seconds))
    server.serve("/a", b"", 503)
    assert fetcher.get(server.base + "a", 9).status == 503
    assert len(server.asked) == 5
    assert {0.5, 1, 2, 4} <= {*waited}


@pytest.mark.parametrize("wait", ["61", "600"])
def test_a_server_that_wants_more_patience_than_there_is_gets_one_request(server: Server, wait: str) -> None:
    fetcher = Fetcher(deadline=100 if wait == "61" else 10)
    fetcher.allow(server.base)
    server.serve("/a", b"", 429, Retry_After=wait)
    assert fetcher.get(server.base + "a", 9).status == 429
    assert len(server.asked) == 1


@pytest.mark.parametrize(
    ("header", "seconds"), [("7", 7), ("-7", None), ("soon", None), ("", None), ("Thu, 01 Jan 1970 00:00:00 GMT", 0)]
)
def test_retry_after_is_a_number_or_a_date(header: str, seconds: float | None) -> None:
    answer = Answer(url="https://e.org/")
    answer.headers.add_header("Retry-After", header)
    assert retry_after(answer) == seconds


def test_a_circle_of_redirects_ends_after_ten(server: Server, fetcher: Fetcher) -> None:
    server.serve("/a", b"", 302, Location="/b")
    server.serve("/b", b"", 302, Location="/a")
    assert fetcher.get(server.base + "a", 9).failure == "it redirects more than 10 times"
    assert len(server.asked) == 11


def test_a_redirect_to_a_private_address_is_not_followed(server: Server, fetcher: Fetcher) -> None:
    server.serve("/a", b"", 302, Location="http://169.254.169.254/latest/")
    answer = fetcher.get(server.base + "a", 9)
    assert answer.failure.startswith("its address, 169.254.169.254, is in a private network")
    assert (answer.url, answer.redirect, answer.is_reached) == ("http://169.254.169.254/latest/",) * 2 + (False,)


def test_content_is_cut_at_the_limit_before_and_after_decompression(server: Server, fetcher: Fetcher) -> None:
    server.serve("/plain", b"a" * 10_000)
    server.serve("/bomb", gzip.compress(bytes(100_000_000)), Content_Encoding="gzip")
    server.serve("/file.gz", gzip.compress(b"a"), Content_Encoding="gzip")
    for path, size in {"plain": 1_001, "bomb": 1_001, "file.gz": len(gzip.compress(b"a"))}.items():
        answer = fetcher.get(server.base + path, 1_000)
        assert (answer.failure, len(answer.content)) == ("", size)


@pytest.mark.parametrize(
    ("content", "headers", "problem"),
    [
        (b"a", {"Content-Length": "9"}, "its answer ends too early"),
        (gzip.compress(b"a" * 99)[:-9], {"Content-Encoding": "gzip"}, "the compressed data ends too early"),
        (b"no gzip", {"Content-Encoding": "gzip"}, "cannot be decompressed"),
        (b"a", {"Content-Encoding": "br"}, "the encoding 'br', which was not asked for"),
    ],
)
def test_an_answer_that_is_cut_or_cannot_be_read_is_told(
    server: Server, fetcher: Fetcher, content: bytes, headers: dict[str, str], problem: str
) -> None:
    server.routes["/a"] = (200, headers, content)
    answer = fetcher.get(server.base + "a", 1_000)
    assert problem in answer.failure
    assert answer.is_reached


DRIPS: dict[str, Speak] = {
    "content": partial(drip, at_once=OK + b"Content-Length: 9000\r\n\r\n", slowly=b"a" * 9_000),
    "chunks": partial(endless, at_once=CHUNKED, again=b"1\r\n<\r\n", pause=0.05),
    "a refusal": partial(endless, at_once=b"HTTP/1.1 429 No\r\n\r\n", again=b"a", pause=0.05),
    "an endless refusal": partial(endless, at_once=b"HTTP/1.1 503 No\r\n\r\n", again=b"a" * 99_999, pause=0),
}


@pytest.mark.parametrize("speak", DRIPS.values(), ids=DRIPS)
def test_a_body_that_comes_slowly_is_cut_at_the_deadline(speak: Speak, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("no_proxy", "*")
    with speaking(speak) as host:
        fetcher, begun = Fetcher(deadline=1), time.monotonic()
        fetcher.allow(f"http://{host}/")
        answer = fetcher.get(f"http://{host}/", 10**9)
        assert time.monotonic() - begun < 2.5
        assert answer.is_late or answer.status in {429, 503}
        time.sleep(max(0, fetcher.left))
        assert fetcher.get(f"http://{host}/", 9).is_late


def test_a_connection_that_the_server_closed_meanwhile_is_opened_again(server: Server, fetcher: Fetcher) -> None:
    server.persists = True
    closed = iter([False, True])

    def before(_: str) -> None:
        if next(closed, False):
            raise ConnectionAbortedError

    server.before = before
    server.page("/a")
    assert [fetcher.get(server.base + "a", 10**6).is_ok for _ in range(3)] == [True] * 3
    assert len(server.asked) == 4


def test_no_password_of_a_redirect_or_a_proxy_is_printed(
    server: Server, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    server.serve("/sitemap.xml", urlset(server.base + "a"))
    server.serve("/a", b"", 302, Location="http://me:secret@e.invalid/")
    assert main(["check", server.base, "--pages"]) == 1
    server.serve("/sitemap.xml", b"", 302, Location="http://me:secret@e.invalid/")
    assert main(["check", server.base + "sitemap.xml"]) == 2
    monkeypatch.setenv("no_proxy", "")
    for proxy in (
        "http://me:secret@127.0.0.1:1",
        "socks5://me:secret@127.0.0.1",
        "http://me:secret@[::",
        "//me:secret@x:y",
    ):
        monkeypatch.setenv("http_proxy", proxy)
        assert main(["check", "http://e.invalid/"]) == 2
    printed = "".join(capsys.readouterr())
    assert "it redirects to" in printed
    assert "secret" not in printed
