"""A run of checks: the selected kinds of findings, the totals, and the comparison of all files."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from smindex_plugins.base import urls
from smindex_plugins.base.model import Finding, Spot
from smindex_plugins.checks._site import Site, Sitemap
from smindex_plugins.checks.required import Required
from smindex_plugins.checks.table import Selection
from smindex_plugins.reading.document import Document
from smindex_plugins.reading.walking import Totals
from smindex_plugins.writing.robots import Consents


@dataclass(slots=True, kw_only=True)
class Audit:
    """One run."""

    selection: Selection = field(default_factory=Selection)
    totals: Totals = field(default_factory=Totals)
    site: Site = field(default_factory=Site)
    required: tuple[Required, ...] = ()
    """The URLs that must be listed, whatever is selected."""
    tell: Callable[[str], None] = lambda _: None
    """Receives a line about the progress from time to time."""
    keep: Callable[[Document], None] = lambda _: None
    """Receives every sitemap and index, including missing, external and unlisted ones."""
    leave: Callable[[Spot, str], None] = lambda _, __: None
    """Receives every unlisted page of a directory, with a valid reason or an empty string."""

    def judge(self, document: Document) -> Iterator[Finding]:
        """Yield the problems of one sitemap or index, and record it for the comparison of all."""
        totals, site = self.totals, self.site
        if site.is_no_sitemap(document):
            return
        self.keep(document)
        is_page = document.instead and not document.has_sitemap_name
        if not document.is_whole and not is_page and document.role == "listed":
            site.cut[document.scope] = document.where
        if document.is_missing or document.failure or not document.is_whole:
            totals.skip("file", "that cannot be read")
        if document.role == "elsewhere":
            totals.skip("sitemap", f"outside this directory ({urls.origin(document.url)})")
        elif document.role == "unlisted" and site.may_list(urls.normal(document.url)):
            totals.skip("sitemap", f"that {site.cut_names} may list")
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
        self.site.pages = self.totals.pages
        read = [spot.url for spot in (*self.site.indexes, *(each.spot for each in self.site.sitemaps))]
        yield from self.selection.wanted(consents.unproven(first, consents.proven(*read)))
        yield from self.selection.judge(self.site)
        self.totals.unseen += self.totals.left_out()
