"""Parses and checks the address of a site, and detects who can reach it."""

import ipaddress
import re
import socket
from collections.abc import Iterator
from contextlib import suppress

from smindex_plugins.base import templates, urls
from smindex_plugins.base.text import brief, masked, printable

_EXAMPLE = "https://example.org/docs/"
_SCHEME = re.compile(r"\A(?:https?:/*|https?//+|[a-z][a-z0-9+.-]*:/+|/+)*+", re.IGNORECASE)
"""Schemes and slashes before a host, including common mistakes."""
_NO_URL = re.compile(r"[\s\0-\x20\x7f<>\"{}|\\^`]")
_FILE = re.compile(
    r"(?<!/)/(?:(?:index|default|home|readme|robots|sitemap[\w-]*)\.\w+(?:\.gz)?|[^/]+\.x?html?)/?\Z",
    re.IGNORECASE,
)
"""File names of pages and well-known files. A directory can have a name such as `project.js`."""

_LOCAL_NAMES = re.compile(
    r".+\.(?:local|localdomain|internal|intranet|private|corp|home|lan|home\.arpa|test|invalid)\.?"
)
"""https://www.rfc-editor.org/rfc/rfc6761, rfc6762 (appendix G) and rfc8375, and what ICANN reserves
for private use."""
_EXAMPLE_NAMES = re.compile(r"(?:.*\.)?example(?:\.(?:com|net|org))?\.?")
"""https://www.rfc-editor.org/rfc/rfc2606"""

_IpAddress = ipaddress.IPv4Address | ipaddress.IPv6Address
_GLOBAL_UNICAST = ipaddress.IPv6Network("2000::/3")
"""All IPv6 addresses that are assigned on the internet:
https://www.iana.org/assignments/ipv6-address-space"""
_NOT_GLOBAL = (ipaddress.IPv4Network("192.0.0.0/24"), ipaddress.IPv6Network("3fff::/20"))
"""What older versions of Python regard as global: https://www.rfc-editor.org/rfc/rfc6890 and
rfc9637"""
_ENDS_WITH_IPV4 = (
    # IPv4-compatible: https://www.rfc-editor.org/rfc/rfc4291#section-2.5.5.1
    ipaddress.IPv6Network("::/96"),
    ipaddress.IPv6Network("::ffff:0:0/96"),  # IPv4-mapped: section 2.5.5.2
    # IPv4-translated: https://www.rfc-editor.org/rfc/rfc2765#section-2.1
    ipaddress.IPv6Network("::ffff:0:0:0/96"),
    # NAT64: https://www.rfc-editor.org/rfc/rfc6052#section-2.1
    ipaddress.IPv6Network("64:ff9b::/96"),
)
_LOCAL_NAT64 = ipaddress.IPv6Network("64:ff9b:1::/48")
"""https://www.rfc-editor.org/rfc/rfc8215"""
_LOCAL_NAT64_STARTS = (6, 7, 8, 11)
"""Where an IPv4 address can begin in it, after a prefix of 48, 56, 64 or 96 bits, counted without
octet 8. Only the network itself knows its prefix:
https://www.rfc-editor.org/rfc/rfc6052#section-2.2"""
_THIS_NETWORK = ipaddress.IPv4Network("0.0.0.0/8")
_ISATAP = (bytes.fromhex("00005efe"), bytes.fromhex("02005efe"))
"""What precedes an IPv4 address at the end of an ISATAP address:
https://www.rfc-editor.org/rfc/rfc5214#section-6.1"""


def site_url(address: object) -> str:
    """Return the normal form of a site's address, which always ends with a slash.

    Raises:
        ValueError: it is not the public http(s) URL of a directory; the message explains why and
            suggests a URL, without any password.
    """
    if not isinstance(address, str):
        message = (
            f"{brief(address)} is not a string; use the URL of a directory, such as {_EXAMPLE}"
        )
        raise ValueError(message)  # noqa: TRY004 - one exception type for all invalid addresses
    text = address.strip()
    # a password may have a space, and an address may lack its scheme
    bare = re.sub(r"\s", "", text)
    hidden = masked(bare) if "//" in bare else masked(f"//{bare}")[2:]
    if "***@" in hidden:
        text = hidden
        problem = "contains a user name or password, which the sitemaps would publish"
    else:
        problem = _problem(text)
    if problem:
        message = (
            f"{brief(text)} {problem}; use the URL of a directory, such as {_suggestion(text)}"
        )
        raise ValueError(message)
    return urls.normalise(text).rstrip("/") + "/"


def read(address: object, option: str) -> tuple[str, str]:
    """Return the normal form of an option's address, or an empty string and the problem."""
    try:
        return site_url(address), ""
    except ValueError as error:
        return "", printable(f"{option} {error}.")


def read_origin(text: str) -> str:
    """Return the normal form of an origin, such as ``https://example.org``.

    Raises:
        ValueError: it is not an origin, or it has a path.
    """
    address = site_url(text)
    if urls.path(address) != "/":
        message = (
            f"{brief(text)} has a path, but a robots.txt applies to all of {urls.origin(address)}"
        )
        raise ValueError(message)
    return urls.origin(address)


def _problem(text: str) -> str:
    """Return the problem with an address that has no password, as the end of a sentence, or an
    empty string.
    """
    if not re.match(r"https?://(?!/)", text, re.IGNORECASE):
        return "doesn't start with https:// or http://" if text else "is empty"
    if _NO_URL.search(text):
        return (
            "contains a space or another character that is not allowed in URLs, perhaps from a"
            " placeholder"
        )
    if "?" in text or "#" in text:
        return "contains a query or a fragment"
    url = urls.normal(text)
    if not url:
        return "has an invalid host or port"
    if _FILE.search(url):
        return "ends with a file name"
    return "contains // in its path" if "//" in urls.path(url).rstrip("/") else ""


def _suggestion(text: str) -> str:
    """Return the address that the user probably meant, or an example."""
    without_scheme = _SCHEME.sub("", text, count=1)
    without_query = re.split(r"[?#]", without_scheme, maxsplit=1)[0]
    host, _, path = without_query.partition("/")
    is_placeholder = _NO_URL.search(text.replace(" ", "")) or not re.search(r"\w\.\w", host)
    if is_placeholder:
        return _EXAMPLE
    scheme = "http" if text.lower().startswith("http:") else "https"
    _, _, host = host.rpartition("@")
    path = _FILE.sub("", f"/{path}").rstrip("/")
    path = re.sub(r"//+", "/", path)
    url = urls.normal(f"{scheme}://{host}{path}/")
    if not url or _problem(url):
        return _EXAMPLE
    return url


def who_reaches(url: str) -> str:
    """Return a description of who can reach the host of a normalized URL, or an empty string if
    everybody can.
    """
    host = urls.host(url)
    address = _ip_address(host)
    if address:
        is_here = any(each.is_loopback or each.is_unspecified for each in _reached(address))
        is_near = not is_public(address)
    else:
        is_here = bool(re.fullmatch(r"(?:.*\.)?localhost\.?", host))
        is_near = bool(_LOCAL_NAMES.fullmatch(host))
    if is_here:
        return "this machine"
    if is_near:
        return "this machine or its network"
    return ""


def is_public(address: _IpAddress) -> bool:
    """Whether an address is reached over the internet.

    An IPv4 address in an IPv6 address decides.
    """
    return all(map(_is_global, _reached(address)))


def _is_global(address: _IpAddress) -> bool:
    if address.version == 6 and address not in _GLOBAL_UNICAST:  # noqa: PLR2004 - the name of a protocol
        return False
    if any(address in network for network in _NOT_GLOBAL):
        return False
    return address.is_global and not address.is_multicast


def _reached(address: _IpAddress) -> list[_IpAddress]:
    """Return the addresses that get what is sent to an address: those that an IPv6 address
    contains, or itself.
    """
    if isinstance(address, ipaddress.IPv4Address) or address.is_loopback or address.is_unspecified:
        return [address]
    if address.packed[8:12] in _ISATAP:
        return [address, ipaddress.IPv4Address(address.packed[12:])]
    return [*_contained(address)] or [address]


def _contained(address: ipaddress.IPv6Address) -> Iterator[ipaddress.IPv4Address]:
    """Yield the IPv4 addresses to which networks translate an IPv6 address, or through which they
    send to it.
    """
    if any(address in network for network in _ENDS_WITH_IPV4):
        yield ipaddress.IPv4Address(address.packed[12:])
    elif address in _LOCAL_NAT64:
        # the octet between them is never part of it
        octets = address.packed[:8] + address.packed[9:]
        for start in _LOCAL_NAT64_STARTS:
            candidate = ipaddress.IPv4Address(octets[start : start + 4])
            if candidate not in _THIS_NETWORK:  # which the other places of an IPv4 address leave
                yield candidate
    elif address.sixtofour:
        yield address.sixtofour
    elif address.teredo:
        yield from address.teredo


def why_placeholder(url: str) -> str:
    """Return why the host of a normalized URL is from a template or probably not public, or an
    empty string.
    """
    return why_template(url) or why_doubtful(url)


def why_template(url: str) -> str:
    """Return from which template the host of a normalized URL comes, as text, or nothing."""
    host = urls.host(url)
    template = templates.template_of(host)
    if not template:
        return ""
    return f"{host} {template}"


def why_doubtful(url: str) -> str:
    """Return why the host of a normalized URL is probably not the public one, as text, or an empty
    string.
    """
    host = urls.host(url)
    if _EXAMPLE_NAMES.fullmatch(host):
        return f"{host} is a placeholder domain"
    if not _ip_address(host) and "." not in host.rstrip("."):
        return f"{host} is known only on a local network"
    return ""


def _ip_address(host: str) -> _IpAddress | None:
    """Return the IP address that a host represents, including short forms that browsers accept,
    such as ``127.1``.
    """
    with suppress(OSError):
        return ipaddress.IPv4Address(socket.inet_aton(host.rstrip(".")))
    with suppress(ValueError):
        return ipaddress.IPv6Address(host)
    return None
