"""How a site is drawn: its directories as a tree map, its dates as a calendar, the ages of its pages as bars."""

from smindex_plugins.pictures.ages import AGES, UNDATED, Ages, age_of
from smindex_plugins.pictures.calendar import MOST_YEARS, draw_year
from smindex_plugins.pictures.tree import MOST_LEAVES, Directory, Leaf, grow, shown_name
from smindex_plugins.pictures.treemap import Tile, squarify

__all__ = [
    "AGES",
    "MOST_LEAVES",
    "MOST_YEARS",
    "UNDATED",
    "Ages",
    "Directory",
    "Leaf",
    "Tile",
    "age_of",
    "draw_year",
    "grow",
    "shown_name",
    "squarify",
]
