"""How URLs are brought to one form, joined and compared; nothing else in the package compares URLs."""

import os
import re
from collections.abc import Callable
from functools import lru_cache
from urllib.parse import SplitResult, quote, unquote, unquote_to_bytes, urljoin, urlsplit

# Nothing in such a URL can change under RFC 3986, section 6.2.2: no escape, dot segment, port, or upper-case host.
_ALREADY_NORMAL = re.compile(r"https?://[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?(?!.*/\.)/[A-Za-z0-9\-._~!$&'()*+,;=:@/]*")
_ESCAPE = re.compile(r"%[0-9A-Fa-f]{2}")
_UNRESERVED = frozenset(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")
_SAFE_IN_PATH = "/!$&'()*+,;=:@~%"
_SAFE_IN_QUERY = _SAFE_IN_PATH + "?"
_DEFAULT_PORTS = {"http": 80, "https": 443}
_ERROR_PAGE = re.compile(r"404(?:/(?:index\.html?)?)?|(?:.*/)?404\.html?", re.DOTALL)

NO_ADDRESS = "https://address-unknown.invalid/"
"""Stands for the address of a site until that is known."""


class UnknownAddressError(ValueError):
    """Nothing tells at which URL a directory is served."""


def normalise(url: str) -> str:
    """Return the one form of an absolute http(s) URL under which equal URLs are equal strings.

    Lower-case scheme and host, IDN hosts in ASCII, no default port, no fragment, no dot segments, upper-case escapes,
    no escape where none is needed, everything else escaped as UTF-8 (RFC 3986, section 6.2.2; RFC 3987, section 3.1).

    Raises:
        ValueError: the URL is relative, of another scheme, has no host, or carries user information.
    """
    if _ALREADY_NORMAL.fullmatch(url):
        return url
    parts = urlsplit(url.strip())
    scheme = parts.scheme.lower()
    if scheme not in _DEFAULT_PORTS:
        message = f"{url!r} is not an absolute http or https URL"
        raise ValueError(message)
    path = _remove_dot_segments(_encode(parts.path, _SAFE_IN_PATH)) or "/"
    query = f"?{_encode(parts.query, _SAFE_IN_QUERY)}" if parts.query else ""
    return f"{scheme}://{_authority(parts, scheme, url)}{path}{query}"


def normal(url: str, base: str = "") -> str:
    """Return the normal form of a URL, which may be relative where there is a base, or nothing where it is none."""
    try:
        return resolve(base, url) if base else normalise(url)
    except ValueError:
        return ""


def site_url(address: str) -> str:
    """Return the normal form of a site's address, which ends with a slash whether it is written or not.

    Raises:
        ValueError: as of `normalise`.
    """
    return normalise(address.strip().rstrip("/") + "/")


def resolve(base: str, reference: str) -> str:
    """Resolve a reference against an absolute URL and normalise the result (RFC 3986, section 5)."""
    return reference if _ALREADY_NORMAL.fullmatch(reference) else normalise(urljoin(base, reference))


def directory(url: str) -> str:
    """Return the URL of the directory that holds a normalised URL's file, with its trailing slash."""
    path_end = url.partition("?")[0]
    return path_end[: path_end.rindex("/") + 1]


def origin(url: str) -> str:
    """Return scheme, host and port of a normalised URL: what "the same site" means for sitemaps."""
    return url[: url.index("/", url.index("://") + 3)]


def read_origin(text: str) -> str:
    """Return the one form of an origin, such as ``https://example.org``.

    Raises:
        ValueError: it is none, or it has a path.
    """
    normal = normalise(text)
    if path(normal) != "/":
        message = f"got {text!r}, which has a path; a robots.txt speaks for all of {origin(normal)}"
        raise ValueError(message)
    return origin(normal)


def path(url: str) -> str:
    """Return path and query of a normalised URL, as a request names them."""
    return url[url.index("/", url.index("://") + 3) :]


def is_within(url: str, directory_url: str) -> bool:
    """Whether a normalised URL is under a directory (itself included), on the same scheme, host and port."""
    return url.startswith(directory_url)


def relative_path(url: str, directory_url: str) -> str:
    """Return the part of a URL's path below a directory it is within, still percent-encoded, without its query."""
    return url[len(directory_url) :].partition("?")[0]


def file_path(encoded_path: str) -> str | None:
    """Return the path on disk that serves a relative URL path, with ``/`` separators, or None where no file can.

    An encoded slash, backslash or NUL, a dot segment, or an empty segment, would name another place than the URL says.
    """
    segments = [unquote(segment, errors="surrogateescape") for segment in encoded_path.split("/")]
    if "" in segments[:-1]:
        return None
    if any(segment in {".", ".."} or set(segment) & {"/", "\\", "\0"} for segment in segments):
        return None
    return "/".join(segments)


def answering_files(path: str) -> tuple[str, ...]:
    """Return, in their order, the files with which servers answer for a path, as `file_path` gives it."""
    if path == "" or path.endswith("/"):
        return path + "index.html", path + "index.htm", path.rstrip("/") + ".html"
    return path, path + ".html", path + "/index.html", path + "/index.htm"


def find_file(
    directory: str, base: str, url: str, names: Callable[[str], tuple[str, ...]] = lambda path: (path,)
) -> str | None:
    """Return the file of a normalised URL, relative to the directory that is served at a base, or None.

    Of a URL elsewhere, or without a base, any end of its path is looked for, the longest first: a site may have moved.
    With `answering_files` for names, the file is that of a page.
    """
    is_here = bool(base) and is_within(url, base)
    encoded = relative_path(url, base) if is_here else url.partition("://")[2].partition("/")[2]
    while True:
        path = file_path(encoded)
        for name in names(path) if path is not None else ():
            if os.path.isfile(os.path.join(directory, name)):
                return name
        if is_here or not encoded:
            return None
        encoded = encoded.partition("/")[2]


def from_file_path(path: str) -> str:
    """Percent-encode a relative file path (``/`` separators) into a relative URL path."""
    return quote(path, safe=_SAFE_IN_PATH.replace("%", ""), errors="surrogateescape")


def page_path(file: str) -> str:
    """Return the relative URL path at which servers show a page's file: that of an index.html is its directory."""
    directory, slash, name = file.rpartition("/")
    return from_file_path(directory + slash if name == "index.html" else file)


def is_error_page(path: str) -> bool:
    """Whether a path below a site's address is that of the page which servers show for errors.

    What is in a deeper directory called 404 may be about that error.
    """
    return "404" in path and _ERROR_PAGE.fullmatch(path) is not None


def encoded_path(text: str) -> str:
    """Bring a part of a path and query into the form it has in a normalised URL; dot segments stay."""
    return _encode(text, _SAFE_IN_QUERY)


def matches(url_path: str, patterns: tuple[str, ...]) -> bool:
    """Whether a relative, percent-encoded URL path meets one of the patterns.

    ``*`` and ``?`` stay within one segment, ``**`` crosses them, and a pattern that ends in ``/`` means everything
    below it. Patterns are compared with the decoded path, so non-ASCII names are written as they look.
    """
    if not patterns:
        return False
    decoded = unquote(url_path)
    return any(_pattern(pattern).fullmatch(decoded) for pattern in patterns)


@lru_cache(maxsize=1024)
def _pattern(pattern: str) -> re.Pattern[str]:
    pattern = unquote(pattern.lstrip("/"))
    if pattern.endswith("/"):
        pattern += "**"
    pieces = re.split(r"((?<![^/])\*\*/|\*\*|\*|\?)", pattern)
    wild = {"**/": "(?:.*/)?", "**": ".*", "*": "[^/]*", "?": "[^/]"}
    return re.compile("".join(wild.get(piece, re.escape(piece)) for piece in pieces), re.DOTALL)


def _authority(parts: SplitResult, scheme: str, url: str) -> str:
    host = parts.hostname
    if not host:
        message = f"{url!r} has no host"
        raise ValueError(message)
    if parts.username is not None:
        message = f"the URL given for {host!r} carries user information, which a sitemap must not publish"
        raise ValueError(message)
    try:
        name = f"[{host}]" if ":" in host else _ascii_host(host)
    except ValueError as error:
        message = f"{url!r} has no valid host"
        raise ValueError(message) from error
    port = parts.port
    return name if port in {None, _DEFAULT_PORTS[scheme]} else f"{name}:{port}"


@lru_cache(maxsize=256)
def _ascii_host(host: str) -> str:
    if not host.isascii():
        import idna  # noqa: PLC0415 - its tables take 10 ms to load, and few sites need them

        return idna.encode(host, uts46=True).decode("ascii")
    if not re.fullmatch(r"[a-z0-9._-]+", host):
        raise ValueError(host)
    return host


def _encode(text: str, safe: str) -> str:
    """Escape what must be escaped, decode what must not be, and leave every other escape in upper case."""
    text = re.sub(r"%(?![0-9A-Fa-f]{2})", "%25", text)
    text = _ESCAPE.sub(_normal_escape, text)
    return quote(text, safe=safe, errors="surrogateescape")


def _normal_escape(match: re.Match[str]) -> str:
    (byte,) = unquote_to_bytes(match[0])
    return chr(byte) if byte in _UNRESERVED else match[0].upper()


def _remove_dot_segments(path: str) -> str:
    """Remove ``.`` and ``..`` (RFC 3986, section 5.2.4); empty segments stay, for a server may tell them apart."""
    if "/." not in path:
        return path
    kept: list[str] = []
    segments = path.split("/")
    for segment in segments:
        if segment == "..":
            if len(kept) > 1:
                kept.pop()
        elif segment != ".":
            kept.append(segment)
    if segments[-1] in {".", ".."}:
        kept.append("")
    return "/".join(kept)
