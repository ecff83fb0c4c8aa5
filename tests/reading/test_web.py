"""Servers on this machine that refuse, lead astray, never end, or cut what they send; and addresses nobody named."""

import gzip
import os
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path

import pytest

from smindex_plugins.cli.main import main
from smindex_plugins.reading.web import Answer, Fetcher, retry_after
from tests.support.command import findings
from tests.support.planted import index, urlset
from tests.support.project import Project
from tests.support.servers import FAST, OK, SLOW, Server, certified, endless, silent, speaking

SLACK = 2.5
"""Seconds that a busy machine may need for everything else."""


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


# Refusals


def test_no_page_of_a_server_that_throttles_counts_as_missing(
    server: Server, capsys: pytest.CaptureFixture[str]
) -> None:
    """It refuses every request for a page that comes sooner than 50 ms after the last one that it answered."""
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
    ("header", "seconds"), [("7", 7), ("-7", None), ("soon", None), ("", None), ("Thu, 01 Jan 1970 00:00:00 GMT", 0)]
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
        answer = "HTTP/1.1 302 Found\r\nLocation: /ü\r\n" if b"GET / " in request else "HTTP/1.1 200 OK\r\n"
        connection.sendall(f"{answer}Content-Length: 0\r\nConnection: close\r\n\r\n".encode())

    with speaking(speak) as host:
        fetcher.allow(f"http://{host}/")
        assert fetcher.get(f"http://{host}/", 9).redirect == f"http://{host}/%C3%BC"


def test_content_is_cut_at_the_limit_before_and_after_decompression(server: Server, fetcher: Fetcher) -> None:
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
        (gzip.compress(b"a" * 99, mtime=0)[:-9], {"Content-Encoding": "gzip"}, "its compressed data ends too early"),
        (b"no gzip", {"Content-Encoding": "gzip"}, "cannot be decompressed"),
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


@pytest.mark.parametrize("scheme", ["http", "https"])
def test_an_answer_without_an_end_is_cut_by_the_time_or_by_its_bytes(
    scheme: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    context = None
    if scheme == "https":
        context, certificate = certified(tmp_path)
        monkeypatch.setenv("SSL_CERT_FILE", str(certificate))
    for kind, speak in (SLOW | FAST).items():
        with speaking(speak, context=context) as host:
            begun, seconds = time.monotonic(), 0.3 if kind in SLOW else 20
            failure = allowed(f"{scheme}://{host}/", timeout=seconds).get(f"{scheme}://{host}/a", 10**9).failure
            assert time.monotonic() - begun < 0.3 + SLACK, kind
        assert failure.endswith(" 0.3 seconds") == (kind in SLOW), kind


def test_a_handshake_without_an_end_is_cut_by_the_time() -> None:
    with speaking(silent, hears=b"\x16") as host:
        failure = allowed(f"https://{host}/", timeout=0.3).get(f"https://{host}/", 9).failure
    assert failure == "the server does not answer within 0.3 seconds"


def test_a_proxy_that_does_not_answer_is_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    with speaking(silent) as proxy:
        monkeypatch.setenv("https_proxy", f"http://{proxy}")
        failure = allowed("https://e.invalid/", timeout=0.3).get("https://e.invalid/", 9).failure
    assert failure == "the server does not answer within 0.3 seconds"


def test_a_refusal_without_an_end_takes_no_longer_than_the_deadline() -> None:
    refusal = partial(endless, at_once=b"HTTP/1.1 503 No\r\n\r\n", again=b"a" * 99_999, pause=0)
    with speaking(refusal) as host:
        fetcher, begun = allowed(f"http://{host}/", deadline=1), time.monotonic()
        answer = fetcher.get(f"http://{host}/", 10**9)
        assert answer.is_late or answer.status == 503
        assert time.monotonic() - begun < 1 + SLACK
        time.sleep(max(0, fetcher.left))
        assert fetcher.get(f"http://{host}/", 9).is_late


@pytest.mark.parametrize(
    ("flag", "words"),
    [
        ("--timeout", "the server does not answer within 0.3 seconds"),
        ("--deadline", "the time limit of the run, 0.3 seconds, is over"),
    ],
)
def test_a_join_waits_no_longer_than_is_allowed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], flag: str, words: str
) -> None:
    (tmp_path / "sitemap.xml").write_text(urlset("https://e.org/a"))
    with speaking(silent) as host:
        target = ["join", str(tmp_path), "--site-url", "https://e.org/", "--add", f"http://{host}/sitemap.xml"]
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
REFUSED = "its address, 127.0.0.1, is in a private network and differs from that of the checked site"


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


def test_no_site_leads_to_another_port_of_this_machine(server: Server, capsys: pytest.CaptureFixture[str]) -> None:
    with listening() as (other, _):
        server.serve("/robots.txt", f"Sitemap: {server.base}index.xml\n")
        server.serve("/index.xml", index(f"{other}/s.xml", server.base + "r.xml", server.base + "s.xml"))
        server.serve("/r.xml", b"", 302, Location=f"{other}/r.xml")
        server.serve("/s.xml", urlset(server.base + "a", f"{other}/b"))
        server.serve("/a", b"", 301, Location=f"{other}/a")
        found = findings(capsys, server.base, "--pages", "--only=unfetched-sitemap", "--only=page-unreachable")
        assert sorted(finding["check"] for finding in found) == ["page-unreachable"] + ["unfetched-sitemap"] * 2
        assert all(REFUSED in finding["problem"] for finding in found)
        server.serve("/", b"", 302, Location=f"{other}/admin/")
        assert main(["check", server.base]) == 2
        led = f"smindex: {server.base}: it redirects to {other}/admin/; cannot reach 127.0.0.1: {REFUSED}.\n"
        assert capsys.readouterr().err == led


@pytest.mark.parametrize(
    "address",
    [
        *("127.0.0.1", "10.0.0.1", "172.16.0.1", "192.168.1.1", "169.254.169.254", "100.64.0.1", "0.1.2.3"),
        *("224.0.0.1", "255.255.255.255", "::", "::1", "fe80::1%1", "fc00::1", "ff02::1", "::ffff:10.0.0.1"),
    ],
)
def test_a_private_address_is_requested_only_if_the_user_named_it(names: dict[str, list[str]], address: str) -> None:
    names.update({"intra": [address], "alias": [address], "other": ["10.9.9.9"], "both": [PUBLIC, address]})
    names.update({"e.org": [PUBLIC], "v6.e.org": ["2606:2800:21f::1"]})
    fetcher = Fetcher()

    def refused(*hosts: str) -> list[str]:
        failures = {host: fetcher.get(f"http://{host}/", 1).failure for host in hosts}
        assert all(failure.startswith(("it refuses connections", "its address, ")) for failure in failures.values())
        return [host for host, failure in failures.items() if failure.startswith("its address, ")]

    assert refused("intra", "both", "e.org:8080", "v6.e.org") == ["intra", "both"]
    fetcher.allow("http://intra/")
    assert refused("intra", "intra:443", "alias", "intra:8080", "other") == ["intra:8080", "other"]


@pytest.mark.parametrize("host", ["169.254.169.254", "2130706433", "[::1]", "localhost", "db.internal"])
def test_a_proxy_is_asked_for_no_private_host(server: Server, monkeypatch: pytest.MonkeyPatch, host: str) -> None:
    monkeypatch.setenv("no_proxy", "")
    monkeypatch.setenv("http_proxy", server.base)
    server.serve("http://e.invalid/a", b"", 302, Location=f"http://{host}/latest")
    assert "is in a private network" in allowed("http://e.invalid/").get("http://e.invalid/a", 99).failure
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
    for proxy in ("http://me:secret@127.0.0.1:1", "socks5://me:secret@127.0.0.1", "http://me:secret@[::"):
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


def test_no_build_uses_the_network_nor_does_a_command_for_what_is_on_disk(tmp_path: Path, server: Server) -> None:
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
        "from smindex_plugins.cli.main import main; main(['build']); main(['check', '--ignore', 'doubtful-address']); "
        "main(['diff', 'site', 'site']); main(['announce', '--new-key']); print('ON DISK'); "
        "main(['check', sys.argv[1]])"
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
