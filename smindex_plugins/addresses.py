"""The address of a site: how it is read, what is wrong with it, and who can reach it."""

import ipaddress
import re
import socket
from collections.abc import Iterator
from contextlib import suppress

from smindex_plugins import urls
from smindex_plugins.catalogue import DOUBTFUL_ADDRESS, PRIVATE_ADDRESS
from smindex_plugins.model import Finding
from smindex_plugins.text import brief, masked, printable

_EXAMPLE = "https://example.org/docs/"
_SCHEME = re.compile(r"\A(?:https?:/*|https?//+|[a-z][a-z0-9+.-]*:/+|/+)*+", re.IGNORECASE)
"""Schemes and slashes before a host, as people write them."""
_NO_URL = re.compile(r"[\s\0-\x20\x7f<>\"{}|\\^`]")
_FILE = re.compile(
    r"/(?:(?:index|default|home|readme|robots|sitemap[\w-]*)\.\w+(?:\.gz)?|[^/]+\.x?html?)/?\Z", re.IGNORECASE
)
"""A name that only a page or a well-known file has. A directory may well be called `project.js`."""

_HERE = "this machine"
_NEAR = "this machine or its own network"
_LOCAL_NAMES = re.compile(
    r".+\.(?:local|localdomain|internal|intranet|private|corp|home|lan|home\.arpa|test|invalid)\.?"
)
"""https://www.rfc-editor.org/rfc/rfc6761, rfc6762 (appendix G) and rfc8375, and what ICANN keeps for private use."""
_EXAMPLE_NAMES = re.compile(r"(?:.*\.)?example(?:\.(?:com|net|org))?\.?")
"""https://www.rfc-editor.org/rfc/rfc2606"""


def site_url(address: object) -> str:
    """Return the normal form of a site's address, which always ends with a slash.

    Raises:
        ValueError: it is not the http(s) URL of a directory that everybody may see; the message says why, and what to
            write, and has no password.
    """
    if not isinstance(address, str):
        given = "None" if address is None else f"({type(address).__name__})"
        message = f"{given} is not a text; write the address of a directory, such as {_EXAMPLE}"
        raise ValueError(message)  # noqa: TRY004 - one kind of error, whatever is wrong with an address
    text = given = address.strip()
    if "@" in text and (hidden := _without_password(text)):
        given, problem = hidden, "has a user name or a password, which everybody could read in the sitemaps"
    else:
        problem = _problem(text)
    if problem:
        message = (
            f"{brief(given)} {problem}; write the address of a directory, such as {_suggestion(given) or _EXAMPLE}"
        )
        raise ValueError(message)
    return urls.normalise(text).rstrip("/") + "/"


def read(address: object, option: str) -> tuple[str, str]:
    """Return the normal form of the address that an option gives, or an empty string and what is wrong with it."""
    try:
        return site_url(address), ""
    except ValueError as error:
        return "", printable(f"{option} {error}.")


def read_origin(text: str) -> str:
    """Return the normal form of an origin, such as ``https://example.org``.

    Raises:
        ValueError: it is none, or it has a path.
    """
    address = site_url(text)
    if urls.path(address) != "/":
        message = f"{brief(text)} has a path, but a robots.txt applies to all of {urls.origin(address)}"
        raise ValueError(message)
    return urls.origin(address)


def _without_password(text: str) -> str:
    """Return an address with its user name and password masked, or an empty string if it has none."""
    text = re.sub(r"\s", "", text)  # a password may have a space, and an address may lack its scheme
    hidden = masked(text) if "//" in text else masked(f"//{text}")[2:]
    return hidden if hidden != text else ""


def _problem(text: str) -> str:  # noqa: C901, PLR0911 - one for each problem
    """Return what is wrong with an address without a password, as the end of a sentence, or an empty string."""
    if not text:
        return "is empty"
    if re.match(r"/(?!/)|\.|~|[a-z]:(?!//)", text, re.IGNORECASE):
        return "is a path, not a URL"
    if _NO_URL.search(text):
        return "has a space or another character that no URL may have, perhaps from a placeholder"
    if not re.match(r"https?:|[a-z][a-z0-9+.-]*:/", text, re.IGNORECASE):
        return "has no scheme"
    if not re.match(r"https?:", text, re.IGNORECASE):
        return "does not begin with https: or http:"
    if not re.match(r"\w+://(?!/)", text):
        return "lacks the two slashes after its scheme"
    if "?" in text.partition("#")[0]:
        return "has a query"
    if "#" in text:
        return "has a fragment"
    url = urls.normal(text)
    if not url:
        return "has no valid host and port"
    if _FILE.search(urls.path(url)):
        return "ends with the name of a file"
    return "has // in its path" if "//" in urls.path(url).rstrip("/") else ""


def _suggestion(text: str) -> str:
    """Return the address that the user may have meant by a wrong one, or an empty string."""
    rest = re.split(r"[?#]", _SCHEME.sub("", text, count=1), maxsplit=1)[0]
    host, _, path = rest.partition("/")
    scheme = "http" if text.lower().startswith("http:") else "https"
    path = re.sub(r"//+", "/", _FILE.sub("", f"/{path}").rstrip("/"))
    url = urls.normal(f"{scheme}://{host.rpartition('@')[2]}{path}/")
    is_placeholder = _NO_URL.search(text.replace(" ", ""))
    return url if re.search(r"\w\.\w", host) and url and not is_placeholder and not _problem(url) else ""


def who_reaches(url: str) -> str:
    """Return, in words, who can reach the host of a normalised URL, or an empty string if everybody can."""
    host = _host(url)
    if address := _ip_address(host):
        is_here = address.is_loopback or address.is_unspecified
        return _HERE if is_here else "" if address.is_global else _NEAR
    if re.fullmatch(r"(?:.*\.)?localhost\.?", host):
        return _HERE
    return _NEAR if _LOCAL_NAMES.fullmatch(host) else ""


def doubts(site_url: str, place: str) -> Iterator[Finding]:
    """Find why the address of a site is probably not the one that its visitors use."""
    host = _host(site_url)
    problem = f"its URLs begin with {site_url}"
    if who := who_reaches(site_url):
        yield PRIVATE_ADDRESS.at(place, f"{problem}, which only {who} can reach.")
    elif _EXAMPLE_NAMES.fullmatch(host):
        yield DOUBTFUL_ADDRESS.at(place, f"{problem}, and {host} is a name for examples.")
    elif not _ip_address(host) and "." not in host.rstrip("."):
        yield DOUBTFUL_ADDRESS.at(place, f"{problem}, and {host} is a name that only a local network knows.")


def _host(url: str) -> str:
    authority = urls.origin(url).partition("://")[2]
    return authority[1 : authority.index("]")] if authority.startswith("[") else authority.partition(":")[0]


def _ip_address(host: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    """Return the IP address that a host stands for, also in short forms that browsers read, such as ``127.1``."""
    with suppress(ValueError):
        address = ipaddress.ip_address(host)
        return getattr(address, "ipv4_mapped", None) or address
    with suppress(OSError):
        return ipaddress.IPv4Address(socket.inet_aton(host.rstrip(".")))
    return None
