"""Which machines get requests: public ones, and of private ones only those of the checked site."""

import http.client
import ipaddress
import queue
import socket
import threading
from collections.abc import Sequence
from typing import Any, TypeAlias
from urllib.parse import urlsplit

from smindex_plugins import addresses
from smindex_plugins.web.bounds import BoundedSocket, current

PORTS = {"http": http.client.HTTP_PORT, "https": http.client.HTTPS_PORT}
_Found: TypeAlias = tuple[socket.AddressFamily, socket.SocketKind, int, str, tuple[Any, ...]]
"""The resolver's information about one address."""
_NAT64 = ipaddress.IPv6Network("64:ff9b::/96")
"""https://www.rfc-editor.org/rfc/rfc6052: the last four bytes are an IPv4 address."""

_NEVER_PUBLIC = (ipaddress.IPv4Network("192.0.0.0/24"), ipaddress.IPv4Network("168.63.129.16"))
"""Networks for protocols or for machines of a provider. Python treats some of them as public."""


class PrivateAddressError(OSError):
    """A URL that the user did not name leads into a private network."""


class Reach:
    """Which connections are allowed.

    Whoever writes a sitemap or a redirect could otherwise make this machine request what only it can reach. So private
    addresses are allowed only if the user's own URL is there, and only at its port. The address of the actual
    connection counts, because a name may have another one at each look-up.
    """

    def __init__(self) -> None:
        self._named: set[tuple[str, int]] = set()
        """Hosts and ports of the URLs that the user named."""
        self._settled: set[tuple[str, int]] = set()
        """Those that were already looked up."""
        self._own: set[tuple[str, int]] = set()
        """The private addresses of these hosts."""

    def allow(self, url: str) -> None:
        """Allow requests to a URL that the user named, even at a private address."""
        self._named.add(_place(url))

    def check_name(self, url: str) -> None:
        """Check a URL that goes through a proxy. Only the proxy knows its address.

        Raises:
            PrivateAddressError: its very name is a private one, and not the user's.
        """
        if _place(url) not in self._named and addresses.who_reaches(url):
            raise _private(_place(url)[0])

    def choose(self, host: str, port: int, found: Sequence[_Found]) -> Sequence[_Found]:
        """Return the addresses of a host that are allowed.

        Raises:
            PrivateAddressError: there is none.
        """
        public = [each for each in found if _is_public(each[4][0])]
        if (host, port) in self._named - self._settled:
            self._settled.add((host, port))
            ports = set(PORTS.values()) if port in PORTS.values() else {port}  # as http: often leads to https:
            if not public:
                self._own.update((each[4][0], own) for each in found for own in ports)
        if chosen := [each for each in found if each in public or (each[4][0], port) in self._own]:
            return chosen
        raise _private(found[0][4][0])


def connect(host: str, port: int, reach: Reach | None) -> BoundedSocket:
    """Return a connection to a host at a checked address, or without a check to a proxy that the user chose.

    Raises:
        OSError: there is no connection.
    """
    found = _looked_up(host, port)
    chosen = reach.choose(host, port, found) if reach else found
    problem = OSError("its name has no address")
    for number, (family, kind, protocol, _, address) in enumerate(chosen):
        seconds = current().left() / (len(chosen) - number)  # one that is silent leaves time for the others
        try:
            connection = BoundedSocket(family, kind, protocol)
        except OSError as error:  # this machine has no IPv6
            problem = error
            continue
        try:
            connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            connection.settimeout(seconds)
            connection.connect(address)
        except OSError as error:
            connection.close()
            problem = error
        else:
            return connection
    raise problem


def _looked_up(host: str, port: int) -> Sequence[_Found]:
    """Return the addresses of a host. A thread of its own asks the resolver, which keeps no deadline."""
    outcome: queue.SimpleQueue[Sequence[_Found] | Exception] = queue.SimpleQueue()

    def look_up() -> None:
        try:
            outcome.put(socket.getaddrinfo(host, port, type=socket.SOCK_STREAM))
        except UnicodeError:  # a part of it is empty or too long for any name
            outcome.put(socket.gaierror(socket.EAI_NONAME, "no name"))
        except OSError as error:
            outcome.put(error)

    threading.Thread(target=look_up, daemon=True).start()
    try:
        found = outcome.get(timeout=current().left())
    except queue.Empty:
        raise TimeoutError from None
    if isinstance(found, Exception):
        raise found
    return found


def _place(url: str) -> tuple[str, int]:
    parts = urlsplit(url)
    return parts.hostname or "", parts.port or PORTS[parts.scheme]


def _private(address: str) -> PrivateAddressError:
    return PrivateAddressError(f"its address, {address}, is in a private network, and is not that of the checked site")


def _is_public(text: str) -> bool:
    """Whether everybody can reach an address, and the IPv4 address within it, if any."""
    address = ipaddress.ip_address(text)
    if isinstance(address, ipaddress.IPv6Address):
        if inner := address.ipv4_mapped or address.sixtofour:
            return _is_public(str(inner))
        if address in _NAT64:
            return _is_public(str(ipaddress.IPv4Address(address.packed[-4:])))
        if address.is_site_local:
            return False
    is_odd = address.is_multicast or address.is_reserved or any(address in network for network in _NEVER_PUBLIC)
    return address.is_global and not is_odd
