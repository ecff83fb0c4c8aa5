"""A directory, wherever it is, by its path or its URL."""

import os

from smindex_plugins.storage.local import Local
from smindex_plugins.storage.remote import Remote

Storage = Local | Remote


def open_storage(root: str, *, may_be_new: bool = False, is_dry: bool = False) -> Storage:
    """Return the storage of a directory, or of a URL such as ``s3://bucket/docs``; a dry one writes nothing.

    Raises:
        ValueError: it is not there, or what it takes to reach it is not installed.
    """
    if root.lower().startswith(("http://", "https://")):
        message = f"{root}: nothing can be written over HTTP; give the directory or the storage that it serves"
        raise ValueError(message)
    if "://" in root and not root.startswith("file://"):
        return Remote(root, is_dry=is_dry)
    path = root.removeprefix("file://")
    if not os.path.isdir(path) and not (path and may_be_new and not os.path.lexists(path)):
        what = "it is a file, and no directory" if os.path.exists(path) else "there is no such directory"
        message = f"{path}: {what}" if path else "the name of the root is empty"
        raise ValueError(message)
    return Local(path, is_dry=is_dry)
