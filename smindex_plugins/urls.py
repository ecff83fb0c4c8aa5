"""How URLs are normalised, joined and compared. No other module compares URLs."""

import os
import posixpath
import re
from collections.abc import Callable, Container, Iterator
from contextlib import suppress
from functools import lru_cache
from urllib.parse import SplitResult, quote, unquote, urljoin, urlsplit

from smindex_plugins.limits import MAX_HOST, MAX_PATH, MAX_URL_READ, MAX_URL_SHOWN

# Nothing in such a URL without a dot segment can change under RFC 3986, section 6.2.2: no escape, and neither a default
# port nor an upper-case host.
_ALREADY_NORMAL = re.compile(
    r"https?://(?![.-])[a-z0-9.-]++(?<![.-])(?::(?:[1-5][0-9]|[1-9])[0-9]{3})?+/[A-Za-z0-9\-._~!$&'()*+,;=:@/]*"
)
_ALL_ALREADY_NORMAL = re.compile(rf"(?:{_ALREADY_NORMAL.pattern}(?:\n|\Z))*+")
# Nor in what such a reference leads to, from a normal URL without empty segments.
_PLAIN_REFERENCE = re.compile(r"(?P<up>/|(?:\.\./)*+)(?P<rest>(?![./])(?!.*/[./])[A-Za-z0-9\-._~!$&'()*+,=@/]++)")
_UNRESERVED_PATH = re.compile(r"[A-Za-z0-9\-._~/]*+")
_ESCAPE = re.compile(r"%[0-9A-Fa-f]{2}")
_UNRESERVED = frozenset(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")
_UNESCAPED = {f"%{byte:02X}": chr(byte) for byte in _UNRESERVED}
_SAFE_IN_PATH = "/!$&'()*+,;=:@~%"
_SAFE_IN_QUERY = _SAFE_IN_PATH + "?"
_DEFAULT_PORTS = {"http": 80, "https": 443}
_ERROR_PAGE = re.compile(r"404(?:/(?:index\.html?)?)?|(?:.*/)?404\.html?", re.DOTALL)
_WORD = re.compile(r"\S++")
_USER = re.compile(r"(//)(?:[^\s/?#\"'<>]*|[^\s/?#@:]*+:(?!\d{0,5}[/?#])\S*)@")
"""A user name and password in a URL. Passwords can contain unescaped characters; the missing port reveals them."""

NO_ADDRESS = "https://address-unknown.invalid/"
"""A placeholder for the address of a site that is not known yet."""


class UnknownAddressError(ValueError):
    """The URL at which a directory is served cannot be determined."""


class LongURLError(ValueError):
    """A URL is longer than the longest that is ever looked at."""


def normalise(url: str) -> str:
    """Return the normal form of an absolute http(s) URL. Equal URLs have equal normal forms.

    Lower-case scheme and host, IDN hosts in ASCII, no default port, no fragment, no dot segments, upper-case escapes,
    no escape where none is needed, everything else escaped as UTF-8 (RFC 3986, section 6.2.2; RFC 3987, section 3.1).

    Raises:
        LongURLError: the URL, or its normal form, is too long to be looked at.
        ValueError: the URL is relative, of another scheme, has no host, or carries user information.
    """
    if len(url) <= MAX_URL_READ and "/." not in url and _ALREADY_NORMAL.fullmatch(url):
        return url
    _refuse_long(url)
    try:
        parts = urlsplit(url.strip())
    except ValueError:  # whose message may repeat a password
        message = f"{shown(url)} has no valid host"
        raise ValueError(message) from None
    scheme = parts.scheme.lower()
    if scheme not in _DEFAULT_PORTS:
        message = f"{shown(url)} is not an absolute http or https URL"
        raise ValueError(message)
    path = _remove_dot_segments(_encode(parts.path, _SAFE_IN_PATH)) or "/"
    query = f"?{_encode(parts.query, _SAFE_IN_QUERY)}" if parts.query else ""
    normal = f"{scheme}://{_authority(parts, scheme, url)}{path}{query}"
    _refuse_long(normal)  # so that a normal form has a normal form
    return normal


def _refuse_long(url: str) -> None:
    if len(url) > MAX_URL_READ:
        message = f"{shown(url)} has {len(url):,} characters, more than any URL may have"
        raise LongURLError(message)


def shown(url: str) -> str:
    """Return an invalid URL as messages show it: quoted, masked and shortened."""
    text = masked(beginning(url))
    return repr(text if len(text) <= MAX_URL_SHOWN else text[:MAX_URL_SHOWN] + "…")


def beginning(text: str) -> str:
    """Return the part of a text that is looked at. A user name that is cut still ends with @, so it can be masked."""
    return text if len(text) <= MAX_URL_READ else text[:MAX_URL_READ] + "@" * ("@" in text)


def masked(text: str) -> str:
    """Return a text that is safe to show: user names and passwords in its URLs are masked."""
    return _WORD.sub(_masked_word, text) if "@" in text else text


def _masked_word(word: re.Match[str]) -> str:
    before, sign, after = word[0].rpartition("@")  # no user stands after the last, and none is looked for there
    return _USER.sub(r"\1***@", before + sign) + after


def normal(url: str, base: str = "") -> str:
    """Return the normal form of a URL, which may be relative to a base, or an empty string if it is invalid."""
    try:
        return resolve(base, url)
    except ValueError:
        return ""


def all_normal(urls: list[str]) -> list[str]:
    """Return the normal forms of absolute URLs, empty for those that are invalid. Many take a third of the time."""
    together = "\n".join(urls)
    is_plain = len(together) <= MAX_URL_READ and "/." not in together and together.count("\n") < len(urls)
    return urls if is_plain and _ALL_ALREADY_NORMAL.fullmatch(together) else list(map(normal, urls))


def resolve(base: str, reference: str) -> str:
    """Resolve a reference against an absolute URL and normalise the result (RFC 3986, section 5).

    Raises:
        ValueError: as `normalise` does.
    """
    if len(reference) <= MAX_URL_READ and "/." not in reference and _ALREADY_NORMAL.fullmatch(reference):
        return reference
    _refuse_long(reference)
    below, root = _normal_directory(base)
    if not (below and (plain := _PLAIN_REFERENCE.fullmatch(reference))):
        return normalise(urljoin(base, reference))
    for _ in range(plain["up"].count("..")):
        below = below[: below.rindex("/", 0, -1) + 1] if below != root else root
    below = root if plain["up"] == "/" else below
    _refuse_long(below + plain["rest"])
    return below + plain["rest"]


@lru_cache(maxsize=1)  # the references in a page follow one another
def _normal_directory(url: str) -> tuple[str, str]:
    """Return the directory of a URL and the root of its host, or nothing if it is not normal or has empty segments."""
    with suppress(ValueError):
        if normalise(url) == url and "//" not in path(url):
            return directory(url), origin(url) + "/"
    return "", ""


def directory(url: str) -> str:
    """Return the URL of the directory that holds a normalised URL's file, with its trailing slash."""
    path_end = url.partition("?")[0]
    return path_end[: path_end.rindex("/") + 1]


def origin(url: str) -> str:
    """Return the scheme, host and port of a normalised URL, which define "the same site" for sitemaps."""
    return url[: url.index("/", url.index("://") + 3)]


def path(url: str) -> str:
    """Return the path and query of a normalised URL, as a request has them."""
    return url[url.index("/", url.index("://") + 3) :]


def step(directory: str, link: str) -> str | None:
    """Return the relative path from one URL's directory to another URL, or None if the host differs."""
    ours, theirs = urlsplit(directory), urlsplit(link)
    return posixpath.relpath(theirs.path, ours.path) if theirs.netloc == ours.netloc else None


def is_within(url: str, directory_url: str) -> bool:
    """Whether a normalised URL is a directory or below it, with the same scheme, host and port."""
    return url.startswith(directory_url)


def relative_path(url: str, directory_url: str) -> str:
    """Return the part of a URL's path below a directory it is within, still percent-encoded, without its query."""
    return url[len(directory_url) :].partition("?")[0]


def file_path(encoded_path: str) -> str | None:
    """Return the path on disk, with ``/`` separators, that serves a relative URL path, or None if no file can.

    An encoded slash, backslash or NUL, a dot segment, or an empty segment, would name another place than the URL says.
    """
    segments = encoded_path.split("/")
    if "%" in encoded_path:
        segments = [unquote(segment, errors="surrogateescape") for segment in segments]
    path = "/".join(segments)
    if path.count("/") >= len(segments) or "\\" in path or "\0" in path:
        return None
    return None if "." in segments or ".." in segments or "" in segments[:-1] else path


def answering_files(path: str) -> tuple[str, ...]:
    """Return the files that servers try for a path, in their order."""
    if path == "" or path.endswith("/"):
        return path + "index.html", path + "index.htm", path.rstrip("/") + ".html"
    return path, path + ".html", path + "/index.html", path + "/index.htm"


def find_file(
    directory: str,
    base: str,
    url: str,
    names: Callable[[str], tuple[str, ...]] = lambda path: (path,),
    known: Container[str] = (),
) -> str | None:
    """Return the path of a normalised URL's file, relative to the directory that is served at a base, or None.

    Of a URL elsewhere, or without a base, any end of its path is looked for, the longest first: a site may have moved.
    With `answering_files` for names, the file is that of a page. The known files are there, so nobody looks for them.
    """
    is_here = bool(base) and is_within(url, base)
    below = url[len(base) :] if is_here else url.partition("://")[2].partition("/")[2]
    encoded = below.partition("?")[0]
    for path in [file_path(encoded)] if is_here else _ends(encoded):
        for name in names(path) if path is not None else ():
            if name in known or os.path.isfile(os.path.join(directory, name)):
                return name
    return None


def _ends(encoded: str) -> Iterator[str]:
    """Yield the paths on disk that the ends of a URL's path name: the longest first, the empty one last."""
    segments = [file_path(segment) for segment in encoded.split("/")]
    last = len(segments) - 1
    faults = (at for at, segment in enumerate(segments) if segment is None or (segment == "" and at < last))
    ends = [segment or "" for segment in segments[max(faults, default=-1) + 1 :]]
    for at in range(max(len(ends) - MAX_PATH, 0), len(ends)):
        yield "/".join(ends[at:])
    if segments[-1] != "":
        yield ""


def from_file_path(path: str) -> str:
    """Percent-encode a relative file path (``/`` separators) into a relative URL path."""
    if _UNRESERVED_PATH.fullmatch(path):
        return path
    return quote(path, safe=_SAFE_IN_PATH.replace("%", ""), errors="surrogateescape")


def page_path(file: str) -> str:
    """Return the relative URL path at which servers show a page's file. For an index.html, that is its directory."""
    directory, slash, name = file.rpartition("/")
    return from_file_path(directory + slash if name == "index.html" else file)


def is_error_page(path: str) -> bool:
    """Whether a path below a site's address is the page that servers show for errors.

    What is in a deeper directory called 404 may be about that error.
    """
    return "404" in path and _ERROR_PAGE.fullmatch(path) is not None


def encoded_path(text: str) -> str:
    """Return a part of a path and query in the form of a normalised URL. Dot segments stay."""
    return _encode(text, _SAFE_IN_QUERY)


def _authority(parts: SplitResult, scheme: str, url: str) -> str:
    host = parts.hostname
    if parts.username is not None:
        problem = "has a user name or a password, which a sitemap must not publish"
    elif not host:
        problem = "has no host"
    else:
        try:
            name = f"[{host}]" if ":" in host else _ascii_host(host)
            port = parts.port
            return name if port in {None, _DEFAULT_PORTS[scheme]} else f"{name}:{port}"
        except ValueError:
            problem = "has no valid host and port"
    message = f"{shown(url)} {problem}"
    raise ValueError(message)


@lru_cache(maxsize=256)
def _ascii_host(host: str) -> str:
    if not host.isascii() and len(host) <= MAX_HOST:
        import idna  # noqa: PLC0415 - its tables take 10 ms to load, and few sites need them

        return idna.encode(host, uts46=True).decode("ascii")
    if not re.fullmatch(r"[a-z0-9._-]+", host):
        raise ValueError(host)
    return host


def _encode(text: str, safe: str) -> str:
    """Return a text with the necessary escapes and no others. All remaining escapes are in upper case."""
    text = re.sub(r"%(?![0-9A-Fa-f]{2})", "%25", text)
    text = _ESCAPE.sub(_normal_escape, text)
    return quote(text, safe=safe, errors="surrogateescape")


def _normal_escape(match: re.Match[str]) -> str:
    return _UNESCAPED.get(escape := match[0].upper(), escape)


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
