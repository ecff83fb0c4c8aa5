"""Servers on this machine that refuse, lead astray, never end, or cut what they send; and addresses
nobody named.
"""

import gzip
import os
import socket
import ssl
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

import pytest

from smindex_plugins.cli.main import main
from smindex_plugins.reading.answer import Answer, retry_after
from smindex_plugins.reading.web import Fetcher
from tests.support.command import findings, refused
from tests.support.planted import index, urlset
from tests.support.project import Project
from tests.support.servers import (
    CHUNKED,
    OK,
    SLOW,
    Server,
    Speak,
    certified,
    drip,
    endless,
    silent,
    speaking,
)

A = TypeVar("A")

PATIENCE = 30
"""Seconds after which a request without an end has failed its test."""
NOT_BEGUN = "the server does not answer within 0.3 seconds"
NOT_ENDED = "its response takes longer than 0.3 seconds"
OVER = "the time limit of the run, 0.3 seconds, is over"


HANDSHAKE = b"\x16\x03\x03\x40\x00"
"""The begin of a server's part of a TLS handshake."""
HINTS = b"HTTP/1.1 103 Early Hints\r\nLink: </a.css>; rel=preload\r\n\r\n"
NO_ANSWER: dict[str, Speak] = {
    "nothing": silent,
    "a status line": partial(drip, at_once=b"", slowly=b"HTTP/1.1 200 " + b"O" * 9_000),
    "a header": partial(drip, at_once=OK, slowly=b"A: " + b"b" * 9_000),
    "headers": partial(endless, at_once=OK, again=b"A: b\r\n", pause=0.05),
    "interim responses": partial(
        endless, at_once=b"", again=b"HTTP/1.1 100 Continue\r\n\r\n", pause=0.05
    ),
    "interim responses with hints": partial(endless, at_once=b"", again=HINTS, pause=0.05),
    "interim responses at once": partial(
        endless, at_once=b"", again=b"HTTP/1.1 100 Continue\r\n\r\n" * 99, pause=0
    ),
    "a header of an interim response": partial(
        drip, at_once=b"HTTP/1.1 100 Continue\r\n", slowly=b"A" * 9_000
    ),
}
"""What never becomes a response."""
FAST: dict[str, Speak] = {
    "headers": partial(endless, at_once=OK, again=b"A: b\r\n" * 1_000, pause=0),
    "a header": partial(endless, at_once=OK + b"A: ", again=b"b" * 10_000, pause=0),
}
"""What never ends, however fast it comes."""


def deaf(connection: socket.socket, _: bytes) -> None:
    """Receive nothing more, until the other side closes the connection."""
    while not connection.getsockopt(socket.SOL_SOCKET, socket.SO_ERROR):
        time.sleep(0.05)


def record(connection: socket.socket, _: bytes) -> None:
    """Send an encrypted response byte by byte.

    Nothing of it can be decrypted before its last byte.
    """
    with socket.socket(fileno=os.dup(connection.fileno())) as plain:
        drip(plain, b"", at_once=b"\x17\x03\x03\x40\x00", slowly=bytes(1 << 14))


@pytest.fixture(autouse=True)
def _direct(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("no_proxy", "127.0.0.1,localhost")


@pytest.fixture
def fetcher(server: Server) -> Fetcher:
    return allowed(server.base, timeout=5)


@pytest.fixture
def waited(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """Wait for nothing, and record for how long."""
    seconds: list[float] = []
    monkeypatch.setattr(time, "sleep", seconds.append)
    return seconds


def allowed(url: str, **seconds: float) -> Fetcher:
    made = Fetcher(**seconds)  # type: ignore[arg-type]
    made.allow(url)
    return made


def ended(ask: Callable[[], A]) -> A:
    """Return what a function returns, which must not take forever."""
    returned = Future[A]()
    threading.Thread(target=lambda: returned.set_result(ask()), daemon=True).start()
    return returned.result(PATIENCE)


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> tuple[ssl.SSLContext, Path]:
    return certified(tmp_path_factory.mktemp("certificate"))


@pytest.fixture
def encrypted(
    certificate: tuple[ssl.SSLContext, Path], monkeypatch: pytest.MonkeyPatch
) -> ssl.SSLContext:
    """Return what serves with a certificate that is accepted."""
    context, path = certificate
    monkeypatch.setenv("SSL_CERT_FILE", str(path))
    return context


# Refusals


def test_no_page_of_a_server_that_throttles_counts_as_missing(
    server: Server, capsys: pytest.CaptureFixture[str]
) -> None:
    """It refuses every request for a page that comes sooner than 50 ms after the last one that it
    answered.
    """
    lock, last = threading.Lock(), [0.0]

    def throttle(path: str) -> None:
        with lock:
            is_early = time.monotonic() - last[0] < 0.05
            if path.startswith("/p/") and not is_early:
                last[0] = time.monotonic()
        if path.startswith("/p/"):
            server.page(path, status=503 if is_early else 200)

    server.before = throttle
    server.serve("/sitemap.xml", urlset(*(f"{server.base}p/{number}" for number in range(20))))
    assert main(["check", server.base, "--pages"]) == 0
    assert "20 pages" in capsys.readouterr().out


def test_a_server_that_refuses_gets_five_requests_with_longer_pauses_or_those_that_it_asks_for(
    server: Server, fetcher: Fetcher, waited: list[float]
) -> None:
    server.serve("/a", b"", 503)
    server.serve("/b", b"", 429, Retry_After="7")
    assert fetcher.get(server.base + "a", 9).status == 503
    assert {0.5, 1, 2, 4} <= {*waited}
    assert fetcher.get(server.base + "b", 9).status == 429
    assert waited.count(7) == 4
    assert len(server.requests) == 10


@pytest.mark.parametrize(("wait", "deadline"), [("61", 100), ("600", 10)])
def test_a_server_that_wants_more_patience_than_there_is_gets_one_request(
    server: Server, wait: str, deadline: float
) -> None:
    server.serve("/a", b"", 429, Retry_After=wait)
    assert allowed(server.base, deadline=deadline).get(server.base + "a", 9).status == 429
    assert len(server.requests) == 1


@pytest.mark.parametrize(
    ("header", "seconds"),
    [("7", 7), ("-7", None), ("soon", None), ("", None), ("Thu, 01 Jan 1970 00:00:00 GMT", 0)],
)
def test_retry_after_is_a_number_or_a_date(header: str, seconds: float | None) -> None:
    answer = Answer(url="https://e.org/")
    answer.headers.add_header("Retry-After", header)
    assert retry_after(answer) == seconds


# Redirects and contents


def test_a_circle_of_redirects_ends_after_ten(server: Server, fetcher: Fetcher) -> None:
    server.serve("/a", b"", 302, Location="/b")
    server.serve("/b", b"", 302, Location="/a")
    assert fetcher.get(server.base + "a", 9).failure == "it redirects more than 10 times"
    assert len(server.requests) == 11


def test_a_redirect_without_escapes_is_read_as_utf_8(fetcher: Fetcher) -> None:
    def speak(connection: socket.socket, request: bytes) -> None:
        answer = (
            "HTTP/1.1 302 Found\r\nLocation: /ü\r\n"
            if b"GET / " in request
            else "HTTP/1.1 200 OK\r\n"
        )
        connection.sendall(f"{answer}Content-Length: 0\r\nConnection: close\r\n\r\n".encode())

    with speaking(speak) as host:
        fetcher.allow(f"http://{host}/")
        assert fetcher.get(f"http://{host}/", 9).redirect == f"http://{host}/%C3%BC"


def test_interim_responses_come_before_the_response(fetcher: Fetcher) -> None:
    def speak(connection: socket.socket, _: bytes) -> None:
        for number in range(2):
            connection.sendall(HINTS)
            connection.sendall(
                b"HTTP/1.1 100 Continue\r\n\r\n"
                + HINTS
                + OK
                + b"Content-Length: 1\r\n\r\n%d" % number
            )
            connection.recv(10_000)

    with speaking(speak) as host:
        fetcher.allow(f"http://{host}/")
        assert [fetcher.get(f"http://{host}/", 9).content for _ in range(2)] == [b"0", b"1"]


def test_content_is_cut_at_the_limit_before_and_after_decompression(
    server: Server, fetcher: Fetcher
) -> None:
    packed = gzip.compress(b"a")
    server.serve("/plain", b"a" * 10_000)
    server.serve("/bomb", gzip.compress(bytes(100_000_000), 1), Content_Encoding="gzip")
    server.serve("/file.gz", packed, Content_Encoding="gzip")
    for path, size in {"plain": 1_001, "bomb": 1_001, "file.gz": len(packed)}.items():
        answer = fetcher.get(server.base + path, 1_000)
        assert (answer.failure, len(answer.content)) == ("", size)


@pytest.mark.parametrize(
    ("content", "headers", "problem"),
    [
        (b"a", {"Content-Length": "9"}, "its response ends too early"),
        (
            gzip.compress(b"a" * 99, mtime=0)[:-9],
            {"Content-Encoding": "gzip"},
            "its compressed data ends too early",
        ),
        (b"no gzip", {"Content-Encoding": "gzip"}, "can't be decompressed"),
        (b"a", {"Content-Encoding": "br"}, "the encoding 'br', which was not requested"),
    ],
    ids=["cut", "cut gzip", "no gzip", "Brotli"],
)
def test_an_answer_that_is_cut_or_cannot_be_read_has_a_reason(
    server: Server, fetcher: Fetcher, content: bytes, headers: dict[str, str], problem: str
) -> None:
    server.routes["/a"] = (200, headers, content)
    answer = fetcher.get(server.base + "a", 1_000)
    assert problem in answer.failure
    assert answer.is_reached


# Time, and connections


@pytest.mark.parametrize(("scheme", "limit"), [("http", "timeout"), ("https", "deadline")])
@pytest.mark.parametrize("kind", [*NO_ANSWER, *SLOW])
def test_an_answer_without_an_end_is_cut_by_the_time(
    encrypted: ssl.SSLContext, scheme: str, limit: str, kind: str
) -> None:
    with speaking(
        (NO_ANSWER | SLOW)[kind], context=encrypted if scheme == "https" else None
    ) as host:
        fetcher = allowed(f"{scheme}://{host}/", **{limit: 0.3})
        failure = ended(lambda: fetcher.get(f"{scheme}://{host}/a", 10**9)).failure
    in_time = NOT_BEGUN if kind in NO_ANSWER else NOT_ENDED
    assert failure == (in_time if limit == "timeout" else OVER)


@pytest.mark.parametrize("scheme", ["http", "https"])
@pytest.mark.parametrize("kind", FAST)
def test_an_answer_without_an_end_is_cut_by_its_bytes(
    encrypted: ssl.SSLContext, scheme: str, kind: str
) -> None:
    with speaking(FAST[kind], context=encrypted if scheme == "https" else None) as host:
        fetcher = allowed(f"{scheme}://{host}/", timeout=600)
        assert (
            ended(lambda: fetcher.get(f"{scheme}://{host}/a", 10**9)).failure
            == "the response is not HTTP"
        )


@pytest.mark.parametrize(
    "speak",
    [silent, partial(drip, at_once=HANDSHAKE, slowly=bytes(9_000))],
    ids=["nothing", "byte by byte"],
)
def test_a_handshake_without_an_end_is_cut_by_the_time(speak: Speak) -> None:
    with speaking(speak, hears=b"\x16") as host:
        fetcher = allowed(f"https://{host}/", timeout=0.3)
        assert ended(lambda: fetcher.get(f"https://{host}/", 9)).failure == NOT_BEGUN


def test_an_encrypted_response_that_comes_byte_by_byte_is_cut_by_the_time(
    encrypted: ssl.SSLContext,
) -> None:
    with speaking(record, context=encrypted) as host:
        fetcher = allowed(f"https://{host}/", timeout=0.3)
        assert ended(lambda: fetcher.get(f"https://{host}/a", 9)).failure == NOT_BEGUN


def tunnel(connection: socket.socket, _: bytes) -> None:
    """Connect a client to a server that sends its part of the handshake byte by byte."""
    connection.sendall(OK + b"\r\n")
    drip(connection, connection.recv(10_000), at_once=HANDSHAKE, slowly=bytes(9_000))


@pytest.mark.parametrize("scheme", ["http", "https"])
@pytest.mark.parametrize(
    "speak",
    [
        *(silent, NO_ANSWER["a status line"], NO_ANSWER["a header"], NO_ANSWER["headers"]),
        *(partial(drip, at_once=OK + b"\r\n", slowly=b""), tunnel),
    ],
    ids=["nothing", "a status line", "a header", "headers", "no handshake", "a handshake"],
)
def test_a_proxy_that_does_not_answer_is_not_waited_for(
    encrypted: ssl.SSLContext, monkeypatch: pytest.MonkeyPatch, scheme: str, speak: Speak
) -> None:
    with speaking(speak, context=encrypted if scheme == "https" else None) as proxy:
        monkeypatch.setenv("https_proxy", f"{scheme}://{proxy}")
        fetcher = allowed("https://e.invalid/", timeout=0.3)
        assert ended(lambda: fetcher.get("https://e.invalid/", 9)).failure == NOT_BEGUN


@pytest.mark.parametrize("url", ["http://e.invalid/", "https://e.invalid/"])
def test_a_handshake_of_a_proxy_without_an_end_is_cut_by_the_time(
    monkeypatch: pytest.MonkeyPatch, url: str
) -> None:
    with speaking(partial(drip, at_once=HANDSHAKE, slowly=bytes(9_000)), hears=b"\x16") as proxy:
        monkeypatch.setenv(f"{url.partition(':')[0]}_proxy", f"https://{proxy}")
        fetcher = allowed(url, timeout=0.3)
        assert ended(lambda: fetcher.get(url, 9)).failure == NOT_BEGUN


@pytest.mark.parametrize("scheme", ["http", "https"])
def test_a_server_that_does_not_read_a_request_is_not_waited_for(
    encrypted: ssl.SSLContext, scheme: str
) -> None:
    with speaking(deaf, context=encrypted if scheme == "https" else None) as host:
        fetcher = allowed(f"{scheme}://{host}/", timeout=0.3)
        assert (
            ended(
                lambda: fetcher.send("POST", f"{scheme}://{host}/", most=9, body=bytes(10**8))
            ).failure
            == NOT_BEGUN
        )


def test_a_second_attempt_has_only_the_time_that_the_first_one_left() -> None:
    opened = []

    def close_late(connection: socket.socket, received: bytes) -> None:
        opened.append(received)
        if len(opened) == 1:
            time.sleep(0.2)
        else:
            silent(connection, received)

    with speaking(close_late) as host:
        fetcher = allowed(f"http://{host}/", timeout=0.5)
        assert ended(lambda: fetcher.get(f"http://{host}/a", 9)).failure == NOT_BEGUN.replace(
            "0.3", "0.5"
        )
    assert len(opened) == 2


def test_the_time_of_a_request_does_not_end_the_next_one_on_its_connection() -> None:
    opened = []

    def keep(connection: socket.socket, received: bytes) -> None:
        opened.append(received)
        while True:
            connection.sendall(OK + b"Content-Length: 1\r\n\r\na")
            if not connection.recv(10_000):
                return

    with speaking(keep) as host:
        fetcher = allowed(f"http://{host}/", timeout=0.5)
        for _ in range(3):
            assert fetcher.get(f"http://{host}/a", 99).content == b"a"
            time.sleep(0.6)
    assert len(opened) == 1


def test_of_requests_in_several_threads_only_the_slow_ones_are_cut() -> None:
    """All of them use the connections of one pool."""

    def speak(connection: socket.socket, received: bytes) -> None:
        while b"/fast" in received:
            connection.sendall(OK + b"Content-Length: 1\r\n\r\na")
            received = connection.recv(10_000)
        if received:
            endless(connection, b"", at_once=CHUNKED + b"0\r\n", again=b"A: b\r\n", pause=0.01)

    with speaking(speak) as host, ThreadPoolExecutor(4) as pool:
        fetcher = allowed(f"http://{host}/", timeout=0.5)
        paths = ["fast", "slow", "fast", "fast"] * 10
        answers = pool.map(lambda path: fetcher.get(f"http://{host}/{path}", 99), paths)
        failures = ended(lambda: [answer.failure for answer in answers])
    assert failures == ["", NOT_ENDED.replace("0.3", "0.5"), "", ""] * 10


@pytest.fixture
def slow_lookup(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Let every lookup of a name take as long as the test."""
    is_over = threading.Event()

    def look_up(*_: object, **__: object) -> None:
        is_over.wait(60)
        raise socket.gaierror

    monkeypatch.setattr(socket, "getaddrinfo", look_up)
    yield
    is_over.set()


@pytest.mark.usefixtures("slow_lookup")
@pytest.mark.parametrize(("limit", "words"), [("timeout", NOT_BEGUN), ("deadline", OVER)])
@pytest.mark.parametrize("proxy", ["", "http://proxy.invalid:3128"])
def test_a_lookup_without_an_end_is_not_waited_for(
    monkeypatch: pytest.MonkeyPatch, limit: str, words: str, proxy: str
) -> None:
    monkeypatch.setenv("http_proxy", proxy)
    fetcher = allowed("http://e.invalid/", **{limit: 0.3})
    assert ended(lambda: fetcher.get("http://e.invalid/", 9)).failure == words


@pytest.mark.skipif(
    sys.platform != "linux", reason="platform: only Linux has more than one address of its own"
)
def test_an_address_that_does_not_answer_leaves_time_for_the_next_one(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    look_up = socket.getaddrinfo
    with ExitStack() as stack:
        deaf_host = stack.enter_context(socket.create_server(("127.0.0.1", 0), backlog=0))
        port = deaf_host.getsockname()[1]
        for _ in range(3):  # more than wait to be accepted
            waiting = stack.enter_context(socket.socket())
            waiting.settimeout(0)
            waiting.connect_ex(("127.0.0.1", port))
        answer = partial(drip, at_once=OK + b"Content-Length: 1\r\n\r\na", slowly=b"")
        stack.enter_context(speaking(answer, at=("127.0.0.2", port)))

        def both(host: str, *arguments: Any, **named: Any) -> list[Any]:  # noqa: ANN401 - handed on as they are
            hosts = ["127.0.0.1", "127.0.0.2"] if host == "both.invalid" else [host]
            return [found for each in hosts for found in look_up(each, *arguments, **named)]

        monkeypatch.setattr(socket, "getaddrinfo", both)
        fetcher = allowed(f"http://both.invalid:{port}/", timeout=2)
        assert ended(lambda: fetcher.get(f"http://both.invalid:{port}/", 9)).content == b"a"


SLOW_LOOKUP = """\
import socket, time

socket.getaddrinfo = lambda *_, **__: time.sleep(600)
"""


@pytest.mark.parametrize(("flag", "words"), [("--timeout", NOT_BEGUN), ("--deadline", OVER)])
def test_a_check_whose_lookup_has_no_end_ends_in_time_and_its_process_with_it(
    tmp_path: Path, flag: str, words: str
) -> None:
    (tmp_path / "sitecustomize.py").write_text(SLOW_LOOKUP)
    done = check(
        "http://e.invalid/",
        flag,
        "0.3",
        PYTHONPATH=f"{Path(__file__).parents[2]}{os.pathsep}{tmp_path}",
    )
    assert done.stderr == f"smindex: http://e.invalid/: can't reach e.invalid: {words}.\n"
    assert done.returncode == 2


@pytest.mark.parametrize("flag", ["--timeout", "--deadline"])
@pytest.mark.parametrize("kind", ["interim responses", "trailers"])
def test_a_check_of_a_site_whose_answer_has_no_end_ends_in_time_and_its_process_with_it(
    kind: str, flag: str
) -> None:
    with speaking((NO_ANSWER | SLOW)[kind]) as host:
        done = check(f"http://{host}/sitemap.xml", flag, "0.3")
    words = NOT_BEGUN if kind in NO_ANSWER else NOT_ENDED
    assert done.stderr.endswith(f"{words if flag == '--timeout' else OVER}.\n")
    assert done.returncode == 2


def check(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run the command in a process of its own, which must not take forever."""
    return subprocess.run(
        [sys.executable, "-m", "smindex_plugins", "check", *arguments],
        env={**os.environ, "no_proxy": "*", **environment},
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )


def test_a_refusal_without_an_end_takes_no_longer_than_the_deadline() -> None:
    refusal = partial(endless, at_once=b"HTTP/1.1 503 No\r\n\r\n", again=b"a" * 99_999, pause=0)
    with speaking(refusal) as host:
        fetcher = allowed(f"http://{host}/", deadline=1)
        answer = ended(lambda: fetcher.get(f"http://{host}/", 10**9))
        assert answer.is_late or answer.status == 503
        time.sleep(max(0, fetcher.left))
        assert fetcher.get(f"http://{host}/", 9).is_late


@pytest.mark.parametrize(
    ("flag", "words"),
    [
        ("--timeout", NOT_BEGUN),
        ("--deadline", OVER),
    ],
)
def test_a_join_waits_no_longer_than_is_allowed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], flag: str, words: str
) -> None:
    (tmp_path / "sitemap.xml").write_text(urlset("https://e.org/a"))
    with speaking(silent) as host:
        target = [
            "join",
            str(tmp_path),
            "--site-url",
            "https://e.org/",
            "--add",
            f"http://{host}/sitemap.xml",
        ]
        assert main([*target, flag, "0.3"]) == 1
    assert words in capsys.readouterr().out


@pytest.mark.parametrize(("most", "connections"), [(99, 1), (1, 4)])
def test_a_connection_is_used_until_the_server_closes_it(most: int, connections: int) -> None:
    """Even if that is without a word, between two requests."""
    opened = []

    def keep(connection: socket.socket, received: bytes) -> None:
        opened.append(received)
        for _ in range(most):
            connection.sendall(OK + b"Content-Length: 1\r\n\r\na")
            if not connection.recv(10_000):
                return

    with speaking(keep) as host:
        fetcher = allowed(f"http://{host}/", timeout=5)
        assert [fetcher.get(f"http://{host}/a", 99).content for _ in range(4)] == [b"a"] * 4
    assert len(opened) == connections


# Addresses


PUBLIC = "93.184.215.14"
DIFFERS = "is in a private network and differs from that of the checked site"
REFUSED = f"its address, 127.0.0.1, {DIFFERS}"


@contextmanager
def listening() -> Iterator[tuple[str, socket.socket]]:
    """Listen at another port of this machine, and answer nobody."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        listener.settimeout(0)
        yield f"http://127.0.0.1:{listener.getsockname()[1]}", listener
        with pytest.raises(BlockingIOError):
            listener.accept()


@pytest.fixture
def names(monkeypatch: pytest.MonkeyPatch) -> dict[str, list[str]]:
    """Give the addresses of hosts, to none of which there is a connection."""
    names: dict[str, list[str]] = {}

    def look_up(host: str, port: int, *_: object, **__: object) -> list[tuple[object, ...]]:
        return [(0, 0, 0, "", (address, port)) for address in names[host]]

    def refuse(*_: object, **__: object) -> None:
        raise ConnectionRefusedError

    monkeypatch.setenv("no_proxy", "*")
    monkeypatch.setattr(socket, "getaddrinfo", look_up)
    monkeypatch.setattr("urllib3.util.connection.create_connection", refuse)
    return names


def test_no_site_leads_to_another_port_of_this_machine(
    server: Server, capsys: pytest.CaptureFixture[str]
) -> None:
    with listening() as (other, _):
        server.serve("/robots.txt", f"Sitemap: {server.base}index.xml\n")
        server.serve(
            "/index.xml", index(f"{other}/s.xml", server.base + "r.xml", server.base + "s.xml")
        )
        server.serve("/r.xml", b"", 302, Location=f"{other}/r.xml")
        server.serve("/s.xml", urlset(server.base + "a", f"{other}/b"))
        server.serve("/a", b"", 301, Location=f"{other}/a")
        found = findings(
            capsys, server.base, "--pages", "--only=unfetched-sitemap", "--only=page-unreachable"
        )
        assert (
            sorted(finding["check"] for finding in found)
            == ["page-unreachable"] + ["unfetched-sitemap"] * 2
        )
        assert all(REFUSED in finding["problem"] for finding in found)
        server.serve("/", b"", 302, Location=f"{other}/admin/")
        assert main(["check", server.base]) == 2
        led = (
            f"smindex: {server.base}: it redirects to {other}/admin/; can't reach 127.0.0.1:"
            f" {REFUSED}.\n"
        )
        assert capsys.readouterr().err == led


@pytest.mark.parametrize(
    "address",
    [
        *(
            "127.0.0.1",
            "10.0.0.1",
            "172.16.0.1",
            "192.168.1.1",
            "169.254.169.254",
            "100.64.0.1",
            "0.1.2.3",
        ),
        *(
            "224.0.0.1",
            "255.255.255.255",
            "::",
            "::1",
            "fe80::1%1",
            "fc00::1",
            "ff02::1",
            "::ffff:10.0.0.1",
        ),
        *(
            "64:ff9b::10.0.0.1",
            "64:ff9b:1::10.0.0.1",
            "2002:a00:1::",
            "::10.0.0.1",
            "fec0::1",
            "2606:4700::5efe:a00:1",
        ),
    ],
)
def test_a_private_address_is_requested_only_if_the_user_named_it(
    names: dict[str, list[str]], address: str
) -> None:
    names.update(
        {"intra": [address], "alias": [address], "other": ["10.9.9.9"], "both": [PUBLIC, address]}
    )
    names.update({"e.org": [PUBLIC], "v6.e.org": ["2606:2800:21f::1"]})
    fetcher = Fetcher()

    def private(*hosts: str) -> list[str]:
        failures = {host: fetcher.get(f"http://{host}/", 1).failure for host in hosts}
        assert all(
            failure.startswith(("it refuses connections", "its address, "))
            for failure in failures.values()
        )
        return [host for host, failure in failures.items() if failure.startswith("its address, ")]

    assert private("intra", "both", "e.org:8080", "v6.e.org") == ["intra", "both"]
    fetcher.allow("http://intra/")
    assert private("intra", "intra:443", "alias", "intra:8080", "other") == ["intra:8080", "other"]


@pytest.mark.parametrize(
    "form",
    [
        "::ffff:127.0.0.1",
        "::7f00:1",
        "64:ff9b::7f00:1",
        "64:ff9b:1::127.0.0.1",
        "2002:7f00:1::",
        "fec0::1",
    ],
)
def test_no_site_leads_to_an_ipv6_address_that_is_private_or_contains_a_private_one(
    server: Server, capsys: pytest.CaptureFixture[str], form: str
) -> None:
    """Linux connects `::ffff:127.0.0.1` with a server at 127.0.0.1."""
    with listening() as (address, _):
        other = address.replace("127.0.0.1", f"[{form}]")
        server.serve("/robots.txt", f"Sitemap: {server.base}index.xml\n")
        server.serve(
            "/index.xml", index(f"{other}/s.xml", server.base + "r.xml", server.base + "s.xml")
        )
        server.serve("/r.xml", b"", 302, Location=f"{other}/r.xml")
        server.serve("/s.xml", urlset(server.base + "a"))
        server.serve("/a", b"", 301, Location=f"{other}/a")
        found = findings(
            capsys, server.base, "--pages", "--only=unfetched-sitemap", "--only=page-unreachable"
        )
        assert (
            sorted(finding["check"] for finding in found)
            == ["page-unreachable"] + ["unfetched-sitemap"] * 2
        )
        assert all(DIFFERS in finding["problem"] for finding in found)
        server.serve("/robots.txt", f"Sitemap: {other}/s.xml\n")
        [named] = findings(capsys, server.base, "--only=unfetched-sitemap")
        assert DIFFERS in named["problem"]
        server.serve("/", b"", 302, Location=f"{other}/admin/")
        assert DIFFERS in refused(capsys, "check", server.base)[0]


def test_a_private_address_in_an_ipv6_address_is_requested_if_the_user_named_it(
    server: Server,
) -> None:
    server.serve("/a", b"a")
    url = server.base.replace("127.0.0.1", "[::ffff:127.0.0.1]") + "a"
    assert allowed(url).get(url, 9).content == b"a"


def test_an_address_of_one_link_is_requested_there(monkeypatch: pytest.MonkeyPatch) -> None:
    connected = []

    def connect(place: tuple[str, int], *_: object, **__: object) -> None:
        connected.append(place)
        raise ConnectionRefusedError

    monkeypatch.setattr("urllib3.util.connection.create_connection", connect)
    link = socket.if_indextoname(1)
    url = f"http://[fe80::1%25{link}]:8000/"
    assert allowed(url).get(url, 1).failure == "it refuses connections on port 8000"
    assert connected == [(f"fe80::1%{link}", 8000)]


def test_a_host_is_requested_at_the_address_that_was_checked(
    names: dict[str, list[str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its next lookup may give a private one."""
    connected = []

    def connect(place: tuple[str, int], *_: object, **__: object) -> None:
        connected.append(place[0])
        names["e.org"] = ["10.0.0.1"]
        raise ConnectionRefusedError

    monkeypatch.setattr("urllib3.util.connection.create_connection", connect)
    names["e.org"] = [PUBLIC]
    fetcher = Fetcher()
    assert fetcher.get("http://e.org/", 1).failure == "it refuses connections on port 80"
    assert (
        "its address, 10.0.0.1, is in a private network" in fetcher.get("http://e.org/", 1).failure
    )
    assert connected == [PUBLIC]


@pytest.mark.parametrize(
    "host",
    [
        *("169.254.169.254", "2130706433", "[::1]", "localhost", "db.internal"),
        *("[64:ff9b::7f00:1]", "[2002:a00:1::]", "[fec0::1]", "[fe80::1%25eth0]"),
    ],
)
def test_a_proxy_is_asked_for_no_private_host(
    server: Server, monkeypatch: pytest.MonkeyPatch, host: str
) -> None:
    monkeypatch.setenv("no_proxy", "")
    monkeypatch.setenv("http_proxy", server.base)
    server.serve("http://e.invalid/a", b"", 302, Location=f"http://{host}/latest")
    assert (
        "is in a private network"
        in allowed("http://e.invalid/").get("http://e.invalid/a", 99).failure
    )
    assert server.paths == ["http://e.invalid/a"]


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
    ):
        monkeypatch.setenv("http_proxy", proxy)
        assert main(["check", "http://e.invalid/"]) == 2
    printed = "".join(capsys.readouterr())
    assert "it redirects to" in printed
    assert "secret" not in printed


NO_NETWORK = """\
import sys

def refuse(event, _):
    if event in {"socket.connect", "socket.getaddrinfo", "socket.sendto", "socket.sendmsg"}:
        sys.stderr.write(f"NETWORK: {event}\\n")

sys.addaudithook(refuse)
"""


def test_no_build_uses_the_network_nor_does_a_command_for_what_is_on_disk(
    tmp_path: Path, server: Server
) -> None:
    """A process reports every use, and a check of a live site shows that it does."""
    project = Project(tmp_path / "project")
    project.small("sitemap-index: {robots_txt: write, images: true}")
    (tmp_path / "sitecustomize.py").write_text(NO_NETWORK)
    paths = {"PYTHONPATH": f"{tmp_path}:{Path(__file__).parents[2]}"}
    for host in ("mkdocs", "properdocs"):
        built = project.build(host=host, **paths)
        assert len(built.pages) == 3, built.log
        assert "NETWORK" not in built.log

    command = (
        "from smindex_plugins.cli.main import main; main(['build']); main(['check', '--ignore',"
        " 'doubtful-address']); main(['diff', 'site', 'site']); main(['announce', '--new-key']);"
        " print('ON DISK'); main(['check', sys.argv[1]])"
    )
    done = subprocess.run(
        [sys.executable, "-uc", f"import sys; {command}", server.base],
        cwd=project.root,
        env={**os.environ, **paths},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=True,
    )
    on_disk, _, live = done.stdout.partition("ON DISK")
    assert "nothing wrong in" in on_disk
    assert "NETWORK" not in on_disk
    assert "NETWORK: socket.connect" in live
