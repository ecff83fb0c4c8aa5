"""Checks of the address of a site: placeholders in URLs, and other addresses that the site itself
names.
"""

from collections import Counter
from collections.abc import Iterator

from smindex_plugins.base import urls
from smindex_plugins.base.addresses import who_reaches
from smindex_plugins.base.model import Findings, Spot
from smindex_plugins.base.text import counted
from smindex_plugins.checks._leading import canonical_elsewhere
from smindex_plugins.checks._robots import robots_leads_elsewhere
from smindex_plugins.checks._site import SiteFacts
from smindex_plugins.pages.contradictions import (
    Contradictions,
    ForeignCanonical,
    find_contradictions,
)
from smindex_plugins.pages.host import placeholder_doubts


def placeholder_address(site: SiteFacts) -> Findings:
    """Yield one finding about all URLs on each host that is a placeholder.

    URLs on a different host than that of their sitemap are found anyway, and a host that served the
    sitemap exists.
    """
    counts: Counter[str] = Counter()
    first: dict[str, Spot] = {}
    for sitemap in site.sitemaps:
        own = urls.origin(sitemap.normal) + "/"
        if not sitemap.spot.file:
            continue
        here = [entry for entry in sitemap.entries if urls.is_within(entry.normal, own)]
        counts[own] += len(here)
        if here and own not in first:
            first[own] = here[0].spot
    for address, spot in first.items():
        if who_reaches(address):
            continue  # which `private-host` reports
        number = counted(counts[address], "URL")
        problem = f"lists {number} at {address}"
        yield from placeholder_doubts(address, spot, problem, site.address_from, site.cname)


def other_addresses(site: SiteFacts) -> Findings:
    """Yield one finding for each other address that the site names, and faults of canonical links.

    If `CNAME` or canonical links name an address, then robots.txt may name it too without a finding
    of its own.
    """
    claims = list(_claims(site))
    disagreeing = sum(claim.is_listed for claim in claims)
    agreeing = site.pages - disagreeing
    found = Contradictions([], claims, frozenset())
    if site.address:
        found = find_contradictions(site.address, site.address_from, claims, agreeing, site.cname)
    yield from found.findings
    reported = {claim.url for claim in claims}
    reported.difference_update(claim.url for claim in found.others)
    rest = [lead for lead in site.leads if lead.by != "canonical" or lead.url not in reported]
    yield from canonical_elsewhere(rest, site.look, site.scope)
    yield from robots_leads_elsewhere(site, found.hosts)


def _claims(site: SiteFacts) -> Iterator[ForeignCanonical]:
    """Yield the pages whose canonical links name another origin, without those of other sites."""
    for lead in site.leads:
        is_listed = bool(lead.scope)
        is_known = is_listed or lead.spot in site.unlisted
        if lead.by == "canonical" and is_known and urls.origin(lead.to) != urls.origin(lead.url):
            yield ForeignCanonical(lead.spot, lead.url, lead.to, is_listed)
