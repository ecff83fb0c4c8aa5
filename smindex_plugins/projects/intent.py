"""Tells which pages a project intentionally leaves out of its sitemaps, by its configuration and sources."""

import os
import re
from dataclasses import dataclass, replace

from smindex_plugins import patterns
from smindex_plugins.model import Page
from smindex_plugins.pages import Omission, judge
from smindex_plugins.projects.generators import Configuration
from smindex_plugins.projects.pages import BuiltSite
from smindex_plugins.settings import Settings, Site
from smindex_plugins.sitemaps import Consents, numbered, read_consents

_NUMBERED = re.compile(r"(.*?)(?<!\d)(\d+)(/index\.html|\.html)")


@dataclass(frozen=True)
class Intent:
    """What a built site's configuration and sources say about its pages."""

    site: BuiltSite

    @property
    def told_by(self) -> str:
        """The file that says which pages are left out, or an empty string if none was found."""
        configured = self.site.configuration.file if self.site.configuration else ""
        file = self._host.file if self._host else self._table or configured
        return os.path.relpath(file) if file else ""

    @property
    def problem(self) -> str:
        """Why that file does not say so, or an empty string."""
        configuration = self.site.configuration
        return configuration.problem or configuration.options_problem if configuration else ""

    @property
    def settings(self) -> Settings:
        """The options that the sitemaps were written with, if they are known."""
        return (self._host and self._host.settings) or (self.site.settings if self._table else Settings())

    @property
    def index_filename(self) -> str:
        """The name of the index by those options, if it is there."""
        name, there = self.settings.index_filename, os.listdir(self.site.directory)
        return name if name in there or numbered(there, name) else ""

    def consents(self) -> Consents:
        """Return the consents in the robots.txt of other sites that those options name."""
        beside = os.path.dirname(self._host.file) if self._host else self.site.beside
        return read_consents(self.settings.cross_site, beside)

    def why(self, file: str, site_url: str) -> str:
        """Return why the page in a file is left out on purpose, in words, or an empty string."""
        judged = self.judged(self.page(file, site_url), site_url)
        return judged.why if isinstance(judged, Omission) else ""

    def judged(self, page: Page, site_url: str) -> Page | Omission:
        """Return a page at its canonical URL, or why it is left out on purpose."""
        return judge(page, self.target(site_url), frozenset(), [])

    def target(self, site_url: str) -> Site:
        """Return where the site is, and the options that its sitemaps were written with."""
        return Site(url=site_url, directory=self.site.directory, settings=self.settings)

    def page(self, file: str, site_url: str) -> Page:
        """Return the page in a file of the directory, with what its generator would know about it.

        An unknown generator is treated as Pelican.
        """
        site, configuration = replace(self.site, url=site_url), self.site.configuration
        page = site.page(site.file(file))
        is_unknown = not configuration and not self._table
        unlisted, number = page.unlisted, page.number
        drafts = configuration.drafts if configuration else ("drafts/",) if is_unknown else ()
        if configuration and patterns.matches(file, configuration.templates):
            unlisted = unlisted or "a page of the theme or of a plugin"
        elif any(f"/{place}" in f"/{file}" for place in drafts):  # also in the directory of a language
            unlisted = unlisted or "marked draft"
        if number == 1 and (configuration.has_numbered_lists if configuration else is_unknown):
            number = self._number(file)
        return replace(page, unlisted=unlisted, number=number)

    @property
    def _table(self) -> str:
        """The pyproject.toml with options if it is that of this site, not only that of the current directory."""
        table, directory = self.site.table, os.path.join(os.path.realpath(self.site.directory), "")
        is_above = directory.startswith(os.path.join(os.path.realpath(os.path.dirname(table)), ""))
        return table if table and (is_above or self.site.directory_from == os.path.relpath(table)) else ""

    @property
    def _host(self) -> Configuration | None:
        """The configuration of the generator, if that runs the plugin itself."""
        configuration = self.site.configuration
        return configuration if configuration and configuration.settings else None

    def _number(self, file: str) -> int:
        """Return the number of a file in a list by Pelican's rules: `tag/a2.html` is the second, after `tag/a.html`."""
        match = _NUMBERED.fullmatch(file)
        if not match or int(match[2]) < 2:  # noqa: PLR2004 - the first page has no number
            return 1
        stem, number, end = match.groups()
        before = f"{stem}{int(number) - 1 if int(number) > 2 else ''}{end}"  # noqa: PLR2004 - as above
        return int(number) if os.path.isfile(os.path.join(self.site.directory, before)) else 1
