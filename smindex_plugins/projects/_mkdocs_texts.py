"""Reads front matter as plugins of Material for MkDocs and Zensical complete it: with `.meta.yml`
and time zones.
"""

import os
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime
from functools import cache

from smindex_plugins.base.files import read_text
from smindex_plugins.base.invalid_text import InvalidTextError
from smindex_plugins.base.yaml_values import load_yaml
from smindex_plugins.html import front_matter
from smindex_plugins.html.front_matter import FrontMatter
from smindex_plugins.projects._blog_posts import blogs
from smindex_plugins.projects._configuration import Configuration


class MkDocsTexts:
    """The front matter of the sources of one site. Each `.meta.yml` is read once."""

    def __init__(self, configuration: Configuration) -> None:
        self._content = configuration.source_directory
        self._post_directories = [
            os.path.join(self._content, blog.post_directory, "") for blog in blogs(configuration)
        ]
        self._meta_files = [
            str(each.get("meta_file") or ".meta.yml") for each in configuration.instances("meta")
        ][:1]
        self._meta = cache(_meta)

    def read(self, path: str) -> FrontMatter:
        """Return the front matter of a source."""
        found = front_matter.read(path)
        for file in self._above(path):
            if meta := self._meta(file):
                found = replace(found, meta=merged(meta, found.meta or {}))
        if found.meta and path.startswith(tuple(self._post_directories)):
            found = replace(found, meta={**found.meta, "date": _in_utc(found.meta.get("date"))})
        return found

    def _above(self, path: str) -> Iterator[str]:
        """Yield where the files can be that set values for a source: beside it first, then above
        it.
        """
        directory = os.path.dirname(path)
        while self._meta_files and os.path.join(directory, "").startswith(
            os.path.join(self._content, "")
        ):
            yield os.path.join(directory, self._meta_files[0])
            directory = os.path.dirname(directory)


def merged(above: Mapping[str, object], own: Mapping[str, object]) -> dict[str, object]:
    """Return values with those that a file above sets: lists are joined, mappings merged, and own
    values count first.

    https://squidfunk.github.io/mkdocs-material/plugins/meta/
    """
    found = {**above, **own}
    for key in above.keys() & own.keys():
        outer, inner = above[key], own[key]
        if isinstance(outer, list) and isinstance(inner, list):
            found[key] = [*outer, *inner]
        if isinstance(outer, dict) and isinstance(inner, dict):
            found[key] = merged(outer, inner)
    return found


def _meta(file: str) -> Mapping[str, object]:
    """Return what a file sets for the sources beside and below it. No site is built with an invalid
    one.
    """
    values: object = None
    with suppress(OSError, InvalidTextError):
        values = load_yaml(read_text(file))
    return (
        {str(key).lower(): value for key, value in values.items()}
        if isinstance(values, dict)
        else {}
    )


def _in_utc(value: object) -> object:
    """Return the date of a post, or its dates, as the blog plugin reads them: a time without a zone
    is in UTC.
    """
    if isinstance(value, dict):
        return {key: _in_utc(each) for key, each in value.items()}
    return (
        value.replace(tzinfo=UTC) if isinstance(value, datetime) and value.tzinfo is None else value
    )
