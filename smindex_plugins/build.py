"""The pipeline: dated pages in; members chosen, grouped, cut, written, read back and checked; a report out."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field

from smindex_plugins import checks, hreflang, media, output, protocol, sections, urls
from smindex_plugins.history import History
from smindex_plugins.lastmod import Dated, removals_by_section
from smindex_plugins.membership import Members, Omission, choose
from smindex_plugins.model import Finding, IndexEntry, Level, Page
from smindex_plugins.sections import Section
from smindex_plugins.settings import Target
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


def publish(dated: Dated, target: Target, history: History) -> Report:
    """Write the sitemaps and the index of dated pages, read them back, and check them."""
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
        reserved=_stem(settings.index_filename),
    )
    report = _new_report(dated, members, grouped, target)
    report.findings.extend([*dated.findings, *members.findings, *variants.findings, *shown.findings])
    try:
        _write(grouped, removals_by_section(dated.pages, grouped, history, settings), target, report)
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


def _write(grouped: list[Section], removals: dict[int, str], target: Target, report: Report) -> None:
    index_filename = target.settings.index_filename
    stale = output.stale_files(target.directory, target.site_url, index_filename)
    entries: list[IndexEntry] = []
    with output.Staging(target.directory, target.taken) as staging:
        for entry, rendered in _sitemaps(grouped, removals, target, report):
            staging.add(urls.relative_path(entry.url, target.site_url), protocol.urlset(rendered))
            entries.append(entry)
        if entries:
            staging.add(index_filename, protocol.sitemapindex(_index(entries, target)))
        report.changes = staging.commit(stale)
    report.sitemaps = len(entries)


def _sitemaps(
    grouped: list[Section], removals: dict[int, str], target: Target, report: Report
) -> Iterator[tuple[IndexEntry, list[bytes]]]:
    suffix = ".xml.gz" if target.settings.gzip else ".xml"
    taken = {_stem(target.settings.index_filename), *(section.stem for section in grouped)}
    for position, section in enumerate(grouped):
        parts = list(_parts(section.pages, target, report))
        for stem, part in zip(sections.part_stems(section, len(parts), taken), parts, strict=True):
            dates = [page.lastmod for page, _ in part if page.lastmod]
            lastmod = max([*dates, *filter(None, [removals.get(position)])], default=None)
            entry = IndexEntry(url=f"{target.site_url}{stem}{suffix}", lastmod=lastmod)
            yield entry, [rendered for _, rendered in part]


def _stem(index_filename: str) -> str:
    return index_filename.removesuffix(".xml")


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
