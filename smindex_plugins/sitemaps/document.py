"""A sitemap or an index as it was read, the form in which checks judge it, and an element while it is read."""

from array import array
from collections import Counter
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Literal

from smindex_plugins import urls
from smindex_plugins.catalogue import Kind
from smindex_plugins.dates import read_w3c
from smindex_plugins.limits import MAX_URLS
from smindex_plugins.model import Finding

if TYPE_CHECKING:
    from collections.abc import Callable

Form = Literal["", "urlset", "sitemapindex", "text", "RSS feed", "Atom feed"]

MOST_ENTRIES = 4 * MAX_URLS
"""Entries kept of one file; those after them are counted and not judged."""
_MOST_FINDINGS = 10_000
"""Findings of one kind kept of one file."""


@dataclass(slots=True, eq=False)
class Element:
    """An element and what stands in it; names are a namespace, a space, and what stands behind the prefix."""

    name: str
    attributes: dict[str, str]
    line: int
    end: int = 0
    """The line of its end tag, or 0 where it has not been read to its end."""
    text: str = ""
    """The last of it, where children stand in it, in which only hostile files have much of it."""
    children: list["Element"] = field(default_factory=list)

    @property
    def namespace(self) -> str:
        """What stands before the space, or nothing."""
        return self.name.rpartition(" ")[0]

    @property
    def local(self) -> str:
        """Its name without the namespace."""
        return self.name.rpartition(" ")[2]

    def value(self) -> str:
        """Return its text with that of its children, where it should have none."""
        return "".join(child.value() for child in self.children) + self.text if self.children else self.text


@dataclass(kw_only=True, eq=False)
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

    def __post_init__(self) -> None:
        self.where = self.where or self.url

    @cached_property
    def normal(self) -> list[str]:
        """The URLs in the one form in which equal ones are equal strings; empty where one is none."""
        return list(map(urls.normal, self.urls))

    @cached_property
    def read_dates(self) -> dict[str, tuple[str, str]]:
        """The different dates: as `dates` writes them, and what is wrong with them."""
        return {text: read_w3c(text) for text in dict.fromkeys(self.dates) if text}

    @property
    def scope(self) -> str:
        """The directory that every URL must be under."""
        return urls.directory(urls.normalise(self.url))

    def forget_joined(self) -> None:
        """Keep only what the index's own build wrote; nothing may have been judged yet."""
        if self.own is not None:
            self.urls, self.dates, self.lines = self.urls[: self.own], self.dates[: self.own], self.lines[: self.own]
            self.count = self.own

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
