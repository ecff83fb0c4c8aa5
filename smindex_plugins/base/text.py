"""Makes foreign text and values safe for messages: short, on one line, without passwords."""

import difflib
import re
import reprlib
from collections.abc import Iterable, Mapping
from datetime import date, datetime, time

from smindex_plugins.base.limits import MAX_PART, MAX_SHOWN

# Log lines that are commands: `::error::` on GitHub, and `##[…]`, `##vso[…]`, `##teamcity[…]` on
# others. A logger can start a line anywhere.
_COMMAND = re.compile(r"\A( *):(?=:)|:(?=:[\w-]+(?: |::))|#(?=#\w*\[)")
_WORD = re.compile(r"\S++")
_USER = re.compile(r"(//)(?:[^\s/?#\"'<>]*|[^\s/?#@:]*+:(?!\d{0,5}[/?#])\S*)@")
"""A user name and password in a URL. Passwords can contain unescaped characters, detected by the
missing port."""

_SECRET = re.compile(
    r"([?&#](?:[\w-]*(?:token|secret|passw(?:or)?d|signature)|api[_-]?key)=)[^&#\s'\"<>]*[^&#\s'\"<>:,.]",
    re.IGNORECASE,
)
"""A secret value in a query."""


class ExplainedError(OSError):
    """An error with a complete message, which commands print unchanged, unlike operating system
    errors.
    """


def counted(number: int, noun: str) -> str:
    """Return a number with its noun: `1 page`, `1,200 pages`."""
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"


def listed(counts: Mapping[str, int]) -> str:
    """Return counts and their labels in a fixed order: `3 marked noindex, 1 shown for errors`."""
    return ", ".join(f"{number:,} {what}" for what, number in sorted(counts.items()))


def did_you_mean(given: str, known: Iterable[str], similarity: float = 0.6) -> str:
    """Return the known name that is most similar to a given one, or an empty string."""
    return next(iter(difflib.get_close_matches(given, list(known), n=1, cutoff=similarity)), "")


def masked(text: str) -> str:
    """Return a text that is safe to show: user names, passwords and tokens in its URLs are
    masked.
    """
    text = _SECRET.sub(r"\1***", text) if "=" in text else text
    return _WORD.sub(_masked_word, text) if "@" in text else text


def _masked_word(word: re.Match[str]) -> str:
    before, sign, after = word[0].rpartition("@")  # which avoids useless searches
    return _USER.sub(r"\1***@", before + sign) + after


def brief(value: object) -> str:
    """Return the repr of a value without passwords. Long and deep values are truncated."""
    return _BRIEF.repr(value)


def printable(text: str, most: int = MAX_PART) -> str:
    """Return a text that is safe to print and log: one line, not too long, no password, no command
    to a CI service.

    Control characters, line breaks, direction marks and surrogates are escaped. Of a long text,
    only the start and the end are kept.
    """
    if not text.isprintable():
        text = "".join(each if each.isprintable() else ascii(each)[1:-1] for each in text)
    text = _COMMAND.sub(lambda found: f"{found[1] or ''}\\x{ord(found[0][-1]):02x}", text)
    text = masked(text)
    return text if len(text) <= most else f"{text[: most - most // 4 - 1]}…{text[-(most // 4) :]}"


class _Brief(reprlib.Repr):
    """Formats values of built-in types.

    For other types, it shows only the name: their code could do anything.
    """

    def __init__(self) -> None:
        super().__init__()
        self.maxlevel = 2
        self.maxdict = self.maxlist = self.maxtuple = self.maxset = self.maxfrozenset = 8
        self.maxstring = MAX_SHOWN
        self.fillvalue = "…"

    def repr(self, x: object) -> str:
        text = super().repr(x)
        return text if len(text) <= MAX_SHOWN else text[: MAX_SHOWN - 1] + "…"

    def repr_str(self, x: str, level: int) -> str:
        # before truncation, which could leave a part of a password
        return super().repr_str(masked(str(x)), level)

    def repr_int(self, x: int, level: int) -> str:
        # Python refuses to format long numbers.
        return super().repr_int(x, level) if x.bit_length() <= MAX_SHOWN else "<int>"

    def repr_instance(self, x: object, level: int) -> str:
        if isinstance(x, str):
            return self.repr_str(x, level)
        is_plain = x is None or type(x) in {bool, float, bytes, date, datetime, time}
        return repr(x) if is_plain else f"<{type(x).__name__}>"


_BRIEF = _Brief()
