"""A sitemap or an index of a site as it was found: where it is listed, how it was delivered, and
what it adds to the pages of the site.
"""

from dataclasses import dataclass, field
from typing import Literal, NamedTuple

from smindex_plugins.base.model import Spot
from smindex_plugins.reading.document import Document

Role = Literal["listed", "elsewhere", "beside", "unlisted"]
"""``elsewhere``: listed, but another site serves it. ``beside``: nothing lists it, but it has a
usual name and is next to the first entry point or a listed sitemap. ``unlisted``: nothing lists
it."""


class Listing(NamedTuple):
    """The URL of a sitemap or an index, and where it is listed."""

    url: str
    by: Spot | None = None
    """The entry of an index, or the line of a robots.txt, that lists it. None if the user passed
    it, or if nothing lists it."""
    lastmod: str = ""
    """Its date in that index, as written."""
    named_by: Spot | None = None
    """The line of robots.txt that lists it, also if an index lists it too."""
    is_relative: bool = False
    """Whether the index lists it by a relative URL, which is invalid."""

    @property
    def is_only_named(self) -> bool:
        """Whether a line of a robots.txt lists it, and no index."""
        return self.named_by is not None and self.named_by == self.by


@dataclass(frozen=True, slots=True, kw_only=True)
class Delivery:
    """How a file was delivered by its directory or its server."""

    is_missing: bool = False
    failure: str | None = None
    """Why it could not be fetched, if it could not."""
    redirect: str | None = None
    """The URL that its own URL redirects to, if it does."""
    content_type: str | None = None
    """The content type of the response, if it was served with one."""

    @property
    def is_delivered(self) -> bool:
        """Whether there is a file."""
        return not (self.is_missing or self.failure)


@dataclass(frozen=True, slots=True, kw_only=True)
class Reached:
    """A file to which a listing leads."""

    document: Document
    listing: Listing
    delivery: Delivery = field(default_factory=Delivery)
    is_elsewhere: bool = False
    """Whether another site serves it, so that it was not read."""
    proven: frozenset[str] = frozenset()
    """The other origins whose URLs it may list too, according to the given robots.txt files."""


@dataclass(frozen=True, slots=True)
class Share:
    """What a sitemap adds to the pages of its site."""

    counts: bool = True
    """Whether its pages are among those of the site. If it repeats sitemaps of this tool, only
    these count."""
    is_copy: bool = False
    """Whether it mostly repeats pages of other sitemaps of the site, as a generator's own sitemap
    next to an index."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """A sitemap or an index of a site."""

    document: Document
    listing: Listing
    delivery: Delivery = field(default_factory=Delivery)
    role: Role = "listed"
    proven: frozenset[str] = frozenset()
    """The other origins whose URLs it may list too, according to the given robots.txt files."""
    share: Share = field(default_factory=Share)

    @classmethod
    def alone(cls, document: Document) -> "Found":
        """Return a file that the user passed, without the rest of its site."""
        return cls(document=document, listing=Listing(document.url))

    @property
    def lister(self) -> Spot:
        """The entry or the line that lists it, or the file itself if nothing lists it."""
        return self.listing.by or self.document.spot()

    @property
    def why_unread(self) -> str:
        """Why not every entry is known. Empty if every entry is."""
        document = self.document
        if self.delivery.failure:
            return self.delivery.failure
        if self.delivery.is_missing:
            return self._why_missing
        if document.is_whole:
            return ""
        if document.instead:
            return f"it is {document.instead}"
        if document.findings:
            return document.findings[-1].problem
        return "it can't be read to its end"

    @property
    def _why_missing(self) -> str:
        if self.lister.file:
            return f"{self.lister.file} lists it, but there is no such file"
        return "there is no such file"
