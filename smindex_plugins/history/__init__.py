"""When git says that a file got its present content, or why nobody knows."""

from smindex_plugins.history.answers import (
    OUT_OF_THE_AUTHORS_HANDS,
    Answer,
    Change,
    Reason,
    Unknown,
    how_to_date,
    newest,
    undated_pages,
)
from smindex_plugins.history.landing import Described, Landing
from smindex_plugins.history.walk import History

__all__ = [
    "OUT_OF_THE_AUTHORS_HANDS",
    "Answer",
    "Change",
    "Described",
    "History",
    "Landing",
    "Reason",
    "Unknown",
    "how_to_date",
    "newest",
    "undated_pages",
]
