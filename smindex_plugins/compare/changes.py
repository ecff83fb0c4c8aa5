"""Reads the file of changes that `smindex diff -o changes.json` writes for `smindex announce`."""

import json

from smindex_plugins.base import files, urls
from smindex_plugins.base.difference import Change, Difference, Sitemaps
from smindex_plugins.base.text import brief

_VERSION = 1


def read_changes(path: str) -> Difference:
    """Read a file of changes.

    Raises:
        OSError: it cannot be read.
        ValueError: it is not a file of changes, or was written by another version.
    """
    try:
        given = json.loads(files.read(path))
        if given["version"] != _VERSION:
            message = f"its version is {brief(given['version'])}, but this command reads version {_VERSION}"
            raise ValueError(message)  # noqa: TRY301 - it gets the path below
        summary = given["summary"]
        return Difference(
            old=given["old"],
            new=given["new"],
            added=list(map(urls.normalise, given["added"])),
            removed=list(map(urls.normalise, given["removed"])),
            changed=[
                Change(urls.normalise(each["url"]), each["from"] or "", each["to"] or "", tuple(each["variants"]))
                for each in given["changed"]
            ],
            sitemaps=Sitemaps(**given["sitemaps"]),
            urls_before=summary["urls_before"],
            urls_after=summary["urls_after"],
            undated=summary["without_a_date"],
            days=summary["without_a_time"],
            not_compared=summary["not_compared"],
            live={urls.normalise(url): digest for url, digest in given["live"].items()},
        )
    except (KeyError, TypeError, AttributeError, ValueError, RecursionError) as error:
        why = f"{brief(error.args[0])} is missing" if isinstance(error, KeyError) else str(error)
        message = f"{path}: it is not a file of changes ({why}). Write one with `smindex diff OLD NEW -o changes.json`"
        raise ValueError(message) from error
