"""Whether a page is listed, with which date, and with what else.

`pages.media` is not imported here: it takes 3 ms to load, few sites want it, and the pipeline imports it for those.
"""

from smindex_plugins.pages import hreflang, including, strays
from smindex_plugins.pages.declared import declared_page
from smindex_plugins.pages.filtering import Filtering
from smindex_plugins.pages.lastmod import Dating, Proof, shared_dating
from smindex_plugins.pages.membership import (
    Omission,
    Reason,
    choose,
    judge,
    left_out,
    not_rendered,
    nothing_listed,
    renounced,
)
from smindex_plugins.pages.strays import HTML
from smindex_plugins.pages.unmatched import find_unmatched

__all__ = [
    "HTML",
    "Dating",
    "Filtering",
    "Omission",
    "Proof",
    "Reason",
    "choose",
    "declared_page",
    "find_unmatched",
    "hreflang",
    "including",
    "judge",
    "left_out",
    "not_rendered",
    "nothing_listed",
    "renounced",
    "shared_dating",
    "strays",
]
