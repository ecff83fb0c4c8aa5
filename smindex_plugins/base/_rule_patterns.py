"""The patterns in the paths of host rules, as regular expressions that can be tried quickly."""

import re
import warnings
from collections.abc import Callable
from typing import NamedTuple

MOST_SOURCE = 4_096
"""The longest source that is read. Vercel has this limit; no other host documents a higher one."""
_MOST_WAYS = 10_000_000
"""In how many ways a pattern can match a URL of usual length: about those of three wildcards. More
take too long."""
_USUAL_LENGTH = 100
"""About how many characters of a URL a repetition can end at."""


class Dialect(NamedTuple):
    """How the paths of a file of rules contain placeholders."""

    token: re.Pattern[str]
    """A placeholder: the slash before it, its name, and its expression."""
    expressions: dict[str, str]
    """The regular expressions of the signs after or instead of a name."""
    star: str = ""
    """The name of a star without a name."""


def _group() -> str:
    """Return an expression for a group in parentheses, which can contain groups, but not deeply."""
    part = r"\\.|\[(?:\\.|[^\]\\])*+\]|[^\\()\[]"
    for _ in range(5):
        part = rf"{part}|\((?:{part})*+\)"
    return rf"\((?:{part})++\)"


_SEGMENT = "[^/]+"
NETLIFY = Dialect(
    # `:name` for a segment, `*` for any number of them
    re.compile(r"(/?)(?::([A-Za-z]\w*)|(?=\*))(\*?)", re.ASCII),
    {"": _SEGMENT, "*": ".*"},
    star="splat",
)
VERCEL = Dialect(
    # `:name`, `:name*`, `:name(regular expression)` and `(regular expression)`
    re.compile(rf"(/?)(?::([A-Za-z]\w*)|(?=\())([*+?]|{_group()})?", re.ASCII),
    {"": _SEGMENT, "?": _SEGMENT, "*": ".*", "+": ".+"},
)
FIREBASE = Dialect(
    # `:name`, `:name*`, `*` for a segment, `**` for several
    re.compile(r"(/?)(?::([A-Za-z]\w*)|(?=\*))(\*{0,2})", re.ASCII),
    {"": _SEGMENT, "*": "[^/]*", "**": ".*", ":*": ".*"},
)


class NotAPatternError(ValueError):
    """A path has no valid pattern, or one that takes too long.

    The message says why, as the end of a sentence.
    """


def compiled(source: str, dialect: Dialect, compared: Callable[[str], str]) -> re.Pattern[str]:
    """Return the regular expression for a path or a URL with placeholders.

    ``/*`` also matches no slash.
    ``compared`` returns a part of a path in the form in which paths are compared.

    Raises:
        NotAPatternError: it is not valid.
    """
    parts: list[str] = []
    names: set[str] = set()
    end = 0
    for found in dialect.token.finditer(source):
        slash, name, own = found.groups("")
        if not (name or own):
            message = (
                "is not a valid pattern: its parentheses are empty, not closed, or nested too"
                " deeply"
            )
            raise NotAPatternError(message)
        key = own
        if name and f":{own}" in dialect.expressions:
            key = f":{own}"
        expression = dialect.expressions.get(key) or own[1:-1]
        if not name and own == "*":
            name = dialect.star
        if name in names:
            written = "*" if name == dialect.star else f":{name}"
            message = f"has the placeholder {written} twice"
            raise NotAPatternError(message)
        if name:
            names.add(name)
        if expression == _SEGMENT and source[found.end() : found.end() + 1] in {"", "/"}:
            expression += "+"  # it need not be tried again with fewer characters
        group = f"(?P<{name}>{expression})" if name else f"({expression})"
        part = slash + group
        if expression == ".*" or own == "?":
            part = f"(?:{part})?"
        text_before = compared(source[end : found.start()])
        parts += [re.escape(text_before), part]
        end = found.end()
    rest = compared(source[end:])
    return _compile("".join([*parts, re.escape(rest)]))


def _compile(whole: str) -> re.Pattern[str]:
    """Return a regular expression.

    Raises:
        NotAPatternError: it is not valid, or takes too long.
    """
    if _ways(whole) > _MOST_WAYS:
        message = "can match a URL in so many ways that trying them takes too long"
        raise NotAPatternError(message)
    try:
        # about expressions that Python may read in another way
        with warnings.catch_warnings(action="ignore"):
            return re.compile(whole)
    except (re.error, OverflowError, RecursionError) as error:
        reason = "a number or a nesting in it is too large"
        if isinstance(error, re.error):
            reason, _, _ = error.msg.partition(" as ")
        message = f"is not a valid pattern: {reason}"
        raise NotAPatternError(message) from error


_ATOM = r"\\.|\[\^?\]?(?:\\.|[^\]\\])*+\]|\."
_PIECE = re.compile(
    rf"(?P<open>\((?:\?(?:P<\w+>|[:=!]|<[=!]))?)|(?P<close>\))|(?P<or>\|)"
    rf"|(?P<repeat>[*+?]|\{{\d*,?\d*\}})(?P<mode>[+?]?)|(?P<atom>{_ATOM}|.)",
    re.DOTALL,
)
"""A piece of a regular expression. With the mode `+`, a repetition is tried in only one way."""
_SEPARATED = re.compile(
    rf"([-/~_]|\\[-/.~])({_ATOM})[*+]|({_ATOM})[*+]([-/~_]|\\[-/.~])", re.DOTALL
)
"""A repetition that starts or ends with a certain character, such as in `(?:-[a-z]+)*`."""


class _Open:
    """A group whose end is not read yet."""

    def __init__(self, start: int) -> None:
        self.start = start
        self.ways = 1.0
        """The ways of the current alternative so far."""
        self.others = 0.0
        """The ways of the alternatives before it."""


def _ways(expression: str) -> float:
    """Return in about how many ways an expression can match a URL.

    All of them are tried if none fits.
    If what is repeated can itself match in several ways, they are too many, as in `(a+)+`.
    """
    groups = [_Open(0)]
    last = 1.0
    body = ""
    for found in _PIECE.finditer(expression):
        here = groups[-1]
        if found["open"]:
            groups.append(_Open(found.end()))
        elif found["or"]:
            here.others += here.ways
            here.ways = 1.0
        elif found["close"] and len(groups) > 1:
            last = here.others + here.ways
            body = expression[here.start : found.start()]
            groups.pop()
            groups[-1].ways *= last
        elif found["repeat"] and found["mode"] != "+":
            here.ways *= _factor(found["repeat"], last, body)
            last, body = 1.0, ""
        else:
            last, body = 1.0, ""
    return groups[0].others + groups[0].ways


def _factor(repeat: str, ways: float, body: str) -> float:
    """Return by what a repetition multiplies the ways in which its body can match."""
    if repeat == "?":
        return (ways + 1) / ways
    if ways > 1 and not _is_separated(body):
        return float("inf")
    if re.fullmatch(r"\{\d+\}", repeat):
        return 1.0
    return _USUAL_LENGTH / ways


def _is_separated(body: str) -> bool:
    """Whether each repetition of a group has a character that the rest of the group can't
    match.
    """
    found = _SEPARATED.fullmatch(body)
    if not found:
        return False
    before, atom, other_atom, after = found.groups("")
    try:
        return not re.fullmatch(atom or other_atom, (before or after)[-1])
    except re.error:
        return False
