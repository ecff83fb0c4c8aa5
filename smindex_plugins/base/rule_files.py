"""Reads the rules of static hosts: redirects, and headers for search engines.

They are set in `_redirects` and `_headers` in the output directory, for Netlify, Cloudflare Pages
and GitLab Pages, and in the project's netlify.toml, vercel.json and firebase.json.

The formats: https://docs.netlify.com/routing/redirects/,
https://vercel.com/docs/project-configuration, https://firebase.google.com/docs/hosting/full-config,
https://docs.gitlab.com/user/project/pages/redirects/,
https://developers.cloudflare.com/pages/configuration/redirects/ and
https://developers.cloudflare.com/pages/configuration/headers/
"""

import codecs
import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from smindex_plugins.base import urls
from smindex_plugins.base._rule_patterns import (
    FIREBASE,
    MOST_SOURCE,
    NETLIFY,
    VERCEL,
    Dialect,
    NotAPatternError,
    compiled,
)
from smindex_plugins.base.files import WIDE_MARKS, decode, read
from smindex_plugins.base.host_rules import (
    GONE,
    MOVED,
    VALUE,
    HostRules,
    Rule,
    UnreadRule,
    bare_url,
    compared,
)
from smindex_plugins.base.host_settings import firebase_site
from smindex_plugins.base.invalid_text import InvalidTextError
from smindex_plugins.base.limits import MAX_URL_LENGTH
from smindex_plugins.base.model import Spot
from smindex_plugins.base.text import brief
from smindex_plugins.base.toml_and_json import load_json, load_toml

_ACCEPTED = {str(status): status for status in sorted({200, *MOVED, *GONE})}
_STARTS = ("/", "https://", "http://")
_TARGET = re.compile(r"/|https?://|[^=\d]*\Z")
"""A target: not a status, and not a query or a condition with an equals sign."""
_NOT_IN_URLS = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]")
"""Characters that no path contains as written: control characters, and halves of characters."""
_MOST_STATUS = 1_000
_ROBOTS = "x-robots-tag"
_NOT_UTF8 = "it is not UTF-8"


class _Line(NamedTuple):
    """A rule as written, or why it can't be read."""

    number: int
    """The line, counted from 1. 0 in files whose rules have no lines of their own."""
    source: str = ""
    to: str = ""
    status: str = ""
    """With an exclamation mark if the rule applies even if the URL has a file. Empty for a
    header."""
    problem: str = ""
    is_header: bool = False


def read_rules(rules: HostRules, path: str, output: str) -> None:
    """Add the rules of a file, which has one of the names in `_FORMATS`, for an output directory.

    The file need not exist. Why it can't be read is noted with the rules.
    """
    name = os.path.basename(path)
    spot = Spot(name, path)
    try:
        parse_rules(rules, read(path), name, spot, output)
    except (FileNotFoundError, NotADirectoryError):
        pass
    except OSError as error:
        rules.unread.append(UnreadRule(spot, f"it can't be read: {error.strerror}."))
    except InvalidTextError as error:
        place = spot._replace(line=error.line or None)
        rules.unread.append(UnreadRule(place, f"{error.problem}.", "Correct the file."))


def parse_rules(rules: HostRules, content: bytes, kind: str, spot: Spot, output: str = "") -> None:
    """Add the rules in the content of a file. Its kind is a name in `_FORMATS`.

    Raises:
        InvalidTextError: it is not in the format of such files.
    """
    parse, dialect = _FORMATS[kind]
    for line in parse(content, _Place(os.path.dirname(spot.file or ""), output)):
        place = spot._replace(line=line.number or None)
        problem = line.problem or _add(rules, line, dialect, place)
        if problem:
            rules.unread.append(UnreadRule(place, f"{problem}."))


def _add(rules: HostRules, line: _Line, dialect: Dialect, spot: Spot) -> str:
    """Add a rule, or return why that is not possible."""
    problem = _problem(line)
    if problem:
        return problem
    source = line.source.removesuffix("/index.html").removesuffix("/")
    status = _ACCEPTED.get(line.status.removesuffix("!"), 0)
    to = line.to
    first = dialect.token.search(source)
    pattern: re.Pattern[str] | None = None
    length: int | None = None
    if first:
        beginning = compared(source[: first.start()])
        length = len(beginning)
        try:
            pattern = compiled(source, dialect, compared)
        except NotAPatternError as error:
            return f"{brief(line.source)} {error}"
    else:
        beginning = compared(source)
    is_fallback = False
    if pattern and status in {200, 404} and not VALUE.search(to):
        is_fallback = pattern.fullmatch(bare_url(to)) is not None
    is_forced = not first or line.status.endswith("!")
    position = next(rules.positions)
    rule = Rule(position, pattern, line.source, to, status, is_forced, is_fallback, spot)
    kind = rules.headers if line.is_header else rules.redirects
    of_length = kind.setdefault(length, {})
    of_length.setdefault(beginning, []).append(rule)
    return ""


def _problem(line: _Line) -> str:
    """Return why a rule is not valid, apart from its pattern, or an empty string."""
    status = line.status.removesuffix("!")
    if not line.source.startswith(_STARTS) or _NOT_IN_URLS.search(line.source):
        return f"its source is {brief(line.source)}; accepted: a path or a URL"
    if len(line.source) > MOST_SOURCE:
        return f"its source has {len(line.source):,} characters; at most {MOST_SOURCE:,} are read"
    if line.is_header:
        return ""
    if status not in _ACCEPTED:
        return f"its status is {brief(line.status)}; accepted: {', '.join(_ACCEPTED)}"
    return _problem_of_target(line.to, is_needed=_ACCEPTED[status] in MOVED)


def _problem_of_target(to: str, *, is_needed: bool) -> str:
    """Return why the target of a redirect is not valid, or an empty string."""
    if len(to) > MAX_URL_LENGTH:
        return f"its target has {len(to):,} characters; a URL has at most {MAX_URL_LENGTH:,}"
    if not to and not is_needed:
        return ""
    if to.startswith(_STARTS) and not _NOT_IN_URLS.search(to):
        filled = VALUE.sub("x", to)
        if urls.normal(filled, urls.NO_ADDRESS):
            return ""
    return f"its target is {brief(to)}; accepted: a path or a URL"


class _Place(NamedTuple):
    """Where a file of rules is, and for which output it is read."""

    directory: str
    output: str


def _lines(content: bytes) -> Iterator[tuple[int, str, bool]]:
    """Yield the number and the text of each line of a file, and whether it is UTF-8, as comments
    need not be.

    Raises:
        InvalidTextError: the whole file is UTF-16.
    """
    if content.startswith(WIDE_MARKS):
        decode(content)
    for number, line in enumerate(content.removeprefix(codecs.BOM_UTF8).splitlines(), 1):
        text = line.decode(errors="replace")
        is_comment = text.lstrip().startswith("#")
        yield number, text, is_comment or text.encode() == line


def _redirects(content: bytes, _: _Place) -> Iterator[_Line]:
    """Yield the rules of `_redirects`, but not those for some visitors or some queries only."""
    for number, line, is_utf8 in _lines(content):
        if not is_utf8:
            yield _Line(number, problem=_NOT_UTF8)
            continue
        before_comment = re.split(r"(?:^|\s)#", line)[0]
        parts = before_comment.split()
        if not parts:
            continue
        source, *options = parts
        to = ""
        for position, part in enumerate(options):
            if _TARGET.match(part):
                to = options.pop(position)
                break
        if any("=" in option for option in options):
            continue
        status = options[0] if options else "301"
        yield _Line(number, source, to, status)


def _headers(content: bytes, __: _Place) -> Iterator[_Line]:
    """Yield the X-Robots-Tag headers of `_headers`, each with the path above it."""
    source = ""
    is_path_read = True
    for number, text, is_utf8 in _lines(content):
        line = text.strip()
        name, _, value = line.partition(":")
        is_removed = name.startswith("!")
        if not line or line.startswith("#"):
            continue
        is_path = line.startswith(_STARTS)
        if is_path:
            source = line
            is_path_read = is_utf8
        if not is_utf8:
            yield _Line(number, problem=_NOT_UTF8)
        elif is_path or not is_path_read:  # the headers of a path that can't be read
            continue
        elif not source or not (is_removed or value.strip()):
            problem = "a header requires a path above it, a name, a colon and a value"
            yield _Line(number, problem=problem)
        elif name.lstrip("! ").lower() == _ROBOTS:
            yield _Line(number, source, "" if is_removed else value.strip(), is_header=True)


def _netlify(content: bytes, _: _Place) -> Iterator[_Line]:
    """Yield the rules of a netlify.toml, but not those for some visitors or some queries only."""

    def redirects(each: Mapping[str, Any]) -> Iterator[_Line]:
        if not each.get("conditions") and not each.get("query"):
            status = _status(each.get("status", 301))
            if each.get("force"):
                status += "!"
            source = _text(each.get("from", ""))
            to = _text(each.get("to", ""))
            yield _Line(0, source, to, status)

    def headers(each: Mapping[str, Any]) -> Iterator[_Line]:
        yield from _robots_headers(_text(each.get("for", "")), each.get("values", {}).items())

    given = load_toml(decode(content))
    yield from _each(given, "redirects", redirects)
    yield from _each(given, "headers", headers)


def _vercel(content: bytes, _: _Place) -> Iterator[_Line]:
    """Yield the rules of a vercel.json, which override files, but not those for some visitors."""

    def redirects(each: Mapping[str, Any]) -> Iterator[_Line]:
        if not each.get("has") and not each.get("missing"):
            default = 308 if each.get("permanent", True) else 307
            status = _status(each.get("statusCode") or default)
            source = _text(each.get("source", ""))
            to = _text(each.get("destination", ""))
            yield _Line(0, source, to, f"{status}!")

    def headers(each: Mapping[str, Any]) -> Iterator[_Line]:
        if not each.get("has") and not each.get("missing"):
            source = _text(each.get("source", ""))
            yield from _robots_headers(source, _named(each))

    given = load_json(decode(content))
    yield from _each(given, "redirects", redirects)
    yield from _each(given, "headers", headers)


def _firebase(content: bytes, place: _Place) -> Iterator[_Line]:
    """Yield the rules of the site in a firebase.json, which override files.

    Those with a regex are skipped.
    """

    def redirects(each: Mapping[str, Any]) -> Iterator[_Line]:
        source = each.get("source")
        if source:
            status = _status(each.get("type", 301))
            to = _text(each.get("destination", ""))
            yield _Line(0, _text(source), to, f"{status}!")

    def headers(each: Mapping[str, Any]) -> Iterator[_Line]:
        source = _text(each.get("source") or "")
        if source:
            path = source if source.startswith("/") else f"/{source}"
            yield from _robots_headers(path, _named(each))

    site = firebase_site(_settings(load_json(decode(content))), place.directory, place.output)
    yield from _each(site, "redirects", redirects)
    yield from _each(site, "headers", headers)


def _settings(given: object) -> Mapping[str, Any]:
    """Return the settings that a file contains.

    Raises:
        InvalidTextError: it contains something else.
    """
    if not isinstance(given, dict):
        message = "it contains a list or a single value instead of settings"
        raise InvalidTextError(message)
    return given


def _each(
    given: object, key: str, rules: Callable[[Mapping[str, Any]], Iterator[_Line]]
) -> Iterator[_Line]:
    """Yield the rules of each entry of a list in the settings.

    An entry of another form costs no other entry.
    """
    entries = _settings(given).get(key, [])
    if not isinstance(entries, list):
        yield _Line(0, problem=f"`{key}` is not a list")
        return
    for number, entry in enumerate(entries, 1):
        try:
            yield from list(rules(entry))
        except (AttributeError, KeyError, TypeError, ValueError):
            problem = f"entry {number} of `{key}` has a missing value, or one of another type"
            yield _Line(0, problem=problem)


def _named(entry: Mapping[str, Any]) -> Iterator[tuple[str, object]]:
    """Yield the names and values of the headers in an entry."""
    for header in entry.get("headers", []):
        yield header["key"], header["value"]


def _text(given: object) -> str:
    if not isinstance(given, str):
        raise TypeError
    return given


def _status(given: object) -> str:
    if isinstance(given, str):
        return given
    if isinstance(given, bool) or not isinstance(given, int):
        raise TypeError
    if abs(given) >= _MOST_STATUS:
        return "a very large number"
    return str(given)


def _robots_headers(source: str, headers: Iterable[tuple[str, object]]) -> Iterator[_Line]:
    """Yield the X-Robots-Tag among the headers of a path."""
    for name, value in headers:
        if _text(name).lower() == _ROBOTS:
            yield _Line(0, source, _text(value), is_header=True)


_FORMATS: dict[str, tuple[Callable[[bytes, _Place], Iterator[_Line]], Dialect]] = {
    "_redirects": (_redirects, NETLIFY),
    "_headers": (_headers, NETLIFY),
    "netlify.toml": (_netlify, NETLIFY),
    "vercel.json": (_vercel, VERCEL),
    "firebase.json": (_firebase, FIREBASE),
}
"""How each file of rules is read."""
