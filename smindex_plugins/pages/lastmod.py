"""Which lastmod a page has: what its author wrote, or what git proves of the files that it is made of, or none."""

import os
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from datetime import datetime
from functools import cache

from smindex_plugins import patterns, urls
from smindex_plugins.catalogue import BULK_COMMIT, FUTURE_DATE, UNCOMMITTED_EDITS, UNKNOWN_DEPENDENCY
from smindex_plugins.dates import is_future, past, utc, w3c_date, written
from smindex_plugins.history import OUT_OF_THE_AUTHORS_HANDS, Answer, Change, History, Reason, Unknown, newest
from smindex_plugins.model import Finding, Page
from smindex_plugins.pages.front_matter import author_date, depends
from smindex_plugins.settings import Settings, Target
from smindex_plugins.wording import counted


class Dating:
    """Dates pages. It owns the history, and so what git has said already."""

    def __init__(self, settings: Settings) -> None:
        self.history = History(
            date=settings.git_date, line=settings.git_history, ignore_revs_file=settings.ignore_revs_file
        )
        self._settings = settings

    def start(self, pages: Iterable[Page], site_url: str) -> None:
        """Begin to read the history of these pages while the host goes on; what is wrong with them is told later."""
        if self._settings.lastmod == "git":
            target = Target(site_url=site_url, directory="", settings=self._settings)
            completed = _complete(pages, self.history, target, [])
            self.history.start(source for page in completed for source in page.sources)

    def date(
        self, pages: Iterable[Page], target: Target, now: datetime, findings: list[Finding]
    ) -> tuple[list[Page], dict[str, Unknown]]:
        """Return all pages with their dates, and by their URLs why others have none.

        A date is what the page came with, what its author wrote, or what git proves; there is no other.

        Raises:
            ValueError: what a page came with is no W3C date.
        """
        if target.settings.lastmod == "off":
            return [replace(page, lastmod=None) if page.lastmod else page for page in pages], {}
        completed = _complete(pages, self.history, target, findings)
        sources = {source for page in completed for source in page.sources}
        known = self.history.dates(sources)
        answers = [newest(known[source] for source in page.sources) for page in completed]
        own = [_own_date(page, answer, findings, now) for page, answer in zip(completed, answers, strict=True)]
        has_lists = any(page.details.lists for page in completed)
        by_url = {page.url: date for page, date in zip(completed, own, strict=True)} if has_lists else {}
        dated: list[Page] = []
        undated: dict[str, Unknown] = {}
        for page, date in zip(completed, own, strict=True):
            final = _newest_listed(page, date, by_url) if page.details.lists else date
            if isinstance(final, Unknown):
                undated[page.url] = final
            lastmod = None if isinstance(final, Unknown) else written(final, target.settings.lastmod_format)
            dated.append(page if page.lastmod == lastmod else replace(page, lastmod=lastmod))
        findings += _bulk_commit(answers)
        findings += _uncommitted_edits(self.history.edited(sources), completed)
        return dated, undated


@cache
def shared_dating(settings: Settings) -> Dating:
    """Return the one dating for these settings: a process that builds again and again walks one HEAD once.

    Who begins such a build refreshes its history.
    """
    return Dating(settings)


def _complete(pages: Iterable[Page], history: History, target: Target, findings: list[Finding]) -> list[Page]:
    """Add to every page the files that it depends on.

    A pattern is relative to the root of the git repository of the page's first source; that of a generated page, which
    has none, to that of the first page that has one. A pattern that names no file is kept as a source that nobody
    knows: the page may have changed when the file went away.
    """
    pages = list(pages)
    first = next((page.sources[0] for page in pages if page.sources), None)
    expand = cache(patterns.files)
    reported: set[tuple[str, str]] = set()
    completed = []
    for page in pages:
        added: list[str] = []
        for where, pattern in _patterns(page, target, findings):
            source = page.sources[0] if page.sources else first
            root = (history.repository(source) if source else None) or os.getcwd()
            files = expand(root, pattern)
            if not files and (where, pattern) not in reported:
                reported.add((where, pattern))
                problem = f"it depends on {pattern!r}, which is no file in {root}."
                findings.append(UNKNOWN_DEPENDENCY.at(where, problem))
            added += files or [os.path.join(root, pattern)]
        completed.append(replace(page, sources=tuple(dict.fromkeys([*page.sources, *added]))) if added else page)
    return completed


def _patterns(page: Page, target: Target, findings: list[Finding]) -> Iterator[tuple[str, str]]:
    """Yield the patterns of a page, each with where it is written."""
    for pattern in depends(page, findings):
        yield page.name, pattern
    if target.settings.depends and urls.is_within(page.url, target.site_url):
        path = urls.relative_path(page.url, target.site_url)
        for urls_pattern, files in target.settings.depends:
            if urls.matches(path, (urls_pattern,)):
                for pattern in files:
                    yield "depends", pattern


def _authors_word(page: Page, findings: list[Finding], now: datetime) -> str | None:
    lastmod = w3c_date(page.lastmod) if page.lastmod else author_date(page, findings)
    if page.lastmod and not lastmod:
        message = f"the lastmod of {page.url}, {page.lastmod!r}, is no W3C date"
        raise ValueError(message)
    if lastmod and is_future(lastmod, now):
        problem = f"its front matter says it changed on {lastmod}, which is in the future."
        findings.append(FUTURE_DATE.at(page.name, problem))
        return None
    return lastmod


def _own_date(page: Page, answer: Answer, findings: list[Finding], now: datetime) -> str | Unknown:
    """Return the author's date, or git's; where git has none by nature, the day on which the page is said to appear."""
    if page.details.unlisted:
        return Unknown(Reason.NO_SOURCE)
    if lastmod := _authors_word(page, findings, now):
        return lastmod
    if isinstance(answer, Change):
        return past(answer.when, now) or Unknown(Reason.FUTURE)
    published = page.details.published
    if published and answer.reason in OUT_OF_THE_AUTHORS_HANDS and not is_future(published, now):
        return published
    return answer


def _newest_listed(page: Page, own: str | Unknown, by_url: Mapping[str, str | Unknown]) -> str | Unknown:
    """Date a list by the newest page it lists, unless one that is unknown may be newer still."""
    dates = [by_url[url] for url in page.details.lists if url in by_url]
    if page.sources or isinstance(own, str):
        dates.append(own)
    best = max((date for date in dates if isinstance(date, str)), default=None)
    for doubt in dates:
        if isinstance(doubt, Unknown) and (best is None or doubt.before is None or utc(doubt.before) > best):
            return doubt
    return best or Unknown(Reason.NO_SOURCE)


_BULK_PAGES = 20
_BULK_SHARE = 0.25


def _bulk_commit(answers: list[Answer]) -> Iterator[Finding]:
    """Suggest the list of ignored commits where one commit dates many pages that it did not add."""
    pages = len(answers)
    by_commit = Counter(answer for answer in answers if isinstance(answer, Change))
    if pages < _BULK_PAGES:
        return
    for change, count in sorted(by_commit.items(), key=lambda item: (-item[1], item[0].commit)):
        if count >= _BULK_SHARE * pages and not change.is_new:
            problem = f"they are dated {utc(change.when)} by the one commit {change.commit}."
            yield BULK_COMMIT.at(f"{count:,} of {counted(pages, 'page')}", problem)
            return


def _uncommitted_edits(edited: Iterable[str], pages: list[Page]) -> Iterator[Finding]:
    files = set(edited)
    count = sum(not files.isdisjoint(page.sources) for page in pages) if files else 0
    if count:
        problem = "there are edits that are not committed; the dates are those of the last commits."
        yield UNCOMMITTED_EDITS.at(f"{count:,} of {counted(len(pages), 'page')}", problem)
