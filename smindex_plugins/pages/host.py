"""What is known about the host of a site: doubts about its address, and the rules that keep pages out of sitemaps."""

from smindex_plugins.base.addresses import who_reaches, why_doubtful
from smindex_plugins.base.catalogue import DOUBTFUL_ADDRESS, PRIVATE_ADDRESS, UNREADABLE_RULE
from smindex_plugins.base.host_rules import GONE, MOVED
from smindex_plugins.base.model import Findings
from smindex_plugins.base.serving import Serving
from smindex_plugins.html import directives
from smindex_plugins.pages.omissions import Reason


def doubts(site_url: str, place: str, url_from: str = "") -> Findings:
    """Yield reasons why the address of a site is probably not its public address, and where it is set."""
    problem = f"its URLs start with {site_url}"
    setting = f" ({url_from})" if url_from else ""
    if who := who_reaches(site_url):
        public = f"Set the address that visitors use{setting}."
        yield PRIVATE_ADDRESS.at(place, f"{problem}, which only {who} can reach.", public)
    elif why := why_doubtful(site_url):
        fix = f"If visitors use another address, set that address{setting}."
        yield DOUBTFUL_ADDRESS.at(place, f"{problem}, and {why}.", fix)


def unread_rules(serving: Serving) -> Findings:
    """Yield the rules of a host that cannot be read."""
    for rule in serving.unread:
        yield UNREADABLE_RULE.at(rule.spot, rule.problem)


def host_reason(serving: Serving, url: str) -> tuple[str, str]:
    """Return why a rule of the host excludes a page from sitemaps, and its location, or two empty strings."""
    rule = serving.redirect(url, has_file=True)
    if rule and rule.status in MOVED | GONE:
        return Reason.GONE if rule.status in GONE else Reason.REDIRECT, rule.where
    for value, where in serving.robots(url).items():
        if directives.header_forbids_indexing(value):
            return Reason.NOINDEX, f"X-Robots-Tag in {where.partition(',')[0]}"
    return "", ""
