"""Which pages are listed, and why the others are not."""

import itertools
import os
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from operator import attrgetter

from smindex_plugins import urls
from smindex_plugins.limits import MAX_URL_LENGTH
from smindex_plugins.model import Finding, Page
from smindex_plugins.pages import head as html
from smindex_plugins.pages.front_matter import author_mistakes, author_omission
from smindex_plugins.settings import Target
from smindex_plugins.wording import counted, listed


@dataclass(frozen=True, slots=True)
class Omission:
    """A page that is in no sitemap, and why, in words that follow its count: ``3 marked noindex``."""

    url: str
    where: str
    reason: str


@dataclass(frozen=True, slots=True)
class Members:
    """The pages that are listed, the ones that are not, and what is wrong with any of them."""

    pages: list[Page] = field(default_factory=list)
    omitted: list[Omission] = field(default_factory=list)
    findings: list[Finding] = field(default_factory=list)


_URL = attrgetter("url")

_Verdict = tuple[str | None, Finding | None]
"""Why a page is left out, or None if it is listed; and what is wrong with it."""


def choose(pages: list[Page], target: Target, proven: frozenset[str] = frozenset()) -> Members:
    """Keep the pages that are to be listed, once each and sorted by URL, as they call themselves in their files.

    ``proven`` are other origins that agree to have their pages listed.
    """
    omitted: list[Omission] = []
    findings: list[Finding] = []
    kept = sorted(_judged(sorted(pages, key=_URL), target, proven, omitted, findings), key=_URL)
    members = Members(_once_each(kept, target, omitted, findings), omitted, findings)
    members.findings.extend(_all_left_out(members))
    return members


def _judged(
    pages: list[Page], target: Target, proven: frozenset[str], omitted: list[Omission], findings: list[Finding]
) -> Iterator[Page]:
    for given in pages:
        page, (reason, finding) = _judge(given, target, proven)
        if reason is None:
            yield page
        else:
            omitted.append(Omission(page.url, page.details.source_name or page.file, reason))
        findings.extend(filter(None, [*author_mistakes(page), finding]))


def _once_each(kept: list[Page], target: Target, omitted: list[Omission], findings: list[Finding]) -> list[Page]:
    """Of several pages with one URL, which stand together, list the one that is published there."""
    if len(set(map(_URL, kept))) == len(kept):
        return kept
    once: list[Page] = []
    for url, group in itertools.groupby(kept, key=_URL):
        same = sorted(group, key=attrgetter("file"))
        listed = next((page for page in reversed(same) if url == target.site_url + _own_path(page, target)), same[0])
        once.append(listed)
        for page in same:
            if page is not listed:
                omitted.append(Omission(page.url, page.details.source_name or page.file, "at the URL of another page"))
                findings.append(_duplicate(listed, page))
    return once


def _judge(page: Page, target: Target, proven: frozenset[str]) -> tuple[Page, _Verdict]:
    """Ask those who may leave a page out, the author first, then the user's settings, then the page itself."""
    if reason := _kept_back(page, target) or _excluded(page, target):
        return page, (reason, None)
    page, verdict = _as_rendered(page, target, proven)
    return page, verdict if verdict[0] else _in_scope(page, target, proven)


def _kept_back(page: Page, target: Target) -> str | None:
    if page.details.unlisted:
        return page.details.unlisted
    if page.details.number > 1 and not target.settings.pagination:
        return "beyond the first page of a list"
    return author_omission(page)


def _excluded(page: Page, target: Target) -> str | None:
    is_here = urls.is_within(page.url, target.site_url)
    path = urls.relative_path(page.url, target.site_url) if is_here else _own_path(page, target)
    if urls.is_error_page(path):
        return "shown for errors"
    return "excluded by the settings" if urls.matches(path, target.settings.exclude) else None


def _as_rendered(page: Page, target: Target, proven: frozenset[str]) -> tuple[Page, _Verdict]:
    """Read what the rendered file says: a listed page that contradicts its sitemap is an error in Search Console."""
    try:
        said = html.read(page.file, page.url) if page.file else html.NOTHING
    except OSError:
        return page, ("without a readable file", None)
    if reason := _renounced(page, said):
        return page, (reason, None)
    if said.canonical is None:
        return _with_alternates(page, said), (None, None)
    if said.canonical.removesuffix("index.html") == page.url.removesuffix("index.html"):
        return _with_alternates(replace(page, url=said.canonical), said), (None, None)
    if urls.origin(said.canonical) in proven:
        return _with_alternates(replace(page, url=said.canonical), said), (None, None)
    outside = not urls.is_within(said.canonical, target.site_url)
    finding = _canonical_outside(page, said.canonical, target, target.site_url) if outside else None
    return page, ("with another canonical URL", finding)


_RENOUNCED = {"marked noindex", "redirecting elsewhere", "with another canonical URL"}


def _renounced(page: Page, said: html.Said) -> str | None:
    if page.details.copied and said.partial:
        return "without an HTML document"
    if said.noindex:
        return "marked noindex"
    if said.refresh not in {None, page.url}:
        return "redirecting elsewhere"
    return "without content" if said.empty else None


def _with_alternates(page: Page, said: html.Said) -> Page:
    if page.details.alternates or not said.alternates:
        return page
    return replace(page, details=replace(page.details, alternates=said.alternates))


def _in_scope(page: Page, target: Target, proven: frozenset[str]) -> _Verdict:
    scope = _own_scope(page, target)
    if not urls.is_within(page.url, scope) and urls.origin(page.url) not in proven:
        return "outside the directory scope", _canonical_outside(page, page.url, target, scope)
    if len(page.url) > MAX_URL_LENGTH:
        return "with a URL that is too long", _too_long(page)
    return None, None


def _own_scope(page: Page, target: Target) -> str:
    """Give the directory that the page's URL must be under: that of the section in which its rendered file lies.

    The page's own directory does not count: ``about/index.html`` may well call itself ``/about``.
    """
    above = _own_path(page, target).rstrip("/").rpartition("/")[0]
    section = "/".join(above.split("/")[: target.settings.section_depth])
    return f"{target.site_url}{section}/" if section and not page.details.mapped else target.site_url


def _own_path(page: Page, target: Target) -> str:
    if not page.file:
        return ""
    # Files are absolute and below the directory as a rule; relpath would take as long as all the rest of this module.
    inside = page.file.startswith(target.directory + os.sep)
    relative = page.file[len(target.directory) + 1 :] if inside else os.path.relpath(page.file, target.directory)
    relative = relative.replace(os.sep, "/")
    directory, _, name = relative.rpartition("/")
    return urls.from_file_path(f"{directory}/".lstrip("/") if name == "index.html" else relative)


def _canonical_outside(page: Page, canonical: str, target: Target, scope: str) -> Finding:
    return Finding(
        check="outside-scope",
        level="warning",
        where=page.name,
        problem=f"it is published at {target.site_url}{_own_path(page, target)}, but its canonical URL is {canonical}, "
        f"outside {scope}.",
        fix="It is not listed. Correct the canonical URL, or list the page in the sitemap of the site it belongs to.",
    )


def _all_left_out(members: Members) -> Iterator[Finding]:
    reasons = Counter(omission.reason for omission in members.omitted)
    if not members.pages and reasons.keys() & _RENOUNCED:
        yield Finding(
            check="nothing-listed",
            level="warning",
            where=counted(len(members.omitted), "page"),
            problem=f"every page of the site was left out: {listed(reasons)}.",
            fix="No sitemap is written. See that the theme and the settings do not say so of all pages by mistake.",
        )


def _duplicate(first: Page, second: Page) -> Finding:
    return Finding(
        check="duplicate-url",
        level="notice",
        where=second.details.source_name or second.file,
        problem=f"it has the same URL as {first.details.source_name or first.file}: {first.url}.",
        fix="It is listed once. Give one of them another URL.",
    )


def _too_long(page: Page) -> Finding:
    return Finding(
        check="url-too-long",
        level="warning",
        where=page.name[:80],
        problem=f"its URL has {len(page.url):,} characters; the protocol allows {MAX_URL_LENGTH:,}.",
        fix="It is not listed. Shorten its path.",
    )
