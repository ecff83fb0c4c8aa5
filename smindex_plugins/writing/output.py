"""The output directory: files are written atomically, and only our own files are replaced."""

import contextlib
import gzip
import io
import os
import sys
import time
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Self

from smindex_plugins.base import files, urls
from smindex_plugins.base.catalogue import CANNOT_WRITE, DIRECTORY_IN_USE, FILE_NOT_OURS
from smindex_plugins.base.limits import LOCK_SECONDS
from smindex_plugins.base.model import Changes, Finding
from smindex_plugins.writing.names import PEEKED, is_index, is_marked, own_locs
from smindex_plugins.writing.rendering import OutputError

if sys.platform != "win32":
    import fcntl

_AT_ROOT = "set sitemap_placement: root, which puts all sitemaps next to the index"
_NOTE = files.TEMPORARY
"""The file that lists the paths that a run changes. If the run is killed, the next run uses it to
find its sitemaps."""


@contextlib.contextmanager
def lock(directory: str, seconds: float) -> Iterator[None]:
    """Lock a directory itself, without an extra file. The system unlocks it when the process ends.

    This does nothing if the system or the file system doesn't support such locks.

    Raises:
        BlockingIOError: another process holds the lock longer than that many seconds.
        OSError: the directory can't be opened.
    """
    if sys.platform == "win32":
        yield
        return
    descriptor = os.open(directory, os.O_RDONLY | os.O_DIRECTORY)
    end = time.monotonic() + seconds
    try:
        while True:
            try:
                fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
                break
            except BlockingIOError:
                if time.monotonic() > end:
                    raise
                time.sleep(0.05)
            except OSError:  # locks are not supported
                break
        yield
    finally:
        os.close(descriptor)


@contextlib.contextmanager
def only_writer(directory: str) -> Iterator[None]:
    """Hold exclusive write access to a directory, which is created if needed.

    Raises:
        OutputError: another run does not finish, or the directory can't be created.
    """
    with contextlib.ExitStack() as stack:
        try:
            os.makedirs(directory, exist_ok=True)
            stack.enter_context(lock(directory, LOCK_SECONDS))
        except BlockingIOError as error:
            problem = (
                "another run is writing sitemaps here and did not finish within a minute, so"
                " nothing was written."
            )
            raise OutputError([DIRECTORY_IN_USE.at(directory, problem)]) from error
        except OSError as error:
            raise OutputError([cannot_write(directory, error)]) from error
        yield


class Staging:
    """Collects new files next to their targets, and moves them into place together.

    Use as a context manager: without `commit`, no target is touched and no file is left behind.
    With a directory ``preview``, the new files are written and kept there, and no target is ever
    touched.
    """

    def __init__(self, directory: str, preview: str = "") -> None:
        self._directory = os.path.realpath(directory)
        self._preview = preview
        self._staged: dict[str, str] = {}
        """The new files by their final paths."""
        self._ours: set[str] = set()
        self._made: list[Path] = []
        self._problems: list[Finding] = []
        self._changes = Changes()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self._preview:
            return
        for new in self._staged.values():
            with contextlib.suppress(OSError):  # it was moved into place
                os.remove(new)
        for directory in sorted(self._made, reverse=True):
            with contextlib.suppress(OSError):  # it is not empty
                directory.rmdir()

    def add(self, url_path: str, content: Iterable[bytes]) -> None:
        """Stage a file under its URL path in the output directory.

        A file ending in ``.gz`` is compressed.
        """
        path = urls.file_path(url_path)
        if path is None:
            self._problems.append(no_file(url_path))
            return
        target = os.path.join(self._directory, path)
        parent = os.path.dirname(target)
        if not files.is_inside(parent, self._directory):
            problem = (
                f"its directory is a link to {os.path.realpath(parent)}, outside the output"
                " directory."
            )
            fix = f"Replace the link with the directory itself, or {_AT_ROOT}."
            self._problems.append(FILE_NOT_OURS.at(path, problem, fix))
        elif os.path.lexists(target) and not is_ours(target):
            self._problems.append(not_ours(path))
        else:
            self._ours.add(path)
            self.amend(path, b"".join(content))

    def amend(self, path: str, content: bytes) -> None:
        """Stage a changed file of any origin by its name in the output directory."""
        target = os.path.join(self._directory, path)
        data = pack([content]) if path.endswith(".gz") else content
        is_same = False
        with contextlib.suppress(OSError):
            is_same = files.is_same(files.read(target), data)
        if is_same:
            self._changes.unchanged.append(path)
        else:
            self._changes.written.append(path)
        if self._preview or not is_same:
            self._stage(path, data)
        else:
            with contextlib.suppress(OSError):  # of a killed run, if any
                os.remove(target + files.TEMPORARY)

    def _stage(self, path: str, data: bytes) -> None:
        """Write a file next to its target, with the mode of the file that it will replace."""
        target = os.path.join(self._directory, path)
        new = target + files.TEMPORARY
        if self._preview:
            new = os.path.join(self._preview, path)
        self._staged[path] = new
        parent = Path(new).parent
        try:
            if not parent.is_dir():
                self._made += [each for each in (parent, *parent.parents) if not each.exists()]
                parent.mkdir(parents=True)
            files.create_file(new, data, like=target)
        except OSError as error:
            self._problems.append(cannot_write(path, error))

    def commit(self, stale: Iterable[str] = ()) -> Changes:
        """Move the files into place in the order they were added, then remove the stale files in
        their order.

        The index is added last, and stale indexes come before their sitemaps. After an interruption
        or failure, every index on disk therefore lists only existing files, and the next run
        finishes the work.

        Raises:
            OutputError: with all obstacles. If no file can be written, all files are unchanged.
        """
        earlier = list(stale)
        changes = self._changes
        written = [path for path in changes.written if path in self._ours]
        gone = [path for path in earlier if path not in self._ours]
        if len(written) + len(gone) > 1 and not self._preview:
            noted = "\0".join({*earlier, *written})
            self._stage(_NOTE, os.fsencode(noted))
            gone.append(_NOTE)
        if self._problems:
            raise OutputError(self._problems)
        if self._preview:
            changes.removed = [path for path in gone if not path.endswith(files.TEMPORARY)]
            return changes
        note_first = sorted(self._staged, key=lambda path: path != _NOTE)
        for path in note_first:
            try:
                os.replace(self._staged[path], os.path.join(self._directory, path))
            except OSError as error:
                raise OutputError([cannot_write(path, error)]) from error
        self._remove(gone)
        return changes

    def _remove(self, gone: Iterable[str]) -> None:
        """Remove files in their order, up to one that can't be removed.

        If that is an index, everything that it lists must stay.
        """
        for path in gone:
            try:
                os.remove(os.path.join(self._directory, path))
            except FileNotFoundError:  # it has already been removed
                continue
            except OSError as error:
                why = error.strerror or error
                problem = f"an earlier run left it, and it can't be removed: {why}."
                fix = "Fix the problem, and build again."
                self._changes.problems.append(CANNOT_WRITE.at(path, problem, fix))
                break
            if not path.endswith(files.TEMPORARY):
                self._changes.removed.append(path)


def is_ours(path: str) -> bool:
    """Whether this tool wrote a file, according to its mark."""
    try:
        return not os.path.islink(path) and is_marked(files.read(path, PEEKED))
    except OSError:
        return False


def stale_files(directory: str, base: str) -> list[str]:
    """Return the files of earlier runs: our indexes in the directory, then our sitemaps that they
    list.

    Joined entries of an index belong to other builds and are skipped. Leftovers of a killed run
    come last.

    Raises:
        OutputError: the directory can't be read.
    """
    try:
        names = sorted(os.listdir(directory))
    except FileNotFoundError:  # it is created when there is something to write
        return []
    except OSError as error:
        raise OutputError([cannot_write(directory, error)]) from error
    indexes: list[str] = []
    listed: set[str] = set()
    for name in names:
        path = os.path.join(directory, name)
        if not name.endswith(".xml") or not is_ours(path) or not is_index(path):
            continue
        own = own_locs(files.read(path))
        if own is None:
            continue
        indexes.append(name)
        sitemaps = (urls.find_file(directory, base, url) for url in own)
        listed.update(filter(None, sitemaps))
    with contextlib.suppress(OSError):
        content = files.read(os.path.join(directory, _NOTE))
        noted = os.fsdecode(content).split("\0")
        listed.update(noted)
        listed.update(each + files.TEMPORARY for each in noted)
    stale = indexes.copy()
    for path in sorted(listed.difference(indexes)):
        target = os.path.join(directory, path)
        if files.is_inside(os.path.dirname(target), directory) and is_ours(target):
            stale.append(path)
    if _NOTE in names:
        stale.append(_NOTE)
    return stale


def pack(content: Iterable[bytes]) -> bytes:
    """Return content compressed, without a name and a time in the header, which would make equal
    content differ.
    """
    packed = io.BytesIO()
    with gzip.GzipFile(filename="", mode="wb", compresslevel=6, fileobj=packed, mtime=0) as file:
        file.writelines(content)
    return packed.getvalue()


def no_file(url_path: str) -> Finding:
    """Return the finding about a URL path at which no file can be served."""
    fix = f"Rename the directory, or {_AT_ROOT}."
    return FILE_NOT_OURS.at(url_path, "no file can have this name.", fix)


def not_ours(path: str) -> Finding:
    """Return the finding about a file of another tool at the path of ours."""
    problem = "another tool wrote this file. It is unchanged, and no sitemap was written."
    fix = "Rename or remove it, or, if it is the index, set another index_filename."
    if "/" in path:  # Hugo writes one per language
        fix = f'Rename or remove it (in Hugo, also set disableKinds = ["sitemap"]), or {_AT_ROOT}.'
    return FILE_NOT_OURS.at(path, problem, fix)


def cannot_write(path: str, error: OSError) -> Finding:
    """Return the finding about a file that can't be written."""
    return CANNOT_WRITE.at(path, f"it can't be written: {error.strerror or error}.")
