"""The registry of checks, and the selection of findings for a run."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any, TypeVar

from smindex_plugins.catalogue import CATALOGUE
from smindex_plugins.model import Finding
from smindex_plugins.sitemaps import Document

Findings = Iterator[Finding]
F = TypeVar("F", bound=Callable[[Any], Findings])

_CHECKS: dict[object, list[Callable[[Any], Findings]]] = {}
"""The checks by the type of their subject, in the order of their definitions."""


def check(function: F) -> F:
    """Register a function as a check. Its argument is annotated with the type of the subject."""
    subject = next(iter(function.__annotations__.values()))
    _CHECKS.setdefault(subject, []).append(function)
    return function


@dataclass(frozen=True, slots=True)
class Selection:
    """The kinds of findings to report, by name."""

    names: frozenset[str] = frozenset(CATALOGUE)

    def judge(self, subject: object) -> Findings:
        """Yield the wanted findings about a subject."""
        if isinstance(subject, Document):
            yield from self.wanted(subject.findings)
        for judge in _CHECKS[type(subject)]:
            yield from self.wanted(judge(subject))

    def wanted(self, findings: Iterable[Finding]) -> Findings:
        """Return only the wanted findings."""
        return (finding for finding in findings if finding.check in self.names)
