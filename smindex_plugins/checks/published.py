"""What can be wrong between the sitemaps and what is published: robots.txt, pages, and other files of the site."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice

from smindex_plugins import urls
from smindex_plugins.catalogue import ROBOTS_IN_SUBDIRECTORY, ROBOTS_WITHOUT_SITEMAP, UNLISTED_SITEMAP
from smindex_plugins.checks.rule import At, Findings, Spot, check, shown
from smindex_plugins.dates import contradicts, utc
from smindex_plugins.limits import MAX_ROBOTS
from smindex_plugins.pages import head
from smindex_plugins.sitemaps import Document, Robots, SitemapLine


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
    said: head.Said = head.NOTHING
    path: str = ""
    """Its file, relative to the directory."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Proven:
    """A sitemap beside what git says of its pages."""

    document: Document
    changes: dict[int, int]
    """When the source of an entry last changed, in seconds since 1970, by the entry's position."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Surroundings:
    """The files of a built site that are in no sitemap, and where it is served."""

    site_url: str
    listed: int = 0
    """Pages below the site's address, as far as they were compared with files."""
    mapped: Mapping[str, str] = field(default_factory=dict)
    """Those of them without a file at their URL, and pages of their names that are listed nowhere, one for each."""
    alone: Mapping[Spot, str] = field(default_factory=dict)
    """The other pages on disk that are listed nowhere, and why they may be, or nothing."""
    sitemaps: Sequence[Document] = ()
    """Those that no index and no robots.txt lists."""
    robots: Sequence[Robots] = ()
    """Every robots.txt in the directory, by its path."""
    missing: Sequence[tuple[Robots, SitemapLine]] = ()
    """The lines that name a file of the site which is not there."""


@check(
    Blockable,
    "warning",
    "Sitemap contains URLs which are blocked by robots.txt",
    fix="Allow it there, or list it no more.",
)
def robots_blocks_page(subject: Blockable, at: At) -> Findings:
    """No listed URL is forbidden to Googlebot by robots.txt."""
    document = subject.document
    origin = urls.origin(subject.robots.url) + "/"
    for position, normal in enumerate(document.normal):
        if document.kind != "sitemapindex" and normal.startswith(origin) and (rule := subject.robots.blocks(normal)):
            problem = f"lists {shown(normal)}, which robots.txt forbids by {rule!r}."
            yield at(document, problem, line=document.line(position))


@check(Blockable, "warning", "Blocked by robots.txt", fix="Add an Allow line for it there.")
def robots_blocks_sitemap(subject: Blockable, at: At) -> Findings:
    """No sitemap or index is itself forbidden to Googlebot by robots.txt."""
    normal = urls.normalise(subject.document.url)
    if normal.startswith(urls.origin(subject.robots.url) + "/") and (rule := subject.robots.blocks(normal)):
        yield at(subject.document, f"robots.txt forbids it by {rule!r}.", f"Add `Allow: {urls.path(normal)}` there.")


@check(Robots, "error", "URLs not accessible", fix="Answer it with the file, or with 404 where there is none.")
def robots_unreachable(robots: Robots, at: At) -> Findings:
    """A robots.txt is answered, if only by 404: where the server fails, crawlers take all for forbidden."""
    if robots.failure:
        yield at(robots, f"it cannot be fetched: {robots.failure}.")


@check(Robots, ROBOTS_WITHOUT_SITEMAP)
def _robots_without_sitemap(robots: Robots, at: At) -> Findings:
    if robots.url and not (robots.sitemaps or robots.is_html or robots.failure):
        yield at(robots, "it has no Sitemap line.", "Add `Sitemap: ` with the full URL of the index.")


@check(Robots, "warning", fix="Write the address of the site itself.")
def robots_names_other_address(robots: Robots, at: At) -> Findings:
    """A Sitemap line of a robots.txt has the scheme of the site, and www. where the site has it."""
    own = urls.origin(robots.url) if robots.url else ""
    for line in robots.sitemaps if own else ():
        named = urls.origin(normal) if (normal := urls.normal(line.url)) else ""
        if named not in {"", own} and _bare_host(named) == _bare_host(own):
            yield at(robots, f"its Sitemap line names {line.url}, and the site is at {own}/.", line=line.line)


def _bare_host(origin: str) -> str:
    return origin.partition("://")[2].removeprefix("www.")


@check(Robots, "warning", fix="Save it as UTF-8.")
def robots_not_utf8(robots: Robots, at: At) -> Findings:
    """A robots.txt is UTF-8."""
    if not robots.is_utf8:
        yield at(robots, "it holds bytes that are not UTF-8.")


@check(Robots, "warning", fix="Write the full URL, with https:// and host.")
def robots_relative_sitemap(robots: Robots, at: At) -> Findings:
    """A Sitemap line of a robots.txt has a full URL."""
    for line in robots.sitemaps:
        if not urls.normal(line.url):
            yield at(robots, f"its Sitemap line {line.url!r} is no absolute URL.", line=line.line)


@check(Robots, "warning", fix="Shorten it.")
def robots_too_large(robots: Robots, at: At) -> Findings:
    """A robots.txt has at most 500 KiB; crawlers ignore the rest."""
    if robots.size > MAX_ROBOTS:
        yield at(robots, f"it has {robots.size:,} bytes; crawlers read {MAX_ROBOTS:,}.")


@check(Robots, "warning", fix="Serve a text file, or answer 404.")
def robots_is_html(robots: Robots, at: At) -> Findings:
    """A robots.txt is text, and no error page."""
    if robots.is_html:
        yield at(robots, "it is an HTML page.")


@check(Surroundings, ROBOTS_IN_SUBDIRECTORY)
def _robots_in_subdirectory(site: Surroundings, at: At) -> Findings:
    for robots in site.robots:
        if not robots.url:
            root = urls.origin(site.site_url) + "/robots.txt"
            yield at(robots, f"it has no effect: crawlers read only {root}.", "Put its lines there.")


@check(Surroundings, "error", "HTTP error 404", fix="Correct the URL, or build the sitemap.")
def robots_names_missing_sitemap(site: Surroundings, at: At) -> Findings:
    """A Sitemap line of a robots.txt names a file that is there."""
    for robots, line in site.missing:
        yield at(robots, f"its Sitemap line names {line.url}, and there is no such file.", line=line.line)


@check(Surroundings, UNLISTED_SITEMAP)
def _unlisted_sitemap(site: Surroundings, at: At) -> Findings:
    for document in site.sitemaps:
        fix = "List it in the index, or remove it; an earlier build may have left it."
        yield at(document, "it is a sitemap that nothing lists.", fix)


@check(Surroundings, "notice", fix="List it, or mark it noindex.")
def unlisted_page(site: Surroundings, at: At) -> Findings:
    """A page in the directory is in a sitemap, unless it says why not: noindex, another canonical URL, a redirect."""
    for spot, reason in site.alone.items():
        if not reason:
            yield at(spot, "it is in no sitemap, and does not say why.")


@check(
    Surroundings,
    "notice",
    fix="Nothing is to be done if the server maps the ones to the others; if not, correct --site-url or the URLs.",
)
def unmatched_pages(site: Surroundings, at: At) -> Findings:
    """Listed pages have their files at their URLs; where a server maps URLs to other files, they are not compared."""
    for url, file in islice(site.mapped.items(), 1):
        problem = (
            f"{len(site.mapped):,} of {site.listed:,} listed pages have no file at their URL, and as many pages of "
            f"their names are listed nowhere, such as {url} and {file}; they were not compared."
        )
        yield at(site.site_url, problem)


@check(Surroundings, "notice", fix="Nothing is to be done.", advice=True)
def rightly_unlisted_page(site: Surroundings, at: At) -> Findings:
    """A page that is noindex, redirects, or has another canonical URL is in no sitemap."""
    for spot, reason in site.alone.items():
        if reason:
            yield at(spot, f"it is in no sitemap, and rightly so: it is {reason}.")


@check(Listed, "warning", "Not found (404)", fix="Build it, or list it no more.")
def missing_page(page: Listed, at: At) -> Findings:
    """A listed page is in the directory of the site."""
    if page.is_missing:
        yield at(page, f"lists {page.url}, and there is no such page in the directory.", line=page.line)


@check(Listed, "error", "Not found (404)", fix="Publish it, or list it no more.")
def page_error(page: Listed, at: At) -> Findings:
    """A listed page is answered with status 200."""
    if page.status >= 400:  # noqa: PLR2004 - where errors begin in HTTP
        yield at(page, f"lists {page.url}, which is answered with {page.status}.", line=page.line)


@check(Listed, "error", "URLs not accessible", fix="See that the server answers.")
def page_unreachable(page: Listed, at: At) -> Findings:
    """A listed page is answered."""
    if page.failure:
        yield at(page, f"lists {page.url}, which cannot be fetched: {page.failure}.", line=page.line)


@check(Listed, "warning", "URLs not followed", fix="List where it leads.")
def page_redirects(page: Listed, at: At) -> Findings:
    """A listed page does not redirect."""
    target = page.redirect or page.said.refresh
    if target and target != page.url:
        yield at(page, f"lists {page.url}, which redirects to {target}.", line=page.line)


@check(Listed, "warning", "Excluded by 'noindex' tag", fix="Take one of the two back.")
def noindex_page(page: Listed, at: At) -> Findings:
    """A listed page does not say noindex."""
    if page.said.noindex:
        yield at(page, f"lists {page.url}, which says noindex.", line=page.line)


@check(Listed, "warning", "Alternate page with proper canonical tag", fix="List the canonical URL.")
def canonical_elsewhere(page: Listed, at: At) -> Findings:
    """A listed page names itself as canonical, or nothing."""
    canonical = page.said.canonical
    if canonical and canonical != page.url:
        yield at(page, f"lists {page.url}, whose canonical URL is {canonical}.", line=page.line)


@check(Listed, "warning", "Soft 404", fix="List it no more.")
def listed_error_page(page: Listed, at: At) -> Findings:
    """An error page is in no sitemap."""
    if urls.is_error_page(page.path or urls.path(page.url).removeprefix("/")):
        yield at(page, f"lists {page.url}, which is an error page.", line=page.line)


@check(Proven, "warning", fix="Take dates from git, or write none.")
def false_date(subject: Proven, at: At) -> Findings:
    """With `--sources`: a page's date is that on which git says that its source changed."""
    document = subject.document
    for position, when in subject.changes.items():
        lastmod = document.dates[position]
        # This tool dates a page by all that it is made of, so that it may well be newer than its own source.
        if lastmod and contradicts(lastmod, when) and not (document.is_ours and lastmod > utc(when)):
            problem = f"dates {shown(document.urls[position])} {lastmod}, and git {utc(when)}."
            yield at(document, problem, line=document.line(position))
