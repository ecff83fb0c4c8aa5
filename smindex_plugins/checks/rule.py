"""A check: a function that finds what is wrong with its subject, and the one kind that its findings are of."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Generic, NamedTuple, Protocol, TypeVar

from smindex_plugins.catalogue import Kind, Place
from smindex_plugins.model import Finding, Level

S = TypeVar("S")

Findings = Iterator[Finding]
_SHOWN = 200
"""Characters."""


class At(Protocol):
    """The `at` of the check's kind, which makes a finding."""

    def __call__(self, place: str | Place, problem: str, fix: str = "", line: int = 0) -> Finding: ...  # noqa: D102 - as `Kind.at`


class Spot(NamedTuple):
    """A place and nothing more, to be kept when what stood there is forgotten."""

    where: str
    file: str = ""


@dataclass(frozen=True, slots=True)
class Check(Generic[S]):
    """One check; call it with its subject."""

    subject: type[S]
    kind: Kind
    function: Callable[[S, At], Findings]

    def __call__(self, subject: S) -> Findings:
        """Judge a subject."""
        return self.function(subject, self.kind.at)


def check(
    subject: type[S], kind: Kind | Level, console: str = "", *, fix: str = "", advice: bool = False
) -> Callable[[Callable[[S, At], Findings]], Check[S]]:
    """Make a function a check of a subject.

    Its findings are of a kind of the catalogue, if a build or a join reports that too. If not, they are of a kind of
    their own: the function's name is its name, and the docstring its meaning.
    """

    def make(function: Callable[[S, At], Findings]) -> Check[S]:
        name, meaning = function.__name__.replace("_", "-"), (function.__doc__ or "").strip()
        own = kind if isinstance(kind, Kind) else Kind(name, kind, meaning, fix, console, advice)
        return Check(subject, own, function)

    return make


def shown(url: str) -> str:
    """Return what a message repeats of a URL."""
    return url if len(url) <= _SHOWN else f"{url[:_SHOWN]}…"
