"""The pages of a built directory: the URL that serves each file, and the source files that it was made from."""

import os
import re
from collections.abc import Iterator
from dataclasses import dataclass

from smindex_plugins import html, urls
from smindex_plugins.authored import front_matter
from smindex_plugins.model import Page
from smindex_plugins.sources import names

_HTML = (".html", ".htm")
_PART_OF_A_LIST = re.compile(r"(?:^|/)page/(\d+)/index\.html$")
"""How Hugo, Jekyll and the blogs of MkDocs lay out the later pages of a list."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rendered:
    """A built directory, how it is served, and where its sources are."""

    directory: str
    """Absolute."""
    site_url: str
    """The normalised URL that serves it, with its slash."""
    patterns: tuple[str, ...] = ()
    """Absolute paths of source files with `{path}` in them; without any, the rendered files are sources themselves."""
    has_clean_urls: bool = False
    """`about.html` is served at `about`."""

    def files(self) -> Iterator[str]:
        """Give the HTML files, relative to the directory, less those that are hidden from servers, too."""
        for top, directories, file_names in os.walk(self.directory):
            directories[:] = sorted(name for name in directories if not name.startswith("."))
            inside = os.path.relpath(top, self.directory).replace(os.sep, "/")
            prefix = "" if inside == "." else f"{inside}/"
            for name in sorted(file_names):
                is_page = name.lower().endswith(_HTML) and not name.startswith(".")
                if is_page and os.path.isfile(os.path.join(top, name)):  # and neither a pipe nor a broken link
                    yield prefix + name

    def sources(self, file: str) -> tuple[str, ...]:
        """Give the sources of a rendered file: of each pattern the first that is there."""
        if not self.patterns:
            return (os.path.join(self.directory, file),)
        found = (self._first(pattern, file) for pattern in self.patterns)
        return tuple(dict.fromkeys(filter(None, found)))

    def page(self, file: str, sources: tuple[str, ...]) -> Page:
        """Describe the page in a rendered file."""
        part = _PART_OF_A_LIST.search(file)
        return Page(
            url=self._url(file),
            file=os.path.join(self.directory, file),
            sources=sources,
            source_name=os.path.relpath(sources[0]) if self.patterns and sources else file,
            meta=front_matter(sources[0]) if self.patterns and sources else None,
            number=int(part[1]) if part else 1,
            unlisted="linked to a file outside the directory" if self._leads_out(file) else "",
            copied=True,
        )

    def _first(self, pattern: str, file: str) -> str | None:
        candidates = (os.path.normpath(pattern.replace("{path}", name)) for name in names(file))
        return next(filter(os.path.isfile, candidates), None)

    def _url(self, file: str) -> str:
        """Give the URL of a file: what it calls its canonical URL, if that leads to it, or else that of its path."""
        url = self.site_url + urls.from_file_path(self._path(file))
        try:
            canonical = html.read(os.path.join(self.directory, file), url).canonical
        except OSError:  # the report says so of the page
            return url
        return canonical if canonical and self._is_own(canonical, file) else url

    def _path(self, file: str) -> str:
        directory, slash, name = file.rpartition("/")
        if name == "index.html":
            return directory + slash
        return file.removesuffix(".html") if self.has_clean_urls else file

    def _is_own(self, canonical: str, file: str) -> bool:
        if "?" in canonical or not urls.is_within(canonical, self.site_url):
            return False
        path = urls.file_path(urls.relative_path(canonical, self.site_url))
        answering = urls.answering_files(path) if path is not None else ()
        return file == next((name for name in answering if os.path.isfile(os.path.join(self.directory, name))), None)

    def _leads_out(self, file: str) -> bool:
        path = os.path.join(self.directory, file)
        real = os.path.realpath(self.directory)
        return os.path.islink(path) and os.path.commonpath([os.path.realpath(path), real]) != real
