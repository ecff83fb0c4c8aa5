"""Other addresses that a site itself names: in `CNAME`, and in the canonical links of its pages.

One wrong address affects all pages, so it is one finding. A canonical link to another site can be
intended. It shows another address only if it differs in the scheme or in `www`, or if the home page
or nearly all pages have such a link.
"""

from collections import Counter
from collections.abc import Iterable
from typing import NamedTuple

from smindex_plugins.base import urls
from smindex_plugins.base.addresses import who_reaches, why_placeholder, why_template
from smindex_plugins.base.catalogue import CONTRADICTED_ADDRESS
from smindex_plugins.base.cname import Cname
from smindex_plugins.base.model import Finding, Spot
from smindex_plugins.base.text import counted

_NEARLY_ALL = 0.9
"""The share of pages whose canonical links show the address of a site."""
_UNTIL_THEN = "Until then, these pages are not listed."


class ForeignCanonical(NamedTuple):
    """A page whose canonical URL has a different origin than the address of the site."""

    spot: Spot
    url: str
    canonical: str
    is_listed: bool = False


class Contradictions(NamedTuple):
    """What the other origins mean."""

    findings: list[Finding]
    """One for each other address."""
    others: list[ForeignCanonical]
    """The claims that show no other address of the site, because their pages belong to other
    sites."""
    hosts: frozenset[str]
    """The hosts of the other addresses."""


def find_contradictions(
    site_url: str,
    url_from: str,
    claims: Iterable[ForeignCanonical],
    agreeing: int,
    cname: Cname | None,
) -> Contradictions:
    """Return the other addresses that a site names.

    ``agreeing`` is the number of the pages that name no other address.
    """
    by_origin: dict[str, list[ForeignCanonical]] = {}
    for claim in claims:
        by_origin.setdefault(urls.origin(claim.canonical), []).append(claim)
    is_reported = who_reaches(site_url) or why_template(site_url)  # with the domain in `CNAME`
    contradicts = cname is not None and not is_reported and cname.contradicts(site_url)
    total = agreeing + sum(map(len, by_origin.values()))
    findings: list[Finding] = []
    others: list[ForeignCanonical] = []
    hosts: set[str] = set()
    for origin, group in by_origin.items():
        host = urls.host(origin)
        agreed = None
        if cname and contradicts and host == cname.domain:
            agreed = cname
            contradicts = False  # one finding reports both
        if agreed or _is_of_site(origin, group, site_url, total):
            findings.append(_by_pages(site_url, url_from, group, total, agreed))
            hosts.add(host)
        else:
            others += group
    if cname and contradicts:
        findings.append(_by_cname(site_url, url_from, cname))
        hosts.add(cname.domain)
    return Contradictions(findings, others, frozenset(hosts))


def _is_of_site(origin: str, group: list[ForeignCanonical], site_url: str, total: int) -> bool:
    """Whether canonical links to another origin show that this is the site's own address."""
    if urls.bare_host(origin) == urls.bare_host(urls.origin(site_url)):
        return True
    if len(group) >= _NEARLY_ALL * total:
        return True
    home = urls.bare(site_url)
    return any(urls.bare(claim.url) == home for claim in group)


def _by_pages(
    site_url: str, url_from: str, group: list[ForeignCanonical], total: int, cname: Cname | None
) -> Finding:
    first = group[0]
    named = urls.origin(first.canonical) + "/"
    problem = (
        f"the canonical URL of {first.url} is {first.canonical}."
        f" {len(group):,} of {counted(total, 'page')} name {named}, but the site's address is"
        f" {site_url}."
    )
    if cname:
        problem += f" {cname.where} names {cname.domain}, too. {cname.effect(site_url)}"
    fix = "Correct the canonical links."
    address = _address(group, site_url)
    why = why_placeholder(named)
    if why:
        problem += f" {why[0].upper()}{why[1:]}."
    elif address and not who_reaches(named):
        fix = f"{_advice(address, url_from)} Otherwise, correct the canonical links."
    if not any(claim.is_listed for claim in group):
        fix += f" {_UNTIL_THEN}"
    return CONTRADICTED_ADDRESS.at(first.spot, problem, fix)


def _by_cname(site_url: str, url_from: str, cname: Cname) -> Finding:
    problem = (
        f"it names {cname.domain}, but the site's address is {site_url}. {cname.effect(site_url)}"
    )
    address = cname.address(site_url)
    fix = f"{_advice(address, url_from)} Otherwise, correct or delete {cname.where}."
    why = why_placeholder(address)
    if why:
        problem += f" But {why}."
        fix = f"Correct or delete {cname.where}."
    return CONTRADICTED_ADDRESS.at(Spot(cname.where, cname.path), problem, fix)


def _address(group: list[ForeignCanonical], site_url: str) -> str:
    """Return the address below which canonical URLs are at the same paths as their pages, or an
    empty string.
    """
    start = urls.bare(site_url)
    votes: Counter[str] = Counter()
    for claim in group:
        canonical = urls.bare(claim.canonical)
        path = urls.bare(claim.url).removeprefix(start)
        is_directory = claim.canonical.endswith(("/", "/index.html"))
        if canonical.endswith(path) and (path or is_directory):
            votes[canonical.removesuffix(path) + "/"] += 1
    if not votes:
        return ""
    address, number = votes.most_common(1)[0]
    if 2 * number < len(group):
        return ""
    return address


def _advice(address: str, url_from: str) -> str:
    setting = f" ({url_from})" if url_from else ""
    return f"If visitors use {address}, set that address{setting}."
