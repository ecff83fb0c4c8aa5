"""The directories of a site as a tree, each with how many pages it has and how old these are."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from urllib.parse import unquote

from smindex_plugins.pictures.ages import Ages, typical

MOST_LEAVES = 60
"""Pages of one directory that are kept one by one; of more, their ages alone."""
_MOST_DEPTH = 32


@dataclass(frozen=True, slots=True)
class Leaf:
    """A page directly in a directory."""

    name: str
    url: str
    date: str
    age: int


@dataclass(slots=True)
class Directory:
    """A directory of a site's URLs, with all that is below it."""

    name: str
    above: "Directory | None" = None
    below: dict[str, "Directory"] = field(default_factory=dict)
    leaves: list[Leaf] = field(default_factory=list)
    """The pages directly in it, or the first of them where they are more than `MOST_LEAVES`."""
    own: Ages = field(default_factory=Ages)
    """The ages of the pages directly in it."""
    ages: Ages = field(default_factory=Ages)
    """Those of all pages below it."""
    newest: str = ""
    oldest: str = ""

    @property
    def pages(self) -> int:
        """How many pages are in it, at whatever depth."""
        return self.ages.total()

    @property
    def age(self) -> int:
        """The class of age of the page in its middle."""
        return typical(self.ages)

    @property
    def path(self) -> str:
        """Its path below the site, with its slash; that of the site is empty."""
        return f"{self.above.path}{self.name}/" if self.above else ""


def grow(pages: Iterable[tuple[str, str]], base: str, age: Callable[[str], int]) -> Directory:
    """Return the tree of pages, each given as its URL and its date or nothing, below the address of a site.

    Pages of other hosts are in a directory that has the name of the host. A page that is a directory, `guide/`, is in
    it if other pages are.
    """
    paths = [(_path(url, base), url, date) for url, date in pages]
    above = _directories(path for path, _, _ in paths)
    root = Directory("")
    for path, url, date in paths:
        is_within = not path.endswith("/") or path in above
        *directories, name = path.split("/") if is_within else path[:-1].split("/")
        place, number = root, age(date)
        _count(place, date, number)
        for part in directories[:_MOST_DEPTH]:
            found = place.below.get(part)
            if found is None:
                found = place.below[part] = Directory(part, place)
            place = found
            _count(place, date, number)
        place.own[number] += 1
        if len(place.leaves) < MOST_LEAVES:
            place.leaves.append(Leaf((name if is_within else f"{name}/") or "/", url, date, number))
    return root


def _path(url: str, base: str) -> str:
    path = url[len(base) :] if url.startswith(base) else url.partition("://")[2]
    return path.partition("?")[0]


def _directories(paths: Iterable[str]) -> set[str]:
    """Return the directories, each with its slash, that have other pages in them than themselves."""
    found: set[str] = set()
    for path in paths:
        directory = path.removesuffix("/").rpartition("/")[0]
        while directory and f"{directory}/" not in found:
            found.add(f"{directory}/")
            directory = directory.rpartition("/")[0]
    return found


def _count(place: Directory, date: str, age: int) -> None:
    place.ages[age] += 1
    if date:
        place.newest = max(place.newest, date)
        place.oldest = min(place.oldest, date) if place.oldest else date


def shown_name(name: str) -> str:
    """Return a part of a URL's path as people read it."""
    return unquote(name, errors="replace")
