"""What an attack is: one thing done to the package again and again, each time with other numbers."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import TypeVar

Thing = TypeVar("Thing")


@dataclass(frozen=True, slots=True)
class Attack:
    """An attack, and how often it is tried."""

    name: str
    what: str
    run: Callable[[int, Path], str]
    """Makes the trial of a number, by which all that is random in it is chosen, in an empty directory of its own.

    It is run there, in a process of its own, and returns in one line what went wrong, or nothing.
    """
    short: int
    long: int


class NotRunError(Exception):
    """A trial that this machine cannot make; the message says what it lacks."""


def chosen(number: int, things: Iterable[Thing]) -> tuple[int, Thing]:
    """Return the thing that a trial of a number tries, and how often all have been tried before.

    They come in another order each time, so that few trials are no trials of the first few things.
    """
    known = list(things)
    rounds, at = divmod(number, len(known))
    return rounds, Random(rounds).sample(known, len(known))[at]
