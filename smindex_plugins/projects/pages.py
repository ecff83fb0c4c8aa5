"""The pages of a built directory: the URL that serves each file, and the source files that it was made from."""

import os
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import islice

from smindex_plugins import urls
from smindex_plugins.model import Details, Page
from smindex_plugins.pages import front_matter, head
from smindex_plugins.sitemaps import output
from smindex_plugins.sites import HTML, names

_PART_OF_A_LIST = re.compile(r"(?:^|/)page/(\d+)/index\.html$")
"""How Hugo, Jekyll and the blogs of MkDocs lay out the later pages of a list."""
_ASSETS = "_static"
"""Where Sphinx copies what belongs to its theme, templates of HTML among it."""


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
    here: str = field(default_factory=lambda: os.path.join(os.getcwd(), ""), compare=False)
    """Where sources are named from, in messages."""

    def files(self) -> Iterator[str]:
        """Return the HTML files, relative to the directory, less those that are hidden from servers, too.

        Raises:
            OSError: a directory cannot be read, and there is no telling what is in it.
        """
        for top, directories, file_names in os.walk(self.directory, onerror=_refuse):
            directories[:] = sorted(name for name in directories if not name.startswith("."))
            inside = os.path.relpath(top, self.directory).replace(os.sep, "/")
            prefix = "" if inside == "." else f"{inside}/"
            for name in sorted(file_names):
                is_page = name.lower().endswith(HTML) and not name.startswith(".")
                if is_page and os.path.isfile(os.path.join(top, name)):  # and neither a pipe nor a broken link
                    yield prefix + name

    def sources(self, file: str) -> tuple[str, ...]:
        """Return the sources of a rendered file: of each pattern the first that is there."""
        if not self.patterns:
            return (os.path.join(self.directory, file),)
        found = []
        for pattern in self.patterns:
            candidates = (pattern.replace("{path}", name) for name in names(file))
            found += [os.path.normpath(path) for path in islice(filter(os.path.isfile, candidates), 1)]
        return tuple(dict.fromkeys(found))

    def page(self, file: str, sources: tuple[str, ...]) -> Page:
        """Return the page in a rendered file."""
        part = _PART_OF_A_LIST.search(file)
        return Page(
            url=self._url(file),
            file=os.path.join(self.directory, file),
            sources=sources,
            details=Details(
                source_name=sources[0].removeprefix(self.here) if self.patterns and sources else file,
                meta=front_matter.read(sources[0]) if self.patterns and sources else None,
                number=int(part[1]) if part else 1,
                unlisted=self._why_unlisted(file),
                copied=True,
            ),
        )

    def _url(self, file: str) -> str:
        """Return the URL of a file: what it calls its canonical URL, if that leads to it, or else that of its path."""
        path = urls.page_path(file)
        url = self.site_url + (path.removesuffix(".html") if self.has_clean_urls else path)
        try:
            canonical = head.read(os.path.join(self.directory, file), url).canonical or url
        except OSError:  # the report says so of the page
            return url
        is_here = urls.is_within(canonical, self.site_url) and "?" not in canonical
        found = urls.find_file(self.directory, self.site_url, canonical, urls.answering_files) if is_here else None
        return canonical if found == file else url

    def _why_unlisted(self, file: str) -> str:
        if _ASSETS in file.split("/")[:-1]:
            return f"beside the pages, in {_ASSETS}"
        if urls.file_path(urls.from_file_path(file)) is None:
            return "with a backslash in the name of its file"
        path = os.path.join(self.directory, file)
        is_outside = os.path.islink(path) and not output.is_inside(path, self.directory)
        return "linked to a file outside the directory" if is_outside else ""


def _refuse(error: OSError) -> None:
    raise error
