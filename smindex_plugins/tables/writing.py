"""One run over a table, whatever the engine: `write_sitemaps`."""

from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from datetime import UTC, datetime

from smindex_plugins import addresses
from smindex_plugins.settings import Settings
from smindex_plugins.tables.destination import open_destination
from smindex_plugins.tables.inputs import COLUMNS, format_of
from smindex_plugins.tables.rules import Rules
from smindex_plugins.tables.run import Bounds, Engine, Outcome, Steps, Tell, run

Opened = Callable[
    [object, Mapping[str, str], Rules, Bounds], AbstractContextManager[tuple[Engine, Callable[[], object]]]
]
"""What opens an engine for a table: with its columns by what they are called here, and what lets the engine read it."""


def write(
    opened: Opened,
    source: object,
    *,
    site_url: str,
    out: str,
    settings: Settings,
    columns: Mapping[str, str] | None,
    bounds: Bounds,
    rejected: str,
    is_dry: bool,
    tell: Tell,
    now: datetime | None,
) -> Outcome:
    """Write the sitemaps of a table with an engine, as `write_sitemaps` says."""
    form = format_of(rejected) if rejected else ""
    rules = Rules(site_url=addresses.site_url(site_url), settings=settings, now=now or datetime.now(UTC))
    destination = open_destination(out, site_url=rules.site_url, is_dry=is_dry)
    names = {**dict(zip(COLUMNS, COLUMNS, strict=True)), **(columns or {})}
    with opened(source, names, rules, bounds) as (engine, read):
        steps = Steps(tell, engine.done)
        with steps.step(1, "normal rows"):
            read()
        outcome = run(engine, rules, destination, steps=steps)
        if rejected:
            engine.save_faults(rejected, form)
        return outcome
