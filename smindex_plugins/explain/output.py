"""Explanations of pages as text and as JSON."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import IO, Literal

from smindex_plugins.base.catalogue import Kind
from smindex_plugins.base.text import counted
from smindex_plugins.explain.checks import write_explanation
from smindex_plugins.explain.explaining import Explanation, ListedIn, PageDate
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
    missing, screen = 0, console(out)
    for number, kind in enumerate(kinds):
        if number:
            write_line(screen)
        write_explanation(kind, screen)
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
    flat, refusal = page.also_listed, page.not_listed
    if page.problem:
        yield "not found", page.problem
    if page.listed:
        yield from _listed_lines(page, page.listed)
    if refusal:
        is_new = refusal.by and not refusal.tag and refusal.by not in refusal.reason
        yield "not listed", f"{refusal.reason} ({refusal.by})" if is_new else refusal.reason
        if refusal.file:
            place = f"{refusal.file}, line {refusal.line}" if refusal.line else refusal.file
            yield "decided by", f"{place}: {refusal.tag}" if refusal.tag else place
        if refusal.fix:
            yield "to list it", refusal.fix
    if flat:
        is_same = ((page.listed and page.listed.lastmod) or "").startswith(
            flat.lastmod or "no date"
        )
        date = "the same date" if is_same else f"the date {flat.lastmod or 'none'}"
        yield "also in", f"{flat.file}, line {flat.line}, with {date}"
    for variant in page.variants:
        yield "variant", f"{variant.hreflang}: {variant.url}"
    for source in page.sources[:_MOST_FILES]:
        yield "source", source
    if page.file:
        yield "file", page.file


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
    commit, landed, label = date.commit, date.landed, "because"
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
        yield (
            label,
            (
                f"git has no date for it; its front matter gives {date.lastmod} as the date of"
                " publication"
            ),
        )
    elif commit and landed:
        how = (
            "written and " if commit.written == landed.committed else f"written {commit.written}, "
        )
        merge = f" by the merge {landed}" if commit.hash != landed.hash else ""
        published = f"{how}published {landed.committed}{merge}"
        yield label, f"{date.file} got its current content in commit {commit}, {published}"
    else:
        yield label, f"{date.file} got its current content on {date.lastmod}"
    if date.rests_on == "git" and len(date.files) > 1:
        names = ", ".join(date.files[:_MOST_FILES])
        yield "", f"this is the newest of its {counted(len(date.files), 'file')}: {names}"
