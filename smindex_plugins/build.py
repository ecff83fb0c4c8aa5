"""The pipeline from pages to sitemaps: date, select, pair, group, split, write, report.

Start reading here. A host (MkDocs, Pelican, Sphinx, or `projects` for any other generator) passes
its pages to `publish` and logs the `Report` that it returns.
"""

import os
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from functools import partial
from itertools import chain

from smindex_plugins.base import addresses, filters, urls
from smindex_plugins.base.catalogue import CANONICAL_MISSING
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
    find_unmatched,
    included,
    output_files,
    strays,
    unmatched_revisions,
)
from smindex_plugins.pages.served import Answered, ask_host
from smindex_plugins.pages.undated import undated_pages
from smindex_plugins.pages.url_forms import misserved
from smindex_plugins.record.fact import Fact
from smindex_plugins.record.save import save
from smindex_plugins.report import Report
from smindex_plugins.writing import output, robots, sections
from smindex_plugins.writing.announcement import (
    Announcement,
    announce,
    blocked_pages,
    next_steps,
    service_findings,
)
from smindex_plugins.writing.flat import align
from smindex_plugins.writing.names import is_sitemap
from smindex_plugins.writing.rendering import OutputError, name_indexes, render_sitemap
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
        SettingsError: the function in ``filter`` cannot be loaded.
        ValueError: the address is not an http(s) URL of a directory, or the lastmod of a page is
            not a W3C date.

    All other problems are findings of the report. If a file cannot be written, all files are left
    unchanged.
    """
    now, url = now or datetime.now(UTC), addresses.site_url(site.url)
    serving = site.serving or Serving.read(site.directory, url)
    site = replace(site, url=url, serving=serving)
    settings, dating = site.settings, host.dating or Dating(site.settings)
    function = filters.load(settings.filter, site.beside)
    cname = None if host.is_trial else custom_domain(serving)
    doubtful = (
        [] if host.is_trial else doubts(site.url, settings.index_filename, site.url_from, cname)
    )
    findings = list(doubtful)
    consents = consents or read_consents(settings.cross_site, site.beside)
    proven = _proven(consents, site)
    findings += consents.unproven(site.url + settings.index_filename, proven)

    known = [_normal(page) for page in pages]
    files = output_files(site, findings) if settings.include or host.others is not None else []
    known += included(files, known, site)
    known = [page for page in known if page.kind != "file" or not is_sitemap(page.file)]
    dated = dating.date(known, site, now, findings)
    if own := [page.file for page in dated if page.kind == "copied" and page.file in page.sources]:
        ignored = dating.history.ignored(own, site.directory)
        dated = [
            replace(page, unlisted=NotListed.IGNORED) if page.file in ignored else page
            for page in dated
        ]

    filtering = Filtering(function, site, proven, now, findings) if function else None
    members, omitted = choose(with_default(dated, host.language), site, proven, findings, filtering)
    # a target can turn out to be too long when the rules are applied
    findings += unread_rules(serving)
    findings += contradictions_of_build(members, omitted, site, cname)
    if host.others is not None:
        omitted += strays(
            files, [*host.others, *(page.file for page in dated)], site, proven, findings
        )
    listed = add_images(pair(members, dated, site, findings), settings, findings)

    grouped = sections.group(
        listed, site.url, settings, frozenset({settings.index_filename.removesuffix(".xml")})
    )
    removals = newest_removals(dated, grouped, dating.history, settings, now)
    written = _Written()
    try:
        with nullcontext() if site.preview else output.only_writer(site.directory):
            written = _write_or_report(grouped, removals, site, findings)
            if host.flat:
                left_out = {omission.url for omission in written.omitted}
                align(
                    host.flat,
                    dated,
                    [page for page in members if page.url not in left_out],
                    site,
                    findings,
                )
    except OutputError as error:
        findings += error.findings
    omitted += written.omitted

    announced, indexes = written.announced, written.index_urls
    blocked = blocked_pages(announced.known, [*indexes, *(page.url for page in members)])
    findings += [*blocked, *service_findings(site, indexes, sitemaps=written.sitemaps)]
    findings += find_unmatched(dated, members, omitted, site, output=files, proven=proven)
    findings += [*dating.notices(members), *unmatched_revisions(dating.history, settings)]
    findings += filtering.failures() if filtering else ()
    if not members:
        findings.append(nothing_listed(omitted))
    findings += _as_published(answered := ask_host(members, site), omitted, site.url, findings)
    is_dated = settings.lastmod != "off"
    undated = _undated(members)
    return Report(
        index_urls=indexes,
        pages=len(members) - len(written.omitted),
        sections=len(grouped),
        sitemaps=len(written.sitemaps),
        omitted=omitted,
        undated=Counter(unknown.reason for unknown in undated),
        dated=dated,
        changes=written.changes,
        is_announced=announced.is_made,
        next_steps=(
            "" if host.is_trial or announced.is_made else next_steps(site, indexes, findings)
        ),
        is_dated=is_dated,
        unchecked=answered.unknown,
        unsaved=_save(site, members, omitted, indexes),
        findings=[*undated_pages(undated, len(members), settings.undated), *findings],
    )


def _undated(members: Iterable[Page]) -> list[Unknown]:
    """Return why listed pages have no date."""
    answers = (page.proof.answer for page in members if page.proof and page.lastmod is None)
    return [answer for answer in answers if isinstance(answer, Unknown)]


def _normal(page: Page) -> Page:
    """Return a page with the URLs of the page, its variants and its images in normal form."""
    url = urls.normalise(page.url)
    alternates = normal_alternates(page.alternates)
    images = tuple(urls.normal(each) or each for each in page.images)
    if (page.url, page.alternates, page.images) == (url, alternates, images):
        return page  # avoids a copy: a site can have a million pages
    return replace(page, url=url, alternates=alternates, images=images)


def _as_published(
    answered: Answered, omitted: Iterable[Omission], home: str, known: Iterable[Finding]
) -> list[Finding]:
    """Return what else is wrong with the URLs of the pages: what the host redirects, and canonical
    links.
    """
    missing = {finding.url for finding in known if finding.check == CANONICAL_MISSING.name}
    named = [naming for naming in namings(omitted, home) if naming.url not in missing]
    return [*misserved(answered.misserved), *shared_canonicals(shared(named, home), home)]


def _proven(consents: Consents, site: Site) -> frozenset[str]:
    """Return the origins whose robots.txt lists the index or the sitemap of their own pages."""
    index = site.url + site.settings.index_filename
    stems = ((origin, sections.stem_of(origin)) for origin in consents.robots)
    return frozenset(
        origin for origin, stem in stems if consents.names(origin, index, _url(stem, site))
    )


def _save(
    site: Site, members: Iterable[Page], omitted: Iterable[Omission], indexes: Sequence[str]
) -> str:
    """Save what the build decided about each page. Return why that is not possible, for the log."""
    if not (site.project and indexes) or site.preview:
        return ""
    directory, project = os.path.abspath(site.directory), os.path.abspath(site.project)
    index = urls.file_path(urls.relative_path(indexes[0], site.url)) or ""
    try:
        large = {omission.url for omission in omitted if omission.reason == NotListed.LARGE_ENTRY}
        pages = chain(
            ((omission.page, omission) for omission in omitted),
            ((page, None) for page in members if page.url not in large),
        )
        save(
            (Fact.of(page, omission, site.url, directory, project) for page, omission in pages),
            url=site.url,
            project=project,
            directory=directory,
            index=index,
            settings=site.settings,
            settings_file=site.settings_file,
        )
    except OSError as error:
        why = f"{error.strerror or error} ({os.path.relpath(error.filename or project)})"
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


def _write_or_report(
    grouped: list[Section], removals: Mapping[int, str], site: Site, findings: list[Finding]
) -> _Written:
    """Write the sitemaps, or report why that is not possible.

    The flat sitemap is corrected anyway.
    """
    try:
        return _write(grouped, removals, site, findings)
    except OutputError as error:
        findings += error.findings
        return _Written()


def _write(
    grouped: list[Section], removals: Mapping[int, str], site: Site, findings: list[Finding]
) -> _Written:
    """Write the sitemaps one by one to keep only one in memory, and then the index."""
    settings = site.settings
    taken = {settings.index_filename.removesuffix(".xml"), *(section.stem for section in grouped)}
    too_large: dict[str, Finding] = {}
    entries: list[IndexEntry] = []
    stale = output.stale_files(site.directory, site.url)
    with output.Staging(site.directory, site.preview) as staging:
        for position, section in enumerate(grouped):
            write = partial(render_sitemap, settings=settings, too_large=too_large)
            for stem, pages, content in sections.split(section, taken, write):
                if content:
                    dates = [removals.get(position), *(page.lastmod for page in pages)]
                    entry = IndexEntry(
                        url=_url(stem, site), lastmod=max(filter(None, dates), default=None)
                    )
                    staging.add(urls.relative_path(entry.url, site.url), content)
                    entries.append(entry)
        findings += too_large.values()
        large = (
            page
            for section in grouped
            if too_large
            for page in section.pages
            if page.url in too_large
        )
        omitted = [Omission.of(page, NotListed.LARGE_ENTRY) for page in large]
        sitemaps = [entry.url for entry in entries]
        indexes = dict(name_indexes(entries, site.url, settings))
        for url, content in indexes.items():
            staging.add(urls.relative_path(url, site.url), content)
        announced = announce(site, list(indexes), sitemaps, findings) if indexes else Announcement()
        if announced.content is not None:
            staging.amend(robots.NAME, announced.content)
        changes = staging.commit(stale)
    findings += changes.problems
    return _Written(
        index_urls=list(indexes),
        sitemaps=sitemaps,
        omitted=omitted,
        changes=changes,
        announced=announced,
    )


def _url(stem: str, site: Site) -> str:
    return f"{site.url}{stem}{'.xml.gz' if site.settings.gzip else '.xml'}"
