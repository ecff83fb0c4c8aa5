"""All checks by their subjects, all kinds of findings by their names, and which of them a run wants."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from smindex_plugins.catalogue import KINDS, UNPROVEN_CROSS_SITE, Kind
from smindex_plugins.checks import entries, extensions, files, indexes, published, survey
from smindex_plugins.checks.indexes import Child
from smindex_plugins.checks.published import Blockable, Listed, Proven, Surroundings
from smindex_plugins.checks.rule import Check
from smindex_plugins.checks.survey import Survey
from smindex_plugins.model import Finding
from smindex_plugins.sitemaps import FAULTS, Document, Robots

Subject = Document | Child | Survey | Blockable | Robots | Surroundings | Listed | Proven

CHECKS = [
    each
    for module in (files, entries, extensions, indexes, survey, published)
    for each in vars(module).values()
    if isinstance(each, Check)
]
"""In the order in which documentation lists them."""
_BY_SUBJECT = {check.subject: [each for each in CHECKS if each.subject is check.subject] for check in CHECKS}


def named(kinds: Iterable[Kind]) -> dict[str, Kind]:
    """Return kinds by their names, each of which is of one kind."""
    by_name: dict[str, Kind] = {}
    for kind in kinds:
        if by_name.setdefault(kind.name, kind) is not kind:
            message = f"two kinds of findings are called {kind.name}"
            raise ValueError(message)
    return by_name


CHECKED = named([*FAULTS, *(check.kind for check in CHECKS), UNPROVEN_CROSS_SITE])
"""What `smindex check` can find."""

CATALOGUE = named([*CHECKED.values(), *KINDS])
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

    def judge(self, subject: Subject) -> Iterator[Finding]:
        """Return what is wrong with a subject, as far as it is wanted."""
        if isinstance(subject, Document):
            yield from self.wanted(subject.findings)
        for check in _BY_SUBJECT[type(subject)]:
            if check.kind.name in self.names:
                yield from self.wanted(check(subject))

    def wanted(self, findings: Iterable[Finding]) -> Iterator[Finding]:
        """Return the wanted ones of some findings."""
        for finding in findings:
            if finding.check in self.names:
                yield replace(finding, level="warning") if finding.check in self.waived else finding
