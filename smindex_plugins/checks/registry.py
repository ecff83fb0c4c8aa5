"""All checks by their subjects, and what they find in a site as it was read."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any, TypeVar

from smindex_plugins.catalogue import KINDS, UNPROVEN_CROSS_SITE, Kind
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

_ALL: tuple[Check[Any], ...] = (
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


def _by_name(kinds: Iterable[Kind]) -> dict[str, Kind]:
    by_name: dict[str, Kind] = {}
    for kind in kinds:
        if by_name.setdefault(kind.name, kind) is not kind:
            message = f"two kinds of findings are called {kind.name}"
            raise ValueError(message)
    return by_name


CHECKED = _by_name([*faults.KINDS, *(check.kind for check in _ALL), UNPROVEN_CROSS_SITE])
"""What `smindex check` can find, in the order in which documentation lists it."""

CATALOGUE = _by_name([*CHECKED.values(), *KINDS])
"""All that a check, a build or a join can report."""

WAIVED_BY_SUBMISSION = frozenset({"outside-scope", "www-mismatch"})
"""What a sitemap may do that was submitted in Search Console, for sites that its user has proven to own there.

"unless you submit your sitemap through Search Console, a sitemap affects only descendants of the parent directory":
https://developers.google.com/search/docs/crawling-indexing/sitemaps/build-sitemap; other search engines have no waiver.
"""


@dataclass(frozen=True, slots=True)
class Selection:
    """The kinds of findings that are wanted, by their names."""

    names: frozenset[str] = frozenset(kind.name for kind in CATALOGUE.values() if not kind.is_advice)
    waived: frozenset[str] = frozenset()
    """Those of them whose findings are warnings."""

    def of(self, findings: Iterable[Finding]) -> Iterator[Finding]:
        """Return the wanted ones of some findings."""
        for finding in findings:
            if finding.check in self.names:
                yield replace(finding, level="warning") if finding.check in self.waived else finding

    def run(self, checks: Iterable[Check[S]], subject: S) -> Iterator[Finding]:
        """Let the wanted ones of some checks judge a subject."""
        for check in checks:
            if check.kind.name in self.names:
                yield from self.of(check(subject))

    def document(self, document: Document) -> Iterator[Finding]:
        """Judge one file by itself."""
        yield from self.of(document.findings)
        yield from self.run(FILE_CHECKS, document)
        if document.kind:
            yield from self.run(ENTRY_CHECKS, document)
            yield from self.run(EXTENSION_CHECKS, document)

    def survey(self, survey: Survey) -> Iterator[Finding]:
        """Judge what only all files together tell."""
        yield from self.run(SITE_CHECKS, survey)
