"""Chooses the entries of the root index: the sitemaps of all builds that exist and are in scope."""

import io
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from datetime import UTC, datetime
from posixpath import basename, join
from typing import NamedTuple

from smindex_plugins.base import urls
from smindex_plugins.base.catalogue import (
    MISSING_SITEMAP,
    NESTED_INDEX,
    SITEMAP_OUTSIDE_INDEX,
    Kind,
)
from smindex_plugins.base.limits import MAX_BYTES
from smindex_plugins.base.model import Spot
from smindex_plugins.checks.checked import CheckedFile
from smindex_plugins.checks.table import Selection
from smindex_plugins.joining._builds import Build, Root
from smindex_plugins.reading.document import Document, Entry, newest_date, usable_date
from smindex_plugins.reading.entry_points import Lists, entry_documents
from smindex_plugins.reading.found import Found
from smindex_plugins.reading.reader import read
from smindex_plugins.writing.names import PEEKED


class Listed(NamedTuple):
    """A sitemap that a build lists."""

    url: str
    lastmod: str
    spot: Spot
    """The entry that lists it, or the sitemap itself if there is no index."""
    is_own: bool = False
    """Whether the replaced index listed it for the root's own build."""


def list_sitemaps(root: Root, additions: Iterable[Found], proven: frozenset[str]) -> list[Listed]:
    """Return the sitemaps that the root index may list, including those of proven origins.

    Raises:
        OSError: the storage fails.
    """
    here: list[Listed] = []
    root.own = [replace(document, url=root.url(document.where)) for document in root.own]
    for document in _entry_points(root.own, root):
        is_own = document.where in root.earlier
        if is_own:
            root.notes.append(
                f"{document.where}: the entries of the build at the root itself are kept"
            )
        judged = _judged(Found.alone(document), root, proven)
        here += [each._replace(is_own=is_own) for each in judged]
    for build in _without_copies(root):
        documents = []
        for document in build.documents:
            url = root.url(join(build.path, basename(document.where)))
            documents.append(replace(document, url=url))
        for document in _entry_points(documents, root):
            here += _judged(Found.alone(document), root, proven)
    listed = _existing(here, root)
    for addition in additions:
        for each in _judged(addition, root, proven):
            if urls.is_within(each.url, root.base) or urls.origin(each.url) in proven:
                listed.append(each)
            else:
                problem = (
                    f"lists {each.url}, which is outside {root.base}, where the joined index is."
                )
                fix = (
                    "Join at a directory above both, or show with --cross-site that its site"
                    " agrees."
                )
                root.findings.append(SITEMAP_OUTSIDE_INDEX.at(each.spot, problem, fix))
    return listed


def _without_copies(root: Root) -> Iterator[Build]:
    """Yield the builds, without links to other builds and builds with another version's URLs."""
    served = {}
    for build in root.builds:
        own_url = root.url(f"{build.path}/")
        if build.lists_within(own_url):
            served[build.path] = build.group
    for build in root.builds:
        original = ""
        if build.path not in served:
            original = _original(build, served, root)
        if original:
            root.notes.append(
                f"{build.path}: not joined, because {original} has the same URLs and is joined"
            )
        else:
            yield build


def _original(build: Build, served: Mapping[str, str], root: Root) -> str:
    """Return the first served build of the same group whose URLs this one lists, or nothing."""
    for path, group in served.items():
        if group == build.group and build.lists_within(root.url(f"{path}/")):
            return path
    return ""


def _entry_points(documents: list[Document], root: Root) -> Iterator[Document]:
    """Yield the indexes and sitemaps of one build, without those that only repeat others."""
    groups = list(entry_documents(documents))
    if len(groups) <= 1:
        for group in groups:
            yield from group
        return
    lists = Lists()
    for group in groups:
        lists.begin_group()
        for document in group:
            sitemaps = [document]
            if document.kind == "sitemapindex":
                sitemaps = list(_children(document, root))
            shares = [lists.add(sitemap) for sitemap in sitemaps]
            if group is groups[0] or any(share.counts for share in shares):
                yield document
            else:
                first = groups[0][0].where
                root.notes.append(
                    f"{document.where}: not joined, because it repeats pages of {first}"
                )


def _children(index: Document, root: Root) -> Iterator[Document]:
    """Yield the sitemaps that an index lists, if they are in the root and can be read."""
    paths: dict[str, str] = {}
    for _, url in index.children:
        if not urls.is_within(url, root.base):
            continue
        path = urls.file_path(urls.relative_path(url, root.base))
        if path:
            paths[path] = url
    for path, content in root.storage.read_each(paths, MAX_BYTES):
        if isinstance(content, bytes):
            document = read(io.BytesIO(content), Document(url=paths[path], where=path))
            yield replace(document, is_ours=document.is_ours or index.is_ours)


def _judged(found: Found, root: Root, proven: frozenset[str]) -> list[Listed]:
    """Check an index or a sitemap at its URL.

    Return its sitemaps that may be listed, or itself if it is not an index.
    """
    document = found.document
    findings = Selection().judge(CheckedFile(found=found, proven=proven))
    root.findings += [finding for finding in findings if finding.level != "notice"]
    scope = document.scope
    now = datetime.now(UTC)
    allowed = []
    for entry in document.entries:
        url = entry.normal
        if url and (urls.is_within(url, scope) or urls.origin(url) in proven):
            allowed.append(entry)
    if document.kind == "sitemapindex":
        listed = []
        for entry in allowed:
            lastmod = usable_date(document, entry.lastmod, now) or ""
            listed.append(Listed(entry.normal, lastmod, document.spot(entry)))
        return listed
    if not allowed:
        return []
    url = urls.normalise(document.url)
    lastmod = newest_date(document, now) or ""
    return [Listed(url, lastmod, document.spot(Entry(url, url)))]


def _existing(listed: list[Listed], root: Root) -> list[Listed]:
    """Return the sitemaps that exist and are not indexes.

    Sitemaps outside the root are not looked up.
    """
    paths: dict[str, str] = {}
    for each in listed:
        if urls.is_within(each.url, root.base):
            path = urls.file_path(urls.relative_path(each.url, root.base))
            paths[each.url] = path or ""
    missing = MISSING_SITEMAP, "which does not exist."
    wrong: dict[str | None, tuple[Kind, str]] = {"": missing}
    asked = set(paths.values()) - {""}
    for path, start in root.storage.read_each(asked, PEEKED):
        if isinstance(start, PermissionError):
            wrong[path] = MISSING_SITEMAP, "which can't be read."
        elif isinstance(start, OSError):
            wrong[path] = missing
        elif b"<sitemapindex" in start:
            wrong[path] = (
                NESTED_INDEX,
                "which is itself an index; search engines don't follow nested indexes.",
            )
    found = []
    for each in listed:
        fault = wrong.get(paths.get(each.url))
        if fault:
            kind, problem = fault
            root.findings.append(kind.at(each.spot, f"lists {each.url}, {problem}"))
        else:
            found.append(each)
    return found
