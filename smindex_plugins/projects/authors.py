"""What the authors of a Pelican site say in their metadata, found by the places of the published pages."""

import os
import re
import unicodedata
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

from smindex_plugins.files import open_regular, walk
from smindex_plugins.html import front_matter

_SUFFIXES = (".md", ".markdown", ".mkd", ".mdown", ".rst", ".html", ".htm")
_MOST_BYTES = 1 << 13
_LINE = re.compile(r":?([A-Za-z][\w-]*):(.*)")
"""A metadata field in Markdown or reStructuredText."""
_LISTS = frozenset({"tag", "tags", "category", "categories", "author", "authors"})
"""Directories whose pages are named after what they list."""
_META = re.compile(r"<meta\s+name=[\"']([\w-]+)[\"']\s+content=[\"']([^\"']*)[\"']", re.IGNORECASE)


@dataclass
class Authors:
    """The sources of a site. They are read on the first question."""

    directories: tuple[str, ...]

    def texts(self, file: str) -> list[tuple[str, Mapping[str, object]]]:
        """Return the possible sources of a rendered file, by its name, and their metadata."""
        *above, name = re.sub(r"(?:/index)?\.html?$", "", file).split("/")
        is_list = bool(above) and above[-1] in _LISTS
        return self._by_place.get(file) or ([] if is_list else self._by_place.get(name)) or []

    @cached_property
    def _by_place(self) -> dict[str, list[tuple[str, Mapping[str, object]]]]:
        found: dict[str, list[tuple[str, Mapping[str, object]]]] = {}
        for path in self._sources():
            said = front_matter.read(path).meta or _fields(path)
            stem = os.path.basename(path).partition(".")[0]
            named = {key: value for key in ("save_as", "slug", "title") if isinstance(value := said.get(key), str)}
            places = named.get("save_as"), named.get("slug"), _slug(named.get("title", "")), stem
            for place in {place for place in places if place}:
                found.setdefault(place, []).append((path, said))
        return found

    def _sources(self) -> Iterator[str]:
        for directory in self.directories:
            for top, _, names in sorted(walk(directory)):
                yield from (os.path.join(top, name) for name in sorted(names) if name.lower().endswith(_SUFFIXES))


def _fields(path: str) -> Mapping[str, object]:
    try:
        with open_regular(path) as file:
            text = file.read(_MOST_BYTES).decode("utf-8-sig", "replace")
    except OSError:
        return {}
    if path.lower().endswith((".html", ".htm")):
        return {name.lower(): value for name, value in _META.findall(text)}
    lines = text.splitlines()
    title = lines[0].strip() if lines and path.lower().endswith(".rst") else ""
    fields = (match for line in lines if (match := _LINE.match(line)))
    return {"title": title} | {match[1].lower().replace("-", "_"): match[2].strip(" \t") for match in fields}


def _slug(title: str) -> str:
    """Return the slug that Pelican makes from a title by its default rules."""
    plain = unicodedata.normalize("NFKD", title).encode("ascii", "ignore").decode()
    return re.sub(r"[-\s]+", "-", re.sub(r"[^\w\s-]", "", plain)).strip().lower()
