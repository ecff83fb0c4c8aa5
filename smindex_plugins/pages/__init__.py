"""Whether a page is listed, since when, and with what.

`pages.media` and `pages.news` are not imported here: they take 3 ms to load, few sites want them, and the pipeline
imports them for those.
"""

from smindex_plugins.pages import front_matter, head, hreflang
from smindex_plugins.pages.lastmod import Dating, shared_dating
from smindex_plugins.pages.membership import Omission, Reason, choose, renounced

__all__ = [
    "Dating",
    "Omission",
    "Reason",
    "choose",
    "front_matter",
    "head",
    "hreflang",
    "renounced",
    "shared_dating",
]
