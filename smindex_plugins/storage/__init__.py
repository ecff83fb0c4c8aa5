"""A directory on this machine or in object storage: its content, and how files are written as a whole or not at all."""

from smindex_plugins.storage.local import Local
from smindex_plugins.storage.lock import locked
from smindex_plugins.storage.opening import Storage, open_storage
from smindex_plugins.storage.reading import Folder, compare, read_each
from smindex_plugins.storage.remote import Remote

__all__ = ["Folder", "Local", "Remote", "Storage", "compare", "locked", "open_storage", "read_each"]
