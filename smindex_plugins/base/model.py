"""The nouns of the whole package: pages, sitemaps, the index, and findings."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

from smindex_plugins.base.proof import Proof, Unknown

Level = Literal["error", "warning", "notice"]
LEVELS: tuple[Level, ...] = ("error", "warning", "notice")
"""Worst first."""


class Spot(NamedTuple):
    """What a finding is about, without the finding itself."""

    where: str
    """Its name in messages."""
    file: str | None = None
    """Its path on this machine, if it has one."""
    url: str | None = None
    """Its address on the web, if it has one."""
    source: str | None = None
    """The file of the project to edit in order to change it, if that is known."""
    line: int | None = None
    """The line, counted from 1, if the finding is about a line."""

    @property
    def place(self) -> str:
        """Its name with its line."""
        return f"{self.where}, line {self.line}" if self.line else self.where


@dataclass(frozen=True, slots=True, kw_only=True)
class Head:
    """What a rendered page declares about itself. All URLs are absolute and normalized."""

    noindex: bool = False
    """Whether a robots or googlebot meta tag contains noindex or none."""
    robots: str | None = field(default=None, compare=False)
    """The text of that meta tag, for messages."""
    noindex_in_body: bool = False
    """Whether the meta tag is in the body, where some search engines ignore it."""
    canonical: str | None = None
    """The canonical URL, if the page declares exactly one that differs from its own URL."""
    names_itself: bool = False
    """Whether it declares its own URL as canonical."""
    refresh: str | None = None
    """The target URL of a meta refresh."""
    alternates: tuple[tuple[str, str], ...] = ()
    """The language variants that it links to: hreflang code as written, and URL."""
    not_found: str | None = field(default=None, compare=False)
    """Its title on one line, if that means that the page was not found."""
    generator: str | None = field(default=None, compare=False)
    """The program that made it, as written: ``Docusaurus v3.9.2``."""
    empty: bool = False
    """Whether it has no visible content."""
    partial: bool = False
    """Whether it is a fragment or a template."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """One URL of the site, with what its generator and its author know about it."""

    url: str
    """An absolute URL. `publish` normalizes and percent-encodes it."""
    file: str | None = None
    """The absolute path of the rendered file, if there is one. It decides whether the page is
    listed."""
    sources: tuple[str, ...] = ()
    """The absolute paths of the files whose git history determines the page's date."""
    looked_for: str | None = None
    """A description of where its source was searched for, if none was found."""
    lastmod: str | None = None
    """When it last changed: a W3C date, ``YYYY-MM-DD`` or ``YYYY-MM-DDThh:mm:ss`` with a zone.

    `publish` changes it to UTC, ``YYYY-MM-DDThh:mm:ssZ``, to make dates comparable as strings.
    """
    source_name: str | None = None
    """The source's name for its author, used in messages: ``guide/install.md``."""
    meta: Mapping[str, object] | None = None
    """The front matter of the page, as the host parsed it."""
    meta_error: str | None = None
    """Why its front matter could not be read, if it could not."""
    published: str | None = None
    """The W3C date of publication. It is used if git can never have a date for the page, and
    knows no later change of its files."""
    depends: tuple[str, ...] = ()
    """The absolute paths of other files that the page is generated from. Files outside the
    repositories of its sources are ignored."""
    unknown: Unknown | None = None
    """Why its files don't show when its content changed, such as data from elsewhere. It then has
    no date from git."""
    lists: tuple[str, ...] = ()
    """URLs of the pages that it lists. Its date is the newest of their dates."""
    number: int = 1
    """Its page number in a paginated list."""
    alternates: tuple[tuple[str, str], ...] = ()
    """Its language variants, itself included: hreflang code and absolute URL, sorted."""
    images: tuple[str, ...] = ()
    """Absolute URLs of the images that it shows, in the order of the page."""
    section: str | None = None
    """Its category, if it has one. With the option ``section_by: category``, the pages of a
    category share a sitemap."""
    unlisted: str | None = None
    """Why its host does not publish it to everybody, as text for the report: ``marked draft``.
    None if it does."""
    kind: Literal["page", "copied", "file"] = "page"
    """``copied``: the host copied the file unchanged, so it may be a template or a fragment.
    ``file``: it is not HTML, such as a PDF."""
    mapped: bool = False
    """Whether the host's settings map its URL to a file with another path."""
    head: Head | None = None
    """The head of its file, if it has already been read."""
    proof: Proof | None = field(default=None, compare=False, repr=False)
    """What its date rests on, or why it has none. `publish` sets it."""

    @property
    def name(self) -> str:
        """Its name in messages: the name of its source, or its URL."""
        return self.source_name or self.url

    @property
    def spot(self) -> Spot:
        """The page as the subject of a finding."""
        source = self.sources[0] if self.sources else None
        return Spot(self.name, self.file, self.url, source)


class IndexEntry(NamedTuple):
    """One ``<sitemap>`` of an index; ``lastmod`` is when the file changed, in the format of
    ``Page.lastmod``.
    """

    url: str
    lastmod: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class NamedSection:
    """A section that the user defined, with its name and the URL patterns of its pages."""

    name: str
    urls: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """A problem or a notice."""

    check: str
    """The name of its check, as passed to `--ignore`."""
    level: Level
    where: str
    """The place in readable form. In JSON, it includes the line."""
    problem: str
    fix: str
    file: str | None = None
    """The sitemap, robots.txt or rendered page. In JSON, its path is relative to the current
    directory, or absolute if outside it."""
    line: int | None = None
    """The line in that file, counted from 1."""
    url: str | None = None
    """The URL of the page or file that it is about. For an entry of a sitemap, the URL that it
    lists."""
    source: str | None = None
    """The file to edit, if known, such as docs/guide/install.md. Its path has the same form as
    `file`."""

    @property
    def place(self) -> str:
        """Where it is, with its line."""
        return f"{self.where}, line {self.line}" if self.line else self.where

    def __str__(self) -> str:
        return f"{self.place}: {self.problem} {self.fix} [{self.check}]"


Findings = Iterator[Finding]


@dataclass(slots=True)
class Changes:
    """The changes to files, by their paths relative to the output directory."""

    written: list[str] = field(default_factory=list)
    unchanged: list[str] = field(default_factory=list)
    removed: list[str] = field(default_factory=list)
    problems: list[Finding] = field(default_factory=list)
    """The findings about files of an earlier run that can't be removed."""
