"""When the content of a file last changed according to git, or why that is unknown."""

from smindex_plugins.history.history import History
from smindex_plugins.history.landing import Described
from smindex_plugins.history.places import Tracked, tracked_files
from smindex_plugins.history.reasons import (
    NEVER_IN_GIT,
    Answer,
    Change,
    Reason,
    Unknown,
    how_to_date,
    newest,
    undated_pages,
)
from smindex_plugins.history.renames import moved_files

__all__ = [
    "NEVER_IN_GIT",
    "Answer",
    "Change",
    "Described",
    "History",
    "Reason",
    "Tracked",
    "Unknown",
    "how_to_date",
    "moved_files",
    "newest",
    "tracked_files",
    "undated_pages",
]
