"""What a run did, how it is put into words, and how a host logs them."""

import logging
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, Literal

from smindex_plugins.model import Finding, Level, Page
from smindex_plugins.pages import Omission
from smindex_plugins.sitemaps import Changes
from smindex_plugins.wording import counted, listed

EXAMPLES = 10
"""Findings of one check that are shown where not all are asked for."""

Message = tuple[Level | Literal["debug"], str]
_Logger = logging.Logger | logging.LoggerAdapter[Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """What a run did, for the host to say in its own way."""

    findings: list[Finding]
    """What is wrong, or worth knowing, in the order in which it was found."""
    index_urls: list[str] = field(default_factory=list)
    """The index, or all of them where one cannot list every sitemap; empty where nothing was written."""
    pages: int = 0
    """How many pages the sitemaps list."""
    sections: int = 0
    sitemaps: int = 0
    omitted: list[Omission] = field(default_factory=list)
    """The pages that are in no sitemap, each with its reason."""
    undated: Counter[str] = field(default_factory=Counter)
    """How many of the listed pages have no date, by the reason."""
    dated: list[Page] = field(default_factory=list)
    """All pages with their dates, listed or not, at the URLs with which they came."""
    changes: Changes = field(default_factory=Changes)
    """What became of the files."""
    is_announced: bool = False
    """Every index is named in the robots.txt beside it."""

    def summary(self, seconds: float) -> str:
        """Return one line that says what was written."""
        pages, in_sections = counted(self.pages, "page"), counted(self.sections, "section")
        listing = f"{counted(self.sitemaps, 'sitemap')} listed in {self._where()}" if self.sitemaps else "none written"
        parts = [f"{pages} in {in_sections}, {listing}"]
        if self.omitted:
            parts.append(f"left out: {listed(Counter(omission.reason for omission in self.omitted))}")
        parts.append(f"without a date: {listed(self.undated)}" if self.undated else "every page dated")
        return "; ".join([*parts, f"{seconds:.2f} s"])

    def robots_lines(self) -> list[str]:
        """Return the lines that belong in robots.txt, so that search engines find every index."""
        return [f"Sitemap: {url}" for url in self.index_urls]

    def _where(self) -> str:
        first, *others = self.index_urls
        return f"{len(self.index_urls)} indexes, {first} to {others[-1]}" if others else first

    def messages(self) -> Iterator[Message]:
        """Say what was left out and what was found, the first of each kind in full and how many more there are."""
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
        if advice := self.advice():
            yield "notice", advice

    def advice(self) -> str:
        """Return what there is to do where one index cannot list every sitemap."""
        if len(self.index_urls) <= 1 or self.is_announced:
            return ""
        return "\n".join(["One index cannot list every sitemap. Name each in robots.txt:", *self.robots_lines()])


def log(logger: _Logger, messages: Iterable[Message], form: str = "%s") -> None:
    """Log every message once, also where a strict mode makes the logger raise at the first one that counts.

    Raises:
        RuntimeError: the logger's own, when everything is said.
    """
    methods = {"error": logger.error, "warning": logger.warning, "notice": logger.info, "debug": logger.debug}
    fatal: RuntimeError | None = None
    for level, message in dict.fromkeys(messages):
        try:
            methods[level](form, message)
        except RuntimeError as error:
            fatal = fatal or error
    if fatal is not None:
        raise fatal


@contextmanager
def harmless(logger: _Logger) -> Iterator[None]:
    """Let no mistake of ours end a build. A strict mode of the host makes a failure of the error that is logged."""
    try:
        yield
    except Exception as error:
        logger.debug("", exc_info=True)
        logger.info("Please report the next message, with what the build logs at level DEBUG.")
        logger.error(  # noqa: TRY400 - the traceback is for those who ask for it
            "a mistake in smindex-plugins: %r. The site is complete but for its sitemaps.", error
        )
