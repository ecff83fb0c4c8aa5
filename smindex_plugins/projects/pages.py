"""Turns a built directory into pages with URLs, source files, and the reasons for omissions."""

import os
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from smindex_plugins.base import patterns, urls
from smindex_plugins.base.files import is_html, is_inside
from smindex_plugins.base.model import Head, Page
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
    _lengths: dict[tuple[str, str], int] = field(default_factory=dict, init=False, compare=False)
    """The lengths of lists, by the start and the end of the paths of their pages."""

    @property
    def site(self) -> Site:
        """The site in the form that `publish` and `judge` take."""
        generator = ""
        if self.configuration:
            generator = self.configuration.generator.name
        settings_file = ""
        if self.settings_file:
            settings_file = os.path.abspath(self.settings_file)
        return Site(
            url=self.url,
            directory=self.directory,
            settings=self.settings,
            url_from=self.url_from,
            beside=self.beside,
            generator=generator,
            project=self.project or os.getcwd(),
            settings_file=settings_file,
        )

    @property
    def project(self) -> str:
        """The directory with the configuration it was built with, or with its options.

        Empty if neither was found.
        """
        file = self.settings_file
        if self.configuration:
            file = self.configuration.file
        if not file:
            return ""
        return os.path.dirname(os.path.abspath(file))

    def files(self) -> Iterator[File]:
        """Yield the HTML files, and other files that ``include`` lists, without hidden ones.

        Raises:
            OSError: a directory can't be entered or read, so its content is unknown.
        """
        for path in self.sources.files():
            if is_html(path) or is_included(path, self.settings):
                yield self.file(path)

    def made_from(self) -> Mapping[str, list[str]]:
        """Return the files that are built from each source, which is given by its real path."""
        found = defaultdict[str, list[str]](list)
        for file in self.files():
            sources = dict.fromkeys(map(os.path.realpath, file.sources))
            for source in sources:
                found[source].append(file.path)
        return dict(found)

    def file(self, path: str) -> File:
        """Return a file of the directory with its sources."""
        absolute = os.path.join(self.directory, path)
        if is_html(path):
            sources = self.sources.of(path)
        elif self.sources.patterns:
            sources = self._originals(path)
        else:
            sources = (absolute,)
        if sources == (absolute,):
            (absolute,) = sources  # one text for both: a site can have a million pages
        return File(path, absolute, sources)

    def page(self, file: File) -> Page:
        """Return a file as a page, at its canonical URL if that leads to the file.

        A page that can't be read has no head, and the report of the build says why.
        """
        path = urls.page_path(file.path)
        if not is_html(file.path):
            return Page(
                url=self.url + path,
                file=file.absolute,
                sources=file.sources,
                source_name=file.path,
                kind="file",
            )
        source_name = file.path
        authored = FrontMatter()
        if file.sources not in {(), (file.absolute,)}:
            source = file.sources[0]
            source_name = os.path.relpath(source)
            authored = self.sources.front_matter(source)
        looked_for = None
        if not file.sources and not self.sources.is_blog_list(file.path):
            looked_for = self.sources.looked_for(file.path)
        url, head = self._at_its_url(file, path)
        return Page(
            url=url,
            file=file.absolute,
            sources=file.sources,
            looked_for=looked_for,
            source_name=source_name,
            meta=authored.meta,
            meta_error=authored.problem,
            number=self._number(file.path),
            unlisted=self._why_unlisted(file),
            kind="copied",
            mapped=self.own_sitemap is None and not path.endswith("/"),
            head=head,
        )

    def _at_its_url(self, file: File, path: str) -> tuple[str, Head | None]:
        """Return the URL of a page with a path, and its head if it can be read."""
        if self.has_clean_urls:
            path = path.removesuffix(".html")
        url = self.url + path
        if self.own_sitemap:
            url = self.own_sitemap.url(file.path, self.url)
        try:
            head = read_head(file.absolute, url)
        except OSError:
            return url, None
        own = head.canonical
        if own and "?" not in own and self._shows(own, file.path):
            return own, replace(head, canonical=None, names_itself=True)
        return url, head

    def _originals(self, path: str) -> tuple[str, ...]:
        """Return the original of a copied file that is not a page, if it is known.

        Sources of pages do not count, even if only their suffix differs.
        """
        stems = dict.fromkeys(pattern.partition("{")[0] for pattern in self.sources.patterns)
        places = [stem + path for stem in stems]
        for stem in stems:  # Hugo's files are beside its content
            project = os.path.dirname(os.path.dirname(stem))
            places.append(os.path.join(project, "static", path))
        for place in places:
            if os.path.isfile(place):
                return (place,)
        return ()

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
        blog_page = self.sources.blog_page(path)
        if blog_page:
            return blog_page.number
        later = _LATER_PAGE.search(path)
        if later:
            return int(later[1])
        if not self.configuration or self.configuration.generator.name != "Pelican":
            return 1
        match = _NUMBERED.fullmatch(path)
        if not match:
            return 1
        stem, number, end = match.groups()
        if int(number) - 1 > self._length(stem, end):
            return 1
        return int(number)

    def _length(self, stem: str, end: str) -> int:
        """Return how many pages a list has from the first on without a gap, counted once."""
        if (stem, end) not in self._lengths:
            length = 0
            written = ""
            while os.path.isfile(os.path.join(self.directory, f"{stem}{written}{end}")):
                length += 1
                written = str(length + 1)
            self._lengths[stem, end] = length
        return self._lengths[stem, end]

    def _why_unlisted(self, file: File) -> str | None:
        """Return why the generator would not list a page, in words, or None."""
        if self.configuration:
            if patterns.matches(file.path, self.configuration.templates):
                return "made by the theme, a plugin or the generator itself"
            # of any language
            if any(f"/{place}" in f"/{file.path}" for place in self.configuration.drafts):
                return "marked draft"
            name = file.path.removesuffix(".html").removesuffix("/index").rpartition("/")[2]
            status = self.configuration.statuses.get(name)
            if status:
                return f"marked {status}"
        if _ASSETS in file.path.split("/")[:-1]:
            return f"next to the pages, in {_ASSETS}"
        if "\\" in file.path:
            return "with a backslash in the name of its file"
        is_outside = os.path.islink(file.absolute) and not is_inside(file.absolute, self.directory)
        return "linked to a file outside the directory" if is_outside else None
