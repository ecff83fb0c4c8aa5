"""A sitemap or an index as it was read: its entries, and the faults of its format."""

from collections import Counter
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import cached_property
from typing import Literal, NamedTuple

from smindex_plugins.base import urls
from smindex_plugins.base.catalogue import UNSUPPORTED_FORMAT, Kind
from smindex_plugins.base.dates import has_day, is_future, is_zero, read_w3c
from smindex_plugins.base.limits import MAX_URLS
from smindex_plugins.base.model import Finding, Spot
from smindex_plugins.writing.names import ROBOTS

Form = Literal["", "urlset", "sitemapindex", "text", "RSS feed", "Atom feed"]

MOST_KEPT = 4 * MAX_URLS
"""How many entries and findings of one file are kept. Reading stops there."""


class Entry(NamedTuple):
    """An entry of a sitemap or an index."""

    url: str
    """The URL as written, without surrounding white space."""
    normal: str
    """The normalized URL. Equal URLs are equal strings; an invalid URL is empty."""
    lastmod: str = ""
    """The date as written, without surrounding white space."""
    line: int = 0
    alternates: tuple[tuple[str, str], ...] = ()
    """The language variants: hreflang code and URL, as written."""
    images: tuple[str, ...] = ()
    """The URLs of the images, as written."""


@dataclass(kw_only=True, eq=False)
class Document:
    """What a sitemap or an index contains. A file that can't be read contains nothing."""

    url: str
    where: str = ""
    """Its name in messages: its path in the checked directory, or its URL."""
    file: str = ""
    """Its path on this machine. Empty if it came over HTTP."""
    kind: Form = ""
    entries: list[Entry] = field(default_factory=list)
    size: int = 0
    """Its uncompressed size in bytes."""
    news: list[tuple[int, str]] = field(default_factory=list)
    """The line and publication date of each news article."""
    hints: int = 0
    """How many entries have a changefreq or a priority."""
    retired: Counter[str] = field(default_factory=Counter)
    """How often it uses each tag or attribute that Google no longer reads."""
    has_news: bool = False
    """Whether it is a news sitemap, which may be empty. It declares only that namespace of the
    extensions."""
    is_ours: bool = False
    own: int | None = None
    """How many entries of an index come from its own build, if others were joined to it."""
    is_whole: bool = True
    """Whether it was read completely."""
    instead: str = ""
    """What it is instead of a sitemap, such as an HTML page, if that is known."""
    findings: list[Finding] = field(default_factory=list)
    """All problems that the reader found."""

    def __post_init__(self) -> None:
        if not self.where:
            self.where = self.url

    @property
    def count(self) -> int:
        """How many entries it has."""
        return len(self.entries)

    @property
    def listed(self) -> list[str]:
        """The valid URLs, normalized."""
        return [entry.normal for entry in self.entries if entry.normal]

    @property
    def children(self) -> list[tuple[Entry, str]]:
        """The entries of an index with their URLs.

        A relative one is invalid, but it shows which file is meant.
        """
        if self.kind != "sitemapindex":
            return []
        found = []
        for entry in self.entries:
            url = entry.normal or urls.normal(entry.url, self.url)
            if url and url != self.url:
                found.append((entry, url))
        return found

    @property
    def is_news(self) -> bool:
        """Whether each of its entries is a news article. These are also in another sitemap."""
        return bool(self.news) and len(self.news) == self.count

    @property
    def is_full(self) -> bool:
        """Whether it has the maximum number of entries or findings."""
        return len(self.entries) + len(self.findings) >= MOST_KEPT

    @cached_property
    def read_dates(self) -> dict[str, tuple[str, str]]:
        """The distinct dates, each in the format of `dates`, and the problem with it."""
        distinct = dict.fromkeys(entry.lastmod for entry in self.entries)
        return {text: read_w3c(text) for text in distinct if text}

    def date_of(self, entry: Entry) -> str | None:
        """Return the date of one of its entries in the format of `dates`, or None if it has no
        valid one.
        """
        date, _ = self.read_dates.get(entry.lastmod, ("", ""))
        return date or None

    @property
    def scope(self) -> str:
        """The directory that must contain every URL."""
        return urls.directory(urls.normalise(self.url))

    def without_joined(self) -> "Document":
        """Return the index with only the entries of its own build."""
        if self.own is None:
            return self
        return replace(self, entries=self.entries[: self.own])

    @property
    def has_sitemap_name(self) -> bool:
        """Whether its URL is one of a sitemap, not of a page."""
        path = self.url.partition("?")[0]
        return path.endswith((".xml", ".txt", ".gz")) and self.instead != ROBOTS

    @property
    def is_other_file(self) -> bool:
        """Whether it is a file of another kind, such as an HTML page, and not a damaged sitemap."""
        if self.kind != "":
            return False
        if self.instead:
            return True
        return any(finding.check == UNSUPPORTED_FORMAT.name for finding in self.findings)

    def spot(self, entry: Entry | None = None) -> Spot:
        """Return the file, or one of its entries, as the subject of a finding."""
        if entry is None:
            return Spot(self.where, self.file or None, self.url)
        url = entry.normal or None
        return Spot(self.where, self.file or None, url, line=entry.line or None)

    def add(self, kind: Kind, line: int, problem: str, fix: str = "", url: str = "") -> None:
        """Add a finding about the file, or about the entry with a normalized URL."""
        if not self.is_full:
            spot = Spot(self.where, self.file or None, url or self.url, line=line or None)
            self.findings.append(kind.at(spot, problem, fix))


def newest_date(document: Document, now: datetime) -> str | None:
    """Return the newest date in a sitemap, or None if it has none."""
    usable = (usable_date(document, text, now) for text in document.read_dates)
    return max(filter(None, usable), default=None)


def usable_date(document: Document, text: str, now: datetime) -> str | None:
    """Return a date of a document in its normal form.

    It is None if it is invalid, in the future, the zero of a clock, or less than a day.
    """
    if not has_day(text):
        return None
    date, _ = document.read_dates[text]
    if not date or is_future(date, now) or is_zero(date):
        return None
    return date
