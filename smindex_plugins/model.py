"""The nouns of the whole package: pages, sitemaps, the index, and findings."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

Level = Literal["error", "warning", "notice"]


class Spot(NamedTuple):
    """What a finding is about, without the finding itself."""

    where: str
    """Its name in messages."""
    file: str = ""
    """Its path on this machine, if it has one."""
    url: str = ""
    """Its address on the web, if it has one."""
    source: str = ""
    """The file of the project to edit in order to change it, if that is known."""
    line: int = 0
    """The line, counted from 1. 0 means that the finding is not about a line."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Head:
    """What the head of a page says. All URLs are absolute and normalised."""

    noindex: bool = False
    """Whether a robots or googlebot meta says noindex or none."""
    robots: str = field(default="", compare=False)
    """The text of that meta, for messages."""
    canonical: str | None = None
    """Another URL that it names as canonical. None if it names itself, no URL, or several."""
    refresh: str | None = None
    """The URL that a meta refresh leads to."""
    alternates: tuple[tuple[str, str], ...] = ()
    """The language variants that it links to: hreflang code as written, and URL."""
    empty: bool = False
    """Whether it has neither text nor anything else to show."""
    partial: bool = False
    """Whether it is a part of a document, or a template of one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Details:
    """Optional facts about a page. Pages without any share `PLAIN`."""

    source_name: str = ""
    """The name of the source as its author knows it, for messages: ``guide/install.md``."""

    meta: Mapping[str, object] | None = None
    """What the author wrote about the page in its front matter, as the host parsed it."""

    unread: str = ""
    """Why its front matter was not read, if it is too large or too deeply nested."""

    published: str | None = None
    """The W3C date on which it appeared, as its author says. What git proves about its sources counts more."""

    depends: tuple[str, ...] = ()
    """The absolute paths of more files that it is made of, as its generator says. Others than those in the repositories
    of its sources do not count: nobody edits them as part of the site."""

    lists: tuple[str, ...] = ()
    """URLs of the pages that it lists. Its date is the newest of their dates."""

    number: int = 1
    """Its number in a list that has several pages."""

    series: str = ""
    """What all pages of such a list share, and no other page. A new item on one page moves items to the next."""

    alternates: tuple[tuple[str, str], ...] = ()
    """Its language variants, itself included: hreflang code and absolute URL, sorted."""

    images: tuple[str, ...] = ()
    """Absolute URLs of the images that it shows, in the order of the page."""

    videos: tuple["Video", ...] = ()
    """The videos that its structured data describe."""

    news: "News | None" = None
    """The page as an article. Only pages of a news sitemap have this."""

    unlisted: str = ""
    """Why its host does not publish it to everybody, in words for the report: ``marked draft``. Empty if it does."""

    copied: bool = False
    """Whether the host copied the file unchanged, so that it may be a template or a fragment instead of a page."""

    is_other: bool = False
    """Whether it is a file that is no page, such as a PDF, so that nothing in it speaks of sitemaps."""

    said: Head | None = None
    """What its file says about itself at its URL, if that was read already."""

    mapped: bool = False
    """Whether the server maps its URL to a file with another path, as the settings of the host say."""

    @property
    def is_extended(self) -> bool:
        """A sitemap says more of it than URL and date."""
        return bool(self.alternates or self.images or self.videos or self.news)


PLAIN = Details()
"""The details of a page without any."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """One URL of the site; as small as can be, because there may be millions."""

    url: str
    """An absolute URL. `publish` brings it to its normal, percent-encoded form."""

    file: str = ""
    """The absolute path of the rendered file, which says whether to list the page. Empty if there is none."""

    sources: tuple[str, ...] = ()
    """The absolute paths of the files whose history dates the page."""

    lastmod: str | None = None
    """When it last changed: a W3C date, ``YYYY-MM-DD`` or ``YYYY-MM-DDThh:mm:ss`` with a zone.

    `publish` changes it to UTC, ``YYYY-MM-DDThh:mm:ssZ``, so that dates can be compared as strings.
    """

    details: Details = PLAIN

    @property
    def name(self) -> str:
        """Its name in messages: its source, as the author knows it, or else its URL."""
        return self.details.source_name or self.url

    @property
    def spot(self) -> Spot:
        """The page as the subject of a finding."""
        return Spot(self.name, self.file, self.url, self.sources[0] if self.sources else "")


@dataclass(frozen=True, slots=True, kw_only=True)
class Video:
    """One video of a page; its URLs are absolute and none of them is the page's own."""

    thumbnail: str
    title: str
    description: str
    content: str | None = None
    """The URL of the video's own file. A video has this or the URL of a player."""
    player: str | None = None
    """The URL of a player for the video."""
    seconds: int | None = None
    published: str | None = None
    """A W3C date, in the form of ``Page.lastmod``."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Publication:
    """The newspaper, blog or magazine in which the articles of a site appear."""

    name: str
    language: str
    """A language of ISO 639 in two or three letters, or ``zh-cn`` or ``zh-tw`` for Chinese."""


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
    """A section that the user defined, with its name and the URL patterns of its pages."""

    name: str
    urls: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """Something that is wrong or worth knowing, as data. Whoever prints it decides the form."""

    check: str
    level: Level
    where: str
    problem: str
    fix: str
    file: str = ""
    """The file on this machine that it is about, if any: a sitemap or a rendered page."""
    line: int = 0
    """The line in that file, counted from 1. 0 means that the finding is not about a line."""
    url: str = ""
    """The page or file on the web that it is about, if any. For an entry, this is the URL that it lists."""
    source: str = ""
    """The file of the project to edit in order to fix it, if that is known: ``docs/guide/a.md``."""

    @property
    def place(self) -> str:
        """Where it is, with its line."""
        return f"{self.where}, line {self.line}" if self.line else self.where

    def __str__(self) -> str:
        return f"{self.place}: {self.problem} {self.fix} [{self.check}]"
