"""How a built site in a directory is checked: its sitemaps, its robots.txt, and the pages that it holds."""

import contextlib
import errno
import os
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field

from smindex_plugins import urls
from smindex_plugins.checks.indexes import INDEX_CHECKS, Child
from smindex_plugins.checks.published import (
    PAGE_CHECKS,
    PROVEN_CHECKS,
    ROBOTS_CHECKS,
    SURROUNDINGS_CHECKS,
    Listed,
    Proven,
    Surroundings,
)
from smindex_plugins.checks.rule import Spot
from smindex_plugins.checks.survey import Survey
from smindex_plugins.model import Finding
from smindex_plugins.pages import head as html
from smindex_plugins.sitemaps import faults, output, robots
from smindex_plugins.sitemaps.consents import Consents
from smindex_plugins.sitemaps.listing import Document
from smindex_plugins.sitemaps.reading import is_index, read
from smindex_plugins.sitemaps.robots import Robots
from smindex_plugins.sitemaps.usual_names import INDEX_NAMES, index_files, numbered
from smindex_plugins.sites.audit import Audit
from smindex_plugins.sites.served import HTML, Served, find_page
from smindex_plugins.sites.sources import Sources
from smindex_plugins.sites.versions import MOST_VERSIONS, VERSIONS_FILE, Versions, read_versions

_VOTERS = 1_000


@dataclass(slots=True, kw_only=True)
class Directory:
    """A built site on disk."""

    path: str
    base: str = ""
    """The URL that serves it."""
    index_filename: str = ""
    """The file to begin with, where its name was given."""
    is_alone: bool = False
    """Only the file of that name is to be checked, and what it lists if it is an index."""
    sources: Sources | None = None
    """Where the pages' sources are, to compare dates with their history."""
    consents: Consents = field(default_factory=Consents)
    """Of other sites, to be listed here."""
    _indexes: list[str] = field(default_factory=list)
    """The URLs of the indexes that were judged."""
    _has_pages: bool = False
    _robots: list[Robots] = field(default_factory=list)
    _sitemaps: list[str] = field(default_factory=list)
    _versions: dict[str, Versions] = field(default_factory=dict)
    """What mike wrote, by the directory in which it stands, with its slash."""
    _left_out: tuple[str, ...] = ()
    """Directories of which nothing is listed on purpose."""
    _read: list[tuple[str, str]] = field(default_factory=list)
    """The sitemaps in the order in which they were judged: path, and their date in the index."""
    _served: Served | None = None
    """Its pages, where it has any."""

    def findings(self, audit: Audit) -> Iterator[Finding]:
        """Check everything.

        Raises:
            FileNotFoundError: there is no sitemap in the directory.
            UnknownAddressError: nothing tells where it is served.
            OSError: a file cannot be read.
        """
        if not self.is_alone:
            self._walk()
        starts = self._starts()
        if not starts:
            looked_for = os.path.join(self.path, self.index_filename or INDEX_NAMES[0])
            raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), looked_for)
        self.base = self.base or self._find_base(self._document(starts[0], ""))
        if self._has_pages:
            self._served = Served(path=self.path, base=self.base)
        root_robots = next((each for each in self._robots if self._is_root(each)), None)
        if root_robots:
            root_robots.url = urls.origin(self.base) + "/robots.txt"
            starts += [path for path in self._named_in(root_robots) if path not in starts]
        for each in self._robots:
            yield from audit.selection.run(ROBOTS_CHECKS, each)
        survey = Survey()
        judged: set[str] = set()
        for start in starts:
            yield from self._judge(start, "", audit, survey, judged)
        yield from self._lacking(audit)
        named = [*self._indexes, *(self._url(path) for path in judged)]
        yield from self.consents.unproven(self._url(starts[0]), self.consents.proven(*named))
        yield from audit.selection.survey(survey)
        yield from audit.selection.run(SURROUNDINGS_CHECKS, self._surroundings(root_robots, judged, survey))

    def _walk(self) -> None:
        """Find what of the directory's files is not to be asked for by a URL."""
        for top, directories, names in os.walk(self.path):
            directories.sort()
            here = os.path.relpath(top, self.path).replace(os.sep, "/")
            prefix = "" if here == "." else here + "/"
            for name in sorted(names):
                if name.endswith(HTML):
                    self._has_pages = True
                elif name == VERSIONS_FILE:
                    self._read_versions(prefix)
                elif name == "robots.txt":
                    path = os.path.join(top, name)
                    is_file = os.path.isfile(path)
                    self._robots.append(robots.read(path, prefix + name) if is_file else Robots(where=prefix + name))
                elif "sitemap" in name and name.removesuffix(".gz").endswith(".xml"):
                    self._sitemaps.append(prefix + name)

    def _read_versions(self, prefix: str) -> None:
        file = os.path.join(self.path, prefix, VERSIONS_FILE)
        if not os.path.isfile(file):
            return
        with contextlib.suppress(OSError, ValueError), open(file, "rb") as stream:
            if versions := read_versions(stream.read(MOST_VERSIONS)):
                self._versions[prefix] = versions

    def _is_root(self, found: Robots) -> bool:
        return found.where == "robots.txt" and urls.path(self.base) == "/"

    def _starts(self) -> list[str]:
        given = self.index_filename
        if given and os.path.lexists(os.path.join(self.path, given)):
            return [given]
        there = os.listdir(self.path) if os.path.isdir(self.path) else []
        several = numbered(there, given) if given else index_files(there)
        found = [name for name in several if name in INDEX_NAMES or is_index(os.path.join(self.path, name))]
        if found or given:
            return found
        if named := [path for each in self._robots if each.where == "robots.txt" for path in self._named_in(each)]:
            return list(dict.fromkeys(named))
        deeper = [path for path in self._sitemaps if os.path.basename(path) in INDEX_NAMES]
        usual = sorted(deeper, key=lambda path: (path.count("/"), INDEX_NAMES.index(os.path.basename(path))))[:1]
        highest = min((path.count("/") for path in self._sitemaps), default=0)
        return usual or [path for path in self._sitemaps if path.count("/") == highest]

    def _named_in(self, found: Robots) -> Iterator[str]:
        for line in found.sitemaps:
            path = self._locate(line.url)
            if path:
                yield path

    def _locate(self, url: str) -> str | None:
        try:
            return output.locate(self.path, self.base, urls.resolve(self.base, url))
        except ValueError:
            return None

    def _document(self, path: str, lastmod: str) -> Document:
        """Read one file of the directory, however wrong it is."""
        file = os.path.join(self.path, path)
        document = Document(url=self._url(path), where=path, file=file, lastmod=lastmod)
        if not output.is_inside(file, self.path):
            problem = "it cannot be read as a sitemap: it is a link that leads out of the directory."
            document.add(faults.UNREADABLE_SITEMAP, 0, problem, "Put the file itself there.")
            document.is_whole = False
            return document
        if os.path.exists(file) and not os.path.isfile(file) and not os.path.isdir(file):
            raise OSError(errno.EINVAL, "it is no regular file")
        with open(file, "rb") as stream:
            return read(stream, document)

    def _url(self, path: str) -> str:
        return (self.base or urls.NO_ADDRESS) + urls.from_file_path(path)

    def _judge(self, path: str, lastmod: str, audit: Audit, survey: Survey, judged: set[str]) -> Iterator[Finding]:
        """Judge a file, and what it lists if it is an index, each file once."""
        waiting = [(path, lastmod)]
        while waiting:
            path, lastmod = waiting.pop()
            if path in judged:
                continue
            judged.add(path)
            try:
                document = self._document(path, lastmod)
            except OSError as error:
                if not self._read and not waiting:
                    raise
                document = _unreadable(path, self.base, error)
            document.proven = self.consents.proven(document.url, *self._indexes)
            yield from audit.judge(document, survey, [each for each in self._robots if each.url])
            if document.kind == "sitemapindex":
                self._indexes.append(document.url)
                children = list(self._children(document))
                waiting += [(child_path, date) for _, child_path, date in reversed(children) if child_path]
                for child, _, _ in children:
                    yield from audit.selection.run(INDEX_CHECKS, child)
            else:
                self._read.append((path, lastmod))
                yield from self._pages(document, audit)

    def _children(self, index: Document) -> Iterator[tuple[Child, str, str]]:
        for position, normal in enumerate(index.normal):
            if not normal:
                continue
            is_elsewhere = urls.origin(normal) in index.proven
            path = "" if is_elsewhere else output.locate(self.path, self.base, normal) or ""
            child = Child(
                where=index.where,
                file=index.file,
                line=index.line(position),
                url=normal,
                is_missing=not path and urls.is_within(normal, self.base),
                is_index=bool(path) and path != index.where and is_index(os.path.join(self.path, path)),
            )
            yield child, path, index.dates[position]

    def _reread(self, numbers: set[int]) -> Iterator[Document]:
        for number in sorted(numbers):
            yield self._document(*self._read[number])

    def _find_base(self, start: Document) -> str:
        """Find the address from the URLs that the first file lists and the files that are there."""
        votes: Counter[str] = Counter()
        listed = list(filter(None, start.normal[:_VOTERS]))
        for url in listed:
            find = output.locate if start.kind == "sitemapindex" else find_page
            found = find(self.path, "", url)
            path = urls.from_file_path(found or "").removesuffix("index.html")
            if found and url.endswith("/" + path):
                votes[url.removesuffix(path)] += 1
        if votes:
            return votes.most_common(1)[0][0]
        if start.kind != "sitemapindex" and listed:
            return urls.origin(listed[0]) + "/"
        if listed:
            problem = "none of the sitemaps it lists is in the directory, so its address is unknown"
            message = f"{start.file}: {problem}; give --site-url"
            raise urls.UnknownAddressError(message)
        return urls.NO_ADDRESS

    def _pages(self, document: Document, audit: Audit) -> Iterator[Finding]:
        """Compare what a sitemap lists with the pages on disk."""
        if self._served is None:
            return
        files = [self._served.find(normal) if normal else "" for normal in document.normal]
        for position, (normal, file) in enumerate(zip(document.normal, files, strict=True)):
            if not normal or not urls.is_within(normal, self.base):
                continue
            audit.totals.pages += 1
            self._served.note(len(self._read) - 1, position, normal, file, is_ours=document.is_ours)
            if file:
                yield from audit.selection.run(PAGE_CHECKS, _listed(document, position, file, self._served))
            if position % 500 == 0:
                audit.tell(f"{audit.totals.pages:,} pages: {normal}")
        if self.sources is not None:
            yield from audit.selection.run(PROVEN_CHECKS, _proven(document, files, self.sources))

    def _lacking(self, audit: Audit) -> Iterator[Finding]:
        """Judge the listed pages that have no file at their URL, when all of them are known."""
        if self._served is None:
            return
        for sitemap, positions in sorted(self._served.lacking().items()):
            (document,) = self._reread({sitemap})
            for position in positions:
                file = self._served.mapped(document.normal[position])
                if file or not self._served.unmatched:
                    yield from audit.selection.run(PAGE_CHECKS, _listed(document, position, file, self._served))

    def _surroundings(self, root_robots: Robots | None, judged: set[str], survey: Survey) -> Surroundings:
        self._left_out = tuple(self._versions_left_out(judged))
        unlisted = [path for path in self._sitemaps if not self._may_be_unlisted(path, judged)]
        linked = set(map(self._real, judged)) if unlisted else set()
        unlisted = [path for path in unlisted if self._real(path) not in linked]
        read_unlisted = [document for path in unlisted if (document := self._try_document(path)).kind]
        joined = self._joined(read_unlisted, judged)
        return Surroundings(
            site_url=self.base,
            pages=lambda: self._alone(decided=survey.is_proven),
            served=None if survey.is_proven else self._served,
            sitemaps=[
                document
                for document in read_unlisted
                if self._is_of_this_site(document) and document.where not in joined
            ],
            robots=self._robots,
            root_robots=root_robots,
            missing=self._is_missing,
        )

    def _is_of_this_site(self, document: Document) -> bool:
        """Tell a sitemap that was forgotten from one of another site, which lies in a directory of this one."""
        is_list = document.kind in {"urlset", "sitemapindex"}
        return is_list and (not document.count or any(url.startswith(self.base) for url in document.normal))

    def _may_be_unlisted(self, path: str, judged: set[str]) -> bool:
        return path in judged or self._is_conventional(path, judged) or path.startswith(self._left_out)

    def _joined(self, documents: list[Document], judged: set[str]) -> set[str]:
        """Find the indexes that list nothing but what the site's own index lists too, also by way of one another."""
        found = {each.where: each for each in documents if each.kind == "sitemapindex" and each.count}
        known = judged | set(found)
        while others := {path for path, index in found.items() if not self._has_all(index, known)}:
            found = {path: index for path, index in found.items() if path not in others}
            known = judged | set(found)
        return set(found)

    def _has_all(self, index: Document, paths: set[str]) -> bool:
        """Tell whether some files hold all that an index lists."""
        located = [self._locate(url) or "" for url in index.urls]
        return all(path in paths or (path and self._is_conventional(path, paths)) for path in located)

    def _is_conventional(self, path: str, judged: set[str]) -> bool:
        """Tell whether a sitemap may stand there unlisted: a generator's flat one, or a listed one packed."""
        if path.removesuffix(".gz") in judged or path + ".gz" in judged:
            return True
        directory, _, name = path.rpartition("/")
        beside = {f"{directory}/{index}" for index in INDEX_NAMES if "index" in index}
        return name in {"sitemap.xml", "sitemap.xml.gz"} and (not directory or not beside.isdisjoint(self._sitemaps))

    def _versions_left_out(self, judged: set[str]) -> Iterator[str]:
        """Name the directories of mike's versions of which nothing is listed: only some are for search engines."""
        for prefix, versions in self._versions.items():
            listed = {path[len(prefix) :].partition("/")[0] for path in judged if path.startswith(prefix)}
            yield from (f"{prefix}{name}/" for name in versions.names - listed)

    def _real(self, path: str) -> str:
        return os.path.realpath(os.path.join(self.path, path))

    def _try_document(self, path: str) -> Document:
        try:
            return self._document(path, "")
        except OSError:
            return Document(url=self.base + path)

    def _is_missing(self, url: str) -> bool:
        try:
            return urls.is_within(urls.resolve(self.base, url), self.base) and self._locate(url) is None
        except ValueError:
            return False

    def _alone(self, *, decided: bool) -> Iterator[tuple[Spot, str]]:
        """Give the pages that no sitemap lists, and why they are not.

        Which pages the files that this tool writes list was decided, with its reasons, when it wrote them.
        """
        if self._served is not None and not decided:
            for file, reason in self._served.alone():
                if not file.startswith(self._left_out):
                    yield Spot(file, os.path.join(self.path, file)), reason


def _listed(document: Document, position: int, file: str, served: Served) -> Listed:
    url = document.normal[position]
    return Listed(
        url=url,
        where=document.where,
        file=document.file,
        line=document.line(position),
        is_missing=not file,
        said=served.said(file, url) if file.endswith(HTML) else html.NOTHING,
        path=file,
    )


def _proven(document: Document, files: list[str], sources: Sources) -> Proven:
    changes = sources.changes([file for file in files if file])
    return Proven(
        document=document,
        changes={position: changes[file] for position, file in enumerate(files) if file in changes},
    )


def _unreadable(path: str, base: str, error: OSError) -> Document:
    document = Document(url=base + urls.from_file_path(path), where=path, is_whole=False)
    problem = f"it cannot be read as a sitemap: {error.strerror or error}."
    document.add(faults.UNREADABLE_SITEMAP, 0, problem, "Make it a readable file.")
    return document
