"""What a project intentionally leaves out of its sitemaps, by its configuration and sources, without a build."""

import os
import re
from dataclasses import dataclass, replace
from functools import cached_property

from smindex_plugins import patterns
from smindex_plugins.model import Details, Page
from smindex_plugins.pages import Omission, judge
from smindex_plugins.projects.authors import Authors
from smindex_plugins.projects.find import sources_of
from smindex_plugins.projects.options import Options, is_pelicans, read_options
from smindex_plugins.projects.pages import File, Rendered
from smindex_plugins.projects.site import Site
from smindex_plugins.settings import Settings, Target
from smindex_plugins.sitemaps import Consents, numbered, read_consents

_NUMBERED = re.compile(r"(.*?)(?<!\d)(\d+)(/index\.html|\.html)")
_KEPT_BACK = {"draft": "marked draft", "hidden": "marked hidden", "skip": "marked skip"}


@dataclass
class Intent:
    """Why pages of a built site are in no sitemap, according to anything but the pages."""

    site: Site

    @property
    def told_by(self) -> str:
        """The file that says which pages are left out, or an empty string if none was found."""
        configuration = self.site.configuration
        is_of_table = self._has_table and not self._options.settings
        file = self.site.table.file if is_of_table else configuration.file if configuration else ""
        return os.path.relpath(file) if file else ""

    @property
    def problem(self) -> str:
        """Why that file does not say so, or an empty string."""
        return self._options.problem

    @property
    def settings(self) -> Settings:
        """The options that the sitemaps were written with, if they are known."""
        return self._options.settings or (self.site.settings if self._has_table else Settings())

    @property
    def index_filename(self) -> str:
        """The name of the index by those options, if it is there."""
        name, there = self.settings.index_filename, os.listdir(self.site.directory)
        return name if name in there or numbered(there, name) else ""

    def consents(self) -> Consents:
        """Return the consents in the robots.txt of other sites that those options name."""
        configuration = self.site.configuration
        is_of_host = configuration and self._options.settings
        beside = os.path.dirname(configuration.file) if configuration and is_of_host else self.site.table.directory
        return read_consents(self.settings.cross_site, beside)

    def why(self, file: str, site_url: str) -> str:
        """Return why the page in a file is left out on purpose, in words, or an empty string."""
        judged = self.judged(self.page(file, site_url), site_url)
        return judged.why if isinstance(judged, Omission) else ""

    def judged(self, page: Page, site_url: str) -> Page | Omission:
        """Return a page at its canonical URL, or why it is left out on purpose."""
        return judge(page, self.target(site_url), frozenset(), [])

    def target(self, site_url: str) -> Target:
        """Return where the site is, and the options that its sitemaps were written with."""
        return Target(site_url=site_url, directory=self.site.directory, settings=self.settings)

    def page(self, file: str, site_url: str) -> Page:
        """Return the page in a file of the directory, with all that its generator would have known of it."""
        rendered = self.rendered(site_url)
        sources = rendered.sources_of(file) or tuple(self.texts(file))
        page = rendered.page(File(file, os.path.join(rendered.directory, file), sources))
        return replace(page, details=self._details(file, page.details))

    def rendered(self, site_url: str) -> Rendered:
        """Return the pages of the site."""
        return Rendered(
            directory=self.site.directory,
            site_url=site_url,
            sources=sources_of((), self.site),
            has_clean_urls=bool(self.site.own.get("clean_urls", False)),
        )

    def texts(self, file: str) -> list[str]:
        """Return the possible sources of a page whose path does not show them, as on Pelican."""
        return [path for path, _ in self._authors.texts(file)] if is_pelicans(self.site.configuration) else []

    @property
    def _has_table(self) -> bool:
        """Whether the table is that of this site, not of the project in which the command runs."""
        table, real = self.site.table, os.path.join(os.path.realpath(self.site.directory), "")
        is_named = bool(table.file) and self.site.who == os.path.relpath(table.file)
        return is_named or (bool(table.file) and real.startswith(os.path.join(os.path.realpath(table.directory), "")))

    @cached_property
    def _options(self) -> Options:
        return read_options(self.site.configuration) if self.site.configuration else Options()

    @cached_property
    def _authors(self) -> Authors:
        given = self.site.configuration.sources if self.site.configuration else ()
        return Authors(tuple({pattern.partition("{path}")[0]: None for pattern in given}))

    def _details(self, file: str, details: Details) -> Details:
        """Return a page with what the generator would know about it. An unknown generator is treated as Pelican."""
        options = self._options
        if patterns.matches(file, options.templates):
            return replace(details, unlisted=details.unlisted or "a page of the theme or of a plugin")
        if not is_pelicans(self.site.configuration) and (self.site.configuration or self._has_table):
            return details
        authored = [details.meta] if details.meta else [meta for _, meta in self._authors.texts(file)]
        kept_back = [(_KEPT_BACK.get(str(meta.get("status", "")).strip().lower(), ""), meta) for meta in authored]
        # Of several texts of one name, that which is left out is the one that is not listed.
        status, meta = max(kept_back, key=lambda each: bool(each[0]), default=("", None))
        if any(f"/{place}" in f"/{file}" for place in options.drafts):  # also in the directory of a language
            status = _KEPT_BACK["draft"]
        number = self._number(file) if details.number == 1 else details.number
        return replace(details, meta=meta, unlisted=details.unlisted or status, number=number)

    def _number(self, file: str) -> int:
        """Return the number of a file in a list by Pelican's rules: `tag/a2.html` is the second, after `tag/a.html`."""
        match = _NUMBERED.fullmatch(file)
        if not match or int(match[2]) < 2:  # noqa: PLR2004 - the first page has no number
            return 1
        stem, number, end = match.groups()
        before = f"{stem}{int(number) - 1 if int(number) > 2 else ''}{end}"  # noqa: PLR2004 - as above
        return int(number) if os.path.isfile(os.path.join(self.site.directory, before)) else 1
