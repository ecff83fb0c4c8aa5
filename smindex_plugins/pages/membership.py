"""Which pages are listed, and why the others are not."""

import itertools
import os
from collections import Counter
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import lru_cache
from operator import attrgetter

from smindex_plugins import urls
from smindex_plugins.catalogue import CANONICAL_OUTSIDE, NOTHING_LISTED, SHARED_URL, UNLISTABLE_URL
from smindex_plugins.limits import MAX_URL_LENGTH
from smindex_plugins.model import Finding, Page
from smindex_plugins.pages import head
from smindex_plugins.pages.front_matter import author_value, find_mistakes, switch
from smindex_plugins.settings import Target
from smindex_plugins.wording import counted, listed

_URL = attrgetter("url")
_encoded = lru_cache(maxsize=1024)(urls.from_file_path)  # there are few sections
_OMITTING_KEYS = frozenset({"sitemap", "noindex", "private", "robots", "external_canonical"})


class Reason(StrEnum):
    """Why a page is in no sitemap, in words that follow a count: ``3 marked noindex``."""

    EXCLUDED = "excluded by the settings"
    EXCLUDED_BY_AUTHOR = "excluded by its front matter"
    PRIVATE = "private or noindex in its front matter"
    LATER_PAGE = "beyond the first page of a list"
    ERROR_PAGE = "shown for errors"
    UNREADABLE = "without a readable file"
    FRAGMENT = "without an HTML document"
    EMPTY = "without content"
    NOINDEX = "marked noindex"
    REDIRECT = "redirecting elsewhere"
    CANONICAL_ELSEWHERE = "with another canonical URL"
    OUT_OF_SCOPE = "outside the directory scope"
    LONG_URL = "with a URL that is too long"
    LARGE_ENTRY = "with an entry that is too large"
    SHARED_URL = "at the URL of another page"


@dataclass(frozen=True, slots=True)
class Omission:
    """A page that is in no sitemap."""

    url: str
    where: str
    reason: str
    """A `Reason`, or the words of the host that does not publish it."""

    def __str__(self) -> str:
        return f"{self.where} is in no sitemap, because it is {self.reason}."


def choose(
    pages: list[Page], target: Target, proven: frozenset[str], findings: list[Finding]
) -> tuple[list[Page], list[Omission]]:
    """Return the pages that are listed, once each and sorted by URL, as they call themselves; and those that are not.

    ``proven`` are other origins that agree to have their pages listed.
    """
    kept: list[Page] = []
    omitted: list[Omission] = []
    for given in sorted(pages, key=_URL):
        find_mistakes(given, findings)
        page, reason = _judge(given, target, proven, findings)
        if reason:
            omitted.append(_omission(page, reason))
        else:
            kept.append(page)
    kept.sort(key=_URL)
    members = _once_each(kept, target, omitted, findings)
    reasons = Counter(omission.reason for omission in omitted)
    if not members and reasons.keys() & {Reason.NOINDEX, Reason.REDIRECT, Reason.CANONICAL_ELSEWHERE}:
        problem = f"every page of the site was left out: {listed(reasons)}."
        findings.append(NOTHING_LISTED.at(counted(len(omitted), "page"), problem))
    return members, omitted


def _omission(page: Page, reason: str) -> Omission:
    return Omission(page.url, page.details.source_name or page.file, reason)


def _once_each(kept: list[Page], target: Target, omitted: list[Omission], findings: list[Finding]) -> list[Page]:
    """Of several pages with one URL, which stand together, list the one that is published there."""
    if all(one.url != next_one.url for one, next_one in itertools.pairwise(kept)):
        return kept
    once: list[Page] = []
    for url, group in itertools.groupby(kept, key=_URL):
        same = sorted(group, key=attrgetter("file"))
        first = next((page for page in reversed(same) if url == target.site_url + _own_path(page, target)), same[0])
        once.append(first)
        for page in same:
            if page is not first:
                omitted.append(_omission(page, Reason.SHARED_URL))
                problem = f"it has the same URL as {first.details.source_name or first.file}: {url}."
                findings.append(SHARED_URL.at(page.details.source_name or page.file, problem))
    return once


def _judge(page: Page, target: Target, proven: frozenset[str], findings: list[Finding]) -> tuple[Page, str | None]:
    """Ask who may leave a page out: first host and author, then the user's settings, then the page itself."""
    reason = _kept_out(page, target)
    if page.file and not reason:
        page, reason = _as_rendered(page, target, proven, findings)
    return page, reason or _unlistable(page, target, proven, findings)


def _kept_out(page: Page, target: Target) -> str | None:
    if page.details.unlisted:
        return page.details.unlisted
    if page.details.number > 1 and not target.settings.pagination:
        return Reason.LATER_PAGE
    if reason := author_omission(page):
        return reason
    is_here = urls.is_within(page.url, target.site_url)
    path = urls.relative_path(page.url, target.site_url) if is_here else _own_path(page, target)
    if urls.is_error_page(path):
        return Reason.ERROR_PAGE
    return Reason.EXCLUDED if urls.matches(path, target.settings.exclude) else None


def author_omission(page: Page) -> Reason | None:
    """Return why the author keeps a page out of the sitemaps.

    ``sitemap: false`` and ``sitemap: {exclude: true}`` are ours; ``noindex``, ``private``, ``robots`` and
    ``external_canonical`` are what authors write for other plugins. To keep a page out of a site's own search says
    nothing about search engines.
    """
    meta = page.details.meta
    if not meta or _OMITTING_KEYS.isdisjoint(meta):
        return None
    if switch(meta.get("sitemap")) is False or switch(author_value(page, "sitemap.exclude")):
        return Reason.EXCLUDED_BY_AUTHOR
    if switch(meta.get("noindex")) or switch(meta.get("private")) or head.forbids_indexing(str(meta.get("robots", ""))):
        return Reason.PRIVATE
    external = meta.get("external_canonical")
    is_elsewhere = isinstance(external, str) and external.strip() not in {"", page.url}
    return Reason.CANONICAL_ELSEWHERE if is_elsewhere else None


def _as_rendered(
    page: Page, target: Target, proven: frozenset[str], findings: list[Finding]
) -> tuple[Page, str | None]:
    """Take a page at the word of its file: a listed page that contradicts its sitemap is an error in Search Console."""
    try:
        said = head.read(page.file, page.url)
    except OSError:
        return page, Reason.UNREADABLE
    if reason := renounced(said, page.url, may_be_fragment=page.details.copied):
        return page, reason
    if said.alternates and not page.details.alternates:
        page = replace(page, details=replace(page.details, alternates=said.alternates))
    if said.canonical is None:
        return page, None
    is_same = said.canonical.removesuffix("index.html") == page.url.removesuffix("index.html")
    if is_same or urls.origin(said.canonical) in proven:
        return replace(page, url=said.canonical), None
    if not urls.is_within(said.canonical, target.site_url):
        findings.append(_outside(page, said.canonical, target, target.site_url))
    return page, Reason.CANONICAL_ELSEWHERE


def renounced(said: head.Said, url: str, *, may_be_fragment: bool) -> Reason | None:
    """Return why a page keeps itself out of sitemaps, or None."""
    if may_be_fragment and said.partial:
        return Reason.FRAGMENT
    if said.noindex:
        return Reason.NOINDEX
    if said.refresh not in {None, url}:
        return Reason.REDIRECT
    return Reason.EMPTY if said.empty else None


def _unlistable(page: Page, target: Target, proven: frozenset[str], findings: list[Finding]) -> str | None:
    scope = _own_scope(page, target)
    if not urls.is_within(page.url, scope) and urls.origin(page.url) not in proven:
        findings.append(_outside(page, page.url, target, scope))
        return Reason.OUT_OF_SCOPE
    if len(page.url) > MAX_URL_LENGTH:
        problem = f"its URL has {len(page.url):,} characters; the protocol allows {MAX_URL_LENGTH:,}."
        findings.append(UNLISTABLE_URL.at(page.name[:80], problem))
        return Reason.LONG_URL
    return None


def _own_scope(page: Page, target: Target) -> str:
    """Return the directory that the page's URL must be under: that of the section in which its rendered file lies.

    The page's own directory does not count: ``about/index.html`` may well call itself ``/about``.
    """
    if not page.file or page.details.mapped:
        return target.site_url
    above = _below(page.file, target.directory).removesuffix("/index.html").rpartition("/")[0]
    section = "/".join(above.split("/")[: target.settings.section_depth])
    return f"{target.site_url}{_encoded(section)}/" if section else target.site_url


def _own_path(page: Page, target: Target) -> str:
    """Return the path below the site's address at which a server answers with the page's rendered file."""
    return urls.page_path(_below(page.file, target.directory)) if page.file else ""


def _below(file: str, directory: str) -> str:
    # Files are absolute and below the directory as a rule; relpath would take as long as all the rest of this module.
    inside = file.removeprefix(directory + os.sep)
    return (os.path.relpath(file, directory) if inside == file else inside).replace(os.sep, "/")


def _outside(page: Page, canonical: str, target: Target, scope: str) -> Finding:
    own = target.site_url + _own_path(page, target)
    problem = f"it is published at {own}, but its canonical URL is {canonical}, outside {scope}."
    return CANONICAL_OUTSIDE.at(page.name, problem)
