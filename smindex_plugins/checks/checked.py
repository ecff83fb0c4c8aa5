"""A sitemap or an index, and the robots.txt files that apply to it."""

from dataclasses import dataclass

from smindex_plugins.reading.document import Document
from smindex_plugins.reading.found import Found
from smindex_plugins.writing.robots import Robots


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckedFile:
    """A sitemap or an index, and what robots.txt files say about it."""

    found: Found
    robots: Robots | None = None
    """The robots.txt of its host, if crawlers read one."""
    proven: frozenset[str] = frozenset()
    """The other origins whose robots.txt lists it, whose URLs it may list too."""

    @property
    def document(self) -> Document:
        """What it contains."""
        return self.found.document
