"""A check: a function that finds what is wrong with its subject, and the kind of its findings."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Generic, Protocol, TypeVar

from smindex_plugins.catalogue import Kind, Place
from smindex_plugins.model import Finding, Spot

S = TypeVar("S")

Findings = Iterator[Finding]
_SHOWN = 200
"""The most characters of a URL in a message."""


class At(Protocol):
    """The `at` method of the check's kind, which makes a finding."""

    def __call__(self, place: str | Spot | Place, problem: str, fix: str = "", line: int = 0) -> Finding: ...  # noqa: D102 - as `Kind.at`


@dataclass(frozen=True, slots=True)
class Check(Generic[S]):
    """One check. Call it with its subject."""

    subject: type[S]
    kind: Kind
    function: Callable[[S, At], Findings]

    def __call__(self, subject: S) -> Findings:
        """Yield what is wrong with a subject."""
        return self.function(subject, self.kind.at)


def check(subject: type[S], kind: Kind) -> Callable[[Callable[[S, At], Findings]], Check[S]]:
    """Return a decorator that makes a function a check of a subject, with findings of a kind."""
    return lambda function: Check(subject, kind, function)


def shown(url: str) -> str:
    """Return the part of a URL that a message repeats."""
    return url if len(url) <= _SHOWN else f"{url[:_SHOWN]}…"
