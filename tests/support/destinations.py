"""Directories and object storage, as a run over a table writes into them, and a whole run in one call."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from smindex_plugins.model import IndexEntry, Page
from smindex_plugins.settings import Settings
from smindex_plugins.sitemaps import Changes
from smindex_plugins.sitemaps.rendering import render_entry, render_url, sitemapindex, urlset
from smindex_plugins.tables import Destination, open_destination

SITE = "https://e.org/"
INDEX = "sitemap_index.xml"
Files = Mapping[str, list[bytes]]


@dataclass(frozen=True)
class Place:
    """Where a run writes, and what is there."""

    out: str
    files: Callable[[], dict[str, bytes]]
    plant: Callable[[str, bytes], object]
    remove: Callable[[str], object]

    def open(self, settings: Settings = Settings()) -> Destination:  # noqa: B008 - frozen
        return open_destination(self.out, site_url=SITE, settings=settings)


def directory(path: Path) -> Place:
    def plant(name: str, content: bytes) -> None:
        (path / name).parent.mkdir(parents=True, exist_ok=True)
        (path / name).write_bytes(content)

    def files() -> dict[str, bytes]:
        found = (each for each in sorted(path.rglob("*")) if each.is_file())
        return {each.relative_to(path).as_posix(): each.read_bytes() for each in found}

    return Place(str(path), files, plant, lambda name: (path / name).unlink())


def storage(url: str, reached: Any) -> Place:  # noqa: ANN401 - fsspec has no types
    top = url.partition("://")[2]

    def files() -> dict[str, bytes]:
        reached.invalidate_cache()
        found = (str(each) for each in reached.find(top))
        return {each.strip("/").removeprefix(f"{top}/"): bytes(reached.cat_file(each)) for each in found}

    return Place(
        url,
        files,
        lambda name, content: reached.pipe_file(f"{top}/{name}", content),
        lambda name: reached.rm_file(f"{top}/{name}"),
    )


def sitemap(*names: str, day: str = "2026-01-31") -> list[bytes]:
    return urlset([render_url(Page(url=SITE + name, lastmod=day)) for name in names])


def index(*paths: str) -> list[bytes]:
    return sitemapindex(render_entry(IndexEntry(url=SITE + path)) for path in paths)


def whole(files: Files, indexes: Files | None = None) -> dict[str, bytes]:
    """Return what is there after a run that nothing disturbs."""
    return {path: b"".join(content) for path, content in {**files, **(indexes or {INDEX: index(*files)})}.items()}


@contextmanager
def begun(place: Place, *stems: str, settings: Settings = Settings()) -> Iterator[Destination]:  # noqa: B008 - frozen
    """Begin a run, which ends as it is left to."""
    destination = place.open(settings)
    with destination.only_run():
        destination.prepare(stems)
        yield destination


def run(
    place: Place, files: Files, indexes: Files | None = None, stems: tuple[str, ...] = ()
) -> tuple[list[str], Changes]:
    """Write files and their index; return which of them were written, and what became of the rest."""
    named = stems or tuple(path.removesuffix(".xml") for path in files)
    with begun(place, *named) as destination:
        written = [path for path, content in files.items() if destination.put(path, content)]
        return written, destination.finish(list((indexes or {INDEX: index(*files)}).items()), files)
