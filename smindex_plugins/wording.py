"""How counts appear in messages, and how foreign texts are made safe to print on one line."""

import re
from collections.abc import Collection, Iterable, Mapping
from datetime import date, datetime, time
from itertools import islice
from typing import Any

from smindex_plugins.limits import MAX_PART, MAX_SHOWN
from smindex_plugins.urls import masked

# The characters that XML cannot hold (XML 1.0, section 2.2).
_NOT_XML = dict.fromkeys({*range(0x20), *range(0xD800, 0xE000), 0xFFFE, 0xFFFF} - {*b"\t\n\r"})
_LIKENESS = 0.55
"""How alike two names are at least: enough that `depth` means `section_depth`, and that `site` does not mean `dist`."""
_MOST_READ = 10 * MAX_SHOWN
_MOST_PARTS = 8
_MOST_LEVELS = 3
_MOST_BITS = 256
"""The most bits of a number that is written out. Python's time grows with their square, and ends in an error."""
_BRACKETS: dict[type, str] = {list: "[]", tuple: "()", set: "{}", frozenset: "{}", dict: "{}"}
_PLAIN = frozenset({bool, int, float, type(None), date, datetime, time})


class PlainlyToldError(OSError):
    """An error whose words say all, so that a command prints them as they are, unlike those of the operating system."""


def counted(number: int, noun: str) -> str:
    """Return a number with its noun: `1 page`, `1,200 pages`."""
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"


def listed(counts: Mapping[str, int]) -> str:
    """Return counts with what they count, in a fixed order: `3 marked noindex, 1 shown for errors`."""
    return ", ".join(f"{number:,} {what}" for what, number in sorted(counts.items()))


def did_you_mean(given: str, known: Iterable[str]) -> str:
    """Return the known name that is most like a given one, or an empty string if none is."""
    import difflib  # noqa: PLC0415 - only a mistake needs it

    return next(iter(difflib.get_close_matches(given, known, n=1, cutoff=_LIKENESS)), "")


def one_line(text: str) -> str:
    """Return a text on one line, without characters that XML does not allow."""
    return " ".join(text.translate(_NOT_XML).split())


def shown(value: object) -> str:
    """Return a foreign value as Python writes it. Long values are cut, however deep or strange they are."""
    return _cut(_shown(value, _MOST_LEVELS))


def quoted(text: str) -> str:
    """Return a foreign text on one line, cut if it is long."""
    return _cut(one_line(_begun(text)))


def _begun(text: str) -> str:
    """Return the beginning of a text. Passwords are masked before the cut, because a part of one would show."""
    return masked(str.__getitem__(text, slice(_MOST_READ)))[: MAX_SHOWN + 1]


def _cut(text: str) -> str:
    return text if len(text) <= MAX_SHOWN else text[: MAX_SHOWN - 1] + "…"


def _shown(value: Any, levels: int) -> str:  # noqa: ANN401 - whatever it is
    """Return a value in words. Of unknown types only the name is used, because foreign code may do anything."""
    if isinstance(value, str):
        return repr(_begun(value))
    kind = type(value)
    if kind in _BRACKETS:
        return _parts(value, levels - 1).join(_BRACKETS[kind])
    if kind is bytes:
        return repr(value[:MAX_SHOWN])
    if kind is int and value.bit_length() > _MOST_BITS:
        return f"a number of {value.bit_length():,} bits"
    return repr(value) if kind in _PLAIN else f"<{kind.__name__}>"


def _parts(values: Collection[object], levels: int) -> str:
    if values and not levels:
        return "…"
    said = [_shown(value, levels) for value in islice(values, _MOST_PARTS)]
    if isinstance(values, dict):
        said = [f"{key}: {_shown(values[each], levels)}" for key, each in zip(said, values, strict=False)]
    if len(values) == 1 and isinstance(values, tuple):
        return f"{said[0]},"
    return ", ".join([*said, *(["…"] if len(values) > _MOST_PARTS else [])])


# What makes a line of a log a command: `::error::` of GitHub, and `##[…]`, `##vso[…]`, `##teamcity[…]` of others. A
# terminal or a logger may begin a line anywhere.
_COMMAND = re.compile(r"\A( *):(?=:)|:(?=:[\w-]+(?: |::))|#(?=#\w*\[)")


def printable(text: str, most: int = MAX_PART) -> str:
    """Return a text that is safe to print and log, whoever wrote it: one line, not too long, without commands.

    Control characters, line breaks, marks of direction and halves of characters are shown by their numbers.
    """
    text = _shortened(text, most)
    if not text.isprintable():
        text = "".join(each if each.isprintable() else _number(each) for each in text)
    if "::" in text or "##" in text:
        text = _COMMAND.sub(lambda match: (match[1] or "") + _number(match[0][-1]), text)
    return _shortened(text, most)


def _number(character: str) -> str:
    code = ord(character)
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"  # noqa: PLR2004 - as Python writes them


def _shortened(text: str, most: int) -> str:
    """Return a text cut to a length: its beginning and its end, which says what is wrong with it."""
    return text if len(text) <= most else f"{text[: most - most // 4 - 1]}…{text[-(most // 4) :]}"
