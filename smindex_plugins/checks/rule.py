"""A check: a function that finds what is wrong with its subject, and the kind of its findings."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Generic, Literal, Protocol, TypeVar

from smindex_plugins.catalogue import Kind, Place
from smindex_plugins.model import Finding, Level, Spot

S = TypeVar("S")

Findings = Iterator[Finding]
Run = Literal["directory", "file", "links", "live", "pages", "sources"]
"""What a run checks, in words.

The pages of a live site, and the sources and links of a directory, are asked for separately.
"""
RUNS: dict[Run, str] = {
    "directory": "a built directory",
    "file": "a single file",
    "sources": "a built directory with --sources",
    "links": "a built directory with --links",
    "live": "a live site",
    "pages": "a live site with --pages",
}
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
    runs: frozenset[Run] = frozenset()
    """The kinds of runs in which it can find something. If empty, those that have its subject."""

    def __call__(self, subject: S) -> Findings:
        """Yield what is wrong with a subject."""
        return self.function(subject, self.kind.at)


def check(
    subject: type[S],
    kind: Kind | Level,
    console: str = "",
    *,
    fix: str = "",
    advice: bool = False,
    runs: tuple[Run, ...] = (),
) -> Callable[[Callable[[S, At], Findings]], Check[S]]:
    """Return a decorator that makes a function a check of a subject.

    The findings have a kind of the catalogue, if a build or a join reports them too. If not, the check has its own
    kind: the function's name is its name, and the docstring its meaning.
    """

    def make(function: Callable[[S, At], Findings]) -> Check[S]:
        name, meaning = function.__name__.replace("_", "-"), (function.__doc__ or "").strip()
        own = kind if isinstance(kind, Kind) else Kind(name, kind, meaning, fix, console, advice)
        return Check(subject, own, function, frozenset(runs))

    return make


def shown(url: str) -> str:
    """Return the part of a URL that a message repeats."""
    return url if len(url) <= _SHOWN else f"{url[:_SHOWN]}…"
