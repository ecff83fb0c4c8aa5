"""The contents of a site's sitemaps: sections, files, pages, omitted pages, findings, and
changes.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from itertools import chain

from smindex_plugins.base import urls
from smindex_plugins.base.catalogue import BUILD_STAMP
from smindex_plugins.base.limits import MAX_BYTES, MAX_URLS
from smindex_plugins.base.model import Finding
from smindex_plugins.base.text import counted, printable
from smindex_plugins.checks.applying import DirectoryCheck, LiveCheck
from smindex_plugins.checks.audit import Audit
from smindex_plugins.checks.tally import Tally
from smindex_plugins.history.history import History
from smindex_plugins.printing.as_json import Version, as_shown
from smindex_plugins.printing.changes import ShownDifference
from smindex_plugins.printing.words import percent
from smindex_plugins.reading.found import Found
from smindex_plugins.reading.sections import section_names
from smindex_plugins.record.fact import Fact
from smindex_plugins.record.find import Record

_UNEXPLAINED = "not listed for an unknown reason"
_BULK_PAGES, _BULK_SHARE, _MOST_BULKS = 20, 0.1, 5


@dataclass(frozen=True, slots=True, kw_only=True)
class Summary:
    """The numbers of pages, files and findings."""

    pages: int
    """The pages that the sitemaps list. A page in several sitemaps is one page."""
    undated: int
    """Listed pages without a date."""
    sections: int
    sitemaps: int
    indexes: int
    omitted: int | None
    """Pages that are in no sitemap. Null if they can't be counted, as on a live site."""
    errors: int
    warnings: int
    notices: int
    checks: dict[str, int]
    """Findings by check, the worst checks first."""
    not_checked: list[str]
    """What was not checked, in words."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SectionRow:
    """Pages that share a sitemap, or several if there are too many for one."""

    name: str
    pages: int
    newest: str | None
    """The newest date of a page."""
    oldest: str | None
    undated: int
    bytes: int
    """The size of all its files."""
    share_of_urls: float
    """The entries of its fullest file as a share of the limit: 0 is empty, 1 is full."""
    share_of_bytes: float
    """The bytes of its largest file as a share of the limit."""
    files: list[str]


@dataclass(frozen=True, slots=True, kw_only=True)
class FileRow:
    """A sitemap or an index."""

    file: str
    """Its path in the directory, or its URL."""
    url: str
    is_index: bool
    entries: int
    bytes: int
    """Its uncompressed size."""
    lastmod: str | None
    """Its date in the index, as written."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OmittedRow:
    """A page that is in no sitemap."""

    url: str
    file: str
    reason: str
    """The reason and its cause, in words that follow a count."""
    by: None = None
    """Always null: `reason` includes it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ListedPage:
    """A page that a sitemap lists."""

    url: str
    """Its URL. Empty if it is invalid."""
    lastmod: str | None
    """Its date in UTC. Null if it has none, or an invalid one."""
    section: str
    why: str | None = None
    """The origin of its date, or why it has none. Null if the project that built the site is not
    available."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Overview:
    """The output of `smindex report --format json`."""

    version: Version = 1
    site: str
    """The URL of the site, or the target as given if that URL is unknown."""
    date: str
    """The day of the report."""
    summary: Summary
    sections: list[SectionRow]
    """The sections by name, the root first."""
    files: list[FileRow]
    """The indexes, then the sitemaps."""
    omitted: list[OmittedRow]
    findings: list[Finding]
    """Examples of each check, the worst check first: three for each of ten fixes. `summary.checks`
    counts all."""
    changes: ShownDifference | None
    """What changed since an earlier version. Null if none was given."""
    bulk: list[str]
    """Notes about dates that many pages share."""
    pages: list[ListedPage]

    @property
    def omitted_by_reason(self) -> dict[str, list[OmittedRow]]:
        """The pages that are in no sitemap, by reason, the most frequent first."""
        found: dict[str, list[OmittedRow]] = defaultdict(list)
        for page in self.omitted:
            found[page.reason].append(page)
        reasons = sorted(found, key=lambda reason: -len(found[reason]))
        return {reason: found[reason] for reason in reasons}

    @property
    def findings_by_check(self) -> dict[str, list[Finding]]:
        """The first findings of each check, the worst check first."""
        return {
            check: [each for each in self.findings if each.check == check]
            for check in self.summary.checks
        }

    @property
    def total(self) -> SectionRow:
        """All sections together."""
        files = [file for file in self.files if not file.is_index]
        dates = [page.lastmod for page in self.pages]
        return _section("all", files, dates)


def look(
    checked: DirectoryCheck | LiveCheck,
    *,
    keep: Callable[[Found], None] = lambda _: None,
    compare: Callable[[str], ShownDifference] | None = None,
    tell: Callable[[str], None] = lambda _: None,
) -> Overview:
    """Check a site and return its overview.

    ``keep`` receives every sitemap and index. ``compare`` returns what changed since an earlier
    version of the site at a URL.

    Raises:
        OSError: the site can't be read, or, when versions are compared, one of its sitemaps.
        ValueError: a URL is invalid, a file is not a report, or the URL of a directory is unknown.
    """
    files: list[FileRow] = []
    entries: dict[str, list[tuple[str, str | None]]] = {}
    is_ours: dict[str, bool] = {}
    omitted: list[OmittedRow] = []

    def add(found: Found) -> None:
        keep(found)
        if not (found.share.counts and found.delivery.is_delivered):
            return
        document = found.document
        file = FileRow(
            file=document.where,
            url=document.url,
            is_index=document.kind == "sitemapindex",
            entries=document.count,
            bytes=document.size,
            lastmod=printable(found.listing.lastmod) or None,
        )
        files.append(file)
        if not file.is_index:
            entries[file.file] = [
                (entry.normal, document.date_of(entry)) for entry in document.entries
            ]
            is_ours[file.file] = document.is_ours

    def leave(file: str, url: str, why: str) -> None:
        reason = printable(why or _UNEXPLAINED)
        omitted.append(OmittedRow(url=url, file=file, reason=reason))

    audit = Audit(tell=tell, keep=add, leave=leave)
    tally = Tally(checked.findings(audit))
    address = checked.target
    if files and not files[0].url.startswith(urls.NO_ADDRESS):
        first = urls.normalise(files[0].url)
        address = urls.directory(first)
    record = None
    is_counted = False
    if isinstance(checked, DirectoryCheck):
        record = checked.record
        is_counted = bool(audit.totals.pages or omitted)
    names = section_names(is_ours, address, record.settings.sections if record else ())
    sections, pages = _sections(files, entries, names)
    if record:
        pages = [replace(page, why=_origin(page, record.by_url.get(page.url))) for page in pages]
    today = datetime.now(UTC).date()
    summary = Summary(
        pages=len(pages),
        undated=sum(page.lastmod is None for page in pages),
        sections=len(sections),
        sitemaps=len(entries),
        indexes=len(files) - len(entries),
        omitted=len(omitted) if is_counted else None,
        **tally.summary(audit.totals.unseen),
    )
    findings: list[Finding] = []
    for check in tally.checks:
        findings += map(as_shown, tally.first[check])
    return Overview(
        site=address,
        date=today.isoformat(),
        summary=summary,
        sections=sections,
        files=sorted(files, key=lambda file: not file.is_index),
        omitted=omitted,
        findings=findings,
        changes=compare(address) if compare else None,
        bulk=describe_bulks(pages, tally.counts, record),
        pages=pages,
    )


def _sections(
    files: Sequence[FileRow],
    entries: Mapping[str, list[tuple[str, str | None]]],
    names: Mapping[str, str],
) -> tuple[list[SectionRow], list[ListedPage]]:
    """Return the sections and all pages. A page in several sections is one page.

    Dictionaries are by sitemap.
    """
    by_name: dict[str, list[FileRow]] = defaultdict(list)
    for file in files:
        if not file.is_index:
            name = names[file.file]
            by_name[name].append(file)
    sections: list[SectionRow] = []
    pages: dict[str, ListedPage] = {}
    invalid: list[ListedPage] = []
    for name in sorted(by_name, key=lambda name: (name != "root", name)):
        listed = chain.from_iterable(entries[file.file] for file in by_name[name])
        dates: dict[str, str | None] = {}
        without_url: list[str | None] = []
        for url, date in listed:
            if not url:
                without_url.append(date)
                invalid.append(ListedPage(url="", lastmod=date, section=name))
                continue
            dates[url] = max(date or "", dates.get(url) or "") or None
            if url not in pages:
                pages[url] = ListedPage(url=url, lastmod=date, section=name)
            elif (date or "") > (pages[url].lastmod or ""):
                pages[url] = replace(pages[url], lastmod=date)
        sections.append(_section(name, by_name[name], [*dates.values(), *without_url]))
    return sections, [*pages.values(), *invalid]


def _section(name: str, files: Sequence[FileRow], dates: Sequence[str | None]) -> SectionRow:
    dated = [date for date in dates if date]
    sizes = [file.bytes for file in files]
    most_entries = max((file.entries for file in files), default=0)
    most_bytes = max(sizes, default=0)
    return SectionRow(
        name=name,
        pages=len(dates),
        newest=max(dated, default=None),
        oldest=min(dated, default=None),
        undated=len(dates) - len(dated),
        bytes=sum(sizes),
        share_of_urls=round(most_entries / MAX_URLS, 6),
        share_of_bytes=round(most_bytes / MAX_BYTES, 6),
        files=[file.file for file in files],
    )


def describe_bulks(
    pages: Sequence[ListedPage], checks: Collection[str], record: Record | None
) -> list[str]:
    """Return a note about each date that many pages share."""
    moments = Counter(page.lastmod for page in pages if page.lastmod)
    total = moments.total()
    notes: list[str] = []
    for moment, count in moments.most_common(_MOST_BULKS):
        if count < _BULK_PAGES or count < _BULK_SHARE * total:
            break
        why = ""
        if record:
            urls_ = [page.url for page in pages if page.lastmod == moment]
            why = _commit_of(urls_, record)
        if not why:
            why = "One commit changed many pages, or it is the time of a build."
            if BUILD_STAMP.name in checks and moment == max(moments):
                why = f"It is the time of a build, as the finding {BUILD_STAMP.name} reports."
        number = counted(count, "page")
        share = percent(count / total)
        notes.append(f"{moment}: {number} ({share} of all dates) have this date. {why}")
    return notes


def _origin(page: ListedPage, fact: Fact | None) -> str | None:
    """Return where the date of a page comes from, or why it has none, if the record shows that."""
    if fact is None:
        return None
    if (page.lastmod or "") != fact.lastmod:
        return "not the date of the recorded build"
    words = {
        "author": f"front matter: {fact.key}",
        "git": f"git: {fact.dated_by}",
        "publication": "front matter: date of publication",
        "list": f"the newest page that it lists: {fact.page}",
        "filter": "filter",
        "nothing": fact.undated,
        "": "dates are turned off",
    }
    return printable(words[fact.rests_on])


def _commit_of(urls_: Sequence[str], record: Record) -> str:
    """Return the commit that dates most of the pages with one date, in words, or nothing."""
    facts = [fact for fact in map(record.by_url.get, urls_) if fact and fact.commit]
    for commit, count in Counter(fact.commit for fact in facts).most_common(1):
        first = next(fact for fact in facts if fact.commit == commit)
        landing = History().landing(record.path(first.dated_by), commit)
        if landing:
            them = "They" if count == len(urls_) else f"{count:,} of them"
            return f"{them} come from commit {landing.landed}."
    return ""
