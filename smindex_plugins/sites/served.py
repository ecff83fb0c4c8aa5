"""Which file of a built directory answers for which URL, and what is listed alone or on disk alone.

A page's file is most often at its URL, with or without .html or index.html. Where it is not, the server maps the one to
the other, as a site's settings may have it, and the page itself can say so: by its canonical URL.
"""

import os
from array import array
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from smindex_plugins import urls
from smindex_plugins.pages import head as html

HTML = (".html", ".htm")
_SEVERAL, _MANY = 3, 10
"""URLs without a file that are no accident: where there are files of their names, and where there are none."""


def find_page(directory: str, base: str, url: str) -> str | None:
    """Find the file with which a server answers a page's URL, relative to the directory; without a base, anywhere."""
    if base and not urls.is_within(url, base):
        return None
    path = urls.relative_path(url, base) if base else url.partition("://")[2].partition("/")[2]
    while True:
        on_disk = urls.file_path(path)
        for name in urls.answering_files(on_disk) if on_disk is not None else ():
            if os.path.isfile(os.path.join(directory, name)):
                return name
        if base or not path:
            return None
        path = path.partition("/")[2]


@dataclass(slots=True, kw_only=True, eq=False)
class Served:
    """The pages of a built directory beside the URLs that are listed; eight bytes each, for there may be millions."""

    path: str
    base: str
    """The URL that serves it."""
    listed: int = 0
    """URLs below it that are listed."""
    unmatched: int = 0
    """Those without a file that seem to be mapped to as many others."""
    unlisted: int = 0
    """Pages on disk that could be theirs."""
    example: tuple[str, str] = ("", "")
    """One of the URLs, and a file of the same name, if there is one."""
    _files: "array[int]" = field(default_factory=lambda: array("q"))
    """Of the files that answer for a listed URL."""
    _lacking: dict[int, int] = field(default_factory=dict)
    """Of the URLs without a file, with those of their names."""
    _named: dict[int, int] = field(default_factory=dict)
    """The same by their names, of those that this tool has listed: it listed files that were there."""
    _places: dict[int, "array[int]"] = field(default_factory=lambda: defaultdict(lambda: array("q")))
    """Where these are listed: their positions, by the number of the sitemap."""
    _mapped: dict[int, str] = field(default_factory=dict)
    """Files that answer for URLs without a file of their own, by the hashes of these."""

    def find(self, url: str) -> str:
        """Give the file that answers for a normalised URL, or nothing."""
        return find_page(self.path, self.base, url) or ""

    def note(self, sitemap: int, position: int, url: str, file: str, *, is_ours: bool) -> None:
        """Take note of a listed URL, and of its file if it has one."""
        self.listed += 1
        if file:
            self._files.append(hash(file))
            return
        name = self._url_name(url)
        self._lacking[hash(url)] = name
        self.example = self.example if self.example[0] else (url, "")
        self._places[sitemap].append(position)
        if is_ours:
            self._named[name] = hash(url)

    def _url_name(self, url: str) -> int:
        return hash(_name(urls.file_path(urls.relative_path(url, self.base)) or ""))

    def said(self, file: str, url: str) -> html.Said:
        """Read what the page in a file says of itself."""
        try:
            return html.read(os.path.join(self.path, file), url)
        except OSError:
            return html.NOTHING

    def mapped(self, url: str) -> str:
        """Give the file that answers for a URL without a file of its own, or nothing."""
        return self._mapped.get(hash(url), "")

    def lacking(self) -> Mapping[int, Sequence[int]]:
        """Give the positions of listed URLs without a file at their place, by sitemap, when all are noted.

        Where as many pages on disk are listed nowhere as URLs have no file, the server seems to map the ones to the
        others in a way that cannot be seen here; then they are counted as unmatched. That their names are the same is
        proof enough where they are several, or most; that they are many and most, where their names are not.
        """
        if not self._places:
            return {}
        self._files = array("q", sorted(self._files))
        names: set[int] = set()
        for file, said in self._alone():
            url = self._answered(file, said)
            if url is not None:
                self._mapped.setdefault(url, file)
            elif not _reason(file, said, self._own(file)):
                self.unlisted += 1
                names.add(hash(_name(file)))
                if hash(_name(file)) == self._url_name(self.example[0]):
                    self.example = (self.example[0], file)
        lacking = self._lacking.keys() - self._mapped.keys()
        are_most = 2 * len(lacking) > self.listed
        are_named = all(self._lacking[url] in names for url in lacking)
        are_enough = len(lacking) >= (_SEVERAL if are_named else _MANY)
        if self.unlisted >= len(lacking) and (are_most or are_named) and (are_enough or (are_most and are_named)):
            self.unmatched = len(lacking)
        return self._places

    def _answered(self, file: str, said: html.Said) -> int | None:
        """Give the hash of the URL that a file which is not at any listed one may answer for."""
        if said.canonical and not (said.refresh or said.noindex) and hash(said.canonical) in self._lacking:
            return hash(said.canonical)
        return None if _reason(file, said, self._own(file)) else self._named.get(hash(_name(file)))

    def alone(self) -> Iterator[tuple[str, str]]:
        """Give the pages on disk that no sitemap lists, and what each of them says as a reason, or nothing."""
        if not self._files or self.unmatched:
            return
        self._files = array("q", sorted(self._files))
        mapped = set(self._mapped.values())
        for file, said in self._alone():
            if file not in mapped:
                yield file, _reason(file, said, self._own(file))

    def _alone(self) -> Iterator[tuple[str, html.Said]]:
        for top, directories, names in os.walk(self.path):
            directories.sort()
            for name in sorted(names):
                if name.endswith(HTML):
                    file = os.path.relpath(os.path.join(top, name), self.path).replace(os.sep, "/")
                    place = bisect_left(self._files, hash(file))
                    if place == len(self._files) or self._files[place] != hash(file):
                        yield file, self.said(file, self._own(file))

    def _own(self, file: str) -> str:
        return self.base + urls.from_file_path(file)


def _name(path: str) -> str:
    """Give what a path calls its page, whether by the name of a file or of a directory."""
    for ending in ("index.html", "index.htm", *HTML):
        path = path.removesuffix(ending)
    return path.rstrip("/").rpartition("/")[2]


def _reason(file: str, said: html.Said, own: str) -> str:
    if urls.is_error_page(file):
        return "an error page"
    if said.noindex:
        return "marked noindex"
    if said.refresh:
        return "redirecting elsewhere"
    if said.canonical and not _same_page(said.canonical, own):
        return "with another canonical URL"
    return "no HTML document" if said.partial or said.empty else ""


def _same_page(one: str, other: str) -> bool:
    return _bare(one) == _bare(other)


def _bare(url: str) -> str:
    return url.removesuffix("index.html").removesuffix(".html").rstrip("/")
