"""What can be wrong with the links between the pages of a site."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from smindex_plugins.checks.rule import At, Findings, check
from smindex_plugins.model import Spot


@dataclass(frozen=True, slots=True, kw_only=True)
class Linked:
    """What the links of the listed pages of a built site show."""

    orphans: Sequence[Spot] = ()
    """The entries of listed pages to which no other listed page links."""
    unlisted: Mapping[Spot, str] = field(default_factory=dict)
    """The unlisted pages that could be listed, each with the URL of a listed page that links to it."""


@check(
    Linked,
    "notice",
    fix="Link to it from a page that readers find. If nobody should find it, leave it out of the sitemap.",
)
def orphan_page(site: Linked, at: At) -> Findings:
    """With `--links`: another listed page links to every listed page except the home page."""
    for entry in site.orphans:
        yield at(entry, f"lists {entry.url}, but no other listed page links to it.")


@check(
    Linked,
    "notice",
    fix="List it. If search engines should not show it, mark it noindex, or exclude it in the settings.",
)
def unlisted_but_linked(site: Linked, at: At) -> Findings:
    """With `--links`: a page that a listed page links to is listed, unless the page or a setting says why not."""
    for spot, by in site.unlisted.items():
        yield at(spot, f"it is in no sitemap, but {by} links to it.")
