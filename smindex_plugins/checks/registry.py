"""All checks by their subjects, and what they find in a site as it was read."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any, TypeVar

from smindex_plugins.catalogue import Kind
from smindex_plugins.checks.entries import ENTRY_CHECKS
from smindex_plugins.checks.extensions import EXTENSION_CHECKS
from smindex_plugins.checks.files import FILE_CHECKS
from smindex_plugins.checks.indexes import INDEX_CHECKS
from smindex_plugins.checks.published import (
    BLOCKING_CHECKS,
    PAGE_CHECKS,
    PROVEN_CHECKS,
    ROBOTS_CHECKS,
    SURROUNDINGS_CHECKS,
)
from smindex_plugins.checks.rule import Check
from smindex_plugins.checks.survey import SITE_CHECKS, Survey
from smindex_plugins.model import Finding
from smindex_plugins.sitemaps import faults
from smindex_plugins.sitemaps.listing import Document

S = TypeVar("S")

ALL: tuple[Kind | Check[Any], ...] = (
    *faults.KINDS,
    *FILE_CHECKS,
    *ENTRY_CHECKS,
    *EXTENSION_CHECKS,
    *INDEX_CHECKS,
    *SITE_CHECKS,
    *BLOCKING_CHECKS,
    *ROBOTS_CHECKS,
    *SURROUNDINGS_CHECKS,
    *PAGE_CHECKS,
    *PROVEN_CHECKS,
)
"""In the order in which the README lists them."""

BY_NAME = {check.name: check for check in ALL}

WAIVED_BY_SUBMISSION = frozenset({"outside-scope", "www-mismatch"})
"""What a sitemap may do that was submitted in Search Console, for sites that its user has proven to own there.

"unless you submit your sitemap through Search Console, a sitemap affects only descendants of the parent directory":
https://developers.google.com/search/docs/crawling-indexing/sitemaps/build-sitemap; other search engines have no waiver.
"""


@dataclass(frozen=True, slots=True)
class Selection:
    """The checks that are wanted, by their names."""

    names: frozenset[str] = frozenset(check.name for check in ALL if not check.is_advice)
    waived: frozenset[str] = frozenset()
    """Those of them whose findings are warnings."""

    def run(self, checks: Iterable[Check[S]], subject: S) -> Iterator[Finding]:
        """Let the wanted ones of some checks judge a subject."""
        for check in checks:
            if check.name in self.names:
                yield from self._chosen(check(subject))

    def _chosen(self, findings: Iterable[Finding]) -> Iterator[Finding]:
        for finding in findings:
            if finding.check in self.names:
                yield replace(finding, level="warning") if finding.check in self.waived else finding

    def document(self, document: Document) -> Iterator[Finding]:
        """Judge one file by itself."""
        yield from self._chosen(document.findings)
        yield from self.run(FILE_CHECKS, document)
        if document.kind:
            yield from self.run(ENTRY_CHECKS, document)
            yield from self.run(EXTENSION_CHECKS, document)

    def survey(self, survey: Survey) -> Iterator[Finding]:
        """Judge what only all files together tell."""
        yield from self.run(SITE_CHECKS, survey)
