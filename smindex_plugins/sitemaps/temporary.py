"""Files that are not in place yet. Their names show that they are ours, so that those of killed runs can be removed."""

import contextlib
import hashlib
import os
import re
import secrets
import shutil
import stat
from collections.abc import Collection, Iterator
from pathlib import Path

from smindex_plugins import files
from smindex_plugins.settings import INDEX_FILENAME
from smindex_plugins.sitemaps import lock
from smindex_plugins.sitemaps.rendering import is_marked

_MOST_STAGED = 1 << 20
"""Bytes of the longest file that an earlier version staged under a former name."""
_NAME = re.compile(r"\.smindex-([0-9a-f]{16})-([0-9a-f]{16})\.tmp")
_FORMER_NAME = re.compile(r"\.(.+)\.smindex")
"""The names in earlier versions, which named such a file after its target, as anybody could name a file."""
_MAY_BE_LEFT = re.compile(r"\.smindex")


def new_name(directory: str) -> str:
    """Return the path for a new file in a directory."""
    number = secrets.token_hex(8)
    return os.path.join(directory, f".smindex-{number}-{_proof(number)}.tmp")


def _proof(number: str) -> str:
    return hashlib.sha256(b"smindex" + number.encode()).hexdigest()[:16]


def is_name(name: str) -> bool:
    """Whether the name of a file means that it is not in place."""
    match = _NAME.fullmatch(name)
    return match is not None and match[2] == _proof(match[1])


class Hidden:
    """The directories with files that may be of killed runs, as somebody finds them who looks at all of a site."""

    def __init__(self) -> None:
        self.places: dict[str, None] = {}

    def __call__(self, directory: str, name: str) -> None:
        """Take note of a hidden file."""
        if _MAY_BE_LEFT.search(name):
            self.places[os.path.realpath(directory)] = None


def remove_left(directory: str, spared: Collection[str] = (), hidden: Hidden | None = None) -> None:
    """Remove the files of killed runs below a directory, except in directories of other sites, which do so themselves.

    The caller holds the lock of the directory. Files of a run that holds another lock stay, and so do those with the
    names in ``spared``. If somebody has just looked at the whole directory, ``hidden`` says where they may be.
    """
    for top, names in _own_places(directory) if hidden is None else _still_own(directory, hidden):
        left = [name for name in names if name.startswith(".") and name not in spared and _is_left(top, name)]
        if left and not _is_being_written(top, directory):
            for name in left:
                with contextlib.suppress(OSError):  # it harms nobody where it cannot be removed
                    os.remove(os.path.join(top, name))


def _own_places(directory: str) -> Iterator[tuple[str, list[str]]]:
    """Yield the directories of a site, each with the names of its files."""
    for top, directories, names in os.walk(directory):
        directories[:] = [name for name in directories if not name.startswith(".")]
        if top != directory and INDEX_FILENAME in names:
            directories.clear()
        else:
            yield top, names


def _still_own(directory: str, hidden: Hidden) -> Iterator[tuple[str, list[str]]]:
    for place in hidden.places:
        above = [place, *map(str, Path(place).parents)]
        below = above[: above.index(directory)] if directory in above else None
        if below is not None and not any(os.path.lexists(os.path.join(each, INDEX_FILENAME)) for each in below):
            with contextlib.suppress(OSError):  # it is gone, and so is all that was in it
                yield place, os.listdir(place)


def _is_being_written(directory: str, own: str) -> bool:
    """Whether a run with the lock of another directory may be writing into one."""
    path = Path(directory)
    return any(lock.is_held(str(each)) for each in (path, *path.parents) if each != Path(own))


def _is_left(directory: str, name: str) -> bool:
    if is_name(name):
        return True
    former = _FORMER_NAME.fullmatch(name)
    return former is not None and _was_ours(os.path.join(directory, name), os.path.join(directory, former[1]))


def _was_ours(path: str, target: str) -> bool:
    """Whether an earlier version made a file: it is empty, has our mark, or has the content of its target."""
    try:
        if os.path.islink(path):
            return False
        content = files.read(path, _MOST_STAGED + 1)
        if not content or is_marked(content[:4096], target):
            return True
        return len(content) <= _MOST_STAGED and files.read(target, _MOST_STAGED + 1) == content
    except OSError:
        return False


def keep(target: str) -> str:
    """Return the path of a link to, or a copy of, a file that is about to be replaced. Empty if there is no file.

    Raises:
        OSError: neither can be made.
    """
    if not os.path.lexists(target):
        return ""
    kept = new_name(os.path.dirname(target))
    try:
        os.link(target, kept)
    except OSError:  # a file system without hard links, or a file of somebody else's
        shutil.copy2(target, kept)
    return kept


def make_alike(path: str, target: str) -> None:
    """Give a file the owner and mode of the one that it will replace, as far as the system allows."""
    with contextlib.suppress(FileNotFoundError):
        before = os.stat(target)
        with contextlib.suppress(OSError, AttributeError):  # Windows has no owners
            os.chown(path, before.st_uid, before.st_gid)
        with contextlib.suppress(OSError):  # a file system without modes
            os.chmod(path, stat.S_IMODE(before.st_mode))
