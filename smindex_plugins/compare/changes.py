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
        OSError: it can't be read.
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
        why = "a value in it has the wrong type"
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
    summary = given["summary"]
    live = {}
    for url, digest in given["live"].items():
        live[urls.normalise(url)] = _typed(digest, str)
    return Difference(
        old=_typed(given["old"], str),
        new=_typed(given["new"], str),
        first_deployment=_text_or_none(given["first_deployment"]) or "",
        added=_urls(given["added"]),
        removed=_urls(given["removed"]),
        changed=[_change(each) for each in given["changed"]],
        sitemaps=_sitemaps(given["sitemaps"]),
        urls_before=_typed(summary["urls_before"], int),
        urls_after=_typed(summary["urls_after"], int),
        undated=_typed(summary["without_a_date"], int),
        days=_typed(summary["without_a_time"], int),
        not_compared=_texts(summary["not_compared"]),
        live=live,
    )


def _change(given: Mapping[str, Any]) -> Change:
    url = _typed(given["url"], str)
    variants = _texts(given["variants"])
    return Change(
        url=urls.normalise(url),
        before=_text_or_none(given["before"]),
        after=_text_or_none(given["after"]),
        variants=tuple(variants),
    )


def _sitemaps(given: Mapping[str, Any]) -> Sitemaps:
    return Sitemaps(
        added=_texts(given["added"]),
        removed=_texts(given["removed"]),
        changed=_texts(given["changed"]),
    )


def _urls(given: object) -> list[str]:
    return [urls.normalise(each) for each in _texts(given)]


def _text_or_none(given: object) -> str | None:
    if given is None:
        return None
    return _typed(given, str)


def _texts(given: object) -> list[str]:
    return [_typed(each, str) for each in _typed(given, list)]


def _typed(given: object, type_: type[Value]) -> Value:
    if not isinstance(given, type_):
        raise TypeError
    return given
