"""Decides which pages are listed, and why the others are not."""

import itertools
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import replace
from operator import attrgetter

from smindex_plugins.base import patterns, urls
from smindex_plugins.base.catalogue import (
    CANONICAL_MISSING,
    CANONICAL_OUTSIDE,
    CONTROL_CHARACTER,
    NOTHING_LISTED,
    SHARED_URL,
    UNLISTABLE_URL,
)
from smindex_plugins.base.limits import MAX_URL_LENGTH
from smindex_plugins.base.model import Finding, Head, Page, Spot
from smindex_plugins.base.serving import Serving
from smindex_plugins.base.site import Site
from smindex_plugins.base.text import counted, masked
from smindex_plugins.html import directives
from smindex_plugins.html.front_matter import switch
from smindex_plugins.html.page import read_head
from smindex_plugins.pages._author import author_value, find_mistakes
from smindex_plugins.pages.host import host_reason
from smindex_plugins.pages.omissions import (
    NotListed,
    Omission,
    head_reason,
    left_out,
    not_rendered,
    path_reason,
)
from smindex_plugins.pages.served import relative, shown_url
from smindex_plugins.pages.url_forms import are_twins

_CANONICAL = "but its canonical URL is {}, outside {}."


def nothing_listed(omitted: list[Omission]) -> Finding:
    """Return the finding about a site without an index because none of its pages is listed."""
    problem = (
        f"every page was left out: {left_out(omitted)}."
        if omitted
        else "the build produced no page."
    )
    return NOTHING_LISTED.at(counted(len(omitted), "page"), problem)


def choose(
    pages: list[Page],
    site: Site,
    proven: frozenset[str],
    findings: list[Finding],
    filter_page: Callable[[Page], Page | Omission] | None = None,
) -> tuple[list[Page], list[Omission]]:
    """Return the listed pages, each once, at their canonical URLs and sorted, and an omission for
    each other page.

    ``proven`` are other origins that agree to have their pages listed. ``filter_page`` makes the
    final decision.
    """
    kept: list[Page] = []
    omitted: list[Omission] = []
    private: list[Spot] = []
    for _, same_url in itertools.groupby(
        sorted(pages, key=attrgetter("url")), key=attrgetter("url")
    ):
        group = list(same_url)
        # a file contains the last page written to it
        published = {page.file: page for page in group}
        for page in group:
            find_mistakes(page, findings)
            winner = published[page.file]
            if page.file and winner is not page:
                omitted.append(Omission.of(page, NotListed.SHARED_URL, winner.name))
                problem = (
                    f"{winner.name} overwrites its file, so readers find that page at {page.url}."
                )
                findings.append(SHARED_URL.at(page.spot, problem))
                continue
            judged = judge(page, site, proven, findings)
            if filter_page and isinstance(judged, Page):
                judged = filter_page(judged)
            if isinstance(judged, Page):
                kept.append(judged)
                continue
            omitted.append(judged)
            if (
                judged.reason == NotListed.PRIVATE
                and page.file
                and not _kept_out_by_host(page, site)
            ):
                with suppress(OSError):
                    if not head_reason(head_of(page), page.url, is_copied=page.kind == "copied"):
                        private.append(page.spot)
    findings += not_rendered(private)
    kept.sort(key=attrgetter("url"))
    return list(_once_each(kept, site, omitted, findings)), omitted


def _once_each(
    kept: list[Page], site: Site, omitted: list[Omission], findings: list[Finding]
) -> Iterator[Page]:
    """Yield one page for each URL: the one whose file is published there.

    The pages are sorted by URL.
    """
    for url, group in itertools.groupby(kept, key=attrgetter("url")):
        first, *others = group
        if others:
            first, *_ = same = sorted([first, *others], key=attrgetter("file"))
            first = next(
                (page for page in reversed(same) if url == site.url + _own_path(page, site)), first
            )
            name = first.source_name or first.file
            others = [page for page in same if page is not first]
            omitted += [Omission.of(page, NotListed.SHARED_URL, name) for page in others]
            findings += [
                SHARED_URL.at(page.spot, f"it has the same URL as {name}: {url}.")
                for page in others
            ]
        yield first


def judge(
    page: Page, site: Site, proven: frozenset[str], findings: list[Finding], moved: str = _CANONICAL
) -> Page | Omission:
    """Return a page at its canonical URL, or why its generator, author, settings, HTML or host
    exclude it.

    ``moved`` is the end of the message about a URL outside the site: the source of that URL.
    """
    if omission := _kept_out(page, site):
        return omission
    if page.file and page.kind != "file":
        rendered = _as_rendered(page, site, proven, findings)
        if isinstance(rendered, Omission):
            return rendered
        page = rendered
    if omission := _kept_out_by_host(page, site):
        return omission
    if omission := _unlistable(page, findings):
        return omission
    scope = _scope(page, site)
    if not urls.is_within(page.url, scope) and urls.origin(page.url) not in proven:
        findings.append(_outside(page, page.url, site, scope, moved))
        return Omission.of(page, NotListed.OUT_OF_SCOPE, scope)
    return page


def _unlistable(page: Page, findings: list[Finding]) -> Omission | None:
    """Return why no sitemap can list the URL of a page, or None."""
    if escape := urls.control_character(page.url):
        problem = f"its URL {page.url[:MAX_URL_LENGTH]} contains the control character {escape}."
        findings.append(
            CONTROL_CHARACTER.at(
                page.spot, problem, "Rename the page. Until then, it is not listed."
            )
        )
        return Omission.of(page, NotListed.CONTROL_CHARACTER, escape)
    if len(page.url) > MAX_URL_LENGTH:
        problem = (
            f"its URL has {len(page.url):,} characters; the protocol allows {MAX_URL_LENGTH:,}."
        )
        findings.append(UNLISTABLE_URL.at(page.spot._replace(where=page.name[:80]), problem))
        return Omission.of(page, NotListed.LONG_URL)
    return None


def _kept_out(page: Page, site: Site) -> Omission | None:
    """Return why a page is omitted without reading its file, or None."""
    if page.unlisted:
        return Omission.of(page, page.unlisted)
    if page.number > 1 and not site.settings.pagination:
        return Omission.of(page, NotListed.LATER_PAGE, "`pagination: false`")
    if page.meta and (omission := author_omission(page)):
        return omission
    path = path_of(page, site)
    if reason := path_reason(path) or path_reason(_own_path(page, site)):
        return Omission.of(page, reason)
    pattern = patterns.matches(path, site.settings.exclude)
    return Omission.of(page, NotListed.EXCLUDED, f"`{pattern}`") if pattern else None


def path_of(page: Page, site: Site) -> str:
    """Return the path of a URL below the site's address, for matching with URL patterns."""
    is_here = urls.is_within(page.url, site.url)
    return urls.relative_path(page.url, site.url) if is_here else _own_path(page, site)


def author_omission(page: Page) -> Omission | None:
    """Return why the author excludes a page from sitemaps, or None.

    ``sitemap: false`` and ``sitemap: {exclude: true}`` are our keys, and ``sitemap: {disable:
    true}`` is Hugo's. ``noindex``, ``private``, ``robots`` and ``external_canonical`` are keys of
    other plugins. A page that is only excluded from the site's own search is listed.
    """
    meta = page.meta or {}
    if switch(meta.get("sitemap")) is False:
        return Omission.of(page, NotListed.EXCLUDED_BY_AUTHOR, "`sitemap: false`", "sitemap")
    for key in ("exclude", "disable"):
        if switch(author_value(page, f"sitemap.{key}")):
            return Omission.of(
                page, NotListed.EXCLUDED_BY_AUTHOR, f"`sitemap: {{{key}: true}}`", "sitemap"
            )
    for key in ("noindex", "private"):
        if switch(meta.get(key)):
            return Omission.of(page, NotListed.PRIVATE, f"`{key}: true`", key)
    robots, external = meta.get("robots"), meta.get("external_canonical")
    if isinstance(robots, str) and directives.forbids_indexing(robots):
        return Omission.of(page, NotListed.PRIVATE, f"`robots: {robots}`", "robots")
    if isinstance(external, str) and external.strip() not in {"", page.url}:
        by = f"`external_canonical: {masked(external.strip())}`"
        return Omission.of(page, NotListed.CANONICAL_ELSEWHERE, by, "external_canonical")
    return None


def _as_rendered(
    page: Page, site: Site, proven: frozenset[str], findings: list[Finding]
) -> Page | Omission:
    """Return a page as its file declares it.

    Search Console reports listed pages that contradict their sitemap.
    """
    try:
        head = head_of(page)
    except OSError as error:
        return Omission.of(page, NotListed.UNREADABLE, error.strerror or "")
    if reason := head_reason(head, page.url, is_copied=page.kind == "copied"):
        return Omission.of(
            page,
            reason,
            {NotListed.NOINDEX: head.robots, NotListed.REDIRECT: head.refresh}.get(reason) or "",
        )
    if head.alternates and not page.alternates:
        page = replace(page, alternates=head.alternates)
    canonical = head.canonical
    if canonical is None:
        return page if head.names_itself else replace(page, url=shown_url(page, site))
    is_same = canonical.removesuffix("index.html") == page.url.removesuffix("index.html")
    if f"{canonical}/" == page.url == site.url:
        # the address without its slash is outside the directory of the sitemap
        canonical, is_same = page.url, True
    if is_same or urls.origin(canonical) in proven:
        return replace(page, url=canonical)
    if urls.is_within(canonical, site.url):
        return _as_canonical(page, canonical, site, findings)
    # `contradictions` judges all others together
    if urls.origin(canonical) == urls.origin(site.url):
        findings.append(canonical_outside(page, canonical, site))
    return Omission.of(page, NotListed.CANONICAL_ELSEWHERE, canonical)


def _as_canonical(
    page: Page, canonical: str, site: Site, findings: list[Finding]
) -> Page | Omission:
    """Return a page at its canonical URL in the site if that shows its file, or why another page is
    listed instead.
    """
    serving = site.serving or Serving(directory=site.directory, base=site.url)
    served, problem = serving.answer(canonical), ""
    is_own = served.file == relative(page.file, site.directory) and are_twins(
        canonical, page.url.partition("?")[0]
    )
    # Most hosts show `about.html` at `/about`, but few show it at `/about/`.
    is_unlikely = served.status is None and canonical.endswith("/")
    if served.is_redirect and not are_twins(canonical, served.to):
        problem = f"which redirects to {served.to} ({served.where})"
    elif served.is_missing or is_unlikely or (is_own and "?" in canonical):
        problem = "which is not a page"
    elif is_own:
        return replace(page, url=canonical)
    if problem:
        findings.append(
            CANONICAL_MISSING.at(page.spot, f"its canonical URL is {canonical}, {problem}.")
        )
    return Omission.of(page, NotListed.CANONICAL_ELSEWHERE, canonical)


def canonical_outside(page: Page, canonical: str, site: Site) -> Finding:
    """Return the finding about a page whose canonical URL is outside the site."""
    return _outside(page, canonical, site, site.url, _CANONICAL)


def head_of(page: Page) -> Head:
    """Return the head of a page, as passed by the host or read from its file.

    Raises:
        OSError: the file cannot be read.
    """
    return page.head or read_head(page.file, page.url)


def _kept_out_by_host(page: Page, site: Site) -> Omission | None:
    reason, by = host_reason(site.serving, page.url) if site.serving else ("", "")
    return Omission.of(page, reason, by) if reason else None


def _scope(page: Page, site: Site) -> str:
    """Return the directory that must contain the page's URL: the directory of its file's section.

    The page's own directory is ignored: ``about/index.html`` can declare the canonical URL
    ``/about``.
    """
    if not page.file or page.mapped:
        return site.url
    segments = (
        relative(page.file, site.directory)
        .removesuffix("/index.html")
        .split("/", site.settings.section_depth)
    )
    section = "/".join(segments[:-1])
    return f"{site.url}{urls.from_file_path(section)}/" if section else site.url


def _own_path(page: Page, site: Site) -> str:
    """Return the path below the site's address at which a server shows the page's file."""
    return urls.page_path(relative(page.file, site.directory)) if page.file else ""


def _outside(page: Page, url: str, site: Site, scope: str, moved: str) -> Finding:
    own = site.url + _own_path(page, site)
    return CANONICAL_OUTSIDE.at(page.spot, f"it is published at {own}, {moved.format(url, scope)}")
