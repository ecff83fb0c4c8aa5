"""Reads front matter as plugins of Material and Zensical complete it: `.meta.yml`, time zones."""

import os
from collections.abc import Iterator, Mapping
from contextlib import suppress
from datetime import UTC, datetime
from functools import cache

from smindex_plugins.base.invalid_text import InvalidTextError
from smindex_plugins.html import front_matter
from smindex_plugins.html.front_matter import FrontMatter
from smindex_plugins.projects._blog_posts import post_directories
from smindex_plugins.projects._configuration import Configuration, load, merged


class MkDocsTexts:
    """The front matter of the sources of one site. Each `.meta.yml` is read once."""

    def __init__(self, configuration: Configuration) -> None:
        self._content = os.path.join(configuration.source_directory, "")
        self._post_directories = post_directories(configuration)
        self._meta_file = ""
        instances = configuration.instances("meta")
        if instances:
            self._meta_file = str(instances[0].get("meta_file") or ".meta.yml")
        self._meta = cache(_meta)

    def read(self, path: str) -> FrontMatter:
        """Return the front matter of a source."""
        found = front_matter.read(path)
        for file in self._above(path):
            above = self._meta(file)
            if above:
                # https://squidfunk.github.io/mkdocs-material/plugins/meta/
                meta = merged(above, found.meta or {}, joins_lists=True)
                found = found._replace(meta=meta)
        if found.meta and path.startswith(self._post_directories):
            day = _in_utc(found.meta.get("date"))
            found = found._replace(meta={**found.meta, "date": day})
        return found

    def _above(self, path: str) -> Iterator[str]:
        """Yield where files can be that set values for a source: beside it first, then above it."""
        directory = os.path.dirname(path)
        while self._meta_file and os.path.join(directory, "").startswith(self._content):
            yield os.path.join(directory, self._meta_file)
            directory = os.path.dirname(directory)


def _meta(file: str) -> Mapping[str, object]:
    """Return what a file sets for the sources beside and below it.

    No site is built with an invalid one.
    """
    values: Mapping[str, object] = {}
    with suppress(OSError, InvalidTextError):
        values = load(file)
    return {str(key).lower(): value for key, value in values.items()}


def _in_utc(value: object) -> object:
    """Return the date of a post, or its dates, as the blog plugin reads them.

    A time without a zone is in UTC.
    """
    if isinstance(value, dict):
        return {key: _in_utc(each) for key, each in value.items()}
    if isinstance(value, datetime) and value.tzinfo is None:
        return value.replace(tzinfo=UTC)
    return value
