"""A file of changes, as `smindex diff -o changes.json` writes it, read again by whoever announces them."""

import json
from typing import Any

from smindex_plugins import files, urls
from smindex_plugins.announcing.difference import Changes, Difference, Sitemaps
from smindex_plugins.limits import MAX_CHANGES
from smindex_plugins.text import brief

_VERSION = 1


def read_changes(path: str) -> Difference:
    """Read a file of changes.

    Raises:
        OSError: it cannot be read.
        ValueError: it is none, or was written by another version.
    """
    content = files.read(path, MAX_CHANGES + 1)
    if len(content) > MAX_CHANGES:
        message = f"{path}: it has more than {MAX_CHANGES:,} bytes"
        raise ValueError(message)
    try:
        return _difference(json.loads(content))
    except (KeyError, TypeError, AttributeError, ValueError, RecursionError) as error:
        why = f"{brief(error.args[0])} is missing" if isinstance(error, KeyError) else str(error)
        message = f"{path}: it is no file of changes ({why}). Write one with `smindex diff OLD NEW -o changes.json`"
        raise ValueError(message) from error


def _difference(read: Any) -> Difference:  # noqa: ANN401 - whatever JSON holds
    """Return the difference of a JSON object; what has another form than it should raises one of several errors."""
    if read["version"] != _VERSION:
        message = f"its version is {brief(read['version'])}, and this command reads {_VERSION}"
        raise ValueError(message)
    summary, sitemaps = read["summary"], read["sitemaps"]
    changed = Changes()
    for each in read["changed"]:
        dates = (_text(each["from"] or ""), _text(each["to"] or ""))
        changed.add(_url(each["url"]), *dates, map(_text, each["variants"]))
    return Difference(
        old=_text(read["old"]),
        new=_text(read["new"]),
        added=list(map(_url, read["added"])),
        removed=list(map(_url, read["removed"])),
        changed=changed,
        sitemaps=Sitemaps(**{name: list(map(_url, sitemaps[name])) for name in ("added", "removed", "changed")}),
        urls_before=_number(summary["urls_before"]),
        urls_after=_number(summary["urls_after"]),
        undated=_number(summary["without_a_date"]),
        days=_number(summary["without_a_time"]),
        not_compared=list(map(_text, summary["not_compared"])),
        live={_url(url): _text(digest) for url, digest in read["live"].items()},
    )


def _text(value: object) -> str:
    if not isinstance(value, str) or "\t" in value:
        message = f"{brief(value)} stands where a text should"
        raise ValueError(message)
    return value


def _url(value: object) -> str:
    url = _text(value)
    if urls.normal(url) != url:
        message = f"{brief(value)} stands where a URL should"
        raise ValueError(message)
    return url


def _number(value: object) -> int:
    if type(value) is not int or value < 0:
        message = f"{brief(value)} stands where a number should"
        raise ValueError(message)
    return value
