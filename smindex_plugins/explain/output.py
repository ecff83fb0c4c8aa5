"""Explanations of pages as text and as JSON."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import IO, Literal

from smindex_plugins.base.catalogue import Kind
from smindex_plugins.base.text import counted
from smindex_plugins.explain.checks import write_explanation
from smindex_plugins.explain.explaining import (
    DatingCommit,
    Explanation,
    ListedIn,
    PageDate,
    WhyNotListed,
)
from smindex_plugins.printing.as_json import Version, write_object
from smindex_plugins.printing.terminal import console, write_line

_MOST_FILES = 5
_CHANGED = "so the sitemap was changed since, or is from another build"


@dataclass(frozen=True, slots=True, kw_only=True)
class Explanations:
    """The output of `smindex explain --format json`. Values that a page does not have are null."""

    version: Version = 1
    checks: list[Kind]
    """The requested checks and messages, or all of them without arguments."""
    pages: list[Explanation]


def write_explanations(
    explained: Iterable[Explanation],
    form: Literal["text", "json"],
    out: IO[str],
    *,
    kinds: Sequence[Kind] = (),
) -> int:
    """Print explanations of checks and pages, and return how many pages were not found."""
    if form == "json":
        pages = list(explained)
        write_object(Explanations(checks=[*kinds], pages=pages), out)
        return sum(page.problem is not None for page in pages)
    screen = console(out)
    for number, kind in enumerate(kinds):
        if number:
            write_line(screen)
        write_explanation(kind, screen)
    missing = 0
    for number, page in enumerate(explained, len(kinds)):
        if number:
            write_line(screen)
        write_line(screen, (page.url or page.asked, "bold"))
        for label, text in _lines(page):
            write_line(screen, "  ", (f"{label:<11}", "dim"), f" {text}")
        missing += page.problem is not None
    return missing


def _lines(page: Explanation) -> Iterator[tuple[str, str]]:
    """Yield what is known about a page, each line with its label."""
    if page.problem:
        yield "not found", page.problem
    if page.listed:
        yield from _listed_lines(page, page.listed)
    if page.not_listed:
        yield from _refusal_lines(page.not_listed)
    other = page.also_listed
    if other:
        own_date = page.listed.lastmod if page.listed else None
        date = f"the date {other.lastmod or 'none'}"
        if own_date and other.lastmod and own_date.startswith(other.lastmod):
            date = "the same date"
        yield "also in", f"{other.file}, line {other.line}, with {date}"
    for variant in page.variants:
        yield "variant", f"{variant.hreflang}: {variant.url}"
    for source in page.sources[:_MOST_FILES]:
        yield "source", source
    if page.file:
        yield "file", page.file


def _refusal_lines(refusal: WhyNotListed) -> Iterator[tuple[str, str]]:
    reason = refusal.reason
    if refusal.by and not refusal.tag and refusal.by not in reason:
        reason += f" ({refusal.by})"
    yield "not listed", reason
    if refusal.file:
        place = refusal.file
        if refusal.line:
            place += f", line {refusal.line}"
        if refusal.tag:
            place += f": {refusal.tag}"
        yield "decided by", place
    if refusal.fix:
        yield "to list it", refusal.fix


def _listed_lines(page: Explanation, listed: ListedIn) -> Iterator[tuple[str, str]]:
    yield "listed in", f"{listed.file}, line {listed.line}, in the section {listed.section}"
    for why in page.why_there:
        yield "because", why
    yield "date", listed.lastmod or "none"
    if page.date:
        if (listed.lastmod or None) != page.date.lastmod:
            date = f"the date {page.date.lastmod}" if page.date.lastmod else "no date"
            yield "but", f"the recorded build gave the page {date}, {_CHANGED}"
        yield from _date_lines(page.date)
    elif page.is_recorded:
        yield "because", "dates are turned off (lastmod: off)"
    else:
        yield "because", "its origin is unknown, because the build is not recorded"


def _date_lines(date: PageDate) -> Iterator[tuple[str, str]]:
    """Yield the origin of a date, or why there is none."""
    label = "because"
    if date.reason:
        yield label, f"it is {date.reason}"
        if date.fix:
            yield "to date it", date.fix
    elif date.rests_on == "author":
        yield label, f"its front matter sets `{date.key}`: {date.lastmod}"
    elif date.rests_on == "filter":
        yield label, f"`filter` set it: {date.lastmod or 'no date'}"
    elif date.rests_on == "list":
        yield label, f"it is the newest date of the pages that it lists, that of {date.page}"
    elif date.rests_on == "publication":
        publication = f"its front matter gives {date.lastmod} as the date of publication"
        yield label, f"git has no date for it; {publication}"
    elif date.commit and date.landed:
        how = _published(date.commit, date.landed)
        yield label, f"{date.file} got its current content in commit {date.commit}, {how}"
    else:
        yield label, f"{date.file} got its current content on {date.lastmod}"
    if date.rests_on == "git" and len(date.files) > 1:
        number = counted(len(date.files), "file")
        names = ", ".join(date.files[:_MOST_FILES])
        yield "", f"this is the newest of its {number}: {names}"


def _published(commit: DatingCommit, landed: DatingCommit) -> str:
    """Return when a commit was written and published, by itself or by a merge."""
    how = f"written {commit.written}, published {landed.committed}"
    if commit.written == landed.committed:
        how = f"written and published {landed.committed}"
    if commit.hash != landed.hash:
        how += f" by the merge {landed}"
    return how
