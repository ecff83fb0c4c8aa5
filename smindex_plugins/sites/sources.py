"""Which source files a built page was made from, as the hosts lay sites out, and when git says they changed."""

import os
import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from smindex_plugins.history import Change, History

_SUFFIXES = (".md", ".markdown", ".mdx", ".rst", ".adoc", ".html", ".ipynb")
_ROOTS = ("docs", "content", "src/pages", "src/content", "pages", "")
"""Where MkDocs, Pelican, Hugo and Astro keep what they render."""
_FRONT_MATTER = 4096
_AUTHORS_DATE = re.compile(rb"^[\"']?(?:lastmod|updated|modified|date)[\"']?\s*[:=]", re.IGNORECASE | re.MULTILINE)
_LANGUAGE = re.compile(r"[a-z]{2}(?:-[A-Za-z]{2,4})?")
_INDEXES = ("index", "_index", "README")


@dataclass(slots=True, kw_only=True)
class Sources:
    """A git work tree in which the sources of pages are looked for."""

    directory: str
    history: History = field(default_factory=History)

    def of(self, page: str) -> str | None:
        """Return the source (absolute path) of a rendered page (relative to the built directory), if one is there."""
        for name in names(page):
            for root in _ROOTS:
                path = os.path.join(os.path.abspath(self.directory), root, *name.split("/"))
                for suffix in _SUFFIXES:
                    if os.path.isfile(path + suffix):
                        return path + suffix
        return None

    def changes(self, pages: list[str]) -> dict[str, int]:
        """Return when the sources of rendered pages changed, in seconds since 1970, where history proves it."""
        sources = {page: source for page in pages if (source := self.of(page)) and not _is_dated(source)}
        answers = self.history.dates(sources.values())
        return {page: answer.when for page, source in sources.items() if isinstance(answer := answers[source], Change)}


def _is_dated(source: str) -> bool:
    """Whether front matter may date a file, in which case its author knows better than git."""
    try:
        with open(source, "rb") as file:
            return _AUTHORS_DATE.search(file.read(_FRONT_MATTER)) is not None
    except OSError:
        return False


def names(page: str) -> Iterator[str]:
    """Return the names, less their suffixes, that the source of a page (relative to the built directory) may have.

    That of `de/guide.html` may be called `guide.de`, as Hugo and mkdocs-static-i18n let translations be called.
    """
    yield from _names(page)
    language, _, rest = page.partition("/")
    if rest and _LANGUAGE.fullmatch(language):
        for name in _names(rest):
            yield f"{name}.{language}"


def _names(page: str) -> Iterator[str]:
    stem = page.rpartition(".")[0]
    directory, _, name = stem.rpartition("/")
    if name == "index":
        if directory:
            yield directory
        for index in _INDEXES:
            yield f"{directory}/{index}".lstrip("/")
    else:
        yield stem
