"""What can be wrong between the sitemaps and the published site: robots.txt, pages and other files."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice

from smindex_plugins import urls
from smindex_plugins.catalogue import (
    NOINDEX_NOT_RENDERED,
    ROBOTS_BLOCKS_PAGE,
    ROBOTS_IN_SUBDIRECTORY,
    ROBOTS_WITHOUT_SITEMAP,
    UNLISTED_SITEMAP,
    UNREADABLE_DIRECTORY,
)
from smindex_plugins.checks.rule import At, Findings, check, shown
from smindex_plugins.dates import contradicts, utc
from smindex_plugins.limits import MAX_ROBOTS
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
class Moved:
    """The given address of a live site, and the address that it leads to."""

    given: str
    url: str


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
    listed: int = 0
    """How many listed pages below the site's address were compared with files."""
    mapped: Mapping[str, str] = field(default_factory=dict)
    """Listed URLs without a file, each with an unlisted file of the same name."""
    alone: Mapping[Spot, str] = field(default_factory=dict)
    """The other unlisted pages on disk, each with the reason why that is right, or an empty string."""
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


@check(Moved, "notice", fix="Use the new address.", runs=("live",))
def moved_site(site: Moved, at: At) -> Findings:
    """The given address of a live site is its own, and leads to no other address."""
    yield at(site.given, f"it leads to {site.url}, so that address was checked.")


@check(Blockable, ROBOTS_BLOCKS_PAGE)
def _robots_blocks_page(subject: Blockable, at: At) -> Findings:
    document = subject.document
    origin = urls.origin(subject.robots.url) + "/"
    for entry in document.entries:
        normal = entry.normal
        if document.kind != "sitemapindex" and normal.startswith(origin) and (rule := subject.robots.blocks(normal)):
            problem = f"lists {shown(normal)}, which robots.txt blocks with {shown(rule)!r}."
            yield at(document.spot(entry), problem)


@check(Blockable, "warning", "Blocked by robots.txt", fix="Add an `Allow:` line for it to robots.txt.")
def robots_blocks_sitemap(subject: Blockable, at: At) -> Findings:
    """robots.txt does not block sitemaps or indexes for Googlebot."""
    normal = urls.normalise(subject.document.url)
    if normal.startswith(urls.origin(subject.robots.url) + "/") and (rule := subject.robots.blocks(normal)):
        yield at(
            subject.document, f"robots.txt blocks it with {shown(rule)!r}.", f"Add `Allow: {urls.path(normal)}` there."
        )


@check(
    Robots,
    "error",
    "URLs not accessible",
    fix="Make the server send the file, or 404 if there is none.",
    runs=("live",),
)
def robots_unreachable(robots: Robots, at: At) -> Findings:
    """The server answers requests for robots.txt (404 is fine). If it fails, crawlers treat the site as blocked."""
    if robots.failure:
        yield at(robots, f"it cannot be fetched: {robots.failure}.")


@check(Robots, ROBOTS_WITHOUT_SITEMAP)
def _robots_without_sitemap(robots: Robots, at: At) -> Findings:
    if robots.url and not (robots.sitemaps or robots.is_html or robots.failure):
        yield at(robots, "it has no Sitemap line.", "Add `Sitemap: ` with the full URL of the index.")


@check(Robots, "warning", fix="Use the site's address there, or build the site with that address.")
def robots_names_other_address(robots: Robots, at: At) -> Findings:
    """`Sitemap:` lines in robots.txt have the site's scheme, and use www. exactly when the site does."""
    own = urls.origin(robots.url) if robots.url else ""
    for line in robots.sitemaps if own else ():
        named = urls.origin(normal) if (normal := urls.normal(line.url)) else ""
        if named not in {"", own} and _bare_host(named) == _bare_host(own):
            yield at(robots, f"its Sitemap line names {line.url}, but the site is at {own}/.", line=line.line)


def _bare_host(origin: str) -> str:
    return origin.partition("://")[2].removeprefix("www.")


@check(Robots, "warning", fix="Save it as UTF-8.")
def robots_not_utf8(robots: Robots, at: At) -> Findings:
    """robots.txt is UTF-8."""
    if not robots.is_utf8:
        yield at(robots, "it has bytes that are not UTF-8.")


@check(Robots, "warning", fix="Write the full URL, with https:// and the host.")
def robots_relative_sitemap(robots: Robots, at: At) -> Findings:
    """`Sitemap:` lines in robots.txt have full URLs."""
    for line in robots.sitemaps:
        if not urls.normal(line.url):
            yield at(robots, f"its Sitemap line {line.url!r} is not a full URL.", line=line.line)


@check(Robots, "warning", fix="Shorten it.")
def robots_too_large(robots: Robots, at: At) -> Findings:
    """robots.txt has at most 500 KiB. Crawlers ignore the rest."""
    if robots.size > MAX_ROBOTS:
        yield at(robots, f"it has {robots.size:,} bytes; crawlers read {MAX_ROBOTS:,}.")


@check(Robots, "warning", fix="Serve a text file, or answer 404.")
def robots_is_html(robots: Robots, at: At) -> Findings:
    """robots.txt is a text file, not an error page."""
    if robots.is_html:
        yield at(robots, "it is an HTML page.")


@check(Surroundings, ROBOTS_IN_SUBDIRECTORY)
def _robots_in_subdirectory(site: Surroundings, at: At) -> Findings:
    for robots in site.robots:
        if not robots.url:
            root = urls.origin(site.site_url) + "/robots.txt"
            yield at(
                robots,
                f"it has no effect: crawlers read only {root}.",
                "Move its lines there. If you cannot, submit the index in Search Console.",
            )


@check(
    Surroundings,
    "error",
    "HTTP error 404",
    fix="Correct the URL, build the sitemap, or remove the line.",
    runs=("directory", "live"),
)
def robots_names_missing_sitemap(site: Surroundings, at: At) -> Findings:
    """Every `Sitemap:` line in robots.txt names a file that exists."""
    for robots, line in site.missing:
        yield at(robots, f"its Sitemap line names {line.url}, but there is no such file.", line=line.line)


@check(Surroundings, UNREADABLE_DIRECTORY)
def _unreadable_directory(site: Surroundings, at: At) -> Findings:
    for place, why in site.closed.items():
        yield at(place, f"it cannot be read: {why}.")


@check(Surroundings, UNLISTED_SITEMAP)
def _unlisted_sitemap(site: Surroundings, at: At) -> Findings:
    for document in site.sitemaps:
        fix = "List it in the index. Or remove it, if an earlier build left it."
        yield at(document, "it is a sitemap that nothing lists.", fix)


@check(
    Surroundings,
    "notice",
    fix="If the page is new, build the site again. If an earlier build left it, remove it. To leave it out on "
    "purpose, mark it noindex or exclude it in the settings.",
)
def unlisted_page(site: Surroundings, at: At) -> Findings:
    """Every page in the directory is in a sitemap, unless the page or a setting says why not (noindex, `exclude`)."""
    unexplained = [spot for spot, reason in site.alone.items() if not reason]
    if site.has_filter and unexplained:
        others = f" The same is true of {counted(len(unexplained) - 1, 'other page')}." if unexplained[1:] else ""
        problem = "it is in no sitemap, and the page does not say why. A check does not call `filter`, which may know."
        yield at(unexplained[0], problem + others)
        return
    for spot in unexplained:
        yield at(spot, f"it is in no sitemap, and the page does not say why{site.nor_settings}.")


@check(
    Surroundings,
    "notice",
    fix="If the server maps these URLs to these files, nothing is wrong. If not, correct --site-url or the URLs.",
)
def unmatched_pages(site: Surroundings, at: At) -> Findings:
    """Every listed page has a file at its URL. If the server maps URLs to other files, they are not compared."""
    for url, file in islice(site.mapped.items(), 1):
        problem = (
            f"{len(site.mapped):,} of {site.listed:,} listed pages have no file at their URL, but files of the same "
            f"names are in no sitemap, such as {file} for {url}. They were not compared."
        )
        yield at(site.site_url, problem)


@check(Surroundings, NOINDEX_NOT_RENDERED)
def _noindex_not_rendered(site: Surroundings, _: At) -> Findings:
    yield from not_rendered([spot for spot, reason in site.alone.items() if reason.startswith(Reason.PRIVATE)])


@check(Surroundings, "notice", fix="Nothing is wrong, so you can leave it.", advice=True)
def rightly_unlisted_page(site: Surroundings, at: At) -> Findings:
    """No sitemap lists a page that is noindex or excluded, redirects, or has another canonical URL."""
    for spot, reason in site.alone.items():
        if reason:
            yield at(spot, f"it is in no sitemap, and rightly so: it is {reason}.")


@check(Proven, "warning", fix="Build again in a clone with the whole history, or write no dates.")
def false_date(subject: Proven, at: At) -> Findings:
    """With `--sources`: a page has the date of its source's last change in git."""
    document = subject.document
    for entry, when in subject.changes:
        lastmod = entry.lastmod
        # This tool dates a page by all that it is made of, so that it may well be newer than its own source.
        if lastmod and contradicts(lastmod, when) and not (document.is_ours and lastmod > utc(when)):
            problem = f"gives {shown(entry.url)} the date {lastmod}, but git says {utc(when)}."
            yield at(document.spot(entry), problem)


@check(
    Surroundings,
    "warning",
    fix="Name the root of the project that holds the pages' sources. It must be a clone with the whole history, "
    "and git must be installed.",
    runs=("sources",),
)
def uncompared_dates(site: Surroundings, at: At) -> Findings:
    """With `--sources`: the date of at least one page can be compared with git."""
    if site.sources and site.uncompared:
        yield at(site.sources, f"no page's date could be compared with git: {listed(site.uncompared)}.")
