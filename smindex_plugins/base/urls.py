"""Normalizes, joins and compares URLs. No other module compares URLs."""

import os
import re
import string
import unicodedata
from collections.abc import Callable, Container
from functools import lru_cache
from urllib.parse import quote, unquote, urljoin, urlsplit

from smindex_plugins.base.limits import MAX_HOST, MAX_URL_LENGTH
from smindex_plugins.base.text import brief

_UNESCAPED = r"[A-Za-z0-9\-._~!$&'()*+,;=:@/]*+"
_ESCAPED = "%(?:[89A-F][0-9A-F]|2[0-9A-CF])"
"""The escapes that URLs contain most: of other scripts, spaces and signs."""
# RFC 3986, section 6.2.2, leaves these URLs unchanged if they have no dot segment. Most URLs of a
# site match.
_ALREADY_NORMAL = re.compile(rf"https?://[a-z0-9._-]+/{_UNESCAPED}(?:{_ESCAPED}{_UNESCAPED})*+")
_ESCAPE = re.compile(r"%[0-9A-Fa-f]{2}")
CONTROL = "%(?:[01][0-9A-F]|7F|C2%[89][0-9A-F]|E2%80%A[89])"
"""A control character in UTF-8, or a line or paragraph separator of Unicode, also as an expression
for RE2."""
_UNRESERVED = frozenset(string.ascii_letters + string.digits + "-._~")
_SAFE_IN_PATH = "/!$&'()*+,;=:@~%"
_SAFE_IN_QUERY = _SAFE_IN_PATH + "?"
_DEFAULT_PORTS = {"http": 80, "https": 443}
_ERROR_PAGE = re.compile(
    # of the site or of a language
    r"(?:[a-z]{2}(?:[-_][A-Za-z0-9]{2,4})?/)?(?:404|50[0-4])(?:/(?:index\.html?)?)?"
    r"|(?:.*/)?(?:404|50[0-4])\.html?"
    r"|200\.html",  # which some hosts send instead of missing pages for scripts
    re.DOTALL,
)

NO_ADDRESS = "https://address-unknown.invalid/"
"""A placeholder for the address of a site that is not known yet."""


class UnknownAddressError(ValueError):
    """The public URL of a directory can't be determined."""


def is_url(text: str) -> bool:
    """Whether a text is an http(s) URL, not a path."""
    return re.match(r"https?://", text, re.IGNORECASE) is not None


def normalise(url: str) -> str:
    """Return the normal form of an absolute http(s) URL. Equal URLs have equal normal forms.

    Lower-case scheme and host, IDN hosts in ASCII, no default port, no fragment, no dot segments,
    upper-case escapes, no escape where none is needed, everything else escaped as UTF-8 (RFC 3986,
    section 6.2.2; RFC 3987, section 3.1).

    Raises:
        ValueError: the URL is relative, of another scheme, has no valid host, or carries user
            information.
    """
    if _is_normal(url):
        return url
    problem = ""
    try:
        parts = urlsplit(url.strip())
        if parts.scheme not in _DEFAULT_PORTS:
            problem = "is not an absolute http or https URL"
        elif parts.username is not None:
            problem = "contains a user name or password, which a sitemap must not publish"
        else:
            host = _ascii_host(parts.hostname or "")
            port = "" if parts.port in {None, _DEFAULT_PORTS[parts.scheme]} else f":{parts.port}"
    except ValueError:  # its message may contain a password
        problem = "has an invalid host or port"
    if not problem:
        try:
            path = _remove_dot_segments(encoded_path(parts.path, _SAFE_IN_PATH)) or "/"
            query = f"?{encoded_path(parts.query)}" if parts.query else ""
        except UnicodeEncodeError:
            problem = "contains half of a character"
    if problem:
        message = f"{brief(url)} {problem}"
        raise ValueError(message)
    return f"{parts.scheme}://{host}{port}{path}{query}"


def _is_normal(url: str) -> bool:
    return "/." not in url and _ALREADY_NORMAL.fullmatch(url) is not None


def normal(url: str, base: str = "") -> str:
    """Return the normal form of a URL, which may be relative to a base, or an empty string if it is
    invalid.
    """
    try:
        return resolve(base, url)
    except ValueError:
        return ""


def resolve(base: str, reference: str) -> str:
    """Resolve a reference against an absolute URL and normalize the result (RFC 3986, section 5).

    Raises:
        ValueError: as `normalise` does.
    """
    if _is_normal(reference):
        return reference
    try:
        url = urljoin(base, reference)
    except ValueError:  # such as a bracket in the host, which `normalise` describes
        url = reference
    return normalise(url)


def directory(url: str) -> str:
    """Return the URL of the directory that contains a normalized URL's file, with a trailing
    slash.
    """
    path_end = url.partition("?")[0]
    return path_end[: path_end.rindex("/") + 1]


def origin(url: str) -> str:
    """Return the scheme, host and port of a normalized URL, which define "the same site" for
    sitemaps.
    """
    return url[: url.index("/", url.index("://") + 3)]


def host(url: str) -> str:
    """Return the host of a normalized URL or an origin, without its port.

    Empty if there is none.
    """
    return urlsplit(url).hostname or ""


def bare_host(origin: str) -> str:
    """Return the host and port of an origin without `www.`, in which two addresses of one site can
    differ.
    """
    return origin.partition("://")[2].removeprefix("www.")


def path(url: str) -> str:
    """Return the path and query of a normalized URL, as sent in a request."""
    return url[url.index("/", url.index("://") + 3) :]


def is_within(url: str, directory_url: str) -> bool:
    """Whether a normalized URL is a directory or below it, with the same scheme, host and port."""
    return url.startswith(directory_url)


def relative_path(url: str, directory_url: str) -> str:
    """Return the part of a URL's path below a directory it is within, still percent-encoded,
    without its query.
    """
    return url[len(directory_url) :].partition("?")[0]


def file_path(encoded_path: str) -> str | None:
    """Return the path on disk, with ``/`` separators, that serves a relative URL path, or None if
    no file can.

    An encoded slash, backslash or NUL, a dot segment, or an empty segment, would refer to a
    different location.
    """
    segments = [unquote(segment, errors="surrogateescape") for segment in encoded_path.split("/")]
    path = "/".join(segments)
    if path.count("/") >= len(segments) or "\\" in path or "\0" in path:
        return None
    if "." in segments or ".." in segments or "" in segments[:-1]:
        return None
    return path


def answering_files(path: str) -> tuple[str, ...]:
    """Return the files that servers try for a path, in order.

    An `index.html` is the page of its directory. It is not also the page of a directory named
    `index`.
    """
    name = path.rstrip("/").rpartition("/")[2]
    same = () if name == "index" else (path.rstrip("/") + ".html",)
    if path == "" or path.endswith("/"):
        return path + "index.html", path + "index.htm", *same
    return path, *same, path + "/index.html", path + "/index.htm"


def find_file(
    directory: str,
    base: str,
    url: str,
    names: Callable[[str], tuple[str, ...]] = lambda path: (path,),
    known: Container[str] = (),
) -> str | None:
    """Return the path of a normalized URL's file, relative to the directory that is served at a
    base, or None.

    For a URL elsewhere, or without a base, every end of its path is tried, the longest first,
    because a site may have moved. With `answering_files` for ``names``, the file is a page. Known
    files exist and are not looked up.
    """
    is_here = bool(base) and is_within(url, base)
    if is_here:
        below = url[len(base) :]
    else:
        _, _, without_scheme = url.partition("://")
        _, _, below = without_scheme.partition("/")
    encoded, _, _ = below.partition("?")
    while len(encoded) <= MAX_URL_LENGTH:
        path = file_path(encoded)
        candidates = names(path) if path is not None else ()
        for name in candidates:
            if name in known or os.path.isfile(os.path.join(directory, name)):
                return name
        if is_here or not encoded:
            break
        encoded = encoded.partition("/")[2]
    return None


@lru_cache(maxsize=1024)
def from_file_path(path: str) -> str:
    """Percent-encode a relative file path (``/`` separators) into a relative URL path."""
    return quote(path, safe=_SAFE_IN_PATH.replace("%", ""), errors="surrogateescape")


def page_path(file: str) -> str:
    """Return the relative URL path at which servers show a page's file.

    For an index.html, that is its directory.
    """
    directory, slash, name = file.rpartition("/")
    if name == "index.html":
        return from_file_path(directory + slash)
    return from_file_path(file)


def control_character(url: str) -> str:
    """Return the first control character in the path of a normalized URL, as its escape, or an
    empty string.

    A query can contain one on purpose, such as the line break of a text.
    """
    if "%" not in url:
        return ""
    before_query, _, _ = url.partition("?")
    found = re.search(CONTROL, before_query)
    if not found:
        return ""
    return found[0]


def bare(url: str) -> str:
    """Return a URL without the parts that servers treat as optional: `index.html`, `.html` and the
    trailing slash.
    """
    return url.removesuffix("index.html").removesuffix(".html").rstrip("/")


def folded(path: str) -> str:
    """Return the path of a page in the form in which paths are compared, whatever their case and
    their `bare` form.
    """
    path = re.sub("/{2,}", "/", path.strip())
    path = bare(path.lstrip("/"))
    return unicodedata.normalize("NFC", path).casefold()


def is_error_page(path: str) -> bool:
    """Whether a path below a site's address is the page that servers show for errors.

    Below a language directory, a directory named 404 may be an error page. Elsewhere, it may be
    about that error.
    """
    return _ERROR_PAGE.fullmatch(path) is not None


def encoded_path(text: str, safe: str = _SAFE_IN_QUERY) -> str:
    """Return a part of a path and query with the necessary escapes and no others, in upper case.

    Dot segments stay.
    """
    text = re.sub(r"%(?![0-9A-Fa-f]{2})", "%25", text)
    return quote(_ESCAPE.sub(_normal_escape, text), safe=safe, errors="surrogateescape")


@lru_cache(maxsize=256)
def _ascii_host(host: str) -> str:
    """Return a host in ASCII.

    Raises:
        ValueError: it is not valid.
    """
    if ":" in host:
        return f"[{host}]"
    if not host.isascii() and len(host) <= MAX_HOST:
        import idna  # noqa: PLC0415 - its tables take 10 ms to load, and few sites need them

        return idna.encode(host, uts46=True).decode("ascii")
    if not re.fullmatch(r"[a-z0-9._-]+", host):
        raise ValueError(host)
    return host


def _normal_escape(escape: re.Match[str]) -> str:
    character = chr(int(escape[0][1:], 16))
    if character in _UNRESERVED:
        return character
    return escape[0].upper()


def _remove_dot_segments(path: str) -> str:
    """Remove ``.`` and ``..`` (RFC 3986, section 5.2.4); empty segments stay, because servers may
    distinguish them.
    """
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
