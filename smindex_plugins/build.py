"""The pipeline: dated pages in; members chosen, grouped, cut, written, read back and checked; a report out."""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from itertools import chain

from smindex_plugins import checks, hreflang, media, news, output, protocol, sections, urls
from smindex_plugins.history import History
from smindex_plugins.lastmod import Dated, removals_by_section
from smindex_plugins.limits import MAX_NEWS
from smindex_plugins.membership import Members, Omission, choose
from smindex_plugins.model import Finding, IndexEntry, Level, Page
from smindex_plugins.sections import Section
from smindex_plugins.settings import NEWS_STEM, Target
from smindex_plugins.undated import undated_pages
from smindex_plugins.wording import counted, listed

_EXAMPLES = 10


@dataclass(slots=True, kw_only=True)
class Report:
    """What a run did, for the host to print in its own way."""

    index_url: str
    pages: int
    sections: int
    sitemaps: int = 0
    omitted: list[Omission]
    """The pages that are in no sitemap, each with its reason."""
    undated: Counter[str]
    """How many pages have no date, by the reason."""
    changes: output.Changes = field(default_factory=output.Changes)
    findings: list[Finding]

    def summary(self, seconds: float) -> str:
        """Say in one line what was written."""
        pages, in_sections = counted(self.pages, "page"), counted(self.sections, "section")
        listing = f"{counted(self.sitemaps, 'sitemap')} listed in {self.index_url}" if self.sitemaps else "none written"
        parts = [f"{pages} in {in_sections}, {listing}"]
        if self.omitted:
            parts.append(f"left out: {listed(Counter(omission.reason for omission in self.omitted))}")
        parts.append(f"without a date: {listed(self.undated)}" if self.undated else "every page dated")
        return "; ".join([*parts, f"{seconds:.2f} s"])

    def messages(self) -> Iterator[tuple[Level, str]]:
        """Say what was found, the first of each kind in full and how many more there are."""
        shown: Counter[str] = Counter()
        for finding in self.findings:
            shown[finding.check] += 1
            if shown[finding.check] <= _EXAMPLES:
                yield finding.level, str(finding)
        for check, count in shown.items():
            if count > _EXAMPLES:
                yield "notice", f"… and {count - _EXAMPLES:,} more of [{check}]."


def publish(dated: Dated, target: Target, history: History, now: datetime | None = None) -> Report:
    """Write the sitemaps and the index of dated pages, read them back, and check them.

    Only which pages are news depends on the time, an aware datetime.
    """
    members = choose(dated.pages, target)
    variants = hreflang.pair(members.pages, {page.url for page in dated.pages}, target.site_url)
    settings = target.settings
    shown = media.add(variants.pages, settings)
    grouped = sections.group(
        shown.pages,
        target.site_url,
        depth=settings.section_depth,
        min_pages=settings.section_min_pages,
        named=settings.sections,
        placement=settings.sitemap_placement,
        reserved=_reserved(target),
    )
    report = _new_report(dated, members, grouped, target)
    report.findings.extend([*dated.findings, *members.findings, *variants.findings, *shown.findings])
    removals = removals_by_section(dated.pages, grouped, history, settings)
    latest = _news(shown.pages, target, report, now or datetime.now(UTC))
    try:
        _write(chain(_sitemaps(grouped, removals, target, report), latest), target, report)
    except output.OutputError as error:
        report.findings.extend(error.findings)
        return report
    if report.sitemaps:
        report.findings.extend(_judge(target, report.index_url))
    return report


def _new_report(dated: Dated, members: Members, grouped: list[Section], target: Target) -> Report:
    undated = [dated.undated[page.url] for page in members.pages if page.url in dated.undated]
    return Report(
        index_url=target.site_url + target.settings.index_filename,
        pages=len(members.pages),
        sections=len(grouped),
        omitted=members.omitted,
        undated=Counter(unknown.reason for unknown in undated),
        findings=list(undated_pages(undated, len(members.pages))),
    )


def _write(sitemaps: Iterable[tuple[IndexEntry, list[bytes]]], target: Target, report: Report) -> None:
    index_filename = target.settings.index_filename
    stale = output.stale_files(target.directory, target.site_url, index_filename)
    entries: list[IndexEntry] = []
    with output.Staging(target.directory, target.taken) as staging:
        for entry, rendered in sitemaps:
            staging.add(urls.relative_path(entry.url, target.site_url), protocol.urlset(rendered))
            entries.append(entry)
        if entries:
            staging.add(index_filename, protocol.sitemapindex(_index(entries, target)))
        report.changes = staging.commit(stale)
    report.sitemaps = len(entries)


def _sitemaps(
    grouped: list[Section], removals: dict[int, str], target: Target, report: Report
) -> Iterator[tuple[IndexEntry, list[bytes]]]:
    taken = {*_reserved(target), *(section.stem for section in grouped)}
    for position, section in enumerate(grouped):
        parts = list(_parts(section.pages, target, report))
        for stem, part in zip(sections.part_stems(section, len(parts), taken), parts, strict=True):
            dates = [page.lastmod for page, _ in part if page.lastmod]
            lastmod = max([*dates, *filter(None, [removals.get(position)])], default=None)
            yield _entry(stem, lastmod, target), [rendered for _, rendered in part]


def _news(pages: list[Page], target: Target, report: Report, now: datetime) -> Iterator[tuple[IndexEntry, list[bytes]]]:
    """Give the sitemap of the pages that are news, as far as one file holds them, the newest first."""
    settings = target.settings
    if settings.news is None:
        return
    found = news.recent(pages, settings.news, now)
    report.findings.extend(found.findings)
    room = settings.max_bytes - protocol.FRAME_SIZE
    rendered = [entry for entry in map(protocol.render_url, found.pages) if len(entry) <= room]
    part = next(sections.cut(rendered, len, min(settings.max_urls, MAX_NEWS), room), [])
    if len(part) < len(found.pages):
        report.findings.append(news.too_many(f"{NEWS_STEM}.xml", len(found.pages), len(part)))
    if part:
        dates = [date for page in found.pages if page.news for date in (page.lastmod, page.news.published) if date]
        lastmod = max(dates)[: len("YYYY-MM-DD") if settings.lastmod_format == "date" else None]
        yield _entry(NEWS_STEM, None if settings.lastmod == "off" else lastmod, target), part


def _entry(stem: str, lastmod: str | None, target: Target) -> IndexEntry:
    suffix = ".xml.gz" if target.settings.gzip else ".xml"
    return IndexEntry(url=f"{target.site_url}{stem}{suffix}", lastmod=lastmod)


def _reserved(target: Target) -> frozenset[str]:
    """Name the stems that no section's sitemap may have."""
    index = target.settings.index_filename.removesuffix(".xml")
    return frozenset({index, NEWS_STEM} if target.settings.news else {index})


def _parts(pages: list[Page], target: Target, report: Report) -> Iterator[list[tuple[Page, bytes]]]:
    room = target.settings.max_bytes - protocol.FRAME_SIZE
    rendered = []
    for page in pages:
        entry = protocol.render_url(page)
        if len(entry) > room:
            report.findings.append(_entry_too_large(page, len(entry), target))
            report.omitted.append(Omission(page.url, page.source_name, "with an entry that is too large"))
            report.pages -= 1
        else:
            rendered.append((page, entry))
    return sections.cut(rendered, lambda item: len(item[1]), target.settings.max_urls, room)


def _judge(target: Target, index_url: str) -> Iterator[Finding]:
    try:
        site = output.read_site(target.directory, target.site_url, target.settings.index_filename)
    except (OSError, protocol.ProtocolError) as error:
        yield output.unreadable(index_url, str(error))
    else:
        yield from checks.check(site)


def _index(entries: list[IndexEntry], target: Target) -> list[bytes]:
    rendered = [protocol.render_entry(entry) for entry in entries]
    size = sum(map(len, rendered)) + protocol.FRAME_SIZE
    if len(rendered) > target.settings.max_urls or size > target.settings.max_bytes:
        raise output.OutputError([_index_too_large(len(rendered), size, target)])
    return rendered


def _entry_too_large(page: Page, size: int, target: Target) -> Finding:
    return Finding(
        check="entry-too-large",
        level="error",
        where=page.url,
        problem=f"its entry alone takes {size:,} bytes of the {target.settings.max_bytes:,} a sitemap may have.",
        fix="It is not listed. Raise max_bytes, or shorten the URL.",
    )


def _index_too_large(entries: int, size: int, target: Target) -> Finding:
    settings = target.settings
    return Finding(
        check="too-many-sitemaps",
        level="error",
        where=settings.index_filename,
        problem=f"it would list {counted(entries, 'sitemap')} in {size:,} bytes; the limits are {settings.max_urls:,} "
        f"and {settings.max_bytes:,}.",
        fix="Nothing was written. Lower section_depth or raise section_min_pages.",
    )
