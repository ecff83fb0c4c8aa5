"""All checks by subject, and the selection for a run."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

from smindex_plugins.catalogue import CATALOGUE
from smindex_plugins.checks import entries, extensions, files, indexes, linked, listed, published, survey
from smindex_plugins.checks.indexes import Child
from smindex_plugins.checks.linked import Linked
from smindex_plugins.checks.listed import Listed
from smindex_plugins.checks.published import Blockable, Proven, Surroundings
from smindex_plugins.checks.rule import Check
from smindex_plugins.checks.survey import Survey
from smindex_plugins.model import Finding
from smindex_plugins.sitemaps import Document, Robots

Subject = Document | Child | Survey | Blockable | Robots | Surroundings | Listed | Linked | Proven

CHECKS = [
    each
    for module in (files, entries, extensions, indexes, survey, published, listed, linked)
    for each in vars(module).values()
    if isinstance(each, Check)
]
"""All checks, in the order of the documentation."""


@lru_cache
def _checks(names: frozenset[str]) -> Mapping[type[Subject], list[Check[Any]]]:
    """Return the wanted checks by their subjects."""
    by_subject: dict[type[Subject], list[Check[Any]]] = {check.subject: [] for check in CHECKS}
    for check in CHECKS:
        by_subject[check.subject] += [check] if check.kind.name in names else []
    return by_subject


WAIVED_BY_SUBMISSION = frozenset({"outside-scope", "www-mismatch"})
"""The rules that do not apply to a sitemap submitted in Search Console by a proven owner of the listed sites.

"unless you submit your sitemap through Search Console, a sitemap affects only descendants of the parent directory":
https://developers.google.com/search/docs/crawling-indexing/sitemaps/build-sitemap . Other search engines have no such
exception.
"""


@dataclass(frozen=True, slots=True)
class Selection:
    """The kinds of findings that a run wants, by name."""

    names: frozenset[str] = frozenset(CATALOGUE)
    waived: frozenset[str] = frozenset()
    """Those of them that are only warnings here."""

    def judge(self, subject: Subject) -> Iterator[Finding]:
        """Yield the wanted findings about a subject."""
        if isinstance(subject, Document):
            yield from self.wanted(subject.findings)
        for check in _checks(self.names)[type(subject)]:
            for finding in check(subject):  # most subjects have none, and there may be millions
                yield from self.wanted([finding])

    def wanted(self, findings: Iterable[Finding]) -> Iterator[Finding]:
        """Yield the wanted ones of some findings."""
        for finding in findings:
            if finding.check in self.names:
                yield replace(finding, level="warning") if finding.check in self.waived else finding
