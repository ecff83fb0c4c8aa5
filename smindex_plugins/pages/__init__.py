"""Decides which pages are listed, with which date, images and language variants."""

from smindex_plugins.pages.dating import Dating, Proof
from smindex_plugins.pages.filtering import Filtering
from smindex_plugins.pages.hreflang import is_hreflang, normal_alternates, pair, with_default
from smindex_plugins.pages.media import add_images
from smindex_plugins.pages.membership import (
    Omission,
    Reason,
    choose,
    head_reason,
    host_reason,
    judge,
    left_out,
    not_rendered,
    nothing_listed,
    path_reason,
)
from smindex_plugins.pages.others import find_unmatched, included, is_included, output_files, strays

__all__ = [
    "Dating",
    "Filtering",
    "Omission",
    "Proof",
    "Reason",
    "add_images",
    "choose",
    "find_unmatched",
    "head_reason",
    "host_reason",
    "included",
    "is_hreflang",
    "is_included",
    "judge",
    "left_out",
    "normal_alternates",
    "not_rendered",
    "nothing_listed",
    "output_files",
    "pair",
    "path_reason",
    "strays",
    "with_default",
]
