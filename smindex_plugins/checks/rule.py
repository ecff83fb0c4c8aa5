"""What a check is: a function over a subject, its level, its meaning, and what Search Console calls its finding."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Generic, NamedTuple, Protocol, TypeVar

from smindex_plugins.model import Finding, Level

S = TypeVar("S", contravariant=True)  # noqa: PLC0105 - the subject, named as short as it is used


class Place(Protocol):
    """What can be named in a finding."""

    @property
    def where(self) -> str: ...  # noqa: D102
    @property
    def file(self) -> str: ...  # noqa: D102


@dataclass(frozen=True, slots=True)
class Spot:
    """A place and nothing more, to be kept when what stood there is forgotten."""

    where: str
    file: str = ""


class Flaw(NamedTuple):
    """What a check's function found; the check itself adds its name and level."""

    where: str
    problem: str
    fix: str
    file: str = ""
    line: int = 0


Flaws = Iterator[Flaw]


def flaw(place: Place, problem: str, fix: str, line: int = 0) -> Flaw:
    """Say what is wrong in a place."""
    return Flaw(place.where, problem, fix, place.file, line)


@dataclass(frozen=True, slots=True, kw_only=True)
class Check(Generic[S]):
    """One check; call it with its subject."""

    function: Callable[[S], Flaws]
    name: str
    """The function's name as a slug."""
    meaning: str
    """What must be so, in one sentence: the function's docstring."""
    level: Level
    console: str
    """What Search Console calls it, or nothing where it does not look."""
    is_advice: bool
    """It is true of many sites that are quite right, and made only when asked for."""

    def __call__(self, subject: S) -> Iterator[Finding]:
        """Judge a subject."""
        for where, problem, fix, file, line in self.function(subject):
            yield Finding(
                check=self.name, level=self.level, where=where, problem=problem, fix=fix, file=file, line=line
            )


def check(level: Level, console: str = "", *, advice: bool = False) -> Callable[[Callable[[S], Flaws]], Check[S]]:
    """Make a check of a function."""

    def make(function: Callable[[S], Flaws]) -> Check[S]:
        name, meaning = function.__name__.replace("_", "-"), (function.__doc__ or "").strip()
        return Check(function=function, name=name, meaning=meaning, level=level, console=console, is_advice=advice)

    return make
