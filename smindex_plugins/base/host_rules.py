"""The redirects and headers that a static host is configured to send.

They are set in `_redirects` and `_headers` in the output directory, for Netlify, Cloudflare Pages and GitLab Pages,
and in the project's netlify.toml, vercel.json and firebase.json.

The formats: https://docs.netlify.com/routing/redirects/, https://vercel.com/docs/project-configuration,
https://firebase.google.com/docs/hosting/full-config,
https://docs.gitlab.com/user/project/pages/redirects/, https://developers.cloudflare.com/pages/configuration/redirects/
and https://developers.cloudflare.com/pages/configuration/headers/
"""

import codecs
import heapq
import itertools
import json
import os
import re
import tomllib
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from functools import partial
from typing import NamedTuple
from urllib.parse import unquote

from smindex_plugins.base import urls
from smindex_plugins.base.files import read
from smindex_plugins.base.host_settings import firebase_site
from smindex_plugins.base.model import Spot
from smindex_plugins.base.text import brief

GONE = frozenset({404, 410})
"""The statuses of rules for intentionally removed pages."""
MOVED = frozenset({301, 302, 303, 307, 308})
_ACCEPTED = frozenset({200, *MOVED, *GONE})
_STARTS = ("/", "https://", "http://")
_TARGET = re.compile(r"/|https?://|[^=\d]*\Z")
"""A target: not a status, and not a query or a condition with an equals sign."""
_GROUP = r"\((?:\\.|[^\\()]|\((?:\\.|[^\\()])*\))+\)"
_VALUE = re.compile(r":([A-Za-z]\w*)[*+?]?|\$(\d)")
_SIGN = re.compile("%(?:21|24|2[6-9A-C]|3[ABD]|40)")
"""The escapes of `!$&'()*+,:;=@`. In a path, servers treat them like the signs themselves."""
_ROBOTS = "x-robots-tag"
_NOT_UTF8 = "it is not UTF-8"


class _Dialect(NamedTuple):
    """How the paths of a file of rules contain placeholders."""

    token: re.Pattern[str]
    """A placeholder: the slash before it, its name, and its expression."""
    expressions: dict[str, str]
    """The regular expressions of the signs after or instead of a name."""


_NETLIFY = _Dialect(
    re.compile(r"(/?)(?::([A-Za-z]\w*)|(?=\*))(\*?)"),  # `:name` for a segment, `*` for any number of them
    {"": "[^/]+", "*": ".*"},
)
_VERCEL = _Dialect(
    # `:name`, `:name*`, `:name(regular expression)` and `(regular expression)`
    re.compile(rf"(/?)(?::([A-Za-z]\w*)|(?=\())([*+?]|{_GROUP})?"),
    {"": "[^/]+", "?": "[^/]+", "*": ".*", "+": ".+"},
)
_FIREBASE = _Dialect(
    re.compile(r"(/?)(?::([A-Za-z]\w*)|(?=\*))(\*{0,2})"),  # `:name`, `:name*`, `*` for a segment, `**` for several
    {"": "[^/]+", "*": "[^/]*", "**": ".*", ":*": ".*"},
)


class Redirect(NamedTuple):
    """How a host responds to a URL according to a rule."""

    status: int
    to: str
    """The normalized target URL. With 200, 404 and 410, its page is shown at the requested URL."""
    where: str
    """The file with the rule, and the line."""


class UnreadRule(NamedTuple):
    """A rule, or a file of rules, that cannot be read. Hosts skip it."""

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
    """Whether it shows an application or an error page at all URLs of a directory. It does not show that one of them
    has, or had, a page."""
    where: str
    spot: Spot


_Rules = dict[int | None, dict[str, list[_Rule]]]
"""Rules by the length of the text before their first placeholder, then by this text. Only few rules are then compared
with a URL. The length is None for rules without placeholders, which must match as a whole."""


class _Line(NamedTuple):
    """A rule as written, or why it cannot be read."""

    number: int
    """The line, counted from 1. 0 in files whose rules have no lines of their own."""
    source: str = ""
    to: str = ""
    status: str = ""
    """With an exclamation mark if the rule applies even if the URL has a file. Empty for a header."""
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
        """Add the rules of a file, which has one of the names in `RULE_FILES`, for an output directory.

        The file need not exist.
        """
        name = os.path.basename(path)
        spot = Spot(name, path)
        try:
            self.parse(read(path), name, spot, output)
        except (FileNotFoundError, NotADirectoryError):
            pass
        except (OSError, ValueError) as error:
            why = error.strerror if isinstance(error, OSError) else error
            self.unread.append(UnreadRule(spot, f"it cannot be read: {why}."))
        except (TypeError, AttributeError, KeyError, RecursionError):
            self.unread.append(UnreadRule(spot, "it cannot be read: its structure is not that of such a file."))

    def parse(self, content: bytes, kind: str, spot: Spot, output: str = "") -> None:
        """Add the rules in the content of a file. Its kind is a name in `RULE_FILES`.

        Raises:
            ValueError: it is not in the format of such files.
            TypeError, AttributeError, KeyError, RecursionError: its structure is not that of such files.
        """
        parse, dialect = RULE_FILES[kind]
        for line in parse(content, Place(os.path.dirname(spot.file), output)):
            rules = self.headers if line.is_header else self.redirects
            place = spot._replace(line=line.number)
            if problem := line.problem or self._add(line, dialect, rules, place):
                self.unread.append(UnreadRule(place, f"{problem}."))

    def fixed(self) -> Iterator[FixedRule]:
        """Yield the redirects without placeholders. Their targets are as written."""
        for rules in self.redirects.get(None, {}).values():
            for rule in rules:
                yield FixedRule(rule.spot, rule.source, Redirect(rule.status, rule.to, rule.where))

    def redirect(self, url: str, *, has_file: bool, is_elsewhere: bool = False) -> Redirect | None:
        """Return how a rule responds to a normalized URL, or None.

        For a URL on another host than the site, only rules for full URLs apply.

        The first rule with a different target applies. A file takes precedence over a pattern, as on Netlify and GitLab
        Pages, but not over a rule for this URL only. On Cloudflare Pages, rules always take precedence.
        """
        for rule, match in _matching(self.redirects, url, is_elsewhere=is_elsewhere):
            if rule.is_fallback or (has_file and not rule.is_forced):
                continue
            to = _target(rule, match, url)
            if _bare(to) != _bare(url):
                return Redirect(rule.status, to, rule.where)
            if rule.status not in MOVED:
                break
        return None

    def first(self, url: str) -> Redirect | None:
        """Return the first rule that applies to a normalized URL without a file. Hosts read no later one."""
        for rule, match in _matching(self.redirects, url):
            to = _target(rule, match, url)
            if rule.status not in MOVED or _bare(to) != _bare(url):
                return Redirect(rule.status, to, rule.where)
        return None

    def robots(self, url: str) -> dict[str, str]:
        """Return the X-Robots-Tag headers for a normalized URL, each with the place of its rule."""
        values: dict[str, str] = {}
        for rule, _ in _matching(self.headers, url):
            if rule.to:
                values[rule.to] = rule.where
            else:
                values = {}
        return values

    def _add(self, line: _Line, dialect: _Dialect, rules: _Rules, spot: Spot) -> str:
        """Add a rule, or return why that is not possible."""
        source = line.source.removesuffix("/index.html").removesuffix("/")
        status, to = line.status.removesuffix("!"), line.to
        if not line.source.startswith(_STARTS):
            return f"its source is {brief(line.source)}; accepted: a path or a URL"
        if status and (not status.isdecimal() or int(status) not in _ACCEPTED):
            return f"its status is {brief(line.status)}; accepted: {', '.join(map(str, sorted(_ACCEPTED)))}"
        is_target = to.startswith(_STARTS) and urls.normal(_VALUE.sub("x", to), urls.NO_ADDRESS)
        if status and not is_target and (to or int(status) in MOVED):
            return f"its target is {brief(to)}; accepted: a path or a URL"
        first = dialect.token.search(source)
        beginning = _compared(source[: first.start()] if first else source)
        try:
            pattern = re.compile(_expression(source, dialect)) if first else None
        except re.error as error:
            return f"{brief(line.source)} is not a valid pattern: {error}"
        is_fallback = False
        if pattern and status in {"200", "404"} and not _VALUE.search(to):
            is_fallback = pattern.fullmatch(_bare(to)) is not None
        where = f"{spot.where}, line {line.number}" if line.number else spot.where
        is_forced = not first or line.status.endswith("!")
        position = next(self._positions)
        rule = _Rule(position, pattern, line.source, to, int(status or 0), is_forced, is_fallback, where, spot)
        rules.setdefault(len(beginning) if first else None, {}).setdefault(beginning, []).append(rule)
        return ""


def is_same(url: str, other: str) -> bool:
    """Whether two normalized URLs are the same for rules."""
    return _bare(_compared(url)) == _bare(_compared(other))


class Place(NamedTuple):
    """Where a file of rules is, and for which output it is read."""

    directory: str
    output: str


def _lines(content: bytes) -> Iterator[tuple[int, str | None]]:
    """Yield the lines of a file with their numbers. A line that is not UTF-8 is None, unless it is a comment."""
    for number, line in enumerate(content.removeprefix(codecs.BOM_UTF8).splitlines(), 1):
        try:
            yield number, line.decode()
        except UnicodeDecodeError:
            yield number, "#" if line.lstrip().startswith(b"#") else None


def _redirects(content: bytes, _: Place) -> Iterator[_Line]:
    """Yield the rules of `_redirects`, but not those for some visitors or some queries only."""
    for number, line in _lines(content):
        if line is None:
            yield _Line(number, problem=_NOT_UTF8)
            continue
        parts = re.split(r"(?:^|\s)#", line)[0].split()
        at = next((at for at, part in enumerate(parts) if at and _TARGET.match(part)), 0)
        options = [*parts[1:at], *parts[at + 1 :]]
        if parts and not any("=" in option for option in options):
            yield _Line(number, parts[0], parts[at] if at else "", options[0] if options else "301")


def _headers(content: bytes, __: Place) -> Iterator[_Line]:
    """Yield the X-Robots-Tag headers of `_headers`, each with the path above it."""
    source = ""
    for number, text in _lines(content):
        if text is None:
            yield _Line(number, problem=_NOT_UTF8)
            continue
        line = text.strip()
        name, _, value = line.partition(":")
        is_removed = name.startswith("!")
        if not line or line.startswith("#"):
            continue
        if line.startswith(_STARTS):
            source = line
        elif not source or not (is_removed or value.strip()):
            yield _Line(number, problem="a header requires a path above it, a name, a colon and a value")
        elif name.lstrip("! ").lower() == _ROBOTS:
            yield _Line(number, source, "" if is_removed else value.strip(), is_header=True)


def _netlify(content: bytes, _: Place) -> Iterator[_Line]:
    """Yield the rules of a netlify.toml, but not those for some visitors or some queries only."""
    given = tomllib.loads(content.decode("utf-8-sig"))
    for each in given.get("redirects", []):
        if not each.get("conditions") and not each.get("query"):
            force = "!" if each.get("force") else ""
            yield _Line(0, str(each.get("from", "")), str(each.get("to", "")), f"{each.get('status', 301)}{force}")
    for each in given.get("headers", []):
        yield from _robots_headers(str(each.get("for", "")), each.get("values", {}).items())


def _vercel(content: bytes, _: Place) -> Iterator[_Line]:
    """Yield the rules of a vercel.json, which override files, but not those for some visitors only."""
    given = json.loads(content.decode("utf-8-sig"))
    for each in given.get("redirects", []):
        if not each.get("has") and not each.get("missing"):
            status = each.get("statusCode") or (308 if each.get("permanent", True) else 307)
            yield _Line(0, str(each.get("source", "")), str(each.get("destination", "")), f"{status}!")
    for each in given.get("headers", []):
        if not each.get("has") and not each.get("missing"):
            named = ((header["key"], header["value"]) for header in each.get("headers", []))
            yield from _robots_headers(str(each.get("source", "")), named)


def _firebase(content: bytes, place: Place) -> Iterator[_Line]:
    """Yield the rules of the site in a firebase.json, which override files. Those with a regex are skipped."""
    site = firebase_site(json.loads(content.decode("utf-8-sig")), place.directory, place.output)
    for each in site.get("redirects", []):
        if source := each.get("source"):
            yield _Line(0, str(source), str(each.get("destination", "")), f"{each.get('type', 301)}!")
    for each in site.get("headers", []):
        if source := each.get("source"):
            source = source if source.startswith("/") else f"/{source}"
            named = ((header["key"], header["value"]) for header in each.get("headers", []))
            yield from _robots_headers(source, named)


def _robots_headers(source: str, headers: Iterable[tuple[str, object]]) -> Iterator[_Line]:
    """Yield the X-Robots-Tag among the headers of a path."""
    for name, value in headers:
        if str(name).lower() == _ROBOTS:
            yield _Line(0, source, str(value), is_header=True)


RULE_FILES: dict[str, tuple[Callable[[bytes, Place], Iterator[_Line]], _Dialect]] = {
    "_redirects": (_redirects, _NETLIFY),
    "_headers": (_headers, _NETLIFY),
    "netlify.toml": (_netlify, _NETLIFY),
    "vercel.json": (_vercel, _VERCEL),
    "firebase.json": (_firebase, _FIREBASE),
}
"""How each file of rules is read."""


def _expression(source: str, dialect: _Dialect) -> str:
    """Return the regular expression for a path or a URL with patterns in it. ``/*`` also matches no slash."""
    parts, end = [], 0
    for found in dialect.token.finditer(source):
        slash, name, own = found.groups("")
        key = f":{own}" if name and f":{own}" in dialect.expressions else own
        expression = dialect.expressions.get(key) or own[1:-1]
        name = name or ("splat" if own == "*" else "")
        part = slash + (f"(?P<{name}>{expression})" if name else f"({expression})")
        is_optional = expression == ".*" or own == "?"
        parts += [re.escape(_compared(source[end : found.start()])), f"(?:{part})?" if is_optional else part]
        end = found.end()
    return "".join([*parts, re.escape(_compared(source[end:]))])


def _matching(rules: _Rules, url: str, *, is_elsewhere: bool = False) -> Iterator[tuple[_Rule, re.Match[str] | None]]:
    """Yield the rules for a normalized URL or its path, in order, with the match of their pattern if they have one."""
    start = len(urls.origin(url))
    starts = [0] if is_elsewhere else [start, 0]
    whole, bare = _compared(url.partition("?")[0]), _compared(_bare(url))
    texts = [text[at:] for at in starts for text in (whole, bare)]
    beginnings = {(length, bare[at:][:length]) for length in rules for at in starts}
    for rule in heapq.merge(*(rules[length].get(beginning, ()) for length, beginning in beginnings)):
        match = rule.pattern and next(filter(None, map(rule.pattern.fullmatch, texts)), None)
        if match or not rule.pattern:
            yield rule, match


def _target(rule: _Rule, match: re.Match[str] | None, url: str) -> str:
    """Return the normalized URL to which a rule sends a URL, or an empty string if it is for a removed page."""
    value = _VALUE.sub(partial(_part, match), rule.to) if match else rule.to
    if not value and rule.status in GONE:
        return ""
    return _SIGN.sub(_sign, urls.normal(value, url))


def _compared(text: str) -> str:
    """Return a part of a path as it is compared: equal paths are equal texts."""
    return _SIGN.sub(_sign, urls.encoded_path(text))


def _sign(escape: re.Match[str]) -> str:
    return unquote(escape[0])


def _part(match: re.Match[str], value: re.Match[str]) -> str:
    """Return the part of a URL that a target refers to by name or number, or the reference if there is no such part."""
    name, number = value.groups()
    if name in match.groupdict() or (number and int(number) <= match.re.groups):
        return match[name or int(number)] or ""
    return value[0]


def _bare(url: str) -> str:
    """Return a URL or a path as hosts compare it: without query, `index.html` and trailing slash."""
    return url.partition("?")[0].removesuffix("/index.html").removesuffix("/")
