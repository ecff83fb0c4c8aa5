"""The tree map of a site: its directories as a tree, and one level of tiles for each.

The layout: Bruls, Huizing, van Wijk: Squarified treemaps, 2000.
"""

from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import accumulate
from typing import NamedTuple

from smindex_plugins.base.text import counted
from smindex_plugins.overview._ages import median_age
from smindex_plugins.printing.words import decoded

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
        pages = counted(self.pages, "page")
        if not self.newest:
            return f"{pages}, without dates"
        return f"{pages}, {self.oldest[:10]} to {self.newest[:10]}"


def grow(pages: Iterable[tuple[str, str]], site: str, age: Callable[[str], int]) -> UrlDirectory:
    """Return the tree of a site's pages, each given as its URL and its date, which can be empty.

    Pages of other hosts are in a directory named after the host. The page `guide/` is in the
    directory `guide/` if other pages are too. Otherwise, it is a page of the parent directory.
    """
    paths = [(_path(url, site), url, date) for url, date in pages]
    parents: set[str] = set()
    for path, _, _ in paths:
        directories = path.rstrip("/").split("/")[:-1]
        parents.update(accumulate(directories, "{}/{}".format))
    root = UrlDirectory("")
    for path, url, date in paths:
        is_page = not path.endswith("/") or path[:-1] not in parents
        parts = path.rstrip("/").split("/") if is_page else path.split("/")
        *directories, name = parts
        place = root
        way = [root]
        for part in directories[:_MOST_DEPTH]:
            below = place.below.get(part)
            if below is None:
                below = UrlDirectory(f"{place.path}{part}/", place)
                place.below[part] = below
            place = below
            way.append(place)
        number = age(date)
        for each in way:
            each.ages[number] += 1
            if date:
                each.newest = max(each.newest, date)
                each.oldest = min(each.oldest or date, date)
        place.own[number] += 1
        if len(place.leaves) < MOST_LEAVES:
            slash = "/" if path.endswith("/") or not name else ""
            place.leaves.append(Leaf(name + slash, url, date, number))
    return root


def _path(url: str, site: str) -> str:
    path = url.removeprefix(site)
    if not url.startswith(site):
        path = url.partition("://")[2]
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
    left = 0.0
    top = 0.0
    free_width = width
    free_height = height
    begin = 0
    while begin < len(areas):
        side = min(free_width, free_height)
        end = _row(areas, begin, side)
        row = areas[begin:end]
        thickness = sum(row) / side if side else 0
        is_column = free_width >= free_height
        at = 0.0
        for area in row:
            length = area / thickness if thickness else 0
            if is_column:
                rectangles.append(
                    Rectangle(left / width, (top + at) / height, thickness / width, length / height)
                )
            else:
                rectangles.append(
                    Rectangle((left + at) / width, top / height, length / width, thickness / height)
                )
            at += length
        if is_column:
            left += thickness
            free_width = max(free_width - thickness, 0)
        else:
            top += thickness
            free_height = max(free_height - thickness, 0)
        begin = end
    return rectangles


def _row(areas: Sequence[float], begin: int, side: float) -> int:
    """Return the end of a row: before the area that would worsen its worst aspect ratio."""
    total = 0.0
    end = begin
    worst = float("inf")
    while end < len(areas):
        total += areas[end]
        of_largest = side * side * areas[begin] / (total * total)
        of_smallest = total * total / (side * side * areas[end])
        ratio = max(of_largest, of_smallest)
        if ratio > worst:
            break
        worst = ratio
        end += 1
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
    def age(self) -> int:
        """The median class of its ages, which gives it its color."""
        return median_age(self.ages)


@dataclass(slots=True)
class Level:
    """The direct content of one directory."""

    number: int
    directory: UrlDirectory
    path: Iterable[tuple[str, int]]
    """The path of directories to it, including itself, each with the number of its level."""
    tiles: list[Tile]

    @property
    def bands(self) -> list[tuple[int, float, float]]:
        """Each age with the start and end of its share of the pages, the newest first."""
        bands: list[tuple[int, float, float]] = []
        begin = 0.0
        ages = self.directory.ages
        for age in sorted(ages):
            end = begin + ages[age] / self.directory.pages
            bands.append((age, begin, end))
            begin = end
        return bands

    @property
    def unopened(self) -> int:
        """How many directories in it don't have their own level."""
        return sum(tile.directory is not None and tile.opens is None for tile in self.tiles)


def draw_map(root: UrlDirectory) -> list[Level]:
    """Return the levels of a site, the largest directories first, up to the limit."""
    levels: list[Level] = []
    numbers = {root: 0}
    room = MOST_TILES - _tile_count(root)
    drawn = 0
    waiting = deque([root])
    while waiting:
        directory = waiting.popleft()
        tiles = sorted(_tiles(directory), key=lambda tile: -tile.pages)
        places = squarify([tile.pages for tile in tiles])
        for tile, place in zip(tiles, places, strict=True):
            tile.number = drawn
            tile.place = place
            drawn += 1
            if tile.directory and (count := _tile_count(tile.directory)) <= room:
                room -= count
                tile.opens = len(numbers)
                numbers[tile.directory] = tile.opens
                waiting.append(tile.directory)
        path: deque[tuple[str, int]] = deque()
        above: UrlDirectory | None = directory
        while above:
            name = decoded(above.name)
            path.appendleft((name, numbers[above]))
            above = above.above
        levels.append(Level(numbers[directory], directory, path, tiles))
    return levels


def _tile_count(place: UrlDirectory) -> int:
    below = min(len(place.below), _MOST_BELOW + 1)
    if place.own.total() <= MOST_LEAVES:
        return below + len(place.leaves)
    return below + len(place.own)


def _tiles(place: UrlDirectory) -> Iterator[Tile]:
    below = sorted(place.below.values(), key=lambda each: -each.pages)
    for each in below[:_MOST_BELOW]:
        yield Tile(text=decoded(each.name), title=each.about, ages=each.ages, directory=each)
    if others := below[_MOST_BELOW:]:
        ages = Counter[int]()
        for each in others:
            ages += each.ages
        text = f"{len(others):,} smaller directories"
        title = counted(ages.total(), "page")
        yield Tile(text=text, title=title, ages=ages)
    if place.own.total() <= MOST_LEAVES:
        for leaf in place.leaves:
            text = decoded(leaf.name)
            title = leaf.date or "no date"
            yield Tile(text=text, title=title, ages=Counter([leaf.age]), url=leaf.url)
    else:
        for age, count in place.own.items():
            pages = counted(count, "page")
            title = f"{pages} directly in {decoded(place.name)}"
            yield Tile(text="pages here", title=title, ages=Counter({age: count}))
