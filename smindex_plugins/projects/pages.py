"""Turns a built directory into pages, each with its URL, its source files, and the reason if it is
omitted.
"""

import os
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from smindex_plugins.base import patterns, urls
from smindex_plugins.base.files import is_html, is_inside, visible
from smindex_plugins.base.model import Page
from smindex_plugins.base.serving import form_of
from smindex_plugins.base.settings import Settings
from smindex_plugins.base.site import Site
from smindex_plugins.html.front_matter import FrontMatter
from smindex_plugins.html.page import read_head
from smindex_plugins.pages.others import is_included
from smindex_plugins.projects._configuration import Configuration
from smindex_plugins.projects._own_sitemap import OwnSitemap
from smindex_plugins.projects.sources import SourcePatterns

_LATER_PAGE = re.compile(r"(?:^|/)page/(\d+)/index\.html$")
"""The paths of later pages of a list in Hugo, Jekyll and other generators, by default."""
_NUMBERED = re.compile(r"(.*?)(?<!\d)(\d+)(/index\.html|\.html)")
_ASSETS = "_static"
"""The directory into which Sphinx copies files of its theme, including HTML templates."""


class File(NamedTuple):
    """A rendered file, before it is read."""

    path: str
    """Its path in the directory, with ``/`` separators."""
    absolute: str
    """Its path on this machine."""
    sources: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class BuiltSite:
    """A built directory, its address, its options, and the location of its sources."""

    directory: str
    """Its absolute path."""
    sources: SourcePatterns
    directory_from: str = ""
    """Where the directory is set, for messages."""
    url: str = ""
    """The normalized URL that serves it, with a final slash. Empty if it is not known."""
    url_from: str = ""
    """Where that URL is set."""
    has_clean_urls: bool = False
    """Whether `about.html` is served at `about`."""
    own_sitemap: OwnSitemap | None = None
    """The sitemap of its generator, if it determines the URLs of the pages."""
    settings: Settings = field(default_factory=Settings)
    """The options of its sitemaps."""
    beside: str = ""
    """The base directory of paths in the options. Empty means the current directory."""
    settings_file: str = ""
    """The file that excludes pages, for messages. Empty if none was found."""
    configuration: Configuration | None = None
    """The configuration of its build, if it was found."""

    @property
    def site(self) -> Site:
        """The site in the form that `publish` and `judge` take."""
        directory, settings = self.directory, self.settings
        return Site(
            url=self.url,
            directory=directory,
            settings=settings,
            url_from=self.url_from,
            beside=self.beside,
            generator=self.configuration.generator.name if self.configuration else "",
            project=self.project or os.getcwd(),
            settings_file=self.settings_file and os.path.abspath(self.settings_file),
        )

    @property
    def project(self) -> str:
        """The directory with the configuration it was built with, or with its options.

        Empty if neither was found.
        """
        file = self.configuration.file if self.configuration else self.settings_file
        return file and os.path.dirname(os.path.abspath(file))

    def files(self) -> Iterator[File]:
        """Yield the HTML files, and the other files that the option ``include`` lists, without
        hidden ones.

        Raises:
            OSError: a directory cannot be entered or read, so its content is unknown.
        """
        for prefix, names in visible(self.directory, _refuse):
            for path in (prefix + name for name in names):
                if is_html(path) or is_included(path, self.settings):
                    yield self.file(path)

    def made_from(self) -> Mapping[str, list[str]]:
        """Return the files that are built from each source, which is given by its real path."""
        found = defaultdict[str, list[str]](list)
        for file in self.files():
            for source in dict.fromkeys(map(os.path.realpath, file.sources)):
                found[source].append(file.path)
        return dict(found)

    def file(self, path: str) -> File:
        """Return a file of the directory with its sources."""
        absolute = os.path.join(self.directory, path)
        if is_html(path):
            return File(path, absolute, self.sources.of(path))
        return File(path, absolute, self._originals(path) if self.sources.patterns else (absolute,))

    def page(self, file: File) -> Page:
        """Return a file as a page, at its canonical URL if that leads to the file.

        A page that cannot be read has no head, and the report of the build says why.
        """
        path = urls.page_path(file.path)
        if not is_html(file.path):
            url = self.url + path
            return Page(
                url=url,
                file=file.absolute,
                sources=file.sources,
                source_name=file.path,
                kind="file",
            )
        has_source = file.sources not in {(), (file.absolute,)}
        authored = self.sources.front_matter(file.sources[0]) if has_source else FrontMatter()
        blog_page = self.sources.blog_page(file.path)
        needs_no_source = bool(file.sources) or self.sources.is_blog_list(file.path)
        url, head = self.url + (path.removesuffix(".html") if self.has_clean_urls else path), None
        if self.own_sitemap:
            url = self.own_sitemap.url(file.path, self.url)
        with suppress(OSError):
            head = read_head(file.absolute, url)
            own = head.canonical
            if own and "?" not in own and self._shows(own, file.path):
                url, head = own, replace(head, canonical=None, names_itself=True)
        return Page(
            url=url,
            file=file.absolute,
            sources=file.sources,
            looked_for="" if needs_no_source else self.sources.looked_for(file.path),
            source_name=os.path.relpath(file.sources[0]) if has_source else file.path,
            meta=authored.meta,
            meta_error=authored.problem,
            number=blog_page.number if blog_page else self._number(file.path),
            unlisted=self._why_unlisted(file),
            kind="copied",
            mapped=self.own_sitemap is None and not path.endswith("/"),
            head=head,
        )

    def _originals(self, path: str) -> tuple[str, ...]:
        """Return the original of a copied file that is not a page, if it is known.

        Sources of pages do not count, even if only their suffix differs.
        """
        stems = dict.fromkeys(pattern.partition("{")[0] for pattern in self.sources.patterns)
        # Hugo's
        beside = (
            os.path.join(os.path.dirname(os.path.dirname(stem)), "static", path) for stem in stems
        )
        return tuple(filter(os.path.isfile, (*(stem + path for stem in stems), *beside)))[:1]

    def _shows(self, url: str, file: str) -> bool:
        """Whether a URL of the site leads to a file on most hosts.

        Few show `about.html` at `/about/`.
        """
        if not urls.is_within(url, self.url) or form_of(url, file)[0] == "file/":
            return False
        return urls.find_file(self.directory, self.url, url, urls.answering_files) == file

    def _number(self, path: str) -> int:
        """Return the number of a page in a list.

        In Pelican, `tag/a2.html` is the second, after `tag/a.html`.
        """
        if later := _LATER_PAGE.search(path):
            return int(later[1])
        is_pelican = self.configuration and self.configuration.generator.name == "Pelican"
        match = _NUMBERED.fullmatch(path) if is_pelican else None
        if not match:
            return 1
        stem, number, end = match.groups()
        before = (f"{stem}{each if each > 1 else ''}{end}" for each in range(1, int(number)))
        return (
            int(number)
            if all(os.path.isfile(os.path.join(self.directory, name)) for name in before)
            else 1
        )

    def _why_unlisted(self, file: File) -> str:
        """Return why the generator would not list a page, in words for messages, or an empty
        string.
        """
        if configuration := self.configuration:
            if patterns.matches(file.path, configuration.templates):
                return "made by the theme, a plugin or the generator itself"
            # of any language
            if any(f"/{place}" in f"/{file.path}" for place in configuration.drafts):
                return "marked draft"
            name = file.path.removesuffix(".html").removesuffix("/index").rpartition("/")[2]
            if status := configuration.statuses.get(name):
                return f"marked {status}"
        if _ASSETS in file.path.split("/")[:-1]:
            return f"next to the pages, in {_ASSETS}"
        if "\\" in file.path:
            return "with a backslash in the name of its file"
        is_outside = os.path.islink(file.absolute) and not is_inside(file.absolute, self.directory)
        return "linked to a file outside the directory" if is_outside else ""


def _refuse(error: OSError) -> None:
    raise error
