"""The redirects and headers that a static host is configured to send, and how they apply to URLs.

`rule_files` reads them.
"""

import heapq
import itertools
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple
from urllib.parse import unquote

from smindex_plugins.base import urls
from smindex_plugins.base.limits import MAX_URL_LENGTH
from smindex_plugins.base.model import Spot

GONE = frozenset({404, 410})
"""The statuses of rules for intentionally removed pages."""
MOVED = frozenset({301, 302, 303, 307, 308})
VALUE = re.compile(r":([A-Za-z]\w*)[*+?]?|\$(\d)", re.ASCII)
"""What a target refers to a part of the URL with: a name or a number."""
_SIGN = re.compile("%(?:21|24|2[6-9A-C]|3[ABD]|40)")
"""The escapes of `!$&'()*+,:;=@`. In a path, servers treat them like the signs themselves."""


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


class Rule(NamedTuple):
    """A rule of a file."""

    position: int
    """Its place among all rules of the host. The first one that matches applies."""
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


Rules = dict[int | None, dict[str, list[Rule]]]
"""Rules by the length of the text before their first placeholder, then by this text. Only few rules
are then compared with a URL. The length is None for rules without placeholders, which must match as
a whole."""


@dataclass(slots=True)
class HostRules:
    """The rules of a host: redirects, and headers for search engines."""

    redirects: Rules = field(default_factory=dict)
    headers: Rules = field(default_factory=dict)
    """The values of X-Robots-Tag. An empty value removes the values of earlier rules."""
    unread: list[UnreadRule] = field(default_factory=list)
    positions: Iterator[int] = field(default_factory=itertools.count)
    """The positions of the rules to come."""

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
            if bare_url(to) != bare_url(url):
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
            if to is not None and (rule.status not in MOVED or bare_url(to) != bare_url(url)):
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

    def _target(self, rule: Rule, match: re.Match[str] | None, url: str) -> str | None:
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


def is_same(url: str, other: str) -> bool:
    """Whether two normalized URLs are the same for rules."""
    return bare_url(compared(url)) == bare_url(compared(other))


def _matching(
    rules: Rules, url: str, *, is_elsewhere: bool = False
) -> Iterator[tuple[Rule, re.Match[str] | None]]:
    """Yield the rules for a normalized URL or its path, in order, with the match of their pattern
    if they have one.
    """
    if not rules or len(url) > MAX_URL_LENGTH:
        return
    start = len(urls.origin(url))
    starts = [0] if is_elsewhere else [start, 0]
    whole, bare = compared(url.partition("?")[0]), compared(bare_url(url))
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
    for value in VALUE.finditer(to):
        parts += [to[end : value.start()], _part(match, value)]
        end = value.end()
        length += len(parts[-2]) + len(parts[-1])
        if length > MAX_URL_LENGTH:
            return "".join(parts)
    return "".join([*parts, to[end:]])


def compared(text: str) -> str:
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


def bare_url(url: str) -> str:
    """Return a URL or a path as hosts compare it: without query, `index.html` and trailing
    slash.
    """
    return url.partition("?")[0].removesuffix("/index.html").removesuffix("/")
