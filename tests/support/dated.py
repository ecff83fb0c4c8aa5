"""Dates pages with a history of the test's own, and publishes pages with the dates that they come with."""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime

from smindex_plugins.catalogue import UNDATED_BY_NATURE
from smindex_plugins.history import Answer, Change, History, Reason, Unknown
from smindex_plugins.model import Finding, Page
from smindex_plugins.pages import Dating
from smindex_plugins.pipeline import Host, publish
from smindex_plugins.report import Report
from smindex_plugins.settings import Settings, Site
from tests.support.gitrepo import DAY, START, Repo


def day_or_reason(answer: Answer) -> float | Reason:
    """Give the numbered day of a change, or why there is none."""
    return (answer.when - START) / DAY if isinstance(answer, Change) else answer.reason


def days(repo: Repo, *names: str | bytes, ignore_revs_file: str | None = None) -> list[float | Reason]:
    """Give the days on which files of a repository changed, as git dates them, or why that is unknown."""
    files = [repo.file(name) for name in names]
    answers = History(ignore_revs_file).dates(files)
    return [day_or_reason(answers[file]) for file in files]


class KnownHistory(History):
    """A history with these answers and removals, which reads no repository."""

    def __init__(self, answers: Mapping[str, Answer] | None = None, removals: Mapping[str, int] | None = None) -> None:
        super().__init__()
        self._answers = answers or {}
        self._removals = dict(removals or {})

    def dates(self, files: Iterable[str]) -> dict[str, Answer]:
        return {file: self._answers.get(file, Unknown(Reason.UNTRACKED)) for file in files}

    def removals(self, suffixes: Collection[str]) -> dict[str, int]:  # noqa: ARG002 - all files are of one kind
        return self._removals

    def edited(self, files: Iterable[str]) -> list[str]:  # noqa: ARG002 - nothing is
        return []

    def repository(self, file: str) -> str:  # noqa: ARG002 - all files are in one
        return "/"


@dataclass(frozen=True)
class Dated:
    """The result of dating."""

    pages: list[Page]
    undated: dict[str, Unknown]
    findings: list[Finding]


def date_pages(pages: Iterable[Page], history: History, site: Site, now: datetime) -> Dated:
    dating = Dating(site.settings)
    dating.history = history
    findings: list[Finding] = []
    return Dated(*dating.date(pages, site, now, findings), findings)


class AsGiven(Dating):
    """Leaves every page as it is. ``why`` are the reasons of pages without a date, by file, or by URL without one."""

    def __init__(self, why: Mapping[str, Unknown] | None = None) -> None:
        super().__init__(Settings())
        self._why = dict(why or {})

    def date(
        self,
        pages: Iterable[Page],
        site: Site,  # noqa: ARG002 - as it is called
        now: datetime,  # noqa: ARG002 - as it is called
        findings: list[Finding],  # noqa: ARG002 - as it is called
    ) -> tuple[list[Page], dict[str, Unknown]]:
        return pages if isinstance(pages, list) else list(pages), self._why


def publish_as_given(
    pages: Iterable[Page],
    site: Site,
    *,
    why: Mapping[str, Unknown] | None = None,
    now: datetime | None = None,
) -> Report:
    """Publish pages with their own dates. Without reasons, the report does not count the pages without a date."""
    report = publish(pages, site, Host(dating=AsGiven(why)), now=now)
    if why is None:
        findings = [finding for finding in report.findings if finding.check != UNDATED_BY_NATURE.name]
        report = replace(report, findings=findings, undated=Counter())
    return report
