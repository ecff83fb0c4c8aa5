"""The reports of a site, in each output format."""

from collections.abc import Collection
from dataclasses import replace
from typing import IO

from smindex_plugins.base.formats import ReportForm
from smindex_plugins.base.text import counted
from smindex_plugins.overview.overview import Overview
from smindex_plugins.printing.as_json import write_object
from smindex_plugins.printing.terminal import console, write_line, write_table


def write_report(
    overview: Overview, form: ReportForm, out: IO[str], *, sections: Collection[str] = ()
) -> None:
    """Write a report in one of the output formats, with the given sections or all of them."""
    if sections:
        wanted = [each for each in overview.sections if each.name in sections]
        overview = replace(overview, sections=wanted)
    if form == "json":
        write_object(overview, out)
    elif form == "text":
        _write_text(overview, out, is_whole=not sections)
    else:
        from smindex_plugins.overview._page import write_markdown, write_page  # noqa: PLC0415 - Jinja takes 40 ms to load

        write = write_page if form == "html" else write_markdown
        write(overview, out)


def _write_text(overview: Overview, out: IO[str], *, is_whole: bool) -> None:
    screen = console(out)
    summary = overview.summary
    sections = list(overview.sections)
    if is_whole and len(sections) > 1:
        sections.append(overview.total)
    rows = []
    for each in sections:
        newest = (each.newest or "none")[:10]
        oldest = (each.oldest or "none")[:10]
        share = max(each.share_of_urls, each.share_of_bytes)
        rows.append((each.name, each.pages, each.undated, newest, oldest, share))
    heads = ("section", "pages", "undated", "newest", "oldest", "full")
    write_table(screen, f"Sections of {overview.site}", heads, rows)
    if not is_whole:
        return
    write_line(screen)
    if overview.omitted:
        by_reason = overview.omitted_by_reason
        omitted = [(reason, len(pages), pages[0].file) for reason, pages in by_reason.items()]
        number = counted(len(overview.omitted), "page")
        write_table(screen, f"Omitted: {number}", ("reason", "pages", "for example"), omitted)
    elif summary.omitted is None:
        write_line(screen, "Omitted: unknown, because the pages themselves were not checked.")
    else:
        write_line(screen, "Omitted: none. Every page that was found is in a sitemap.")
    write_line(screen)
    if overview.findings:
        found = []
        for check, (first, *_) in overview.findings_by_check.items():
            count = summary.checks[check]
            found.append((first.level, check, count, first.where, first.fix))
        write_table(screen, "Findings", ("level", "check", "findings", "first", "fix"), found)
    else:
        write_line(screen, "Findings: none in what was checked.")
    if summary.not_checked:
        unseen = "; ".join(summary.not_checked)
        write_line(screen, f"Not checked: {unseen}.")
    for note in overview.bulk:
        write_line(screen, note)
