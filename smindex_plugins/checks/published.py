"""What can be wrong between the sitemaps and the published site: robots.txt, pages and other files."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from smindex_plugins import urls
from smindex_plugins.catalogue import (
    FALSE_DATE,
    NOINDEX_NOT_RENDERED,
    ROBOTS_BLOCKS_PAGE,
    ROBOTS_BLOCKS_SITEMAP,
    ROBOTS_IN_SUBDIRECTORY,
    ROBOTS_IS_HTML,
    ROBOTS_NAMES_MISSING_SITEMAP,
    ROBOTS_NAMES_OTHER_ADDRESS,
    ROBOTS_RELATIVE_SITEMAP,
    ROBOTS_UNREACHABLE,
    ROBOTS_WITHOUT_SITEMAP,
    UNCOMPARED_DATES,
    UNLISTED_PAGE,
    UNLISTED_SITEMAP,
    UNREADABLE_DIRECTORY,
)
from smindex_plugins.checks.rule import At, Findings, check, shown
from smindex_plugins.dates import contradicts, utc
from smindex_plugins.model import Spot
from smindex_plugins.pages import Reason, not_rendered
from smindex_plugins.sitemaps import Document, Entry, Robots, SitemapLine
from smindex_plugins.text import counted, listed


@dataclass(frozen=True, slots=True, kw_only=True)
class Blockable:
    """A file of the site, with the robots.txt of its host."""

    document: Document
    robots: Robots


@dataclass(frozen=True, slots=True, kw_only=True)
class Proven:
    """A sitemap, with what git says about its pages."""

    document: Document
    changes: Sequence[tuple[Entry, int]]
    """Entries, and when the source of each last changed, in seconds since 1970."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Surroundings:
    """The files of a built site that are in no sitemap, and the address of the site."""

    site_url: str
    alone: Mapping[Spot, str] = field(default_factory=dict)
    """The unlisted pages on disk, each with the reason why that is right, or an empty string."""
    sitemaps: Sequence[Document] = ()
    """The sitemaps that no index and no robots.txt lists."""
    robots: Sequence[Robots] = ()
    """Every robots.txt in the directory, by its path."""
    closed: Mapping[Spot, str] = field(default_factory=dict)
    """Directories that cannot be read, and why."""
    missing: Sequence[tuple[Robots, SitemapLine]] = ()
    """The Sitemap lines that name a missing file of the site."""
    sources: str = ""
    """The git work tree, if dates were to be compared but no page's date could be."""
    uncompared: Mapping[str, int] = field(default_factory=dict)
    """Why dates were not compared, in words that follow a count."""
    nor_settings: str = ""
    """Who else could say why a page is unlisted, as the end of a sentence."""
    has_filter: bool = False
    """Whether a function of the user's may have left pages out. A check does not call it."""


@check(Blockable, ROBOTS_BLOCKS_PAGE)
def robots_blocks_page(subject: Blockable, at: At) -> Findings:
    document = subject.document
    origin = urls.origin(subject.robots.url) + "/"
    for entry in document.entries:
        normal = entry.normal
        if document.kind != "sitemapindex" and normal.startswith(origin) and (rule := subject.robots.blocks(normal)):
            problem = f"lists {shown(normal)}, which robots.txt blocks with {shown(rule)!r}."
            yield at(document.spot(entry), problem)


@check(Blockable, ROBOTS_BLOCKS_SITEMAP)
def robots_blocks_sitemap(subject: Blockable, at: At) -> Findings:
    normal = urls.normalise(subject.document.url)
    if normal.startswith(urls.origin(subject.robots.url) + "/") and (rule := subject.robots.blocks(normal)):
        yield at(
            subject.document, f"robots.txt blocks it with {shown(rule)!r}.", f"Add `Allow: {urls.path(normal)}` there."
        )


@check(Robots, ROBOTS_UNREACHABLE)
def robots_unreachable(robots: Robots, at: At) -> Findings:
    if robots.failure:
        yield at(robots, f"it cannot be fetched: {robots.failure}.")


@check(Robots, ROBOTS_WITHOUT_SITEMAP)
def robots_without_sitemap(robots: Robots, at: At) -> Findings:
    if robots.url and not (robots.sitemaps or robots.is_html or robots.failure):
        yield at(robots, "it has no Sitemap line.", "Add `Sitemap: ` with the full URL of the index.")


@check(Robots, ROBOTS_NAMES_OTHER_ADDRESS)
def robots_names_other_address(robots: Robots, at: At) -> Findings:
    own = urls.origin(robots.url) if robots.url else ""
    for line in robots.sitemaps if own else ():
        named = urls.origin(normal) if (normal := urls.normal(line.url)) else ""
        if named not in {"", own} and _bare_host(named) == _bare_host(own):
            yield at(robots, f"its Sitemap line names {line.url}, but the site is at {own}/.", line=line.line)


def _bare_host(origin: str) -> str:
    return origin.partition("://")[2].removeprefix("www.")


@check(Robots, ROBOTS_RELATIVE_SITEMAP)
def robots_relative_sitemap(robots: Robots, at: At) -> Findings:
    for line in robots.sitemaps:
        if not urls.normal(line.url):
            yield at(robots, f"its Sitemap line {line.url!r} is not a full URL.", line=line.line)


@check(Robots, ROBOTS_IS_HTML)
def robots_is_html(robots: Robots, at: At) -> Findings:
    if robots.is_html:
        yield at(robots, "it is an HTML page.")


@check(Surroundings, ROBOTS_IN_SUBDIRECTORY)
def robots_in_subdirectory(site: Surroundings, at: At) -> Findings:
    for robots in site.robots:
        if not robots.url:
            root = urls.origin(site.site_url) + "/robots.txt"
            yield at(
                robots,
                f"it has no effect: crawlers read only {root}.",
                "Move its lines there. If you cannot, submit the index in Search Console.",
            )


@check(Surroundings, ROBOTS_NAMES_MISSING_SITEMAP)
def robots_names_missing_sitemap(site: Surroundings, at: At) -> Findings:
    for robots, line in site.missing:
        yield at(robots, f"its Sitemap line names {line.url}, but there is no such file.", line=line.line)


@check(Surroundings, UNREADABLE_DIRECTORY)
def unreadable_directory(site: Surroundings, at: At) -> Findings:
    for place, why in site.closed.items():
        yield at(place, f"it cannot be read: {why}.")


@check(Surroundings, UNLISTED_SITEMAP)
def unlisted_sitemap(site: Surroundings, at: At) -> Findings:
    for document in site.sitemaps:
        fix = "List it in the index. Or remove it, if an earlier build left it."
        yield at(document, "it is a sitemap that nothing lists.", fix)


@check(Surroundings, UNLISTED_PAGE)
def unlisted_page(site: Surroundings, at: At) -> Findings:
    unexplained = [spot for spot, reason in site.alone.items() if not reason]
    if site.has_filter and unexplained:
        others = f" The same is true of {counted(len(unexplained) - 1, 'other page')}." if unexplained[1:] else ""
        problem = "it is in no sitemap, and the page does not say why. A check does not call `filter`, which may know."
        yield at(unexplained[0], problem + others)
        return
    for spot in unexplained:
        yield at(spot, f"it is in no sitemap, and the page does not say why{site.nor_settings}.")


@check(Surroundings, NOINDEX_NOT_RENDERED)
def noindex_not_rendered(site: Surroundings, _: At) -> Findings:
    yield from not_rendered([spot for spot, reason in site.alone.items() if reason.startswith(Reason.PRIVATE)])


@check(Proven, FALSE_DATE)
def false_date(subject: Proven, at: At) -> Findings:
    document = subject.document
    for entry, when in subject.changes:
        lastmod = entry.lastmod
        # This tool dates a page by all that it is made of, so that it may well be newer than its own source.
        if lastmod and contradicts(lastmod, when) and not (document.is_ours and lastmod > utc(when)):
            problem = f"gives {shown(entry.url)} the date {lastmod}, but git says {utc(when)}."
            yield at(document.spot(entry), problem)


@check(Surroundings, UNCOMPARED_DATES)
def uncompared_dates(site: Surroundings, at: At) -> Findings:
    if site.sources and site.uncompared:
        yield at(site.sources, f"no page's date could be compared with git: {listed(site.uncompared)}.")
