"""Makes foreign text and values safe for messages: short, on one line, without passwords."""

import re
import reprlib
from collections.abc import Iterable, Mapping
from datetime import date, datetime, time

from smindex_plugins.base.limits import MAX_PART, MAX_SHOWN

# Log lines that are commands: `::error::` on GitHub, and `##[…]`, `##vso[…]`, `##teamcity[…]` on
# others. A logger can start a line anywhere.
_COMMAND = re.compile(r"\A( *):(?=:)|:(?=:[\w-]+(?: |::))|#(?=#\w*\[)")
_ARTICLE = re.compile(r"an? ")
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


class WrongOptionsError(Exception):
    """Some options of a command are wrong. ``problems`` has a line for each."""

    def __init__(self, problems: Iterable[str]) -> None:
        self.problems = list(problems)
        super().__init__("\n".join(self.problems))


def counted(number: int, noun: str) -> str:
    """Return a number with its noun: `1 page`, `1,200 pages`."""
    if number == 1:
        return f"{number} {noun}"
    return f"{number:,} {noun}s"


def listed(counts: Mapping[str, int]) -> str:
    """Return counts and their labels in a fixed order: `2 error pages, 3 marked noindex`.

    A label that begins with an article is a noun.
    """
    return ", ".join(_labelled(number, label) for label, number in sorted(counts.items()))


def _labelled(number: int, label: str) -> str:
    article = _ARTICLE.match(label)
    if not article:
        return f"{number:,} {label}"
    noun, bracket, rest = label[article.end() :].partition(" (")
    return f"{counted(number, noun)}{bracket}{rest}"


def did_you_mean(given: str, known: Iterable[str], similarity: float = 0.6) -> str:
    """Return the known name that is most similar to a given one, or an empty string."""
    from difflib import get_close_matches  # noqa: PLC0415 - only for mistakes

    matches = get_close_matches(given, list(known), n=1, cutoff=similarity)
    if not matches:
        return ""
    return matches[0]


def masked(text: str) -> str:
    """Return a text without the user names, passwords and tokens in its URLs."""
    if "=" in text:
        text = _SECRET.sub(r"\1***", text)
    if "@" in text:
        text = _WORD.sub(_masked_word, text)
    return text


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
    text = _COMMAND.sub(_escaped_command, text)
    text = masked(text)
    if len(text) <= most:
        return text
    end = most // 4
    start = most - end - 1
    return f"{text[:start]}…{text[-end:]}"


def _escaped_command(found: re.Match[str]) -> str:
    spaces = found[1] or ""
    return f"{spaces}\\x{ord(found[0][-1]):02x}"


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
        if len(text) <= MAX_SHOWN:
            return text
        return text[: MAX_SHOWN - 1] + "…"

    def repr_str(self, x: str, level: int) -> str:
        # before truncation, which could leave a part of a password
        return super().repr_str(masked(str(x)), level)

    def repr_int(self, x: int, level: int) -> str:
        if x.bit_length() > MAX_SHOWN:  # Python refuses to format long numbers
            return "<int>"
        return super().repr_int(x, level)

    def repr_instance(self, x: object, level: int) -> str:
        if isinstance(x, str):
            return self.repr_str(x, level)
        if x is None or type(x) in {bool, float, bytes, date, datetime, time}:
            return repr(x)
        return f"<{type(x).__name__}>"


_BRIEF = _Brief()
