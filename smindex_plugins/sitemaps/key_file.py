"""The key file of IndexNow beside the index: it holds the key, which is public, and has its name."""

import os

from smindex_plugins import files
from smindex_plugins.catalogue import KEY_NOT_WRITTEN
from smindex_plugins.limits import MAX_KEY_FILE
from smindex_plugins.model import Finding, Spot
from smindex_plugins.settings import Target
from smindex_plugins.sitemaps.output import Staging


def name_of(key: str) -> str:
    """Return the name of a key's file."""
    return f"{key}.txt"


def holds(content: bytes, key: str) -> bool:
    """Whether a file is that of a key; people write it with a line break at its end, too."""
    return content.removeprefix(b"\xef\xbb\xbf").strip() == key.encode()


def stage(target: Target, staging: Staging, findings: list[Finding]) -> None:
    """Stage the key file of the settings, unless there is a file of that name already."""
    key = target.settings.indexnow_key
    if key is None:
        return
    name = name_of(key)
    path = os.path.join(target.directory, name)
    if not os.path.lexists(path):
        staging.amend(name, key.encode())
        return
    try:
        is_held = holds(files.read(path, MAX_KEY_FILE), key)
        problem = "" if is_held else "it does not hold the key, and was left as it is."
    except OSError as error:
        problem = f"it cannot be read: {error.strerror or error}."
    if problem:
        findings.append(KEY_NOT_WRITTEN.at(Spot(name, path), problem))
