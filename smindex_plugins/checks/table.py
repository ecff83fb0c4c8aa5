"""The table of all checks by what they may look at, and the selection of findings for a run.

A check is a function that takes one of four subjects and yields findings: a `CheckedFile` (a
sitemap or an index), a `CheckedPage` (a listed one), a `Robots`, or the `SiteFacts` as a whole. The
tests plant a fault for each check.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from smindex_plugins.base.catalogue import CATALOGUE
from smindex_plugins.base.model import Finding, Findings
from smindex_plugins.checks import (
    _across,
    _address,
    _entries,
    _files,
    _leading,
    _pages,
    _robots,
    _site,
)
from smindex_plugins.checks._pages import CheckedPage
from smindex_plugins.checks._site import SiteFacts
from smindex_plugins.checks.checked import CheckedFile
from smindex_plugins.writing.robots import Robots

CHECKS: Mapping[type, tuple[Callable[[Any], Findings], ...]] = {
    CheckedFile: (
        _entries.invalid_url,
        _entries.unescaped_url,
        _entries.twice_escaped_url,
        _entries.doubled_slash,
        _entries.private_host,
        _entries.url_with_fragment,
        _entries.control_character,
        _entries.url_too_long,
        _entries.outside_scope,
        _entries.robots_blocks_page,
        _entries.robots_blocks_image,
        _entries.invalid_date,
        _entries.future_date,
        _entries.zero_date,
        _entries.stale_index_date,
        _entries.too_many_images,
        _entries.old_news,
        _entries.invalid_hreflang,
        _entries.hreflang_without_self,
        _entries.hreflang_contradiction,
        _files.missing_sitemap,
        _files.not_a_sitemap,
        _files.unfetched_sitemap,
        _files.sitemap_redirects,
        _files.wrong_content_type,
        _files.robots_blocks_sitemap,
        _files.nested_index,
        _files.duplicate_sitemap,
        _files.too_large,
        _files.too_many_entries,
        _files.too_many_news,
        _files.empty_sitemap,
        _files.feed_as_sitemap,
        _files.ignored_hints,
        _files.retired_tag,
    ),
    CheckedPage: (
        _pages.missing_page,
        _pages.page_error,
        _pages.page_unreachable,
        _pages.empty_page,
        _pages.noindex_page,
        _pages.noindex_in_body,
        _pages.listed_error_page,
        _pages.false_date,
    ),
    Robots: (
        _robots.robots_unreachable,
        _robots.robots_unread_line,
        _robots.robots_in_subdirectory,
    ),
    SiteFacts: (
        _address.placeholder_address,
        _address.other_addresses,
        _site.unreadable_directory,
        _leading.page_redirects,
        _leading.host_redirects,
        _leading.dead_redirect,
        _leading.canonical_missing,
        _site.unlisted_page,
        _site.nothing_listed,
        _site.noindex_not_rendered,
        _site.orphan_page,
        _site.unlisted_but_linked,
        _site.build_stamp,
        _site.contradicted_date,
        _site.uncompared_dates,
        _across.repeated_url,
        _across.second_list,
        _across.unlisted_sitemap,
        _across.hreflang_not_mutual,
    ),
}
"""The checks by the type of their subject, in the order of their findings."""


@dataclass(frozen=True, slots=True)
class Selection:
    """The kinds of findings to report, by name."""

    names: frozenset[str] = frozenset(CATALOGUE)

    def judge(self, subject: object) -> Findings:
        """Yield the wanted findings about a subject."""
        if isinstance(subject, CheckedFile):
            yield from self.wanted(subject.document.findings)
        for check in CHECKS[type(subject)]:
            for finding in check(subject):
                if finding.check in self.names:
                    yield finding

    def wanted(self, findings: Iterable[Finding]) -> Findings:
        """Return only the wanted findings."""
        return (finding for finding in findings if finding.check in self.names)
