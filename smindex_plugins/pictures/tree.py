"""The directories of a site as a tree, each with the number of its pages and their ages."""

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from itertools import accumulate
from typing import NamedTuple

from smindex_plugins.text import counted

MOST_LEAVES = 60
"""How many pages of one directory are kept individually. For the others, only the ages are kept."""
_MOST_DEPTH = 32


class Leaf(NamedTuple):
    """A page directly in a directory."""

    name: str
    url: str
    date: str
    age: int


@dataclass(slots=True, eq=False)
class Directory:
    """A directory of a site's URLs with everything below it."""

    path: str
    """Its path below the site, with a trailing slash. Empty for the site."""
    above: "Directory | None" = None
    below: dict[str, "Directory"] = field(default_factory=dict)
    leaves: list[Leaf] = field(default_factory=list)
    """The pages directly in it, up to `MOST_LEAVES`."""
    own: Counter[int] = field(default_factory=Counter)
    """The ages of the pages directly in it."""
    ages: Counter[int] = field(default_factory=Counter)
    """The ages of all pages in it, at any depth."""
    newest: str = ""
    oldest: str = ""

    @property
    def pages(self) -> int:
        """How many pages are in it, at any depth."""
        return self.ages.total()

    @property
    def name(self) -> str:
        """The last part of its path, with a trailing slash, or a label for the site."""
        return self.path[:-1].rpartition("/")[2] + "/" if self.path else "the whole site"

    @property
    def about(self) -> str:
        """The number of its pages, and the range of their dates."""
        dates = f"{self.oldest[:10]} to {self.newest[:10]}" if self.newest else "without dates"
        return f"{counted(self.pages, 'page')}, {dates}"


def grow(pages: Iterable[tuple[str, str]], site: str, age: Callable[[str], int]) -> Directory:
    """Return the tree of a site's pages, each given as its URL and its date, which can be empty.

    Pages of other hosts are in a directory named after the host. The page `guide/` is in the directory `guide/` if
    other pages are too. Otherwise, it is a page of the parent directory.
    """
    paths = [(_path(url, site), url, date) for url, date in pages]
    parents = {
        parent for path, _, _ in paths for parent in accumulate(path.rstrip("/").split("/")[:-1], "{}/{}".format)
    }
    root = Directory("")
    for path, url, date in paths:
        is_page = not path.endswith("/") or path[:-1] not in parents
        *directories, name = path.rstrip("/").split("/") if is_page else path.split("/")
        way, number = [root], age(date)
        for part in directories[:_MOST_DEPTH]:
            place = way[-1]
            way.append(place.below.get(part) or place.below.setdefault(part, Directory(f"{place.path}{part}/", place)))
        for place in way:
            place.ages[number] += 1
            if date:
                place.newest = max(place.newest, date)
                place.oldest = min(place.oldest or date, date)
        place.own[number] += 1
        if len(place.leaves) < MOST_LEAVES:
            slash = "/" if path.endswith("/") or not name else ""
            place.leaves.append(Leaf(name + slash, url, date, number))
    return root


def _path(url: str, site: str) -> str:
    path = url.removeprefix(site) if url.startswith(site) else url.partition("://")[2]
    return path.partition("?")[0]
