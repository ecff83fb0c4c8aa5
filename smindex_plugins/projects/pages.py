"""The pages of a built directory: the URL of each file, and its source files."""

import os
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from smindex_plugins import urls
from smindex_plugins.files import is_inside, is_regular, walk
from smindex_plugins.markup import front_matter, head
from smindex_plugins.model import Details, Page, Said
from smindex_plugins.pages import HTML
from smindex_plugins.projects.sources import SourcePatterns

_PART_OF_A_LIST = re.compile(r"(?:^|/)page/(\d+)/index\.html$")
"""The paths of later pages of a list in Hugo, Jekyll and MkDocs blogs."""
_ASSETS = "_static"
"""The directory into which Sphinx copies files of its theme, including HTML templates."""


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

    def files(self) -> Iterator[str]:
        """Return the HTML files, relative to the directory, without those that servers hide.

        Raises:
            OSError: a directory cannot be entered or read, and there is no telling what is in it.
        """
        for top, directories, file_names in walk(self.directory, onerror=_refuse):
            directories[:] = sorted(name for name in directories if not name.startswith("."))
            inside = top.removeprefix(self.directory).strip(os.sep).replace(os.sep, "/")
            prefix = inside and f"{inside}/"
            for name in sorted(file_names):
                is_page = name.lower().endswith(HTML) and not name.startswith(".")
                if is_page and is_regular(os.path.join(top, name)):  # and neither a pipe nor a broken link
                    yield prefix + name

    def sources_of(self, file: str) -> tuple[str, ...]:
        """Return the sources of a rendered file, or the file itself if there are no patterns."""
        if not file.lower().endswith(HTML):
            return self.copied_from(os.path.join(self.directory, file))
        return self.sources.of(file) if self.sources.patterns else (os.path.join(self.directory, file),)

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

    def pages(self, files: Sequence[tuple[str, tuple[str, ...]]]) -> list[Page]:
        """Return the pages in rendered files, each of which is given with its sources."""
        return [self.page(file, sources) for file, sources in files]

    def page(self, file: str, sources: tuple[str, ...]) -> Page:
        """Return the page in a rendered file."""
        part = _PART_OF_A_LIST.search(file)
        url, said = self._read(file)
        above = front_matter.read(sources[0]) if self.sources.patterns and sources else front_matter.Above()
        return Page(
            url=url,
            file=os.path.join(self.directory, file),
            sources=sources,
            details=Details(
                source_name=sources[0].removeprefix(self.here) if self.sources.patterns and sources else file,
                meta=above.said,
                unread=above.problem,
                number=int(part[1]) if part else 1,
                unlisted=self._why_unlisted(file),
                copied=True,
                said=said,
            ),
        )

    def _read(self, file: str) -> tuple[str, Said | None]:
        """Return the URL of a file and what it says there: its canonical URL, if that leads to it, or that of its path.

        Without an answer nobody could read it, and the report says why.
        """
        path = urls.page_path(file)
        url = self.site_url + (path.removesuffix(".html") if self.has_clean_urls else path)
        try:
            read = head.read_file(os.path.join(self.directory, file))
        except OSError:
            return url, None
        said = read.said(url)
        canonical = said.canonical
        if canonical is None or "?" in canonical or not urls.is_within(canonical, self.site_url):
            return url, said
        leads_here = urls.find_file(self.directory, self.site_url, canonical, urls.answering_files) == file
        return (canonical, read.said(canonical)) if leads_here else (url, said)

    def _why_unlisted(self, file: str) -> str:
        if _ASSETS in file.split("/")[:-1]:
            return f"beside the pages, in {_ASSETS}"
        if "\\" in file:
            return "with a backslash in the name of its file"
        path = os.path.join(self.directory, file)
        is_outside = os.path.islink(path) and not is_inside(path, self.directory)
        return "linked to a file outside the directory" if is_outside else ""


def _refuse(error: OSError) -> None:
    raise error
