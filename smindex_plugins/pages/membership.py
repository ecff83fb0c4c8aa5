"""Decides which pages are listed, and why the others are not."""

import itertools
from collections.abc import Callable
from dataclasses import replace
from operator import attrgetter
from typing import NamedTuple

from smindex_plugins.base import patterns, urls
from smindex_plugins.base.catalogue import (
    CANONICAL_MISSING,
    CANONICAL_OUTSIDE,
    CONTROL_CHARACTER,
    NOTHING_LISTED,
    SHARED_URL,
    UNLISTABLE_URL,
)
from smindex_plugins.base.language_codes import is_hreflang
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
    counts_of,
    head_reason,
    not_rendered,
    path_reason,
)
from smindex_plugins.pages.served import relative, shown_url
from smindex_plugins.pages.url_forms import are_twins

_CANONICAL = "but its canonical URL is {}, outside {}."


class Chosen(NamedTuple):
    """The listed pages, why the others are not listed, and what is wrong with any of them."""

    members: list[Page]
    omitted: list[Omission]
    findings: list[Finding]


def nothing_listed(omitted: list[Omission]) -> Finding:
    """Return the finding about a site without an index because none of its pages is listed."""
    problem = "the build produced no page."
    if omitted:
        problem = f"every page was omitted: {counts_of(omitted)}."
    return NOTHING_LISTED.at(counted(len(omitted), "page"), problem)


def choose(
    pages: list[Page],
    site: Site,
    proven: frozenset[str],
    filter_page: Callable[[Page], Page | Omission] | None = None,
) -> Chosen:
    """Return the listed pages, each once, at their canonical URLs and sorted, and an omission for
    each other page.

    ``proven`` are other origins that agree to have their pages listed. ``filter_page`` makes the
    final decision.
    """
    kept: list[Page] = []
    omitted: list[Omission] = []
    findings: list[Finding] = []
    private: list[Spot] = []
    has_dates = site.settings.lastmod == "git"
    by_url = attrgetter("url")
    for _, same_url in itertools.groupby(sorted(pages, key=by_url), key=by_url):
        group = list(same_url)
        # a file contains the last page written to it
        published = {page.file: page for page in group}
        for page in group:
            is_dated = has_dates and not (page.lastmod or page.unlisted)
            findings += find_mistakes(page, is_dated=is_dated)
            winner = published[page.file]
            judged: Page | Omission
            if page.file and winner is not page:
                judged = _overwritten(page, winner)
            else:
                judged = judge(page, site, proven)
                if filter_page and isinstance(judged, Page):
                    judged = filter_page(judged)
            if isinstance(judged, Page):
                kept.append(judged)
                continue
            omitted.append(judged)
            if judged.finding:
                findings.append(judged.finding)
            if judged.reason == NotListed.PRIVATE and _lets_in(page, site):
                private.append(page.spot)
    findings += not_rendered(private)

    kept.sort(key=by_url)
    members: list[Page] = []
    for url, same_url in itertools.groupby(kept, key=by_url):
        member, *others = same_url
        if others:
            shared = _at_same_url(url, [member, *others], site)
            member = shared.members[0]
            omitted += shared.omitted
            findings += shared.findings
        members.append(member)
    return Chosen(members, omitted, findings)


def _overwritten(page: Page, winner: Page) -> Omission:
    """Return the omission of a page whose file another page overwrites."""
    problem = f"{winner.name} overwrites its file, so readers find that page at {page.url}."
    finding = SHARED_URL.at(page.spot, problem)
    return Omission.of(page, NotListed.SHARED_URL, winner.name, finding=finding)


def _lets_in(page: Page, site: Site) -> bool:
    """Whether search engines may index a rendered page, whatever its front matter says."""
    if not page.file or _kept_out_by_host(page, site):
        return False
    try:
        head = head_of(page)
    except OSError:
        return False
    return not head_reason(head, page.url, is_copied=page.kind == "copied")


def _at_same_url(url: str, pages: list[Page], site: Site) -> Chosen:
    """Return which of several pages is listed at their URL: the one whose file is published
    there.
    """
    same = sorted(pages, key=lambda page: page.file or "")
    member = same[0]
    for page in same:
        if url == site.url + _own_path(page, site):
            member = page
    name = member.source_name or member.file or ""
    omitted: list[Omission] = []
    findings: list[Finding] = []
    for page in same:
        if page is not member:
            omitted.append(Omission.of(page, NotListed.SHARED_URL, name))
            findings.append(SHARED_URL.at(page.spot, f"it has the same URL as {name}: {url}."))
    return Chosen([member], omitted, findings)


def judge(
    page: Page, site: Site, proven: frozenset[str], moved: str = _CANONICAL
) -> Page | Omission:
    """Return a page at its canonical URL, or why its generator, author, settings, HTML or host
    exclude it.

    ``moved`` is the end of the message about a URL outside the site: the source of that URL.
    """
    omission = _kept_out(page, site)
    if omission:
        return omission
    if page.file and page.kind != "file":
        rendered = _as_rendered(page, site, proven)
        if isinstance(rendered, Omission):
            return rendered
        page = rendered
    omission = _kept_out_by_host(page, site) or _unlistable(page)
    if omission:
        return omission
    scope = _scope(page, site)
    if not urls.is_within(page.url, scope) and urls.origin(page.url) not in proven:
        finding = _outside(page, page.url, site, scope, moved)
        return Omission.of(page, NotListed.OUT_OF_SCOPE, scope, finding=finding)
    return page


def _unlistable(page: Page) -> Omission | None:
    """Return why no sitemap can list the URL of a page, or None."""
    escape = urls.control_character(page.url)
    if escape:
        problem = f"its URL {page.url[:MAX_URL_LENGTH]} contains the control character {escape}."
        fix = "Rename the page. Until then, it is not listed."
        finding = CONTROL_CHARACTER.at(page.spot, problem, fix)
        return Omission.of(page, NotListed.CONTROL_CHARACTER, escape, finding=finding)
    if len(page.url) > MAX_URL_LENGTH:
        problem = (
            f"its URL has {len(page.url):,} characters; the protocol allows {MAX_URL_LENGTH:,}."
        )
        spot = page.spot._replace(where=page.name[:80])
        finding = UNLISTABLE_URL.at(spot, problem)
        return Omission.of(page, NotListed.LONG_URL, finding=finding)
    return None


def _kept_out(page: Page, site: Site) -> Omission | None:
    """Return why a page is omitted without reading its file, or None."""
    if page.unlisted:
        return Omission.of(page, page.unlisted)
    if page.number > 1 and not site.settings.pagination:
        return Omission.of(page, NotListed.LATER_PAGE, "`pagination: false`")
    if page.meta:
        omission = author_omission(page)
        if omission:
            return omission
    path = path_of(page, site)
    reason = path_reason(path) or path_reason(_own_path(page, site))
    if reason:
        return Omission.of(page, reason)
    pattern = patterns.matches(path, site.settings.exclude)
    if pattern:
        return Omission.of(page, NotListed.EXCLUDED, f"`{pattern}`")
    return None


def path_of(page: Page, site: Site) -> str:
    """Return the path of a URL below the site's address, for matching with URL patterns."""
    if urls.is_within(page.url, site.url):
        return urls.relative_path(page.url, site.url)
    return _own_path(page, site)


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
            by = f"`sitemap: {{{key}: true}}`"
            return Omission.of(page, NotListed.EXCLUDED_BY_AUTHOR, by, "sitemap")
    for key in ("noindex", "private"):
        if switch(meta.get(key)):
            return Omission.of(page, NotListed.PRIVATE, f"`{key}: true`", key)
    robots = meta.get("robots")
    if isinstance(robots, str) and directives.forbids_indexing(robots):
        return Omission.of(page, NotListed.PRIVATE, f"`robots: {robots}`", "robots")
    external = meta.get("external_canonical")
    if isinstance(external, str) and external.strip() not in {"", page.url}:
        by = f"`external_canonical: {masked(external.strip())}`"
        return Omission.of(page, NotListed.CANONICAL_ELSEWHERE, by, "external_canonical")
    return None


def _as_rendered(page: Page, site: Site, proven: frozenset[str]) -> Page | Omission:
    """Return a page as its file declares it.

    Search Console reports listed pages that contradict their sitemap.
    """
    try:
        head = head_of(page)
    except OSError as error:
        return Omission.of(page, NotListed.UNREADABLE, error.strerror or "")
    reason = head_reason(head, page.url, is_copied=page.kind == "copied")
    if reason:
        by = ""
        if reason == NotListed.NOINDEX:
            by = head.robots or ""
        elif reason == NotListed.REDIRECT:
            by = head.refresh or ""
        return Omission.of(page, reason, by)
    url = page.url
    if head.canonical is not None:
        judged = _at_canonical(page, head.canonical, site, proven)
        if isinstance(judged, Omission):
            return judged
        url = judged
    elif not head.names_itself:
        url = shown_url(page, site)
    alternates = page.alternates or _variants(head, url)
    if (url, alternates) == (page.url, page.alternates):
        return page
    return replace(page, url=url, alternates=alternates)


def _variants(head: Head, url: str) -> tuple[tuple[str, str], ...]:
    """Return the language variants that a page at a URL declares.

    A page that declares only itself has none, unless the code is invalid.
    """
    if all(other == url and is_hreflang(code) for code, other in head.alternates):
        return ()
    return head.alternates


def _at_canonical(page: Page, canonical: str, site: Site, proven: frozenset[str]) -> str | Omission:
    """Return the URL of a page that declares a canonical URL, or why that excludes it."""
    if f"{canonical}/" == page.url == site.url:
        # the address without its slash is outside the directory of the sitemap
        return page.url
    is_same = canonical.removesuffix("index.html") == page.url.removesuffix("index.html")
    if is_same or urls.origin(canonical) in proven:
        return canonical
    if urls.is_within(canonical, site.url):
        return _as_canonical(page, canonical, site)
    finding = None
    # `contradictions` judges all others together
    if urls.origin(canonical) == urls.origin(site.url):
        finding = canonical_outside(page, canonical, site)
    return Omission.of(page, NotListed.CANONICAL_ELSEWHERE, canonical, finding=finding)


def _as_canonical(page: Page, canonical: str, site: Site) -> str | Omission:
    """Return the canonical URL of a page in the site if that shows its file, or why another page is
    listed instead.
    """
    serving = site.serving or Serving(directory=site.directory, base=site.url)
    served = serving.answer(canonical)
    is_its_file = page.file is not None and served.file == relative(page.file, site.directory)
    is_own = is_its_file and are_twins(canonical, page.url.partition("?")[0])
    # Most hosts show `about.html` at `/about`, but few show it at `/about/`.
    is_unlikely = served.status is None and canonical.endswith("/")
    what = ""
    if served.is_redirect and not are_twins(canonical, served.to):
        what = f"which redirects to {served.to} ({served.where})"
    elif served.is_missing or is_unlikely or (is_own and "?" in canonical):
        what = "which is not a page"
    elif is_own:
        return canonical
    finding = None
    if what:
        problem = f"its canonical URL is {canonical}, {what}."
        finding = CANONICAL_MISSING.at(page.spot, problem)
    return Omission.of(page, NotListed.CANONICAL_ELSEWHERE, canonical, finding=finding)


def canonical_outside(page: Page, canonical: str, site: Site) -> Finding:
    """Return the finding about a page whose canonical URL is outside the site."""
    return _outside(page, canonical, site, site.url, _CANONICAL)


def head_of(page: Page) -> Head:
    """Return the head of a page, as passed by the host or read from its file.

    Raises:
        OSError: the file can't be read.
    """
    return page.head or read_head(page.file or "", page.url)


def _kept_out_by_host(page: Page, site: Site) -> Omission | None:
    if not site.serving:
        return None
    reason, by = host_reason(site.serving, page.url)
    if reason:
        return Omission.of(page, reason, by)
    return None


def _scope(page: Page, site: Site) -> str:
    """Return the directory that must contain the page's URL: the directory of its file's section.

    The page's own directory is ignored: ``about/index.html`` can declare the canonical URL
    ``/about``.
    """
    if not page.file or page.mapped:
        return site.url
    path = relative(page.file, site.directory).removesuffix("/index.html")
    segments = path.split("/", site.settings.section_depth)
    section = "/".join(segments[:-1])
    if not section:
        return site.url
    return f"{site.url}{urls.from_file_path(section)}/"


def _own_path(page: Page, site: Site) -> str:
    """Return the path below the site's address at which a server shows the page's file."""
    if not page.file:
        return ""
    return urls.page_path(relative(page.file, site.directory))


def _outside(page: Page, url: str, site: Site, scope: str, moved: str) -> Finding:
    own = site.url + _own_path(page, site)
    return CANONICAL_OUTSIDE.at(page.spot, f"it is published at {own}, {moved.format(url, scope)}")
