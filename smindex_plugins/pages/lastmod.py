"""The lastmod of a page: what its author wrote, what git proves about its files, or none."""

import difflib
import filecmp
import os
import posixpath
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cache
from typing import Literal

from smindex_plugins import patterns, urls
from smindex_plugins.catalogue import BULK_COMMIT, FUTURE_DATE, UNCOMMITTED_EDITS, UNKNOWN_DEPENDENCY
from smindex_plugins.dates import is_future, past, utc, w3c_date, written
from smindex_plugins.history import OUT_OF_THE_AUTHORS_HANDS, Answer, Change, History, Reason, Unknown, newest
from smindex_plugins.html import Includes
from smindex_plugins.html.front_matter import DATE_KEYS, author_date, author_key, depends
from smindex_plugins.limits import MAX_LOOKED_AT
from smindex_plugins.model import Finding, Page, Spot
from smindex_plugins.pages import lists
from smindex_plugins.settings import Settings, Target
from smindex_plugins.wording import counted, shown

_INSTALLED = re.compile(r"[/\\\\](?:site-packages|dist-packages|node_modules)[/\\\\]")
"""Directories of foreign packages, such as themes, which may be inside the repository."""
_MOST_GUESSED = 20
"""How many patterns without files get a guess."""
_MOST_COMPARED = 5_000
"""How many names a misspelt one is compared with."""
_DATING = frozenset(key.partition(".")[0] for key in DATE_KEYS)
"""The keys of front matter under which a date may be."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Proof:
    """What the date of a page rests on, or why it has none."""

    rests_on: Literal["author", "git", "publication", "list", "nothing"]
    key: str = ""
    """The key of front matter in which its author wrote the date."""
    answer: Answer
    """What git says about the files that it is made of."""
    file: str = ""
    """The newest of them."""
    files: tuple[str, ...] = ()
    """All of them, as absolute paths."""


class Dating:
    """Dates pages. It keeps the history, and so what git has already said."""

    def __init__(self, settings: Settings) -> None:
        self.history = History(
            date=settings.git_date, line=settings.git_history, ignore_revs_file=settings.ignore_revs_file
        )
        self.includes = Includes()
        """The tools that include files in pages. A host that knows them sets this before it starts."""
        self.proofs: dict[str, Proof] | None = {} if settings.report else None
        """What the dates of the last pages rest on, by their original URLs, if somebody wants to know."""
        self._settings = settings

    def start(self, pages: Iterable[Page], site_url: str) -> None:
        """Begin to read the history of these pages while the host continues. Problems are reported later."""
        if self._settings.lastmod == "git":
            target = Target(site_url=site_url, directory="", settings=self._settings)
            completed = _complete(pages, self.history, target, [])
            self.history.start(
                (source for page in completed for source in page.sources),
                [part for page in completed for part in self._included(page)],
            )

    def date(
        self, pages: Iterable[Page], target: Target, now: datetime, findings: list[Finding]
    ) -> tuple[list[Page], dict[str, Unknown]]:
        """Return all pages with their dates, and why others have none, by URL.

        A date comes with the page, from its author, or from git. There are no others.

        Raises:
            ValueError: what a page came with is not a W3C date.
        """
        if target.settings.lastmod == "off":
            return [replace(page, lastmod=None) if page.lastmod else page for page in pages], {}
        pages = list(pages)
        completed = _complete(pages, self.history, target, findings)
        included = [self._included(page) if page.sources else () for page in completed]
        made_of = [page.sources + files for page, files in zip(completed, included, strict=True)]
        known = self._known(completed, included)
        for number, (page, given) in enumerate(zip(completed, pages, strict=True)):
            if page is not given:
                made_of[number] = _without_artefacts(made_of[number], given.sources, known)
        answers = [self._answer(files, page.sources, known) for files, page in zip(made_of, pages, strict=True)]
        own = [_own_date(page, answer, findings, now) for page, answer in zip(completed, answers, strict=True)]
        has_lists = any(page.details.lists for page in completed)
        by_url = {page.url: date for page, date in zip(completed, own, strict=True)} if has_lists else {}
        # Without later pages in the sitemaps, nobody asks what moved them.
        shifts = lists.shifts(completed, self.history, known, by_url, now) if target.settings.pagination else {}
        dated: list[Page] = []
        undated: dict[str, Unknown] = {}
        for page, date in zip(completed, own, strict=True):
            final = lists.newest_listed(page, date, by_url, shifts.get(page.url)) if page.details.lists else date
            if isinstance(final, Unknown):
                undated[page.url], lastmod = final, None
            else:
                lastmod = written(final, target.settings.lastmod_format)
            dated.append(page if page.lastmod == lastmod else replace(page, lastmod=lastmod))
        if self.proofs is not None:
            self.proofs.clear()
            for number, (page, given) in enumerate(zip(dated, pages, strict=True)):
                proof = _proof(given, made_of[number], answers[number], own[number], known)
                is_of_list = page.lastmod is not None and own[number] != page.lastmod and bool(page.details.lists)
                self.proofs[page.url] = replace(proof, rests_on="list") if is_of_list else proof
        findings += _bulk_commit(answers)
        findings += _uncommitted_edits(self.history.edited(known), made_of)
        return dated, undated

    def _known(self, pages: list[Page], included: list[tuple[str, ...]]) -> dict[str, Answer]:
        """Return what git says about each source of the pages, and each file that one of them includes."""
        sources = {source for page in pages for source in page.sources}
        parts = {file for files in included for file in files} - sources
        return self.history.dates(sources, parts)

    def _included(self, page: Page) -> tuple[str, ...]:
        """Return the files that a page includes, if they are in the repository of one of its sources."""
        included = [file for source in page.sources for file in self.includes.of(source)]
        if not included:
            return ()
        named = filter(None, [*page.sources, self.includes.beside])
        return _in_repositories(dict.fromkeys(included), named, self.history)

    def _answer(self, files: tuple[str, ...], own: tuple[str, ...], known: Mapping[str, Answer]) -> Answer:
        """Return the newest answer for a page's files. If another file than its own is the reason, it is named."""
        answer = newest([known[file] for file in files])
        if isinstance(answer, Change) or not files or files == own:
            return answer
        source = next(file for file in files if known[file] == answer)
        if source in own:
            return answer
        reason = answer.reason if os.path.exists(source) else Reason.MISSING
        root = self.history.repository(own[0] if own else source) or os.getcwd()
        return replace(answer, reason=reason, other=os.path.relpath(source, root).replace(os.sep, "/"))


@cache
def shared_dating(settings: Settings) -> Dating:
    """Return the one dating for these settings, so that a process that builds repeatedly reads a HEAD once.

    Whoever begins such a build refreshes its history.
    """
    return Dating(settings)


def _complete(pages: Iterable[Page], history: History, target: Target, findings: list[Finding]) -> list[Page]:
    """Return the pages with the files that they depend on, as their authors and their generator say.

    A pattern is relative to the root of the git repository of the page's first source. A generated page without a
    source has the root of the first page that has one. A pattern that names no file is kept as an unknown source: the
    page may have changed when the file was removed.
    """
    pages = list(pages)
    first = next((page.sources[0] for page in pages if page.sources), None)
    files = patterns.Files()
    reported: set[tuple[str | Spot, str]] = set()
    completed = []
    for page in pages:
        details = page.details
        if not (target.settings.depends or details.depends or "depends" in (details.meta or ())):
            completed.append(page)
            continue
        added: list[str] = []
        for where, pattern in _patterns(page, target, findings):
            source = page.sources[0] if page.sources else first
            root = (history.repository(source) if source else None) or os.getcwd()
            found, problem = _files(files, root, pattern)
            if problem and (where, pattern) not in reported:
                guess = _did_you_mean(pattern, source, root, files) if len(reported) < _MOST_GUESSED else ""
                reported.add((where, pattern))
                findings.append(UNKNOWN_DEPENDENCY.at(where, problem, guess))
            added += found or [os.path.join(root, pattern)]
        added += _in_repositories(details.depends, page.sources, history) if details.depends else ()
        completed.append(replace(page, sources=tuple(dict.fromkeys([*page.sources, *added]))) if added else page)
    return completed


def _in_repositories(files: Iterable[str], of: Iterable[str], history: History) -> tuple[str, ...]:
    """Return the files that are there, in the repositories of other files, and of no installed package.

    Of a file that was installed from such a repository, as `pip install .` does, return the original.
    """
    others = tuple(of)
    roots = tuple(os.path.join(root, "") for root in map(history.repository, others) if root)
    found: dict[str, None] = {}
    for file in files:
        path = os.path.realpath(file)
        if _INSTALLED.search(path):
            file = path = _original(path, others, roots)  # noqa: PLW2901 - which is what was meant
        if path.startswith(roots) and os.path.isfile(path):
            found[file] = None
    return tuple(found)


def _original(installed: str, others: Iterable[str], roots: tuple[str, ...]) -> str:
    """Return the file with the same content and the same place in its package, above one of the others, or nothing."""
    inside = _INSTALLED.split(installed)[-1]
    for other in others:
        directory = os.path.dirname(other)
        while os.path.join(directory, "").startswith(roots):
            for candidate in (os.path.join(directory, place, inside) for place in ("", "src", "lib")):
                if os.path.isfile(candidate) and filecmp.cmp(candidate, installed, shallow=False):
                    return candidate
            directory = os.path.dirname(directory)
    return ""


def _without_artefacts(files: tuple[str, ...], own: tuple[str, ...], known: Mapping[str, Answer]) -> tuple[str, ...]:
    """Return the files of a page that depends on others, without ignored files: those were made from the others."""
    made = {file for file in own if known[file] == Unknown(Reason.IGNORED)}
    return tuple(file for file in files if file not in made)


def _files(files: patterns.Files, root: str, pattern: str) -> tuple[list[str], str]:
    """Return the files of a pattern, or what is wrong with it."""
    try:
        found = files.find(root, pattern)
    except patterns.ManyFilesError:
        looked = f"{MAX_LOOKED_AT:,} files have been looked at for patterns before this one was found"
        return [], f"it depends on {shown(pattern)}, and {looked}."
    return found, "" if found else f"it depends on {shown(pattern)}, which matches no file in {root}."


def _did_you_mean(pattern: str, source: str | None, root: str, files: patterns.Files) -> str:
    """Return the fix for a pattern that is misspelt or relative to another directory, or an empty string."""
    directory = os.path.dirname(source) if source and source.startswith(root) else root
    while len(directory) > len(root) and not _files(files, directory, pattern)[0]:
        directory = os.path.dirname(directory)
    parent, _, name = pattern.rpartition("/")
    if len(directory) > len(root):
        meant = [os.path.join(os.path.relpath(directory, root), pattern).replace(os.sep, "/")]
    else:
        names = os.listdir(os.path.join(root, parent)) if os.path.isdir(os.path.join(root, parent)) else []
        meant = [
            posixpath.join(parent, near) for near in difflib.get_close_matches(name, sorted(names)[:_MOST_COMPARED])
        ]
    return next((f"Did you mean {shown(name)}? {UNKNOWN_DEPENDENCY.fix}" for name in meant), "")


def _patterns(page: Page, target: Target, findings: list[Finding]) -> Iterator[tuple[str | Spot, str]]:
    """Yield the patterns of a page, each with the place where it is written."""
    for pattern in depends(page, findings):
        yield page.spot, pattern
    if urls.is_within(page.url, target.site_url):
        path = urls.relative_path(page.url, target.site_url)
        for urls_pattern, files in target.settings.depends:
            if patterns.matches(path, (urls_pattern,)):
                for pattern in files:
                    yield "depends", pattern


def _proof(
    page: Page, files: tuple[str, ...], answer: Answer, own: str | Unknown, known: Mapping[str, Answer]
) -> Proof:
    key = "lastmod" if page.lastmod else author_key(page)
    rests_on: Literal["author", "git", "publication", "nothing"] = "nothing"
    if isinstance(own, str):
        rests_on = "author" if key else "git" if isinstance(answer, Change) else "publication"
    file = next((file for file in files if known[file] == answer), "")
    return Proof(rests_on=rests_on, key=key if rests_on == "author" else "", answer=answer, file=file, files=files)


def _authors_word(page: Page, findings: list[Finding], now: datetime) -> str | None:
    if not page.lastmod and _DATING.isdisjoint(page.details.meta or ()):
        return None  # as most authors have it
    lastmod = w3c_date(page.lastmod) if page.lastmod else author_date(page, findings)
    if page.lastmod and not lastmod:
        message = f"the lastmod of {page.url}, {page.lastmod!r}, is not a W3C date"
        raise ValueError(message)
    if lastmod and is_future(lastmod, now):
        problem = f"its front matter says it changed on {lastmod}, which is in the future."
        findings.append(FUTURE_DATE.at(page.spot, problem))
        return None
    return lastmod


def _own_date(page: Page, answer: Answer, findings: list[Finding], now: datetime) -> str | Unknown:
    """Return the author's date, or git's. If git can never have one, return the day of publication."""
    if page.details.unlisted:
        return Unknown(Reason.NO_SOURCE)
    if lastmod := _authors_word(page, findings, now):
        return lastmod
    if isinstance(answer, Change):
        return past(answer.when, now) or Unknown(Reason.FUTURE)
    published = page.details.published
    if published and answer.reason in OUT_OF_THE_AUTHORS_HANDS and not (answer.other or is_future(published, now)):
        return published
    return answer


_BULK_PAGES = 20
_BULK_SHARE = 0.25


def _bulk_commit(answers: list[Answer]) -> Iterator[Finding]:
    """Yield a suggestion to ignore a commit that dates many pages without having added them."""
    pages = len(answers)
    if pages < _BULK_PAGES:
        return
    changes = [answer for answer in answers if isinstance(answer, Change) and not answer.is_new]
    by_commit = Counter((answer.commit, answer.when) for answer in changes)
    for (commit, when), count in sorted(by_commit.items(), key=lambda item: (-item[1], item[0][0])):
        if count >= _BULK_SHARE * pages:
            problem = f"one commit, {commit}, gives them the date {utc(when)}."
            yield BULK_COMMIT.at(f"{count:,} of {counted(pages, 'page')}", problem)
            return


def _uncommitted_edits(edited: Iterable[str], pages: list[tuple[str, ...]]) -> Iterator[Finding]:
    files = set(edited)
    if count := sum(not files.isdisjoint(page) for page in pages if files):
        problem = "edits are not committed. The dates are those of the last commits."
        yield UNCOMMITTED_EDITS.at(f"{count:,} of {counted(len(pages), 'page')}", problem)
