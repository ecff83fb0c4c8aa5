"""The tree map of a report: one level for each directory, of which the page shows the one that its address names."""

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import islice
from typing import Any

from smindex_plugins.pictures import AGES, MOST_LEAVES, Directory, Leaf, Tile, shown_name, squarify
from smindex_plugins.reports.markup import E, link, words
from smindex_plugins.text import counted

_MOST_BELOW = 60
"""Directories that one level shows; of more, the smallest are one tile."""
MOST_TILES = 12_000
"""Of all levels together; what is deeper in small directories is not drawn."""


@dataclass(slots=True)
class _Part:
    """What one tile stands for."""

    text: str
    pages: int
    age: int
    title: str
    opens: Directory | None = None
    leaf: Leaf | None = None


@dataclass(slots=True)
class Map:
    """The levels, and the rules of style that put their tiles in place: a strict policy allows no others."""

    levels: list[Any] = field(default_factory=list)
    rules: list[str] = field(default_factory=list)
    summed: int = 0
    """Directories that have no level of their own."""


def draw_map(root: Directory) -> Map:
    """Return the tree map of a site, the largest directories first, as far as there is room."""
    drawn, numbers = Map(), {id(root): 0}
    waiting, tiles = deque([root]), _room(root)
    chosen: list[tuple[Directory, list[_Part]]] = []
    while waiting:
        place = waiting.popleft()
        parts = sorted(_parts(place), key=lambda part: -part.pages)
        chosen.append((place, parts))
        for part in parts:
            if part.opens and tiles + _room(part.opens) <= MOST_TILES:
                numbers[id(part.opens)] = len(numbers)
                waiting.append(part.opens)
                tiles += _room(part.opens)
            elif part.opens:
                drawn.summed += 1
    for place, parts in chosen:
        drawn.levels.append(_level(place, parts, numbers, drawn.rules))
    return drawn


def _room(place: Directory) -> int:
    """Return how many tiles the level of a directory has."""
    return min(len(place.below), _MOST_BELOW + 1) + (
        len(place.leaves) if place.own.total() <= MOST_LEAVES else len(place.own)
    )


def _parts(place: Directory) -> Iterator[_Part]:
    below = sorted(place.below.values(), key=lambda each: -each.pages)
    for each in below[:_MOST_BELOW]:
        yield _Part(f"{shown_name(each.name)}/", each.pages, each.age, _about(each), opens=each)
    if others := below[_MOST_BELOW:]:
        pages = sum(each.pages for each in others)
        ages = sum((each.ages for each in others[1:]), others[0].ages.copy())
        age = max(ages, key=ages.__getitem__)
        yield _Part(f"{len(others):,} smaller directories", pages, age, counted(pages, "page"))
    if place.own.total() <= MOST_LEAVES:
        for leaf in place.leaves:
            yield _Part(shown_name(leaf.name), 1, leaf.age, leaf.date or "no date", leaf=leaf)
    else:
        for age, count in place.own.items():
            name = AGES[age][0] if age < len(AGES) else "without a date"
            yield _Part(f"{counted(count, 'page')} {name}", count, age, f"directly in {place.path or 'the root'}")


def _about(place: Directory) -> str:
    dates = f", {place.oldest[:10]} to {place.newest[:10]}" if place.newest else ", without dates"
    return f"{counted(place.pages, 'page')}{dates}"


def _level(place: Directory, parts: list[_Part], numbers: dict[int, int], rules: list[str]) -> Any:  # noqa: ANN401 - an element of lxml
    tiles = E.div({"class": "tiles"})
    for part, tile in zip(parts, squarify([part.pages for part in parts]), strict=True):
        number = len(rules)
        rules.append(_rule(number, tile))
        tiles.append(_tile(part, number, numbers))
    level = E.section(
        {"class": "level", "id": f"d{numbers[id(place)]}", "aria-label": words(place.path or "the whole site")},
        E.p({"class": "path"}, *_way(place, numbers)),
        tiles,
    )
    if not place.above:
        level.set("class", "level top")
    return level


def _way(place: Directory, numbers: dict[int, int]) -> Iterator[Any]:
    above: list[Directory] = []
    at: Directory | None = place
    while at:
        above.append(at)
        at = at.above
    for each in reversed(above):
        name = words(f"{shown_name(each.name)}/" if each.above else "the whole site")
        yield E.strong(name) if each is place else E.a({"href": f"#d{numbers[id(each)]}"}, name)
        yield " "
    yield E.span(words(_about(place)))


def _tile(part: _Part, number: int, numbers: dict[int, int]) -> Any:  # noqa: ANN401 - an element of lxml
    look = {"id": f"t{number}", "class": f"t a{part.age}", "title": words(f"{part.text}: {part.title}")}
    inside = [E.b(words(part.text)), *([E.i(f"{part.pages:,}")] if part.pages > 1 else [])]
    opened = numbers.get(id(part.opens)) if part.opens else None
    if opened is not None:
        return E.a({**look, "href": f"#d{opened}"}, *inside)
    if part.leaf:
        return link(part.leaf.url, *inside, look=look)
    return E.span(look, *inside)


def _rule(number: int, tile: Tile) -> str:
    left, top, width, height = (f"{100 * share:.2f}".rstrip("0").rstrip(".") for share in tile)
    return f"#t{number}{{left:{left}%;top:{top}%;width:{width}%;height:{height}%}}"


def directories(root: Directory, most: int) -> list[Directory]:
    """Return the directories with most pages, in the order of their paths."""
    found: list[Directory] = []
    waiting = deque([root])
    while waiting:
        place = waiting.popleft()
        found.append(place)
        waiting.extend(place.below.values())
    largest = islice(sorted(found, key=lambda place: -place.pages), most)
    return sorted(largest, key=lambda place: place.path)
