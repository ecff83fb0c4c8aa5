"""Which lastmod a page and a section have: what the author wrote, or what git proves, or none."""

import os
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime

from smindex_plugins.dates import is_future, utc
from smindex_plugins.frontmatter import author_date
from smindex_plugins.history import Answer, Change, History, Reason, Unknown, newest
from smindex_plugins.model import Finding, Page
from smindex_plugins.sections import Section
from smindex_plugins.settings import Settings
from smindex_plugins.wording import counted, listed


@dataclass(frozen=True, slots=True, kw_only=True)
class Dated:
    """Pages with their dates, and why some have none."""

    pages: list[Page]
    undated: Counter[str]
    findings: list[Finding]


def date_pages(pages: Iterable[Page], history: History, settings: Settings, now: datetime | None = None) -> Dated:
    """Give every page the date that its author wrote or that git proves, and no page any other."""
    now = now or datetime.now(UTC)
    pages = list(pages)
    dated = Dated(pages=[], undated=Counter(), findings=[])
    if settings.lastmod == "off":
        dated.pages.extend(replace(page, lastmod=None) for page in pages)
        return dated
    answers = history.dates({source for page in pages for source in page.sources})
    own = [_own_date(page, answers, dated.findings, now) for page in pages]
    by_url = {page.url: date for page, date in zip(pages, own, strict=True)}
    for page, date in zip(pages, own, strict=True):
        known = _newest_listed(page, date, by_url) if page.lists else date
        if isinstance(known, Unknown):
            if not page.unlisted:
                dated.undated[known.reason] += 1
            dated.pages.append(replace(page, lastmod=None))
        else:
            lastmod = known[: len("YYYY-MM-DD")] if settings.lastmod_format == "date" else known
            dated.pages.append(replace(page, lastmod=lastmod))
    dated.findings.extend(_undated_finding(dated.undated, len(pages), answers))
    return dated


def removals_by_section(
    dated: list[Page], grouped: list[Section], history: History, settings: Settings, now: datetime | None = None
) -> dict[int, str]:
    """Give, by section, when a source was last removed from it or moved: its sitemap changed then, though no page did.

    What happened in a directory that has no pages any more belongs to the sections of the nearest one that has.
    """
    if settings.lastmod == "off":
        return {}
    section_of = {page.url: position for position, section in enumerate(grouped) for page in section.pages}
    directories = {page.url: {os.path.dirname(source) for source in page.sources} for page in dated}
    sections_in: dict[str, set[int]] = {}
    for page in dated:
        listed = (directories[url] for url in page.lists if url in directories)
        for directory in directories[page.url].union(*listed):
            found = sections_in.setdefault(directory, set())
            if page.url in section_of:
                found.add(section_of[page.url])
    real: dict[str, set[int]] = {}
    for directory, found in sections_in.items():
        real.setdefault(os.path.realpath(directory), set()).update(found)
    now = now or datetime.now(UTC)
    newest_removal: dict[int, str] = {}
    for directory, when in history.removals().items():
        date = _past(when, now)
        if date is None:
            continue
        if settings.lastmod_format == "date":
            date = date[: len("YYYY-MM-DD")]
        for position in _nearest(real, directory):
            newest_removal[position] = max(date, newest_removal.get(position, date))
    return newest_removal


def _nearest(sections_in: dict[str, set[int]], directory: str) -> set[int]:
    while directory not in sections_in:
        parent = os.path.dirname(directory)
        if parent == directory:
            return set()
        directory = parent
    return sections_in[directory]


def _own_date(page: Page, answers: Mapping[str, Answer], findings: list[Finding], now: datetime) -> str | Unknown:
    if page.unlisted:
        return Unknown(Reason.NO_SOURCE)
    return _authors_word(page, findings, now) or _proven(page, answers, now)


def _authors_word(page: Page, findings: list[Finding], now: datetime) -> str | None:
    lastmod, finding = author_date(page)
    if lastmod and is_future(lastmod, now):
        finding = _future_date(page, lastmod)
    if finding:
        findings.append(finding)
        return None
    return lastmod


def _proven(page: Page, answers: Mapping[str, Answer], now: datetime) -> str | Unknown:
    """Give git's date; where git has none by nature, the day on which the author says the page appeared."""
    answer = newest(answers[source] for source in page.sources)
    if isinstance(answer, Change):
        return _past(answer.when, now) or Unknown(Reason.FUTURE)
    if page.published and answer.reason in _OUT_OF_THE_AUTHORS_HANDS and not is_future(page.published, now):
        return page.published
    return answer


def _newest_listed(page: Page, own: str | Unknown, by_url: Mapping[str, str | Unknown]) -> str | Unknown:
    """Date a list by the newest page it lists, unless one that is unknown may be newer still."""
    dates = [by_url[url] for url in page.lists if url in by_url]
    if page.sources or isinstance(own, str):
        dates.append(own)
    best = max((date for date in dates if isinstance(date, str)), default=None)
    for doubt in dates:
        if isinstance(doubt, Unknown) and (best is None or doubt.before is None or utc(doubt.before) > best):
            return doubt
    return best or Unknown(Reason.NO_SOURCE)


def _past(when: int, now: datetime) -> str | None:
    """Write git's seconds since 1970 unless they lie ahead; git keeps even those that are in no calendar."""
    return utc(when) if when <= now.timestamp() else None


_FIXES = {
    Reason.SHALLOW: "Fetch the whole history before the build: `git fetch --unshallow --filter=blob:none`; "
    "in GitHub Actions, give actions/checkout `fetch-depth: 0` and `filter: blob:none`.",
    Reason.UNTRACKED: "Commit what is new, or write `lastmod:` into its front matter.",
    Reason.NO_REPOSITORY: "Build in the git repository of the sources, or write `lastmod:` into their front matter.",
    Reason.NO_GIT: "Install git where the site is built.",
    Reason.DUBIOUS_OWNERSHIP: "Run `git config --global --add safe.directory DIRECTORY` for the repository.",
    Reason.UNREADABLE: "Run `git log` and `git fsck` in the repository to see what is wrong with it.",
    Reason.NO_SOURCE: "Generated pages can have a `lastmod:` in their front matter.",
    Reason.FUTURE: "Set the clock of the machine on which the commit was made, or of this one.",
}
_OUT_OF_THE_AUTHORS_HANDS = {Reason.UNTRACKED, Reason.NO_REPOSITORY, Reason.NO_SOURCE}


def _undated_finding(undated: Counter[str], pages: int, answers: Mapping[str, Answer]) -> Iterator[Finding]:
    if not undated:
        return
    details = {answer.detail for answer in answers.values() if isinstance(answer, Unknown) and answer.detail}
    yield Finding(
        check="undated-pages",
        level="notice" if undated.keys() <= _OUT_OF_THE_AUTHORS_HANDS else "warning",
        where=f"{sum(undated.values()):,} of {counted(pages, 'page')}",
        problem=f"no date can be proven, so none is written: {listed(undated)}"
        + "".join(f" (git: {detail})" for detail in sorted(details))
        + ".",
        fix=" ".join(fix for reason, fix in _FIXES.items() if reason in undated),
    )


def _future_date(page: Page, lastmod: str) -> Finding:
    return Finding(
        check="future-date",
        level="warning",
        where=page.source_name or page.url,
        problem=f"its front matter says it changed on {lastmod}, which is in the future.",
        fix="Write the day on which it last changed.",
    )
