"""Suggests the nearest matching pattern for a pattern that matches nothing."""

import re
from collections.abc import Mapping, Sequence
from itertools import accumulate
from types import MappingProxyType

from smindex_plugins.base import urls
from smindex_plugins.base.text import did_you_mean

NOTHING_NEAR = "Correct it, or remove it."
_MOST_COMPARED = 5_000
"""How many names are searched for a similar one."""
_SOURCE = re.compile(r"\.(?:md|markdown|mkd|rst|ipynb|adoc|txt|html?|php)\Z", re.IGNORECASE)
"""The suffix of a source, or of a page in another style of URLs."""


def fix(
    pattern: str,
    site_url: str,
    paths: Sequence[str],
    sources: Mapping[str, str] = MappingProxyType({}),
) -> str:
    """Return the fix for a pattern that matches none of the paths, which are decoded and relative
    to the site.

    ``sources`` maps the names of source files to the paths of their pages.
    """
    if pattern.startswith("!"):
        return "A pattern can't be negated. Remove it, and narrow the others."
    text = _without_address(pattern, site_url)
    directories = _directories(paths)
    known = [*directories, *filter(None, paths)]
    near = _nearest(text, known, sources)
    if near:
        return f"Did you mean `{near}`?"
    examples = [name for name in directories if name.count("/") == 1] or known
    such = ""
    if examples:
        quoted = [f"`{name}`" for name in examples[:3]]
        such = f", such as {', '.join(quoted)}"
    return (
        f"Patterns are paths below {site_url}{such}, with `*`, `**` and `?` as wildcards."
        f" {NOTHING_NEAR}"
    )


def _without_address(pattern: str, site_url: str) -> str:
    """Return a pattern as a path below the site, if it is a URL, an absolute path or an
    expression.
    """
    text = pattern.strip("^$ '\"").removesuffix(".*").replace("\\", "/")
    path = re.sub(r"\A(?:\w+://[^/]*)?[./]*/", "", text)
    return path.removeprefix(urls.path(site_url)[1:])


def _directories(paths: Sequence[str]) -> list[str]:
    """Return the directories of the paths, each once, with a slash at the end."""
    found: dict[str, None] = {}
    for path in paths:
        parts = path.split("/")[:-1]
        found |= dict.fromkeys(accumulate(f"{part}/" for part in parts))
    return list(found)


def _nearest(text: str, known: Sequence[str], sources: Mapping[str, str]) -> str:
    """Return the known path or directory that a text means, or an empty string."""
    # unchanged, and without the directory of the sources or of the output
    for name in (text, text.partition("/")[2]):
        near = _of_same_end(name, known) or _of_source(name, sources)
        if near:
            return near
    if re.search(r"[^\w/. -]", text):
        return ""  # wildcards, or a regular expression
    spellings = {each.lower(): each for each in known[:_MOST_COMPARED]}
    directory = _SOURCE.sub("", text).lower().rstrip("/") + "/"
    return spellings.get(did_you_mean(directory, spellings), "")


def _of_same_end(name: str, known: Sequence[str]) -> str:
    """Return the shortest known path that ends in a name, with or without its suffix."""
    plain = _plain(name)
    if not plain:
        return ""
    ends = (f"/{plain}/", f"/{plain}.html")
    found = (each for each in known if f"/{each}".endswith(ends))
    return min(found, key=len, default="")


def _of_source(name: str, sources: Mapping[str, str]) -> str:
    """Return the path of the page with a source of this name."""
    if not _plain(name):
        return ""
    for source, path in sources.items():
        if f"/{source}".endswith(f"/{name}"):
            if path and not path.endswith("/"):
                return path
            return f"{path}index.html"
    return ""


def _plain(name: str) -> str:
    return _SOURCE.sub("", name).rstrip("/*")
