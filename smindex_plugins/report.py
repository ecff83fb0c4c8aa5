"""The report of a run, its messages, and how hosts log them."""

import logging
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, Literal

from smindex_plugins.base import urls
from smindex_plugins.base.catalogue import UNDATED_PAGES
from smindex_plugins.base.model import Changes, Finding, Level, Page
from smindex_plugins.base.text import counted, listed, printable
from smindex_plugins.pages.omissions import Omission, counts_of

EXAMPLES, CAUSES = 3, 10
"""How many findings with the same cause are shown, and how many causes of a check, unless the user
requests all."""

Message = tuple[Level | Literal["debug", "summary"], str]
_Logger = logging.Logger | logging.LoggerAdapter[Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """The result of a run."""

    findings: list[Finding]
    """Problems and notices, in the order in which they were found."""
    index_urls: list[str] = field(default_factory=list)
    """The URL of the index, or of all indexes if one is not enough. Empty if nothing was
    written."""
    pages: int = 0
    """The number of pages in the sitemaps."""
    sections: int = 0
    sitemaps: int = 0
    omitted: list[Omission] = field(default_factory=list)
    """The pages that are in no sitemap, each with its reason."""
    undated: Counter[str] = field(default_factory=Counter)
    """The number of listed pages without a date, by reason."""
    dated: list[Page] = field(default_factory=list)
    """All pages with their dates, whether listed or not, at their original URLs."""
    changes: Changes = field(default_factory=Changes)
    """The files that were written, removed or left unchanged."""
    is_announced: bool = False
    """Whether the robots.txt next to the indexes lists all of them."""
    is_new: bool = True
    """Whether the directory lacked an index of this name before."""
    next_steps: str = ""
    """One-time steps that let search engines find the index, if nothing refers to it yet."""
    is_dated: bool = True
    """Whether the settings enable dates."""
    unchecked: list[str] = field(default_factory=list)
    """What the build could not check, as text."""
    unsaved: str = ""
    """Why the record of the build could not be saved, if it could not. This affects no output."""

    def summary(self, seconds: float, shown_by: str = "") -> str:
        """Return one line about what was written and, if notices are hidden, how to see them."""
        parts = [self._listing()]
        if self.omitted:
            parts.append(f"omitted: {counts_of(self.omitted)}")
        if self.pages:
            parts.append(self._dates())
        if self.unchecked:
            parts.append(f"not checked: {', '.join(self.unchecked)}")
        parts.append(f"{seconds:.2f} s")
        notices = sum(finding.level == "notice" for finding in self.findings)
        if shown_by and notices:
            parts.append(f"{counted(notices, 'notice')}: {shown_by}")
        return printable("; ".join(parts))

    def _listing(self) -> str:
        """Return how many pages are listed, and where."""
        if not self.pages:
            return "no sitemaps are written, because no page is listed"
        pages = f"{counted(self.pages, 'page')} in {counted(self.sections, 'section')}"
        if not self.sitemaps:
            return f"{pages}, none written"
        where, *others = self.index_urls or [""]
        if others:
            where = f"{len(others) + 1} indexes, {where} to {others[-1]}"
        return f"{pages}, {counted(self.sitemaps, 'sitemap')} listed in {where}"

    def _dates(self) -> str:
        """Return how many of the listed pages have no date, and why."""
        if not self.is_dated:
            return "dates switched off (lastmod: off)"
        if not self.undated:
            return "all pages have dates"
        return f"{self.undated.total():,} without a date ({listed(self.undated)})"

    def failure(self) -> str:
        """Return the reason why the build must fail after all files are written, or an empty
        string.
        """
        for finding in self.findings:
            if finding.check == UNDATED_PAGES.name and finding.level == "error":
                return f"undated is 'fail', but there is no reliable date for {finding.where}"
        return ""

    def messages(self) -> Iterator[Message]:
        """Yield the omitted pages and the findings: examples of each kind, and the number of
        others, which are at level debug.
        """
        for omission in self.omitted:
            yield "debug", str(omission)
        if self.unsaved:
            yield "debug", self.unsaved
        examples: dict[str, list[Finding]] = {}
        others: Counter[str] = Counter()
        for finding in self.findings:
            if keep_example(finding, examples):
                yield finding.level, str(finding)
            else:
                others[finding.check] += 1
                yield "debug", str(finding)
        for check, count in others.items():
            yield "notice", f"… and {count:,} more of [{check}]. The log at level DEBUG shows them."
        for line in self.next_steps.splitlines():
            yield self.reminder_level, line

    @property
    def reminder_level(self) -> Literal["debug", "notice"]:
        """The level of the next steps.

        They are a notice if the index is new, so that not every build repeats them. Below a path,
        they are none, because no build can see that they were done.
        """
        is_below_path = any(urls.path(index).count("/") > 1 for index in self.index_urls)
        if self.is_new and not is_below_path:
            return "notice"
        return "debug"


def keep_example(finding: Finding, examples: dict[str, list[Finding]]) -> bool:
    """Add a finding to the examples of its check if more are needed.

    Findings with the same cause have the same fix.
    """
    known = examples.setdefault(finding.check, [])
    fixes = [each.fix for each in known]
    same = fixes.count(finding.fix)
    is_wanted = same < EXAMPLES
    if not same:
        is_wanted = len(set(fixes)) < CAUSES
    if is_wanted:
        known.append(finding)
    return is_wanted


def log(
    logger: _Logger,
    messages: Iterable[Message],
    form: str = "%s",
    summarise: Callable[[str], object] | None = None,
) -> None:
    """Log every message once, even if a strict mode makes the logger raise at the first warning.

    If the logger hides everything below a warning, ``summarise`` prints the summary.

    Raises:
        RuntimeError: raised by the logger, after all messages are logged.
    """
    shows_errors = logger.isEnabledFor(logging.ERROR)
    hides_summary = shows_errors and not logger.isEnabledFor(logging.INFO)
    methods = {"error": logger.error, "warning": logger.warning, "debug": logger.debug}
    fatal: RuntimeError | None = None
    for level, message in dict.fromkeys(messages):
        log_at_level = methods.get(level, logger.info)
        text = printable(message)
        try:
            if level == "summary" and hides_summary and summarise:
                summarise(form % text)
            else:
                log_at_level(form, text)
        except RuntimeError as error:
            fatal = fatal or error
    if fatal is not None:
        raise fatal


@contextmanager
def harmless(logger: _Logger) -> Iterator[None]:
    """Log internal errors instead of stopping a build.

    A strict mode of the host turns them into a failure.
    """
    try:
        yield
    except Exception as error:
        logger.debug("", exc_info=True)
        logger.info("Please report the next message, with the log of the build at level DEBUG.")
        logger.error(  # noqa: TRY400 - the traceback is logged at level DEBUG
            "an error in smindex-plugins: %s. The site is complete except for its sitemaps.",
            printable(repr(error)),
        )
