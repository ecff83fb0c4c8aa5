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
from smindex_plugins.checks._site import OURS, SiteFacts
from smindex_plugins.writing.announcement import OR_WRITE
from smindex_plugins.writing.robots import Robots, SitemapLine
from smindex_plugins.writing.sitemap_lines import judge


def robots_unreachable(robots: Robots) -> Findings:
    if robots.failure:
        yield ROBOTS_UNREACHABLE.at(robots.spot(), f"it cannot be fetched: {robots.failure}.")


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
    option = OR_WRITE if site.is_ours else ""
    judged = judge(
        robots, wanted, led=_led(site, robots, wanted), unusable=site.unusable, option=option
    )
    for flaw in judged.flaws:
        if flaw.kind is ROBOTS_WITHOUT_SITEMAP and len(lines) < len(site.robots.sitemaps):
            continue
        yield flaw.kind.at(robots.spot(flaw.line), flaw.problem, flaw.fix)
    if lines and not (wanted or judged.flaws) and _is_foreign(site, own):
        problem = (
            "its Sitemap lines lead only to sitemaps of other hosts, which list no page of this"
            " one."
        )
        yield ROBOTS_WITHOUT_SITEMAP.at(
            robots.spot(), problem, "Add a line for the index of this site."
        )


def _wanted(site: SiteFacts, own: str) -> dict[str, list[str]]:
    """Return the indexes at an origin, each with its sitemaps, or if there are none, the sitemaps.

    The indexes of this tool are those of the site.
    """
    groups = set(site.children.values())
    tops = [url for url in site.parts if url not in site.children and urls.origin(url) == own]
    if OURS in groups:
        tops = [url for url in tops if url not in groups]
    if tops:
        return {url: site.parts[url] for url in tops}
    sitemaps = [urls.normal(sitemap.spot.url) for sitemap in site.sitemaps]
    return {url: [] for url in sitemaps if url not in site.children and urls.origin(url) == own}


def _led(site: SiteFacts, robots: Robots, wanted: Iterable[str]) -> set[str]:
    """Return the URLs to which a robots.txt leads through the indexes and sitemaps that it
    lists.
    """
    named = robots.named() - {""}
    led = {part for url in named for part in site.parts.get(url, ())}
    sitemaps = [*site.sitemaps, *site.flats, *site.unlisted_sitemaps]
    read = {*site.parts, *(urls.normal(sitemap.spot.url) for sitemap in sitemaps)}
    unread = named - read - site.unusable.keys() - {robots.url}
    # One that is no page, in a directory above, may be an index that lists the others.
    above = {urls.directory(url) for url in unread if not url.endswith(("/", ".html"))}
    led |= {url for url in wanted if any(urls.is_within(url, place) for place in above)}
    if site.is_ours or named | led >= set(wanted):
        return led
    pages: dict[str, set[str]] = {}
    for sitemap in sitemaps:
        pages[urls.normal(sitemap.spot.url)] = {entry.normal for entry in sitemap.entries}
    known = set().union(*(pages.get(url, ()) for url in named | led))
    for url in wanted:
        listed = set().union(*(pages.get(part, ()) for part in site.parts.get(url, [url])))
        if listed and listed <= known:  # the same pages in another form, such as a text file
            led.add(url)
    return led


def _is_foreign(site: SiteFacts, own: str) -> bool:
    """Whether all sitemaps are elsewhere, and list no page of an origin."""
    entries = [entry for sitemap in site.sitemaps for entry in sitemap.entries]
    return bool(entries) and not any(urls.is_within(entry.normal, f"{own}/") for entry in entries)
