"""The pipeline from pages to sitemaps: date, select, pair, group, split, write, report.

Start reading here. A host (MkDocs, Pelican, Sphinx, or `projects` for any other generator) passes
its pages to `publish` and logs the `Report` that it returns.
"""

import os
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from functools import partial
from typing import NamedTuple

from smindex_plugins.base import addresses, filters, urls
from smindex_plugins.base.catalogue import CANONICAL_MISSING
from smindex_plugins.base.hosting import read_serving
from smindex_plugins.base.model import Changes, Finding, IndexEntry, Page
from smindex_plugins.base.proof import Unknown
from smindex_plugins.base.serving import Serving
from smindex_plugins.base.site import Site
from smindex_plugins.pages.canonicals import namings, shared, shared_canonicals
from smindex_plugins.pages.dating import Dating
from smindex_plugins.pages.filtering import Filtering
from smindex_plugins.pages.foreign_canonicals import contradictions_of_build
from smindex_plugins.pages.host import custom_domain, doubts, unread_rules
from smindex_plugins.pages.hreflang import normal_alternates, pair, with_default
from smindex_plugins.pages.media import add_images
from smindex_plugins.pages.membership import choose, nothing_listed
from smindex_plugins.pages.omissions import NotListed, Omission
from smindex_plugins.pages.others import (
    OutputFiles,
    find_unmatched,
    included,
    output_files,
    stray_pages,
    strays,
    unmatched_revisions,
)
from smindex_plugins.pages.served import Answered, ask_host
from smindex_plugins.pages.undated import undated_pages
from smindex_plugins.pages.url_forms import misserved
from smindex_plugins.record.fact import Fact
from smindex_plugins.record.save import save
from smindex_plugins.report import Report
from smindex_plugins.writing import output, sections
from smindex_plugins.writing.announcement import (
    Announcement,
    announce,
    blocked_pages,
    next_steps,
    service_findings,
)
from smindex_plugins.writing.flat import align
from smindex_plugins.writing.names import ROBOTS, is_sitemap
from smindex_plugins.writing.rendering import (
    OutputError,
    entry_too_large,
    name_indexes,
    render_sitemap,
)
from smindex_plugins.writing.robots import Consents, read_consents
from smindex_plugins.writing.sections import Section, newest_removals


@dataclass(frozen=True, slots=True, kw_only=True)
class Host:
    """Information about a build that only the generator has."""

    dating: Dating | None = None
    """The dating that is already reading the history."""
    language: str = ""
    """The site's default language, such as ``en``, for readers whose language has no variant."""
    others: Iterable[str] | None = None
    """Known files that are not pages. If set, the pages are complete, and other HTML files are
    reported as stray."""
    flat: str = ""
    """The flat sitemap that the generator wrote to the directory. It gets the same pages and dates
    as the index."""
    is_trial: bool = False
    """Whether the site is built only for its author. Its address can then be private."""


def publish(
    pages: Iterable[Page],
    site: Site,
    host: Host = Host(),
    *,
    consents: Consents | None = None,
    now: datetime | None = None,
) -> Report:
    """Write the sitemaps of a site and their index.

    Args:
        pages: all pages of the site with their rendered files. If a page already has a ``lastmod``,
            it is kept.
        site: the address, the output directory, and the options.
        host: information that only the generator has.
        consents: the consents of other sites (`cross_site`). By default, they are read as
            configured in the settings.
        now: an aware datetime. Later dates are ignored.

    Raises:
        SettingsError: the function in ``filter`` can't be loaded.
        ValueError: the address is not an http(s) URL of a directory, or the lastmod of a page is
            not a W3C date.

    All other problems are findings of the report. If a file can't be written, all files are left
    unchanged.
    """
    now = now or datetime.now(UTC)
    site, serving = _served(site)
    settings = site.settings
    dating = host.dating or Dating(settings)
    function = filters.load(settings.filter, site.beside)
    cname = None if host.is_trial else custom_domain(serving)

    findings: list[Finding] = []
    if not host.is_trial:
        findings += doubts(site.url, settings.index_filename, site.url_from, cname)
    consents = consents or read_consents(settings.cross_site, site.beside)
    proven = _proven(consents, site)
    findings += consents.unproven(site.url + settings.index_filename, proven)

    files = _output(host, site)
    findings += files.findings
    dated = dating.date(_known(pages, files.paths, site), site, now)
    findings += dated.findings
    all_pages = _without_ignored(dated.pages, dating, site)

    filtering = Filtering(function, site, proven, now) if function else None
    chosen = choose(with_default(all_pages, host.language), site, proven, filtering)
    findings += chosen.findings
    members = chosen.members
    omitted = chosen.omitted
    # a target can turn out to be too long when the rules are applied
    findings += unread_rules(serving)
    findings += contradictions_of_build(members, omitted, site, cname)
    stray = _strays(files.paths, all_pages, host, site, proven)
    findings += stray_pages(stray)
    omitted += stray

    paired = pair(members, all_pages, site)
    findings += paired.findings
    illustrated = add_images(paired.pages, settings)
    findings += illustrated.findings
    reserved = frozenset({settings.index_filename.removesuffix(".xml")})
    grouped = sections.group(illustrated.pages, site.url, settings, reserved)
    removals = newest_removals(all_pages, grouped, dating.history, settings, now)
    names_before = _names_in(site.directory)
    written = _write(grouped, removals, site, flat=host.flat, all_pages=all_pages, members=members)
    findings += written.findings
    omitted += written.omitted

    findings += _obstacles(written, members, site)
    findings += find_unmatched(all_pages, members, omitted, site, output=files.paths, proven=proven)
    findings += dating.notices(members)
    findings += unmatched_revisions(dating.history, settings)
    if filtering:
        findings += filtering.failures()
    if not members:
        findings.append(nothing_listed(omitted))
    answered = ask_host(members, site)
    findings += _as_published(answered, omitted, site.url, findings)

    undated = _undated(members)
    return Report(
        index_urls=written.index_urls,
        pages=len(members) - len(written.omitted),
        sections=len(grouped),
        sitemaps=len(written.sitemaps),
        omitted=omitted,
        undated=Counter(unknown.reason for unknown in undated),
        dated=all_pages,
        changes=written.changes,
        is_announced=written.announced.is_made,
        is_new=not names_before.issuperset(map(os.path.basename, written.index_urls)),
        next_steps=_next_steps(written, host, site, findings),
        is_dated=settings.lastmod != "off",
        unchecked=answered.unknown,
        unsaved=_save(site, members, omitted, written.index_urls),
        findings=[*undated_pages(undated, len(members), settings.undated), *findings],
    )


def _served(site: Site) -> tuple[Site, Serving]:
    """Return the site at its normalized address, and how its host answers."""
    url = addresses.site_url(site.url)
    serving = site.serving or read_serving(site.directory, url)
    return replace(site, url=url, serving=serving), serving


def _output(host: Host, site: Site) -> OutputFiles:
    """Return the files of the output if they matter."""
    if site.settings.include or host.others is not None:
        return output_files(site)
    return OutputFiles([], [])


def _known(pages: Iterable[Page], files: Iterable[str], site: Site) -> Iterator[Page]:
    """Yield the pages of a host, and the other files of the output that the site lists."""
    known = [_normal(page) for page in pages]
    known += included(files, known, site)
    for page in known:
        if not _is_written(page):
            yield page


def _is_written(page: Page) -> bool:
    """Whether a file of the output is one of the sitemaps, not a page."""
    return page.kind == "file" and page.file is not None and is_sitemap(page.file)


def _normal(page: Page) -> Page:
    """Return a page with the URLs of the page, its variants and its images in normal form."""
    url = urls.normalise(page.url)
    alternates = normal_alternates(page.alternates)
    images = tuple(urls.normal(each) or each for each in page.images)
    if (page.url, page.alternates, page.images) == (url, alternates, images):
        return page  # avoids a copy: a site can have a million pages
    return replace(page, url=url, alternates=alternates, images=images)


def _is_copy(page: Page) -> bool:
    """Whether a page is a file that its host copied, so that git may track it."""
    return page.kind == "copied" and page.file in page.sources


def _without_ignored(pages: list[Page], dating: Dating, site: Site) -> list[Page]:
    """Return the pages, with copied files that git ignores marked as not listed."""
    own = [page.file for page in pages if page.file and _is_copy(page)]
    if not own:
        return pages
    ignored = dating.history.ignored(own, site.directory)
    marked = []
    for page in pages:
        if page.file in ignored:
            marked.append(replace(page, unlisted=NotListed.IGNORED))
        else:
            marked.append(page)
    return marked


def _strays(
    files: Iterable[str],
    pages: Iterable[Page],
    host: Host,
    site: Site,
    proven: frozenset[str],
) -> list[Omission]:
    """Return the HTML files of the output that belong to no page, if the host knows all others."""
    if host.others is None:
        return []
    known = [*host.others, *(page.file for page in pages if page.file)]
    return list(strays(files, known, site, proven))


def _undated(members: Iterable[Page]) -> list[Unknown]:
    """Return why listed pages have no date."""
    reasons = []
    for page in members:
        if page.lastmod or page.proof is None:
            continue
        answer = page.proof.answer
        if isinstance(answer, Unknown):
            reasons.append(answer)
    return reasons


def _obstacles(written: "_Written", members: Iterable[Page], site: Site) -> Iterator[Finding]:
    """Yield what keeps search engines from finding or fetching the indexes and pages."""
    listed = [*written.index_urls, *(page.url for page in members)]
    yield from blocked_pages(written.announced.known, listed)
    yield from service_findings(site, written.index_urls, sitemaps=written.sitemaps)


def _as_published(
    answered: Answered, omitted: Iterable[Omission], home: str, known: Iterable[Finding]
) -> list[Finding]:
    """Return what else is wrong with the URLs of the pages: what the host redirects, and canonical
    links.
    """
    missing = {finding.url for finding in known if finding.check == CANONICAL_MISSING.name}
    named = [naming for naming in namings(omitted, home) if naming.url not in missing]
    return [*misserved(answered.misserved), *shared_canonicals(shared(named, home), home)]


def _names_in(directory: str) -> frozenset[str]:
    """Return the names in a directory, or nothing if it can't be read."""
    try:
        return frozenset(os.listdir(directory))
    except OSError:
        return frozenset()


def _next_steps(written: "_Written", host: Host, site: Site, findings: Iterable[Finding]) -> str:
    """Return the one-time steps that the build has not made unnecessary."""
    if host.is_trial or written.announced.is_made:
        return ""
    return next_steps(site, written.index_urls, findings)


def _proven(consents: Consents, site: Site) -> frozenset[str]:
    """Return the origins whose robots.txt lists the index or the sitemap of their own pages."""
    index = site.url + site.settings.index_filename
    proven: set[str] = set()
    for origin in consents.robots:
        sitemap = _url(sections.stem_of(origin), site)
        if consents.names(origin, index, sitemap):
            proven.add(origin)
    return frozenset(proven)


def _save(
    site: Site, members: Iterable[Page], omitted: Sequence[Omission], indexes: Sequence[str]
) -> str:
    """Save what the build decided about each page. Return why that is not possible, for the log."""
    if not (site.project and indexes) or site.preview:
        return ""
    directory = os.path.abspath(site.directory)
    project = os.path.abspath(site.project)
    index = urls.file_path(urls.relative_path(indexes[0], site.url)) or ""

    def facts() -> Iterator[Fact]:
        for omission in omitted:
            yield Fact.of(omission.page, omission, site.url, directory, project)
        large = {omission.url for omission in omitted if omission.reason == NotListed.LARGE_ENTRY}
        for page in members:
            if page.url not in large:
                yield Fact.of(page, None, site.url, directory, project)

    try:
        save(
            facts(),
            url=site.url,
            project=project,
            directory=directory,
            index=index,
            settings=site.settings,
            settings_file=site.settings_file,
        )
    except OSError as error:
        place = os.path.relpath(error.filename or project)
        why = f"{error.strerror or error} ({place})"
    except ValueError:  # from `os.path.relpath` on Windows
        why = "the project, a file and the output are on different drives"
    else:
        return ""
    return f"what the build decided is not saved: {why}"


@dataclass(frozen=True, slots=True, kw_only=True)
class _Written:
    """The files that a run wrote, and the pages whose entries were too large."""

    index_urls: list[str] = field(default_factory=list)
    sitemaps: list[str] = field(default_factory=list)
    omitted: list[Omission] = field(default_factory=list)
    changes: Changes = field(default_factory=Changes)
    announced: Announcement = field(default_factory=Announcement)
    findings: list[Finding] = field(default_factory=list)


def _write(
    grouped: list[Section],
    removals: Mapping[int, str],
    site: Site,
    *,
    flat: str,
    all_pages: list[Page],
    members: list[Page],
) -> _Written:
    """Write the sitemaps, or report why that is not possible, and correct the flat sitemap
    anyway.
    """
    try:
        with nullcontext() if site.preview else output.only_writer(site.directory):
            written = _write_sitemaps(grouped, removals, site)
            if not flat:
                return written
            omitted = {omission.url for omission in written.omitted}
            listed = [page for page in members if page.url not in omitted]
            of_flat = align(flat, all_pages, listed, site)
            return replace(written, findings=[*written.findings, *of_flat])
    except OutputError as error:
        return _Written(findings=error.findings)


def _write_sitemaps(grouped: list[Section], removals: Mapping[int, str], site: Site) -> _Written:
    """Write the sitemaps and the index, and list it in robots.txt."""
    findings: list[Finding] = []
    try:
        stale = output.stale_files(site.directory, site.url)
        with output.Staging(site.directory, site.preview) as staging:
            staged = _stage(staging, grouped, removals, site)
            findings += map(entry_too_large, staged.too_large)
            indexes = dict(name_indexes(staged.entries, site.url, site.settings))
            for url, content in indexes.items():
                staging.add(urls.relative_path(url, site.url), content)
            sitemaps = [entry.url for entry in staged.entries]
            announced = Announcement()
            if indexes:
                announced = announce(site, list(indexes), sitemaps)
            findings += announced.findings
            if announced.content is not None:
                staging.amend(ROBOTS, announced.content)
            changes = staging.commit(stale)
    except OutputError as error:
        return _Written(findings=[*findings, *error.findings])
    findings += changes.problems
    return _Written(
        index_urls=list(indexes),
        sitemaps=sitemaps,
        omitted=[Omission.of(page, NotListed.LARGE_ENTRY) for page in staged.too_large],
        changes=changes,
        announced=announced,
        findings=findings,
    )


class _Staged(NamedTuple):
    """The entries of the sitemaps in the index, and the pages that are too large for any."""

    entries: list[IndexEntry]
    too_large: list[Page]


def _stage(
    staging: output.Staging, grouped: list[Section], removals: Mapping[int, str], site: Site
) -> _Staged:
    """Stage the sitemaps one by one, to keep only one in memory."""
    settings = site.settings
    taken = {settings.index_filename.removesuffix(".xml"), *(section.stem for section in grouped)}
    entries: list[IndexEntry] = []
    too_large: list[Page] = []
    write = partial(render_sitemap, settings=settings)
    for position, section in enumerate(grouped):
        for stem, pages, content in sections.split(section, taken, write):
            if not content:
                too_large += pages
                continue
            dates = [removals.get(position), *(page.lastmod for page in pages)]
            newest = max(filter(None, dates), default=None)
            entry = IndexEntry(url=_url(stem, site), lastmod=newest)
            staging.add(urls.relative_path(entry.url, site.url), content)
            entries.append(entry)
    return _Staged(entries, too_large)


def _url(stem: str, site: Site) -> str:
    suffix = ".xml.gz" if site.settings.gzip else ".xml"
    return f"{site.url}{stem}{suffix}"
