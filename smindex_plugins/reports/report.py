"""The reports of a site: what they are made of, and the forms in which they are written."""

import os
from collections.abc import Callable, Collection
from dataclasses import replace
from datetime import UTC, datetime
from typing import IO, Literal

from smindex_plugins.announcing import diff
from smindex_plugins.projects import BuiltSite
from smindex_plugins.reports import overview
from smindex_plugins.reports.explaining import Explainer
from smindex_plugins.reports.markdown import write_markdown
from smindex_plugins.reports.overview_json import write_overview
from smindex_plugins.reports.seen import Seen, describe_bulks
from smindex_plugins.reports.tables import overview_tables
from smindex_plugins.reports.terminal import write_tables
from smindex_plugins.sites import Directory, Live
from smindex_plugins.web import Fetcher

ReportForm = Literal["text", "json", "markdown", "html"]
REPORT_FORMS: tuple[ReportForm, ...] = ("text", "json", "markdown", "html")
_SUFFIXES: dict[str, ReportForm] = {".html": "html", ".htm": "html", ".md": "markdown", ".json": "json"}


def report_form(name: str) -> ReportForm | None:
    """Return the form that the name of a file asks for."""
    return _SUFFIXES.get(os.path.splitext(name)[1].lower())


def look(
    checked: Directory | Live,
    *,
    since: str = "",
    site: BuiltSite | None = None,
    site_url: str = "",
    fetcher: Fetcher | None = None,
    tell: Callable[[str], None] = lambda _: None,
) -> Seen:
    """Return an overview of a site, which is checked on the way.

    ``since`` is an earlier version to compare with: a directory, a URL, or an earlier report in JSON. ``site`` is the
    project that built the site, if it is here; ``site_url`` is the address of an earlier version in a directory.

    Raises:
        OSError: a sitemap cannot be read to its end, or the site does not answer.
        ValueError: a URL is invalid, a file is no report, or nothing tells which URL serves the directory.
    """
    named = [section.name for section in site.settings.sections] if site else []
    found = overview.look(checked, tell=tell, named=named)
    changes = diff(since, checked, site_url=site_url or found.site, fetcher=fetcher, tell=tell) if since else None
    origin: Callable[[str], str] = lambda _: ""  # noqa: E731 - the other one is a method
    if site is not None and isinstance(checked, Directory) and os.path.isdir(site.directory):
        origin = Explainer(site=site, checked=replace(checked, site_url=found.site)).origin
    today = datetime.now(UTC).date()
    return Seen(overview=found, today=today, changes=changes, bulk=describe_bulks(found, origin))


def write_report(seen: Seen, form: ReportForm, out: IO[str], *, sections: Collection[str] = ()) -> None:
    """Write a report in one of its forms; in text and JSON of these sections alone, if any are given."""
    if form == "html":
        from smindex_plugins.reports.page import write_page  # noqa: PLC0415 - what it needs takes 15 ms to load

        write_page(seen, out)
    elif form == "markdown":
        write_markdown(seen, out)
    elif form == "json":
        write_overview(seen.overview, out, sections, changes=seen.changes, with_pages=True)
    else:
        write_tables(overview_tables(seen.overview, sections), out)
