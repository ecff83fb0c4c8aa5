"""Chart data for a site: its directories as a tree map, its dates as a calendar, and the ages of its pages."""

from smindex_plugins.pictures.ages import AGES, UNDATED, age_of
from smindex_plugins.pictures.calendar import WEEKDAYS, Year, calendar, legend
from smindex_plugins.pictures.map import MOST_TILES, Level, draw_map
from smindex_plugins.pictures.tree import Directory, grow
from smindex_plugins.pictures.treemap import Rectangle, squarify

__all__ = [
    "AGES",
    "MOST_TILES",
    "UNDATED",
    "WEEKDAYS",
    "Directory",
    "Level",
    "Rectangle",
    "Year",
    "age_of",
    "calendar",
    "draw_map",
    "grow",
    "legend",
    "squarify",
]
