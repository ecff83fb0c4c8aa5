"""A whole site after all its files are read, and checks of its directory, links and dates."""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from itertools import chain
from typing import NamedTuple

from smindex_plugins.base import urls
from smindex_plugins.base.catalogue import (
    BUILD_STAMP,
    NOTHING_LISTED,
    ORPHAN_PAGE,
    UNCOMPARED_DATES,
    UNLISTED_BUT_LINKED,
    UNLISTED_PAGE,
    UNREADABLE_DIRECTORY,
)
from smindex_plugins.base.cname import Cname
from smindex_plugins.base.dates import has_time, is_zero, minute_before
from smindex_plugins.base.model import Findings, Spot
from smindex_plugins.base.serving import Serving
from smindex_plugins.base.text import counted, listed
from smindex_plugins.checks._declared import Declared, contradictions
from smindex_plugins.checks._leads import Lead, Look
from smindex_plugins.pages.omissions import not_rendered
from smindex_plugins.pages.url_forms import Misserved
from smindex_plugins.reading.document import Document
from smindex_plugins.reading.found import Found
from smindex_plugins.writing.robots import Robots

OURS = "ours"
"""The group of all indexes by this tool. A large site has several."""
_STAMPED, _STAMPED_SHARE = 10, 0.4
"""The least number and share of pages with the newest date for which it is considered the time of
the build.

Some generators know the dates of posts, and use the time of the build for all other pages.
"""

Variants = dict[str, str]
"""The hreflang codes of some pages, by their URLs as written."""


class EntryFacts(NamedTuple):
    """The parts of a sitemap's entry that are kept to compare all entries."""

    url: str
    """The URL as written."""
    normal: str
    line: int
    sitemap: Spot

    @property
    def spot(self) -> Spot:
        """The entry as the subject of a finding."""
        return self.sitemap._replace(url=self.normal, line=self.line or None)


class Sitemap(NamedTuple):
    """The parts of a sitemap, or of an unlisted index, that are kept to compare all sitemaps."""

    url: str
    spot: Spot
    entries: list[EntryFacts]
    is_news: bool
    is_index: bool

    @classmethod
    def of(cls, document: Document) -> "Sitemap":
        """Keep the valid entries of a sitemap, without their images."""
        spot = document.spot()
        entries = []
        for each in document.entries:
            if each.normal:
                entries.append(EntryFacts(each.url, each.normal, each.line, spot))
        is_index = document.kind == "sitemapindex"
        return cls(document.url, spot, entries, document.is_news, is_index)

    @property
    def normal(self) -> str:
        """Its normalized URL."""
        return urls.normal(self.url)


def entries_of(sitemaps: Iterable[Sitemap]) -> Iterator[EntryFacts]:
    """Yield the entries of several sitemaps."""
    return chain.from_iterable(sitemap.entries for sitemap in sitemaps)


@dataclass(kw_only=True, eq=False, slots=True)
class SiteFacts:
    """A whole site. Only the first fields are known of a live site."""

    robots: Robots | None = None
    """The robots.txt that crawlers read."""
    scope: str = ""
    """The directory of the first file. All pages of the site are below it."""
    address: str = ""
    """The URL that serves the site. Empty if it is not known."""
    address_from: str = ""
    """The option that sets this URL, for messages."""
    cname: Cname | None = None
    """The custom domain in its files."""
    pages: int = 0
    """How many listed pages were read."""
    indexes: dict[str, Spot] = field(default_factory=dict)
    """The indexes by their URLs."""
    children: dict[str, str] = field(default_factory=dict)
    """The URLs that indexes list, each with the URL of its index. All indexes of this tool count as
    one."""
    parts: dict[str, list[str]] = field(default_factory=dict)
    """The URLs that each index lists, by its own URL."""
    sitemaps: list[Sitemap] = field(default_factory=list)
    cut: dict[str, str] = field(default_factory=dict)
    """The files that were not read to their end: the directory of the URLs that each may list, and
    its name."""
    unusable: dict[str, str] = field(default_factory=dict)
    """The URLs in robots.txt that aren't sitemaps, each with the reason as the end of a sentence.
    It is empty if a finding about the file says it."""
    variants: dict[str, Variants] = field(default_factory=dict)
    """The language variants of each page that has some."""
    groups: dict[tuple[tuple[str, str], ...], Variants] = field(default_factory=dict)
    """The same variants as written. Pages with the same variants share one object."""
    dated: int = 0
    newest: Counter[str] = field(default_factory=Counter)
    """How many pages have each date, from a minute before the newest one."""
    commit_times: Callable[[], Collection[int]] = tuple
    """Returns the times of the commits in the site's git repository, if it has one, in seconds
    since 1970."""
    declared: Declared = field(default_factory=Declared)
    """The dates that the listed pages declare."""
    is_ours: bool = False
    """Whether this tool wrote any of the sitemaps. Its dates are accurate, and it omits pages only
    on purpose."""

    flats: list[Sitemap] = field(default_factory=list)
    """Sitemaps next to an index that does not list them, such as the one that MkDocs writes."""
    leads: list[Lead] = field(default_factory=list)
    """The pages that lead to another URL."""
    failing: list[Misserved] = field(default_factory=list)
    """The listed pages that have a file, but for which the host returns an error."""
    look: Look = lambda _: None
    """Returns what the host answers for a URL."""
    serving: Serving | None = None
    """How the host answers, if its files are here."""
    generator: str = ""
    """The generator of the site, if its project shows it."""
    counted: list[Sitemap] = field(default_factory=list)
    """Those of the flat and unlisted sitemaps whose pages count, because no index repeats them."""
    unlisted_sitemaps: list[Sitemap] = field(default_factory=list)
    """The sitemaps and indexes that neither an index of the site nor robots.txt lists."""
    unlisted: dict[Spot, str] = field(default_factory=dict)
    """The pages that are omitted on purpose, each with the reason."""
    unexplained: dict[Spot, str] = field(default_factory=dict)
    """The other unlisted pages, each with what is known about it, as the end of a sentence."""
    omitted: Mapping[str, int] = field(default_factory=dict)
    """How many pages are omitted for each reason, if no page is listed."""
    private: list[Spot] = field(default_factory=list)
    """The pages that only their front matter marks as private, and not their HTML."""
    closed: Mapping[Spot, str] = field(default_factory=dict)
    """Directories that can't be read, and why."""
    orphans: Sequence[Spot] = ()
    """With ``--links``: the entries of listed pages to which no other listed page links."""
    linked: Mapping[str, str] = field(default_factory=dict)
    """With ``--links``: files of pages, each with the URL of a listed page that links to it."""
    undatable: str = ""
    """With ``--dates``: the directory of the project, if no page's date could be compared."""
    uncompared: Mapping[str, int] = field(default_factory=dict)
    """Why dates were not compared, in words that follow a count."""

    @property
    def cut_names(self) -> str:
        """The files that were not read to their end, for a message."""
        names = dict.fromkeys(self.cut.values())
        listed_names = ", ".join(names)
        return f"the unread rest of {listed_names}"

    def may_list(self, url: str) -> bool:
        """Whether a file lists a URL in the part that could not be read."""
        return any(urls.is_within(url, directory) for directory in self.cut)

    def is_no_sitemap(self, found: Found) -> bool:
        """Record a file in robots.txt that can't be read.

        Return whether its line is wrong, and not the file.
        """
        if found.listing.named_by is None:
            return False
        document = found.document
        is_missing = found.delivery.is_missing
        url = urls.normal(document.url)
        why = ""
        if document.instead and not document.has_sitemap_name:
            why = f"which is {document.instead}"
        elif is_missing and url.partition("?")[0].endswith("/"):
            why = "which is a directory, not a sitemap"
        if document.instead or not found.delivery.is_delivered:
            self.unusable[url] = why
        return bool(why)

    def add(self, document: Document) -> None:
        """Record a file that was read."""
        self.scope = self.scope or document.scope
        url = urls.normalise(document.url)
        if document.kind == "sitemapindex":
            self.indexes[document.url] = document.spot()
            self.parts[url] = document.listed
            # if not, it is nested, and its sitemaps need no findings of their own
            if url not in self.children:
                group = OURS if document.is_ours else url
                children = dict.fromkeys((child for _, child in document.children), group)
                # What an earlier index lists is a child of that one.
                self.children = children | self.children
            return
        sitemap = Sitemap.of(document)
        self.sitemaps.append(sitemap)
        self.is_ours |= document.is_ours
        self._add_dates(document)
        self._add_variants(document)

    def _add_dates(self, document: Document) -> None:
        dated = []
        for entry in document.entries:
            if entry.lastmod and not is_zero(entry.lastmod):
                dated.append(entry.lastmod)
        self.dated += len(dated)
        dates = (document.read_dates[text][0] for text in dated)
        self.newest.update(filter(None, dates))
        newest = max(self.newest, default="")
        first = minute_before(newest)
        self.newest = Counter({date: count for date, count in self.newest.items() if date >= first})

    def _add_variants(self, document: Document) -> None:
        for entry in document.entries:
            if not (entry.normal and entry.alternates):
                continue
            by_url = {url: code for code, url in entry.alternates}
            variants = self.groups.setdefault(entry.alternates, by_url)
            earlier = self.variants.setdefault(entry.normal, variants)
            if earlier is not variants:
                self.variants[entry.normal] = earlier | variants


def unreadable_directory(site: SiteFacts) -> Findings:
    for spot, why in site.closed.items():
        yield UNREADABLE_DIRECTORY.at(spot, f"it can't be read: {why}.")


def unlisted_page(site: SiteFacts) -> Findings:
    for spot, what in site.unexplained.items():
        yield UNLISTED_PAGE.at(spot, f"it is in no sitemap, {what}.")


def nothing_listed(site: SiteFacts) -> Findings:
    if site.omitted:
        number = sum(site.omitted.values())
        reasons = listed(site.omitted)
        yield NOTHING_LISTED.at(counted(number, "page"), f"every page was omitted: {reasons}.")


def noindex_not_rendered(site: SiteFacts) -> Findings:
    yield from not_rendered(site.private)


def orphan_page(site: SiteFacts) -> Findings:
    for spot in site.orphans:
        yield ORPHAN_PAGE.at(spot, f"lists {spot.url}, but no other listed page links to it.")


def unlisted_but_linked(site: SiteFacts) -> Findings:
    for spot in site.unexplained:
        if spot.where in site.linked:
            problem = f"it is in no sitemap, but {site.linked[spot.where]} links to it."
            yield UNLISTED_BUT_LINKED.at(spot, problem)


def build_stamp(site: SiteFacts) -> Findings:
    newest = max(site.newest, default="")
    stamped = site.newest.total()
    # Days alone can't distinguish a build from changes on the same day.
    share = _STAMPED_SHARE if has_time(newest) else 1
    least = max(_STAMPED, share * site.dated)
    if site.is_ours or stamped < least or _are_times(site.newest, site.commit_times):
        return
    which = f"{stamped:,} of the" if stamped < site.dated else "all"
    when = f"{newest} or up to a minute earlier" if len(site.newest) > 1 else newest
    problem = (
        f"{which} {site.dated:,} dates of the site are {when}, probably the time of the build."
    )
    yield BUILD_STAMP.at(site.sitemaps[0].spot, problem)


def _are_times(dates: Iterable[str], times: Callable[[], Collection[int]]) -> bool:
    """Whether each of these dates is one of the times, in seconds since 1970."""
    seconds: set[int] = set()
    for date in dates:
        moment = datetime.fromisoformat(date).replace(tzinfo=UTC)
        seconds.add(int(moment.timestamp()))
    return seconds.issubset(times())


def contradicted_date(site: SiteFacts) -> Findings:
    yield from contradictions(site.declared, site.commit_times)


def uncompared_dates(site: SiteFacts) -> Findings:
    if site.undatable:
        problem = f"no page's date could be compared with git: {listed(site.uncompared)}."
        yield UNCOMPARED_DATES.at(site.undatable, problem)
