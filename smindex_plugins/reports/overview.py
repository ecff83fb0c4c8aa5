"""What there is to see of a site's sitemaps: files, sections, pages, what was left out, and what is wrong."""

import re
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass, field
from functools import cached_property

from smindex_plugins import urls
from smindex_plugins.dates import day
from smindex_plugins.limits import MAX_BYTES, MAX_URLS
from smindex_plugins.model import Spot
from smindex_plugins.pages import Omission
from smindex_plugins.reports.tally import Tally
from smindex_plugins.sitemaps import Document
from smindex_plugins.sites import Audit, Directory, Live, Totals

UNEXPLAINED = "listed nowhere, for no reason that is known"
"""Of a page without a sitemap, where neither the page nor a setting says why."""
_ROOT = "root"
_PART = re.compile(r"(.+)-[0-9a-f]+(?:-part)*", re.DOTALL)
"""The stem of a file that a large section was cut into; the first has the stem of the section."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Sheet:
    """One sitemap or index, as it was read."""

    url: str
    where: str
    """Its path in the directory, or its URL."""
    is_index: bool
    count: int
    size: int
    """Bytes, uncompressed."""
    lastmod: str
    """What the index that lists it says of it, as it is written."""
    urls: list[str]
    """In their normal form; empty where one is none."""
    dates: list[str]
    """In the form of `dates`; empty where there is none, or none that is right."""
    is_ours: bool

    @classmethod
    def of(cls, document: Document) -> "Sheet":
        """Return what is kept of a file."""
        return cls(
            url=document.url,
            where=document.where,
            is_index=document.kind == "sitemapindex",
            count=document.count,
            size=document.size,
            lastmod=document.lastmod,
            urls=[entry.normal for entry in document.entries],
            dates=[document.read_dates[entry.lastmod][0] if entry.lastmod else "" for entry in document.entries],
            is_ours=document.is_ours,
        )

    @property
    def stem(self) -> str:
        """Its path below the address of the site, without its suffix."""
        return self.where.removesuffix(".gz").removesuffix(".xml")


@dataclass(frozen=True, slots=True, kw_only=True)
class Section:
    """The sitemaps of one section: one, as a rule, and several where it was cut."""

    name: str
    sheets: tuple[Sheet, ...]
    pages: int
    newest: str
    oldest: str
    undated: int
    size: int
    """Bytes of all its files."""
    fill_of_urls: float
    """Which share of the entries that the protocol allows its fullest file has."""
    fill_of_bytes: float

    @classmethod
    def of(cls, name: str, sheets: Collection[Sheet]) -> "Section":
        """Return the section of some files."""
        dated = [date for sheet in sheets for date in sheet.dates if date]
        pages = sum(sheet.count for sheet in sheets)
        return cls(
            name=name,
            sheets=tuple(sheets),
            pages=pages,
            newest=max(dated, default=""),
            oldest=min(dated, default=""),
            undated=pages - len(dated),
            size=sum(sheet.size for sheet in sheets),
            fill_of_urls=max(sheet.count for sheet in sheets) / MAX_URLS,
            fill_of_bytes=max(sheet.size for sheet in sheets) / MAX_BYTES,
        )


@dataclass(kw_only=True)
class Overview:
    """All that is shown of a site."""

    given: str
    """The URL or the directory that was looked at."""
    sheets: list[Sheet] = field(default_factory=list)
    left_out: list[Omission] = field(default_factory=list)
    """Pages that are in no sitemap."""
    knows_left_out: bool = False
    """Pages that are in no sitemap were looked for."""
    tally: Tally = field(default_factory=Tally)
    totals: Totals = field(default_factory=Totals)
    named: Collection[str] = ()
    """The names of sections that the settings define, as far as these are known."""

    @property
    def site(self) -> str:
        """Its address: the directory of the first file; what was looked at, where nothing tells the address."""
        first = self.sheets[0].url if self.sheets else urls.NO_ADDRESS
        return self.given if first.startswith(urls.NO_ADDRESS) else urls.directory(urls.normalise(first))

    @property
    def indexes(self) -> list[Sheet]:
        """The indexes, in the order in which they were read."""
        return [sheet for sheet in self.sheets if sheet.is_index]

    @property
    def sitemaps(self) -> list[Sheet]:
        """All other files, in the order in which they were read."""
        return [sheet for sheet in self.sheets if not sheet.is_index]

    @cached_property
    def sections(self) -> list[Section]:
        """The sections, by their names, that of the root first."""
        found: dict[str, list[Sheet]] = {}
        names = self._names()
        for sheet in self.sitemaps:
            found.setdefault(names[sheet.where], []).append(sheet)
        sections = (Section.of(name, sheets) for name, sheets in found.items())
        return sorted(sections, key=lambda section: (section.name != _ROOT, section.name))

    @property
    def pages(self) -> int:
        """How many entries all sitemaps have."""
        return sum(section.pages for section in self.sections)

    def dated(self) -> Iterator[tuple[str, str, str]]:
        """Yield the URL of every listed page, its date or nothing, and the name of its section."""
        for section in self.sections:
            for sheet in section.sheets:
                for url, date in zip(sheet.urls, sheet.dates, strict=True):
                    yield url, date, section.name

    def days(self) -> Iterator[str]:
        """Yield the day of every date of a page."""
        yield from (day(date) for sheet in self.sitemaps for date in sheet.dates if date)

    def _names(self) -> dict[str, str]:
        """Return the name of the section of each file; a part of one has the stem of another file in its own."""
        stems = {sheet.stem for sheet in self.sitemaps}
        whole = {sheet.where: _whole(sheet, stems, self.named) for sheet in self.sitemaps}
        return {where: _name(stem.removeprefix(self.site)) for where, stem in whole.items()}


def _whole(sheet: Sheet, stems: Collection[str], named: Collection[str]) -> str:
    """Return the stem of the section that a file belongs to."""
    part = _PART.fullmatch(sheet.stem) if sheet.is_ours else None
    is_named = sheet.stem.rpartition("/")[2].removeprefix("sitemap-") in named
    return part[1] if part and part[1] in stems and not is_named else sheet.stem


def _name(stem: str) -> str:
    """Return what people call a section: its directory, its own name, or the file of another generator."""
    directory, _, name = stem.rpartition("/")
    if name == "sitemap":
        return f"{directory}/" if directory else _ROOT
    return name.removeprefix("sitemap-")


def look(
    checked: Directory | Live,
    *,
    totals: Totals | None = None,
    tell: Callable[[str], None] = lambda _: None,
    named: Collection[str] = (),
) -> Overview:
    """Return what a site has, which is checked on the way.

    Raises:
        OSError: it cannot be read, as `Directory.findings` and `Live.findings` say.
    """
    is_on_disk = isinstance(checked, Directory)
    given = checked.path if isinstance(checked, Directory) else checked.url
    seen = Overview(given=given, totals=totals or Totals(), named=named)

    def leave(spot: Spot, why: str) -> None:
        seen.left_out.append(Omission(spot.url, spot.where, why or UNEXPLAINED))

    audit = Audit(totals=seen.totals, tell=tell, keep=lambda found: seen.sheets.append(Sheet.of(found)), leave=leave)
    seen.tally = Tally(checked.findings(audit))
    seen.knows_left_out = is_on_disk and bool(seen.totals.pages or seen.left_out)
    return seen
