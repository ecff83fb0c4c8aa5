"""The tree map of a site: one level per directory, with tiles for its content."""

from collections import Counter, deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import accumulate, pairwise
from urllib.parse import unquote

from smindex_plugins.pictures.ages import AGES
from smindex_plugins.pictures.tree import MOST_LEAVES, Directory
from smindex_plugins.pictures.treemap import Rectangle, squarify
from smindex_plugins.text import counted

MOST_TILES = 12_000
"""The maximum number of tiles of all levels. Small, deeper directories don't get their own level."""
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
    directory: Directory | None = None
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
        """Each age with the start and end of its pages as fractions of the tile, the newest first."""
        ends = [0.0, *accumulate(self.ages[age] / self.pages for age in sorted(self.ages))]
        return [(age, *span) for age, span in zip(sorted(self.ages), pairwise(ends), strict=True)]


@dataclass(slots=True)
class Level:
    """The direct content of one directory."""

    directory: Directory
    path: Iterable[tuple[str, int]]
    """The path of directories to it, including itself, each with the number of its level."""
    tiles: list[Tile]

    @property
    def unopened(self) -> int:
        """How many directories in it don't have their own level."""
        return sum(tile.directory is not None and tile.opens is None for tile in self.tiles)


def draw_map(root: Directory) -> list[Level]:
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
        above: Directory | None = directory
        while above:
            path.appendleft((unquote(above.name), numbers[above]))
            above = above.above
        levels.append(Level(directory, path, tiles))
    return levels


def _tile_count(place: Directory) -> int:
    own = len(place.leaves) if place.own.total() <= MOST_LEAVES else len(place.own)
    return min(len(place.below), _MOST_BELOW + 1) + own


def _tiles(place: Directory) -> Iterator[Tile]:
    below = sorted(place.below.values(), key=lambda each: -each.pages)
    for each in below[:_MOST_BELOW]:
        yield Tile(text=unquote(each.name), title=each.about, ages=each.ages, directory=each)
    if others := below[_MOST_BELOW:]:
        ages = sum((each.ages for each in others), Counter[int]())
        yield Tile(text=f"{len(others):,} smaller directories", title=counted(ages.total(), "page"), ages=ages)
    if place.own.total() <= MOST_LEAVES:
        for leaf in place.leaves:
            text, ages = unquote(leaf.name), Counter([leaf.age])
            yield Tile(text=text, title=leaf.date or "no date", ages=ages, url=leaf.url)
    else:
        for age, count in place.own.items():
            text, title = f"{counted(count, 'page')}, {AGES[age][0]}", f"directly in {place.name}"
            yield Tile(text=text, title=title, ages=Counter({age: count}))
