"""How search engines find the indexes through robots.txt, and what prevents this on a host."""

import errno
import os
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from smindex_plugins.base import catalogue, urls
from smindex_plugins.base.files import with_lines
from smindex_plugins.base.limits import MAX_ROBOTS
from smindex_plugins.base.model import Finding, Spot
from smindex_plugins.base.site import Site
from smindex_plugins.base.text import brief, counted
from smindex_plugins.writing import robots
from smindex_plugins.writing.names import ROBOTS
from smindex_plugins.writing.robots import Robots
from smindex_plugins.writing.sitemap_lines import judge, line_for

_SAYING = {
    catalogue.ROBOTS_WITHOUT_SITEMAP.name,
    catalogue.ROBOTS_TOO_LARGE.name,
    catalogue.ROBOTS_IN_SUBDIRECTORY.name,
    catalogue.ROBOTS_NOT_WRITTEN.name,
    catalogue.PRIVATE_ADDRESS.name,
}
"""The findings that already explain how search engines find the index, or why they should not
yet."""
OR_WRITE = ", or set `robots_txt: write`"
"""The option that adds the line, as the end of a sentence."""
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
    findings: tuple[Finding, ...] = ()
    """What keeps crawlers from finding the indexes in the file."""


def announce(site: Site, index_urls: list[str], sitemaps: Collection[str]) -> Announcement:
    """Return the changes that make the robots.txt next to the index list every index of some
    sitemaps.

    Crawlers read only the file at the root of a host:
    https://www.rfc-editor.org/rfc/rfc9309#section-2.3
    """
    writes = site.settings.robots_txt == "write"
    if urls.path(site.url) != "/":
        misplaced = (_misplaced(site, index_urls),) if writes else ()
        return Announcement(findings=misplaced)
    file = os.path.join(site.directory, ROBOTS)
    is_there = os.path.lexists(file)
    try:
        known = _read(file, site.url + ROBOTS) if is_there else Robots()
    except OSError as error:
        problem = f"it can't be read: {error.strerror or error}."
        return Announcement(findings=(_unusable(problem, index_urls),))
    lacking = known.lacks(index_urls)
    if lacking and writes:
        return _with_lines_for(lacking, known)
    unusable = _missing(known, {*index_urls, *sitemaps}, site) | _pages(known)
    wanted = dict.fromkeys(index_urls, sitemaps)
    judged = judge(known, wanted, unusable=unusable, option=OR_WRITE)
    is_made = not judged.missing
    if not is_there or (is_made and not known.is_cut):
        return Announcement(is_made=is_made, known=known)
    kind = catalogue.ROBOTS_TOO_LARGE if known.is_cut else catalogue.ROBOTS_WITHOUT_SITEMAP
    flaw = judged.flaws[0]
    finding = kind.at(known.spot(flaw.line), flaw.problem, flaw.fix)
    return Announcement(is_made=is_made, known=known, findings=(finding,))


def _misplaced(site: Site, index_urls: list[str]) -> Finding:
    """Return the finding about a robots.txt that would be below the root of its host."""
    root = f"{urls.origin(site.url)}/{ROBOTS}"
    problem = (
        f"robots_txt is 'write', but crawlers read only {root}, which is not in this directory."
    )
    fix = (
        f"Nothing was written there. Add {line_for(index_urls)} to that file, and remove the"
        " setting."
    )
    return catalogue.ROBOTS_IN_SUBDIRECTORY.at(ROBOTS, problem, fix)


def _read(file: str, url: str) -> Robots:
    """Return a robots.txt of the site.

    Raises:
        OSError: it can't be read, or isn't a regular file.
    """
    if os.path.islink(file) or not os.path.isfile(file):
        raise OSError(errno.EINVAL, "it is a link, or not a regular file")
    return robots.read(file, url=url)


def _with_lines_for(lacking: list[str], known: Robots) -> Announcement:
    """Return the content of a robots.txt with lines for more indexes, or why it can't have them."""
    content = with_lines(known.content, [f"Sitemap: {url}" for url in lacking])
    if known.is_html:
        obstacle = "it is an HTML page."
    elif b"\0" in known.content:
        obstacle = "it is not UTF-8 text."
    elif len(content) > MAX_ROBOTS:
        obstacle = f"crawlers read only {MAX_ROBOTS:,} bytes of it, and it would be larger."
    else:
        return Announcement(content=content, is_made=True, known=known)
    return Announcement(known=known, findings=(_unusable(obstacle, lacking),))


def _missing(known: Robots, written: Collection[str], site: Site) -> dict[str, str]:
    """Return the URLs of the site in a robots.txt for which there is no file, and none is
    written.
    """
    missing: dict[str, str] = {}
    for url in known.named() - {"", *written}:
        if urls.is_within(url, site.url) and not urls.find_file(site.directory, site.url, url):
            missing[url] = "which doesn't exist"
    return missing


def _pages(known: Robots) -> dict[str, str]:
    """Return the URLs in a robots.txt that are pages by their form."""
    pages: dict[str, str] = {}
    for url in known.named():
        path = url.partition("?")[0]
        if path.endswith(("/", ".html", ".htm")):
            pages[url] = "which is a page, not a sitemap"
    return pages


def next_steps(site: Site, index_urls: Sequence[str], findings: Iterable[Finding]) -> str:
    """Return the one-time steps that let search engines find the indexes.

    Empty if a finding explains them.
    """
    if not index_urls or site.preview or os.environ.get("READTHEDOCS"):
        return ""
    is_said = not _SAYING.isdisjoint(finding.check for finding in findings)
    if len(index_urls) == 1 and is_said:
        return ""
    root = f"{urls.origin(site.url)}/{ROBOTS}"
    write = ""
    if urls.path(site.url) == "/":
        write = " (or set `robots_txt: write`)"
    first, *others = index_urls
    if others:
        lines = [f"Sitemap: {url}" for url in index_urls]
        steps = f"add these lines to {root}{write}; submit each of them in Search Console."
        told = f"To let search engines find all indexes, do two things once: {steps}"
        return "\n".join([told, *lines])
    steps = f"add the line `Sitemap: {first}` to {root}{write}; submit {first} in Search Console."
    return f"To let search engines find the index, do two things once: {steps}"


def blocked_pages(known: Robots, listed: Iterable[str]) -> Iterator[Finding]:
    """Yield one finding about the indexes and pages that robots.txt, as `announce` read it, blocks
    for Googlebot.
    """
    if not known.url:
        return
    origin = urls.origin(known.url) + "/"
    rules: dict[str, str] = {}
    for url in listed:
        if url.startswith(origin):
            rule = known.blocks(url)
            if rule:
                rules[url] = rule
    if not rules:
        return
    (url, rule), *others = rules.items()
    problem = f"it blocks {url} for Googlebot with {brief(rule)}."
    if others:
        problem += f" The same applies to {counted(len(others), 'other URL')}."
    yield catalogue.ROBOTS_BLOCKS_PAGE.at(Spot(ROBOTS, known.file or None), problem)


def _unusable(problem: str, index_urls: list[str]) -> Finding:
    fix = f"The file is unchanged. Correct it, and add {line_for(index_urls)}."
    return catalogue.ROBOTS_NOT_WRITTEN.at(ROBOTS, problem, fix)


def service_findings(
    site: Site,
    index_urls: Sequence[str],
    environment: Mapping[str, str] | None = None,
    sitemaps: Collection[str] = (),
) -> Iterator[Finding]:
    """Yield findings about Read the Docs, if it builds and will serve this site.

    Previews of pull requests are not for search engines and have no findings.
    """
    if environment is None:
        environment = os.environ
    is_preview = environment.get("READTHEDOCS_VERSION_TYPE") == "external"
    if not environment.get("READTHEDOCS") or is_preview:
        return
    served_at = environment.get("READTHEDOCS_CANONICAL_URL", "")
    if served_at and urls.normal(served_at).rstrip("/") + "/" != site.url:
        yield catalogue.READ_THE_DOCS_ADDRESS.at(
            site.settings.index_filename,
            f"its URLs start with {site.url}, but Read the Docs serves this version at"
            f" {served_at}.",
            "Set the address from the environment variable READTHEDOCS_CANONICAL_URL; in"
            f" mkdocs.yml: `site_url: !ENV [READTHEDOCS_CANONICAL_URL, '{site.url}']`, in Python:"
            ' `os.environ["READTHEDOCS_CANONICAL_URL"]`.',
        )
    file = os.path.join(site.directory, ROBOTS)
    has_own = os.path.isfile(file)
    if has_own and urls.path(site.url) == "/":  # `announce` has judged this file
        return
    known = Robots()
    if has_own:
        known = robots.read(file, url=f"{urls.origin(site.url)}/{ROBOTS}")
    yield from _not_at_root(site, index_urls, sitemaps, known, has_own=has_own)


def _not_at_root(
    site: Site,
    index_urls: Sequence[str],
    sitemaps: Collection[str],
    known: Robots,
    *,
    has_own: bool,
) -> Iterator[Finding]:
    """Yield a finding if no line at the root of a domain of Read the Docs leads to the index.

    At the root of the domain, it serves the robots.txt and the sitemap.xml of the default version.
    It generates missing ones; its own robots.txt has a line for the sitemap.xml there:
    https://docs.readthedocs.com/platform/stable/reference/sitemaps.html, robots.html, and
    readthedocs.org#12902
    """
    judged = judge(known, dict.fromkeys(index_urls, sitemaps))
    if not judged.missing:
        return
    at_root = f"{urls.origin(site.url)}/{_DEFAULT}"
    is_index = list(index_urls) == [site.url + _DEFAULT]
    if is_index and not (has_own and known.lacks([at_root])):
        return
    is_flat = os.path.isfile(os.path.join(site.directory, _DEFAULT))
    if is_index:
        what = "the index"
    elif is_flat:
        what = "a list of the same pages"
    else:
        what = "its own list of versions, not pages"
    problem = (
        f"Read the Docs serves {_DEFAULT} and {ROBOTS} of the default version at the root of the"
        f" domain. Its /{_DEFAULT} is {what}, and its /{ROBOTS} doesn't list the index."
    )
    if has_own and judged.flaws:
        problem += f" Of the {ROBOTS} of this build: {judged.flaws[0].problem}"
    needed = [at_root] if is_index else judged.missing
    lines = ", ".join(f"`Sitemap: {url}`" for url in needed)
    fix = f"List the index in the {ROBOTS} at the top of the documentation: {lines}"
    if not is_flat:
        fix += f", or name it {_DEFAULT} (`index_filename: {_DEFAULT}`)"
    yield catalogue.READ_THE_DOCS_SITEMAP.at(site.settings.index_filename, problem, f"{fix}.")
