"""Finds what pages of MkDocs, ProperDocs and Zensical show from other files.

Nothing of the project is run. What is not known leaves a page without a date.
"""

import os
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from smindex_plugins.base.model import Page
from smindex_plugins.base.patterns import find_files
from smindex_plugins.base.proof import NoDate, Unknown
from smindex_plugins.html import notations
from smindex_plugins.html.documented import Documented
from smindex_plugins.html.includes import Includes, Part, Tool, read
from smindex_plugins.html.markdown_site import MarkdownSite
from smindex_plugins.projects._configuration import Configuration
from smindex_plugins.projects._documented import CODE, Modules
from smindex_plugins.projects._markdown_site import markdown_site
from smindex_plugins.projects._missing import readable, unread

_MARKDOWN_GENERATORS = frozenset({"MkDocs", "ProperDocs", "Zensical"})
_TEMPLATE = re.compile(r"\{\{|\{%")
_CODE_IN_LINE = re.compile(r"`[^`\n]+`")
_ANY_FILE = '"path/of/what/it/shows/*"'
"""The files to list for a page that shows something unknown."""


class Shown:
    """What the pages of a site show from other files."""

    def __init__(self, configuration: Configuration | None) -> None:
        self.includes = Includes()
        """The files that the pages include."""
        self._site: MarkdownSite | None = None
        if configuration and configuration.generator.name in _MARKDOWN_GENERATORS:
            self._site = markdown_site(configuration)
            self.includes = Includes.of_site(readable(self._site), _tools(self._site))
            self._modules = Modules(self._site)
            self._describes = notations.marks(self._site)

    def on(self, pages: Sequence[Page]) -> list[Page]:
        """Return all pages with the files that they show, or with why these are unknown."""
        return [self._with_shown(page) if self._is_rendered(page) else page for page in pages]

    def _is_rendered(self, page: Page) -> bool:
        if self._site is None or page.kind == "file":
            return False
        return page.sources not in {(), (page.file,)}

    def _with_shown(self, page: Page) -> Page:
        documented = self._documented(page)
        unknown = page.unknown or documented.unknown
        for source in page.sources:
            unknown = unknown or self.includes.unknown(source)
        if unknown and unknown.reason is NoDate.TEMPLATE and not unknown.detail:
            unknown = unknown._replace(detail=_ANY_FILE)
        depends = (*page.depends, *documented.files)
        return replace(page, unknown=unknown, depends=depends)

    def _documented(self, page: Page) -> Documented:
        """Return what the sources of a page document."""
        site = self._site
        if site is None or not (self._modules.is_used or self._describes):
            return Documented()
        found: list[tuple[str, Sequence[Part]]] = []
        described: list[Part] = []
        for source in page.sources:
            text = read(source)
            included = "\n\n".join(map(read, self.includes.of(source)))
            if self._modules.is_used:
                found += self._modules.documented(page.file or "", text, included)
            if self._describes:
                html = CODE.sub("", f"{text}\n\n{included}")
                html = _CODE_IN_LINE.sub("", html)
                path = os.path.relpath(source, site.docs_dir)
                described += notations.described(html, path, site)
        return Documented.of(found, described)


def _tools(site: MarkdownSite) -> Iterator[Tool]:
    yield from unread(site)
    yield from notations.tools(site)
    if "markdownextradata" in site.plugins:
        yield _extra_data(site)
    if "macros" in site.plugins:
        from smindex_plugins.projects._macros import ProjectTemplates  # noqa: PLC0415 - jinja2 takes time to import

        yield ProjectTemplates(site).find


def _extra_data(site: MarkdownSite) -> Tool:
    """Return what finds the pages that may show a file of markdownextradata."""
    project = os.path.dirname(site.config_file)
    given = site.plugins["markdownextradata"].get("data")
    places = ["_data", os.path.join(site.docs_dir, "_data")]
    if given:
        places = str(given).split(",")
    has_data = False
    for place in places:
        directory = os.path.join(project, place.strip())
        has_data = has_data or bool(find_files(directory, "**/*.*"))

    def find(_: str, __: str, text: str) -> Iterator[Part]:
        if has_data and _TEMPLATE.search(text):
            yield Unknown(NoDate.TEMPLATE)

    return find
