"""Whether robots.txt tells crawlers of the indexes, and the lines that do, with every other byte as it was."""

import codecs
import errno
import os
from collections.abc import Iterable
from dataclasses import dataclass, field

from smindex_plugins import urls
from smindex_plugins.limits import MAX_ROBOTS
from smindex_plugins.model import Finding
from smindex_plugins.settings import Target
from smindex_plugins.sitemaps.robots import Robots, parse

NAME = "robots.txt"


@dataclass(slots=True)
class Announcement:
    """What is to be done about robots.txt."""

    content: bytes | None = None
    """The file as it is to be written; None where it stays as it is, or stays away."""
    findings: list[Finding] = field(default_factory=list)
    is_made: bool = False
    """The file names every index, or will when it is written."""


def announce(target: Target, index_urls: list[str]) -> Announcement:
    """Find out whether the robots.txt beside the index names every index, and what to do where it does not.

    Only that at the root of a host is read by crawlers: https://www.rfc-editor.org/rfc/rfc9309#section-2.3
    """
    writes = target.settings.robots_txt == "write"
    if urls.path(target.site_url) != "/":
        return Announcement(findings=[_not_at_the_root(target.site_url, index_urls)] if writes and index_urls else [])
    try:
        content = _content(os.path.join(target.directory, NAME))
    except OSError as error:
        return Announcement(findings=[_unusable(f"it cannot be read: {error.strerror or error}.", index_urls)])
    known = parse(content or b"", Robots())
    missing = known.lacks(index_urls)
    if not missing:
        return Announcement(is_made=True)
    return _added(content or b"", known, missing) if writes else _told(content, known, missing)


def _told(content: bytes | None, known: Robots, missing: list[str]) -> Announcement:
    return Announcement(findings=[] if content is None else [_without_line(known, missing)])


def _added(content: bytes, known: Robots, missing: list[str]) -> Announcement:
    if obstacle := _obstacle(content, known, missing):
        return Announcement(findings=[_unusable(obstacle, missing)])
    return Announcement(content=with_lines(content, sitemap_lines(missing)), is_made=True)


def with_lines(content: bytes, lines: Iterable[str]) -> bytes:
    """Add lines to a text file, ended as its own lines are, and as its last one is."""
    is_old_mac = b"\r" in content and b"\n" not in content
    newline = b"\r\n" if b"\r\n" in content else b"\r" if is_old_mac else b"\n"
    added = newline.join(line.encode() for line in lines)
    is_empty = not content.removeprefix(codecs.BOM_UTF8)
    return content + (added + newline if is_empty or content.endswith((b"\n", b"\r")) else newline + added)


def _content(path: str) -> bytes | None:
    if not os.path.lexists(path):
        return None
    if os.path.islink(path) or not os.path.isfile(path):
        raise OSError(errno.EINVAL, "it is a link or no regular file")
    with open(path, "rb") as file:
        return file.read(MAX_ROBOTS + 1)


def _obstacle(content: bytes, known: Robots, missing: list[str]) -> str | None:
    """Tell why nothing can be added to a file."""
    if known.is_html:
        return "it is an HTML page."
    if b"\0" in content or content.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return "it is not text in UTF-8."
    if len(with_lines(content, sitemap_lines(missing))) > MAX_ROBOTS:
        return f"crawlers read {MAX_ROBOTS:,} bytes of it, and it would have more."
    return None


def sitemap_lines(index_urls: Iterable[str]) -> list[str]:
    """Write the lines that name indexes to search engines."""
    return [f"Sitemap: {url}" for url in index_urls]


def _shown(index_urls: list[str]) -> str:
    others = len(index_urls) - 1
    return f"`Sitemap: {index_urls[0]}`" + (f" and those of {others:,} more" if others else "")


def _without_line(known: Robots, missing: list[str]) -> Finding:
    return Finding(
        check="robots-without-sitemap",
        level="notice" if known.sitemaps else "warning",
        where=NAME,
        problem="its Sitemap lines do not name the index." if known.sitemaps else "it has no Sitemap line.",
        fix=f"Add {_shown(missing)}, or set robots_txt: write.",
    )


def _not_at_the_root(site_url: str, index_urls: list[str]) -> Finding:
    root = f"{urls.origin(site_url)}/{NAME}"
    return Finding(
        check="robots-in-subdirectory",
        level="warning",
        where=NAME,
        problem=f"robots_txt is 'write', but crawlers read only {root}, which is not in this directory.",
        fix=f"Nothing was written there. Add {_shown(index_urls)} to that file, and remove the setting.",
    )


def _unusable(problem: str, index_urls: list[str]) -> Finding:
    return Finding(
        check="robots-not-written",
        level="warning",
        where=NAME,
        problem=problem,
        fix=f"It was left as it is. Mend it, and add {_shown(index_urls)}.",
    )
