"""What can be wrong between the sitemaps and what is published: robots.txt, pages, and other files of the site."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Protocol

from smindex_plugins import urls
from smindex_plugins.checks.rule import Check, Flaws, Spot, check, flaw
from smindex_plugins.dates import contradicts, utc
from smindex_plugins.limits import MAX_ROBOTS
from smindex_plugins.pages import head as html
from smindex_plugins.sitemaps.listing import Document
from smindex_plugins.sitemaps.robots import Robots


@dataclass(frozen=True, slots=True, kw_only=True)
class Blockable:
    """A file of the site beside the robots.txt of its host."""

    document: Document
    robots: Robots


@dataclass(frozen=True, slots=True, kw_only=True)
class Listed:
    """A listed page, and what was found where its URL leads: on disk or over HTTP."""

    url: str
    """Normalised."""
    where: str
    """The sitemap that lists it."""
    file: str = ""
    line: int = 0
    is_missing: bool = False
    """No file of the directory answers for it."""
    status: int = 200
    failure: str = ""
    """Why no answer came."""
    redirect: str = ""
    """Where the answer led."""
    said: html.Said = html.NOTHING
    path: str = ""
    """Its file, relative to the directory."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Proven:
    """A sitemap beside what git says of its pages."""

    document: Document
    changes: dict[int, int]
    """When the source of an entry last changed, in seconds since 1970, by the entry's position."""


class Matched(Protocol):
    """How many pages are listed, or on disk, and not both."""

    listed: int
    unmatched: int
    unlisted: int
    example: tuple[str, str]


@dataclass(slots=True, kw_only=True)
class Surroundings:
    """The files of a built site that are in no sitemap, and where it is served."""

    site_url: str
    pages: Callable[[], Iterator[tuple[Spot, str]]] = lambda: iter(())
    """Gives the pages on disk that are listed nowhere, and what each of them says as a reason, or nothing."""
    sitemaps: list[Document] = field(default_factory=list)
    """Those that no index and no robots.txt lists."""
    robots: list[Robots] = field(default_factory=list)
    """Every robots.txt in the directory, by its path."""
    root_robots: Robots | None = None
    """The one that counts."""
    served: Matched | None = None
    """How the pages that are listed and those on disk agree."""
    missing: Callable[[str], bool] = lambda _: False
    """Tells whether a URL below the site's address leads to no file."""


@check("warning", "Sitemap contains URLs which are blocked by robots.txt")
def robots_blocks_page(subject: Blockable) -> Flaws:
    """No listed URL is forbidden to Googlebot by robots.txt."""
    document = subject.document
    origin = urls.origin(subject.robots.url) + "/"
    for position, normal in enumerate(document.normal):
        if document.kind != "sitemapindex" and normal.startswith(origin) and (rule := subject.robots.blocks(normal)):
            problem = f"lists {normal}, which robots.txt forbids by {rule!r}."
            yield flaw(document, problem, "Allow it there, or list it no more.", document.line(position))


@check("warning", "Blocked by robots.txt")
def robots_blocks_sitemap(subject: Blockable) -> Flaws:
    """No sitemap or index is itself forbidden to Googlebot by robots.txt."""
    normal = urls.normalise(subject.document.url)
    if normal.startswith(urls.origin(subject.robots.url) + "/") and (rule := subject.robots.blocks(normal)):
        yield flaw(subject.document, f"robots.txt forbids it by {rule!r}.", f"Add `Allow: {urls.path(normal)}` there.")


@check("warning")
def false_date(subject: Proven) -> Flaws:
    """With `--sources`: a page's date is that on which git says that its source changed."""
    document = subject.document
    for position, when in subject.changes.items():
        lastmod = document.dates[position]
        # This tool dates a page by all that it is made of, so that it may well be newer than its own source.
        if lastmod and contradicts(lastmod, when) and not (document.is_ours and lastmod > utc(when)):
            problem = f"dates {document.urls[position][:200]} {lastmod}, and git {utc(when)}."
            yield flaw(document, problem, "Take dates from git, or write none.", document.line(position))


@check("error", "URLs not accessible")
def robots_unreachable(robots: Robots) -> Flaws:
    """A robots.txt is answered, if only by 404: where the server fails, crawlers take all for forbidden."""
    if robots.failure:
        problem = f"it cannot be fetched: {robots.failure}."
        yield flaw(robots, problem, "Answer it with the file, or with 404 where there is none.")


@check("warning")
def robots_not_utf8(robots: Robots) -> Flaws:
    """A robots.txt is UTF-8."""
    if not robots.is_utf8:
        yield flaw(robots, "it holds bytes that are not UTF-8.", "Save it as UTF-8.")


@check("warning")
def robots_names_other_address(robots: Robots) -> Flaws:
    """A Sitemap line of a robots.txt has the scheme of the site, and www. where the site has it."""
    for line in robots.sitemaps if robots.url else ():
        named = _origin(line.url)
        own = urls.origin(robots.url)
        if named not in {"", own} and _bare_host(named) == _bare_host(own):
            problem = f"its Sitemap line names {line.url}, and the site is at {own}/."
            yield flaw(robots, problem, "Write the address of the site itself.", line.line)


def _origin(url: str) -> str:
    normal = urls.normal(url)
    return urls.origin(normal) if normal else ""


def _bare_host(origin: str) -> str:
    return origin.partition("://")[2].removeprefix("www.")


@check("warning")
def robots_without_sitemap(robots: Robots) -> Flaws:
    """A robots.txt names the sitemap or the index."""
    if robots.url and not (robots.sitemaps or robots.is_html or robots.failure):
        yield flaw(robots, "it has no Sitemap line.", "Add `Sitemap: ` with the full URL of the index.")


@check("warning")
def robots_relative_sitemap(robots: Robots) -> Flaws:
    """A Sitemap line of a robots.txt has a full URL."""
    for line in robots.sitemaps:
        try:
            urls.normalise(line.url)
        except ValueError:
            problem = f"its Sitemap line {line.url!r} is no absolute URL."
            yield flaw(robots, problem, "Write the full URL, with https:// and host.", line.line)


@check("warning")
def robots_too_large(robots: Robots) -> Flaws:
    """A robots.txt has at most 500 KiB; crawlers ignore the rest."""
    if robots.size > MAX_ROBOTS:
        yield flaw(robots, f"it has {robots.size:,} bytes; crawlers read {MAX_ROBOTS:,}.", "Shorten it.")


@check("warning")
def robots_is_html(robots: Robots) -> Flaws:
    """A robots.txt is text, and no error page."""
    if robots.is_html:
        yield flaw(robots, "it is an HTML page.", "Serve a text file, or answer 404.")


@check("warning")
def robots_in_subdirectory(site: Surroundings) -> Flaws:
    """A robots.txt is at the root of its host, for crawlers read no other."""
    for robots in site.robots:
        if site.root_robots is None or robots.where != site.root_robots.where:
            root = urls.origin(site.site_url) + "/robots.txt"
            yield flaw(robots, f"it has no effect: crawlers read only {root}.", "Put its lines there.")


@check("error", "HTTP error 404")
def robots_names_missing_sitemap(site: Surroundings) -> Flaws:
    """A Sitemap line of a robots.txt names a file that is there."""
    robots = site.root_robots or Robots()
    for line in robots.sitemaps:
        if site.missing(line.url):
            problem = f"its Sitemap line names {line.url}, and there is no such file."
            yield flaw(robots, problem, "Correct the URL, or build the sitemap.", line.line)


@check("warning")
def unlisted_sitemap(site: Surroundings) -> Flaws:
    """A sitemap in the directory is listed by the index or by robots.txt."""
    for document in site.sitemaps:
        fix = "List it in the index, or remove it; an earlier build may have left it."
        yield flaw(document, "it is a sitemap that nothing lists.", fix)


@check("notice")
def unlisted_page(site: Surroundings) -> Flaws:
    """A page in the directory is in a sitemap, unless it says why not: noindex, another canonical URL, a redirect."""
    for spot, reason in site.pages():
        if not reason:
            yield flaw(spot, "it is in no sitemap, and does not say why.", "List it, or mark it noindex.")


@check("notice")
def unmatched_pages(site: Surroundings) -> Flaws:
    """Listed pages have their files at their URLs; where a server maps URLs to other files, they are not compared."""
    if site.served and site.served.unmatched:
        url, file = site.served.example
        problem = (
            f"{site.served.unmatched:,} of {site.served.listed:,} listed pages have no file at their URL, and "
            f"{site.served.unlisted:,} pages on disk are listed nowhere"
            f"{f', such as {url} and {file}' if file else ''}; they were not compared."
        )
        fix = "Nothing is to be done if the server maps the ones to the others; if not, correct --site-url or the URLs."
        yield flaw(Spot(site.site_url), problem, fix)


@check("notice", advice=True)
def rightly_unlisted_page(site: Surroundings) -> Flaws:
    """A page that is noindex, redirects, or has another canonical URL is in no sitemap."""
    for spot, reason in site.pages():
        if reason:
            yield flaw(spot, f"it is in no sitemap, and rightly so: it is {reason}.", "Nothing is to be done.")


def _listing(page: Listed, problem: str, fix: str) -> Flaws:
    yield flaw(page, f"lists {page.url}, {problem}", fix, page.line)


@check("warning", "Not found (404)")
def missing_page(page: Listed) -> Flaws:
    """A listed page is in the directory of the site."""
    if page.is_missing:
        yield from _listing(page, "and there is no such page in the directory.", "Build it, or list it no more.")


@check("error", "Not found (404)")
def page_error(page: Listed) -> Flaws:
    """A listed page is answered with status 200."""
    if page.status >= 400:  # noqa: PLR2004 - where errors begin in HTTP
        yield from _listing(page, f"which is answered with {page.status}.", "Publish it, or list it no more.")


@check("error", "URLs not accessible")
def page_unreachable(page: Listed) -> Flaws:
    """A listed page is answered."""
    if page.failure:
        yield from _listing(page, f"which cannot be fetched: {page.failure}.", "See that the server answers.")


@check("warning", "URLs not followed")
def page_redirects(page: Listed) -> Flaws:
    """A listed page does not redirect."""
    target = page.redirect or page.said.refresh
    if target and target != page.url:
        yield from _listing(page, f"which redirects to {target}.", "List where it leads.")


@check("warning", "Excluded by 'noindex' tag")
def noindex_page(page: Listed) -> Flaws:
    """A listed page does not say noindex."""
    if page.said.noindex:
        yield from _listing(page, "which says noindex.", "Take one of the two back.")


@check("warning", "Alternate page with proper canonical tag")
def canonical_elsewhere(page: Listed) -> Flaws:
    """A listed page names itself as canonical, or nothing."""
    canonical = page.said.canonical
    if canonical and canonical != page.url:
        yield from _listing(page, f"whose canonical URL is {canonical}.", "List the canonical URL.")


@check("warning", "Soft 404")
def listed_error_page(page: Listed) -> Flaws:
    """An error page is in no sitemap."""
    if urls.is_error_page(page.path or urls.path(page.url).removeprefix("/")):
        yield from _listing(page, "which is an error page.", "List it no more.")


BLOCKING_CHECKS: tuple[Check[Blockable], ...] = (robots_blocks_page, robots_blocks_sitemap)
PROVEN_CHECKS: tuple[Check[Proven], ...] = (false_date,)
ROBOTS_CHECKS: tuple[Check[Robots], ...] = (
    robots_unreachable,
    robots_without_sitemap,
    robots_names_other_address,
    robots_not_utf8,
    robots_relative_sitemap,
    robots_too_large,
    robots_is_html,
)
SURROUNDINGS_CHECKS: tuple[Check[Surroundings], ...] = (
    robots_in_subdirectory,
    robots_names_missing_sitemap,
    unlisted_sitemap,
    unlisted_page,
    unmatched_pages,
    rightly_unlisted_page,
)
PAGE_CHECKS: tuple[Check[Listed], ...] = (
    missing_page,
    page_error,
    page_unreachable,
    page_redirects,
    noindex_page,
    canonical_elsewhere,
    listed_error_page,
)
