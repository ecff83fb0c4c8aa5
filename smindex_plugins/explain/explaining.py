"""Why a page is in its sitemap and section, where its date comes from, or why it is not listed."""

import os
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Literal

from smindex_plugins.base import files, patterns, urls
from smindex_plugins.base.catalogue import CATALOGUE
from smindex_plugins.base.dates import utc
from smindex_plugins.base.files import is_html
from smindex_plugins.base.limits import MAX_FRONT_MATTER
from smindex_plugins.base.proof import RestsOn
from smindex_plugins.base.settings import Settings
from smindex_plugins.base.text import counted, did_you_mean, printable
from smindex_plugins.base.urls import is_url
from smindex_plugins.history.history import History
from smindex_plugins.history.landing import Described
from smindex_plugins.html.front_matter import read, switch
from smindex_plugins.html.page import find_tag
from smindex_plugins.pages.omissions import NotListed
from smindex_plugins.pages.others import is_included
from smindex_plugins.printing.as_json import path_from
from smindex_plugins.reading.directory import Directory
from smindex_plugins.reading.document import Document, Entry
from smindex_plugins.reading.sections import section_names
from smindex_plugins.record.fact import Fact
from smindex_plugins.record.find import Record

_TAGS: dict[str, Literal["noindex", "refresh", "canonical"]] = {
    NotListed.NOINDEX: "noindex",
    NotListed.REDIRECT: "refresh",
    NotListed.CANONICAL_ELSEWHERE: "canonical",
}
_HOW_TO_LIST: dict[str, str] = {
    NotListed.EXCLUDED: "Narrow or remove the pattern under `exclude`.",
    NotListed.EXCLUDED_BY_AUTHOR: "Remove that line from its front matter.",
    NotListed.PRIVATE: "Remove that line from its front matter.",
    NotListed.LATER_PAGE: "Set `pagination: true`.",
    NotListed.FRAGMENT: "Make it a complete HTML document.",
    NotListed.EMPTY: "Add content to it.",
    NotListed.NOINDEX: "Remove the tag if the page should appear in search results.",
    NotListed.REDIRECT: "List the page that it redirects to.",
    NotListed.GONE: "Remove the rule if visitors should find the page.",
    NotListed.CANONICAL_ELSEWHERE: (
        "Set its canonical URL to its own URL if this page should appear in search results."
    ),
    NotListed.OUT_OF_SCOPE: "Build the site with a site_url that contains its URL.",
    NotListed.SHARED_URL: "Give it its own URL.",
    NotListed.IGNORED: "Commit it if it belongs to the site.",
}


_RECORD_IT = "Build the site again, and run this command in its project."


@dataclass(frozen=True, slots=True, kw_only=True)
class ListedIn:
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
class DatingCommit:
    """A commit as git describes it."""

    hash: str
    subject: str
    """The first line of its message."""
    written: str
    """When its author created it."""
    committed: str

    @classmethod
    def of(cls, commit: Described) -> "DatingCommit":
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
    """The date that the build gave a page, and what it rests on, or why it has none."""

    lastmod: str | None
    rests_on: RestsOn
    key: str | None
    """The front matter key in which its author set the date."""
    page: str | None
    """The listed page with that date, if it rests on a list."""
    file: str | None
    """The file that changed last, of all files that the page is built from."""
    files: list[str]
    commit: DatingCommit | None
    """The commit that gave the file its current content."""
    landed: DatingCommit | None
    """The commit that published this content: the same one, or a merge."""
    reason: str | None
    """Why there is no date."""
    fix: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class WhyNotListed:
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
    """The rendered file, relative to the site. Null if it is not there."""
    is_recorded: bool = False
    """Whether the record of the build says what it decided about the page."""
    sources: list[str] = field(default_factory=list)
    """The files that it is built from, relative to the current directory, or absolute if outside
    it."""
    listed: ListedIn | None = None
    why_there: list[str] = field(default_factory=list)
    """Why it is in that section and file."""
    also_listed: ListedIn | None = None
    """Where another sitemap lists it, such as the generator's own."""
    variants: list[Variant] = field(default_factory=list)
    date: PageDate | None = None
    """Null if dates are turned off, or there is no record of the build."""
    not_listed: WhyNotListed | None = None
    problem: str | None = None
    """Why the page was not found."""


class Explainer:
    """Explains pages of a built site, by its sitemaps on disk and the record of its build.

    It reads both once.
    """

    def __init__(self, *, checked: Directory, record: Record | None) -> None:
        """Read the sitemaps.

        Raises:
            OSError: the sitemaps can't be read.
        """
        found: list[Document] = []
        sitemaps: list[Document] = []
        others: list[Document] = []
        for each in checked.files():
            if each.delivery.is_missing or each.document.kind == "sitemapindex":
                continue
            found.append(each.document)
            if each.share.counts:
                sitemaps.append(each.document)
            else:
                others.append(each.document)
        sitemaps.sort(key=lambda each: not each.is_ours)
        self._base = checked.site_url or urls.NO_ADDRESS
        if found and not checked.site_url:
            first = found[0]
            path = urls.from_file_path(first.where)
            self._base = urls.normalise(first.url).removesuffix(path)
        self._directory = checked.path
        self._record = record
        self._settings = record.settings if record else Settings()
        self._history = History()
        is_ours = {each.where: each.is_ours for each in sitemaps}
        self._sections = section_names(is_ours, self._base, self._settings.sections)
        self._listings = _by_url(sitemaps)
        self._others = _by_url([*sitemaps, *others], self._listings)

    def explain(self, given: Iterable[str]) -> Iterator[Explanation]:
        """Yield what is known about each page, given by its URL, its file, or a file that counts
        for it.
        """
        for name in given:
            facts = list(self._facts(name))
            for fact in facts:
                yield self._explain(name, fact)
            if not facts:
                yield self._explain_without_fact(name)

    def _facts(self, given: str) -> Iterator[Fact]:
        """Yield the facts about the page at a URL or in a file, or about the pages of a source."""
        if not self._record:
            return
        fact = self._record.by_file.get(self._rendered(given))
        if not fact:
            fact = self._record.by_url.get(self._url(given))
        if fact:
            yield fact
        elif not is_url(given):
            source = os.path.realpath(given)
            yield from self._record.by_source.get(source, [])

    def _url(self, given: str) -> str:
        """Return the normal form of a URL, or of a path below the site's URL."""
        if is_url(given):
            return urls.normal(given)
        path = urls.encoded_path(given.lstrip("/"))
        return urls.normal(self._base + path)

    def _rendered(self, given: str) -> str:
        """Return the rendered file at a path or a URL, relative to the site, or an empty string."""
        if not is_url(given):
            real = os.path.realpath(given)
            index = os.path.join(real, "index.html")
            if os.path.isfile(index):
                real = index
            if os.path.isfile(real):
                return self._inside(real)
        url = self._url(given)
        if not url or not urls.is_within(url, self._base):
            return ""
        return urls.find_file(self._directory, self._base, url, urls.answering_files) or ""

    def _inside(self, file: str) -> str:
        """Return a file relative to the site, or an empty string if it is outside."""
        directory = os.path.realpath(self._directory)
        if not file.startswith(directory + os.sep):
            return ""
        return os.path.relpath(file, directory).replace(os.sep, "/")

    def _explain_without_fact(self, given: str) -> Explanation:
        """Return what the sitemaps alone say about a page whose build is not known."""
        file = self._rendered(given)
        url = self._url(given)
        if file and not is_url(given):
            url = self._base + urls.page_path(file)
        listing = self._listings.get(url)
        if listing:
            also = self._also(url)
            known = Explanation(asked=given, url=url, file=file or None, also_listed=also)
            return self._listed(known, *listing)
        if not file:
            return Explanation(asked=given, problem=self._why_unknown(given))
        if not (is_html(file) or is_included(file, self._settings)):
            problem = "this file is not a page of the site."
            return Explanation(asked=given, file=file, problem=problem)
        reason = "no sitemap lists it, and its build is not recorded"
        fix = _RECORD_IT
        if self._record:
            reason = "it was not there when the sitemaps were built"
            fix = "Build the site again."
        refusal = WhyNotListed(reason=reason, fix=fix)
        return Explanation(asked=given, url=url, file=file, not_listed=refusal)

    def _why_unknown(self, name: str) -> str:
        if not is_url(name) and os.path.isfile(name):
            if not self._record:
                return f"the build is not recorded. {_RECORD_IT}"
            meta = read(name).meta or {}
            if switch(meta.get("draft")):
                reason = "Its front matter marks it as a draft, so no page is rendered from it."
                return f"this file counts for no page. {reason}"
            return "this file counts for no page."
        if is_url(name) and not urls.is_within(urls.normal(name), self._base):
            return f"this URL is not on this site, which is at {self._base}."
        names = list(CATALOGUE)
        if self._record:
            names += map(os.path.relpath, self._record.by_source)
        base = "" if is_url(name) else self._base
        names += [url.removeprefix(base) for url in self._listings]
        nearest = did_you_mean(name, names)
        hint = f" Did you mean {nearest}?" if nearest else ""
        directory = os.path.relpath(self._directory)
        return f"there is no such page in {directory}, and no sitemap lists it.{hint}"

    def _explain(self, given: str, fact: Fact) -> Explanation:
        listing = self._listings.get(fact.url)
        also = self._also(fact.url)
        if fact.reason == NotListed.SHARED_URL:  # another page is listed there
            listing = None
            also = None
        rendered = os.path.join(self._directory, fact.file)
        explanation = Explanation(
            asked=given,
            url=fact.url,
            file=fact.file if os.path.isfile(rendered) else None,
            is_recorded=True,
            sources=self._shown(fact.sources),
            also_listed=also,
            date=self._date(fact),
        )
        if listing:
            return self._listed(explanation, *listing)
        return replace(explanation, not_listed=self._why_not(fact))

    def _listed(self, explanation: Explanation, document: Document, entry: Entry) -> Explanation:
        """Return an explanation with the place where its page is listed, and the reasons."""
        section = self._sections[document.where]
        why: Iterable[str] = ()
        if not document.is_ours:
            why = ["another generator wrote the file"]
        elif self._record:
            why = self._why_there(entry.normal, document)
        variants = [
            Variant(hreflang=printable(code), url=printable(url)) for code, url in entry.alternates
        ]
        return replace(
            explanation,
            listed=_place(document, entry, section),
            why_there=[printable(each) for each in why],
            variants=variants,
        )

    def _also(self, url: str) -> ListedIn | None:
        """Return where another sitemap lists a URL."""
        other = self._others.get(url)
        return _place(*other, None) if other else None

    def _why_there(self, url: str, document: Document) -> Iterator[str]:
        section = self._sections[document.where]
        yield self._why_in_section(url, section)
        files: Counter[str] = Counter()
        for sitemap, _ in self._listings.values():
            if self._sections[sitemap.where] == section:
                files[sitemap.where] += 1
        if len(files) > 1:
            size = f"{files.total():,} pages in {len(files):,} files"
            yield f"its section has {size}, and a hash of its URL chose this one"

    def _why_in_section(self, url: str, section: str) -> str:
        settings = self._settings
        path = urls.relative_path(url, self._base)
        for named in settings.sections:
            if pattern := patterns.matches(path, named.urls):
                return f"it matches `{pattern}` of the section `{named.name}` in `sections`"
        if not urls.is_within(url, self._base):
            origin = urls.origin(url)
            return f"{origin} is another site, which agrees to be listed here (cross_site)"

        parents = path.split("/")[:-1]
        above = "/".join(parents[: settings.section_depth])
        directory = urls.file_path(above) or above
        is_own = section.rstrip("/") in {directory, directory.replace("/", "-")}
        if settings.section_by == "category" and section != "root" and not is_own:
            return (
                f"its category, or the section that `filter` returned for it, is {section}"
                " (section_by: category)"
            )
        if is_own or not directory:
            return self._why_by_depth(directory)
        least = settings.section_min_pages
        number = sum(each.startswith(f"{self._base}{above}/") for each in self._listings)
        if number < least:
            pages = counted(number, "page")
            return f"{directory}/ has {pages}, fewer than section_min_pages: {least}"
        return f"its directory is {directory}/, and its file is placed elsewhere"

    def _why_by_depth(self, directory: str) -> str:
        depth = self._settings.section_depth
        where = "all pages are one section"
        if directory:
            where = f"its directory is {directory}/"
        elif depth:
            where = "it is in no directory"
        return f"{where} (section_depth: {depth})"

    def _why_not(self, fact: Fact) -> WhyNotListed:
        omission = fact.omission
        record = self._record
        if not omission or not record:
            reason = "no sitemap lists it, although the build did"
            return WhyNotListed(reason=reason, fix="Build the site again.")
        file = ""
        tag = ""
        line = 0
        rendered = os.path.join(self._directory, fact.file)
        if omission.key:
            file = next(iter(record.counting(fact)), "")
            if file:
                line = _line_of(file, omission.key)
        elif omission.reason in _TAGS and os.path.isfile(rendered):
            tag, line = find_tag(rendered, _TAGS[omission.reason])
            if tag:  # if not, a rule of the host excludes it
                file = rendered
        elif omission.reason in {NotListed.EXCLUDED, NotListed.LATER_PAGE}:
            file = record.settings_file
        return WhyNotListed(
            reason=printable(omission.words),
            by=printable(omission.by) or None,
            file=os.path.relpath(file) if file else None,
            line=line or None,
            tag=printable(tag) or None,
            fix=_HOW_TO_LIST.get(omission.reason),
        )

    def _date(self, fact: Fact) -> PageDate | None:
        """Return the date that the build gave a page, or None if dates are turned off."""
        if not fact.rests_on or not self._record:
            return None
        file = self._record.path(fact.dated_by)
        commit = None
        landed = None
        if file and fact.commit and (landing := self._history.landing(file, fact.commit)):
            commit = DatingCommit.of(landing.origin)
            landed = DatingCommit.of(landing.landed)
        dated_by = self._shown([fact.dated_by])
        return PageDate(
            lastmod=printable(fact.lastmod) or None,
            rests_on=fact.rests_on,
            key=printable(fact.key) or None,
            page=printable(fact.page) or None,
            file=dated_by[0] if dated_by else None,
            files=self._shown(fact.files or fact.sources),
            commit=commit,
            landed=landed,
            reason=printable(fact.undated) or None,
            fix=printable(fact.remedy) or None,
        )

    def _shown(self, names: Iterable[str]) -> list[str]:
        """Return files in the repository of the record, relative to the current directory."""
        shown: list[str] = []
        for name in names:
            path = self._record.path(name) if self._record else ""
            if path:
                relative = path_from(os.getcwd(), path)
                shown.append(printable(relative))
        return shown


def _by_url(
    documents: Iterable[Document], without: Mapping[str, tuple[Document, Entry]] | None = None
) -> dict[str, tuple[Document, Entry]]:
    """Return the first entry of each URL in a different sitemap than those that are given."""
    found: dict[str, tuple[Document, Entry]] = {}
    for document in documents:
        for entry in document.entries:
            is_given = without and entry.normal in without and without[entry.normal][0] is document
            if entry.normal and not is_given:
                found.setdefault(entry.normal, (document, entry))
    return found


def _place(document: Document, entry: Entry, section: str | None) -> ListedIn:
    lastmod = printable(entry.lastmod) or None
    return ListedIn(file=document.where, line=entry.line or None, section=section, lastmod=lastmod)


def _line_of(source: str, key: str) -> int:
    """Return the line of a source that sets a front matter key, or 0."""
    try:
        text = files.read(source, MAX_FRONT_MATTER).decode("utf-8-sig", "replace")
    except OSError:  # renamed or removed since the build
        return 0
    sets = re.compile(rf"[:\"']?{re.escape(key)}[\"']?[ \t]*[:=]", re.IGNORECASE)
    for number, line in enumerate(text.splitlines(), 1):
        if sets.match(line):
            return number
    return 0


def _moment(seconds: int) -> str:
    """Return a git time in UTC, or as a number if it is not a valid calendar time."""
    try:
        return utc(seconds)
    except (OverflowError, ValueError, OSError):
        return str(seconds)
