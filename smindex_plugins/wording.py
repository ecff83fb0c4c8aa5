"""How counts read in messages, and how texts of others are brought to one line."""

from collections.abc import Mapping

# The characters that XML cannot hold (XML 1.0, section 2.2).
_NOT_XML = dict.fromkeys({*range(0x20), *range(0xD800, 0xE000), 0xFFFE, 0xFFFF} - {*b"\t\n\r"})


def counted(number: int, noun: str) -> str:
    """Return a number with its noun: `1 page`, `1,200 pages`."""
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"


def listed(counts: Mapping[str, int]) -> str:
    """Return counts by what they count, in a fixed order: `3 excluded by the settings, 1 shown for errors`."""
    return ", ".join(f"{number:,} {what}" for what, number in sorted(counts.items()))


def one_line(text: str) -> str:
    """Return a text as it is written: on one line, without what XML cannot hold."""
    return " ".join(text.translate(_NOT_XML).split())
