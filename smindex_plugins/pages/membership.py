"""Which pages are listed, and why the others are not."""

import itertools
import os
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import lru_cache
from operator import attrgetter

from smindex_plugins import patterns, urls
from smindex_plugins.catalogue import (
    CANONICAL_OUTSIDE,
    NOINDEX_NOT_RENDERED,
    NOTHING_LISTED,
    SHARED_URL,
    UNLISTABLE_URL,
)
from smindex_plugins.html import directives, read_head
from smindex_plugins.html.front_matter import author_value, find_mistakes, switch
from smindex_plugins.limits import MAX_LINE, MAX_URL_LENGTH
from smindex_plugins.model import Finding, Head, Page, Spot
from smindex_plugins.settings import Target
from smindex_plugins.wording import counted, listed, printable, quoted

_URL = attrgetter("url")
_encoded = lru_cache(maxsize=1024)(urls.from_file_path)  # there are few sections
_MOST_PATTERNS = 3
"""How many of the user's patterns a summary names."""
_ERROR = "404"
"""What is in the path of every page that is shown for errors."""
_CANONICAL = "but its canonical URL is {}, outside {}."
_OMITTING_KEYS = frozenset({"sitemap", "noindex", "private", "robots", "external_canonical"})


class Reason(StrEnum):
    """Why a page is in no sitemap, in words that follow a count: ``3 marked noindex``."""

    EXCLUDED = "excluded by the settings"
    EXCLUDED_BY_AUTHOR = "excluded by its front matter"
    PRIVATE = "private or noindex in its front matter"
    LATER_PAGE = "beyond the first page of a list"
    ERROR_PAGE = "shown for errors"
    UNREADABLE = "without a readable file"
    FRAGMENT = "without an HTML document"
    EMPTY = "without content"
    NOINDEX = "marked noindex"
    REDIRECT = "redirecting elsewhere"
    CANONICAL_ELSEWHERE = "with another canonical URL"
    OUT_OF_SCOPE = "outside the directory scope"
    LONG_URL = "with a URL that is too long"
    LARGE_ENTRY = "with an entry that is too large"
    FILTERED = "left out by filter"
    SHARED_URL = "at the URL of another page"
    OF_NO_PAGE = "in the output and of no page"


_BY_OPTION: dict[str, str] = {Reason.EXCLUDED: "excluded by {}", Reason.LATER_PAGE: Reason.LATER_PAGE + " ({})"}


@dataclass(frozen=True, slots=True)
class Omission:
    """A page that is in no sitemap."""

    url: str
    where: str
    reason: str
    """A `Reason`, or the words of a host that does not publish the page."""
    by: str = ""
    """What decided this, as it is written: a pattern, an option, a line of front matter, a tag, or another page."""

    def __str__(self) -> str:
        return printable(f"{self.where} is in no sitemap, because it is {self.why}.", MAX_LINE)

    @property
    def why(self) -> str:
        """The reason, and what decided it."""
        return f"{self.words} ({self.by})" if self.by not in self.words else self.words

    @property
    def words(self) -> str:
        """The reason in words that follow a count, with the option that decided it, if any."""
        form = _BY_OPTION.get(self.reason) if self.by else None
        return form.format(self.by) if form else self.reason


def left_out(omitted: Iterable[Omission]) -> str:
    """Return the counts of left-out pages by reason, and by the patterns that leave out most."""
    counts = Counter((omission.reason, omission.words) for omission in omitted)
    by_pattern = [key for key, _ in counts.most_common() if key[0] == Reason.EXCLUDED]
    others = by_pattern[_MOST_PATTERNS:]
    named = {words: count for (reason, words), count in counts.items() if (reason, words) not in others}
    if others:
        named[f"excluded by {counted(len(others), 'other pattern')}"] = sum(counts[key] for key in others)
    return listed(named)


def nothing_listed(omitted: list[Omission]) -> Finding:
    """Return the finding about a site without an index, because no page of it is listed."""
    problem = f"every page was left out: {left_out(omitted)}." if omitted else "the build made no page."
    return NOTHING_LISTED.at(counted(len(omitted), "page"), problem)


def choose(
    pages: list[Page],
    target: Target,
    proven: frozenset[str],
    findings: list[Finding],
    ask: "Callable[[Page], Page | Omission] | None" = None,
) -> tuple[list[Page], list[Omission]]:
    """Return the listed pages, once each, by their own URLs and sorted; and those that are not listed.

    ``proven`` are other origins that agree to have their pages listed. ``ask`` has the last word on a page.
    """
    kept: list[Page] = []
    omitted: list[Omission] = []
    private: list[Page] = []
    for given in sorted(_published(pages, omitted, findings), key=_URL):
        find_mistakes(given, findings)
        judged = judge(given, target, proven, findings)
        if ask and not isinstance(judged, Omission):
            judged = ask(judged)
        if isinstance(judged, Omission):
            omitted.append(judged)
            private += [given] if judged.reason == Reason.PRIVATE else []
        else:
            kept.append(judged)
    findings += _still_indexable(private)
    kept.sort(key=_URL)
    return _once_each(kept, target, omitted, findings), omitted


def _still_indexable(private: list[Page]) -> Iterator[Finding]:
    """Yield pages that front matter keeps out of sitemaps, but whose HTML lets search engines index them."""
    yield from not_rendered([page.spot for page in private if page.file and _says_nothing(page)])


def not_rendered(spots: Sequence[Spot]) -> Iterator[Finding]:
    """Tell once of the pages that their front matter keeps private, and their HTML does not."""
    if spots:
        first, *others = spots
        problem = "its front matter says noindex or private, but its HTML does not: search engines may still index it."
        more = f" The same is true of {counted(len(others), 'other page')}." if others else ""
        yield NOINDEX_NOT_RENDERED.at(first, problem + more)


def _says_nothing(page: Page) -> bool:
    try:
        return renounced(said_by(page), page.url, may_be_fragment=page.details.copied) is None
    except OSError:
        return False


def _published(pages: list[Page], omitted: list[Omission], findings: list[Finding]) -> Iterable[Page]:
    """Return the pages without those that others overwrote: the last page written to a file can be read there.

    A file that a server shows at several URLs is a page at each of them.
    """
    files = [page.file for page in pages if page.file]
    if len(set(files)) == len(files):
        return pages
    last = {(page.file, page.url): page for page in pages if page.file}
    for page in pages:
        winner = last.get((page.file, page.url), page)
        if winner is not page:
            omitted.append(_omission(page, Reason.SHARED_URL, winner.name))
            problem = f"{winner.name} is written to the same file after it, so readers find that page at {winner.url}."
            findings.append(SHARED_URL.at(page.spot, problem))
    return [page for page in pages if last.get((page.file, page.url), page) is page]


def _omission(page: Page, reason: str, by: str = "") -> Omission:
    return Omission(page.url, page.details.source_name or page.file, reason, by)


def _once_each(kept: list[Page], target: Target, omitted: list[Omission], findings: list[Finding]) -> list[Page]:
    """Return one page for each URL: the one that is published there. Pages with one URL follow each other."""
    if all(one.url != next_one.url for one, next_one in itertools.pairwise(kept)):
        return kept
    once: list[Page] = []
    for url, group in itertools.groupby(kept, key=_URL):
        same = sorted(group, key=attrgetter("file"))
        first = next((page for page in reversed(same) if url == target.site_url + _own_path(page, target)), same[0])
        once.append(first)
        for page in same:
            if page is not first:
                other = first.details.source_name or first.file
                omitted.append(_omission(page, Reason.SHARED_URL, other))
                problem = f"it has the same URL as {other}: {url}."
                findings.append(SHARED_URL.at(page.spot._replace(where=page.details.source_name or page.file), problem))
    return once


def judge(
    page: Page, target: Target, proven: frozenset[str], findings: list[Finding], gives: str = _CANONICAL
) -> Page | Omission:
    """Return a page at its canonical URL, or why the host, the author, the settings or the page leave it out.

    ``gives`` is the end of the message about a URL that is outside the site, and says what gave the page that URL.
    """
    judged = _kept_out(page, target) or page
    if page.file and judged is page and not page.details.is_other:
        judged = _as_rendered(page, target, proven, findings)
    return judged if isinstance(judged, Omission) else _unlistable(judged, target, proven, findings, gives) or judged


def _kept_out(page: Page, target: Target) -> Omission | None:
    details = page.details
    if details.unlisted:
        return _omission(page, details.unlisted)
    if details.number > 1 and not target.settings.pagination:
        return _omission(page, Reason.LATER_PAGE, "`pagination: false`")
    if details.meta and (said := author_omission(page)):
        return _omission(page, *said)
    if not (target.settings.exclude or _ERROR in page.url or _ERROR in page.file):
        return None  # without a look at its path
    path = path_of(page, target)
    if urls.is_error_page(path):
        return _omission(page, Reason.ERROR_PAGE)
    pattern = patterns.matching(path, target.settings.exclude)
    return _omission(page, Reason.EXCLUDED, f"`{pattern}`") if pattern else None


def path_of(page: Page, target: Target) -> str:
    """Return the path of a URL below the site's address, which URL patterns are compared with."""
    is_here = urls.is_within(page.url, target.site_url)
    return urls.relative_path(page.url, target.site_url) if is_here else _own_path(page, target)


def author_omission(page: Page) -> tuple[Reason, str] | None:
    """Return why the author keeps a page out of sitemaps, and the line of front matter that says so.

    ``sitemap: false`` and ``sitemap: {exclude: true}`` are our keys. ``noindex``, ``private``, ``robots`` and
    ``external_canonical`` are keys of other plugins. A page that is only left out of the site's own search is listed.
    """
    meta = page.details.meta
    if not meta or _OMITTING_KEYS.isdisjoint(meta):
        return None
    if switch(meta.get("sitemap")) is False:
        return Reason.EXCLUDED_BY_AUTHOR, "`sitemap: false`"
    for key in ("exclude", "disable"):  # the second is Hugo's
        if switch(author_value(page, f"sitemap.{key}")):
            return Reason.EXCLUDED_BY_AUTHOR, f"`sitemap: {{{key}: true}}`"
    if private := next((key for key in ("noindex", "private") if switch(meta.get(key))), ""):
        return Reason.PRIVATE, f"`{private}: true`"
    robots = meta.get("robots")
    if isinstance(robots, str) and directives.forbids_indexing(robots):
        return Reason.PRIVATE, f"`robots: {quoted(robots)}`"
    given = meta.get("external_canonical")
    external = given.strip() if isinstance(given, str) else ""
    is_elsewhere = external not in {"", page.url}
    return (Reason.CANONICAL_ELSEWHERE, f"`external_canonical: {quoted(external)}`") if is_elsewhere else None


def _as_rendered(page: Page, target: Target, proven: frozenset[str], findings: list[Finding]) -> Page | Omission:
    """Return a page as its file describes it. Search Console reports listed pages that contradict their sitemap."""
    try:
        said = said_by(page)
    except OSError as error:
        return _omission(page, Reason.UNREADABLE, error.strerror or "")
    if reason := renounced(said, page.url, may_be_fragment=page.details.copied):
        decided = {Reason.NOINDEX: said.robots, Reason.REDIRECT: said.refresh}
        return _omission(page, reason, decided.get(reason) or "")
    if said.alternates and not page.details.alternates:
        page = replace(page, details=replace(page.details, alternates=said.alternates))
    if said.canonical is None:
        return page
    is_same = said.canonical.removesuffix("index.html") == page.url.removesuffix("index.html")
    if is_same or urls.origin(said.canonical) in proven:
        return replace(page, url=said.canonical)
    if not urls.is_within(said.canonical, target.site_url):
        findings.append(_outside(page, said.canonical, target, target.site_url, _CANONICAL))
    return _omission(page, Reason.CANONICAL_ELSEWHERE, said.canonical)


def said_by(page: Page) -> Head:
    """Return what a page says about itself, as it was handed over or as its file says.

    Raises:
        OSError: the file cannot be read.
    """
    return page.details.said or read_head(page.file, page.url)


def renounced(said: Head, url: str, *, may_be_fragment: bool) -> Reason | None:
    """Return why a page keeps itself out of sitemaps, or None."""
    if may_be_fragment and said.partial:
        return Reason.FRAGMENT
    if said.noindex:
        return Reason.NOINDEX
    if said.refresh not in {None, url}:
        return Reason.REDIRECT
    return Reason.EMPTY if said.empty else None


def _unlistable(
    page: Page, target: Target, proven: frozenset[str], findings: list[Finding], gives: str
) -> Omission | None:
    if len(page.url) > MAX_URL_LENGTH:
        problem = f"its URL has {len(page.url):,} characters; the protocol allows {MAX_URL_LENGTH:,}."
        findings.append(UNLISTABLE_URL.at(page.spot._replace(where=page.name[:80]), problem))
        return _omission(page, Reason.LONG_URL)
    scope = _own_scope(page, target)
    if not urls.is_within(page.url, scope) and urls.origin(page.url) not in proven:
        findings.append(_outside(page, page.url, target, scope, gives))
        return _omission(page, Reason.OUT_OF_SCOPE, scope)
    return None


def _own_scope(page: Page, target: Target) -> str:
    """Return the directory that must contain the page's URL: that of its file's section.

    The page's own directory does not count: ``about/index.html`` may well call itself ``/about``.
    """
    if not page.file or page.details.mapped:
        return target.site_url
    segments = _below(page.file, target.directory).removesuffix("/index.html").split("/", target.settings.section_depth)
    section = "/".join(segments[:-1])
    return f"{target.site_url}{_encoded(section)}/" if section else target.site_url


def _own_path(page: Page, target: Target) -> str:
    """Return the path below the site's address at which a server shows the page's file."""
    return urls.page_path(_below(page.file, target.directory)) if page.file else ""


def _below(file: str, directory: str) -> str:
    # Files are absolute and below the directory as a rule; relpath would take as long as all the rest of this module.
    inside = file.removeprefix(directory + os.sep)
    return (os.path.relpath(file, directory) if inside == file else inside).replace(os.sep, "/")


def _outside(page: Page, url: str, target: Target, scope: str, gives: str) -> Finding:
    own = target.site_url + _own_path(page, target)
    return CANONICAL_OUTSIDE.at(page.spot, f"it is published at {own}, {gives.format(url, scope)}")
