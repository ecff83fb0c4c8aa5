"""Whoever writes a redirect or an index cannot let the check ask machines that only this one reaches."""

import socket
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from smindex_plugins.cli.main import main
from smindex_plugins.web import Fetcher
from tests.support.command import findings
from tests.support.planted import index, urlset
from tests.support.server import Server

PUBLIC = "93.184.215.14"
REFUSED = "its address, 127.0.0.1, is in a private network, and is not that of the checked site"


@contextmanager
def listening() -> Iterator[tuple[str, socket.socket]]:
    """Listen at another port of this machine, and answer nobody."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        listener.settimeout(0)
        yield f"http://127.0.0.1:{listener.getsockname()[1]}", listener


def is_asked(listener: socket.socket) -> bool:
    try:
        listener.accept()
    except BlockingIOError:
        return False
    return True


@pytest.fixture
def names(monkeypatch: pytest.MonkeyPatch) -> dict[str, list[str]]:
    """Give the addresses of hosts, to none of which there is a connection."""
    names: dict[str, list[str]] = {}

    def look_up(host: str, port: int, *_: object, **__: object) -> list[tuple[object, ...]]:
        return [(0, 0, 0, "", (address, port)) for address in names[host]]

    monkeypatch.setenv("no_proxy", "*")
    monkeypatch.setattr(socket, "getaddrinfo", look_up)
    monkeypatch.setattr("urllib3.util.connection.create_connection", refuse)
    return names


def refuse(*_: object, **__: object) -> None:
    raise ConnectionRefusedError


def test_another_port_of_this_machine_is_not_asked(server: Server, capsys: pytest.CaptureFixture[str]) -> None:
    with listening() as (other, listener):
        server.serve("/robots.txt", f"Sitemap: {server.base}index.xml\n")
        server.serve("/index.xml", index(f"{other}/s.xml", server.base + "r.xml", server.base + "s.xml"))
        server.serve("/r.xml", b"", 302, Location=f"{other}/r.xml")
        server.serve("/s.xml", urlset(server.base + "a", f"{other}/b"))
        server.serve("/a", b"", 301, Location=f"{other}/a")
        found = findings(capsys, server.base, "--pages", "--only=unfetched-sitemap", "--only=page-unreachable")
        assert not is_asked(listener)
    assert sorted(finding["check"] for finding in found) == ["page-unreachable"] + ["unfetched-sitemap"] * 2
    assert all(REFUSED in finding["problem"] for finding in found)


def test_a_site_that_leads_to_another_port_of_this_machine_is_told(
    server: Server, capsys: pytest.CaptureFixture[str]
) -> None:
    with listening() as (other, listener):
        server.serve("/", b"", 302, Location=f"{other}/admin/")
        assert main(["check", server.base]) == 2
        assert not is_asked(listener)
    assert capsys.readouterr().err == (
        f"smindex: {server.base}: it redirects to {other}/admin/; cannot reach 127.0.0.1: {REFUSED}.\n"
    )


@pytest.mark.parametrize(
    "address",
    [
        *("127.0.0.1", "127.9.9.9", "10.0.0.1", "172.16.0.1", "192.168.1.1", "169.254.169.254", "100.64.0.1"),
        *("0.1.2.3", "198.18.0.1", "224.0.0.1", "240.0.0.1", "255.255.255.255"),
        *("::", "::1", "fe80::1", "fe80::1%1", "fc00::1", "ff02::1", "100::1", "2001:db8::1"),
        *("::ffff:127.0.0.1", "::ffff:10.0.0.1"),
    ],
)
def test_a_private_address_is_asked_only_where_the_user_named_it(names: dict[str, list[str]], address: str) -> None:
    names.update({"intra": [address], "alias": [address], "other": ["10.9.9.9"], "both": [PUBLIC, address]})

    def is_refused(url: str) -> bool:
        failure = fetcher.get(url, 1).failure
        assert failure.startswith(("it refuses connections", "its address, "))
        return failure.startswith("its address, ")

    fetcher = Fetcher()
    assert is_refused("http://intra/")
    assert is_refused("http://both/")
    fetcher.allow("http://intra/")
    assert not is_refused("http://intra/")
    assert not is_refused("https://intra/")
    assert not is_refused("http://alias/")
    assert is_refused("http://intra:8080/")
    assert is_refused("http://other/")


@pytest.mark.parametrize("address", [PUBLIC, "2606:2800:21f::1"])
def test_a_public_address_is_asked(names: dict[str, list[str]], address: str) -> None:
    names["e.org"] = [address]
    assert Fetcher().get("http://e.org:8080/", 1).failure == "it refuses connections at port 8080"


@pytest.mark.parametrize("host", ["169.254.169.254", "2130706433", "[::1]", "localhost", "db.internal"])
def test_a_proxy_is_asked_for_no_private_host(
    server: Server, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, host: str
) -> None:
    monkeypatch.setenv("no_proxy", "")
    monkeypatch.setenv("http_proxy", server.base)
    server.serve("http://e.invalid/sitemap.xml", urlset("http://e.invalid/a"))
    server.serve("http://e.invalid/a", b"", 302, Location=f"http://{host}/latest")
    (finding,) = findings(capsys, "http://e.invalid/sitemap.xml", "--pages", "--only=page-unreachable")
    assert "is in a private network" in finding["problem"]
    assert {path.split("/")[2] for _, path, _ in server.asked} == {"e.invalid"}
