"""The pipeline: dated pages in; members chosen, grouped, cut, written, read back and checked; a report out."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from datetime import UTC, datetime
from functools import partial
from itertools import chain
from operator import attrgetter

from smindex_plugins import urls
from smindex_plugins.catalogue import NEWS_LEFT_OUT
from smindex_plugins.checks import check_written
from smindex_plugins.dates import written
from smindex_plugins.history import History, Unknown, undated_pages
from smindex_plugins.limits import MAX_NEWS
from smindex_plugins.model import Finding, IndexEntry, Page
from smindex_plugins.pages import Dated, choose, hreflang
from smindex_plugins.report import Report
from smindex_plugins.settings import NEWS_STEM, Settings, Target
from smindex_plugins.sitemaps import announcement, output, robots, sections
from smindex_plugins.sitemaps.consents import Consents, read_consents
from smindex_plugins.sitemaps.rendering import name_indexes, render_sitemap
from smindex_plugins.sitemaps.sections import Section, newest_removals
from smindex_plugins.sitemaps.services import service_findings


def publish(
    dated: Dated, target: Target, history: History, *, now: datetime | None = None, consents: Consents | None = None
) -> Report:
    """Write the sitemaps and the index of dated pages, read them back, and check them.

    Only which pages are news depends on the time, an aware datetime. What other sites agree to is read as the settings
    say if it is not given.
    """
    consents = consents or read_consents(target.settings.cross_site, target.beside)
    grouped, report = _arrange(dated, target, consents)
    removals = newest_removals(dated.pages, grouped, history, target.settings)
    latest = _news(grouped, target, report, now or datetime.now(UTC))
    try:
        _write(chain(_sitemaps(grouped, removals, target, report), latest), target, report)
    except output.OutputError as error:
        report.findings.extend(error.findings)
    report.findings.extend(_judge(target, report.index_urls, _proven(consents, target)))
    report.findings.extend(service_findings(target, report.index_urls))
    return report


def _arrange(dated: Dated, target: Target, consents: Consents) -> tuple[list[Section], Report]:
    """Choose the pages that are listed, pair their languages, and group them by section."""
    proven = _proven(consents, target)
    settings = target.settings
    found = list(consents.unproven(target.site_url + settings.index_filename, proven))
    found += dated.findings
    given = hreflang.with_default(dated.pages, target.default_language)
    members, omitted = choose(given, target, proven, found)
    pages = _with_media(hreflang.pair(members, dated.pages, target.site_url, found), settings, found)
    own, others = sections.apart(pages, target.site_url)
    reserved = _reserved(target)
    grouped = sections.group(
        own,
        target.site_url,
        depth=settings.section_depth,
        min_pages=settings.section_min_pages,
        named=settings.sections,
        placement=settings.sitemap_placement,
        reserved=reserved | {section.stem for section in others},
    )
    grouped = sorted([*grouped, *others], key=attrgetter("stem"))
    undated = list(_undated(members, dated.undated)) if dated.undated else []
    return grouped, Report(
        pages=len(members),
        sections=len(grouped),
        omitted=omitted,
        undated=Counter(unknown.reason for unknown in undated),
        findings=[*undated_pages(undated, len(members)), *found],
    )


def _undated(pages: Iterable[Page], why: Mapping[str, Unknown]) -> Iterator[Unknown]:
    """Give the reasons of pages without a date, some of which have called themselves by their other name since."""
    for page in pages:
        if page.lastmod is None:
            names = page.url, page.url.removesuffix("index.html"), f"{page.url}index.html"
            yield from [why[name] for name in names if name in why][:1]


def _with_media(pages: list[Page], settings: Settings, findings: list[Finding]) -> list[Page]:
    """Add what pages show, if the settings or an author ask for that."""
    authored = (page.details.meta for page in pages if page.details.meta)
    if not (settings.images or settings.videos or any("sitemap" in meta for meta in authored)):
        return pages
    from smindex_plugins.pages import media  # noqa: PLC0415 - few sites want what it does, and it takes 3 ms to load

    return media.add(pages, settings, findings)


def _write(sitemaps: Iterable[tuple[IndexEntry, list[bytes]]], target: Target, report: Report) -> None:
    stale = output.stale_files(target.directory, target.site_url)
    entries: list[IndexEntry] = []
    with output.Staging(target.directory, target.taken, target.preview) as staging:
        for entry, content in sitemaps:
            staging.add(urls.relative_path(entry.url, target.site_url), content)
            entries.append(entry)
        index_urls = []
        for url, content in name_indexes(entries, target.site_url, target.settings):
            staging.add(urls.relative_path(url, target.site_url), content)
            index_urls.append(url)
        announced = announcement.announce(target, index_urls, report.findings)
        if announced.content is not None:
            staging.amend(robots.NAME, announced.content)
        report.changes = staging.commit(stale)
    report.is_announced = announced.is_made
    report.sitemaps = len(entries)
    report.index_urls = index_urls


def _sitemaps(
    grouped: list[Section], removals: dict[int, str], target: Target, report: Report
) -> Iterator[tuple[IndexEntry, list[bytes]]]:
    """Make the sitemaps one by one, so that only one of them is in memory."""
    taken = {*_reserved(target), *(section.stem for section in grouped)}
    for position, section in enumerate(grouped):
        too_large: dict[str, Finding] = {}
        write = partial(render_sitemap, settings=target.settings, too_large=too_large)
        for stem, pages, content in sections.cut(section, section.base or target.site_url, taken, write):
            if content:
                dates = filter(None, chain([removals.get(position)], map(attrgetter("lastmod"), pages)))
                yield _entry(stem, max(dates, default=None), target), content
        if too_large:
            report.leave_out(page for page in section.pages if page.url in too_large)
            report.findings.extend(too_large.values())


def _news(
    grouped: list[Section], target: Target, report: Report, now: datetime
) -> Iterator[tuple[IndexEntry, list[bytes]]]:
    """Make the sitemap of the pages that are news, as far as one file holds them, the newest first."""
    settings = target.settings
    if settings.news is None:
        return
    from smindex_plugins.pages import news  # noqa: PLC0415 - as few sites want it

    own = [page for section in grouped if not section.base for page in section.pages]
    found = news.recent(own, settings.news, now, report.findings)
    latest = found[:MAX_NEWS]
    while (content := render_sitemap(latest, settings, {})) is None:
        latest = latest[:-1]
    if len(latest) < len(found):
        problem = f"{len(found):,} articles are of the last two days; {len(latest):,} of them are listed."
        report.findings.append(NEWS_LEFT_OUT.at(f"{NEWS_STEM}.xml", problem))
    if content:
        articles = ((page.lastmod, page.details.news) for page in found)
        dates = [date for lastmod, article in articles for date in (lastmod, article and article.published) if date]
        lastmod = written(max(dates), settings.lastmod_format)
        yield _entry(NEWS_STEM, None if settings.lastmod == "off" else lastmod, target), content


def _entry(stem: str, lastmod: str | None, target: Target) -> IndexEntry:
    suffix = ".xml.gz" if target.settings.gzip else ".xml"
    return IndexEntry(url=f"{target.site_url}{stem}{suffix}", lastmod=lastmod)


def _reserved(target: Target) -> frozenset[str]:
    """Name the stems that no section's sitemap may have."""
    index = target.settings.index_filename.removesuffix(".xml")
    return frozenset({index, NEWS_STEM} if target.settings.news else {index})


def _proven(consents: Consents, target: Target) -> frozenset[str]:
    """Find the origins whose robots.txt names the index, or the sitemap of their own pages."""
    index = target.site_url + target.settings.index_filename
    return frozenset(
        origin
        for origin in consents.robots
        if consents.names(origin, index, _entry(sections.stem_of(origin), None, target).url)
    )


def _judge(target: Target, index_urls: list[str], proven: frozenset[str]) -> Iterator[Finding]:
    for index_url in index_urls:
        name = urls.relative_path(index_url, target.site_url)
        yield from check_written(target.preview or target.directory, target.site_url, name, proven)
