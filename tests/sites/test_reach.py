"""Whoever writes a redirect or an index cannot let the check ask machines that only this one reaches."""

import socket
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from smindex_plugins.cli.main import main
from smindex_plugins.web.reaching import PrivateAddressError, Reach
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


def looked_up(*given: str) -> list[tuple[socket.AddressFamily, socket.SocketKind, int, str, tuple[str, int]]]:
    families = [socket.AF_INET6 if ":" in address else socket.AF_INET for address in given]
    return [(family, socket.SOCK_STREAM, 6, "", (address, 0)) for family, address in zip(families, given, strict=True)]


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
        *("127.0.0.1", "127.9.9.9", "10.0.0.1", "172.16.0.1", "192.168.1.1", "169.254.169.254"),
        *(
            "100.64.0.1",
            "192.0.0.8",
            "192.0.0.192",
            "168.63.129.16",
            "0.1.2.3",
            "198.18.0.1",
            "224.0.0.1",
            "240.0.0.1",
            "255.255.255.255",
        ),
        *("::", "::1", "fe80::1", "fe80::1%1", "fc00::1", "fec0::1", "ff02::1", "::7f00:1", "100::1", "2001:db8::1"),
        *("::ffff:127.0.0.1", "::ffff:10.0.0.1", "64:ff9b::a9fe:a9fe", "2002:7f00:1::1", "2001:0:7f00:1::1"),
    ],
)
def test_a_private_address_is_asked_only_where_the_user_named_it(address: str) -> None:
    reach = Reach()
    reach.allow("https://e.org/")
    assert reach.choose("e.org", 443, looked_up(PUBLIC)) == looked_up(PUBLIC)
    with pytest.raises(PrivateAddressError):
        reach.choose("other.org", 443, looked_up(address))
    with pytest.raises(PrivateAddressError):
        reach.choose("e.org", 443, looked_up(address))  # the name has another address now
    assert reach.choose("other.org", 443, looked_up(address, PUBLIC)) == looked_up(PUBLIC)

    own = Reach()
    own.allow("http://intra/")
    assert own.choose("intra", 80, looked_up(address)) == looked_up(address)
    assert own.choose("intra", 443, looked_up(address)) == looked_up(address)
    assert own.choose("alias", 80, looked_up(address)) == looked_up(address)
    with pytest.raises(PrivateAddressError):
        own.choose("intra", 8080, looked_up(address))
    with pytest.raises(PrivateAddressError):
        own.choose("intra", 80, looked_up("10.9.9.9"))


@pytest.mark.parametrize("address", [PUBLIC, "2606:2800:21f::1", "64:ff9b::808:808", "2002:808:808::1"])
def test_a_public_address_is_asked(address: str) -> None:
    assert Reach().choose("e.org", 8080, looked_up(address)) == looked_up(address)


def test_a_name_that_is_public_and_private_at_once_is_asked_at_the_public_address() -> None:
    reach = Reach()
    reach.allow("http://e.org/")
    assert reach.choose("e.org", 80, looked_up("127.0.0.1", PUBLIC)) == looked_up(PUBLIC)
    with pytest.raises(PrivateAddressError):
        reach.choose("e.org", 80, looked_up("127.0.0.1"))


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
