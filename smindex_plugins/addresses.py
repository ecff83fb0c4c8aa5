"""The address of a site: how it is read, what is wrong with it, and who can reach it."""

import ipaddress
import re
import socket
from collections.abc import Callable, Iterator
from contextlib import suppress
from urllib.parse import quote

from smindex_plugins import urls
from smindex_plugins.catalogue import DOUBTFUL_ADDRESS, PRIVATE_ADDRESS
from smindex_plugins.limits import MAX_URL_LENGTH
from smindex_plugins.model import Finding
from smindex_plugins.wording import printable

_EXAMPLE = "https://example.org/docs/"
_HEAD = re.compile(r"(?:https?:/*|https?//+|[a-z][a-z0-9+.-]*:/+|/+)*+", re.IGNORECASE)
"""A scheme and any number of slashes before a host, as people write them."""
_FILE_NAME = re.compile(r"(?:index|default|home|readme|robots|sitemap[\w-]*)\.\w+(?:\.gz)?|.+\.x?html?", re.IGNORECASE)
"""A name that only a page or a well-known file has. A directory may well be called `project.js`."""
_HOST = re.compile(r"(?:(?!-)[a-z0-9_-]{1,63}(?<!-)\.)*(?!-)[a-z0-9_-]{1,63}(?<!-)\.?", re.IGNORECASE)
_PLACEHOLDER = re.compile(r"[<>\"{}|^`]")
_PUBLIC_NAME = re.compile(r"(?:[\w-]+\.)+[\w-]+")

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
        given = "None" if address is None else f"({type(address).__name__})"  # whose content may be endless
        message = f"{given} is not a text; write the address of a directory, such as {_EXAMPLE}"
        raise ValueError(message)  # noqa: TRY004 - one kind of error, whatever is wrong with an address
    text = address.strip()
    if len(text) > MAX_URL_LENGTH:
        message = f"{_masked(text)} has {len(text):,} characters; the protocol of sitemaps allows {MAX_URL_LENGTH:,}"
        raise ValueError(message)
    if problem := _problem(text):
        message = f"{_masked(text)} {problem}; write the address of a directory, such as {_mended(text) or _EXAMPLE}"
        raise ValueError(message)
    return urls.normalise(text.rstrip("/") + "/")


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
        message = f"{urls.masked(repr(text))} has a path, but a robots.txt applies to all of {urls.origin(address)}"
        raise ValueError(message)
    return urls.origin(address)


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


def _problem(text: str) -> str:
    """Return what is wrong with an address, as the end of a sentence, or an empty string."""
    return next((problem for problem, is_so in _PROBLEMS if is_so(text)), "")


def _headless(text: str) -> str:
    found = _HEAD.match(text)
    return text[found.end() :] if found else text


def _authority(text: str) -> str:
    """Return the part of an address before its path. If the address is invalid, return what may be meant."""
    return re.split(r"[/?#]", _headless(text), maxsplit=1)[0]


def _path(text: str) -> str:
    return _headless(text).removeprefix(_authority(text))


def _is_wrong_host(text: str) -> bool:
    try:
        host = _host(urls.normalise(text))
    except ValueError:
        return True
    is_name = _HOST.fullmatch(host) and not host.rstrip(".").rpartition(".")[2].isdigit()
    return not (is_name or _ip_address(host))


def _has_wrong_port(text: str) -> bool:
    port = re.sub(r"\[[^\]]*\]?", "", _authority(text)).partition(":")[2]
    return not re.fullmatch(r"\d{0,5}", port) or int(port or 0) >= 1 << 16


_PROBLEMS: tuple[tuple[str, Callable[[str], object]], ...] = (
    ("is empty", lambda text: not text),
    (
        "has a user name or a password, which everybody could read in the sitemaps",
        lambda text: urls.masked(text) != text or "@" in _authority(text),
    ),
    ("is a path, not a URL", re.compile(r"/(?!/)|\.|~|[a-z]:(?!//)", re.IGNORECASE).match),
    ("has a backslash", lambda text: "\\" in text),
    ("has a space or a control character", re.compile(r"[\s\0-\x20\x7f]").search),
    ("has a character that no URL may have, perhaps from a placeholder", _PLACEHOLDER.search),
    ("has no scheme", lambda text: not re.match(r"https?:|[a-z][a-z0-9+.-]*:/", text, re.IGNORECASE)),
    ("does not begin with https: or http:", lambda text: not re.match(r"https?:", text, re.IGNORECASE)),
    ("lacks the two slashes after its scheme", lambda text: not re.match(r"\w+://(?!/)", text)),
    ("has a query", lambda text: "?" in text.partition("#")[0]),
    ("has a fragment", lambda text: "#" in text),
    ("names a scheme twice", lambda text: re.match(r"\w+://\w+:/", text)),
    ("has no host", lambda text: _authority(text).partition(":")[0] == ""),
    ("has a wrong port", _has_wrong_port),
    ("has no valid host", _is_wrong_host),
    ("ends with the name of a file", lambda text: _FILE_NAME.fullmatch(_path(text).rstrip("/").rpartition("/")[2])),
    ("has // in its path", lambda text: "//" in _path(text).rstrip("/")),
)
"""What can be wrong with an address, and how to detect it. The first problem that applies is reported."""


def _mended(text: str) -> str:
    """Return the address that the user may have meant by a wrong one, or an empty string."""
    host = _authority(text).rpartition("@")[2]
    scheme = "http" if re.match(r"http:", text, re.IGNORECASE) else "https"
    path = re.sub(r"//+", "/", quote(re.split(r"[?#]", _path(text), maxsplit=1)[0], safe="/%:@!$&'()*+,;=~"))
    above, _, last = path.rstrip("/").rpartition("/")
    path = above if _FILE_NAME.fullmatch(last) else path.rstrip("/")
    mended = f"{scheme}://{host}{path}/"
    is_host = _PUBLIC_NAME.fullmatch(host.partition(":")[0]) and not _FILE_NAME.fullmatch(host)
    return mended if is_host and not _PLACEHOLDER.search(text) and not _problem(mended) else ""


def _masked(text: str) -> str:
    """Return an address without its user name and password, even if it has no scheme."""
    text = urls.beginning(text)
    masked = urls.masked(text)
    if masked == text and "@" in _authority(text):
        rest = _headless(text)
        masked = f"{text.removesuffix(rest)}***@{rest.rpartition('@')[2]}"
    return urls.shown(masked)


def _host(url: str) -> str:
    authority = urls.origin(url).partition("://")[2]
    return authority[1 : authority.index("]")] if authority.startswith("[") else authority.partition(":")[0]


def _ip_address(host: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    """Return the IP address that a host stands for, also in short forms that browsers read, such as ``127.1``."""
    with suppress(OSError):
        if re.fullmatch(r"(?:.*\.)?(?:\d+|0x[0-9a-f]*)\.?", host):
            return ipaddress.IPv4Address(socket.inet_aton(host.rstrip(".")))
    with suppress(ValueError):
        address = ipaddress.IPv6Address(host)
        return address.ipv4_mapped or address
    return None
