"""What can be wrong with the links between the pages of a site."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from smindex_plugins.catalogue import (
    ORPHAN_PAGE,
    UNLISTED_BUT_LINKED,
)
from smindex_plugins.checks.rule import At, Findings, check
from smindex_plugins.model import Spot


@dataclass(frozen=True, slots=True, kw_only=True)
class Linked:
    """What the links of the listed pages of a built site show."""

    orphans: Sequence[Spot] = ()
    """The entries of listed pages to which no other listed page links."""
    unlisted: Mapping[Spot, str] = field(default_factory=dict)
    """The unlisted pages that could be listed, each with the URL of a listed page that links to it."""


@check(Linked, ORPHAN_PAGE)
def orphan_page(site: Linked, at: At) -> Findings:
    for entry in site.orphans:
        yield at(entry, f"lists {entry.url}, but no other listed page links to it.")


@check(Linked, UNLISTED_BUT_LINKED)
def unlisted_but_linked(site: Linked, at: At) -> Findings:
    for spot, by in site.unlisted.items():
        yield at(spot, f"it is in no sitemap, but {by} links to it.")
