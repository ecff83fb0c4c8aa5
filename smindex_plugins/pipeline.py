"""The pipeline, pages in and a Report out: date, choose, pair, group, cut, write, read back and check."""

import os
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from contextlib import nullcontext
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from functools import partial
from operator import attrgetter
from typing import Protocol, TypeVar

from smindex_plugins import addresses, filters, urls
from smindex_plugins.catalogue import NEWS_LEFT_OUT, NO_RECENT_NEWS
from smindex_plugins.checks import check_written
from smindex_plugins.dates import written
from smindex_plugins.history import Unknown, undated_pages
from smindex_plugins.limits import MAX_NEWS
from smindex_plugins.model import Finding, IndexEntry, Page
from smindex_plugins.pages import (
    Dating,
    Filtering,
    Omission,
    Reason,
    choose,
    find_unmatched,
    hreflang,
    including,
    nothing_listed,
    strays,
)
from smindex_plugins.report import Report
from smindex_plugins.settings import NEWS_STEM, Settings, Target
from smindex_plugins.sitemaps import (
    Announcement,
    Consents,
    Hidden,
    Others,
    OutputError,
    Section,
    align,
    announce,
    is_sitemap,
    key_file,
    name_indexes,
    newest_removals,
    next_steps,
    output,
    read_consents,
    read_others,
    redundant_lines,
    render_sitemap,
    robots,
    sections,
    service_findings,
)


def publish(
    pages: Iterable[Page],
    *,
    site_url: str,
    directory: str,
    settings: Settings = Settings(),  # noqa: B008 - nobody can change it
    dating: Dating | None = None,
    default_language: str = "",
    consents: Consents | None = None,
    taken: Mapping[str, str] | None = None,
    others: Iterable[str] | None = None,
    copied_from: including.CopiedFrom = lambda _: (),
    flat: str = "",
    beside: str = "",
    preview: str = "",
    is_trial: bool = False,
    hidden: Hidden | None = None,
    now: datetime | None = None,
) -> Report:
    """Write the sitemaps and the index of a site, read them back, and check them.

    Args:
        pages: all pages of the site, with the files that were rendered; a page with a ``lastmod`` keeps it.
        site_url: the address that serves the directory, with or without its trailing slash.
        directory: the rendered site, in which the files are written.
        settings: the options of the user, as `Settings.load` reads them.
        dating: what has begun to read the history already.
        default_language: of the variants that pages come with, that of readers of any other language, such as ``en``.
        consents: what other sites agree to; as the settings say, if it is not given.
        taken: files that something else writes: their paths in the directory, with ``/``, and who that is.
        others: files that are no pages of this site, if the pages are all it has: what else is HTML is counted.
        copied_from: returns the sources of a file that is no page, which `include` may list, by its absolute path.
        flat: a flat sitemap that the generator wrote into the directory, which is to list the same pages and dates.
        beside: the directory to which paths in the settings are relative; the current one, if it is not given.
        preview: a directory in which the files are made instead, to see what would change.
        is_trial: the site is built for its author's own eyes, so that its address may be a private one.
        hidden: where files of killed runs may be, if somebody has just looked at the whole directory.
        now: an aware datetime, after which no date lies, and before which articles are news.

    Raises:
        SettingsError: the function that ``filter`` names cannot be loaded.
        ValueError: an address is not the http(s) URL of a directory, or what a page came with is not a W3C date.

    Whatever else is wrong is among the findings of the report, and a file that cannot be written leaves all as it was.
    """
    site_url, now, dating = addresses.site_url(site_url), now or datetime.now(UTC), dating or Dating(settings)
    function = filters.load(settings.filter, beside)
    target = Target(
        site_url=site_url, directory=directory, settings=settings, preview=preview, beside=beside, taken=taken or {}
    )
    findings = [] if is_trial else list(addresses.doubts(site_url, settings.index_filename))
    consents = consents or read_consents(settings.cross_site, beside)
    proven = _proven(consents, target)
    findings += consents.unproven(site_url + settings.index_filename, proven)
    found = including.add(map(_normal, pages), target, copied_from, is_sitemap, findings if others is None else [])
    dated, why = dating.date(found, target, now, findings)
    own = function and Filtering(function=function, target=target, proven=proven, now=now, findings=findings)
    ask = own.apply if own else None
    members, omitted = choose(hreflang.with_default(dated, default_language), target, proven, findings, ask)
    if own:
        own.report()
        why = own.reasons(why)
    if others is not None:
        omitted += strays.count([*others, *(page.file for page in dated)], target, proven, findings)
    undated = list(_undated(members, why))
    shown = _with_media(hreflang.pair(members, dated, target, findings), settings, findings)
    also = read_others(target, proven, flat, now, findings)
    grouped = sections.group(shown, site_url, settings, _reserved(settings) | also.stems)
    removals = newest_removals(dated, grouped, dating.history, settings, now)
    files = _Files()
    try:
        with nullcontext() if preview else output.only_writer(directory, findings, hidden):
            files = _write(grouped, removals, also, now, findings)
            for url in files.index_urls:
                name = urls.relative_path(url, site_url)
                findings += check_written(preview or directory, site_url, name, proven, files.announced.known)
            if flat:
                left_out = {omission.url for omission in files.too_large}
                align(flat, dated, (page for page in members if page.url not in left_out), target, findings)
    except OutputError as error:
        findings += error.findings
    findings += redundant_lines(target, files.announced.known, files.index_urls, (page.url for page in members))
    findings += service_findings(target, files.index_urls)
    findings += including.find_unmatched(dated, target)
    findings += find_unmatched(dated, members, omitted, proven - also.origins, target)
    findings += dating.history.wrong_revisions(beside)
    if not members:
        findings.append(nothing_listed(omitted))
    return Report(
        index_urls=files.index_urls,
        pages=len(members) - len(files.too_large),
        sections=len(grouped),
        sitemaps=files.sitemaps,
        also=files.also,
        omitted=[*omitted, *files.too_large],
        undated=Counter(unknown.reason for unknown in undated),
        dated=dated,
        changes=files.changes,
        is_announced=files.announced.is_made,
        next_steps="" if is_trial or files.announced.is_made else next_steps(target, files.index_urls, findings),
        is_dated=settings.lastmod != "off",
        findings=[*undated_pages(undated, len(members), settings.undated), *findings],
    )


def _normal(page: Page) -> Page:
    """Return a page with its URL, and those of its variants and images, in their normal form."""
    url = urls.normalise(page.url)
    details = page.details
    if details.alternates or details.images:
        alternates = sorted({(code, urls.normal(each) or each) for code, each in details.alternates})
        images = tuple(urls.normal(each) or each for each in details.images)
        said = details.said if url == page.url else None  # which depends on the URL
        details = replace(details, alternates=tuple(alternates), images=images, said=said)
        return replace(page, url=url, details=details)
    return page if url == page.url else replace(page, url=url, details=replace(details, said=None))


class _Place(Protocol):
    site_url: str
    directory: str


P = TypeVar("P", bound=_Place)


def by_index(sites: Iterable[P]) -> list[list[P]]:
    """Return the sites in groups that share an index: a site, and the sites inside it on the web and on disk."""
    groups: list[list[P]] = []
    for site in sorted(sites, key=lambda site: len(site.site_url)):
        for group in (group for group in groups if urls.is_within(site.site_url, group[0].site_url)):
            path = urls.file_path(urls.relative_path(site.site_url, group[0].site_url))
            if path is not None and os.path.normpath(os.path.join(group[0].directory, path)) == site.directory:
                group.append(site)
                break
        else:
            groups.append([site])
    return groups


def _proven(consents: Consents, target: Target) -> frozenset[str]:
    """Return the origins whose robots.txt names the index, or the sitemap of their own pages."""
    index = target.site_url + target.settings.index_filename
    stems = ((origin, sections.stem_of(origin)) for origin in consents.robots)
    return frozenset(origin for origin, stem in stems if consents.names(origin, index, _url(stem, target)))


def _undated(pages: Iterable[Page], why: Mapping[str, Unknown]) -> Iterator[Unknown]:
    """Yield why pages have no date. Some of these pages have got another URL since."""
    for page in pages if why else ():
        if page.lastmod is None:
            url = page.url
            unknown = why.get(url) or why.get(url.removesuffix("index.html")) or why.get(f"{url}index.html")
            if unknown:
                yield unknown


def _with_media(pages: list[Page], settings: Settings, findings: list[Finding]) -> list[Page]:
    """Add the images and videos of pages, if the settings or an author want them."""
    authored = (page.details.meta for page in pages if page.details.meta)
    if not (settings.images or settings.videos or any("sitemap" in meta for meta in authored)):
        return pages
    from smindex_plugins.pages import media  # noqa: PLC0415 - few sites want what it does, and it takes 3 ms to load

    return media.add(pages, settings, findings)


def _reserved(settings: Settings) -> frozenset[str]:
    """Return the names, without suffix, that no section's sitemap may have."""
    index = settings.index_filename.removesuffix(".xml")
    return frozenset({index, NEWS_STEM} if settings.news else {index})


@dataclass(frozen=True, slots=True, kw_only=True)
class _Files:
    """The files of a run, if any were written."""

    index_urls: list[str] = field(default_factory=list)
    sitemaps: int = 0
    also: int = 0
    too_large: list[Omission] = field(default_factory=list)
    changes: output.Changes = field(default_factory=output.Changes)
    announced: Announcement = field(default_factory=Announcement)


def _write(
    grouped: list[Section], removals: Mapping[int, str], also: Others, now: datetime, findings: list[Finding]
) -> _Files:
    """Write the sitemaps one by one, so that only one is in memory, and then the index."""
    target, settings, base = also.target, also.target.settings, also.target.site_url
    taken = {*_reserved(settings), *also.stems, *(section.stem for section in grouped)}
    too_large: dict[str, Finding] = {}
    entries: list[IndexEntry] = []
    try:
        stale = output.stale_files(target.directory, base)
        with output.Staging(target.directory, target.taken, target.preview) as staging:
            for position, section in enumerate(grouped):
                write = partial(render_sitemap, settings=settings, too_large=too_large)
                for stem, pages, content in sections.cut(section, section.base or base, taken, write):
                    if content:
                        dates = [removals.get(position), *map(attrgetter("lastmod"), pages)]
                        lastmod = max(filter(None, dates), default=None)
                        entries.append(IndexEntry(url=_url(stem, target), lastmod=lastmod))
                        staging.add(urls.relative_path(entries[-1].url, base), content)
            findings += too_large.values()
            if news := _news(grouped, target, now, findings):
                entries.append(news[0])
                staging.add(urls.relative_path(news[0].url, base), news[1])
            key_file.stage(target, staging, findings)
            others = also.beside(entries, findings)
            indexes = list(name_indexes(entries, base, settings, also=others))
            for url, content in indexes:
                staging.add(urls.relative_path(url, base), content)
            index_urls = [url for url, _ in indexes]
            announced = announce(target, index_urls, findings)
            if announced.content is not None:
                staging.amend(robots.NAME, announced.content)
            changes = staging.commit(stale)
            findings += changes.problems
    except OutputError as error:
        findings += error.findings
        return _Files(too_large=_left_out(grouped, too_large))
    return _Files(
        index_urls=index_urls,
        sitemaps=len(entries),
        also=len(others),
        too_large=_left_out(grouped, too_large),
        changes=changes,
        announced=announced,
    )


def _left_out(grouped: list[Section], too_large: Mapping[str, Finding]) -> list[Omission]:
    found = (page for section in grouped if too_large for page in section.pages if page.url in too_large)
    return [Omission(page.url, page.details.source_name, Reason.LARGE_ENTRY) for page in found]


def _news(
    grouped: list[Section], target: Target, now: datetime, findings: list[Finding]
) -> tuple[IndexEntry, list[bytes]] | None:
    """Return the sitemap of the news pages, the newest first, up to the limits of one file."""
    settings = target.settings
    if settings.news is None:
        return None
    from smindex_plugins.pages import news  # noqa: PLC0415 - as few sites want it as media

    pages = (page for section in grouped if not section.base for page in section.pages)
    own = [page for page in pages if not page.details.is_other]
    found = news.recent(own, settings.news, now, findings)
    latest = found[:MAX_NEWS]
    while (content := render_sitemap(latest, settings, {})) is None:
        latest = latest[:-1]
    if len(latest) < len(found):
        problem = f"{len(found):,} articles are of the last two days; {len(latest):,} of them are listed."
        findings.append(NEWS_LEFT_OUT.at(f"{NEWS_STEM}.xml", problem))
    if not content:
        problem = "no article is of the last two days, so this file is not written."
        findings.append(NO_RECENT_NEWS.at(f"{NEWS_STEM}.xml", problem))
        return None
    articles = ((page.lastmod, page.details.news) for page in found)
    dates = [date for lastmod, article in articles for date in (lastmod, article and article.published) if date]
    lastmod = None if settings.lastmod == "off" else written(max(dates), settings.lastmod_format)
    return IndexEntry(url=_url(NEWS_STEM, target), lastmod=lastmod), content


def _url(stem: str, target: Target) -> str:
    return f"{target.site_url}{stem}{'.xml.gz' if target.settings.gzip else '.xml'}"
