"""How counts read in messages."""

from collections.abc import Mapping


def counted(number: int, noun: str) -> str:
    """Write a number with its noun: `1 page`, `1,200 pages`."""
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"


def listed(counts: Mapping[str, int]) -> str:
    """Write counts by what they count, in a fixed order: `3 excluded by the settings, 1 shown for errors`."""
    return ", ".join(f"{number:,} {what}" for what, number in sorted(counts.items()))
