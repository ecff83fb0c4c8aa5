"""The resources for a run over a table, the faults of rows, and the outcome of the run."""

import re
from collections import Counter
from dataclasses import dataclass, field
from enum import StrEnum

from smindex_plugins.base.catalogue import INVALID_ROWS, REPEATED_ROWS
from smindex_plugins.base.model import Changes, Finding, IndexEntry
from smindex_plugins.base.text import counted, listed
from smindex_plugins.pages.omissions import NotListed

_MANY = 100_000
"""The number of rows above which the speed is shown. Smaller runs spend most of their time on
startup."""


class Fault(StrEnum):
    """The faults of rows, as text that follows a count.

    Rows can also have a `NotListed` reason of pages.
    """

    UNREAD = "that can't be read"
    NO_URL = "without a URL"
    INVALID_URL = "with an invalid URL"
    DUPLICATE = "at the URL of another row"
    UNREADABLE_DATE = "with a date that can't be read"
    FUTURE_DATE = "with a date in the future"
    ZERO_DATE = "with a date that stands for none, such as 1970-01-01"
    WRONG_DETAILS = "with a wrong language variant or image"


LISTED_FAULTS = frozenset(
    {Fault.UNREADABLE_DATE, Fault.FUTURE_DATE, Fault.ZERO_DATE, Fault.WRONG_DETAILS}
)
"""The faults of rows that are listed without the invalid value."""
_FIXES: dict[str, str] = {
    Fault.UNREAD: (
        "Write them in UTF-8, with the columns of the first line, or as one JSON object a line."
    ),
    Fault.NO_URL: "Write the URL of a page into these rows, or remove them from the table.",
    Fault.INVALID_URL: "Write the absolute URL of a page.",
    NotListed.LONG_URL: "Shorten the paths of these pages.",
    NotListed.OUT_OF_SCOPE: "Check the URLs against --site-url.",
    Fault.UNREADABLE_DATE: "Write YYYY-MM-DD or YYYY-MM-DDThh:mm:ssZ, or leave the date empty.",
    Fault.FUTURE_DATE: "Write the date on which these pages last changed, or leave the date empty.",
    Fault.ZERO_DATE: "Leave the date empty if it is not known.",
    Fault.WRONG_DETAILS: "Write absolute URLs, and language codes such as de or en-GB.",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Bounds:
    """The resources that an engine may use."""

    memory: str = "4GB"
    """The memory that the engine fills before it writes to disk. Python and Arrow use a few hundred
    megabytes more."""
    temp: str = ""
    """The directory for temporary files. The default is the system's."""
    threads: int | None = None
    """The default is the number of cores."""

    def memory_of_java(self) -> str:
        """Return the amount of memory in Java's format.

        Raises:
            ValueError: it is not a whole number with a unit.
        """
        match = re.fullmatch(r"(\d+) ?([KMGT])i?B?", self.memory.strip(), re.IGNORECASE)
        if match is None:
            message = (
                f"--memory {self.memory}: Spark accepts a whole number and a unit, such as 4GB or"
                " 1500MB"
            )
            raise ValueError(message)
        return match[1] + match[2].lower()


@dataclass(frozen=True, slots=True, kw_only=True)
class TableOutcome:
    """The outcome of a run over a table."""

    rows: int = 0
    """The rows of the table."""
    pages: int = 0
    """The pages that the sitemaps list."""
    sections: int = 0
    entries: list[IndexEntry] = field(default_factory=list)
    """The entries of the index, in its order: one for each sitemap."""
    index_urls: list[str] = field(default_factory=list)
    """The index, or several if one can't list every sitemap. Empty if nothing was written."""
    faults: Counter[str] = field(default_factory=Counter)
    """How many rows have each fault, whether they are listed or not."""
    findings: list[Finding] = field(default_factory=list)
    changes: Changes = field(default_factory=Changes)
    """The changes to files, by their URL paths below the site."""

    def summary(self, seconds: float) -> str:
        """Return one line about what was written, and how fast."""
        pages = counted(self.pages, "page")
        sections = counted(self.sections, "section")
        parts = [f"{pages} in {sections}, {self._where()}"]
        for words, is_listed in (("omitted", False), ("partially listed", True)):
            faults = {}
            for fault, rows in self.faults.items():
                if (fault in LISTED_FAULTS) == is_listed:
                    faults[fault] = rows
            if faults:
                parts.append(f"{words}: {listed(faults)}")
        duration = f"{counted(self.rows, 'row')} in {seconds:.2f} s"
        if self.rows >= _MANY:
            duration += f", {self.rows / seconds:,.0f} rows/s"
        parts.append(duration)
        return "; ".join(parts)

    def _where(self) -> str:
        if not self.index_urls:
            return "no index was written"
        first, *others = self.index_urls
        where = f"{counted(len(self.entries), 'sitemap')} listed in {first}"
        if others:
            where += f" and {len(others):,} more"
        return where


def fault_finding(fault: str, rows: int, examples: list[str]) -> Finding | None:
    """Return the finding about rows with a fault, or None for pages that are omitted on purpose."""
    if fault == Fault.DUPLICATE:
        outcome = "omitted, because another row takes precedence"
    elif fault not in _FIXES:
        return None
    elif fault in LISTED_FAULTS:
        outcome = "listed without it"
    else:
        outcome = "not listed"
    where = f"{counted(rows, 'row')} {fault}"
    they_are = "it is" if rows == 1 else "they are"
    such = ""
    if examples:
        such = f", such as {', '.join(examples)}"
    problem = f"{they_are} {outcome}{such}."
    if fault == Fault.DUPLICATE:
        return REPEATED_ROWS.at(where, problem)
    fix = f"{_FIXES[fault]} --rejected FILE writes all of them to a file."
    return INVALID_ROWS.at(where, problem, fix)
