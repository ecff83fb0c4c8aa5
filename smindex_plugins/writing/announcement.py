"""How search engines find the indexes through robots.txt, and what prevents this on a host."""

import codecs
import errno
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from smindex_plugins.base import catalogue, urls
from smindex_plugins.base.limits import MAX_ROBOTS
from smindex_plugins.base.model import Finding, Spot
from smindex_plugins.base.site import Site
from smindex_plugins.base.text import brief, counted
from smindex_plugins.writing import robots
from smindex_plugins.writing.robots import NAME, Robots

_SAYING = {
    catalogue.ROBOTS_WITHOUT_SITEMAP.name,
    catalogue.ROBOTS_IN_SUBDIRECTORY.name,
    catalogue.ROBOTS_NOT_WRITTEN.name,
    catalogue.PRIVATE_ADDRESS.name,
}
"""The findings that already explain how search engines find the index, or why they should not yet."""
_DEFAULT = "sitemap.xml"
"""The name under which Read the Docs serves a sitemap at the root of a domain."""


@dataclass(frozen=True, slots=True)
class Announcement:
    """How robots.txt lists the indexes."""

    content: bytes | None = None
    """The new content of the file. None if it stays unchanged, or should not exist."""
    is_made: bool = False
    """Whether the file lists every index, or will after it is written."""
    known: Robots = field(default_factory=Robots)
    """The content of the file for crawlers, or nothing if they read another one."""


def announce(site: Site, index_urls: list[str], findings: list[Finding]) -> Announcement:
    """Return the changes that make the robots.txt next to the index list every index.

    Crawlers read only the file at the root of a host: https://www.rfc-editor.org/rfc/rfc9309#section-2.3
    """
    writes = site.settings.robots_txt == "write"
    if urls.path(site.url) != "/":
        if writes:
            root = f"{urls.origin(site.url)}/{NAME}"
            problem = f"robots_txt is 'write', but crawlers read only {root}, which is not in this directory."
            fix = f"Nothing was written there. Add {_shown(index_urls)} to that file, and remove the setting."
            findings.append(catalogue.ROBOTS_IN_SUBDIRECTORY.at(NAME, problem, fix))
        return Announcement()
    file = os.path.join(site.directory, NAME)
    is_there = os.path.lexists(file)
    try:
        if os.path.islink(file) or (is_there and not os.path.isfile(file)):
            raise OSError(errno.EINVAL, "it is a link, or not a regular file")  # noqa: TRY301 - as the others below
        known = robots.read(file, url=site.url + NAME) if is_there else Robots()
    except OSError as error:
        findings.append(_unusable(f"it cannot be read: {error.strerror or error}.", index_urls))
        return Announcement()
    missing = known.lacks(index_urls)
    if missing and writes:
        content = with_lines(known.content, [f"Sitemap: {url}" for url in missing])
        if known.is_html:
            obstacle = "it is an HTML page."
        elif b"\0" in known.content:
            obstacle = "it is not UTF-8 text."
        elif len(content) > MAX_ROBOTS:
            obstacle = f"crawlers read only {MAX_ROBOTS:,} bytes of it, and it would be larger."
        else:
            return Announcement(content=content, is_made=True, known=known)
        findings.append(_unusable(obstacle, missing))
    elif missing and is_there:
        fix = f"Add {_shown(missing)}, or set `robots_txt: write`."
        problem = "its Sitemap lines don't list the index." if known.sitemaps else "it has no Sitemap line."
        findings.append(catalogue.ROBOTS_WITHOUT_SITEMAP.at(NAME, problem, fix))
    return Announcement(is_made=not missing, known=known)


def next_steps(site: Site, index_urls: Sequence[str], findings: Iterable[Finding]) -> str:
    """Return the one-time steps that let search engines find the indexes. Empty if a finding explains them."""
    is_said = len(index_urls) == 1 and not _SAYING.isdisjoint(finding.check for finding in findings)
    if not index_urls or is_said or site.preview or os.environ.get("READTHEDOCS"):
        return ""
    root = f"{urls.origin(site.url)}/{NAME}"
    first, *others = index_urls
    lines = f"these lines to {root}" if others else f"the line `Sitemap: {first}` to {root}"
    write = " (or set `robots_txt: write`)" if urls.path(site.url) == "/" else ""
    them = "each of them" if others else first
    steps = f"add {lines}{write}; submit {them} in Search Console."
    what = "all indexes" if others else "the index"
    told = f"To let search engines find {what}, do two things once: {steps}"
    return "\n".join([told, *(f"Sitemap: {url}" for url in index_urls if others)])


def blocked_pages(known: Robots, listed: Iterable[str]) -> Iterator[Finding]:
    """Yield one finding about the indexes and pages that robots.txt, as `announce` read it, blocks for Googlebot."""
    if known.url:
        origin = urls.origin(known.url) + "/"
        rules = {url: rule for url in listed if url.startswith(origin) and (rule := known.blocks(url))}
        for url, rule in list(rules.items())[:1]:
            more = f" The same applies to {counted(len(rules) - 1, 'other URL')}." if len(rules) > 1 else ""
            problem = f"it blocks {url} for Googlebot with {brief(rule)}.{more}"
            yield catalogue.ROBOTS_BLOCKS_PAGE.at(Spot(NAME, known.file), problem)


def with_lines(content: bytes, lines: Iterable[str]) -> bytes:
    """Append lines to a text file with its line endings. No other byte changes."""
    newline = b"\r\n" if b"\r\n" in content else b"\n"
    added = newline.join(line.encode() for line in lines)
    is_ended = content.endswith(b"\n") or not content.removeprefix(codecs.BOM_UTF8)
    return content + (added + newline if is_ended else newline + added)


def _shown(index_urls: list[str]) -> str:
    others = len(index_urls) - 1
    return f"`Sitemap: {index_urls[0]}`" + (f" and the lines for {others:,} more" if others else "")


def _unusable(problem: str, index_urls: list[str]) -> Finding:
    fix = f"The file is unchanged. Correct it, and add {_shown(index_urls)}."
    return catalogue.ROBOTS_NOT_WRITTEN.at(NAME, problem, fix)


def service_findings(
    site: Site, index_urls: Sequence[str], environment: Mapping[str, str] | None = None
) -> Iterator[Finding]:
    """Yield findings about Read the Docs, if it builds and will serve this site.

    Previews of pull requests are not for search engines and have no findings.
    """
    environment = os.environ if environment is None else environment
    if not environment.get("READTHEDOCS") or environment.get("READTHEDOCS_VERSION_TYPE") == "external":
        return
    served_at = environment.get("READTHEDOCS_CANONICAL_URL", "")
    if served_at and urls.normal(served_at).rstrip("/") + "/" != site.url:
        yield catalogue.READ_THE_DOCS_ADDRESS.at(
            site.settings.index_filename,
            f"its URLs start with {site.url}, but Read the Docs serves this version at {served_at}.",
            "Set the address from the environment variable READTHEDOCS_CANONICAL_URL; in mkdocs.yml: `site_url: !ENV "
            f"[READTHEDOCS_CANONICAL_URL, '{site.url}']`, in Python: "
            '`os.environ["READTHEDOCS_CANONICAL_URL"]`.',
        )
    # At the root of the domain, it serves the robots.txt and the sitemap.xml of the default version. It generates
    # missing ones; its own robots.txt has a line for the sitemap.xml there:
    # https://docs.readthedocs.com/platform/stable/reference/sitemaps.html, robots.html, and readthedocs.org#12902
    file, at_root = os.path.join(site.directory, NAME), f"{urls.origin(site.url)}/{_DEFAULT}"
    is_own, is_index = os.path.isfile(file), list(index_urls) == [site.url + _DEFAULT]
    known = robots.read(file) if is_own else Robots()
    missing = known.lacks(index_urls)
    if not missing or (is_index and not (is_own and known.lacks([at_root]))):
        return
    is_flat = os.path.isfile(os.path.join(site.directory, _DEFAULT))
    what = "the index" if is_index else "a list of the same pages" if is_flat else "its own list of versions, not pages"
    lines = ", ".join(f"`Sitemap: {url}`" for url in ([at_root] if is_index else missing))
    other = "" if is_flat else f", or name it {_DEFAULT} (`index_filename: {_DEFAULT}`)"
    yield catalogue.READ_THE_DOCS_SITEMAP.at(
        site.settings.index_filename,
        f"Read the Docs serves {_DEFAULT} and {NAME} of the default version at the root of the domain. Its "
        f"/{_DEFAULT} is {what}, and its /{NAME} doesn't list the index.",
        f"List the index in the {NAME} at the top of the documentation: {lines}{other}.",
    )
