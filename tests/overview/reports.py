"""Overviews of sites that are not there, a terminal, and texts that it or a CI service would take
for commands.
"""

import io
import os
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from smindex_plugins.base.difference import Difference
from smindex_plugins.base.model import Finding
from smindex_plugins.base.settings import Settings
from smindex_plugins.checks.tally import Tally
from smindex_plugins.overview.overview import (
    FileRow,
    OmittedRow,
    Overview,
    Summary,
    _sections,
    describe_bulks,
)
from smindex_plugins.printing.as_json import as_shown
from smindex_plugins.printing.changes import ShownDifference
from smindex_plugins.record.fact import Fact
from smindex_plugins.record.find import Record
from tests.support.history import Repo

BASE = "https://docs.example/"
SHARED = "2025-03-18T08:30:00Z"
"""The date of many pages."""
HOSTILE_HTML = (
    "<script>document.title='x'</script>",
    "\"onmouseover=\"document.title='x'",
    "</style><h1>x",
    "javascript:x",
)


def overview_of(
    entries: Mapping[str, Sequence[tuple[str, str]]],
    omitted: Sequence[str] = (),
    *,
    findings: Iterable[Finding] = (),
    changes: Difference | None = None,
    record: Record | None = None,
) -> Overview:
    """Make an overview of sections, each with the paths and the dates of its pages."""
    names = {f"{name}/sitemap.xml": f"{name}/" for name in entries}
    dated = {
        f"{name}/sitemap.xml": [(BASE + path, day or None) for path, day in each]
        for name, each in entries.items()
    }
    counts = {
        "sitemap_index.xml": len(entries),
        **{file: len(each) for file, each in dated.items()},
    }
    files = [
        FileRow(
            file=file,
            url=BASE + file,
            is_index=file not in dated,
            entries=count,
            bytes=120 * count,
            lastmod=max((day for _, day in dated.get(file, ()) if day), default=None),
        )
        for file, count in counts.items()
    ]
    sections, pages = _sections(files, dated, names)
    tally = Tally(findings)
    return Overview(
        site=BASE,
        date="2026-11-22",
        summary=Summary(
            pages=len(pages),
            undated=sum(section.undated for section in sections),
            sections=len(sections),
            sitemaps=len(dated),
            indexes=1,
            omitted=len(omitted),
            **tally.summary(()),
        ),
        sections=sections,
        files=files,
        omitted=[
            OmittedRow(url=BASE + name, file=name, reason="marked noindex") for name in omitted
        ],
        findings=[as_shown(finding) for check in tally.checks for finding in tally.first[check]],
        changes=ShownDifference.of(changes) if changes else None,
        bulk=describe_bulks(pages, (), record),
        pages=pages,
    )


def garden() -> Overview:
    """Make a site of a few hundred pages, as sites are: old and new ones, and one commit that
    touched many.
    """
    pages: dict[str, list[tuple[str, str]]] = {}
    for number in range(420):
        section = ("guide", "guide", "guide", "reference", "reference", "blog", "about")[number % 7]
        part = ("install", "configure", "extend", "deploy")[number % 4]
        least = {"guide": 2024, "reference": 2022, "blog": 2026, "about": 2020}[section]
        year, month, day = (
            least + number * 7 % 11 % (2027 - least),
            number * 5 % 12 + 1,
            number * 13 % 28 + 1,
        )
        moment = f"{year if month < 11 else year - 1}-{month:02}-{day:02}T10:00:00Z"
        moment = SHARED if number % 5 == 0 else "" if number % 23 == 0 else moment
        pages.setdefault(section, []).append((f"{section}/{part}/page-{number}/", moment))
    shared = [path for listed in pages.values() for path, moment in listed if moment == SHARED]
    with TemporaryDirectory() as place:
        repo = Repo.create(Path(place) / "garden")
        commit = repo.commit(0, {"all.md": ""}, message="Reformat all pages")
        facts = tuple(
            Fact(url=BASE + path, lastmod=SHARED, rests_on="git", dated_by="all.md", commit=commit)
            for path in shared
        )
        directory = os.path.join(repo.path, "site")
        record = Record(
            project=str(repo.path),
            directory=directory,
            url=BASE,
            settings=Settings(),
            settings_file="",
            facts=facts,
        )
        return overview_of(pages, ("404.html", "drafts/new.html", "print.html"), record=record)


HOSTILE = (
    "\n::error::x",
    "::add-mask::x",
    "  ::warning file=a,line=1::x",
    "##[add-matcher]x",
    "###vso[task.setvariable variable=a]x",
    "\r\x1b[2J\x1b]0;title\a",
    "\x9b31m",
    "\u202edlrow\u2066",
    "\u2028\u2029\x85\v\f",
    "\u200b\ufeff\U000e0041",
    os.fsdecode(b"\xff"),
    "a" * 200_000,
    "::" * 50_000 + "##[" * 50_000,
)
NAMES = [text for text in HOSTILE if len(text) < 100]
OF_RICH = re.compile(r"\r|\x1b\[(?:2K|1A|\?25[lh]|[0-9;]*m)|\x1b\]8;[^\x1b]*\x1b\\")
"""What moves the cursor to the line of the progress, hides and shows it, and makes colours and
links."""


def commands(text: str) -> list[str]:
    """Return what a service or a terminal would take for a command."""
    found = [each for each in text if not each.isprintable() and each != "\n"]
    return found + re.findall(r"^\s*::.*|##\w*\[.*", text, re.MULTILINE)


def strings(value: object, key: str = "") -> Iterator[str]:
    """Yield the texts of an object but for paths, which are exact."""
    if isinstance(value, dict):
        for name, each in value.items():
            yield from strings(each, name)
    elif isinstance(value, list):
        for each in value:
            yield from strings(each, key)
    elif isinstance(value, str) and key not in {
        "file",
        "files",
        "source",
        "sources",
        "asked",
        "url",
        "site",
        "name",
        "section",
    }:
        yield value


class Terminal(io.StringIO):
    """A terminal whose text can be read."""

    def isatty(self) -> bool:
        """Say that it is one."""
        return True
