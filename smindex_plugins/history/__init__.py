"""When git says that a file got its present content, or why nobody knows."""

from smindex_plugins.history.answers import (
    OUT_OF_THE_AUTHORS_HANDS,
    Answer,
    Change,
    Reason,
    Unknown,
    newest,
    undated_pages,
)
from smindex_plugins.history.walk import History

__all__ = ["OUT_OF_THE_AUTHORS_HANDS", "Answer", "Change", "History", "Reason", "Unknown", "newest", "undated_pages"]
