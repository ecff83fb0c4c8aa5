"""What is asked of a join, and what became of it."""

from collections.abc import Callable
from dataclasses import dataclass, field

from smindex_plugins.report import Report
from smindex_plugins.settings import Settings
from smindex_plugins.sitemaps import Document
from smindex_plugins.sitemaps.consents import Consents


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """How builds are joined."""

    base: str = ""
    """The normalised URL that serves the root, with its slash; found from what the builds list if empty."""
    settings: Settings = field(default_factory=Settings)
    """The name and the limits of the index; no other setting is heeded."""
    depth: int = 3
    """How many directories deep builds are looked for."""
    versions: tuple[str, ...] = ()
    """Of mike's versions those to join, or ``all``; none means the canonical one."""
    additions: tuple[Document, ...] = ()
    """Indexes and sitemaps that were fetched from elsewhere."""
    consents: Consents = field(default_factory=Consents)
    """What proves that other origins agree to be listed."""
    is_dry: bool = False
    """Nothing is written."""
    tell: Callable[[str], None] = lambda _: None


@dataclass(frozen=True, slots=True, kw_only=True)
class Joined:
    """What became of the root index."""

    report: Report
    builds: int
    before: dict[str, str]
    """What the index listed until now: URLs and dates."""
    after: dict[str, str]
    notes: list[str]
    """What was left out on purpose, and why."""
