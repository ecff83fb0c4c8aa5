"""Reads the file of changes that `smindex diff -o changes.json` writes for `smindex announce`."""

from collections.abc import Mapping
from typing import Any, TypeVar

from smindex_plugins.base import files, urls
from smindex_plugins.base.difference import Change, Difference, Sitemaps
from smindex_plugins.base.text import brief
from smindex_plugins.base.toml_and_json import load_json

_VERSION = 1
Value = TypeVar("Value")


def read_changes(path: str) -> Difference:
    """Read a file of changes.

    Raises:
        OSError: it cannot be read.
        ValueError: it is not a file of changes, or was written by another version.
    """
    try:
        given = load_json(files.read_text(path))
        if given["version"] == _VERSION:
            return _difference(given)
        why = f"its version is {brief(given['version'])}, but this command reads version {_VERSION}"
    except KeyError as error:
        why = f"{brief(error.args[0])} is missing"
    except (TypeError, AttributeError):
        why = "a value in it has another type"
    except ValueError as error:  # of the text, or of a URL
        why = str(error)
    message = (
        f"{path}: it is not a file of changes ({why}). Write one with `smindex diff OLD NEW -o"
        " changes.json`"
    )
    raise ValueError(message)


def _difference(given: Mapping[str, Any]) -> Difference:
    """Return what a file of changes says.

    Raises:
        KeyError: something is missing.
        TypeError, AttributeError: a value has another type.
        ValueError: a URL is not valid.
    """
    summary, sitemaps = given["summary"], given["sitemaps"]
    return Difference(
        old=_typed(given["old"], str),
        new=_typed(given["new"], str),
        added=list(map(urls.normalise, _texts(given["added"]))),
        removed=list(map(urls.normalise, _texts(given["removed"]))),
        changed=[
            Change(
                urls.normalise(_typed(each["url"], str)),
                _typed(each["from"] or "", str),
                _typed(each["to"] or "", str),
                tuple(_texts(each["variants"])),
            )
            for each in given["changed"]
        ],
        sitemaps=Sitemaps(
            **{name: _texts(sitemaps[name]) for name in ("added", "removed", "changed")}
        ),
        urls_before=_typed(summary["urls_before"], int),
        urls_after=_typed(summary["urls_after"], int),
        undated=_typed(summary["without_a_date"], int),
        days=_typed(summary["without_a_time"], int),
        not_compared=_texts(summary["not_compared"]),
        live={urls.normalise(url): _typed(digest, str) for url, digest in given["live"].items()},
    )


def _texts(given: object) -> list[str]:
    return [_typed(each, str) for each in _typed(given, list)]


def _typed(given: object, type_: type[Value]) -> Value:
    if not isinstance(given, type_):
        raise TypeError
    return given
