"""Whether robots.txt tells crawlers of the indexes, and the lines that do, with every other byte as it was."""

import codecs
import errno
import os
from collections.abc import Iterable
from dataclasses import dataclass

from smindex_plugins import catalogue, urls
from smindex_plugins.limits import MAX_ROBOTS
from smindex_plugins.model import Finding
from smindex_plugins.settings import Target
from smindex_plugins.sitemaps import robots
from smindex_plugins.sitemaps.robots import NAME, Robots


@dataclass(frozen=True, slots=True)
class Announcement:
    """What is to be done about robots.txt."""

    content: bytes | None = None
    """The file as it is to be written; None where it stays as it is, or stays away."""
    is_made: bool = False
    """The file names every index, or will when it is written."""


def announce(target: Target, index_urls: list[str], findings: list[Finding]) -> Announcement:
    """Return what to do so that the robots.txt beside the index names every index.

    Only that at the root of a host is read by crawlers: https://www.rfc-editor.org/rfc/rfc9309#section-2.3
    """
    writes = target.settings.robots_txt == "write"
    if urls.path(target.site_url) != "/":
        if writes and index_urls:
            findings.append(_not_at_the_root(target.site_url, index_urls))
        return Announcement()
    file = os.path.join(target.directory, NAME)
    is_there = os.path.lexists(file)
    try:
        known = _read(file) if is_there else Robots()
    except OSError as error:
        findings.append(_unusable(f"it cannot be read: {error.strerror or error}.", index_urls))
        return Announcement()
    missing = known.lacks(index_urls)
    if not missing:
        return Announcement(is_made=True)
    if writes:
        return _added(known, missing, findings)
    if is_there:
        findings.append(_without_line(known, missing))
    return Announcement()


def _read(file: str) -> Robots:
    """Return what a file says that may be written over, which a link or a pipe may not."""
    if os.path.islink(file) or not os.path.isfile(file):
        raise OSError(errno.EINVAL, "it is a link or no regular file")
    return robots.read(file)


def _added(known: Robots, missing: list[str], findings: list[Finding]) -> Announcement:
    content = with_lines(known.content, sitemap_lines(missing))
    if known.is_html:
        obstacle = "it is an HTML page."
    elif b"\0" in known.content or known.content.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        obstacle = "it is not text in UTF-8."
    elif len(content) > MAX_ROBOTS:
        obstacle = f"crawlers read {MAX_ROBOTS:,} bytes of it, and it would have more."
    else:
        return Announcement(content=content, is_made=True)
    findings.append(_unusable(obstacle, missing))
    return Announcement()


def with_lines(content: bytes, lines: Iterable[str]) -> bytes:
    """Return a text file with more lines, which end as its own do, and the last as its last."""
    is_old_mac = b"\r" in content and b"\n" not in content
    newline = b"\r\n" if b"\r\n" in content else b"\r" if is_old_mac else b"\n"
    added = newline.join(line.encode() for line in lines)
    is_empty = not content.removeprefix(codecs.BOM_UTF8)
    return content + (added + newline if is_empty or content.endswith((b"\n", b"\r")) else newline + added)


def sitemap_lines(index_urls: Iterable[str]) -> list[str]:
    """Return the lines that name indexes to search engines."""
    return [f"Sitemap: {url}" for url in index_urls]


def _shown(index_urls: list[str]) -> str:
    others = len(index_urls) - 1
    return f"`Sitemap: {index_urls[0]}`" + (f" and those of {others:,} more" if others else "")


def _without_line(known: Robots, missing: list[str]) -> Finding:
    fix = f"Add {_shown(missing)}, or set robots_txt: write."
    if known.sitemaps:
        return catalogue.ROBOTS_WITHOUT_INDEX.at(NAME, "its Sitemap lines do not name the index.", fix)
    return catalogue.ROBOTS_WITHOUT_SITEMAP.at(NAME, "it has no Sitemap line.", fix)


def _not_at_the_root(site_url: str, index_urls: list[str]) -> Finding:
    root = f"{urls.origin(site_url)}/{NAME}"
    return catalogue.ROBOTS_IN_SUBDIRECTORY.at(
        NAME,
        f"robots_txt is 'write', but crawlers read only {root}, which is not in this directory.",
        f"Nothing was written there. Add {_shown(index_urls)} to that file, and remove the setting.",
    )


def _unusable(problem: str, index_urls: list[str]) -> Finding:
    fix = f"It was left as it is. Mend it, and add {_shown(index_urls)}."
    return catalogue.ROBOTS_NOT_WRITTEN.at(NAME, problem, fix)
