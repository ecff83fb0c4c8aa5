"""The nouns that flow through everything: pages, sitemaps, the index, and what is found wrong with them."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

Level = Literal["error", "warning", "notice"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Details:
    """Optional facts about a page. Pages without any share `PLAIN`."""

    source_name: str = ""
    """What the author calls the source, for messages: ``guide/install.md``."""

    meta: Mapping[str, object] | None = None
    """What the author wrote about the page in its front matter, as the host parsed it."""

    published: str | None = None
    """The W3C date on which it appeared, as its author says: weaker than what git proves of its sources."""

    lists: tuple[str, ...] = ()
    """URLs of the pages that it lists; it has the newest of their dates."""

    number: int = 1
    """Which page of a list it is, where the list goes over several."""

    alternates: tuple[tuple[str, str], ...] = ()
    """Its language variants, itself included: hreflang code and absolute URL, sorted."""

    images: tuple[str, ...] = ()
    """Absolute URLs of the images that it shows, in the order in which it shows them."""

    videos: tuple["Video", ...] = ()
    """The videos that it shows, as its structured data describe them."""

    news: "News | None" = None
    """What it is as an article of the news; None but for the pages of a news sitemap."""

    unlisted: str = ""
    """Why its host does not publish it to all, in words for the report: ``marked draft``. Empty if it does."""

    copied: bool = False
    """The host copied its file as it was, so that it may be a template or a fragment, and no page at all."""

    mapped: bool = False
    """Its URL is not its file's own: the server maps the one to the other, as the host's settings say."""

    @property
    def is_extended(self) -> bool:
        """A sitemap says more of it than URL and date."""
        return bool(self.alternates or self.images or self.videos or self.news)


PLAIN = Details()
"""The details of a page that has none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """One URL of the site; as small as can be, because there may be millions."""

    url: str
    """Absolute; `publish` brings it to its normal form, percent-encoded."""

    file: str = ""
    """The absolute path of the rendered file, which says whether the page is to be listed. Empty if there is none."""

    sources: tuple[str, ...] = ()
    """The absolute paths of the files whose history dates the page."""

    lastmod: str | None = None
    """When it last changed: a W3C date, ``YYYY-MM-DD`` or ``YYYY-MM-DDThh:mm:ss`` with a zone.

    From `publish` on it is in UTC, ``YYYY-MM-DDThh:mm:ssZ``, so that the order of the strings is that of the dates.
    """

    details: Details = PLAIN

    @property
    def name(self) -> str:
        """What messages call it: its source, as the author knows it, or else its URL."""
        return self.details.source_name or self.url


@dataclass(frozen=True, slots=True, kw_only=True)
class Video:
    """One video of a page; its URLs are absolute and none of them is the page's own."""

    thumbnail: str
    title: str
    description: str
    content: str | None = None
    """The URL of the video's own file; it or the player's is there."""
    player: str | None = None
    """The URL of something that plays it."""
    seconds: int | None = None
    published: str | None = None
    """A W3C date, in the form of ``Page.lastmod``."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Publication:
    """The newspaper, blog or magazine in which the articles of a site appear."""

    name: str
    language: str
    """Of ISO 639, in two or three letters; ``zh-cn`` and ``zh-tw`` for Chinese."""


@dataclass(frozen=True, slots=True, kw_only=True)
class News:
    """A page as an article of the news."""

    publication: Publication
    published: str
    """A W3C date, in the form of ``Page.lastmod``."""
    title: str


@dataclass(frozen=True, slots=True, kw_only=True)
class IndexEntry:
    """One ``<sitemap>`` of an index; ``lastmod`` says when the file changed, in the form of ``Page.lastmod``."""

    url: str
    lastmod: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class NamedSection:
    """A section that the user defined: its name, and the URL patterns of its pages."""

    name: str
    urls: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """Something that is wrong, or worth knowing: data for whoever prints it."""

    check: str
    level: Level
    where: str
    problem: str
    fix: str
    file: str = ""
    """The file on disk that it is about, where there is one."""
    line: int = 0
    """Counted from 1; 0 where it is about no line."""

    @property
    def place(self) -> str:
        """Where it is, with its line."""
        return f"{self.where}, line {self.line}" if self.line else self.where

    def __str__(self) -> str:
        return f"{self.place}: {self.problem} {self.fix} [{self.check}]"
