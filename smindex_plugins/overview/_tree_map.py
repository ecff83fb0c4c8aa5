"""The tree map of a site: its directories as a tree, and one level of tiles for each.

The layout: Bruls, Huizing, van Wijk: Squarified treemaps, 2000.
"""

from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import accumulate, pairwise
from typing import NamedTuple
from urllib.parse import unquote

from smindex_plugins.base.text import counted
from smindex_plugins.overview._ages import AGES

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
class UrlDirectory:
    """A directory of a site's URLs with everything below it."""

    path: str
    """Its path below the site, with a trailing slash. Empty for the site."""
    above: "UrlDirectory | None" = None
    below: dict[str, "UrlDirectory"] = field(default_factory=dict)
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


def grow(pages: Iterable[tuple[str, str]], site: str, age: Callable[[str], int]) -> UrlDirectory:
    """Return the tree of a site's pages, each given as its URL and its date, which can be empty.

    Pages of other hosts are in a directory named after the host. The page `guide/` is in the
    directory `guide/` if other pages are too. Otherwise, it is a page of the parent directory.
    """
    paths = [(_path(url, site), url, date) for url, date in pages]
    parents = {
        parent
        for path, _, _ in paths
        for parent in accumulate(path.rstrip("/").split("/")[:-1], "{}/{}".format)
    }
    root = UrlDirectory("")
    for path, url, date in paths:
        is_page = not path.endswith("/") or path[:-1] not in parents
        *directories, name = path.rstrip("/").split("/") if is_page else path.split("/")
        way, number = [root], age(date)
        for part in directories[:_MOST_DEPTH]:
            place = way[-1]
            way.append(
                place.below.get(part)
                or place.below.setdefault(part, UrlDirectory(f"{place.path}{part}/", place))
            )
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


class Rectangle(NamedTuple):
    """A position as fractions of the whole, from 0 to 1."""

    left: float
    top: float
    width: float
    height: float


def squarify(weights: Sequence[float], width: float = 1.6, height: float = 1.0) -> list[Rectangle]:
    """Return a rectangle for each weight. Weights are above 0, the largest first.

    The whole has the given size.
    """
    scale = width * height / sum(weights) if weights else 0
    areas = [weight * scale for weight in weights]
    rectangles: list[Rectangle] = []
    left, top, free_width, free_height = 0.0, 0.0, width, height
    begin = 0
    while begin < len(areas):
        side = min(free_width, free_height)
        end = _row(areas, begin, side)
        row = areas[begin:end]
        thickness = sum(row) / side if side else 0
        at = 0.0
        for area in row:
            length = area / thickness if thickness else 0
            if free_width >= free_height:
                rectangles.append(
                    Rectangle(left / width, (top + at) / height, thickness / width, length / height)
                )
            else:
                rectangles.append(
                    Rectangle((left + at) / width, top / height, length / width, thickness / height)
                )
            at += length
        if free_width >= free_height:
            left, free_width = left + thickness, max(free_width - thickness, 0)
        else:
            top, free_height = top + thickness, max(free_height - thickness, 0)
        begin = end
    return rectangles


def _row(areas: Sequence[float], begin: int, side: float) -> int:
    """Return the end of the row that starts with an area: before the one that would worsen the
    worst aspect ratio.
    """
    total, end, worst = 0.0, begin, float("inf")
    while end < len(areas):
        total += areas[end]
        longest = max(
            side * side * areas[begin] / (total * total), total * total / (side * side * areas[end])
        )
        if longest > worst:
            break
        worst, end = longest, end + 1
    return max(end, begin + 1)


MOST_TILES = 12_000
"""The maximum number of tiles of all levels. Small, deeper directories don't get their own
level."""
_WHOLE = Rectangle(0, 0, 1, 1)
_MOST_BELOW = 60
"""The maximum number of directories on one level. The smallest of the others share one tile."""


@dataclass(slots=True, kw_only=True)
class Tile:
    """A directory, a page, or a group of several."""

    text: str
    title: str
    ages: Counter[int]
    """The ages of its pages."""
    directory: UrlDirectory | None = None
    url: str = ""
    """The URL of a single page."""
    number: int = 0
    place: Rectangle = _WHOLE
    opens: int | None = None
    """The number of the level that it opens. Small directories can have none."""

    @property
    def pages(self) -> int:
        """How many pages are in it."""
        return self.ages.total()

    @property
    def bands(self) -> list[tuple[int, float, float]]:
        """Each age with the start and end of its pages as fractions of the tile, the newest
        first.
        """
        ends = [0.0, *accumulate(self.ages[age] / self.pages for age in sorted(self.ages))]
        return [(age, *span) for age, span in zip(sorted(self.ages), pairwise(ends), strict=True)]


@dataclass(slots=True)
class Level:
    """The direct content of one directory."""

    directory: UrlDirectory
    path: Iterable[tuple[str, int]]
    """The path of directories to it, including itself, each with the number of its level."""
    tiles: list[Tile]

    @property
    def unopened(self) -> int:
        """How many directories in it don't have their own level."""
        return sum(tile.directory is not None and tile.opens is None for tile in self.tiles)


def draw_map(root: UrlDirectory) -> list[Level]:
    """Return the levels of a site, the largest directories first, up to the limit."""
    levels, numbers, room, drawn = [], {root: 0}, MOST_TILES - _tile_count(root), 0
    waiting = deque([root])
    while waiting:
        directory = waiting.popleft()
        tiles = sorted(_tiles(directory), key=lambda tile: -tile.pages)
        places = squarify([tile.pages for tile in tiles])
        for number, (tile, place) in enumerate(zip(tiles, places, strict=True), drawn):
            tile.number, tile.place = number, place
            if tile.directory and (count := _tile_count(tile.directory)) <= room:
                room -= count
                tile.opens = numbers[tile.directory] = len(numbers)
                waiting.append(tile.directory)
        drawn += len(tiles)
        path: deque[tuple[str, int]] = deque()
        above: UrlDirectory | None = directory
        while above:
            path.appendleft((unquote(above.name), numbers[above]))
            above = above.above
        levels.append(Level(directory, path, tiles))
    return levels


def _tile_count(place: UrlDirectory) -> int:
    own = len(place.leaves) if place.own.total() <= MOST_LEAVES else len(place.own)
    return min(len(place.below), _MOST_BELOW + 1) + own


def _tiles(place: UrlDirectory) -> Iterator[Tile]:
    below = sorted(place.below.values(), key=lambda each: -each.pages)
    for each in below[:_MOST_BELOW]:
        yield Tile(text=unquote(each.name), title=each.about, ages=each.ages, directory=each)
    if others := below[_MOST_BELOW:]:
        ages = sum((each.ages for each in others), Counter[int]())
        yield Tile(
            text=f"{len(others):,} smaller directories",
            title=counted(ages.total(), "page"),
            ages=ages,
        )
    if place.own.total() <= MOST_LEAVES:
        for leaf in place.leaves:
            text, ages = unquote(leaf.name), Counter([leaf.age])
            yield Tile(text=text, title=leaf.date or "no date", ages=ages, url=leaf.url)
    else:
        for age, count in place.own.items():
            text, title = f"{counted(count, 'page')}, {AGES[age][0]}", f"directly in {place.name}"
            yield Tile(text=text, title=title, ages=Counter({age: count}))
