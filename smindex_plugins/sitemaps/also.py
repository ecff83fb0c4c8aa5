"""Sitemaps of other builds that the index lists because the option `also` names them."""

import os
from collections.abc import Collection, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import datetime

from smindex_plugins import urls
from smindex_plugins.catalogue import NESTED_INDEX, REDUNDANT_SITEMAP, SITEMAP_OUTSIDE_INDEX
from smindex_plugins.dates import has_day, is_future, written
from smindex_plugins.model import Finding, IndexEntry
from smindex_plugins.settings import Target
from smindex_plugins.sitemaps.document import Document
from smindex_plugins.sitemaps.output import stale_files
from smindex_plugins.sitemaps.reading import INDEX_NAMES, read_file
from smindex_plugins.sitemaps.rendering import OutputError


@dataclass(frozen=True, slots=True)
class Others:
    """The sitemaps of other builds that may be listed, by their URLs."""

    target: Target
    entries: dict[str, IndexEntry] = field(default_factory=dict)
    at_hand: frozenset[str] = frozenset()
    """Those whose files are in the output. No file of this build may replace one."""

    @property
    def stems(self) -> frozenset[str]:
        """The names of those files without suffix, as the sitemaps of sections are called."""
        paths = (urls.relative_path(url, self.target.site_url) for url in self.at_hand)
        return frozenset(path.removesuffix(".gz").removesuffix(".xml") for path in paths)

    @property
    def origins(self) -> frozenset[str]:
        """The origins at which they are."""
        return frozenset(map(urls.origin, self.entries))

    def beside(self, own: Collection[IndexEntry], findings: list[Finding]) -> list[IndexEntry]:
        """Return the entries for an index with entries of its own, which do not come twice."""
        made = {entry.url for entry in own}
        findings += [_of_this_build(url, self.target) for url in self.entries if url in made]
        return [entry for url, entry in sorted(self.entries.items()) if url not in made] if own else []


def read_others(target: Target, proven: frozenset[str], flat: str, now: datetime, findings: list[Finding]) -> Others:
    """Return the sitemaps of other builds that an index may list. Only a file that is at hand tells their dates.

    ``proven`` are other origins whose robots.txt names the index. ``flat`` is the generator's own sitemap, if any.
    """
    others = Others(target)
    own = set[str]()
    with suppress(OutputError):  # which comes again where the files are written
        own.update(stale_files(target.directory, target.site_url) if target.settings.also else ())
    at_hand = set[str]()
    for url in target.settings.also:
        path = urls.find_file(target.directory, target.site_url, url) if urls.is_within(url, target.site_url) else None
        if path in own or url == target.site_url + flat:
            findings.append(_of_this_build(url, target))
            continue
        document = Document(url=url, where=path or url)
        if path is not None:
            read_file(os.path.join(target.directory, path), document)
            at_hand.add(url)
        if problem := next(_refusals(document, target, proven), None):
            findings.append(problem)
        else:
            lastmod = newest_date(document, now) if target.settings.lastmod == "git" else None
            lastmod = lastmod and written(lastmod, target.settings.lastmod_format)
            others.entries[url] = IndexEntry(url=url, lastmod=lastmod)
    return Others(target, others.entries, frozenset(at_hand))


def newest_date(document: Document, now: datetime) -> str | None:
    """Return the newest date in a sitemap, or None if it has none."""
    return max(filter(None, (usable_date(document, text, now) for text in document.read_dates)), default=None)


def usable_date(document: Document, text: str, now: datetime) -> str | None:
    """Return a date of a document in its normal form, or None if it is invalid, in the future, or less than a day."""
    date = document.read_dates[text][0] if has_day(text) else ""
    return date if date and not is_future(date, now) else None


def _refusals(document: Document, target: Target, proven: frozenset[str]) -> Iterator[Finding]:
    """Yield why an index may not list a file."""
    url, where, origin = document.url, _where(document.url, target), urls.origin(document.url)
    if not urls.is_within(url, target.site_url) and origin not in proven:
        fix = f"Put the index into a directory above both. Or let {origin}/robots.txt name it, and set `cross_site`."
        problem = f"{url} is outside {target.site_url}, where the index is, so it is not listed."
        yield SITEMAP_OUTSIDE_INDEX.at(where, problem, fix)
    name = urls.path(url).rpartition("/")[2]
    looks_so = document.kind == "" and name in INDEX_NAMES and "index" in name
    if document.kind == "sitemapindex" or url == target.site_url + target.settings.index_filename or looks_so:
        is_seen = document.kind == "sitemapindex"
        problem = f"{url} is {'an index itself' if is_seen else 'an index by its name'}, so it is not listed."
        yield NESTED_INDEX.at(where, problem, "Name the sitemaps that it lists. `smindex join` finds them by itself.")


def _of_this_build(url: str, target: Target) -> Finding:
    problem = f"{url} is a sitemap of this build, which lists it anyway."
    return REDUNDANT_SITEMAP.at(_where(url, target), problem, "Remove it there.")


def _where(url: str, target: Target) -> str:
    return f"also[{target.settings.also.index(url)}]" if len(target.settings.also) > 1 else "also"
