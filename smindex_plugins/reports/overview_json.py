"""An overview as one JSON object, whose form `smindex_plugins/schemas/overview.json` describes."""

import os
from collections.abc import Collection, Iterator, Mapping
from itertools import chain
from typing import IO

from smindex_plugins.announcing import Difference
from smindex_plugins.pages import Omission
from smindex_plugins.reports.difference import difference_fields
from smindex_plugins.reports.json_form import finding_fields, in_json, write_list
from smindex_plugins.reports.names import readable
from smindex_plugins.reports.overview import Overview, Section, Sheet
from smindex_plugins.text import printable


def write_overview(
    seen: Overview,
    out: IO[str],
    only: Collection[str] = (),
    *,
    changes: Difference | None = None,
    with_pages: bool = False,
) -> None:
    """Print one JSON object: the sections, the files, what was left out, the findings.

    What changed since an earlier time is in it where that is known, and on demand every page.
    """
    here = os.getcwd()
    sections = [section for section in seen.sections if not only or section.name in only]
    shown = chain.from_iterable(seen.tally.first[check] for check in seen.tally.checks())
    head = {"version": 1, "site": readable(seen.site), "summary": _summary(seen)}
    write_list(f'{in_json(head)[:-1]}, "sections": [', map(_section, sections), out)
    write_list(', "files": [', map(_file, [*seen.indexes, *seen.sitemaps]), out)
    write_list(', "left_out": [', map(_omission, seen.left_out), out)
    write_list(', "findings": [', (finding_fields(finding, here) for finding in shown), out)
    if changes is not None:
        out.write(f', "changes": {in_json(difference_fields(changes))}')
    if with_pages:
        write_list(', "pages": [', _pages(seen), out)
    out.write("}\n")


def _summary(seen: Overview) -> Mapping[str, object]:
    levels = seen.tally.levels
    return {
        "pages": seen.pages,
        "undated": sum(section.undated for section in seen.sections),
        "sections": len(seen.sections),
        "sitemaps": len(seen.sitemaps),
        "indexes": len(seen.indexes),
        "left_out": len(seen.left_out) if seen.knows_left_out else None,
        "errors": levels["error"],
        "warnings": levels["warning"],
        "notices": levels["notice"],
        "checks": {check: seen.tally.counts[check] for check in seen.tally.checks()},
        "not_looked_at": list(map(printable, seen.totals.unseen)),
    }


def _section(section: Section) -> Mapping[str, object]:
    return {
        "name": readable(section.name),
        "pages": section.pages,
        "newest": section.newest or None,
        "oldest": section.oldest or None,
        "undated": section.undated,
        "bytes": section.size,
        "share_of_urls": round(section.fill_of_urls, 6),
        "share_of_bytes": round(section.fill_of_bytes, 6),
        "files": [readable(sheet.where) for sheet in section.sheets],
    }


def _file(sheet: Sheet) -> Mapping[str, object]:
    return {
        "file": readable(sheet.where),
        "url": readable(sheet.url),
        "is_index": sheet.is_index,
        "entries": sheet.count,
        "bytes": sheet.size,
        "lastmod": printable(sheet.lastmod) or None,
    }


def _omission(omission: Omission) -> Mapping[str, object]:
    return {
        "url": readable(omission.url),
        "file": readable(omission.where),
        "reason": printable(omission.words),
        "by": printable(omission.by) or None,
    }


def _pages(seen: Overview) -> Iterator[Mapping[str, object]]:
    for url, date, section in seen.dated():
        yield {"url": url, "lastmod": date or None, "section": readable(section)}
