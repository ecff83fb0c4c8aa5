"""What Search Console knows of an index and its sitemaps, beside the live files: as a table, and as JSON."""

from collections.abc import Sequence
from dataclasses import asdict
from typing import IO, Literal

from smindex_plugins.announcing import SitemapStatus
from smindex_plugins.limits import MAX_LINE
from smindex_plugins.reports.json_form import in_json
from smindex_plugins.reports.tables import Column, Table
from smindex_plugins.reports.terminal import write_tables
from smindex_plugins.text import counted, printable
from smindex_plugins.urls import directory

_COLUMNS = (
    Column("sitemap", folds=True),
    Column("submitted", rank=3),
    Column("last read"),
    Column("pending", rank=2),
    Column("errors", is_number=True),
    Column("warnings", is_number=True),
    Column("URLs", is_number=True),
    Column("live", is_number=True),
    Column("note", folds=True, rank=1),
)
_UNKNOWN = "-"


def _table(name: str, statuses: Sequence[SitemapStatus]) -> Table:
    """Return the table of an index, which is first, and its sitemaps."""
    base = directory(statuses[0].url)
    rows = []
    for each in statuses:
        note = each.note or ""
        if not note and not each.known:
            note = "unknown to Google"
        elif not note and each.live_urls is None:
            note = "not in the live index"
        elif not note and each.urls is not None and each.urls != each.live_urls:
            note = "Google read another number"
        numbers = [each.errors, each.warnings, each.urls] if each.known else [None] * 3
        rows.append(
            (
                each.url.removeprefix(base),
                _time(each.submitted),
                _time(each.read) if each.known else "never",
                ("yes" if each.pending else "no") if each.known else _UNKNOWN,
                *(_UNKNOWN if number is None else f"{number:,}" for number in [*numbers, each.live_urls]),
                note,
            )
        )
    errors, warnings = sum(each.errors for each in statuses), sum(each.warnings for each in statuses)
    found = f"Google counts {counted(errors, 'error')} and {counted(warnings, 'warning')}."
    more = " `smindex check` names what it finds wrong." if errors or warnings else ""
    return Table(title=f"{statuses[0].url} in {name}", columns=_COLUMNS, rows=tuple(rows), note=found + more)


def _time(text: str | None) -> str:
    """Return a time of the API to the second; all are in UTC."""
    return text[: len("YYYY-MM-DDThh:mm:ss")].replace("T", " ") if text else _UNKNOWN


def write_console(name: str, statuses: Sequence[SitemapStatus], form: Literal["text", "json"], out: IO[str]) -> None:
    """Print a table, or one JSON object, whose form `smindex_plugins/schemas/console.json` describes."""
    if form == "text":
        write_tables([_table(name, statuses)], out)
        if not statuses[0].known:
            hint = f"Google does not know this index. Submit it: smindex console submit {statuses[0].url}"
            out.write(f"{printable(hint, MAX_LINE)}\n")
        return
    fields = {
        "version": 1,
        "property": name,
        "index": statuses[0].url,
        "sitemaps": list(map(asdict, statuses)),
        "summary": {
            "errors": sum(each.errors for each in statuses),
            "warnings": sum(each.warnings for each in statuses),
            "pending": sum(each.pending for each in statuses),
            "unknown": sum(not each.known for each in statuses),
        },
    }
    out.write(f"{in_json(fields, indent=2)}\n")
