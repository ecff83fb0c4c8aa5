"""Finds the pages that only a missing package can read.

The generator may be installed elsewhere.
"""

import os
import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from importlib.util import find_spec
from typing import Any

from smindex_plugins.base.proof import NoDate, Unknown
from smindex_plugins.html.includes import SNIPPETS, Part, Tool, read, shows_something
from smindex_plugins.html.markdown_site import MarkdownSite

_SNIPPET = re.compile("-8<-")
_NO_SNIPPETS = Unknown(NoDate.NOT_INSTALLED, other="pymdown-extensions")
_SEVERAL = r"""\s*\S+\s+(?:"[^"\n]*[*?{\[!]|'[^'\n]*[*?{\[!])"""
"""A directive of include-markdown that names several files by a pattern, after its opening tag."""


def readable(site: MarkdownSite) -> MarkdownSite:
    """Return a site without the extension for snippets if this is missing."""
    extensions = dict(site.extensions)
    if not find_spec("pymdownx"):
        extensions.pop(SNIPPETS, None)
    return replace(site, extensions=extensions)


def unread(site: MarkdownSite) -> Iterator[Tool]:
    """Yield what finds the pages that a missing package would read."""
    if SNIPPETS in site.extensions and not find_spec("pymdownx"):
        yield _snippets(site.extensions[SNIPPETS])
    if "include-markdown" in site.plugins and not find_spec("wcmatch"):
        opening = site.plugins["include-markdown"].get("opening_tag", "{%")
        several = re.compile(re.escape(opening) + _SEVERAL)
        yield _with(several, Unknown(NoDate.NOT_INSTALLED, other="wcmatch"))


def _with(pattern: re.Pattern[str], unknown: Unknown) -> Tool:
    def find(_: str, __: str, text: str) -> Iterator[Part]:
        if pattern.search(text):
            yield unknown

    return find


def _snippets(options: Mapping[str, Any]) -> Tool:
    """Return what finds the pages with snippets, and the simple ones at the end of every page."""
    in_text = _with(_SNIPPET, _NO_SNIPPETS)
    appended: list[Part] = []
    for name in options.get("auto_append", ()):
        places = (os.path.join(place, name) for place in options["base_path"])
        file = next(filter(os.path.isfile, places), "")
        if not file or _SNIPPET.search(read(file)):
            appended.append(_NO_SNIPPETS)
        elif shows_something(file):
            appended.append(file)

    def find(page: str, file: str, text: str) -> Iterator[Part]:
        yield from in_text(page, file, text)
        yield from appended

    return find
