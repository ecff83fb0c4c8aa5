"""Dating pages with a history of one's own, and publishing them with the dates that they come with."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime

from smindex_plugins.history import History, Unknown
from smindex_plugins.model import Finding, Page
from smindex_plugins.pages import Dating
from smindex_plugins.pipeline import Host, publish
from smindex_plugins.report import Report
from smindex_plugins.settings import Settings, Site


@dataclass(frozen=True)
class Dated:
    """What dating gave."""

    pages: list[Page]
    undated: dict[str, Unknown]
    findings: list[Finding]


def date_pages(pages: Iterable[Page], history: History, target: Site, now: datetime) -> Dated:
    dating = Dating(target.settings)
    dating.history = history
    findings: list[Finding] = []
    return Dated(*dating.date(pages, target, now, findings), findings)


class AsGiven(Dating):
    """Leaves every page as it comes, and says what it is told to say of those without a date."""

    def __init__(self, why: Mapping[str, Unknown] | None = None) -> None:
        super().__init__(Settings())
        self._why = dict(why or {})

    def date(
        self,
        pages: Iterable[Page],
        target: Site,  # noqa: ARG002 - as it is called
        now: datetime,  # noqa: ARG002 - as it is called
        findings: list[Finding],  # noqa: ARG002 - as it is called
    ) -> tuple[list[Page], dict[str, Unknown]]:
        return pages if isinstance(pages, list) else list(pages), self._why


def publish_as_given(
    pages: Iterable[Page],
    target: Site,
    *,
    why: Mapping[str, Unknown] | None = None,
    taken: Mapping[str, str] | None = None,
    now: datetime | None = None,
) -> Report:
    return publish(
        pages,
        target,
        Host(dating=AsGiven(why), taken=taken or {}),
        now=now,
    )
