"""Which pages are listed, and why the others are not."""

import os
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

from smindex_plugins import urls
from smindex_plugins.frontmatter import is_private
from smindex_plugins.limits import MAX_URL_LENGTH
from smindex_plugins.model import Finding, Page
from smindex_plugins.settings import Target


@dataclass(frozen=True, slots=True)
class Members:
    """The pages that are listed, and how many are not by the reason."""

    pages: list[Page] = field(default_factory=list)
    omitted: Counter[str] = field(default_factory=Counter)
    findings: list[Finding] = field(default_factory=list)


def choose(pages: Iterable[Page], target: Target) -> Members:
    """Keep the pages that are to be listed, once each."""
    members = Members()
    first_at: dict[str, Page] = {}
    for page in pages:
        reason, finding = _omission(page, target)
        if reason is None and page.url in first_at:
            reason, finding = "at the URL of another page", _duplicate(first_at[page.url], page)
        if reason is None:
            first_at[page.url] = page
            members.pages.append(page)
        else:
            members.omitted[reason] += 1
            members.findings.extend(filter(None, [finding]))
    members.pages[:] = [_with_listed_alternates(page, first_at, target) for page in members.pages]
    return members


def _with_listed_alternates(page: Page, listed: Mapping[str, Page], target: Target) -> Page:
    """Drop the variants that are not listed: they could not point back, and a link of one side is ignored."""
    if not page.alternates:
        return page
    kept = tuple(
        (code, url) for code, url in page.alternates if url in listed or not urls.is_within(url, target.site_url)
    )
    return replace(page, alternates=kept if len({url for _, url in kept}) > 1 else ())


def _omission(page: Page, target: Target) -> tuple[str | None, Finding | None]:
    if reason := _kept_back(page, target):
        return reason, None
    scope = _own_scope(page, target)
    if not urls.is_within(page.url, scope):
        return "outside the directory scope", _canonical_outside(page, target, scope)
    path = urls.relative_path(page.url, target.site_url)
    if path.rstrip("/") == "404" or path.rpartition("/")[2] == "404.html":
        return "an error page", None
    if urls.matches(path, target.settings.exclude):
        return "excluded by the settings", None
    if len(page.url) > MAX_URL_LENGTH:
        return "with a URL that is too long", _too_long(page)
    return None, None


def _kept_back(page: Page, target: Target) -> str | None:
    if page.unlisted:
        return page.unlisted
    if page.number > 1 and not target.settings.pagination:
        return "a later page of a list"
    return "private or noindex in its front matter" if is_private(page) else None


def _own_scope(page: Page, target: Target) -> str:
    """Give the directory that the page's URL must be under: that of the section in which its rendered file lies.

    The page's own directory does not count: ``about/index.html`` may well call itself ``/about``.
    """
    above = _own_path(page, target).rstrip("/").rpartition("/")[0]
    section = "/".join(above.split("/")[: target.settings.section_depth])
    return f"{target.site_url}{section}/" if section and not page.mapped else target.site_url


def _own_path(page: Page, target: Target) -> str:
    if not page.file:
        return ""
    # Files are absolute and below the directory as a rule; relpath would take as long as all the rest of this module.
    inside = page.file.startswith(target.directory + os.sep)
    relative = page.file[len(target.directory) + 1 :] if inside else os.path.relpath(page.file, target.directory)
    relative = relative.replace(os.sep, "/")
    return urls.from_file_path(relative).removesuffix("index.html")


def _canonical_outside(page: Page, target: Target, scope: str) -> Finding:
    return Finding(
        check="outside-scope",
        level="warning",
        where=page.source_name or page.url,
        problem=f"it is published at {target.site_url}{_own_path(page, target)}, but its canonical URL is {page.url}, "
        f"outside {scope}.",
        fix="It is not listed. Correct the canonical URL, or list the page in the sitemap of the site it belongs to.",
    )


def _duplicate(first: Page, second: Page) -> Finding:
    return Finding(
        check="duplicate-url",
        level="notice",
        where=second.source_name or second.file,
        problem=f"it has the same URL as {first.source_name or first.file}: {first.url}.",
        fix="It is listed once. Give one of them another URL.",
    )


def _too_long(page: Page) -> Finding:
    return Finding(
        check="url-too-long",
        level="warning",
        where=page.source_name or page.url[:80],
        problem=f"its URL has {len(page.url):,} characters; the protocol allows {MAX_URL_LENGTH:,}.",
        fix="It is not listed. Shorten its path.",
    )
