"""What Search Console knows of an index and its sitemaps, beside the live files: as a table, and as JSON."""

from collections.abc import Sequence
from typing import IO

from smindex_plugins.announcing import Known
from smindex_plugins.reports.json_form import in_json, write_list
from smindex_plugins.reports.tables import Column, Table
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
_SECONDS = len("YYYY-MM-DDThh:mm:ss")


def console_table(name: str, known: Sequence[Known]) -> Table:
    """Return the table of an index, which is first, and its sitemaps."""
    base = directory(known[0].url)
    rows = tuple(_row(each, base) for each in known)
    errors, warnings = (sum(getattr(each, kind) for each in known) for kind in ("errors", "warnings"))
    found = f"Google counts {counted(errors, 'error')} and {counted(warnings, 'warning')}."
    more = " `smindex check` names what it finds wrong." if errors or warnings else ""
    return Table(title=f"{known[0].url} in {name}", columns=_COLUMNS, rows=rows, note=found + more)


def _row(each: Known, base: str) -> tuple[str, ...]:
    return (
        each.url.removeprefix(base),
        _time(each.submitted),
        _time(each.read) if each.is_known else "never",
        "yes" if each.is_pending else "no" if each.is_known else _UNKNOWN,
        f"{each.errors:,}" if each.is_known else _UNKNOWN,
        f"{each.warnings:,}" if each.is_known else _UNKNOWN,
        _number(each.found),
        _number(each.live),
        each.note or ("" if each.is_known else "unknown to Google") or _differing(each),
    )


def _differing(each: Known) -> str:
    if each.live is None:
        return "not in the live index"
    return "Google read another number" if each.found is not None and each.found != each.live else ""


def _time(text: str) -> str:
    """Return a time of Google's to the second; all are in UTC."""
    return text[:_SECONDS].replace("T", " ") or _UNKNOWN


def _number(count: int | None) -> str:
    return _UNKNOWN if count is None else f"{count:,}"


def write_console(name: str, known: Sequence[Known], out: IO[str]) -> None:
    """Print one JSON object, whose form `smindex_plugins/schemas/console.json` describes."""
    head = in_json({"version": 1, "property": name, "index": known[0].url})
    write_list(head[:-1] + ', "sitemaps": [', map(_fields, known), out)
    summary = {
        "errors": sum(each.errors for each in known),
        "warnings": sum(each.warnings for each in known),
        "pending": sum(each.is_pending for each in known),
        "unknown": sum(not each.is_known for each in known),
    }
    out.write(f', "summary": {in_json(summary)}}}\n')


def _fields(each: Known) -> dict[str, object]:
    """Return a sitemap as it is printed; what Google does not say is null."""
    return {
        "url": each.url,
        "known": each.is_known,
        "submitted": printable(each.submitted) or None,
        "read": printable(each.read) or None,
        "pending": each.is_pending,
        "errors": each.errors,
        "warnings": each.warnings,
        "urls": each.found,
        "live_urls": each.live,
        "note": printable(each.note) or None,
    }
