"""Why a page is in its sitemap and section, what its date rests on, or why it is not listed."""

import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from functools import cached_property
from typing import Literal

from smindex_plugins import files, patterns, urls
from smindex_plugins.dates import utc, written
from smindex_plugins.history import Change, Described, how_to_date
from smindex_plugins.html import find_tag
from smindex_plugins.limits import MAX_FRONT_MATTER
from smindex_plugins.model import Page
from smindex_plugins.pages import Dating, Omission, Reason
from smindex_plugins.projects import BuiltSite
from smindex_plugins.reports.as_json import path_from
from smindex_plugins.reports.sections import section_names
from smindex_plugins.sitemaps import Document, Entry, is_url
from smindex_plugins.sites import Directory
from smindex_plugins.text import counted, printable

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
    Reason.FRAGMENT: "Give it a complete HTML document.",
    Reason.EMPTY: "Give it content.",
    Reason.NOINDEX: "Remove the tag if search engines may show the page.",
    Reason.REDIRECT: "It leads to another page. List that one.",
    Reason.CANONICAL_ELSEWHERE: "Set its canonical URL to its own URL if search engines should show this page.",
    Reason.OUT_OF_SCOPE: "Build the site with a site_url that contains its URL.",
    Reason.SHARED_URL: "Give it a URL of its own.",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Listed:
    """Where a page is listed."""

    file: str
    """The sitemap, relative to the site."""
    line: int | None
    section: str | None
    lastmod: str | None
    """Its date there, as written."""


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
    """When its author made it."""
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
    """The date that the sources of a page prove now, or why they prove none."""

    lastmod: str | None
    rests_on: Literal["author", "git", "publication", "list", "nothing"]
    key: str | None
    """The key of front matter in which its author wrote the date."""
    file: str | None
    """The file that changed last, of those that the page is made of."""
    files: list[str]
    commit: Commit | None
    """The commit that gave that file its present content."""
    landed: Commit | None
    """The commit that published this: the same one, or a merge."""
    reason: str | None
    """Why there is no date."""
    fix: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class NotListed:
    """Why a page is not listed."""

    reason: str
    by: str | None = None
    """What decided it: a pattern, an option, or a line of front matter."""
    file: str | None = None
    """The file that contains it."""
    line: int | None = None
    tag: str | None = None
    """The tag of the page that decided it."""
    fix: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Explanation:
    """Everything that is known about one page."""

    asked: str
    """The page as it was given."""
    url: str | None = None
    file: str | None = None
    """The rendered file, relative to the site."""
    sources: list[str] = field(default_factory=list)
    """The files that it is made from, relative to the current directory."""
    listed: Listed | None = None
    why_there: list[str] = field(default_factory=list)
    """Why it is in that section and that file."""
    also_listed: Listed | None = None
    """Where the generator's flat sitemap lists it."""
    variants: list[Variant] = field(default_factory=list)
    date: PageDate | None = None
    """Null if dates are switched off."""
    not_listed: NotListed | None = None
    problem: str | None = None
    """Why the page was not found."""


@dataclass(kw_only=True)
class Explainer:
    """Explains pages of a built site. Its sitemaps are read once."""

    site: BuiltSite
    checked: Directory
    now: datetime = field(default_factory=lambda: datetime.now(UTC))

    def explain(self, given: Iterable[str]) -> Iterator[Explanation]:
        """Yield what is known about each page, which is given by its URL, its file, or a source of it.

        Raises:
            OSError: the sitemaps cannot be read.
        """
        for name in given:
            found = self._files(name)
            yield from (self._explain(name, file) for file in found)
            if found:
                continue
            url = urls.normal(name) if is_url(name) else ""
            listing = self._listings.get(url)
            if url and listing:
                yield self._listed(Explanation(asked=name, url=url), *listing)
            elif os.path.isfile(name):
                yield Explanation(asked=name, problem="no page of the site is made from this file.")
            else:
                directory = os.path.relpath(self.site.directory)
                problem = f"there is no such page in {directory}, and no sitemap lists it."
                yield Explanation(asked=name, problem=problem)

    def origin(self, url: str) -> str:
        """Return the commit that dates the page at a URL, in words, or an empty string if git dates none."""
        for file in self._files(url):
            date = self._date(self._page(file))
            if date and date.landed:
                return str(date.landed)
        return ""

    @cached_property
    def _documents(self) -> list[Document]:
        return [each for each in self.checked.documents() if each.role in {"listed", "flat"} and not each.is_missing]

    @cached_property
    def _sitemaps(self) -> list[Document]:
        return [each for each in self._documents if each.role == "listed" and each.kind != "sitemapindex"]

    @cached_property
    def _base(self) -> str:
        return self.checked.site_url or urls.directory(urls.normalise(self._documents[0].url))

    @cached_property
    def _served(self) -> BuiltSite:
        return replace(self.site, url=self._base)

    @cached_property
    def _dating(self) -> Dating:
        return Dating(self.site.settings)

    @cached_property
    def _sections(self) -> dict[str, str]:
        return section_names({each.where: each.is_ours for each in self._sitemaps}, self._base, self.site)

    @cached_property
    def _listings(self) -> dict[str, tuple[Document, Entry]]:
        return _by_url(self._sitemaps)

    @cached_property
    def _flat(self) -> dict[str, tuple[Document, Entry]]:
        return _by_url(each for each in self._documents if each.role == "flat")

    @cached_property
    def _sources(self) -> dict[str, set[str]]:
        """The real paths of the sources of each file of the site."""
        return {file.path: set(map(os.path.realpath, file.sources)) for file in self.site.files()}

    def _page(self, file: str) -> Page:
        return self._served.page(self._served.file(file))

    def _files(self, given: str) -> list[str]:
        """Return the files of the site, relative to it, that a URL, a path, a source or a path of a URL leads to."""
        url = urls.normal(given) if is_url(given) else self._base + urls.encoded_path(given.lstrip("/"))
        if not is_url(given):
            real, inside = os.path.realpath(given), os.path.realpath(self.site.directory)
            if os.path.isfile(os.path.join(real, "index.html")):
                real = os.path.join(real, "index.html")
            if os.path.isfile(real):
                is_rendered = real.startswith(inside + os.sep)
                rendered = [os.path.relpath(real, inside).replace(os.sep, "/")]
                return rendered if is_rendered else [file for file in self._sources if real in self._sources[file]]
        found = urls.find_file(self.site.directory, self._base, url, urls.answering_files) if url else None
        return [found] if found else []

    def _explain(self, given: str, file: str) -> Explanation:
        page = self._page(file)
        judged = self._served.judge(page)
        url = page.url if isinstance(judged, Omission) else judged.url
        here = os.getcwd()
        flat, listing = self._flat.get(url), self._listings.get(url)
        explanation = Explanation(
            asked=given,
            url=url,
            file=file,
            sources=[path_from(here, source) for source in page.sources],
            also_listed=_place(*flat, None) if flat else None,
            date=self._date(page),
            not_listed=None if listing else self._why_not(page, judged),
        )
        return self._listed(explanation, *listing) if listing else explanation

    def _listed(self, explanation: Explanation, document: Document, entry: Entry) -> Explanation:
        """Return an explanation with where its page is listed, and why there."""
        section = self._sections[document.where]
        return replace(
            explanation,
            listed=_place(document, entry, section),
            why_there=list(map(printable, self._why_there(entry.normal, document, section))),
            variants=[Variant(hreflang=printable(code), url=printable(url)) for code, url in entry.alternates],
        )

    def _why_there(self, url: str, document: Document, section: str) -> Iterator[str]:
        if not document.is_ours:
            yield "another generator wrote the file, and put it there"
            return
        settings, path = self.site.settings, urls.relative_path(url, self._base)
        depth, least = settings.section_depth, settings.section_min_pages
        directory = "/".join(path.split("/")[:-1][:depth])
        named = ((patterns.matches(path, each.urls), each.name) for each in settings.sections)
        prefix = f"{self._base}{directory}/"
        if found := next((pair for pair in named if pair[0]), None):
            yield f"it matches `{found[0]}` of the section `{found[1]}` in `sections`"
        elif not directory:
            yield f"{'it is in no directory' if depth else 'all pages are one section'} (section_depth: {depth})"
        elif section.rstrip("/") == directory:
            yield f"its directory is {directory}/ (section_depth: {depth})"
        elif (count := sum(each.startswith(prefix) for each in self._listings)) < least:
            yield f"{directory}/ has {counted(count, 'page')}, fewer than section_min_pages: {least}"
        else:
            yield f"its directory is {directory}/, and its file is placed elsewhere"
        parts = [each for each in self._sitemaps if self._sections[each.where] == section]
        if len(parts) > 1:
            pages = counted(sum(part.count for part in parts), "page")
            yield f"its section has {pages} in {len(parts):,} files, and a hash of its URL chose this one"

    def _date(self, page: Page) -> PageDate | None:
        """Return the date that the sources of a page prove, or None if dates are switched off."""
        site, here = self._served.site, os.getcwd()
        if site.settings.lastmod == "off":
            return None
        (proof,) = self._dating.prove([page], site, self.now, [])
        answer, reason, fix, landing = proof.answer, None, None, None
        if isinstance(answer, Change):
            if proof.rests_on == "git":
                landing = self._dating.history.landing(proof.file, answer.commit)
        elif proof.rests_on == "nothing":
            reason = printable(f"{answer.other} is {answer.reason}" if answer.other else str(answer.reason))
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

    def _why_not(self, page: Page, judged: Page | Omission) -> NotListed:
        if isinstance(judged, Page) and self.site.settings.filter:
            reason = "nothing keeps it out, except perhaps the function of `filter`, which only a build calls"
            return NotListed(reason=reason, fix="See what that function returns for it, or build the site again.")
        if isinstance(judged, Page):
            reason = "nothing keeps it out, but no sitemap lists it"
            return NotListed(reason=reason, fix="Build the site again, or look for another file with its URL.")
        file, tag, line = "", "", 0
        if judged.key and page.sources:
            file = os.path.relpath(page.sources[0])
            line = _line_of(page.sources[0], judged.key)
        elif judged.reason in _TAGS:
            file = os.path.relpath(page.file)
            tag, line = find_tag(page.file, _TAGS[judged.reason])
        elif judged.reason in {Reason.EXCLUDED, Reason.LATER_PAGE}:
            file = self.site.settings_file
        return NotListed(
            reason=printable(judged.words),
            by=printable(judged.by) or None,
            file=file or None,
            line=line or None,
            tag=printable(tag) or None,
            fix=_HOW_TO_LIST.get(judged.reason),
        )


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
    """Return the line of a source that has a key of front matter, or 0."""
    text = files.read(source, MAX_FRONT_MATTER).decode("utf-8-sig", "replace")
    lines = (number for number, line in enumerate(text.splitlines(), 1) if line.strip(' "').lower().startswith(key))
    return next(lines, 0)


def _moment(seconds: int) -> str:
    """Return a time of git in UTC, or as its number if no calendar has it."""
    try:
        return utc(seconds)
    except (OverflowError, ValueError, OSError):
        return str(seconds)
