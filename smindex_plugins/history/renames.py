"""Finds the current paths of moved files."""

import os
from collections.abc import Iterable
from contextlib import closing
from itertools import groupby
from operator import attrgetter

from smindex_plugins.history._git import Git, GitError, why_failed
from smindex_plugins.history.places import find_repository


def moved_files(directories: Iterable[str]) -> tuple[dict[str, str], list[str]]:
    """Return the current paths of files that were moved from some directories, and notes on what
    git doesn't know.

    The most recently moved files of each repository come first. All paths are absolute, with links
    resolved. A file can have been edited while being moved, and moved several times. Files that
    were split into several ones are not included.
    """
    moved: dict[str, str] = {}
    notes: list[str] = []
    places: dict[str, set[str]] = {}
    for directory in directories:
        root, inside = find_repository(os.path.realpath(directory), {})
        if root:
            places.setdefault(root, set()).add(inside)
    for root, names in places.items():
        git = Git(root)
        paths = [] if "" in names else sorted(names)  # no path stands for the whole repository
        present: dict[bytes, bytes] = {}
        try:
            if git.run("rev-parse", "--is-shallow-repository").strip() == b"true":
                notes.append("files that were moved before the shallow clone starts")
            try:
                present = _follow(git, "-C60%", *paths)
            except GitError:  # a blobless clone lacks old content and must not download it
                present = _follow(git, "-C100%", *paths)
                notes.append(
                    "files that were edited while being moved, because this clone lacks their old"
                    " content"
                )
        except (GitError, OSError, ValueError) as error:
            notes.append(f"moved files ({why_failed(error)})")
        for old, new in present.items():
            if new and new != old:
                moved[os.path.join(root, os.fsdecode(old))] = os.path.join(root, os.fsdecode(new))
    return moved, notes


def _follow(git: Git, similarity: str, *paths: str) -> dict[bytes, bytes]:
    """Return the current name of each file that was added or moved, or no name if it was deleted or
    split.
    """
    present: dict[bytes, bytes] = {}
    options = ["-l1000", "--diff-filter=ACDR", "--no-merges", "--topo-order", "HEAD", "--", *paths]
    with closing(git.log(similarity, *options)) as log:
        for _, changes in groupby(log, attrgetter("commit")):  # the newest is the first
            targets: dict[bytes, list[bytes]] = {}
            names = set()
            for _, status, old, new in changes:
                new_names = targets.setdefault(old, [])
                if status != b"D":
                    new_names.append(new)
                if status != b"C":
                    names.add(old)
            for old in names - present.keys():
                new_names = targets[old]
                if len(new_names) == 1:
                    new = new_names[0]
                    present[old] = present.get(new, new)
                else:
                    present[old] = b""
    return present
