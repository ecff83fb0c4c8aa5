"""The rules with which a static host answers for URLs: its redirects, and the headers that it sends.

They are in `_redirects` and `_headers` in the output directory, as Netlify, Cloudflare Pages and GitLab Pages read
them, and among the options in the project's netlify.toml and vercel.json.

Their forms: https://docs.netlify.com/routing/redirects/, https://vercel.com/docs/project-configuration,
https://developers.cloudflare.com/pages/configuration/redirects/ and
https://developers.cloudflare.com/pages/configuration/headers/
"""

import json
import os
import re
import tomllib
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import partial
from operator import itemgetter
from typing import NamedTuple

from smindex_plugins import urls
from smindex_plugins.catalogue import UNREADABLE_RULE
from smindex_plugins.files import read_text
from smindex_plugins.model import Finding, Spot
from smindex_plugins.text import brief

GONE = frozenset({404, 410})
"""The statuses of rules for pages that were removed on purpose."""
MOVED = frozenset({301, 302, 303, 307, 308})
_ACCEPTED = frozenset({200, *MOVED, *GONE})
_STARTS = ("/", "https://", "http://")
_EVERYTHING = {"/*", "/(.*)", "/:path*"}
"""The sources of rules with which an application answers for every URL, or a host shows its error page."""
_TOKEN = re.compile(r":([A-Za-z]\w*)()|(\*)")
"""What stands for a part of a URL: `:name` for one segment, `*` for any number of them."""
_VERCEL_TOKEN = re.compile(r":([A-Za-z]\w*)([*+]|\((?:\\.|[^\\()])+\))?|(\((?:\\.|[^\\()])+\))")
"""The same for Vercel: `:name`, `:name*`, `:name(regular expression)` and `(regular expression)`."""
_VALUE = re.compile(r":([A-Za-z]\w*)[*+]?|\$(\d)")


class Redirect(NamedTuple):
    """How a host answers for a URL by a rule."""

    status: int
    to: str
    """The normalised URL that the rule leads to. With 200, 404 and 410, its page is shown at the requested URL."""
    where: str
    """The file with the rule, and the line."""


class _Rule(NamedTuple):
    position: int
    source: str
    pattern: re.Pattern[str]
    to: str
    status: int
    is_forced: bool
    """Whether it applies even where a file could answer."""
    where: str


class _Line(NamedTuple):
    """A rule as written, or why it cannot be read."""

    number: int
    """The line, counted from 1. 0 in files whose rules have no lines of their own."""
    source: str = ""
    to: str = ""
    status: str = "301"
    """With an exclamation mark if the rule applies even where a file could answer."""
    problem: str = ""


@dataclass(slots=True)
class Serving:
    """How a host answers for the URLs of a site."""

    exact: dict[str, _Rule] = field(default_factory=dict)
    """The rules for one path, by that path."""
    patterns: list[_Rule] = field(default_factory=list)
    headers: list[tuple[re.Pattern[str], str]] = field(default_factory=list)
    """The values of X-Robots-Tag. An empty one removes those of earlier rules."""
    findings: list[Finding] = field(default_factory=list)
    """What cannot be read. Hosts skip such rules, and so does this class."""

    @classmethod
    def read(cls, directory: str, project: str = "") -> "Serving":
        """Return the rules in an output directory and, if it is given, in the directory of its project."""
        serving = cls()
        for name, parse in (("_redirects", _redirects), ("_headers", _headers)):
            serving._read(os.path.join(directory, name), parse, _TOKEN)
        if project:
            serving._read(os.path.join(project, "netlify.toml"), _netlify, _TOKEN)
            serving._read(os.path.join(project, "vercel.json"), _vercel, _VERCEL_TOKEN)
        return serving

    def redirect(self, url: str, *, has_file: bool) -> Redirect | None:
        """Return how a rule answers for a normalised URL, or None.

        The first rule counts that leads elsewhere. A file wins over a pattern, as on Netlify and GitLab Pages, but not
        over a rule for this URL alone, which would have no other purpose.
        """
        bare, path = _bare(url), _bare(urls.path(url))
        found = [*self.patterns, self.exact[path]] if path in self.exact else self.patterns
        for rule in sorted(found, key=itemgetter(0)):
            match = rule.pattern.fullmatch(bare if "://" in rule.source else path)
            if not match or (has_file and not rule.is_forced):
                continue
            if rule.source in _EVERYTHING and rule.status not in MOVED:
                continue
            to = rule.to and urls.normal(_VALUE.sub(partial(_part, match), rule.to), url)
            if _bare(to) != bare:
                return Redirect(rule.status, to, rule.where)
        return None

    def robots(self, url: str) -> list[str]:
        """Return the X-Robots-Tag headers that the host sends with a normalised URL."""
        bare, path = _bare(url), _bare(urls.path(url))
        values: list[str] = []
        for pattern, value in self.headers:
            if pattern.fullmatch(bare if "://" in pattern.pattern else path):
                values = [*values, value] if value else []
        return values

    def _read(self, path: str, parse: Callable[[str], Iterator[_Line]], token: re.Pattern[str]) -> None:
        spot = Spot(os.path.basename(path), path)
        try:
            for line in parse(read_text(path)):
                problem = line.problem or self._add(line, token, spot.where, is_header=parse is _headers)
                if problem:
                    self.findings.append(UNREADABLE_RULE.at(spot, f"{problem}.", line=line.number))
        except FileNotFoundError:
            pass
        except (OSError, ValueError, LookupError, TypeError, AttributeError, RecursionError) as error:
            self.findings.append(UNREADABLE_RULE.at(spot, f"it cannot be read: {error}."))

    def _add(self, line: _Line, token: re.Pattern[str], name: str, *, is_header: bool) -> str:
        """Add a rule, or return why that is not possible."""
        try:
            pattern = _compiled(line.source, token)
        except re.error as error:
            return f"the regular expression in {brief(line.source)} is invalid: {error}"
        if is_header:
            self.headers.append((pattern, line.to))
            return ""
        status = line.status.removesuffix("!")
        if not status.isdigit() or int(status) not in _ACCEPTED:
            return f"its status is {brief(line.status)}; accepted: {', '.join(map(str, sorted(_ACCEPTED)))}"
        if not line.to.startswith(_STARTS) and (line.to or int(status) not in GONE):
            return f"its target is {brief(line.to)}; accepted: a path or a URL"
        is_exact = not pattern.groups and "://" not in line.source
        rule = _Rule(
            position=len(self.exact) + len(self.patterns),
            source=line.source,
            pattern=pattern,
            to=line.to,
            status=int(status),
            is_forced=is_exact or line.status.endswith("!"),
            where=f"{name}, line {line.number}" if line.number else name,
        )
        if is_exact:
            self.exact.setdefault(_bare(urls.encoded_path(line.source)), rule)
        else:
            self.patterns.append(rule)
        return ""


def _redirects(text: str) -> Iterator[_Line]:
    """Yield the rules of `_redirects`, but not those for some visitors or some queries only."""
    for number, line in enumerate(text.splitlines(), 1):
        parts = re.split(r"(?:^|\s)#", line)[0].split()
        targets = [position for position, part in enumerate(parts) if position and part.startswith(_STARTS)]
        at = targets[0] if targets else 1
        rest = parts[at + 1 :] if targets else parts[1:]
        if not parts or any("=" in part for part in (*parts[1:at], *rest)):
            continue
        if not parts[0].startswith(_STARTS) or not (rest or targets):
            yield _Line(number, problem="a rule has a path, a target, and perhaps a status, such as /old /new 301")
        else:
            yield _Line(number, parts[0], parts[at] if targets else "", rest[0] if rest else "301")


def _netlify(text: str) -> Iterator[_Line]:
    """Yield the redirects of a netlify.toml, but not those for some visitors or some queries only."""
    for each in tomllib.loads(text).get("redirects", []):
        if not each.get("conditions") and not each.get("query"):
            force = "!" if each.get("force") else ""
            yield _Line(0, each["from"], each.get("to", ""), f"{each.get('status', 301)}{force}")


def _vercel(text: str) -> Iterator[_Line]:
    """Yield the redirects of a vercel.json, which come before all files, but not those for some visitors only."""
    for each in json.loads(text).get("redirects", []):
        if not each.get("has") and not each.get("missing"):
            status = each.get("statusCode") or (308 if each.get("permanent", True) else 307)
            yield _Line(0, each["source"], each["destination"], f"{status}!")


def _headers(text: str) -> Iterator[_Line]:
    """Yield the X-Robots-Tag headers of `_headers`, each with the path above it."""
    source = ""
    for number, line in enumerate(text.splitlines(), 1):
        name, colon, value = line.strip().partition(":")
        is_removed = name.startswith("!")
        if not line.strip() or name.startswith("#"):
            continue
        if line.startswith(_STARTS):
            source = line.strip()
        elif not source or not (colon or is_removed):
            yield _Line(number, problem="a header is below a path, and has a name, a colon and a value")
        elif name.lstrip("! ").lower() == "x-robots-tag":
            yield _Line(number, source, "" if is_removed else value.strip())


def _compiled(source: str, token: re.Pattern[str]) -> re.Pattern[str]:
    """Return the regular expression for a path or a URL with patterns in it. A final ``/*`` also means no slash.

    Raises:
        re.error: a regular expression in it is invalid.
    """
    parts, end, source = [], 0, _bare(source)
    for found in token.finditer(source):
        name, own, group = found.groups()
        parts.append(re.escape(urls.encoded_path(source[end : found.start()])))
        expression = {None: "[^/]+", "": "[^/]+", "*": ".*", "+": ".+"}.get(own, own)
        parts.append(f"(?P<{name}>{expression})" if name else "(?P<splat>.*)" if group == "*" else group)
        end = found.end()
    parts.append(re.escape(urls.encoded_path(source[end:])))
    return re.compile(re.sub(r"/(\(\?P<\w+>\.\*\))\Z", r"(?:/\1)?", "".join(parts)), re.DOTALL)


def _part(match: re.Match[str], value: re.Match[str]) -> str:
    """Return the part of a URL for which a target has a name or a number, or these if the source has no such part."""
    name, number = value.groups()
    if name in match.groupdict() or (number and int(number) <= match.re.groups):
        return match[name or int(number)] or ""
    return value[0]


def _bare(url: str) -> str:
    """Return a URL or a path as hosts compare it: without its query, `index.html` and the slash at its end."""
    return url.partition("?")[0].removesuffix("index.html").removesuffix("/")
