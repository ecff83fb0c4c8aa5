"""Why a page is in its sitemap and section, where its date comes from, or why it is not listed."""

import os
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from functools import cached_property
from typing import Literal

from smindex_plugins.base import files, patterns, urls
from smindex_plugins.base.catalogue import CATALOGUE
from smindex_plugins.base.dates import utc, written
from smindex_plugins.base.limits import MAX_FRONT_MATTER
from smindex_plugins.base.model import Page
from smindex_plugins.base.text import counted, did_you_mean, printable
from smindex_plugins.base.urls import is_url
from smindex_plugins.history.landing import Described
from smindex_plugins.history.reasons import Change, Unknown
from smindex_plugins.history.reasons import Reason as Undated
from smindex_plugins.html.page import find_tag
from smindex_plugins.pages.dating import Dating
from smindex_plugins.pages.omissions import Omission, Reason
from smindex_plugins.pages.undated import how_to_date
from smindex_plugins.printing.as_json import path_from
from smindex_plugins.projects.pages import BuiltSite
from smindex_plugins.reading.directory import Directory
from smindex_plugins.reading.document import Document, Entry
from smindex_plugins.reading.sections import section_names

_TAGS: dict[str, Literal["noindex", "refresh", "canonical"]] = {
    Reason.NOINDEX: "noindex",
    Reason.REDIRECT: "refresh",
    Reason.CANONICAL_ELSEWHERE: "canonical",
}
_HOW_TO_LIST: dict[str, str] = {
    Reason.EXCLUDED: "Narrow or remove the pattern under `exclude`.",
    Reason.EXCLUDED_BY_AUTHOR: "Remove that line from its front matter.",
    Reason.PRIVATE: "Remove that line from its front matter.",
    Reason.LATER_PAGE: "Set `pagination: true`.",
    Reason.FRAGMENT: "Make it a complete HTML document.",
    Reason.EMPTY: "Add content to it.",
    Reason.NOINDEX: "Remove the tag if the page should appear in search results.",
    Reason.REDIRECT: "List the page that it redirects to.",
    Reason.GONE: "Remove the rule if visitors should find the page.",
    Reason.CANONICAL_ELSEWHERE: "Set its canonical URL to its own URL if this page should appear in search results.",
    Reason.OUT_OF_SCOPE: "Build the site with a site_url that contains its URL.",
    Reason.SHARED_URL: "Give it its own URL.",
    Reason.IGNORED: "Commit it if it belongs to the site.",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Listed:
    """Where a page is listed."""

    file: str
    """The sitemap, relative to the site."""
    line: int | None
    section: str | None
    lastmod: str | None
    """Its date in that file, as written."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Variant:
    """A language variant of a page."""

    hreflang: str
    url: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Commit:
    """A commit as git describes it."""

    hash: str
    subject: str
    """The first line of its message."""
    written: str
    """When its author created it."""
    committed: str

    @classmethod
    def of(cls, commit: Described) -> "Commit":
        """Return a commit of the history."""
        return cls(
            hash=commit.commit,
            subject=printable(commit.subject),
            written=_moment(commit.written),
            committed=_moment(commit.committed),
        )

    def __str__(self) -> str:
        return f"{self.hash[:12]} “{self.subject}”"


@dataclass(frozen=True, slots=True, kw_only=True)
class PageDate:
    """The current date of a page's sources, or why it is unknown."""

    lastmod: str | None
    rests_on: Literal["author", "git", "publication", "list", "nothing"]
    key: str | None
    """The front matter key in which its author set the date."""
    file: str | None
    """The file that changed last, of all files that the page is built from."""
    files: list[str]
    commit: Commit | None
    """The commit that gave the file its current content."""
    landed: Commit | None
    """The commit that published this content: the same one, or a merge."""
    reason: str | None
    """Why there is no date."""
    fix: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class NotListed:
    """Why a page is not listed."""

    reason: str
    by: str | None = None
    """The cause: a pattern, an option, or a line of front matter."""
    file: str | None = None
    """The file that contains it."""
    line: int | None = None
    tag: str | None = None
    """The tag of the page that excludes it."""
    fix: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Explanation:
    """Everything that is known about one page."""

    asked: str
    """The page as given."""
    url: str | None = None
    file: str | None = None
    """The rendered file, relative to the site."""
    sources: list[str] = field(default_factory=list)
    """The files that it is built from, relative to the current directory."""
    listed: Listed | None = None
    why_there: list[str] = field(default_factory=list)
    """Why it is in that section and file."""
    also_listed: Listed | None = None
    """Where the generator's flat sitemap lists it."""
    variants: list[Variant] = field(default_factory=list)
    date: PageDate | None = None
    """Null if dates are turned off."""
    not_listed: NotListed | None = None
    problem: str | None = None
    """Why the page was not found."""


class Explainer:
    """Explains pages of a built site. It reads the sitemaps once."""

    def __init__(self, *, site: BuiltSite, checked: Directory) -> None:
        """Read the sitemaps.

        Raises:
            OSError: the sitemaps cannot be read.
        """
        found = [each for each in checked.documents() if not each.is_missing and each.kind != "sitemapindex"]
        sitemaps = [each for each in found if each.role == "listed"]
        base = checked.site_url or urls.NO_ADDRESS
        if found and not checked.site_url:
            base = urls.normalise(found[0].url).removesuffix(urls.from_file_path(found[0].where))
        self._site = replace(site, url=base)
        self._dating = Dating(site.settings)
        self._sections = section_names({each.where: each.is_ours for each in sitemaps}, base, site.settings.sections)
        self._listings = _by_url(sitemaps)
        self._flat = _by_url(each for each in found if each.role == "flat")

    def explain(self, given: Iterable[str]) -> Iterator[Explanation]:
        """Yield what is known about each page, given by its URL, its file, or one of its sources."""
        files = {name: self._files(name) for name in given}
        pages = {file: self._site.page(self._site.file(file)) for found in files.values() for file in found}
        self._dating.start(pages.values(), self._site.site)
        for name, found in files.items():
            yield from (self._explain(name, file, pages[file]) for file in found)
            listing = self._listings.get(urls.normal(name)) if is_url(name) else None
            if listing and not found:
                yield self._listed(Explanation(asked=name, url=listing[1].normal), *listing)
            elif not found:
                yield Explanation(asked=name, problem=self._why_unknown(name))

    def _why_unknown(self, name: str) -> str:
        if not is_url(name) and os.path.isfile(name):
            return "no page is known to be built from this file."
        if is_url(name) and not urls.is_within(urls.normal(name), self._site.url):
            return f"this URL is not on this site, which is at {self._site.url}."
        base = "" if is_url(name) else self._site.url
        sources = map(os.path.relpath, self._made_from)
        nearest = did_you_mean(name, [*CATALOGUE, *sources, *(url.removeprefix(base) for url in self._listings)])
        hint = f" Did you mean {nearest}?" if nearest else ""
        return f"there is no such page in {os.path.relpath(self._site.directory)}, and no sitemap lists it.{hint}"

    def _files(self, given: str) -> list[str]:
        """Return the files of the site, relative to it, for a URL, a file, a source or the path of a URL."""
        directory, base, url = self._site.directory, self._site.url, given
        if is_url(given) and not urls.is_within(urls.normal(given), base):
            return []
        if not is_url(given):
            real, inside = os.path.realpath(given), os.path.realpath(directory)
            if os.path.isfile(os.path.join(real, "index.html")):
                real = os.path.join(real, "index.html")
            if os.path.isfile(real) and real.startswith(inside + os.sep):
                return [os.path.relpath(real, inside).replace(os.sep, "/")]
            if os.path.isfile(real):
                return self._made_from.get(real, [])
            url = base + urls.encoded_path(given.lstrip("/"))
        url = urls.normal(url)
        found = urls.find_file(directory, base, url, urls.answering_files) if url else None
        return [found] if found else []

    @cached_property
    def _made_from(self) -> Mapping[str, list[str]]:
        return self._site.made_from()

    def _explain(self, given: str, file: str, page: Page) -> Explanation:
        judged = self._site.judge(page)
        url, here = page.url if isinstance(judged, Omission) else judged.url, os.getcwd()
        flat, listing = self._flat.get(url), self._listings.get(url)
        if listing and not self._site.settings.pagination:
            page = replace(page, number=1)  # only its name looks like a later page
        explanation = Explanation(
            asked=given,
            url=url,
            file=file,
            sources=[path_from(here, source) for source in page.sources],
            also_listed=_place(*flat, None) if flat else None,
            date=page_date(page, self._site, self._dating),
            not_listed=None if listing else self._why_not(page, judged),
        )
        return self._listed(explanation, *listing) if listing else explanation

    def _listed(self, explanation: Explanation, document: Document, entry: Entry) -> Explanation:
        """Return an explanation with the place where its page is listed, and the reasons."""
        why = self._why_there(entry.normal, document) if document.is_ours else ["another generator wrote the file"]
        return replace(
            explanation,
            listed=_place(document, entry, self._sections[document.where]),
            why_there=list(map(printable, why)),
            variants=[Variant(hreflang=printable(code), url=printable(url)) for code, url in entry.alternates],
        )

    def _why_there(self, url: str, document: Document) -> Iterator[str]:
        settings, base, section = self._site.settings, self._site.url, self._sections[document.where]
        path = urls.relative_path(url, base)
        depth, least = settings.section_depth, settings.section_min_pages
        directory = "/".join(path.split("/")[:-1][:depth])
        pages = sum(each.startswith(f"{base}{directory}/") for each in self._listings)
        for named in settings.sections:
            if pattern := patterns.matches(path, named.urls):
                yield f"it matches `{pattern}` of the section `{named.name}` in `sections`"
                break
        else:
            if settings.section_by == "category" and section.rstrip("/") not in {"root", directory}:
                yield f"its category, or the section that `filter` returned for it, is {section} (section_by: category)"
            elif not directory:
                yield f"{'it is in no directory' if depth else 'all pages are one section'} (section_depth: {depth})"
            elif section.rstrip("/") == directory:
                yield f"its directory is {directory}/ (section_depth: {depth})"
            elif pages < least:
                yield f"{directory}/ has {counted(pages, 'page')}, fewer than section_min_pages: {least}"
            else:
                yield f"its directory is {directory}/, and its file is placed elsewhere"
        files = [each.where for each, _ in self._listings.values() if self._sections[each.where] == section]
        if len({*files}) > 1:
            size = f"{len(files):,} pages in {len({*files}):,} files"
            yield f"its section has {size}, and a hash of its URL chose this one"

    def _why_not(self, page: Page, judged: Page | Omission) -> NotListed:
        files = (file.absolute for file in self._site.files())
        if isinstance(judged, Page) and page.file in self._dating.history.ignored(files, self._site.directory):
            judged = Omission.of(page, Reason.IGNORED)
        if isinstance(judged, Page):
            look = "Check what the `filter` function returns for it" if self._site.settings.filter else ""
            fix = f"{look or 'Look for another file with the same URL'}, or build the site again."
            return NotListed(reason="no sitemap lists it, although nothing excludes it", fix=fix)
        file, tag, line = "", "", 0
        if judged.key and page.sources:
            file = os.path.relpath(page.sources[0])
            line = _line_of(page.sources[0], judged.key)
        elif judged.reason in _TAGS:
            tag, line = find_tag(page.file, _TAGS[judged.reason])
            file = os.path.relpath(page.file) if tag else ""  # if not, a rule of the host excludes it
        elif judged.reason in {Reason.EXCLUDED, Reason.LATER_PAGE}:
            file = self._site.settings_file
        return NotListed(
            reason=printable(judged.words),
            by=printable(judged.by) or None,
            file=file or None,
            line=line or None,
            tag=printable(tag) or None,
            fix=_HOW_TO_LIST.get(judged.reason),
        )


def page_date(page: Page, site: BuiltSite, dating: Dating) -> PageDate | None:
    """Return the date of a page's sources, or None if dates are turned off."""
    if site.settings.lastmod == "off":
        return None
    here = os.getcwd()
    (proof,) = dating.prove([page], site.site, datetime.now(UTC), [])
    answer, reason, fix, landing = proof.answer, None, None, None
    if proof.rests_on == "git" and isinstance(answer, Change):
        landing = dating.history.landing(proof.file, answer.commit)
    elif proof.rests_on == "nothing" and isinstance(answer, Unknown):
        reason = printable(f"{answer.other} is {answer.reason}" if answer.other else answer.reason)
        reason += f" ({printable(answer.detail)})" if answer.reason is Undated.NOT_FOUND else ""
        fix = how_to_date(answer) or None
    return PageDate(
        lastmod=written(proof.date, site.settings.lastmod_format) if proof.date else None,
        rests_on=proof.rests_on,
        key=proof.key or None,
        file=path_from(here, proof.file) or None,
        files=[path_from(here, file) for file in proof.files],
        commit=Commit.of(landing.origin) if landing else None,
        landed=Commit.of(landing.landed) if landing else None,
        reason=reason,
        fix=fix,
    )


def date_reasons(listed: Mapping[str, str | None], site: BuiltSite, dating: Dating) -> dict[str, str]:
    """Return the origin of each listed URL's date, or why it has none, in words."""
    if site.settings.lastmod == "off":
        return {url: "dates are turned off" for url, date in listed.items() if not date}
    found = {url: urls.find_file(site.directory, site.url, url, urls.answering_files) for url in listed}
    pages = {url: site.page(site.file(file)) for url, file in found.items() if file}
    if not site.settings.pagination:
        pages = {url: replace(page, number=1) for url, page in pages.items()}  # no later page of a list is listed
    reasons, here = dict.fromkeys(listed, "no file was found at its URL"), os.getcwd()
    proofs = dating.prove([*pages.values()], site.site, datetime.now(UTC), [])
    for url, proof in zip(pages, proofs, strict=True):
        rests_on = {
            "author": f"front matter: {proof.key}",
            "git": f"git: {path_from(here, proof.file)}",
            "publication": "front matter: date of publication",
            "list": "the newest page that it lists",
            "nothing": proof.answer.reason if isinstance(proof.answer, Unknown) else "",
        }
        date = written(proof.date, site.settings.lastmod_format) if proof.date else None
        otherwise = "other sources, or another commit" if listed[url] else "its sources had no date at build time"
        reasons[url] = printable(rests_on[proof.rests_on] if date == listed[url] else otherwise)
    return reasons


def commit_of(url: str, lastmod: str, site: BuiltSite, dating: Dating) -> Commit | None:
    """Return the commit that dates the page at a URL, if the date comes from git."""
    file = urls.find_file(site.directory, site.url, url, urls.answering_files)
    date = page_date(site.page(site.file(file)), site, dating) if file else None
    return date.landed if date and date.lastmod == lastmod else None


def _by_url(documents: Iterable[Document]) -> dict[str, tuple[Document, Entry]]:
    found: dict[str, tuple[Document, Entry]] = {}
    for document in documents:
        for entry in document.entries:
            if entry.normal:
                found.setdefault(entry.normal, (document, entry))
    return found


def _place(document: Document, entry: Entry, section: str | None) -> Listed:
    lastmod = printable(entry.lastmod) or None
    return Listed(file=document.where, line=entry.line or None, section=section, lastmod=lastmod)


def _line_of(source: str, key: str) -> int:
    """Return the line of a source that contains a front matter key, or 0."""
    text = files.read(source, MAX_FRONT_MATTER).decode("utf-8-sig", "replace")
    lines = (number for number, line in enumerate(text.splitlines(), 1) if line.strip(' "').lower().startswith(key))
    return next(lines, 0)


def _moment(seconds: int) -> str:
    """Return a git time in UTC, or as a number if it is not a valid calendar time."""
    try:
        return utc(seconds)
    except (OverflowError, ValueError, OSError):
        return str(seconds)
