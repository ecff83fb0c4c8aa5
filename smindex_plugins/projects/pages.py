"""The pages of a built directory: the URL of each file, and its source files."""

import os
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from smindex_plugins import urls
from smindex_plugins.files import is_inside, is_regular, read_regular, visible
from smindex_plugins.html import front_matter, parse_head
from smindex_plugins.limits import MAX_PAGE_READ
from smindex_plugins.model import Details, Finding, Head, Page
from smindex_plugins.pages import HTML
from smindex_plugins.projects.sources import SourcePatterns

_PART_OF_A_LIST = re.compile(r"(?:^|/)page/(\d+)/index\.html$")
"""The paths of later pages of a list in Hugo, Jekyll and MkDocs blogs."""
_ASSETS = "_static"
"""The directory into which Sphinx copies files of its theme, including HTML templates."""


_NOTHING_ABOVE = front_matter.FrontMatter()


class File(NamedTuple):
    """A rendered file, before it is read."""

    path: str
    """Its path in the directory, with ``/`` separators."""
    absolute: str
    """Its path on this machine."""
    sources: tuple[str, ...]
    is_known: bool = False
    """Whether its directory says that it is a regular file. Others may be links."""


class Reading(NamedTuple):
    """What was read of a page. There may be millions, which processes hand over to each other."""

    url: str
    """Its canonical URL, if that leads to its file and is another than that of its path."""
    above: front_matter.FrontMatter
    said: Head | None = None
    """What it says at its URL. Nothing if nobody could read it, and then the report says why."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rendered:
    """A built directory, how it is served, and where its sources are."""

    directory: str
    """Its absolute path."""
    site_url: str
    """The normalised URL that serves it, with its slash."""
    sources: SourcePatterns = SourcePatterns()  # noqa: RUF009 - nobody can change it
    has_clean_urls: bool = False
    """Whether `about.html` is served at `about`."""
    here: str = field(default_factory=lambda: os.path.join(os.getcwd(), ""), compare=False)
    """The directory that sources are relative to in messages."""

    def files(self, hide: Callable[[str, str], object] = lambda _, __: None) -> Iterator[File]:
        """Yield the HTML files, without those that servers hide. ``hide`` gets the directory and the name of these.

        Raises:
            OSError: a directory cannot be entered or read, and there is no telling what is in it.
        """
        top = os.path.join(self.directory, "")
        for prefix, names in visible(self.directory, _refuse, hide):
            for name, is_known in names:
                if name.lower().endswith(HTML):
                    path = prefix + name
                    absolute = top + path
                    if is_known or is_regular(absolute):  # and neither a pipe nor a broken link
                        yield File(path, absolute, self._sources_of_page(path, absolute), is_known)

    def sources_of(self, file: str) -> tuple[str, ...]:
        """Return the sources of a rendered file, or the file itself if there are no patterns."""
        absolute = os.path.join(self.directory, file)
        is_page = file.lower().endswith(HTML)
        return self._sources_of_page(file, absolute) if is_page else self.copied_from(absolute)

    def _sources_of_page(self, file: str, absolute: str) -> tuple[str, ...]:
        return self.sources.of(file) if self.sources.patterns else (absolute,)

    def editable(self, url: str, file: str) -> str:
        """Return the file to edit in order to change the page at a URL or another file of the site, or None.

        For a page, this is its source. Other files may be copied from the source directory unchanged. Without patterns,
        nothing is known to be built, and a file is its own source.
        """
        if not self.sources.patterns:
            return file
        base = self.site_url or (urls.origin(url) + "/" if url else "")
        path = urls.file_path(urls.relative_path(url, base)) if urls.is_within(url, base) else None
        pages = [name for name in urls.answering_files(path) if name.endswith(HTML)] if path is not None else []
        built = [name for name in pages if os.path.isfile(os.path.join(self.directory, name))]
        pages = built[:1] or pages  # a page that is missing may have had any of the names
        if found := next(filter(None, map(self.sources_of, pages)), None):
            return found[0]
        return next(iter(self.copied_from(file)), "") if file else ""

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

    def read(self, files: Sequence[File]) -> list[Reading]:
        """Return what is to be read of rendered files and their sources."""
        return [self._read(file) for file in files]

    def page(self, file: File, read: Reading) -> Page:
        """Return the page in a rendered file."""
        part = _PART_OF_A_LIST.search(file.path) if "page/" in file.path else None
        has_source = bool(self.sources.patterns and file.sources)
        return Page(
            url=read.url or self._url(file.path),
            file=file.absolute,
            sources=file.sources,
            details=Details(
                source_name=file.sources[0].removeprefix(self.here) if has_source else file.path,
                meta=read.above.meta,
                unread=read.above.problem,
                number=int(part[1]) if part else 1,
                unlisted=self._why_unlisted(file),
                copied=True,
                said=read.said,
            ),
        )

    def unfound(self, pages: Iterable[Page]) -> Iterator[Finding]:
        """Yield the patterns that find no source for any of the pages."""
        if self.sources.patterns:
            files = [os.path.relpath(page.file, self.directory).replace(os.sep, "/") for page in pages]
            yield from self.sources.unfound(files, self.directory)

    def _url(self, file: str) -> str:
        path = urls.page_path(file)
        return self.site_url + (path.removesuffix(".html") if self.has_clean_urls else path)

    def _read(self, file: File) -> Reading:
        above = front_matter.read(file.sources[0]) if self.sources.patterns and file.sources else _NOTHING_ABOVE
        url = self._url(file.path)
        try:
            content = read_regular(file.absolute, MAX_PAGE_READ, is_known=file.is_known)
        except OSError:
            return Reading("", above)
        head = parse_head(content, url)
        canonical = head.canonical or ""
        if self._leads_to(canonical, file.path):
            return Reading(canonical, above, parse_head(content, canonical))
        return Reading("", above, head)

    def _leads_to(self, canonical: str, file: str) -> bool:
        """Whether a canonical URL, if there is one, leads to a file."""
        if not canonical or "?" in canonical or not urls.is_within(canonical, self.site_url):
            return False
        return urls.find_file(self.directory, self.site_url, canonical, urls.answering_files) == file

    def _why_unlisted(self, file: File) -> str:
        if _ASSETS in file.path and _ASSETS in file.path.split("/")[:-1]:
            return f"beside the pages, in {_ASSETS}"
        if "\\" in file.path:
            return "with a backslash in the name of its file"
        is_link = not file.is_known and os.path.islink(file.absolute)
        is_outside = is_link and not is_inside(file.absolute, self.directory)
        return "linked to a file outside the directory" if is_outside else ""


def _refuse(error: OSError) -> None:
    raise error
