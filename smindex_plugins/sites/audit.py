"""A run of checks: the selected kinds of findings, the totals, and the comparison of all files."""

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from smindex_plugins import urls
from smindex_plugins.checks import Selection, Site, Sitemap
from smindex_plugins.model import Finding, Spot
from smindex_plugins.sitemaps import Consents, Document
from smindex_plugins.text import counted


@dataclass(slots=True, kw_only=True)
class Totals:
    """How much was checked."""

    indexes: int = 0
    sitemaps: int = 0
    urls: int = 0
    undated: int = 0
    """Listed URLs without a date."""
    pages: int = 0
    """Listed pages whose own file or response was checked."""
    links: int | None = None
    """How many links from listed pages to other pages of the site were read, if requested."""
    dates: int | None = None
    """How many dates were compared with git, if requested."""
    uncompared: Counter[str] = field(default_factory=Counter)
    """Why the others were not compared, as text that follows a count."""
    unseen: list[str] = field(default_factory=list)
    """What was not checked, as text."""
    skipped: Counter[tuple[str, str]] = field(default_factory=Counter)
    """How many items were not checked, by noun and reason."""

    def skip(self, noun: str, why: str) -> None:
        """Count an item that is not checked."""
        self.skipped[noun, why] += 1

    def left_out(self) -> list[str]:
        """Return what was skipped, as text."""
        return [f"{counted(number, noun)} {why}" for (noun, why), number in self.skipped.items()]


@dataclass(slots=True, kw_only=True)
class Audit:
    """One run."""

    selection: Selection = field(default_factory=Selection)
    totals: Totals = field(default_factory=Totals)
    site: Site = field(default_factory=Site)
    tell: Callable[[str], None] = lambda _: None
    """Receives a line about the progress from time to time."""
    keep: Callable[[Document], None] = lambda _: None
    """Receives every sitemap and index, including missing, external and unlisted ones."""
    leave: Callable[[Spot, str], None] = lambda _, __: None
    """Receives every unlisted page of a directory, with a valid reason or an empty string."""

    def judge(self, document: Document) -> Iterator[Finding]:
        """Yield the problems of one sitemap or index, and record it for the comparison of all."""
        totals, site = self.totals, self.site
        self.keep(document)
        if document.is_missing or document.failure or not document.is_whole:
            totals.skip("file", "that cannot be read")
        if document.role == "elsewhere":
            totals.skip("sitemap", f"outside this directory ({urls.origin(document.url)})")
        elif document.role == "unlisted":
            site.unlisted_sitemaps.append(Sitemap.of(document))
        elif document.role == "flat" and document.kind == "urlset" and document.is_whole and document.count:
            site.flats.append(Sitemap.of(document))
        else:
            yield from self.selection.judge(document)
        if document.role != "listed" or document.is_missing or document.failure:
            return
        self.tell(f"{totals.sitemaps + totals.indexes:,} files, {totals.urls:,} URLs: {document.where}")
        if document.kind == "sitemapindex":
            totals.indexes += 1
        else:
            totals.sitemaps += 1
            totals.urls += document.count
            totals.undated += sum(not entry.lastmod for entry in document.entries)
        site.add(document)

    def finish(self, first: str, consents: Consents) -> Iterator[Finding]:
        """Yield findings about all files together, and complete the totals. ``first`` is the URL of the first file."""
        read = [spot.url for spot in (*self.site.indexes, *(each.spot for each in self.site.sitemaps))]
        yield from self.selection.wanted(consents.unproven(first, consents.proven(*read)))
        yield from self.selection.judge(self.site)
        self.totals.unseen += self.totals.left_out()
