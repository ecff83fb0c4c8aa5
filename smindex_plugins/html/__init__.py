"""Reads what a page declares in its rendered HTML and in its source."""

from smindex_plugins.html import directives, front_matter
from smindex_plugins.html.includes import Includes
from smindex_plugins.html.page import (
    find_tag,
    parse_edit_links,
    parse_head,
    parse_images,
    parse_links,
    read_head,
    refresh_target,
    resolve,
)

__all__ = [
    "Includes",
    "directives",
    "find_tag",
    "front_matter",
    "parse_edit_links",
    "parse_head",
    "parse_images",
    "parse_links",
    "read_head",
    "refresh_target",
    "resolve",
]
