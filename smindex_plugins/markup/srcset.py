"""The images from which a browser chooses by the size of the screen."""

import re
from collections.abc import Iterator

# The algorithm: https://html.spec.whatwg.org/multipage/images.html#parsing-a-srcset-attribute
_SPACES_AND_COMMAS = re.compile(r"[\t\n\f\r ,]*+")
_URL = re.compile(r"[^\t\n\f\r ]++")
# What is in parentheses is one description, though it may hold commas; one that is not closed goes on to the end.
_DESCRIPTIONS = re.compile(r"(?:[^,(]++|\([^)]*+\)?)*+")
_SIZE = re.compile(r"(\d{1,9}(?:\.\d{1,9})?)\d*+[wx]", re.ASCII)


def largest(srcset: str) -> str:
    """Return the URL of the largest image of a ``srcset``, or an empty string if there is none."""
    return max(_candidates(srcset), key=lambda candidate: candidate[1], default=("", 0.0))[0]


def _candidates(srcset: str) -> Iterator[tuple[str, float]]:
    """Yield the URLs, each with the width or density that its description gives, or 1."""
    at = _end(_SPACES_AND_COMMAS, srcset, 0)
    while found := _URL.match(srcset, at):
        url = found[0].rstrip(",")
        at = described = found.end()
        if url == found[0]:  # no comma ends it, so that its description follows
            at = _end(_DESCRIPTIONS, srcset, described)
        sizes = filter(None, map(_SIZE.fullmatch, srcset[described:at].split()))
        yield url, next((float(size[1]) for size in sizes), 1.0)
        at = _end(_SPACES_AND_COMMAS, srcset, at)


def _end(pattern: re.Pattern[str], text: str, start: int) -> int:
    found = pattern.match(text, start)
    return found.end() if found else start
