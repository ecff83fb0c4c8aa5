"""Parses robots.txt: Sitemap lines, the URLs that crawlers may fetch (RFC 9309), and consents to
other sites.

It is read as Googlebot reads it: https://github.com/google/robotstxt. Available libraries differ:
they apply a group for `google` to Googlebot.
"""

import os
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from smindex_plugins.base import files, urls
from smindex_plugins.base.catalogue import UNPROVEN_CROSS_SITE
from smindex_plugins.base.limits import MAX_ROBOTS
from smindex_plugins.base.model import Finding, Spot
from smindex_plugins.base.urls import is_url
from smindex_plugins.writing.names import ROBOTS

_CRAWLER = "googlebot"
_OURSELVES = "smindex"
_READ_AS = {_CRAWLER, _OURSELVES, "*"}
"""The agents whose groups are kept."""
_NAMES = {
    "user-agent": ("user-agent", "useragent", "user agent"),
    "allow": ("allow",),
    "disallow": ("disallow", "dissallow", "dissalow", "disalow", "diasllow", "disallaw"),
    "sitemap": ("sitemap", "site-map"),
}
"""The prefixes of line names: the correct spelling first, then others that Googlebot accepts."""
_DELAY = re.compile(r"\d{1,6}(?:\.\d{1,6})?")
_BLANK = " \t\v\f"
"""The white space around names and values. No other character is removed."""


class SitemapLine(NamedTuple):
    """A `Sitemap:` line: its number and its value."""

    line: int
    url: str

    def meant(self, base: str) -> str:
        """Return the normalized URL that it means, if it lacks the scheme or the host of a base, or
        an empty string.
        """
        full = urls.normal(self.url)
        if full or not (self.url and base):
            return full
        scheme, _, host = urls.origin(base).partition("://")
        start = host.removeprefix("www.") + "/"
        if self.url.lower().removeprefix("www.").startswith(start):
            return urls.normal(f"{scheme}://{self.url}", base)
        return urls.normal(self.url, base)


class GroupRules:
    """The rules of one group: whether each allows, and its pattern as written.

    The longest matching rule applies, or Allow on a tie:
    https://www.rfc-editor.org/rfc/rfc9309#section-2.2.2
    """

    def __init__(self, rules: Iterable[tuple[bool, str]] = ()) -> None:
        allows: dict[str, bool] = {}
        for is_allowed, pattern in rules:
            text = urls.encoded_path(pattern)
            if text:  # an empty rule matches nothing
                allows[text] = allows.get(text, False) or is_allowed
        ranked = [(len(text), is_allowed, text) for text, is_allowed in allows.items()]
        ranked.sort(reverse=True)  # the strongest first
        self._rules = [(is_allowed, text, _compiled(text)) for _, is_allowed, text in ranked]

    def blocking(self, path: str) -> str | None:
        """Return the pattern that blocks a path with its query, or None."""
        for is_allowed, pattern, compiled in self._rules:
            if compiled.match(path):
                return None if is_allowed else pattern
        return None


def _compiled(pattern: str) -> re.Pattern[str]:
    """Return a pattern as a regular expression. Atomic groups prevent slow matches."""
    first, *others = map(re.escape, pattern.removesuffix("$").split("*"))
    expression = first
    if others:
        *between, last = others
        for part in between:
            expression += f"(?>.*?{part})"
        expression += f".*{last}"
    if pattern.endswith("$"):
        expression += r"\Z"
    return re.compile(expression, re.DOTALL)


@dataclass(slots=True)
class Robots:
    """A robots.txt as a crawler reads it."""

    where: str = ROBOTS
    file: str = ""
    url: str = ""
    """The URL that serves it. Empty if no crawler reads it."""
    content: bytes = b""
    """Its content: at most one byte more than crawlers read."""
    sitemaps: list[SitemapLine] = field(default_factory=list)
    unread: dict[int, str] = field(default_factory=dict)
    """Why crawlers, or all except Google's, ignore a line, by its number."""
    is_html: bool = False
    failure: str = ""
    """Why it could not be read. After a server error, crawlers treat everything as blocked."""
    rules: GroupRules = field(default_factory=GroupRules)
    own_rules: GroupRules = field(default_factory=GroupRules)
    """The rules for this tool, if it fetches pages."""
    delay: float = 0.0
    """The delay between two requests of this tool, in seconds."""

    @property
    def is_cut(self) -> bool:
        """Whether it is larger than what crawlers read."""
        return len(self.content) > MAX_ROBOTS

    def spot(self, line: int | None = None) -> Spot:
        """Return the file, or one of its lines, as the subject of a finding."""
        return Spot(self.where, self.file or None, self.url or None, line=line)

    def keeps_out(self, normal_url: str) -> bool:
        """Whether a rule blocks a normalized URL of this host for this tool or for Google."""
        return bool(
            self.failure
            or self.blocks(normal_url)
            or self.own_rules.blocking(urls.path(normal_url))
        )

    def blocks(self, normal_url: str) -> str | None:
        """Return the rule that blocks a normalized URL of this host for Googlebot, or None."""
        return self.rules.blocking(urls.path(normal_url))

    def named(self) -> set[str]:
        """Return the normalized URLs in its Sitemap lines."""
        return {urls.normal(line.url) for line in self.sitemaps}

    def lacks(self, normal_urls: Iterable[str]) -> list[str]:
        """Return the normalized URLs that no Sitemap line lists."""
        named = self.named()
        return [url for url in normal_urls if url not in named]


def read(file: str, where: str = ROBOTS, url: str = "") -> Robots:
    """Return the content of a robots.txt on this machine.

    Raises:
        OSError: it can't be read.
    """
    return parse(files.read(file, MAX_ROBOTS + 1), where, file, url)


class _Groups:
    """The groups of a robots.txt, as they are read line by line."""

    def __init__(self) -> None:
        self.rules: dict[str, list[tuple[bool, str]]] = {}
        self.delays: dict[str, float] = {}
        self.has_agent = False
        self._agents: set[str] = set()
        """The agents of the current group."""
        self._is_open = False
        """Whether another agent would belong to the current group."""

    def add_agent(self, value: str) -> None:
        """Add an agent to the current group, or start the next one."""
        agent = re.split(r"[^A-Za-z_-]", value, maxsplit=1)[0].lower()
        if re.match(r"\*(?:\s|$)", value, re.ASCII):
            agent = "*"
        if not self._is_open:
            self._agents = set()
        if agent in _READ_AS:
            self._agents.add(agent)
            self.rules.setdefault(agent, [])  # a group without rules allows everything
        self._is_open = True
        self.has_agent = True

    def add_rule(self, value: str, *, is_allowed: bool) -> None:
        """Add a rule to the current group."""
        self._is_open = False
        rules = [(is_allowed, value)]
        directory, _, file = value.rpartition("/")
        if is_allowed and file.startswith("index.htm"):  # which also allows its directory
            rules.append((True, f"{directory}/$"))
        for agent in self._agents:
            self.rules[agent] += rules

    def add_delay(self, seconds: float) -> None:
        """Set the delay of the current group, which is in no standard."""
        for agent in self._agents:
            self.delays.setdefault(agent, seconds)


def parse(content: bytes, where: str = ROBOTS, file: str = "", url: str = "") -> Robots:
    """Return the content of a robots.txt.

    Lines that don't end in the size that crawlers read are ignored.
    """
    robots = Robots(where=where, file=file, url=url, content=content)
    read = content[:MAX_ROBOTS]
    if robots.is_cut:  # a part of a rule or a URL would mean something else
        end = max(read.rfind(b"\n"), read.rfind(b"\r"))
        read = read[: end + 1]
    text = read.decode("utf-8", "replace").removeprefix("\ufeff")
    robots.is_html = text.lstrip()[:100].lower().startswith(("<!doctype", "<html"))
    groups = _Groups()
    for number, line in enumerate(re.split(r"\r\n|\r|\n", text), start=1):
        written, value = _divided(line.partition("#")[0].strip(_BLANK))
        name = _name(written)
        why = _why_unread(written, name, has_agent=groups.has_agent)
        if why:
            robots.unread[number] = why
        if name == "sitemap":
            robots.sitemaps.append(SitemapLine(number, value))
        elif name == "user-agent":
            groups.add_agent(value)
        elif name:
            groups.add_rule(value, is_allowed=name == "allow")
        elif written.lower() == "crawl-delay" and _DELAY.fullmatch(value):
            groups.add_delay(float(value))
    rules = {agent: GroupRules(given) for agent, given in groups.rules.items()}
    robots.rules = rules.get(_CRAWLER) or rules.get("*") or robots.rules
    ourselves = _OURSELVES if _OURSELVES in rules else "*"
    robots.own_rules = rules.get(ourselves, robots.own_rules)
    robots.delay = groups.delays.get(ourselves, 0.0)
    return robots


def _name(written: str) -> str:
    """Return the correct name of a line for its name as written, or an empty string."""
    for name, spellings in _NAMES.items():
        if written.lower().startswith(spellings):
            return name
    return ""


def _why_unread(written: str, name: str, *, has_agent: bool) -> str:
    """Return why some crawlers ignore a line with a name as written, or an empty string."""
    if name in {"allow", "disallow"} and not has_agent:
        return "it is before the first `User-agent` line, so no crawler applies it"
    if name and not written.lower().startswith(name):
        return f"only Google reads {written!r} as `{name.capitalize()}`"
    if written.lower() == "noindex":
        return "no search engine supports `Noindex` lines"
    return ""


def _divided(line: str) -> tuple[str, str]:
    """Return the name and the value of a line.

    White space between two words can replace the colon.
    """
    name, colon, value = line.partition(":")
    if colon:
        return name.strip(_BLANK), value.strip(_BLANK)
    words = re.split(f"[{_BLANK}]+", line)
    if len(words) == 2:  # noqa: PLR2004 - a name and a value
        return words[0], words[1]
    return "", ""


@dataclass(frozen=True, slots=True)
class Consents:
    """Consents of other sites to list their URLs: a Sitemap line in the robots.txt of each.

    The rule: https://www.sitemaps.org/protocol.html#sitemaps_cross_submits
    """

    robots: dict[str, Robots] = field(default_factory=dict)
    """The robots.txt of each origin. One that could not be read contains the reason, and agrees to
    nothing."""

    def joined(self, others: "Consents") -> "Consents":
        """Return the consents of both.

        If both have an origin's robots.txt, the other takes precedence.
        """
        return Consents(self.robots | others.robots)

    def readable(self) -> dict[str, Robots]:
        """Return the files that could be read."""
        return {origin: found for origin, found in self.robots.items() if not found.failure}

    def proven(self, *listed_by: str) -> frozenset[str]:
        """Return the origins that agree to be listed in one of these indexes or sitemaps."""
        return frozenset(origin for origin in self.robots if self.names(origin, *listed_by))

    def names(self, origin: str, *listed_by: str) -> bool:
        """Whether an origin's robots.txt lists one of these files of another origin.

        A site's own robots.txt does not extend the scope of its directories.
        """
        # a line of which isn't an index
        files = [url for url in listed_by if not url.endswith(f"/{ROBOTS}")]
        if any(urls.origin(url) == origin for url in files):
            return False
        return not self.robots[origin].named().isdisjoint(files)

    def unproven(self, index_url: str, proven: Iterable[str]) -> Iterator[Finding]:
        """Yield a finding for each origin that does not agree: the missing line, or why that is
        unknown.
        """

        def failures_first(origin: str) -> tuple[bool, str]:
            return not self.robots[origin].failure, origin

        for origin in sorted(self.robots, key=failures_first):
            found = self.robots[origin]
            if origin in proven:
                continue
            where: Spot | str = found.spot()
            if found.failure:
                problem = (
                    f"it can't be read, so nothing shows that {origin} agrees to be listed:"
                    f" {found.failure}."
                )
                fix = f"Pass the robots.txt of {origin}, or the directory that contains it."
            elif origin == urls.origin(index_url):
                where = origin
                problem = (
                    "it is the site's own origin, and the site's own robots.txt doesn't extend a"
                    " directory's scope."
                )
                fix = (
                    "Remove it from cross_site, and put the index in a directory above everything"
                    " that it lists."
                )
            else:
                problem = (
                    f"it has no Sitemap line for {index_url}, so {origin} does not agree to be"
                    " listed there."
                )
                fix = f"Add this line to {origin}/robots.txt: `Sitemap: {index_url}`"
            yield UNPROVEN_CROSS_SITE.at(where, problem, fix)


def read_consents(
    places: Iterable[tuple[str, str]], beside: str = "", fetch: Callable[[str], bytes] | None = None
) -> Consents:
    """Return the consents of origins, with their robots.txt from a file, a directory, or with
    ``fetch`` from a URL.

    Relative paths are relative to the directory ``beside``. If ``fetch`` gets no file, it raises an
    OSError.
    """
    return Consents({origin: _read(origin, place, beside, fetch) for origin, place in places})


def _read(origin: str, place: str, beside: str, fetch: Callable[[str], bytes] | None) -> Robots:
    served_at = f"{origin}/{ROBOTS}"
    try:
        if not is_url(place):
            path = os.path.join(beside, place)
            if os.path.isdir(path):
                path = os.path.join(path, ROBOTS)
            return read(path, path, served_at)
        if fetch is None:
            return Robots(where=place, failure="a build sends no requests")
        url = urls.normalise(place)
        if urls.path(url) == "/":
            url += ROBOTS
        return parse(fetch(url), url, url=served_at)
    except OSError as error:
        return Robots(where=place, failure=error.strerror or str(error))
