"""Which files list the pages of a site, and which of them only repeat others.

This is decided by what the files are, for directories, live sites and joined builds alike. A usual
name only makes a file a candidate.
"""

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from smindex_plugins.base.files import unpacked
from smindex_plugins.reading.document import Document
from smindex_plugins.reading.found import Role, Share
from smindex_plugins.writing.names import PEEKED, is_marked, numbered

USUAL_PATHS = (
    "sitemap_index.xml",
    "sitemap-index.xml",
    "sitemapindex.xml",
    "sitemap.xml",
    "wp-sitemap.xml",
)
"""The usual paths of an index or sitemap on the web, the most likely first."""

INDEX_NAMES = tuple(
    name + end for name in (*USUAL_PATHS, "sitemaps.xml", "sitemap.txt") for end in ("", ".gz")
)
"""The usual names of an index in a directory, the most likely first."""

FLAT = ("sitemap.xml", "sitemap.xml.gz")
"""The file names that generators use for a single sitemap of all pages, also next to an index."""

_SITEMAP = re.compile(rb"<(?:[\w.-]+:)?(?:urlset|sitemapindex)[\s>/]|\A\s*https?://")
_INDEX = re.compile(rb"<(?:[\w.-]+:)?sitemapindex[\s>/]")


def usual_files(names: Collection[str], index_filename: str = "") -> list[str]:
    """Return the file names of indexes and sitemaps that are usual, or that have a given name, the
    most likely first.

    An index can be divided into numbered ones (``sitemap_index-1.xml``). A compressed copy of
    another file is omitted.
    """
    found: list[str] = []
    for name in dict.fromkeys([index_filename, *INDEX_NAMES]):
        is_divisible = name == index_filename or ("index" in name and name.endswith(".xml"))
        if name in names:
            found.append(name)
        elif name and is_divisible:
            found += numbered(names, name)
    usual = []
    for name in found:
        is_copy = name.endswith(".gz") and name.removesuffix(".gz") in found
        if not is_copy:
            usual.append(name)
    return usual


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """A file that can be an entry point of a site."""

    place: str
    """Its path in the directory, or its URL."""
    is_ours: bool = False
    is_sitemap: bool = True
    """Whether it is a sitemap or an index at all."""
    is_named: bool = False
    """Whether robots.txt or the user names it."""
    children: tuple[str, ...] = ()
    """The places of the files that it lists, if it is an index."""

    @classmethod
    def of(
        cls,
        place: str,
        content: bytes,
        children: Callable[[], Iterable[str]],
        *,
        is_named: bool = False,
    ) -> "Candidate":
        """Return what a file is by the start of its content, which may be compressed.

        Only an index has children.
        """
        start = unpacked(content[:PEEKED], PEEKED)
        listed: tuple[str, ...] = ()
        if _INDEX.search(start):
            listed = tuple(children())
        return cls(
            place=place,
            is_ours=is_marked(start),
            is_sitemap=_SITEMAP.search(start) is not None,
            is_named=is_named,
            children=listed,
        )

    @property
    def is_own_index(self) -> bool:
        """Whether it is an index of this tool."""
        return self.is_ours and bool(self.children)


def choose(candidates: Sequence[Candidate], first: str = "") -> list[list[Candidate]]:
    """Return the entry points of a site in groups, the most important first.

    A file that another one lists isn't an entry point. Neither is an unnamed index of files that
    earlier ones list, nor an unnamed file that is no sitemap, unless there is nothing else. The
    indexes of this tool are one group, because it divides a large index. ``first`` is the file to
    prefer if it is an index or a file of this tool.
    """

    def rank(candidate: Candidate) -> tuple[bool, ...]:
        is_index = bool(candidate.children)
        is_preferred = candidate.place == first and (candidate.is_ours or is_index)
        return not is_preferred, not candidate.is_ours, not is_index, not candidate.is_sitemap

    ranked = sorted(candidates, key=rank)
    by_place = {candidate.place: candidate for candidate in ranked}
    listed = set()
    for candidate in ranked:
        listed |= set(candidate.children) - {candidate.place}
    topmost = [candidate for candidate in ranked if candidate.place not in listed]
    groups: list[list[Candidate]] = []
    reached: set[str] = set()
    # if indexes list one another in a circle, none of them is topmost
    for candidate in (*topmost, *ranked):
        if candidate.place in reached:
            continue
        is_repeated = bool(candidate.children) and reached.issuperset(candidate.children)
        is_wanted = candidate.is_named or (candidate.is_sitemap and not is_repeated)
        reached |= _below(candidate, by_place)
        if not is_wanted:
            continue
        if groups and candidate.is_own_index and groups[-1][0].is_own_index:
            groups[-1].append(candidate)
        else:
            groups.append([candidate])
    if not groups and ranked:
        return [ranked[:1]]
    return groups


def _below(top: Candidate, by_place: dict[str, Candidate]) -> set[str]:
    """Return the places of a candidate and of everything that it lists, also through other
    candidates.
    """
    found: set[str] = set()
    waiting = [top.place]
    while waiting:
        place = waiting.pop()
        if place in found:
            continue
        found.add(place)
        if place in by_place:
            waiting += by_place[place].children
    return found


def folded(normal_url: str) -> str:
    """Return the same form for all URLs that lead to the same page on many servers."""
    return normal_url.lower().removesuffix("index.html").rstrip("/")


@dataclass(slots=True)
class Lists:
    """The pages that the sitemaps of a site list, group by group, to find sitemaps that repeat
    earlier ones.
    """

    _earlier: set[str] = field(default_factory=set)
    """The pages of all groups before the current one."""
    _current: set[str] = field(default_factory=set)
    _has_ours: bool = False
    """Whether this tool wrote an earlier group. It lists every page, so a file that repeats it adds
    none."""
    _is_ours: bool = False
    """Whether this tool wrote a file of the current group."""

    def begin_group(self) -> None:
        """Compare the next sitemaps with all so far."""
        self._earlier |= self._current
        self._has_ours |= self._is_ours
        self._current = set()
        self._is_ours = False

    def add(self, document: Document, role: Role = "listed") -> Share:
        """Return whether a sitemap repeats earlier ones, and whether its pages are among those of
        the site.
        """
        self._is_ours |= document.is_ours
        is_list_of_pages = document.kind in {"urlset", "text"}
        pages = []
        if is_list_of_pages:
            pages = list(map(folded, document.listed))
        new = sum(page not in self._earlier for page in pages)
        is_copy = 2 * new < len(pages) and not document.is_news
        counts = role == "listed"
        if role == "beside":
            # another index is the first one
            counts = is_list_of_pages and not self._has_ours
        if is_copy and (self._has_ours or not new):
            counts = False
        if counts:
            self._current.update(pages)
        return Share(counts=counts, is_copy=is_copy)


def entry_documents(documents: Iterable[Document]) -> Iterator[list[Document]]:
    """Yield the entry points of a site among documents that were read, in groups as `choose`
    returns them.
    """
    by_url = {document.url: document for document in documents}
    candidates = map(_candidate, by_url.values())
    for group in choose(list(candidates)):
        yield [by_url[candidate.place] for candidate in group]


def _candidate(document: Document) -> Candidate:
    return Candidate(
        place=document.url,
        is_ours=document.is_ours,
        is_sitemap=document.kind in {"urlset", "sitemapindex", "text"},
        children=tuple(url for _, url in document.children),
    )
