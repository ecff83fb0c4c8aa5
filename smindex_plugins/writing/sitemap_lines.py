"""Whether the Sitemap lines of a robots.txt lead to the indexes of its site, and what is wrong with
them.

Builds and checks ask `judge`, so that both say the same about a file.
"""

from collections.abc import Collection, Mapping
from types import MappingProxyType
from typing import NamedTuple

from smindex_plugins.base import urls
from smindex_plugins.base.catalogue import (
    ROBOTS_IS_HTML,
    ROBOTS_NAMES_NO_SITEMAP,
    ROBOTS_NAMES_OTHER_ADDRESS,
    ROBOTS_RELATIVE_SITEMAP,
    ROBOTS_TOO_LARGE,
    ROBOTS_WITHOUT_SITEMAP,
    Kind,
)
from smindex_plugins.base.limits import MAX_ROBOTS
from smindex_plugins.writing.names import ROBOTS
from smindex_plugins.writing.robots import Robots, SitemapLine

Wanted = Mapping[str, Collection[str]]
"""The indexes that search engines should find, or the sitemaps of a site without one, by their
normalized URLs.

Each index comes with the sitemaps that it lists: lines for all of them are as good as a line for
the index.
"""


class Flaw(NamedTuple):
    """Something wrong with a robots.txt or with one of its Sitemap lines."""

    kind: Kind
    problem: str
    fix: str = ""
    line: int | None = None


class Judgement(NamedTuple):
    """Where the Sitemap lines of a robots.txt lead."""

    missing: list[str]
    """The wanted URLs that no line leads to."""
    flaws: list[Flaw]
    """What is wrong with the lines. If something is missing, the first flaw says why, and how to
    add it.

    There is none if all lines have findings of their own.
    """


def judge(
    robots: Robots,
    wanted: Wanted,
    *,
    led: Collection[str] = (),
    unusable: Mapping[str, str] = MappingProxyType({}),
    option: str = "",
) -> Judgement:
    """Return where the Sitemap lines of a robots.txt lead, and what is wrong with them.

    Args:
        robots: the file. It could be read.
        wanted: where it should lead.
        led: other URLs to which it leads, because a sitemap that it lists does.
        unusable: the URLs in its lines that aren't sitemaps, each with the reason as the end of a
            sentence, or with an empty string if it has a finding of its own.
        option: another way to add a line, as the end of a sentence.
    """
    named = robots.named() | {*led}
    missing = _lacking(wanted, named)
    if robots.is_html:
        fix = ""
        if missing:
            fix = f"Serve a text file with {line_for(missing)}, or return 404."
        return Judgement(missing, [Flaw(ROBOTS_IS_HTML, "it is an HTML page.", fix)])
    meant = {line: _meant(line, robots) for line in robots.sitemaps}
    usable = set(meant.values()) - unusable.keys()
    rest = _lacking(wanted, named | usable)
    flaws: list[Flaw] = []
    for line, url in meant.items():
        flaw = _flaw(line, url, robots, rest, unusable)
        if flaw:
            flaws.append(flaw)
    has_only_unusable = bool(meant) and not usable
    why = ""
    if rest and not flaws and not has_only_unusable:
        why = _why(robots, wanted, rest, named)
    if robots.is_cut:
        flaws.insert(0, _cut(why, rest))
    elif why:
        flaws.append(Flaw(ROBOTS_WITHOUT_SITEMAP, why, _advice(robots, wanted, rest, option)))
    return Judgement(missing, flaws)


def line_for(index_urls: Collection[str]) -> str:
    """Return the missing lines for a message: the first one, and the number of others."""
    first, *others = index_urls
    line = f"`Sitemap: {first}`"
    if others:
        line += f" and the lines for {len(others):,} more"
    return line


def _lacking(wanted: Wanted, named: Collection[str]) -> list[str]:
    """Return the wanted URLs that are not named, except for indexes whose sitemaps all are."""
    known = set(named)
    lacking: list[str] = []
    for url, parts in wanted.items():
        are_parts_named = parts and known.issuperset(parts)
        if url not in known and not are_parts_named:
            lacking.append(url)
    return lacking


def _meant(line: SitemapLine, robots: Robots) -> str:
    """Return the normalized URL that a line means, if it is relative or has another form of the
    site's address.
    """
    full = line.meant(robots.url)
    if not full:
        return ""
    own = urls.origin(robots.url) if robots.url else ""
    origin = urls.origin(full)
    if urls.bare_host(origin) == urls.bare_host(own):
        return own + urls.path(full)
    return full


def _flaw(
    line: SitemapLine, meant: str, robots: Robots, rest: list[str], unusable: Mapping[str, str]
) -> Flaw | None:
    """Return what is wrong with one line. ``rest`` are the wanted URLs that no line even means."""
    instead = f"Write {line_for(rest)} instead." if rest else ""
    if meant and meant == robots.url:
        problem = f"its Sitemap line lists {ROBOTS} itself."
        return Flaw(ROBOTS_NAMES_NO_SITEMAP, problem, instead, line.line)
    why = unusable.get(meant, "")
    if why:
        problem = f"its Sitemap line lists {line.url}, {why}."
        return Flaw(ROBOTS_NAMES_NO_SITEMAP, problem, instead, line.line)
    full = urls.normal(line.url)
    if full == meant != "" or meant in unusable:
        return None
    right = f"`Sitemap: {meant}`"
    if not full:
        problem = f"its Sitemap line {line.url!r} is not a full URL."
        fix = instead or ROBOTS_RELATIVE_SITEMAP.fix
        if meant:
            fix = f"Write {right}."
            if rest:
                fix += f" Add {line_for(rest)}."
        return Flaw(ROBOTS_RELATIVE_SITEMAP, problem, fix, line.line)
    if rest:
        right = line_for(rest)
    fix = f"Write {right}, or build the site with the address in the line."
    problem = f"its Sitemap line lists {line.url}, but the site is at {urls.origin(meant)}/."
    return Flaw(ROBOTS_NAMES_OTHER_ADDRESS, problem, fix, line.line)


def _cut(why: str, rest: list[str]) -> Flaw:
    """Return the flaw of a file that is too large, with why its first part does not lead to the
    rest.
    """
    problem = f"it has more than the {MAX_ROBOTS:,} bytes that crawlers read."
    if not why:
        return Flaw(ROBOTS_TOO_LARGE, problem)
    fix = f"Shorten the file, and put {line_for(rest)} at its start."
    return Flaw(ROBOTS_TOO_LARGE, f"{problem} In the part that they read, {why}", fix)


def _advice(robots: Robots, wanted: Wanted, rest: list[str], option: str) -> str:
    """Return how to add the missing lines, and which others to remove so that the next look finds
    nothing.
    """
    if b"\0" in robots.content:
        return f"Save it as UTF-8, and add {line_for(rest)}."
    advice = f"Add {line_for(rest)}{option}."
    hosts = _other_hosts(robots)
    if len(hosts) == 1:
        return f"{advice} If the site has moved from {hosts[0]}, remove that line."
    if hosts:
        return f"{advice} If the site has moved from one of these hosts, remove its line."
    known = set(wanted).union(*wanted.values())
    others = []
    for line in robots.sitemaps:
        if urls.normal(line.url) not in known:
            others.append(line.url)
    if not others:
        return advice
    if len(others) == 1:
        return f"{advice} Remove the line for {others[0]} if it lists the same pages."
    return f"{advice} Remove the lines for other sitemaps of the same pages."


def _why(robots: Robots, wanted: Wanted, rest: list[str], named: Collection[str]) -> str:
    """Return why the lines don't lead to the rest of the wanted URLs, as a sentence about the
    file.
    """
    lines = robots.sitemaps
    if not lines and b"\0" in robots.content:
        return "it is not UTF-8 text, so crawlers read no Sitemap line in it."
    if not lines:
        return "it has no Sitemap line."
    hosts = _other_hosts(robots)
    if hosts:
        those = f"its {len(lines):,} Sitemap lines are only for other hosts: {_named(hosts)}."
        that = f"its only Sitemap line is for another host: {lines[0].url}."
        return that if len(lines) == 1 else those
    part = _part(wanted, rest, named)
    if part:
        return f"its Sitemap lines list {part}."
    what = "the index" if any(wanted.values()) else _named(rest)
    if len(lines) == 1:
        return f"its Sitemap line lists {lines[0].url}, but not {what}."
    return f"its Sitemap lines don't list {what}."


def _part(wanted: Wanted, rest: list[str], named: Collection[str]) -> str:
    """Return which part of the indexes and their sitemaps is named, and which is not, or an empty
    string.
    """
    for url in rest:
        parts = wanted[url]
        omitted = [part for part in parts if part not in named]
        if len(omitted) < len(parts):
            here = len(parts) - len(omitted)
            return f"{here:,} of the {len(parts):,} sitemaps in {url}, but not {_named(omitted)}"
    if len(rest) == len(wanted):
        return ""
    what = "indexes" if any(wanted.values()) else "sitemaps"
    return f"{len(wanted) - len(rest):,} of the {len(wanted):,} {what}, but not {_named(rest)}"


def _named(some: list[str]) -> str:
    first, *others = some
    if others:
        return f"{first} and {len(others):,} more"
    return first


def _other_hosts(robots: Robots) -> list[str]:
    """Return the hosts of the lines if all of them are for other hosts than the site's own, or an
    empty list.
    """
    own = urls.bare_host(urls.origin(robots.url)) if robots.url else ""
    hosts: list[str] = []
    for line in robots.sitemaps:
        url = urls.normal(line.url)
        if not url or urls.bare_host(urls.origin(url)) == own:
            return []
        hosts.append(urls.origin(url).partition("://")[2])
    return list(dict.fromkeys(hosts))
