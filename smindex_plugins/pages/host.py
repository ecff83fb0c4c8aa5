"""What is known about the host of a site: doubts about its address, and the rules that keep pages
out of sitemaps.
"""

from typing import NamedTuple

from smindex_plugins.base.addresses import who_reaches, why_doubtful, why_placeholder, why_template
from smindex_plugins.base.catalogue import (
    DOUBTFUL_ADDRESS,
    PRIVATE_ADDRESS,
    TEMPLATE_ADDRESS,
    UNREADABLE_RULE,
)
from smindex_plugins.base.cname import Cname, find_cname
from smindex_plugins.base.host_rules import GONE, MOVED
from smindex_plugins.base.model import Findings, Spot
from smindex_plugins.base.serving import GITHUB, Serving
from smindex_plugins.html import directives
from smindex_plugins.pages.omissions import NotListed


class NoindexHeader(NamedTuple):
    """A header that excludes a page from search engines."""

    value: str
    """The value of X-Robots-Tag."""
    where: str
    """The place of the rule that adds it."""


def custom_domain(serving: Serving) -> Cname | None:
    """Return the domain in the file `CNAME` of a site, if nothing shows a host other than
    GitHub Pages.
    """
    if serving.host and serving.host.name == GITHUB:
        return find_cname(serving.directory)
    return None


def doubts(site_url: str, place: str, url_from: str = "", cname: Cname | None = None) -> Findings:
    """Yield reasons why the address of a site is probably not its public address, and where it is
    set.
    """
    problem = f"its URLs start with {site_url}"
    who = who_reaches(site_url)
    if not who:
        yield from placeholder_doubts(site_url, place, problem, url_from, cname)
        return
    fix = f"Set the address that visitors use{_setting(site_url, url_from, cname)}."
    yield PRIVATE_ADDRESS.at(place, f"{problem}, which only {who} can reach.", fix)


def placeholder_doubts(
    site_url: str, place: str | Spot, problem: str, url_from: str = "", cname: Cname | None = None
) -> Findings:
    """Yield why the address of a site is probably a placeholder. ``problem`` names the address.

    If `CNAME` names the right address, that is sure, and `contradictions` reports it.
    """
    setting = _setting(site_url, url_from, cname)
    why = why_template(site_url)
    if why:
        fix = f"Set the address that visitors use{setting}."
        yield TEMPLATE_ADDRESS.at(place, f"{problem}, and {why}.", fix)
        return
    why = why_doubtful(site_url)
    if why and not _is_right(cname, site_url):
        fix = f"If visitors use another address, set that address{setting}."
        yield DOUBTFUL_ADDRESS.at(place, f"{problem}, and {why}.", fix)


def _setting(site_url: str, url_from: str, cname: Cname | None) -> str:
    """Return which address to set, if `CNAME` shows it, and where to set it, as the end of a
    sentence.
    """
    option = f" ({url_from})" if url_from else ""
    if cname and _is_right(cname, site_url):
        return f", which is {cname.address(site_url)} according to {cname.where}{option}"
    return option


def _is_right(cname: Cname | None, site_url: str) -> bool:
    """Whether `CNAME` names a different host than the address, which can be the public one."""
    if not cname or not cname.contradicts(site_url):
        return False
    return not why_placeholder(cname.url)


def unread_rules(serving: Serving) -> Findings:
    """Yield the rules of a host that can't be read."""
    for rule in serving.unread:
        yield UNREADABLE_RULE.at(rule.spot, rule.problem, rule.fix)


def host_reason(serving: Serving, url: str) -> tuple[str, str]:
    """Return why a rule of the host excludes a page from sitemaps, and its location, or two empty
    strings.
    """
    rule = serving.redirect(url, has_file=True)
    if rule and rule.status in GONE:
        return NotListed.GONE, rule.where
    if rule and rule.status in MOVED:
        return NotListed.REDIRECT, rule.where
    header = noindex_header(serving, url)
    if header:
        return NotListed.NOINDEX, f"X-Robots-Tag in {header.where}"
    return "", ""


def noindex_header(serving: Serving, url: str) -> NoindexHeader | None:
    """Return the first X-Robots-Tag of the host that excludes a page from search engines, or
    None.
    """
    for value, where in serving.robots(url).items():
        if directives.header_forbids_indexing(value):
            return NoindexHeader(value, where.partition(",")[0])
    return None
