"""The forms of a report, and which one the name of a file asks for."""

import os
from typing import IO, Literal

from smindex_plugins.reports.markdown import write_markdown
from smindex_plugins.reports.overview_json import write_overview
from smindex_plugins.reports.seen import Seen

ReportForm = Literal["html", "markdown", "json"]
REPORTS: tuple[ReportForm, ...] = ("html", "markdown", "json")
_SUFFIXES: dict[str, ReportForm] = {".html": "html", ".htm": "html", ".md": "markdown", ".json": "json"}


def report_form(name: str) -> ReportForm | None:
    """Return the form that the name of a file asks for."""
    return _SUFFIXES.get(os.path.splitext(name)[1].lower())


def write_report(seen: Seen, form: str, out: IO[str]) -> None:
    """Write a report in one of its forms."""
    if form == "html":
        from smindex_plugins.reports.page import write_page  # noqa: PLC0415 - what it needs takes 15 ms to load

        write_page(seen, out)
    elif form == "markdown":
        write_markdown(seen, out)
    else:
        write_overview(seen.overview, out, changes=seen.changes, with_pages=True)
