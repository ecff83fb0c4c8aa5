"""What a build wrote, omitted and found, as one JSON object."""

from dataclasses import dataclass
from typing import IO

from smindex_plugins.base.model import Finding
from smindex_plugins.pages.omissions import Omission
from smindex_plugins.printing.as_json import FileCounts, Version, as_shown, write_object
from smindex_plugins.report import Report


@dataclass(frozen=True, slots=True, kw_only=True)
class OmittedPage:
    """A page that is in no sitemap."""

    url: str
    file: str
    """The page as messages name it: a source, or a file of the built site."""
    reason: str

    @classmethod
    def of(cls, omission: Omission) -> "OmittedPage":
        """Return an omission in its JSON form."""
        return cls(url=omission.url, file=omission.where, reason=omission.why)


@dataclass(frozen=True, slots=True, kw_only=True)
class BuildOutput:
    """The output of `smindex build --format json`."""

    version: Version = 1
    index_urls: list[str]
    """The index, or all indexes if one can't list every sitemap. Empty if nothing was written."""
    pages: int
    """Pages that the sitemaps list."""
    sections: int
    sitemaps: int
    omitted: list[OmittedPage]
    undated: dict[str, int]
    """How many of the listed pages have no date, by reason."""
    files: FileCounts
    not_checked: list[str]
    """What was not checked, in words."""
    seconds: float
    findings: list[Finding]


def write_build(report: Report, seconds: float, out: IO[str]) -> None:
    """Print what a build wrote, every omitted page, and every finding."""
    output = BuildOutput(
        index_urls=report.index_urls,
        pages=report.pages,
        sections=report.sections,
        sitemaps=report.sitemaps,
        omitted=[OmittedPage.of(omission) for omission in report.omitted],
        undated=dict(sorted(report.undated.items())),
        files=FileCounts.of(report.changes),
        not_checked=report.unchecked,
        seconds=round(seconds, 3),
        findings=[as_shown(finding) for finding in report.findings],
    )
    write_object(output, out)
