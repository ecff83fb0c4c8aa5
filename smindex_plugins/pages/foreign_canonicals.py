"""Pages of a build whose canonical links name a different origin than the address of the site."""

from collections.abc import Iterable, Sequence

from smindex_plugins.base import urls
from smindex_plugins.base.cname import Cname
from smindex_plugins.base.model import Findings, Page
from smindex_plugins.base.site import Site
from smindex_plugins.pages.contradictions import ForeignCanonical, find_contradictions
from smindex_plugins.pages.membership import canonical_outside
from smindex_plugins.pages.omissions import NotListed, Omission


def contradictions_of_build(
    members: Iterable[Page], omitted: Sequence[Omission], site: Site, cname: Cname | None
) -> Findings:
    """Yield what is wrong with canonical links to other origins, and with the file `CNAME`."""
    claims: list[ForeignCanonical] = []
    pages: dict[str, Page] = {}
    for omission in omitted:
        if _is_claim(omission, site.url):
            claims.append(ForeignCanonical(omission.page.spot, omission.url, omission.by))
            pages[omission.url] = omission.page
    agreeing = sum(page.kind != "file" for page in members)
    found = find_contradictions(site.url, site.url_from, claims, agreeing, cname)
    yield from found.findings
    for claim in found.others:
        yield canonical_outside(pages[claim.url], claim.canonical, site)


def _is_claim(omission: Omission, site_url: str) -> bool:
    """Whether a page is omitted because its canonical link, not its author, names another
    origin.
    """
    if omission.reason != NotListed.CANONICAL_ELSEWHERE or omission.key:
        return False
    return urls.origin(omission.by) != urls.origin(site_url)
