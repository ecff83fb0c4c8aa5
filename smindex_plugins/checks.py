"""What can be wrong with the sitemaps of a site, one small function a check."""

from collections.abc import Callable, Iterator

from smindex_plugins import urls
from smindex_plugins.limits import MAX_BYTES, MAX_URLS
from smindex_plugins.model import Finding, Site, Sitemap, SitemapIndex
from smindex_plugins.protocol import OwnPages


def check(site: Site) -> Iterator[Finding]:
    """Judge a site as it was read back, each of its sitemaps once."""
    for index_check in INDEX_CHECKS:
        yield from index_check(site.index)
    for sitemap in site.sitemaps:
        if isinstance(sitemap, Finding):
            yield sitemap
        else:
            for sitemap_check in SITEMAP_CHECKS:
                yield from sitemap_check(sitemap)


def sitemap_outside_index(index: SitemapIndex) -> Iterator[Finding]:
    """An index lists only sitemaps on its own scheme, host and port, in its own directory or deeper."""
    scope = urls.directory(urls.normalise(index.url))
    for entry in index.entries:
        yield from _outside(
            "sitemap-outside-index",
            index.url,
            entry.url,
            scope,
            "Move the sitemap below the index, or list it elsewhere.",
        )


def duplicate_sitemap(index: SitemapIndex) -> Iterator[Finding]:
    """An index lists each sitemap once."""
    seen: set[str] = set()
    for entry in index.entries:
        if entry.url in seen:
            yield _error("duplicate-sitemap", index.url, f"it lists {entry.url} more than once.", "Remove the copy.")
        seen.add(entry.url)


def too_many_sitemaps(index: SitemapIndex) -> Iterator[Finding]:
    """An index lists at most 50,000 sitemaps."""
    if len(index.entries) > MAX_URLS:
        yield _error(
            "too-many-sitemaps",
            index.url,
            f"it lists {len(index.entries):,} sitemaps; the protocol allows {MAX_URLS:,}.",
            "Make sections larger, or split the site.",
        )


def outside_scope(sitemap: Sitemap) -> Iterator[Finding]:
    """A sitemap lists only URLs on its own scheme, host and port, under its own directory."""
    scope = urls.directory(urls.normalise(sitemap.url))
    if isinstance(sitemap.pages, OwnPages) and sitemap.pages.are_below(scope):
        return
    for page in sitemap.pages:
        yield from _outside(
            "outside-scope", sitemap.url, page.url, scope, "List the page in a sitemap of its own directory or above."
        )


def too_many_urls(sitemap: Sitemap) -> Iterator[Finding]:
    """A sitemap lists at most 50,000 URLs."""
    if len(sitemap.pages) > MAX_URLS:
        yield _error(
            "too-many-urls",
            sitemap.url,
            f"it lists {len(sitemap.pages):,} URLs; the protocol allows {MAX_URLS:,}.",
            "Split it.",
        )


def too_large(sitemap: Sitemap) -> Iterator[Finding]:
    """A sitemap has at most 52,428,800 bytes before compression."""
    if sitemap.size > MAX_BYTES:
        yield _error(
            "too-large",
            sitemap.url,
            f"it has {sitemap.size:,} bytes uncompressed; the protocol allows {MAX_BYTES:,}.",
            "Split it.",
        )


def empty_sitemap(sitemap: Sitemap) -> Iterator[Finding]:
    """A sitemap lists at least one URL."""
    if not sitemap.pages:
        yield _error("empty-sitemap", sitemap.url, "it lists no URL.", "Remove it from the index.")


INDEX_CHECKS: tuple[Callable[[SitemapIndex], Iterator[Finding]], ...] = (
    sitemap_outside_index,
    duplicate_sitemap,
    too_many_sitemaps,
)
SITEMAP_CHECKS: tuple[Callable[[Sitemap], Iterator[Finding]], ...] = (
    outside_scope,
    too_many_urls,
    too_large,
    empty_sitemap,
)


def _outside(check_name: str, where: str, url: str, scope: str, fix: str) -> Iterator[Finding]:
    try:
        inside = urls.is_within(urls.normalise(url), scope)
    except ValueError as error:
        yield _error("invalid-url", where, f"{error}.", "List absolute URLs, with scheme and host.")
        return
    if not inside:
        yield _error(check_name, where, f"lists {url}, which is outside {scope}.", fix)


def _error(check_name: str, where: str, problem: str, fix: str) -> Finding:
    return Finding(check=check_name, level="error", where=where, problem=problem, fix=fix)
