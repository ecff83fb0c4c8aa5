"""Why a page is where it is: its sitemap and section, its date and what that rests on, or why it is not listed."""

import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from functools import cached_property

from smindex_plugins import files, patterns, urls
from smindex_plugins.dates import utc, written
from smindex_plugins.history import Change, Described, how_to_date
from smindex_plugins.html import find_tag
from smindex_plugins.limits import MAX_FRONT_MATTER
from smindex_plugins.model import Page
from smindex_plugins.pages import Dating, Omission, Proof, Reason
from smindex_plugins.projects import BuiltSite
from smindex_plugins.reports.overview import Overview, Section, Sheet
from smindex_plugins.sitemaps import Document, is_url
from smindex_plugins.sites import Directory
from smindex_plugins.text import counted, printable

_SHORT = 12
"""Digits of a commit that people read."""
_TAGS = {Reason.NOINDEX: "noindex", Reason.REDIRECT: "refresh", Reason.CANONICAL_ELSEWHERE: "canonical"}
_TO_LIST = {
    Reason.EXCLUDED: "Narrow or remove the pattern under `exclude`.",
    Reason.EXCLUDED_BY_AUTHOR: "Remove that line from its front matter.",
    Reason.PRIVATE: "Remove that line from its front matter.",
    Reason.LATER_PAGE: "Set `pagination: true`.",
    Reason.FRAGMENT: "Give it a whole HTML document.",
    Reason.EMPTY: "Give it content.",
    Reason.NOINDEX: "Remove the tag, if search engines may show the page.",
    Reason.REDIRECT: "It leads elsewhere. List where it leads.",
    Reason.CANONICAL_ELSEWHERE: "Let it name its own URL, if it is the page that search engines are to show.",
    Reason.OUT_OF_SCOPE: "Build its site with a site_url that its URL is within.",
    Reason.SHARED_URL: "Give it a URL of its own.",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """Where a page is listed."""

    sheet: Sheet
    line: int
    lastmod: str
    """As it is written; empty where there is none."""
    alternates: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class DateProof:
    """What a date rests on."""

    proof: Proof
    date: str
    """What the sources say now."""
    origin: Described | None = None
    """The commit that gave the newest file its content."""
    landed: Described | None = None
    """The commit with which that was published."""
    reason: str = ""
    """Why there is none."""
    fix: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Refusal:
    """Why a page is not listed."""

    why: str
    reason: str
    by: str = ""
    """What decided: a pattern, an option, a line of front matter."""
    file: str = ""
    line: int = 0
    tag: str = ""
    """Of the page, as browsers read it."""
    fix: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Explanation:
    """All that is known of one page."""

    given: str
    url: str = ""
    file: str = ""
    """The rendered file, relative to the site."""
    sources: tuple[str, ...] = ()
    entry: Entry | None = None
    section: str = ""
    why_there: tuple[str, ...] = ()
    flat: Entry | None = None
    date: DateProof | None = None
    refusal: Refusal | None = None
    problem: str = ""
    """Why nothing is known of it."""


@dataclass(kw_only=True)
class Explainer:
    """A built site of which pages are explained; its sitemaps are read once."""

    site: BuiltSite
    checked: Directory
    now: datetime = field(default_factory=lambda: datetime.now(UTC))

    def explain(self, given: Iterable[str]) -> Iterator[Explanation]:
        """Yield what is known of each page that is given by its URL, its file, or a source of it.

        Raises:
            OSError: the sitemaps cannot be read.
        """
        for one in given:
            found = self._files(one)
            yield from (self._explained(one, file) for file in found)
            if not found:
                yield self._without_file(one)

    def origin(self, url: str) -> str:
        """Return the commit that dates a page, by its URL, in words, or nothing where git dates none."""
        for file in self._files(url):
            found = self._date(self._page(file))
            if found and found.landed:
                return named_commit(found.landed)
        return ""

    @cached_property
    def _documents(self) -> list[Document]:
        return [each for each in self.checked.documents() if each.role in {"listed", "flat"} and not each.is_missing]

    @cached_property
    def _base(self) -> str:
        return self.checked.site_url or urls.directory(urls.normalise(self._documents[0].url))

    @cached_property
    def _served(self) -> BuiltSite:
        return replace(self.site, url=self._base)

    @cached_property
    def _overview(self) -> Overview:
        named = [section.name for section in self.site.settings.sections]
        sheets = [Sheet.of(document) for document in self._documents if document.role == "listed"]
        return Overview(given=self.checked.path, sheets=sheets, named=named)

    @cached_property
    def _dating(self) -> Dating:
        return Dating(self.site.settings)

    def _page(self, file: str) -> Page:
        return self._served.page(self._served.file(file))

    def _files(self, given: str) -> list[str]:
        """Return the files of the site, relative to it, that a URL or a path means."""
        if is_url(given):
            url = urls.normal(given)
            found = urls.find_file(self.site.directory, self._base, url, urls.answering_files) if url else None
            return [found] if found else []
        real, inside = os.path.realpath(given), os.path.realpath(self.site.directory)
        if os.path.isdir(real) and os.path.isfile(os.path.join(real, "index.html")):
            real = os.path.join(real, "index.html")
        if real.startswith(inside + os.sep) and os.path.isfile(real):
            return [os.path.relpath(real, inside).replace(os.sep, "/")]
        if os.path.isfile(real):
            return [file for file, sources in self._sources.items() if real in sources]
        path = urls.encoded_path(given.lstrip("/"))
        found = urls.find_file(self.site.directory, self._base, self._base + path, urls.answering_files)
        return [found] if found else []

    @cached_property
    def _sources(self) -> dict[str, set[str]]:
        """The real paths of the sources of every file of the site."""
        return {file.path: set(map(os.path.realpath, file.sources)) for file in self.site.files()}

    def _explained(self, given: str, file: str) -> Explanation:
        page = self._page(file)
        judged = self._served.judge(page)
        url = page.url if isinstance(judged, Omission) else judged.url
        entry, flat = self._entry(url, is_flat=False), self._entry(url, is_flat=True)
        return Explanation(
            given=given,
            url=url,
            file=file,
            sources=page.sources,
            entry=entry,
            section=self._section(entry).name if entry else "",
            why_there=tuple(self._why_there(url, entry)) if entry else (),
            flat=flat,
            date=self._date(page),
            refusal=None if entry else self._refusal(page, judged),
        )

    def _without_file(self, given: str) -> Explanation:
        """Explain what has no file here, but may be listed all the same."""
        url = urls.normal(given) if is_url(given) else ""
        entry = self._entry(url, is_flat=False) if url else None
        if entry:
            why = tuple(self._why_there(url, entry))
            return Explanation(given=given, url=url, entry=entry, section=self._section(entry).name, why_there=why)
        if os.path.isfile(given):
            return Explanation(given=given, problem="no page of the site is made from this file.")
        problem = f"there is no such page in {os.path.relpath(self.site.directory)}, and no sitemap lists it."
        return Explanation(given=given, problem=problem)

    def _entry(self, url: str, *, is_flat: bool) -> Entry | None:
        for document in self._documents:
            if (document.role == "flat") == is_flat and document.kind != "sitemapindex":
                for listed in document.entries:
                    if listed.normal == url:
                        return Entry(
                            sheet=Sheet.of(document),
                            line=listed.line,
                            lastmod=listed.lastmod,
                            alternates=listed.alternates,
                        )
        return None

    def _section(self, entry: Entry) -> Section:
        where = entry.sheet.where
        return next(each for each in self._overview.sections if where in {sheet.where for sheet in each.sheets})

    def _why_there(self, url: str, entry: Entry) -> Iterator[str]:
        """Yield why a page is in its section, and why it is in that file of it."""
        settings, section = self.site.settings, self._section(entry)
        if not entry.sheet.is_ours:
            yield "another generator wrote the file, and put it there"
            return
        path = urls.relative_path(url, self._base)
        for named in settings.sections:
            if pattern := patterns.matches(path, named.urls):
                yield f"it matches `{pattern}` of the section `{named.name}` in `sections`"
                break
        else:
            yield self._by_directory(path, section.name)
        if len(section.sheets) > 1:
            yield (
                f"its section has {section.pages:,} pages in {counted(len(section.sheets), 'file')}, because of the "
                "limits of one; a hash of its path decides in which one it is"
            )

    def _by_directory(self, path: str, section: str) -> str:
        depth, least = self.site.settings.section_depth, self.site.settings.section_min_pages
        directory = "/".join(path.split("/")[:-1][:depth])
        if not directory:
            why = "it is in no directory" if depth else "all pages are one section"
            return f"{why} (section_depth: {depth})"
        if section.rstrip("/") == directory:
            return f"its directory is {directory}/ (section_depth: {depth})"
        prefix = f"{self._base}{directory}/"
        count = sum(url.startswith(prefix) for url, _, _ in self._overview.dated())
        few = f"{directory}/ has {counted(count, 'page')}, fewer than section_min_pages: {least}"
        return few if count < least else f"its directory is {directory}/, and its file is placed elsewhere"

    def _date(self, page: Page) -> DateProof | None:
        """Return what the date of a page rests on, or nothing where no dates were wanted."""
        site = self._served.site
        if site.settings.lastmod == "off":
            return None
        (proof,) = self._dating.prove([page], site, self.now, [])
        answer = proof.answer
        if proof.rests_on == "nothing":
            if isinstance(answer, Change):
                return DateProof(proof=proof, date="", reason="committed at a time that is still to come")
            reason = f"{answer.other} is {answer.reason}" if answer.other else str(answer.reason)
            return DateProof(proof=proof, date="", reason=reason, fix=how_to_date(answer))
        landing = None
        if proof.rests_on == "git" and isinstance(answer, Change):
            landing = self._dating.history.landing(proof.file, answer.commit)
        return DateProof(
            proof=proof,
            date=written(proof.date or "", site.settings.lastmod_format),
            origin=landing.origin if landing else None,
            landed=landing.landed if landing else None,
        )

    def _refusal(self, page: Page, judged: Page | Omission) -> Refusal:
        """Return why a page is not listed."""
        if isinstance(judged, Page) and self.site.settings.filter:
            why = "nothing keeps it out but perhaps the function of `filter`, which only a build calls"
            return Refusal(
                why=why, reason=why, fix="Look at what that function returns for it, or build the site again."
            )
        if isinstance(judged, Page):
            why = "nothing keeps it out, but no sitemap lists it"
            return Refusal(why=why, reason=why, fix="Build the site again, or look for another file with its URL.")
        file, tag, line = "", "", 0
        if judged.reason in _TAGS and not judged.by.startswith("`"):
            tag, line = find_tag(page.file, _TAGS[Reason(judged.reason)])  # type: ignore[arg-type] # one of three
            file = os.path.relpath(page.file)
        elif judged.by.startswith("`") and judged.reason not in {Reason.EXCLUDED, Reason.LATER_PAGE} and page.sources:
            file = os.path.relpath(page.sources[0])
            line = _line_of(page.sources[0], judged.by.strip("`").partition(":")[0])
        elif judged.reason in {Reason.EXCLUDED, Reason.LATER_PAGE}:
            file = self.site.settings_file
        fix = _TO_LIST.get(Reason(judged.reason), "") if judged.reason in {*Reason} else ""
        return Refusal(
            why=f"it is {judged.why}", reason=judged.words, by=judged.by, file=file, line=line, tag=tag, fix=fix
        )


def _line_of(source: str, key: str) -> int:
    """Return the line of a source on which a key of front matter stands, or 0."""
    text = files.read(source, MAX_FRONT_MATTER).decode("utf-8-sig", "replace")
    wanted = key.strip().lower()
    lines = (number for number, line in enumerate(text.splitlines(), 1) if line.strip(' "').lower().startswith(wanted))
    return next(lines, 0)


def moment(seconds: int) -> str:
    """Return a time of git's as people and programs read it; one beyond every calendar as its number."""
    try:
        return utc(seconds)
    except (OverflowError, ValueError, OSError):
        return str(seconds)


def named_commit(commit: Described) -> str:
    """Return a commit as people call it: the beginning of its hash, and its subject."""
    return f"{commit.commit[:_SHORT]} “{printable(commit.subject)}”"
