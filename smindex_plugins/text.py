"""How texts and values of others appear in messages: short, on one line, without passwords."""

import difflib
import re
import reprlib
from collections.abc import Iterable, Mapping
from datetime import date, datetime, time
from typing import Any

from smindex_plugins.limits import MAX_PART, MAX_SHOWN

# The characters that XML cannot hold (XML 1.0, section 2.2).
_NOT_XML = dict.fromkeys({*range(0x20), *range(0xD800, 0xE000), 0xFFFE, 0xFFFF} - {*b"\t\n\r"})
# What makes a line of a log a command: `::error::` of GitHub, and `##[…]`, `##vso[…]`, `##teamcity[…]` of others. A
# logger may begin a line anywhere.
_COMMAND = re.compile(r"\A( *):(?=:)|:(?=:[\w-]+(?: |::))|#(?=#\w*\[)")
_WORD = re.compile(r"\S++")
_USER = re.compile(r"(//)(?:[^\s/?#\"'<>]*|[^\s/?#@:]*+:(?!\d{0,5}[/?#])\S*)@")
"""A user name and password in a URL. Passwords can contain unescaped characters; the missing port reveals them."""


class ExplainedError(OSError):
    """An error whose message is complete: commands print it as it is, unlike the operating system's."""


def counted(number: int, noun: str) -> str:
    """Return a number with its noun: `1 page`, `1,200 pages`."""
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"


def listed(counts: Mapping[str, int]) -> str:
    """Return counts with what they count, in a fixed order: `3 marked noindex, 1 shown for errors`."""
    return ", ".join(f"{number:,} {what}" for what, number in sorted(counts.items()))


def did_you_mean(given: str, known: Iterable[str]) -> str:
    """Return the known name whose spelling is nearest to a given one, or an empty string if none is near."""
    return next(iter(difflib.get_close_matches(given, list(known), n=1)), "")


def masked(text: str) -> str:
    """Return a text that is safe to show: user names and passwords in its URLs are masked."""
    return _WORD.sub(_masked_word, text) if "@" in text else text


def _masked_word(word: re.Match[str]) -> str:
    before, sign, after = word[0].rpartition("@")  # so that the expression never searches in vain
    return _USER.sub(r"\1***@", before + sign) + after


def one_line(text: str) -> str:
    """Return a text on one line, without characters that XML does not allow."""
    return " ".join(text.translate(_NOT_XML).split())


def quoted(text: str) -> str:
    """Return a text on one line, without passwords. Long texts are cut."""
    return _cut(one_line(_beginning(text)))


def brief(value: object) -> str:
    """Return a value as Python writes it, without passwords. Long and deep values are cut."""
    return _cut(_BRIEF.repr(value))


def printable(text: str, most: int = MAX_PART) -> str:
    """Return a text that is safe to print and log: one line, not too long, without commands to the CI service.

    Control characters, line breaks, marks of direction and halves of characters are written as escapes.
    """
    text = _shortened(text, most)
    if not text.isprintable():
        text = "".join(each if each.isprintable() else ascii(each)[1:-1] for each in text)
    text = _COMMAND.sub(lambda found: f"{found[1] or ''}\\x{ord(found[0][-1]):02x}", text)
    return _shortened(text, most)


class _Brief(reprlib.Repr):
    """Writes values of built-in types. Of other types it writes the name, because their code may do anything."""

    def __init__(self) -> None:
        super().__init__()
        self.maxlevel = 2
        self.maxdict = self.maxlist = self.maxtuple = self.maxset = self.maxfrozenset = 8
        self.fillvalue = "…"

    def repr_str(self, x: str, _level: int) -> str:
        return repr(_beginning(x))

    def repr_int(self, x: int, _level: int) -> str:
        bits = x.bit_length()
        return repr(x) if bits <= MAX_SHOWN else f"a number of {bits:,} bits"  # Python refuses to write long ones

    def repr_instance(self, x: Any, level: int) -> str:  # noqa: ANN401 - any value
        if isinstance(x, str):
            return self.repr_str(x, level)
        if isinstance(x, bytes):
            return repr(x[:MAX_SHOWN])
        is_plain = x is None or type(x) in {bool, float, date, datetime, time}
        return repr(x) if is_plain else f"<{type(x).__name__}>"


_BRIEF = _Brief()


def _beginning(text: str) -> str:
    """Return the beginning of a text. Passwords are masked before the cut, because a part of one would show."""
    return masked(str(text))[: MAX_SHOWN + 1]


def _cut(text: str) -> str:
    return text if len(text) <= MAX_SHOWN else text[: MAX_SHOWN - 1] + "…"


def _shortened(text: str, most: int) -> str:
    """Return a text cut to a length: its beginning and its end, which says what is wrong with it."""
    return text if len(text) <= most else f"{text[: most - most // 4 - 1]}…{text[-(most // 4) :]}"
