"""The tree map of a site: a level for each directory, with tiles for what is in it."""

from collections import Counter, deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from urllib.parse import unquote

from smindex_plugins.pictures.ages import AGES, median
from smindex_plugins.pictures.tree import MOST_LEAVES, Directory
from smindex_plugins.pictures.treemap import Rectangle, squarify
from smindex_plugins.text import counted

MOST_TILES = 12_000
"""Tiles of all levels together. Small directories that are deeper have no level of their own."""
_MOST_BELOW = 60
"""Directories that one level shows. Of more, the smallest share one tile."""


@dataclass(slots=True, kw_only=True)
class Tile:
    """A directory, a page, or several of them together."""

    text: str
    title: str
    pages: int
    age: int
    directory: Directory | None = None
    url: str = ""
    """The URL of a single page."""
    number: int = 0
    opens: int | None = None
    """The number of the level that it opens."""


@dataclass(slots=True)
class Level:
    """What is directly in one directory."""

    directory: Directory
    path: Iterable[tuple[str, int]]
    """The directories above it and itself, each with the number of its level."""
    tiles: list[Tile]


@dataclass(slots=True)
class Map:
    """All levels of a site."""

    levels: list[Level] = field(default_factory=list)
    places: list[Rectangle] = field(default_factory=list)
    """The place of each tile, by its number."""
    unopened: int = 0
    """Directories without a level of their own."""


def draw_map(root: Directory) -> Map:
    """Return the tree map of a site, the largest directories first, as far as there is room."""
    drawn, numbers, room = Map(), {root: 0}, MOST_TILES - _tile_count(root)
    waiting = deque([root])
    while waiting:
        place = waiting.popleft()
        tiles = sorted(_tiles(place), key=lambda tile: -tile.pages)
        drawn.places += squarify([tile.pages for tile in tiles])
        for number, tile in enumerate(tiles, len(drawn.places) - len(tiles)):
            tile.number = number
            if not tile.directory:
                continue
            if (count := _tile_count(tile.directory)) <= room:
                room -= count
                tile.opens = numbers[tile.directory] = len(numbers)
                waiting.append(tile.directory)
            else:
                drawn.unopened += 1
        path: deque[tuple[str, int]] = deque()
        above: Directory | None = place
        while above:
            path.appendleft((unquote(above.name), numbers[above]))
            above = above.above
        drawn.levels.append(Level(place, path, tiles))
    return drawn


def _tile_count(place: Directory) -> int:
    own = len(place.leaves) if place.own.total() <= MOST_LEAVES else len(place.own)
    return min(len(place.below), _MOST_BELOW + 1) + own


def _tiles(place: Directory) -> Iterator[Tile]:
    below = sorted(place.below.values(), key=lambda each: -each.pages)
    for each in below[:_MOST_BELOW]:
        yield Tile(text=unquote(each.name), title=each.about, pages=each.pages, age=each.age, directory=each)
    if others := below[_MOST_BELOW:]:
        ages = sum((each.ages for each in others), Counter[int]())
        title = counted(ages.total(), "page")
        yield Tile(text=f"{len(others):,} smaller directories", title=title, pages=ages.total(), age=median(ages))
    if place.own.total() <= MOST_LEAVES:
        for leaf in place.leaves:
            yield Tile(text=unquote(leaf.name), title=leaf.date or "no date", pages=1, age=leaf.age, url=leaf.url)
    else:
        for age, count in place.own.items():
            text, title = f"{counted(count, 'page')}, {AGES[age][0]}", f"directly in {place.name}"
            yield Tile(text=text, title=title, pages=count, age=age)
