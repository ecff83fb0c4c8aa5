"""What a run did, in words, and how a host logs it."""

import logging
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from smindex_plugins.catalogue import SITEMAP_OUTSIDE_INDEX, UNDATED_PAGES, UNMATCHED_PATTERN
from smindex_plugins.limits import MAX_LINE
from smindex_plugins.model import Finding, Level, Page
from smindex_plugins.pages import Omission, left_out
from smindex_plugins.sitemaps import Changes
from smindex_plugins.text import counted, masked, printable

EXAMPLES = 10
"""How many findings of a check are shown, unless all are asked for."""

Message = tuple[Level | Literal["debug", "summary"], str]
_Logger = logging.Logger | logging.LoggerAdapter[Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """What a run did. Each host says it in its own way."""

    findings: list[Finding]
    """What is wrong or worth knowing, in the order in which it was found."""
    index_urls: list[str] = field(default_factory=list)
    """The index, or all indexes if one cannot list every sitemap. Empty if nothing was written."""
    pages: int = 0
    """How many pages the sitemaps list."""
    sections: int = 0
    sitemaps: int = 0
    also: int = 0
    """How many sitemaps of other builds the index lists."""
    omitted: list[Omission] = field(default_factory=list)
    """The pages that are in no sitemap, each with its reason."""
    undated: Counter[str] = field(default_factory=Counter)
    """How many listed pages have no date, by the reason."""
    dated: list[Page] = field(default_factory=list)
    """All pages with their dates, listed or not, at their original URLs."""
    changes: Changes = field(default_factory=Changes)
    """What happened to the files."""
    is_announced: bool = False
    """Whether the robots.txt beside the indexes names all of them."""
    next_steps: str = ""
    """What to do once so that search engines find the index, if nothing tells them about it."""
    is_dated: bool = True
    """Whether the settings ask for dates."""

    def summary(self, seconds: float, shown_by: str = "") -> str:
        """Return one line about what was written. If notices are hidden, it says how to see them."""
        listed_pages = f"{counted(self.pages, 'page')} in {counted(self.sections, 'section')}"
        others = f" and {self.also:,} of other builds" if self.also else ""
        listing = f"{counted(self.sitemaps, 'sitemap')}{others} listed in" if self.sitemaps else "none written"
        listing = f"{listing} {self._where()}" if self.sitemaps else listing
        parts = [f"{listed_pages}, {listing}" if self.pages else "no page is listed, so no sitemap is written"]
        if self.omitted:
            parts.append(f"left out: {left_out(self.omitted)}")
        if self.pages and not self.is_dated:
            parts.append("dates switched off (lastmod: off)")
        elif self.pages:
            parts.append(f"{self.undated.total():,} without a date" if self.undated else "all pages have dates")
        notices = sum(finding.level == "notice" for finding in self.findings) if shown_by else 0
        hidden = [f"{counted(notices, 'notice')}: {shown_by}"] if notices else []
        return printable("; ".join([*parts, f"{seconds:.2f} s", *hidden]), MAX_LINE)

    def failure(self) -> str:
        """Return why the build must fail although everything is written, or an empty string if it must not."""
        for finding in self.findings:
            if finding.check == UNDATED_PAGES.name and finding.level == "error":
                return f"undated is 'fail', but there is no reliable date for {finding.where}"
        return ""

    def _where(self) -> str:
        first, *others = self.index_urls
        return f"{len(self.index_urls)} indexes, {first} to {others[-1]}" if others else first

    def messages(self) -> Iterator[Message]:
        """Yield what was left out and what was found: the first findings of each kind, and how many more there are."""
        for omission in self.omitted:
            yield "debug", str(omission)
        shown: Counter[str] = Counter()
        for finding in self.findings:
            shown[finding.check] += 1
            if shown[finding.check] <= EXAMPLES:
                yield finding.level, str(finding)
        for check, count in shown.items():
            if count > EXAMPLES:
                yield "notice", f"… and {count - EXAMPLES:,} more of [{check}]."
        for line in self.next_steps.splitlines():
            yield "notice", line


def of_one_configuration(reports: Iterable[Report]) -> list[Report]:
    """Return the reports of sites that share a configuration. A pattern needs a matching page in only one of them.

    A sitemap of another build needs to be in scope in only one of them.
    """
    given = list(reports)
    unmet = [{finding.where for finding in report.findings if _is_of_option(finding)} for report in given]
    everywhere = set.intersection(*unmet) if unmet else set()
    found = []
    for number, report in enumerate(given):
        told = everywhere if number == 0 else set()
        findings = [each for each in report.findings if not _is_of_option(each) or each.where in told]
        found.append(replace(report, findings=findings))
    return found


def _is_of_option(finding: Finding) -> bool:
    """Whether a finding says that an option has no effect on a site."""
    is_outside = finding.check == SITEMAP_OUTSIDE_INDEX.name and finding.where.startswith("also")
    return is_outside or finding.check == UNMATCHED_PATTERN.name


def log(
    logger: _Logger, messages: Iterable[Message], form: str = "%s", show: Callable[[str], object] | None = None
) -> None:
    """Log every message once, also where a strict mode makes the logger raise at the first one that counts.

    A summary is for every run that is not to be quiet: where the logger shows no more than warnings, ``show`` does.

    Raises:
        RuntimeError: the logger's own, when everything is said.
    """
    methods: dict[str, Callable[[str, str], object]] = {
        "error": logger.error,
        "warning": logger.warning,
        "summary": logger.info,
        "notice": logger.info,
        "debug": logger.debug,
    }
    if show and logger.isEnabledFor(logging.ERROR) and not logger.isEnabledFor(logging.INFO):
        methods["summary"] = lambda form, text: show(form % text)
    fatal: RuntimeError | None = None
    for level, message in dict.fromkeys(messages):
        try:
            methods[level](form, printable(message, MAX_LINE))
        except RuntimeError as error:
            fatal = fatal or error
    if fatal is not None:
        raise fatal


@contextmanager
def harmless(logger: _Logger) -> Iterator[None]:
    """Log an error of ours instead of letting it end a build. A strict mode of the host turns it into a failure."""
    try:
        yield
    except Exception as error:
        logger.debug("", exc_info=True)
        logger.info("Please report the next message, with what the build logs at level DEBUG.")
        logger.error(  # noqa: TRY400 - the traceback is for those who ask for it
            "an error in smindex-plugins: %s. The site is complete except for its sitemaps.",
            masked(printable(repr(error))),
        )
