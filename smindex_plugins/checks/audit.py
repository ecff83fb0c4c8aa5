"""A run of checks: the selected kinds of findings, the totals, and the comparison of all files."""

import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace

from smindex_plugins.base import urls
from smindex_plugins.base.model import Finding
from smindex_plugins.base.text import counted
from smindex_plugins.checks._leading import failing, leads
from smindex_plugins.checks._pages import CheckedPage
from smindex_plugins.checks._site import SiteFacts, Sitemap
from smindex_plugins.checks.checked import CheckedFile
from smindex_plugins.checks.required import Required
from smindex_plugins.checks.table import Selection
from smindex_plugins.reading.document import Document, Entry
from smindex_plugins.reading.entry_points import FLAT
from smindex_plugins.reading.found import Found
from smindex_plugins.reading.walking import Totals
from smindex_plugins.writing.robots import Consents


@dataclass(slots=True, kw_only=True)
class Audit:
    """One run."""

    selection: Selection = field(default_factory=Selection)
    totals: Totals = field(default_factory=Totals)
    site: SiteFacts = field(default_factory=SiteFacts)
    required: tuple[Required, ...] = ()
    """The URLs that must be listed, whatever is selected."""
    tell: Callable[[str], None] = lambda _: None
    """Receives a line about the progress from time to time."""
    keep: Callable[[Found], None] = lambda _: None
    """Receives every sitemap and index, including missing, external and unlisted ones."""
    leave: Callable[[str, str, str], None] = lambda _, __, ___: None
    """Receives the file and the URL of every unlisted page of a directory, with a valid reason or
    an empty string."""
    _dated: dict[str, bool] = field(default_factory=dict)
    """The counted pages, and whether a sitemap gives each a date."""

    def judge(self, file: CheckedFile) -> Iterator[Finding]:
        """Yield the problems of one sitemap or index, and record it for the comparison of all."""
        found = file.found
        if self.site.is_no_sitemap(found):
            return
        self.keep(found)
        document = found.document
        is_page = document.instead and not document.has_sitemap_name
        if not document.is_whole and not is_page and found.role == "listed":
            self.site.cut[document.scope] = document.where
        if not (found.delivery.is_delivered and document.is_whole):
            self.totals.skip("file", "that can't be read")
        if found.role in {"elsewhere", "unlisted"}:
            self._leave_out(found)
            return
        is_second = found.role == "beside" and self._is_second(found)
        if not is_second:
            yield from self.selection.judge(file)
        if found.delivery.is_delivered:
            self._add(found, is_second=is_second)

    def _add(self, found: Found, *, is_second: bool) -> None:
        """Record a file that was read."""
        if found.share.counts:
            self._count(found.document)
        if is_second:
            self._add_second(found)
        elif found.role == "listed" or found.share.counts:
            self.site.add(found.document)

    def _leave_out(self, found: Found) -> None:
        """Record a sitemap that is not one of the site's."""
        document = found.document
        if found.role == "elsewhere":
            origin = urls.origin(document.url)
            self.totals.skip("sitemap", f"outside this directory ({origin})")
            return
        url = urls.normal(document.url)
        if self.site.may_list(url):
            self.totals.skip("sitemap", f"that {self.site.cut_names} may list")
            return
        sitemap = Sitemap.of(document)
        self.site.unlisted_sitemaps.append(sitemap)

    def judge_page(self, page: CheckedPage) -> Iterator[Finding]:
        """Yield the problems of a listed page, and record where it leads and its declared dates."""
        site = self.site
        site.failing += failing(page)
        site.leads += leads(page)
        lastmod = page.entry.lastmod
        is_ours = page.document.is_ours
        site.declared.add(lastmod, page.spot, page.said_changes, is_ours=is_ours)
        yield from self.selection.judge(page)

    def fresh(self, document: Document) -> Document:
        """Return a sitemap with only its pages that no earlier one lists, each once.

        Call it before `judge`.
        """
        entries: dict[str, Entry] = {}
        for entry in document.entries:
            if entry.normal and entry.normal not in self._dated:
                entries.setdefault(entry.normal, entry)
        if len(entries) == document.count:
            return document
        return replace(document, entries=list(entries.values()))

    def _count(self, document: Document) -> None:
        """Count a file and its pages.

        A page in several sitemaps is one page, with a date if one of them has it. An invalid date
        is none.
        """
        totals = self.totals
        files = totals.sitemaps + totals.indexes
        self.tell(f"{counted(files, 'file')}, {counted(totals.urls, 'URL')}: {document.where}")
        if document.kind == "sitemapindex":
            totals.indexes += 1
            return
        totals.sitemaps += 1
        for entry in document.entries:
            has_date = document.date_of(entry) is not None
            earlier = self._dated.get(entry.normal)
            if earlier is None:
                totals.urls += 1
                totals.undated += not has_date
            elif has_date and not earlier:
                totals.undated -= 1
            if entry.normal:  # an invalid URL isn't a page that another sitemap could list
                self._dated[entry.normal] = bool(earlier) or has_date

    def _is_second(self, found: Found) -> bool:
        """Whether a sitemap that nothing lists is a second list, not one of several such ones."""
        document = found.document
        if document.kind == "" or not document.is_whole or not document.count:
            return False
        return bool(self.site.indexes) or found.share.is_copy

    def _add_second(self, found: Found) -> None:
        """Record a sitemap that nothing lists for the comparison with the index."""
        document = found.document
        sitemap = Sitemap.of(document)
        has_flat_name = os.path.basename(document.where) in FLAT
        is_unlisted = document.kind != "sitemapindex" and found.listing.by is None
        if is_unlisted and (has_flat_name or not self.site.indexes):
            self.site.flats.append(sitemap)
        else:
            self.site.unlisted_sitemaps.append(sitemap)
        if found.share.counts:
            self.site.counted.append(sitemap)

    def finish(self, first: str, consents: Consents) -> Iterator[Finding]:
        """Yield findings about all files together, and complete the totals.

        ``first`` is the URL of the first file.
        """
        self.site.pages = self.totals.pages
        read = [*self.site.indexes, *(sitemap.url for sitemap in self.site.sitemaps)]
        proven = consents.proven(*read)
        unproven = consents.unproven(first, proven)
        yield from self.selection.wanted(unproven)
        yield from self.selection.judge(self.site)
        self.totals.unseen += self.totals.skipped_in_words()
