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
        return "A pattern cannot be negated. Remove it, and narrow the others."
    text = pattern.strip("^$ '\"").removesuffix(".*").replace("\\", "/")
    text = re.sub(r"\A(?:\w+://[^/]*)?[./]*/", "", text).removeprefix(urls.path(site_url)[1:])
    folders = (accumulate(segment + "/" for segment in path.split("/")[:-1]) for path in paths)
    directories = list(dict.fromkeys(directory for parents in folders for directory in parents))
    known = [*directories, *filter(None, paths)]
    if near := _nearest(text, known, sources):
        return f"Did you mean `{near}`?"
    examples = [name for name in directories if name.count("/") == 1] or known
    such = f", such as {', '.join(f'`{name}`' for name in examples[:3])}" if examples else ""
    return (
        f"Patterns are paths below {site_url}{such}, with `*`, `**` and `?` as wildcards."
        f" {NOTHING_NEAR}"
    )


def _nearest(text: str, known: Sequence[str], sources: Mapping[str, str]) -> str:
    """Return the known path or directory that a text means, or an empty string."""
    # unchanged, and without the directory of the sources or of the output
    for name in (text, text.partition("/")[2]):
        plain = _SOURCE.sub("", name).rstrip("/*")
        if plain:
            ends = (f"/{plain}/", f"/{plain}.html")
            if found := min(
                (each for each in known if f"/{each}".endswith(ends)), key=len, default=""
            ):
                return found
            for source, path in sources.items():
                if f"/{source}".endswith(f"/{name}"):
                    return path if path and not path.endswith("/") else f"{path}index.html"
    if re.search(r"[^\w/. -]", text):
        return ""  # wildcards, or a regular expression
    spellings = {each.lower(): each for each in known[:_MOST_COMPARED]}
    return spellings.get(
        did_you_mean(_SOURCE.sub("", text).lower().rstrip("/") + "/", spellings), ""
    )
