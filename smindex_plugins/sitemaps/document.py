"""A sitemap or an index as it was read, for checks to judge, and an element while it is read."""

from array import array
from collections import Counter
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import cached_property
from typing import TYPE_CHECKING, Literal

from smindex_plugins import urls
from smindex_plugins.catalogue import Kind
from smindex_plugins.dates import has_day, is_future, read_w3c
from smindex_plugins.limits import MAX_URLS
from smindex_plugins.model import Finding, Spot

if TYPE_CHECKING:
    from collections.abc import Callable

Form = Literal["", "urlset", "sitemapindex", "text", "RSS feed", "Atom feed"]

MOST_ENTRIES = 4 * MAX_URLS
"""How many entries of one file are kept. Later ones are only counted."""
_AT_ONCE = 100
"""How many URLs are judged between two looks at the clock. Some take a millisecond each."""
_MOST_FINDINGS = 10_000
"""How many findings of one kind are kept for one file."""


@dataclass(slots=True, eq=False)
class Element:
    """An element and its content. A name is a namespace, a space, and the name after the prefix."""

    name: str
    attributes: dict[str, str]
    line: int
    end: int = 0
    """The line of its end tag, or 0 if its end has not been read."""
    text: str = ""
    """The last part of its text, if it has children too. Only hostile files have much of it."""
    children: list["Element"] = field(default_factory=list)

    @property
    def namespace(self) -> str:
        """The part of its name before the space, or an empty string."""
        return self.name.rpartition(" ")[0]

    @property
    def local(self) -> str:
        """Its name without the namespace."""
        return self.name.rpartition(" ")[2]

    def value(self) -> str:
        """Return its text, including the text of children that it should not have."""
        return "".join(child.value() for child in self.children) + self.text if self.children else self.text


@dataclass(kw_only=True, eq=False)
class Document:
    """A sitemap or an index as it was read, in columns: the nth URL has the nth date and is on the nth line."""

    url: str
    where: str = ""
    """Its name in messages: its path in the checked directory, or its URL."""
    file: str = ""
    """Its path on this machine. Empty if it came over HTTP."""
    kind: Form = ""
    urls: list[str] = field(default_factory=list)
    """The URLs as written, without space around them."""
    dates: list[str] = field(default_factory=list)
    """The dates as written, without space around them. Empty if there is none."""
    lines: "array[int]" = field(default_factory=lambda: array("I"))
    count: int = 0
    """How many entries it has, including those that were not kept."""
    size: int = 0
    """Its size in bytes, uncompressed."""
    alternates: dict[int, list[tuple[str, str]]] = field(default_factory=dict)
    """The language variants (hreflang code and URL, as written), by the position of the entry."""
    images: dict[int, int] = field(default_factory=dict)
    """How many images an entry has, by its position."""
    news: list[tuple[int, str]] = field(default_factory=list)
    """The line and publication date of each news article."""
    hints: int = 0
    """How many entries have a changefreq or a priority."""
    has_news: bool = False
    """Whether it is a news sitemap, which may be empty: it declares that namespace, but not every one."""
    is_ours: bool = False
    own: int | None = None
    """How many entries of an index its own build listed, if others were joined to them."""
    proven: frozenset[str] = frozenset()
    """The other origins whose robots.txt names it, so that it may list their URLs too."""
    is_whole: bool = True
    """Whether it was read to its end."""
    lastmod: str = ""
    """Its date in the index that lists it."""
    findings: list[Finding] = field(default_factory=list)
    """All problems that the reader found, of the kinds in `catalogue`."""
    met: Counter[str] = field(default_factory=Counter)
    """How often each kind was found, by name, including findings that were not kept."""
    is_plain: bool = False
    """Whether it has the most common form, without any escapes."""
    keep_time: "Callable[[], object]" = lambda: None
    """Called regularly while it is read and judged. An exception from it ends that."""
    count_lines: "Callable[[], array[int]] | None" = None
    """Finds the lines of entries in a file that was read without counting lines."""

    def __post_init__(self) -> None:
        self.where = self.where or self.url

    @cached_property
    def normal(self) -> list[str]:
        """The normalised URLs. Equal URLs are equal strings; an invalid URL is empty."""
        normal: list[str] = []
        for begin in range(0, len(self.urls), _AT_ONCE):
            self.keep_time()
            normal += map(urls.normal, self.urls[begin : begin + _AT_ONCE])
        return normal

    @cached_property
    def changed(self) -> list[int]:
        """The positions of URLs that are not in their normal form, or are invalid."""
        if self.normal == self.urls:
            return []
        return [at for at, (url, normal) in enumerate(zip(self.urls, self.normal, strict=True)) if url != normal]

    @cached_property
    def outside(self) -> list[int]:
        """The positions of valid URLs that are not in the directory that must contain them."""
        scope = self.scope
        return [at for at, normal in enumerate(self.normal) if not normal.startswith(scope) and normal]

    @cached_property
    def read_dates(self) -> dict[str, tuple[str, str]]:
        """The different dates, each in the form of `dates`, and what is wrong with it."""
        return {text: read_w3c(text) for text in dict.fromkeys(self.dates) if text}

    @property
    def scope(self) -> str:
        """The directory that must contain every URL."""
        return urls.directory(urls.normalise(self.url))

    def forget_joined(self) -> None:
        """Remove the entries that are not from the index's own build. Call this before anything was judged."""
        if self.own is not None:
            self.urls, self.dates, self.lines = self.urls[: self.own], self.dates[: self.own], self.lines[: self.own]
            self.count = self.own

    def keep(self, url: str, date: str, line: int, known: int | None = None) -> None:
        """Add an entry. If there are too many, only count it.

        All findings after the first ``known`` ones are about this entry.
        """
        self.count += 1
        if known is not None and known < len(self.findings):
            self.findings[known:] = [replace(found, url=urls.normal(url)) for found in self.findings[known:]]
        if self.count <= MOST_ENTRIES:
            self.urls.append(url)
            self.dates.append(date)
            self.lines.append(line)

    def line(self, position: int) -> int:
        """Return the line of an entry, or 0 where it has none."""
        if self.count_lines:
            self.lines, self.count_lines = self.count_lines(), None
        return self.lines[position] if position < len(self.lines) else 0

    def entry(self, position: int) -> Spot:
        """Return an entry as the subject of a finding."""
        return Spot(self.where, self.file, self.normal[position], line=self.line(position))

    def add(self, kind: Kind, line: int, problem: str, fix: str = "") -> None:
        """Add a finding, unless there are already many of its kind."""
        self.met[kind.name] += 1
        if self.met[kind.name] <= _MOST_FINDINGS:
            self.findings.append(kind.at(self, problem, fix, line))


def newest_date(document: Document, now: datetime) -> str | None:
    """Return the newest date in a sitemap, or None if it has none."""
    return max(filter(None, (usable_date(document, text, now) for text in document.read_dates)), default=None)


def usable_date(document: Document, text: str, now: datetime) -> str | None:
    """Return a date of a document in its normal form, or None if it is invalid, in the future, or less than a day."""
    date = document.read_dates[text][0] if has_day(text) else ""
    return date if date and not is_future(date, now) else None
