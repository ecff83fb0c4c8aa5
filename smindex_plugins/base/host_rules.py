"""The redirects and headers that a static host is configured to send.

They are set in `_redirects` and `_headers` in the output directory, for Netlify, Cloudflare Pages
and GitLab Pages, and in the project's netlify.toml, vercel.json and firebase.json.

The formats: https://docs.netlify.com/routing/redirects/,
https://vercel.com/docs/project-configuration, https://firebase.google.com/docs/hosting/full-config,
https://docs.gitlab.com/user/project/pages/redirects/,
https://developers.cloudflare.com/pages/configuration/redirects/ and
https://developers.cloudflare.com/pages/configuration/headers/
"""

import codecs
import heapq
import itertools
import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple
from urllib.parse import unquote

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
from smindex_plugins.base.host_settings import firebase_site
from smindex_plugins.base.invalid_text import InvalidTextError
from smindex_plugins.base.limits import MAX_URL_LENGTH
from smindex_plugins.base.model import Spot
from smindex_plugins.base.text import brief
from smindex_plugins.base.toml_and_json import load_json, load_toml

GONE = frozenset({404, 410})
"""The statuses of rules for intentionally removed pages."""
MOVED = frozenset({301, 302, 303, 307, 308})
_ACCEPTED = {str(status): status for status in sorted({200, *MOVED, *GONE})}
_STARTS = ("/", "https://", "http://")
_TARGET = re.compile(r"/|https?://|[^=\d]*\Z")
"""A target: not a status, and not a query or a condition with an equals sign."""
_VALUE = re.compile(r":([A-Za-z]\w*)[*+?]?|\$(\d)", re.ASCII)
_SIGN = re.compile("%(?:21|24|2[6-9A-C]|3[ABD]|40)")
"""The escapes of `!$&'()*+,:;=@`. In a path, servers treat them like the signs themselves."""
_NOT_IN_URLS = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]")
"""Characters that no path contains as written: control characters, and halves of characters."""
_MOST_STATUS = 1_000
_ROBOTS = "x-robots-tag"
_NOT_UTF8 = "it is not UTF-8"


class Redirect(NamedTuple):
    """How a host responds to a URL according to a rule."""

    status: int
    to: str
    """The normalized target URL. With 200, 404 and 410, its page is shown at the requested URL."""
    where: str
    """The file with the rule, and the line."""


class UnreadRule(NamedTuple):
    """A rule, or a file of rules, that can't be read. Hosts skip it."""

    spot: Spot
    problem: str
    fix: str = ""


class FixedRule(NamedTuple):
    """A redirect of one URL."""

    spot: Spot
    source: str
    """The path or URL as written."""
    redirect: Redirect


class _Rule(NamedTuple):
    position: int
    pattern: re.Pattern[str] | None
    """The regular expression for its paths or URLs, or None if it is for only one."""
    source: str
    """Its path or URL as written."""
    to: str
    """Its target, or the value of its header."""
    status: int
    is_forced: bool
    """Whether it applies even if the URL has a file."""
    is_fallback: bool
    """Whether it shows an application or an error page at all URLs of a directory. It does not show
    that one of them has, or had, a page."""
    spot: Spot


_Rules = dict[int | None, dict[str, list[_Rule]]]
"""Rules by the length of the text before their first placeholder, then by this text. Only few rules
are then compared with a URL. The length is None for rules without placeholders, which must match as
a whole."""


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


@dataclass(slots=True)
class HostRules:
    """The rules of a host: redirects, and headers for search engines."""

    redirects: _Rules = field(default_factory=dict)
    headers: _Rules = field(default_factory=dict)
    """The values of X-Robots-Tag. An empty value removes the values of earlier rules."""
    unread: list[UnreadRule] = field(default_factory=list)
    _positions: Iterator[int] = field(default_factory=itertools.count)

    def read(self, path: str, output: str) -> None:
        """Add the rules of a file, which has one of the names in `RULE_FILES`, for an output
        directory.

        The file need not exist.
        """
        name = os.path.basename(path)
        spot = Spot(name, path)
        try:
            self.parse(read(path), name, spot, output)
        except (FileNotFoundError, NotADirectoryError):
            pass
        except OSError as error:
            self.unread.append(UnreadRule(spot, f"it can't be read: {error.strerror}."))
        except InvalidTextError as error:
            self.unread.append(
                UnreadRule(
                    spot._replace(line=error.line or None), f"{error.problem}.", "Correct the file."
                )
            )

    def parse(self, content: bytes, kind: str, spot: Spot, output: str = "") -> None:
        """Add the rules in the content of a file. Its kind is a name in `RULE_FILES`.

        Raises:
            InvalidTextError: it is not in the format of such files.
        """
        parse, dialect = RULE_FILES[kind]
        for line in parse(content, Place(os.path.dirname(spot.file or ""), output)):
            rules = self.headers if line.is_header else self.redirects
            place = spot._replace(line=line.number or None)
            problem = line.problem or self._add(line, dialect, rules, place)
            if problem:
                self.unread.append(UnreadRule(place, f"{problem}."))

    def fixed(self) -> Iterator[FixedRule]:
        """Yield the redirects without placeholders. Their targets are as written."""
        for rules in self.redirects.get(None, {}).values():
            for rule in rules:
                redirect = Redirect(rule.status, rule.to, rule.spot.place)
                yield FixedRule(rule.spot, rule.source, redirect)

    def redirect(self, url: str, *, has_file: bool, is_elsewhere: bool = False) -> Redirect | None:
        """Return how a rule responds to a normalized URL, or None.

        For a URL on a different host than the site, only rules for full URLs apply.

        The first rule with a different target applies. A file takes precedence over a pattern, as
        on Netlify and GitLab Pages, but not over a rule for this URL only. On Cloudflare Pages,
        rules always take precedence.
        """
        for rule, match in _matching(self.redirects, url, is_elsewhere=is_elsewhere):
            if rule.is_fallback or (has_file and not rule.is_forced):
                continue
            to = self._target(rule, match, url)
            if to is None:
                continue
            if _bare(to) != _bare(url):
                return Redirect(rule.status, to, rule.spot.place)
            if rule.status not in MOVED:
                break
        return None

    def first(self, url: str) -> Redirect | None:
        """Return the first rule that applies to a normalized URL without a file.

        Hosts read no later one.
        """
        for rule, match in _matching(self.redirects, url):
            to = self._target(rule, match, url)
            if to is not None and (rule.status not in MOVED or _bare(to) != _bare(url)):
                return Redirect(rule.status, to, rule.spot.place)
        return None

    def robots(self, url: str) -> dict[str, str]:
        """Return the X-Robots-Tag headers for a normalized URL, each with the place of its rule."""
        values: dict[str, str] = {}
        for rule, _ in _matching(self.headers, url):
            if rule.to:
                values[rule.to] = rule.spot.place
            else:
                values = {}
        return values

    def _target(self, rule: _Rule, match: re.Match[str] | None, url: str) -> str | None:
        """Return the normalized URL to which a rule sends a URL. It is empty for a removed page.

        If it is longer than a URL can be, the rule is reported once, and the result is None.
        """
        value = _filled(rule.to, match)
        if not value and rule.status in GONE:
            return ""
        if len(value) <= MAX_URL_LENGTH:
            return _with_signs(urls.normal(value, url))
        problem = (
            f"its target for {url[:MAX_URL_LENGTH]} is longer than the {MAX_URL_LENGTH:,}"
            " characters of a URL."
        )
        for each in self.unread:
            if each.spot == rule.spot and "its target for" in each.problem:
                return None
        self.unread.append(UnreadRule(rule.spot, problem))
        return None

    def _add(self, line: _Line, dialect: Dialect, rules: _Rules, spot: Spot) -> str:
        """Add a rule, or return why that is not possible."""
        problem = _problem(line)
        if problem:
            return problem
        source = line.source.removesuffix("/index.html").removesuffix("/")
        status = _ACCEPTED.get(line.status.removesuffix("!"), 0)
        to = line.to
        first = next(dialect.placeholders(source), None)
        pattern: re.Pattern[str] | None = None
        length: int | None = None
        if first:
            beginning = _compared(source[: first.start()])
            length = len(beginning)
            try:
                pattern = compiled(source, dialect, _compared)
            except NotAPatternError as error:
                return f"{brief(line.source)} {error}"
        else:
            beginning = _compared(source)
        is_fallback = False
        if pattern and status in {200, 404} and not _VALUE.search(to):
            is_fallback = pattern.fullmatch(_bare(to)) is not None
        is_forced = not first or line.status.endswith("!")
        position = next(self._positions)
        rule = _Rule(position, pattern, line.source, to, status, is_forced, is_fallback, spot)
        of_length = rules.setdefault(length, {})
        of_length.setdefault(beginning, []).append(rule)
        return ""


def is_same(url: str, other: str) -> bool:
    """Whether two normalized URLs are the same for rules."""
    return _bare(_compared(url)) == _bare(_compared(other))


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
        filled = _VALUE.sub("x", to)
        if urls.normal(filled, urls.NO_ADDRESS):
            return ""
    return f"its target is {brief(to)}; accepted: a path or a URL"


class Place(NamedTuple):
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


def _redirects(content: bytes, _: Place) -> Iterator[_Line]:
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


def _headers(content: bytes, __: Place) -> Iterator[_Line]:
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


def _netlify(content: bytes, _: Place) -> Iterator[_Line]:
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


def _vercel(content: bytes, _: Place) -> Iterator[_Line]:
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


def _firebase(content: bytes, place: Place) -> Iterator[_Line]:
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


RULE_FILES: dict[str, tuple[Callable[[bytes, Place], Iterator[_Line]], Dialect]] = {
    "_redirects": (_redirects, NETLIFY),
    "_headers": (_headers, NETLIFY),
    "netlify.toml": (_netlify, NETLIFY),
    "vercel.json": (_vercel, VERCEL),
    "firebase.json": (_firebase, FIREBASE),
}
"""How each file of rules is read."""


def _matching(
    rules: _Rules, url: str, *, is_elsewhere: bool = False
) -> Iterator[tuple[_Rule, re.Match[str] | None]]:
    """Yield the rules for a normalized URL or its path, in order, with the match of their pattern
    if they have one.
    """
    if not rules or len(url) > MAX_URL_LENGTH:
        return
    start = len(urls.origin(url))
    starts = [0] if is_elsewhere else [start, 0]
    whole, bare = _compared(url.partition("?")[0]), _compared(_bare(url))
    texts = [text[at:] for at in starts for text in (whole, bare)]
    beginnings = {(length, bare[at:][:length]) for length in rules for at in starts}
    for rule in heapq.merge(
        *(rules[length].get(beginning, ()) for length, beginning in beginnings)
    ):
        match = rule.pattern and next(filter(None, map(rule.pattern.fullmatch, texts)), None)
        if match or not rule.pattern:
            yield rule, match


def _filled(to: str, match: re.Match[str] | None) -> str:
    """Return a target with the parts of the URL that it refers to.

    One that is too long for a URL is cut off.
    """
    if match is None:
        return to
    parts: list[str] = []
    length = end = 0
    for value in _VALUE.finditer(to):
        parts += [to[end : value.start()], _part(match, value)]
        end = value.end()
        length += len(parts[-2]) + len(parts[-1])
        if length > MAX_URL_LENGTH:
            return "".join(parts)
    return "".join([*parts, to[end:]])


def _compared(text: str) -> str:
    """Return a part of a path as it is compared: equal paths are equal texts."""
    return _with_signs(urls.encoded_path(text))


def _with_signs(path: str) -> str:
    """Return a path without the escapes of signs that need none in a path."""
    return _SIGN.sub(lambda escape: unquote(escape[0]), path)


def _part(match: re.Match[str], value: re.Match[str]) -> str:
    """Return the part of a URL that a target refers to by name or number, or the reference if there
    is no such part.
    """
    name, number = value.groups()
    if name in match.groupdict() or (number and int(number) <= match.re.groups):
        return match[name or int(number)] or ""
    return value[0]


def _bare(url: str) -> str:
    """Return a URL or a path as hosts compare it: without query, `index.html` and trailing
    slash.
    """
    return url.partition("?")[0].removesuffix("/index.html").removesuffix("/")
