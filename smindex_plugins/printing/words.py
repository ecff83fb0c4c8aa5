"""Numbers and URLs in words."""

import re
from urllib.parse import unquote_to_bytes

_ESCAPES = re.compile(r"(?:%20|%[89A-F][0-9A-F])+", re.IGNORECASE)
_UNITS = ("bytes", "KiB", "MiB", "GiB")


def percent(share: float) -> str:
    """Return a share in percent. A share above zero is never shown as zero."""
    if 0 < share < 0.001:  # noqa: PLR2004 - as it is shown
        return "< 0.1 %"
    return f"{100 * share:.1f} %"


def size(count: float) -> str:
    """Return a number of bytes."""
    unit = 0
    while count >= 1024 and unit < len(_UNITS) - 1:  # noqa: PLR2004 - the step between the units
        count /= 1024
        unit += 1
    if count == int(count) or unit == 0:
        return f"{count:,.0f} {_UNITS[unit]}"
    return f"{count:,.1f} {_UNITS[unit]}"


def more(count: int) -> str:
    """Return the last line of a list that omits this many items, or nothing if it is complete."""
    if count <= 0:
        return ""
    return f"… and {count:,} more"


def decoded(text: str) -> str:
    """Return a text whose URLs are readable: with the letters and spaces that they escape.

    Other escapes have a meaning of their own, so they stay.
    """
    return _ESCAPES.sub(_letters, text)


def _letters(escapes: re.Match[str]) -> str:
    try:
        letters = unquote_to_bytes(escapes[0]).decode()
    except UnicodeDecodeError:
        return escapes[0]
    return letters if letters.isprintable() else escapes[0]
