"""A directory that several builds share: what is in it, and what writing into it would change."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Protocol

from smindex_plugins.sitemaps import MARK, OutputError, output


class _Readable(Protocol):
    @property
    def each(self) -> Callable[..., Iterator[bytes | OSError]]: ...
    def read(self, path: str, most: int) -> bytes | OSError: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Folder:
    """A directory below the root. Paths are relative to the root, with ``/``, and empty for the root itself."""

    path: str
    files: frozenset[str] = frozenset()
    """The names of the files in it."""
    below: tuple[str, ...] = ()
    """The paths of the directories in it, without hidden ones and links."""
    links: "tuple[Folder, ...]" = ()
    """The links in it that lead to directories."""
    link: str = ""
    """The directory below the root that it links to, if it is a link."""
    leads_outside: bool = False
    """Whether it links to a directory that is not below the root."""


def read_each(storage: _Readable, paths: Iterable[str], most: int) -> Iterator[tuple[str, bytes | OSError]]:
    """Yield files with their paths, as `read` returns them. Where possible, they are read at the same time.

    Raises:
        OSError: the storage fails.
    """
    wanted = list(paths)
    return zip(wanted, storage.each(lambda path: storage.read(path, most), wanted), strict=True)


def compare(storage: _Readable, files: list[tuple[str, bytes]], stale: list[str]) -> output.Changes:
    """Return what writing would change.

    Raises:
        OutputError: with all that stands in the way.
    """
    changes = output.Changes()
    new = dict(files)
    problems = []
    for path, found in read_each(storage, new, max(map(len, new.values()), default=0)):
        if isinstance(found, OSError) and not isinstance(found, FileNotFoundError):
            problems.append(output.cannot_write(path, found))
        elif isinstance(found, bytes) and found != new[path] and MARK not in found[:200]:
            problems.append(output.not_ours(path))
        else:
            (changes.unchanged if found == new[path] else changes.written).append(path)
    if problems:
        raise OutputError(problems)
    changes.removed = [path for path in stale if path not in new]
    return changes
