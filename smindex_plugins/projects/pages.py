"""Turns a built directory into pages, each with its URL and its source files."""

import os
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from smindex_plugins import urls
from smindex_plugins.files import is_inside, visible
from smindex_plugins.html import front_matter, read_head
from smindex_plugins.model import Finding, Page
from smindex_plugins.pages import HTML, is_included
from smindex_plugins.projects.generators import Configuration
from smindex_plugins.projects.sources import SourcePatterns
from smindex_plugins.settings import Settings

_LATER_PAGE = re.compile(r"(?:^|/)page/(\d+)/index\.html$")
"""The paths of later pages of a list in Hugo, Jekyll and MkDocs blogs."""
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
    """A built directory, how it is served, its options, and where its sources are."""

    directory: str
    """Its absolute path."""
    directory_from: str = ""
    """What names it, in words for messages."""
    url: str = ""
    """The normalised URL that serves it, with its slash. Empty if it is not known."""
    url_from: str = ""
    """What names that URL."""
    sources: SourcePatterns = field(default_factory=SourcePatterns)
    has_clean_urls: bool = False
    """Whether `about.html` is served at `about`."""
    settings: Settings = field(default_factory=Settings)
    """The options of flags, [tool.smindex] and the generator's configuration, which count in this order."""
    beside: str = ""
    """The directory that paths in them are relative to. Empty means the current directory."""
    configuration: Configuration | None = None
    """The configuration it was built with, if that was found."""
    table: str = ""
    """The pyproject.toml with the table [tool.smindex], or an empty string."""
    here: str = field(default_factory=lambda: os.path.join(os.getcwd(), ""), compare=False)
    """The directory that sources are relative to in messages."""

    def files(self) -> Iterator[File]:
        """Yield the HTML files, and the other files that the option ``include`` lists, without hidden ones.

        Raises:
            OSError: a directory cannot be entered or read, so its content is unknown.
        """
        for prefix, names in visible(self.directory, _refuse):
            for path in (prefix + name for name in names):
                is_wanted = path.lower().endswith(HTML) or is_included(path, self.settings)
                if is_wanted and os.path.isfile(os.path.join(self.directory, path)):
                    yield self.file(path)

    def file(self, path: str) -> File:
        """Return a file of the directory with its sources: the file itself if there are no patterns."""
        absolute = os.path.join(self.directory, path)
        if not path.lower().endswith(HTML):
            sources = self.copied_from(absolute)
        else:
            sources = self.sources.of(path) if self.sources.patterns else (absolute,)
        return File(path, absolute, sources)

    def page(self, file: File) -> Page:
        """Return a file as a page, at its canonical URL if that leads to the file.

        A page that cannot be read has no head, and the report of the build says why.
        """
        path = urls.page_path(file.path)
        if not file.path.lower().endswith(HTML):
            url = self.url + path
            return Page(url=url, file=file.absolute, sources=file.sources, source_name=file.path, kind="file")
        has_source = bool(self.sources.patterns and file.sources)
        authored = front_matter.read(file.sources[0]) if has_source else front_matter.FrontMatter()
        later = _LATER_PAGE.search(file.path)
        page = Page(
            url=self.url + (path.removesuffix(".html") if self.has_clean_urls else path),
            file=file.absolute,
            sources=file.sources,
            source_name=file.sources[0].removeprefix(self.here) if has_source else file.path,
            meta=authored.meta,
            meta_error=authored.problem,
            number=int(later[1]) if later else 1,
            unlisted=self._why_unlisted(file),
            kind="copied",
        )
        try:
            head = read_head(file.absolute, page.url)
        except OSError:
            return page
        own = head.canonical
        if own and "?" not in own and urls.is_within(own, self.url) and self._answering(own, self.url) == file.path:
            return replace(page, url=own, head=replace(head, canonical=None))
        return replace(page, head=head)

    def unfound(self, pages: Iterable[Page]) -> Iterator[Finding]:
        """Yield the patterns that find no source for any of the pages."""
        if self.sources.patterns:
            html = (page.file for page in pages if page.kind != "file")
            files = [os.path.relpath(file, self.directory).replace(os.sep, "/") for file in html]
            yield from self.sources.unfound(files, self.directory)

    def copied_from(self, file: str) -> tuple[str, ...]:
        """Return the file of which a file of the directory, by its path on this machine, is a copy, if that is known.

        A file beside a page has no source of that page, even if only its suffix differs.
        """
        if not self.sources.patterns:
            return (file,)
        copied = os.path.relpath(file, self.directory)
        stems = dict.fromkeys(pattern.partition("{")[0] for pattern in self.sources.patterns)
        beside = (os.path.join(os.path.dirname(os.path.dirname(stem)), "static", copied) for stem in stems)  # Hugo's
        return tuple(filter(os.path.isfile, (*(stem + copied for stem in stems), *beside)))[:1]

    def editable(self, url: str, file: str) -> str:
        """Return the file to edit in order to change the page at a URL or another file of the site, or nothing.

        For a page, this is its source. Other files may be copied from the source directory unchanged. Without patterns,
        nothing is known to be built, and a file is its own source.
        """
        if not self.sources.patterns:
            return file
        base = self.url or (urls.origin(url) + "/" if url else "")
        page = self._answering(url, base) if urls.is_within(url, base) else None
        found = self.file(page).sources if page else ()
        return next(iter(found or (self.copied_from(file) if file else ())), "")

    def _answering(self, url: str, base: str) -> str | None:
        """Return the file that a server shows at a URL, if there is one."""
        return urls.find_file(self.directory, base, url, urls.answering_files)

    def _why_unlisted(self, file: File) -> str:
        if _ASSETS in file.path.split("/")[:-1]:
            return f"beside the pages, in {_ASSETS}"
        if "\\" in file.path:
            return "with a backslash in the name of its file"
        is_link = os.path.islink(file.absolute)
        is_outside = is_link and not is_inside(file.absolute, self.directory)
        return "linked to a file outside the directory" if is_outside else ""


def _refuse(error: OSError) -> None:
    raise error
