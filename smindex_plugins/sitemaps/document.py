"""A sitemap or an index as it was read, the form in which checks judge it, and the names under which indexes stand."""

import re
from array import array
from collections import Counter
from collections.abc import Collection
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

from smindex_plugins import urls
from smindex_plugins.catalogue import Kind
from smindex_plugins.dates import read_w3c
from smindex_plugins.limits import MAX_URLS
from smindex_plugins.model import Finding

if TYPE_CHECKING:
    from collections.abc import Callable

Form = Literal["", "urlset", "sitemapindex", "text", "RSS feed", "Atom feed"]

INDEX_NAMES = tuple(
    name + suffix
    for name in (
        "sitemap_index.xml",
        "sitemap-index.xml",
        "sitemapindex.xml",
        "sitemap.xml",
        "wp-sitemap.xml",
        "sitemaps.xml",
        "sitemap.txt",
    )
    for suffix in ("", ".gz")
)
"""The likeliest first."""

USUAL_PATHS = ("sitemap_index.xml", "sitemap-index.xml", "sitemapindex.xml", "sitemap.xml", "wp-sitemap.xml")
"""Those that a site on the web is asked for."""

MOST_ENTRIES = 4 * MAX_URLS
"""Entries kept of one file; those after them are counted and not judged."""
_MOST_FINDINGS = 10_000
"""Findings of one kind kept of one file."""


@dataclass(slots=True, kw_only=True, eq=False)
class Document:
    """A sitemap or an index as it was read, in columns: the nth URL has the nth date and stands on the nth line."""

    url: str
    where: str = ""
    """What messages call it: its path in the directory that is checked, or its URL."""
    file: str = ""
    """Its path on this machine, empty for one that came over HTTP."""
    kind: Form = ""
    urls: list[str] = field(default_factory=list)
    """As written, without the space around them."""
    dates: list[str] = field(default_factory=list)
    """As written, without the space around them; empty where there is none."""
    lines: "array[int]" = field(default_factory=lambda: array("I"))
    count: int = 0
    """Entries, also those that were not kept."""
    size: int = 0
    """Bytes, uncompressed."""
    alternates: dict[int, list[tuple[str, str]]] = field(default_factory=dict)
    """Language variants, hreflang code and URL as written, by the position of the entry."""
    images: dict[int, int] = field(default_factory=dict)
    """How many images an entry has, by its position."""
    news: list[tuple[int, str]] = field(default_factory=list)
    """Line and publication date of each news article."""
    expirations: list[tuple[int, str]] = field(default_factory=list)
    """Line and expiration date of each video that has one."""
    hints: int = 0
    """Entries with a changefreq or a priority."""
    has_news: bool = False
    """It declares the namespace of news, whose sitemaps may be empty, and not all of them, as some writers do."""
    has_xslt: bool = False
    is_ours: bool = False
    own: int | None = None
    """How many of an index's entries its own build wrote, where others were joined to them."""
    proven: frozenset[str] = frozenset()
    """The other origins whose own robots.txt names it, which lets it list their URLs too."""
    is_whole: bool = True
    """It was read to its end."""
    lastmod: str = ""
    """What the index that lists it says of it."""
    findings: list[Finding] = field(default_factory=list)
    """Everything wrong that the reading itself met, of the kinds in `faults`."""
    met: Counter[str] = field(default_factory=Counter)
    """How often each kind was met, by its name, also where it was not kept."""
    is_plain: bool = False
    """It is of the commonest form, in which nothing is escaped."""
    count_lines: "Callable[[], array[int]] | None" = None
    """Finds the lines of entries that were read without counting them."""
    _normal: list[str] | None = None
    _read_dates: dict[str, tuple[str, str]] | None = None

    def __post_init__(self) -> None:
        self.where = self.where or self.url

    @property
    def normal(self) -> list[str]:
        """The URLs in the one form in which equal ones are equal strings; empty where one is none."""
        if self._normal is None:
            self._normal = list(map(urls.normal, self.urls))
        return self._normal

    @property
    def read_dates(self) -> dict[str, tuple[str, str]]:
        """The different dates: as `dates` writes them, and what is wrong with them."""
        if self._read_dates is None:
            self._read_dates = {text: read_w3c(text) for text in dict.fromkeys(self.dates) if text}
        return self._read_dates

    @property
    def scope(self) -> str:
        """The directory that every URL must be under."""
        return urls.directory(urls.normalise(self.url))

    def forget_joined(self) -> None:
        """Keep only what the index's own build wrote."""
        if self.own is not None:
            self.urls, self.dates, self.lines = self.urls[: self.own], self.dates[: self.own], self.lines[: self.own]
            self.count, self._normal, self._read_dates = self.own, None, None

    def keep(self, url: str, date: str, line: int) -> None:
        """Put an entry into it, unless there are so many that it can only be counted."""
        self.count += 1
        if self.count <= MOST_ENTRIES:
            self.urls.append(url)
            self.dates.append(date)
            self.lines.append(line)

    def line(self, position: int) -> int:
        """Return the line of an entry, or 0 where it has none."""
        if self.count_lines:
            self.lines, self.count_lines = self.count_lines(), None
        return self.lines[position] if position < len(self.lines) else 0

    def add(self, kind: Kind, line: int, problem: str, fix: str = "") -> None:
        """Put something wrong into it, unless there is so much of its kind that more tells nothing."""
        self.met[kind.name] += 1
        if self.met[kind.name] <= _MOST_FINDINGS:
            self.findings.append(kind.at(self, problem, fix, line))


def index_files(names: Collection[str], index_filename: str = INDEX_NAMES[0]) -> list[str]:
    """Return those of the names of a directory's files that list its pages.

    That is one file, or the numbered indexes (``sitemap_index-1.xml``) of a site where one index cannot list all.
    """
    for name in dict.fromkeys([index_filename, *INDEX_NAMES]):
        if name in names:
            return [name]
        if "index" in name and name.endswith(".xml") and (several := numbered(names, name)):
            return several
    return []


def numbered(names: Collection[str], index_filename: str) -> list[str]:
    """Return the numbered files of a name, in the order of their numbers."""
    pattern = re.compile(re.escape(index_filename.removesuffix(".xml")) + r"-(\d+)\.xml")
    found = {name: int(match[1]) for name in names if (match := pattern.fullmatch(name))}
    return sorted(found, key=found.__getitem__)
