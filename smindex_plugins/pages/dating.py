"""Finds when a page last changed: the author's date, the date from git, or why there is none."""

import os
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from functools import cache
from itertools import chain
from typing import NamedTuple

from smindex_plugins.base import patterns, urls
from smindex_plugins.base.catalogue import (
    BULK_COMMIT,
    FUTURE_DATE,
    INVALID_FRONT_MATTER,
    OUTDATED_DATE,
    UNCOMMITTED_EDITS,
    UNKNOWN_DEPENDENCY,
)
from smindex_plugins.base.dates import (
    days_between,
    is_future,
    is_zero,
    past,
    utc,
    w3c_date,
    written,
)
from smindex_plugins.base.model import Finding, Page, Spot
from smindex_plugins.base.proof import (
    NEVER_IN_GIT,
    Answer,
    ContentChange,
    NoDate,
    Proof,
    Unknown,
    newest,
)
from smindex_plugins.base.settings import Settings
from smindex_plugins.base.site import Site
from smindex_plugins.base.text import brief, counted
from smindex_plugins.history import services
from smindex_plugins.history.history import History
from smindex_plugins.html.includes import Includes
from smindex_plugins.pages._author import author_date, author_key, depends

_INSTALLED = re.compile(r"[/\\](?:site-packages|dist-packages|node_modules)[/\\]")
"""Directories of installed packages, such as themes, which can be inside the repository."""
_BULK_PAGES, _BULK_SHARE = 20, 0.25
"""The minimum number and share of pages for a notice about a commit that dates them."""
_YEAR = 365
"""By how many days a date in front matter may be older than the last change of its file."""


class DatedPages(NamedTuple):
    """Pages with their dates, and what is wrong with what these rest on."""

    pages: list[Page]
    findings: list[Finding]


class Proofs(NamedTuple):
    """What the date of each page rests on, and what is wrong with that."""

    of_pages: list[Proof]
    findings: list[Finding]


class _MadeOf(NamedTuple):
    """The files that each page is built from, and the patterns of files that match none."""

    files: list[tuple[str, ...]]
    findings: list[Finding]


class Dating:
    """Dates the pages of one build, while git is read in the background."""

    def __init__(self, settings: Settings, includes: Includes | None = None) -> None:
        self.history = History(settings.ignore_revs_file, settings.ignore_commits)
        self.includes = includes or Includes()
        """The tools that include files in the pages of this site."""

    def start(self, pages: Iterable[Page], site: Site) -> None:
        """Start reading the history of these pages while the host continues.

        Problems are reported later.
        """
        if site.settings.lastmod == "git":
            made_of = self._made_of(list(pages), site)
            self.history.start(set(chain.from_iterable(made_of.files)))

    def date(self, pages: Iterable[Page], site: Site, now: datetime) -> DatedPages:
        """Return all pages with their dates, and with what these rest on.

        Raises:
            ValueError: the ``lastmod`` of a page is not a W3C date.
        """
        all_pages = list(pages)
        if site.settings.lastmod == "off":
            undated = [replace(page, lastmod=None) if page.lastmod else page for page in all_pages]
            return DatedPages(undated, [])
        proofs = self.prove(all_pages, site, now)
        for number, proof in enumerate(proofs.of_pages):
            lastmod = proof.date and written(proof.date, site.settings.lastmod_format)
            # in its place, because a site can have a million pages
            all_pages[number] = replace(all_pages[number], lastmod=lastmod, proof=proof)
        return DatedPages(all_pages, proofs.findings)

    def shown(self, pages: Iterable[Page], site: Site) -> dict[str, str]:
        """Return the dates of pages by URL, as in the sitemaps, for themes to show."""
        dates: dict[str, str] = {}
        if site.settings.lastmod != "git":
            return dates
        pages = list(pages)
        proofs = self.prove(pages, site, datetime.now(UTC))
        for page, proof in zip(pages, proofs.of_pages, strict=True):
            if proof.date:
                dates[page.url] = written(proof.date, site.settings.lastmod_format)
        return dates

    def prove(self, pages: Sequence[Page], site: Site, now: datetime) -> Proofs:
        """Return the date of each page and its source.

        The history is queried once for all pages.
        """
        made_of = self._made_of(pages, site)
        known = self.history.dates(set(chain.from_iterable(made_of.files)))
        if services.is_automatic():  # nobody will commit the edits
            edited = self.history.edited(known)
            known |= dict.fromkeys(edited, Unknown(NoDate.EDITED))
        pages = [_with_what_it_depends_on(page, site) if page.unknown else page for page in pages]
        findings = made_of.findings
        proofs: list[Proof] = []
        for page, files in zip(pages, made_of.files, strict=True):
            by_author = None
            if not page.unlisted:
                by_author = _authors_date(page, now)
            if isinstance(by_author, Finding):
                findings.append(by_author)
                by_author = None
            proofs.append(self._proof(page, files, known, by_author, now))
        return Proofs(_with_lists(pages, proofs), findings)

    def _proof(
        self,
        page: Page,
        files: tuple[str, ...],
        known: Mapping[str, Answer],
        by_author: str | None,
        now: datetime,
    ) -> Proof:
        """Return the author's date or git's date. If git can never have one, and knows no later
        change, return the date of publication.
        """
        proof = self._answer(page, files, known)
        answer = proof.answer
        if page.unlisted:
            return replace(proof, answer=Unknown(NoDate.NO_SOURCE))
        if by_author:
            key = "lastmod" if page.lastmod else author_key(page)
            return replace(proof, date=by_author, rests_on="author", key=key)
        if page.number > 1:
            return replace(proof, answer=Unknown(NoDate.LATER_PAGE))
        if isinstance(answer, ContentChange):
            return _by_git(proof, answer, now)
        is_never_in_git = answer.reason in NEVER_IN_GIT and not (answer.other or page.unknown)
        if page.published and is_never_in_git:
            is_wrong = is_future(page.published, now) or is_zero(page.published)
            if not (is_wrong or _changed_after(page.published, proof.files, known)):
                return replace(proof, date=page.published, rests_on="publication")
        return proof

    def _answer(self, page: Page, files: tuple[str, ...], known: Mapping[str, Answer]) -> Proof:
        """Return git's answer for the files of a page, as a proof without a date."""
        if len(files) > len(page.sources):
            files = _without_ignored_sources(page, files, known)
        if page.unknown:
            return Proof(answer=page.unknown, files=files)
        if page.looked_for and not files:
            return Proof(answer=Unknown(NoDate.NOT_FOUND, detail=page.looked_for))
        answer = newest([known[file] for file in files])
        dated_by = None
        for file in files:
            if known[file] == answer:
                dated_by = file
                break
        if isinstance(answer, Unknown) and dated_by and dated_by not in page.sources:
            answer = self._of_other_file(answer, dated_by, page)
        return Proof(answer=answer, file=dated_by, files=files)

    def _of_other_file(self, unknown: Unknown, file: str, page: Page) -> Unknown:
        """Return an answer that names its file, which isn't a source of the page."""
        first = next(iter(page.sources), file)
        root = self.history.repository(first) or os.getcwd()
        reason = unknown.reason
        if not os.path.exists(file):
            reason = NoDate.MISSING
        other = os.path.relpath(file, root).replace(os.sep, "/")
        return unknown._replace(reason=reason, other=other)

    def _made_of(self, pages: Sequence[Page], site: Site) -> _MadeOf:
        """Return the files of each page: its sources, what they include, and what the page depends
        on.

        A pattern is relative to the root of the git repository of the page's first source. A
        generated page without a source uses the root of the first page that has one. A pattern that
        matches no file is kept as an unknown file, because the page may have changed when the file
        was removed.
        """
        first = next((page.sources[0] for page in pages if page.sources), "")
        find = cache(patterns.find_files)
        findings: list[Finding] = []
        unmatched: list[Finding] = []
        files_of_pages: list[tuple[str, ...]] = []
        for page in pages:
            by_author = depends(page)
            if isinstance(by_author, Finding):
                findings.append(by_author)
                by_author = ()
            files = list(page.sources)
            source = page.sources[0] if page.sources else first
            for where, pattern in _patterns(page, by_author, site):
                root = (source and self.history.repository(source)) or os.getcwd()
                found = find(root, pattern)
                if found:
                    files += found
                    continue
                files.append(os.path.join(root, pattern))
                problem = f"it depends on {brief(pattern)}, which matches no file in {root}."
                unmatched.append(UNKNOWN_DEPENDENCY.at(where, problem))
            others = list(page.depends)
            for each in page.sources:
                others += self.includes.of(each)
            if others:
                files += self._in_repositories(others, page)
            made_of = tuple(dict.fromkeys(files))
            files_of_pages.append(page.sources if made_of == page.sources else made_of)
        findings += dict.fromkeys(unmatched)
        return _MadeOf(files_of_pages, findings)

    def _in_repositories(self, files: Iterable[str], page: Page) -> list[str]:
        """Return the files that exist in the repositories of a page's sources, without files of
        installed packages.

        If an installed package is in the repository, its files there are used.
        """
        owners = map(self.history.repository, filter(None, [*page.sources, self.includes.beside]))
        roots = tuple(os.path.join(root, "") for root in owners if root)
        found: list[str] = []
        for file in files:
            path = os.path.realpath(file)
            installed = _INSTALLED.search(path)
            if installed:
                original = _in_package(path[installed.end() :], roots)
                if original:
                    found.append(original)
            elif path.startswith(roots) and os.path.isfile(path):
                found.append(file)
        return found

    def notices(self, listed: Iterable[Page]) -> Iterator[Finding]:
        """Yield notices about the dates of listed pages.

        They are about a commit that dates many pages without adding them, about uncommitted edits,
        and about dates of authors that are much older than their files.
        """
        listed = list(listed)
        yield from _outdated(listed)
        proofs = [page.proof for page in listed if page.proof]
        if not proofs:  # dates are turned off
            return
        yield from self._bulk_commit(proofs)
        if not services.is_automatic():  # where edited pages have no date
            yield from self._uncommitted(proofs)

    def _bulk_commit(self, proofs: Sequence[Proof]) -> Iterator[Finding]:
        """Yield a notice about a commit that dates many pages without adding them.

        Merges are excluded, because they bring in changes of other commits.
        """
        changed: dict[str, ContentChange] = {}
        for proof in proofs:
            answer = proof.answer
            if proof.file and isinstance(answer, ContentChange) and not answer.is_new:
                changed[proof.file] = answer
        if not changed:
            return
        change, count = Counter(changed.values()).most_common(1)[0]
        if len(proofs) < _BULK_PAGES or count < _BULK_SHARE * len(proofs):
            return
        file = next(file for file, each in changed.items() if each == change)
        landing = self.history.landing(file, change.commit)
        if landing and not landing.is_by_merge:
            where = f"{count:,} of {counted(len(proofs), 'page')}"
            problem = f"their date, {utc(change.when)}, comes from one commit, {change.commit}."
            yield BULK_COMMIT.at(where, problem)

    def _uncommitted(self, proofs: Sequence[Proof]) -> Iterator[Finding]:
        """Yield a notice about pages whose files have uncommitted edits."""
        files = set(chain.from_iterable(proof.files for proof in proofs))
        edited = set(self.history.edited(files))
        count = sum(not edited.isdisjoint(proof.files) for proof in proofs)
        if not count:
            return
        file = min(edited)
        name = os.path.relpath(file, self.history.repository(file)).replace(os.sep, "/")
        problem = (
            f"some edits are not committed, such as those of {name}. Dates come from the last"
            " commits."
        )
        where = f"{count:,} of {counted(len(proofs), 'page')}"
        yield UNCOMMITTED_EDITS.at(where, problem)


def _outdated(listed: Sequence[Page]) -> Iterator[Finding]:
    """Yield one notice about pages whose author's date is years older than the last change of their
    source.

    A commit that adds a source, such as an import of older pages, doesn't change it. A commit that
    changes many pages at once usually edits only their format.
    """
    changed: dict[str, list[tuple[Page, Proof, ContentChange]]] = {}
    for page in listed:
        proof = page.proof
        if (
            proof
            and isinstance(proof.answer, ContentChange)
            and proof.file in page.sources
            and not proof.answer.is_new
        ):
            changed.setdefault(proof.answer.commit, []).append((page, proof, proof.answer))
    outdated: list[tuple[Page, Proof, ContentChange]] = []
    for same_commit in changed.values():
        if len(same_commit) >= _BULK_PAGES:
            continue
        for page, proof, change in same_commit:
            if proof.rests_on != "author" or not proof.date:
                continue
            if days_between(proof.date, utc(change.when)) > _YEAR:
                outdated.append((page, proof, change))
    if not outdated:
        return
    page, proof, change = outdated[0]
    problem = (
        f"its front matter sets its date to {proof.date}, but commit {change.commit} changed it on"
        f" {utc(change.when)}."
    )
    others = len(outdated) - 1
    if others:
        problem += f" The same applies to {counted(others, 'other page')}."
    yield OUTDATED_DATE.at(page.spot, problem)


def _changed_after(date: str, files: Iterable[str], known: Mapping[str, Answer]) -> bool:
    """Return whether git knows a later change of one of these files."""
    for file in files:
        answer = known[file]
        if isinstance(answer, ContentChange) and utc(answer.when)[: len(date)] > date:
            return True
    return False


def _by_git(proof: Proof, answer: ContentChange, now: datetime) -> Proof:
    """Return the date of a commit, unless the clock of its machine was wrong."""
    date = past(answer.when, now)
    if date is None:
        return replace(proof, answer=Unknown(NoDate.FUTURE))
    if is_zero(date):
        return replace(proof, answer=Unknown(NoDate.ZERO))
    return replace(proof, date=date, rests_on="git")


def _without_ignored_sources(
    page: Page, files: tuple[str, ...], known: Mapping[str, Answer]
) -> tuple[str, ...]:
    """Return the files of a page without ignored sources, which were generated from the others."""
    kept: list[str] = []
    for file in files:
        answer = known[file]
        is_ignored = isinstance(answer, Unknown) and answer.reason is NoDate.IGNORED
        if file not in page.sources or not is_ignored:
            kept.append(file)
    return tuple(kept) or files


def _in_package(inside: str, roots: Iterable[str]) -> str:
    """Return the file of an installed package in one of the repositories, or an empty string."""
    for root in roots:
        for place in ("", "src"):
            path = os.path.join(root, place, inside)
            if os.path.isfile(path):
                return path
    return ""


def _with_what_it_depends_on(page: Page, site: Site) -> Page:
    """Return the page as one that its files date, if its author lists the files that it is built
    from.
    """
    by_author = depends(page)
    if isinstance(by_author, Finding):
        by_author = ()
    if any(_patterns(page, by_author, site)):
        return replace(page, unknown=None)
    return page


def _patterns(page: Page, by_author: Iterable[str], site: Site) -> Iterator[tuple[str | Spot, str]]:
    """Yield the file patterns that a page depends on, each with its location."""
    for pattern in by_author:
        yield page.spot, pattern
    if site.settings.depends and urls.is_within(page.url, site.url):
        path = urls.relative_path(page.url, site.url)
        for url_pattern, files in site.settings.depends:
            if patterns.matches(path, (url_pattern,)):
                for pattern in files:
                    yield "depends", pattern


def _authors_date(page: Page, now: datetime) -> str | Finding | None:
    """Return the date that the author or the host sets, what is wrong with it, or None."""
    if page.lastmod:
        lastmod = w3c_date(page.lastmod)
        if lastmod is None:
            message = f"the lastmod of {page.url}, {page.lastmod!r}, is not a W3C date"
            raise ValueError(message)
    else:
        by_author = author_date(page)
        if by_author is None or isinstance(by_author, Finding):
            return by_author
        lastmod = by_author
    if is_zero(lastmod):
        problem = (
            f"its front matter sets its date to {lastmod}, which programs write if they know no"
            " date."
        )
        fix = "Write the date of the last change, or remove it."
        return INVALID_FRONT_MATTER.at(page.spot, problem, fix)
    if is_future(lastmod, now):
        problem = f"its front matter sets its date to {lastmod}, which is in the future."
        return FUTURE_DATE.at(page.spot, problem)
    return lastmod


def _with_lists(pages: Sequence[Page], proofs: list[Proof]) -> list[Proof]:
    """Return the proofs of pages, with the dates of lists from the pages that they list."""
    if not any(page.lists for page in pages):
        return proofs
    by_url = {page.url: proof for page, proof in zip(pages, proofs, strict=True)}
    completed: list[Proof] = []
    for page, proof in zip(pages, proofs, strict=True):
        is_list = page.lists and page.number == 1
        completed.append(_with_listed(page, proof, by_url) if is_list else proof)
    return completed


def _with_listed(page: Page, own: Proof, by_url: Mapping[str, Proof]) -> Proof:
    """Return the newest date of a list and of the pages that it lists, unless an unknown one may be
    newer.
    """
    proofs = {url: by_url[url] for url in page.lists if url in by_url}
    if page.sources or page.unknown or own.date:
        proofs[page.url] = own
    date: str | None = None
    newest_page = ""
    for url, proof in proofs.items():
        if proof.date and (date is None or (proof.date, url) > (date, newest_page)):
            date = proof.date
            newest_page = url
    for proof in proofs.values():
        doubt = proof.answer
        if proof.date is not None or not isinstance(doubt, Unknown):
            continue
        if date is None or doubt.before is None or utc(doubt.before) > date:
            return replace(own, date=None, rests_on="nothing", answer=doubt)
    if date is None:
        return replace(own, answer=Unknown(NoDate.NO_SOURCE))
    if own.date == date:
        return own
    return replace(own, date=date, rests_on="list", key=None, page=newest_page)
