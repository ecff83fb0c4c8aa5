"""Compares two versions of a site, and notifies search engines."""

from smindex_plugins.announcing.changes import read_changes
from smindex_plugins.announcing.console import Console, SitemapStatus, add_live, covers, read_property
from smindex_plugins.announcing.difference import Change, Difference, Sitemaps, compare, diff, everything
from smindex_plugins.announcing.fates import FATES, Fate, Gone
from smindex_plugins.announcing.indexnow import Outcome, await_live, check_key, key_location, new_key, send
from smindex_plugins.announcing.version import PageEntry, SiteVersion

__all__ = [
    "FATES",
    "Change",
    "Console",
    "Difference",
    "Fate",
    "Gone",
    "Outcome",
    "PageEntry",
    "SiteVersion",
    "SitemapStatus",
    "Sitemaps",
    "add_live",
    "await_live",
    "check_key",
    "compare",
    "covers",
    "diff",
    "everything",
    "key_location",
    "new_key",
    "read_changes",
    "read_property",
    "send",
]
