"""Where the source of a rendered page can be, by the path of the page and a pattern of sources."""

import re
from collections.abc import Iterator, Sequence

INDEXES = ("index", "_index", "README")
"""The names of the source of a directory's own page, for generators that take any of these."""
LANGUAGE = re.compile(r"[a-z]{2}(?:-[A-Za-z]{2,4})?")


def candidates(pattern: str, page: str, indexes: Sequence[str] = INDEXES) -> Iterator[str]:
    """Return the possible paths of a page's source: `{path}` is its path, `{name}` its last part.

    Without `{name}`, each of its `names` is a path.
    """
    if "{name}" in pattern:
        stem = page.rpartition(".")[0]
        path = stem.removesuffix("/index")
        if stem == "index":
            path = ""
        name = path.rpartition("/")[2] or "index"
        yield pattern.replace("{path}", path).replace("{name}", name)
        return
    if page == "index.html" and "{path}/" in pattern:
        yield pattern.replace("{path}/", "")
    for name in names(page, indexes):
        yield pattern.replace("{path}", name)


def names(page: str, indexes: Sequence[str] = INDEXES) -> Iterator[str]:
    """Return the possible names, without suffix, of a page's source (relative to the built
    directory).

    The source of `de/guide.html` can be named `guide.de`, as in Hugo and mkdocs-static-i18n.
    """
    yield from _names(page, "", indexes)
    language, _, rest = page.partition("/")
    if rest and LANGUAGE.fullmatch(language):
        yield from _names(rest, f".{language}", indexes)


def _names(page: str, end: str, indexes: Sequence[str]) -> Iterator[str]:
    stem = page.rpartition(".")[0]
    directory, _, name = stem.rpartition("/")
    if name != "index":
        yield stem + end
        return
    if directory:
        yield directory + end
    for index in indexes:
        yield f"{directory}/{index}".lstrip("/") + end
