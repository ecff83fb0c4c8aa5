"""Finds the sources of rendered pages by edit links that lead to the repository of the site."""

import os
import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple
from urllib.parse import unquote, urlsplit

from smindex_plugins.base.catalogue import FOREIGN_EDIT_LINKS
from smindex_plugins.base.files import read
from smindex_plugins.base.limits import MAX_PAGE_READ
from smindex_plugins.base.model import Finding
from smindex_plugins.base.text import counted
from smindex_plugins.history.places import Tracked, tracked_files
from smindex_plugins.html.page import parse_edit_links

_ENDS = frozenset({"-", "edit", "_edit", "blob", "tree", "src", "raw", "browse"})
"""What follows the repository in the URL of a file. All but the dash of GitLab precede the
branch."""
_URL = re.compile(r"(?!file:)[a-z][a-z0-9+.-]*://(?:[^/]*@)?([^/:]+)(?::\d*)?/+(.+)", re.IGNORECASE)
_SSH = re.compile(r"(?:[^/@:]+@)?([^/\\:]{2,}):(?!//)(.+)")
"""The short form of git, `git@host:owner/name`. A single letter before the colon is a drive of
Windows."""


@dataclass(frozen=True)
class Repository:
    """A repository on a forge, or a local one, which has no host. Case does not matter."""

    host: str
    path: str
    """The owner or the groups, and the name. Of a local repository, the name."""
    shown: str = field(compare=False)
    """Its form for messages, without user names and tokens."""

    @classmethod
    def of_remote(cls, url: str) -> "Repository":
        """Return the repository that a remote names.

        Ports don't count, because those of SSH and HTTPS differ.
        """
        match = _URL.fullmatch(url) or _SSH.fullmatch(url)
        if match:
            host, path = match.groups()
            return cls.on(host, path)
        path = re.sub(r"[/\\]+", "/", url).rstrip("/").removesuffix(".git").rstrip("/")
        name = path.rpartition("/")[2].casefold()
        if name in {".", ".."}:
            name = ""
        return cls("", name, url)

    @classmethod
    def on(cls, host: str, path: str) -> "Repository":
        """Return the repository at a path on a host."""
        path = path.strip("/").removesuffix(".git")
        shown = f"{host}/{path}".rstrip("/")
        host = host.casefold().removeprefix("www.")
        return cls(host, path.casefold(), shown)

    @property
    def name(self) -> str:
        """Its name, folded, without its owner. Empty for a local repository such as `..`."""
        return self.path.rpartition("/")[2]


class Link(NamedTuple):
    """A link of a page that leads to a file that git tracks, if its repository is the right one."""

    repository: Repository
    file: str
    """The absolute path of the file."""


class EditLinks:
    """The edit links of a site's pages.

    Each page is read once, and only if its links are asked for.
    """

    def __init__(self, directory: str) -> None:
        self._directory = directory
        self._foreign: dict[str, frozenset[Repository]] = {}
        """The other repositories that the links of pages name, for the pages with no link to the
        right one."""

    def sources(self, pages: Iterable[str]) -> Mapping[str, frozenset[str]]:
        """Return the files that the links of pages lead to.

        All links together decide which repositories are right.
        """
        links: dict[str, frozenset[Link]] = {}
        named: set[Repository] = set()
        for page in pages:
            found = self._links(page)
            if found:
                links[page] = found
                named.update(link.repository for link in found)
        right = self._right(named)
        files: dict[str, frozenset[str]] = {}
        for page, found in links.items():
            here = set()
            elsewhere = set()
            for link in found:
                if link.repository in right:
                    here.add(link.file)
                else:
                    elsewhere.add(link.repository)
            files[page] = frozenset(here)
            if not here:
                self._foreign[page] = frozenset(elsewhere)
        return files

    def _right(self, named: Collection[Repository]) -> Collection[Repository]:
        """Return the repositories whose links count: the remotes, or the only one that is named.

        The latter is a fork or a mirror if it has the name of a remote. Without remotes, nothing
        contradicts it.
        """
        remotes = set(named).intersection(self._remotes)
        if remotes:
            return remotes
        if len(named) != 1:
            return ()
        (only,) = named
        names = {remote.name for remote in self._remotes} - {""}
        if names and only.name not in names:
            return ()
        return named

    @cached_property
    def _tracked(self) -> Tracked | None:
        """The files of the repository of the directory, or of the current directory without one."""
        return tracked_files(self._directory) or tracked_files(".")

    @cached_property
    def _remotes(self) -> tuple[Repository, ...]:
        if not self._tracked:
            return ()
        repositories = map(Repository.of_remote, self._tracked.remotes)
        return tuple(dict.fromkeys(repositories))

    def _links(self, page: str) -> frozenset[Link]:
        """Return the links of a page that lead to tracked files."""
        found = set()
        if self._tracked:
            with suppress(OSError):
                content = read(os.path.join(self._directory, page), MAX_PAGE_READ)
                for url in parse_edit_links(content):
                    found.add(_link(url, self._tracked, self._remotes))
        return frozenset(filter(None, found))

    def unused(self, pages: Collection[str]) -> Iterator[Finding]:
        """Yield a notice for each other repository that links of these pages lead to."""
        counts: Counter[Repository] = Counter()
        for page in pages:
            counts.update(self._foreign.get(page, ()))
        remotes = ", ".join(remote.shown for remote in self._remotes)
        here = f"but the remote of this repository is {remotes}"
        if not remotes:
            here = (
                "others lead elsewhere, and this repository has no remote that shows which are"
                " right"
            )
        elif len(self._remotes) > 1:
            here = f"but the remotes of this repository are {remotes}"
        for repository, count in sorted(counts.items(), key=lambda item: (-item[1], item[0].shown)):
            number = f"{count:,} of {counted(len(pages), 'page')}"
            problem = f"the links of {number} lead to {repository.shown}, {here}."
            yield FOREIGN_EDIT_LINKS.at("edit links", problem)


def _link(url: str, tracked: Tracked, remotes: Collection[Repository]) -> Link | None:
    """Return what a URL on a forge leads to, or None if it leads to no file that git tracks.

    The file is the longest suffix of the URL's path that git tracks. A name without a directory is
    accepted only directly after the branch.
    """
    try:
        address = urlsplit(url)
        host = address.hostname or ""
    except ValueError:  # such as a bracket in the host
        return None
    path = unquote(address.path)
    parts = list(filter(None, path.split("/")))
    at = _start_of_file(parts, tracked)
    if at is None:
        return None
    ends = [end for end in range(at) if parts[end] in _ENDS]
    end = _end_of_repository(host, parts[:at], ends, remotes)
    before_branch = end
    if parts[end] == "-":
        before_branch += 1
    is_directly_after_branch = end in ends and at == before_branch + 2
    if at == len(parts) - 1 and not is_directly_after_branch:
        return None
    repository = Repository.on(host, "/".join(parts[:end]))
    return Link(repository, os.path.join(tracked.root, *parts[at:]))


def _start_of_file(parts: Sequence[str], tracked: Tracked) -> int | None:
    """Return where the longest name of a tracked file starts in a path, if one does."""
    for at in range(len(parts)):
        name = "/".join(parts[at:])
        if name in tracked.names:
            return at
    return None


def _end_of_repository(
    host: str, parts: Sequence[str], ends: Sequence[int], remotes: Collection[Repository]
) -> int:
    """Return where the name of the repository ends in a path, without the file.

    A remote shows it best. Otherwise, a repository has an owner, who can be called `src`.
    """
    for end in ends or range(len(parts)):
        repository = Repository.on(host, "/".join(parts[:end]))
        if repository in remotes:
            return end
    for end in ends:
        if end > 1:
            return end
    return ends[0] if ends else len(parts)
