"""All checks by subject, all kinds of findings by name, and the selection for a run."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

from smindex_plugins.catalogue import KINDS, UNPROVEN_CROSS_SITE, Kind
from smindex_plugins.checks import entries, extensions, files, indexes, linked, listed, published, survey
from smindex_plugins.checks.indexes import Child
from smindex_plugins.checks.linked import Linked
from smindex_plugins.checks.listed import Listed
from smindex_plugins.checks.published import Blockable, Moved, Proven, Surroundings
from smindex_plugins.checks.rule import RUNS, Check, Run
from smindex_plugins.checks.survey import Survey
from smindex_plugins.model import Finding
from smindex_plugins.sitemaps import FAULTS, Document, Robots

Subject = Document | Child | Survey | Blockable | Robots | Surroundings | Listed | Linked | Moved | Proven

CHECKS = [
    each
    for module in (files, entries, extensions, indexes, survey, published, listed, linked)
    for each in vars(module).values()
    if isinstance(each, Check)
]
"""All checks, in the order of the documentation."""


def named(kinds: Iterable[Kind]) -> dict[str, Kind]:
    """Return kinds by name. No two kinds may share a name."""
    by_name: dict[str, Kind] = {}
    for kind in kinds:
        if by_name.setdefault(kind.name, kind) is not kind:
            message = f"two kinds of findings are called {kind.name}"
            raise ValueError(message)
    return by_name


CHECKED = named([*FAULTS, *(check.kind for check in CHECKS), UNPROVEN_CROSS_SITE])
"""The kinds that `smindex check` can find."""

CATALOGUE = named([*CHECKED.values(), *KINDS])
"""The kinds that a check, a build or a join can report."""

_FOUND_IN: dict[type[Subject], tuple[Run, ...]] = {
    Blockable: ("directory", "live"),
    Robots: ("directory", "live"),
    Surroundings: ("directory",),
    Listed: ("directory", "pages"),
    Proven: ("sources",),
    Linked: ("links",),
}
"""The kinds of runs that have subjects of a type. All other types are in every run."""
_RUNS = {check.kind.name: check.runs or frozenset(_FOUND_IN.get(check.subject, RUNS)) for check in CHECKS}


def runs_of(name: str) -> frozenset[Run]:
    """Return the kinds of runs in which a check can find something."""
    return _RUNS.get(name, frozenset(RUNS))


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

    names: frozenset[str] = frozenset(kind.name for kind in CATALOGUE.values() if not kind.is_advice)
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
