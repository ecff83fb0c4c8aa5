"""What changed since the live site, and who is told of it."""

from smindex_plugins.announcing.changes import read_changes
from smindex_plugins.announcing.comparing import diff, everything
from smindex_plugins.announcing.console import CONSOLE, Console, Known, beside, covers, read_property
from smindex_plugins.announcing.difference import Change, Difference
from smindex_plugins.announcing.google import GoogleError, Session
from smindex_plugins.announcing.indexnow import ENGINE, Outcome, Post, endpoint, send
from smindex_plugins.announcing.keys import KeyFileError, new_key
from smindex_plugins.announcing.live import NotLiveError, await_live, count_live
from smindex_plugins.announcing.telling import prepare

__all__ = [
    "CONSOLE",
    "ENGINE",
    "Change",
    "Console",
    "Difference",
    "GoogleError",
    "KeyFileError",
    "Known",
    "NotLiveError",
    "Outcome",
    "Post",
    "Session",
    "await_live",
    "beside",
    "count_live",
    "covers",
    "diff",
    "endpoint",
    "everything",
    "new_key",
    "prepare",
    "read_changes",
    "read_property",
    "send",
]
