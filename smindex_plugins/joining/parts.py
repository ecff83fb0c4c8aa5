"""What the builds below a root list, as their own indexes say it, and the address that follows from it."""

import io
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import islice

from smindex_plugins import urls
from smindex_plugins.joining.discovery import Build, Found
from smindex_plugins.joining.storage import Storage
from smindex_plugins.limits import MAX_BYTES
from smindex_plugins.model import Finding
from smindex_plugins.sitemaps import output
from smindex_plugins.sitemaps.listing import Document
from smindex_plugins.sitemaps.protocol import JOINED, own_part
from smindex_plugins.sitemaps.reading import read
from smindex_plugins.sitemaps.usual_names import numbered

_ASKED = 100
"""URLs of one build that are asked at which address it is."""


@dataclass(slots=True, kw_only=True)
class Part:
    """A build with what its files list."""

    build: Build
    documents: list[Document] = field(default_factory=list)
    served: str | None = None
    """The path under which it is in scope."""

    def urls(self) -> Iterator[str]:
        """Give the URLs that it lists, normalised."""
        for document in self.documents:
            yield from filter(None, document.normal)


@dataclass(slots=True, kw_only=True)
class Parts:
    """Every build below a root, and the root's own."""

    own: Part
    others: list[Part] = field(default_factory=list)
    earlier: list[str] = field(default_factory=list)
    """The files of an earlier run, which are written over: the index, or the numbered ones."""
    before: dict[str, str] = field(default_factory=dict)
    """What these list: URLs and dates."""
    findings: list[Finding] = field(default_factory=list)


def read_parts(
    storage: Storage, found: Found, index_filename: str, base: str, tell: Callable[[str], None] = lambda _: None
) -> Parts:
    """Read the index of every build, or its only sitemap; ``base`` is the root's address, or empty.

    Raises:
        OSError: the storage fails.
    """
    root = next((build for build in found.builds if not build.path), Build(path="", files=()))
    parts = Parts(own=Part(build=root, served=""))
    _read_root(storage, parts, index_filename)
    listed = _listed(parts.own, base, storage)
    parts.findings += [_left_over(path) for path in found.strays if path not in listed]
    # What an index of another tool lists may be an index in its turn, and is read.
    sections = listed if all(document.is_ours for document in parts.own.documents) else set()
    parts.others = [Part(build=build) for build in found.builds if build.path and sections.isdisjoint(build.files)]
    wanted = {path: part for part in parts.others for path in part.build.files}
    for path, content in storage.read(wanted, MAX_BYTES):
        tell(path)
        document = read_document(path, content, parts.findings)
        if document and document.is_ours and document.kind == "urlset":
            parts.findings.append(_left_over(path))
        elif document and (document.kind == "sitemapindex" or len(wanted[path].build.files) == 1):
            wanted[path].documents.append(document)
    return parts


def _listed(own: Part, base: str, storage: Storage) -> set[str]:
    """Give the paths of the sitemaps that the root's own build lists, wherever the root is served."""
    base = base or next(filter(None, (_base_on_disk(url, storage) for url in islice(own.urls(), _ASKED))), "")
    within = (urls.relative_path(url, base) for url in own.urls() if base and urls.is_within(url, base))
    return set(filter(None, map(urls.file_path, within)))


def read_document(path: str, content: bytes | OSError, findings: list[Finding]) -> Document | None:
    """Read a file whose address is not known yet, or tell why it cannot be read."""
    if isinstance(content, OSError):
        findings.append(output.unreadable(path, content.strerror or str(content)))
        return None
    return read(io.BytesIO(content), Document(url=urls.NO_ADDRESS + urls.from_file_path(path), where=path))


def _read_root(storage: Storage, parts: Parts, index_filename: str) -> None:
    """Read what the root's own build lists.

    Where an earlier run has written over the build's own index, that has kept what the build listed, before its mark.
    Where the build has none, its only sitemap counts, as that of any other.
    """
    own, kept = parts.own, list[Document]()
    family = {index_filename, *numbered(own.build.files, index_filename)}
    for path in own.build.files:
        is_index = path in family or "index" in path
        if not is_index and (own.documents or kept):
            break  # the flat sitemap of a build that has an index
        ((_, content),) = storage.read([path], MAX_BYTES)
        document = read_document(path, content, parts.findings)
        if document is None or isinstance(content, OSError):
            continue
        if path in family and document.is_ours and document.kind == "sitemapindex":
            parts.earlier.append(path)
            parts.before.update(zip(document.urls, document.dates, strict=True))
        if is_index and document.is_ours and JOINED in content:
            rest = read_document(path, own_part(content), parts.findings)
            kept += [rest] if rest and rest.count else []
        elif not is_index or document.kind != "urlset":
            own.documents.append(document)
    own.documents = own.documents or kept


def find_base(parts: Parts, storage: Storage) -> str:
    """Find the address of the root from the URLs that builds list and the directories in which these builds are.

    Raises:
        UnknownAddressError: nothing that they list tells it.
    """
    votes: Counter[str] = Counter()
    for part in [*parts.others, parts.own]:
        asked = islice(part.urls(), _ASKED)
        places = [f"/{urls.from_file_path(path)}/" for path in (part.build.path, *part.build.aliases) if path]
        if places:
            found = (_base_above(url, place) for url in asked for place in places)
        else:
            found = (_base_on_disk(url, storage) for url in asked)
        votes.update(islice(filter(None, found), 1))
    if not votes:
        message = "nothing that the builds list tells at which address the directory is served; give --site-url"
        raise urls.UnknownAddressError(message)
    return min(votes, key=lambda base: (-votes[base], len(base), base))


def _base_above(url: str, place: str) -> str | None:
    """Give what stands in a URL before a path; where the path comes twice, builds with other paths outvote this one."""
    above, found, _ = urls.path(url).partition(place)
    return f"{urls.origin(url)}{above}/" if found else None


def _base_on_disk(url: str, storage: Storage) -> str | None:
    """Give what stands in a URL before the path of a file below the root."""
    path = urls.path(url).partition("?")[0].lstrip("/")
    while path:
        on_disk = urls.file_path(path)
        if on_disk and not storage.missing([f"{on_disk}index.html" if on_disk.endswith("/") else on_disk]):
            return url.partition("?")[0].removesuffix(path)
        path = path.partition("/")[2]
    return None


def _left_over(path: str) -> Finding:
    return Finding(
        check="unlisted-sitemap",
        level="warning",
        where=path,
        problem="no index of its build lists it, so it was not joined.",
        fix="Remove what an earlier build left, or give the index of this one its usual name.",
    )
