"""Checks of the address of a site: placeholders in URLs, and other addresses that the site itself names."""

from collections import Counter
from dataclasses import replace

from smindex_plugins.base import urls
from smindex_plugins.base.addresses import who_reaches
from smindex_plugins.base.catalogue import CANONICAL_ELSEWHERE
from smindex_plugins.base.model import Findings, Spot
from smindex_plugins.base.text import counted
from smindex_plugins.checks._robots import robots_names_other_address
from smindex_plugins.checks._site import Site
from smindex_plugins.pages.contradictions import find_contradictions, host_of
from smindex_plugins.pages.host import placeholder_doubts

_OF_ANOTHER_SITE = (
    "If the page belongs to the other site, remove it from the sitemap. Otherwise, correct the canonical link."
)


def placeholder_address(site: Site) -> Findings:
    """Yield one finding about all URLs on each host that is a placeholder.

    URLs on another host than that of their sitemap are found anyway, and a host that served the sitemap exists.
    """
    counts: Counter[str] = Counter()
    first: dict[str, Spot] = {}
    for sitemap in site.sitemaps:
        own = urls.origin(urls.normal(sitemap.spot.url)) + "/"
        if not sitemap.spot.file:
            continue
        here = [entry for entry in sitemap.entries if urls.is_within(entry.normal, own)]
        counts[own] += len(here)
        if here and own not in first:
            first[own] = here[0].spot
    for address, spot in first.items():
        if who_reaches(address):
            continue  # which `private-host` reports
        problem = f"lists {counted(counts[address], 'URL')} at {address}"
        yield from placeholder_doubts(address, spot, problem, site.address_from, site.cname)


def other_addresses(site: Site) -> Findings:
    """Yield one finding for each other address that the site names, and one for each page of another site.

    If `CNAME` or canonical links name an address, then robots.txt may name it too without a finding of its own.
    """
    known: frozenset[str] = frozenset()
    if site.address:
        agreeing = site.pages - sum(claim.is_listed for claim in site.claims)
        found = find_contradictions(site.address, site.address_from, site.claims, agreeing, site.cname)
        known = found.hosts
        yield from found.findings
        for claim in found.others:
            if claim.is_listed:
                problem = f"lists {claim.url}, whose canonical URL is {claim.canonical}."
                yield CANONICAL_ELSEWHERE.at(claim.spot, problem, _OF_ANOTHER_SITE)
    if site.robots:
        lines = [line for line in site.robots.sitemaps if host_of(urls.normal(line.url)) not in known]
        yield from robots_names_other_address(replace(site.robots, sitemaps=lines))
