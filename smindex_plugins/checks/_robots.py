"""Checks of robots.txt: alone, and whether it leads to the sitemaps of its site."""

from collections.abc import Collection, Iterable
from dataclasses import replace

from smindex_plugins.base import urls
from smindex_plugins.base.catalogue import (
    ROBOTS_IN_SUBDIRECTORY,
    ROBOTS_UNREACHABLE,
    ROBOTS_UNREAD_LINE,
    ROBOTS_WITHOUT_SITEMAP,
)
from smindex_plugins.base.model import Findings
from smindex_plugins.checks._site import OURS, SiteFacts, entries_of
from smindex_plugins.writing.announcement import OR_WRITE
from smindex_plugins.writing.robots import Robots, SitemapLine
from smindex_plugins.writing.sitemap_lines import judge


def robots_unreachable(robots: Robots) -> Findings:
    if robots.failure:
        yield ROBOTS_UNREACHABLE.at(robots.spot(), f"it can't be fetched: {robots.failure}.")


def robots_unread_line(robots: Robots) -> Findings:
    for number, why in robots.unread.items():
        yield ROBOTS_UNREAD_LINE.at(robots.spot(number), f"{why}.")


def robots_in_subdirectory(robots: Robots) -> Findings:
    if not robots.url:
        problem = "it has no effect: crawlers read only the robots.txt at the root of the host."
        fix = "Move its lines to that file. If you can't, submit the index in Search Console."
        yield ROBOTS_IN_SUBDIRECTORY.at(robots.spot(), problem, fix)


def robots_leads_elsewhere(site: SiteFacts, reported: Collection[str] = ()) -> Findings:
    """Yield why robots.txt does not lead to the index.

    Hosts that are reported already are not reported again.
    """
    if site.robots is None or site.robots.failure:
        return
    own = urls.origin(site.robots.url)
    lines: list[SitemapLine] = []
    for line in site.robots.sitemaps:
        url = urls.normal(line.url)
        if urls.is_within(url, f"{own}/") or urls.host(url) not in reported:
            lines.append(line)
    robots = replace(site.robots, sitemaps=lines)
    wanted = _wanted(site, own)
    led = _led(site, robots, wanted)
    option = OR_WRITE if site.is_ours else ""
    judged = judge(robots, wanted, led=led, unusable=site.unusable, option=option)
    for flaw in judged.flaws:
        if flaw.kind is ROBOTS_WITHOUT_SITEMAP and len(lines) < len(site.robots.sitemaps):
            continue
        spot = robots.spot(flaw.line)
        yield flaw.kind.at(spot, flaw.problem, flaw.fix)
    if lines and not (wanted or judged.flaws) and _is_foreign(site, own):
        problem = (
            "its Sitemap lines lead only to sitemaps of other hosts, which list no page of this"
            " one."
        )
        fix = "Add a line for the index of this site."
        yield ROBOTS_WITHOUT_SITEMAP.at(robots.spot(), problem, fix)


def _wanted(site: SiteFacts, own: str) -> dict[str, list[str]]:
    """Return the indexes at an origin, each with its sitemaps, or if there are none, the sitemaps.

    The indexes of this tool are those of the site.
    """
    groups = set(site.children.values())
    has_ours = OURS in groups
    indexes: dict[str, list[str]] = {}
    for url, parts in site.parts.items():
        is_top = url not in site.children and urls.origin(url) == own
        if is_top and not (has_ours and url in groups):
            indexes[url] = parts
    if indexes:
        return indexes
    sitemaps: dict[str, list[str]] = {}
    for sitemap in site.sitemaps:
        url = sitemap.normal
        if url not in site.children and urls.origin(url) == own:
            sitemaps[url] = []
    return sitemaps


def _led(site: SiteFacts, robots: Robots, wanted: Iterable[str]) -> set[str]:
    """Return the URLs to which a robots.txt leads by the indexes and sitemaps that it lists."""
    named = robots.named() - {""}
    led: set[str] = set()
    for url in named:
        led.update(site.parts.get(url, ()))
    sitemaps = [*site.sitemaps, *site.flats, *site.unlisted_sitemaps]
    read = {*site.parts, *(sitemap.normal for sitemap in sitemaps)}
    for unread in named - read - site.unusable.keys() - {robots.url}:
        # One that isn't a page, in a directory above, may be an index that lists the others.
        if not unread.endswith(("/", ".html")):
            directory = urls.directory(unread)
            led.update(url for url in wanted if urls.is_within(url, directory))
    if site.is_ours or named | led >= set(wanted):
        return led

    pages: dict[str, set[str]] = {}
    for sitemap in sitemaps:
        pages[sitemap.normal] = {entry.normal for entry in sitemap.entries}
    known: set[str] = set()
    for url in named | led:
        known |= pages.get(url, set())
    for url in wanted:
        listed: set[str] = set()
        for part in site.parts.get(url, [url]):
            listed |= pages.get(part, set())
        if listed and listed <= known:  # the same pages in another form, such as a text file
            led.add(url)
    return led


def _is_foreign(site: SiteFacts, own: str) -> bool:
    """Whether all sitemaps are elsewhere, and list no page of an origin."""
    home = f"{own}/"
    pages = [entry.normal for entry in entries_of(site.sitemaps)]
    return bool(pages) and not any(urls.is_within(page, home) for page in pages)
