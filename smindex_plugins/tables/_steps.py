"""Runs all steps over a table in SQL, for any engine, from the rows to the index.

Names in braces are tables. `normal` has the columns of `rows.NORMAL`. `pages` contains the listed
rows and their place among rows with the same URL: the first one is used. `homes` maps each
directory with pages to the directory of their section. `sections` contains the numbers of sections,
and `shards` the numbers of their parts.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Any, Protocol, TypeVar

import pyarrow as pa

from smindex_plugins.base import urls
from smindex_plugins.base.catalogue import NOTHING_LISTED, UNMATCHED_PATTERN
from smindex_plugins.base.model import Finding
from smindex_plugins.base.settings import Settings
from smindex_plugins.base.text import counted, listed
from smindex_plugins.pages.host import doubts
from smindex_plugins.pages.omissions import NotListed
from smindex_plugins.tables import _plan, _rows, _shards
from smindex_plugins.tables._destination import Destination
from smindex_plugins.tables._rejected import ROWS
from smindex_plugins.tables._rows import NAMED, RowRules
from smindex_plugins.tables.outcome import LISTED_FAULTS, Fault, TableOutcome, fault_finding
from smindex_plugins.writing.rendering import name_indexes

Value = TypeVar("Value")
_REJECTED = ", ".join(ROWS)
_EXAMPLES = 3
"""How many invalid values a message shows."""

_PAGES = """
    SELECT url, lastmod, details, home, bits,
        row_number() OVER (
            PARTITION BY url ORDER BY lastmod DESC NULLS LAST, details DESC NULLS LAST
        ) AS place
    FROM {normal} WHERE url IS NOT NULL
"""
_FAULTS = f"""
    SELECT fault, given_url AS url, CAST(NULL AS STRING) AS value
    FROM {{normal}} WHERE fault IS NOT NULL
    UNION ALL
    SELECT date_fault, url, given_date
    FROM {{normal}} WHERE date_fault IS NOT NULL AND fault IS NULL
    UNION ALL
    SELECT details_fault, url, given_details
    FROM {{normal}} WHERE details_fault IS NOT NULL AND fault IS NULL
    UNION ALL
    SELECT '{Fault.DUPLICATE}', url, NULL FROM {{pages}} WHERE place > 1
"""
_EXAMPLES_OF_FAULTS = f"""
    SELECT fault, total, example FROM (
        SELECT fault, example, count(*) OVER (PARTITION BY fault) AS total,
            row_number() OVER (PARTITION BY fault ORDER BY example) AS place
        FROM (SELECT fault, trim(coalesce(value, url, '')) AS example FROM {{faults}}) examples
    ) ranked WHERE place <= {_EXAMPLES} ORDER BY fault, place
"""
_HOMES = (
    "SELECT home AS directory, home, count(*) AS pages FROM {pages} WHERE place = 1 GROUP BY home"
)
_MERGED = f"""
    SELECT
        own.directory, own.pages,
        CASE
            WHEN small.home IS NULL THEN own.home
            ELSE regexp_replace(own.home, '(^|/)[^/]*$', '')
        END AS home
    FROM {{homes}} own LEFT JOIN (
        SELECT home FROM {{homes}}
        WHERE home <> '' AND home NOT LIKE '{NAMED}%'
            AND length(home) - length(replace(home, '/', '')) = <depth>
        GROUP BY home HAVING sum(pages) < <least>
    ) small ON own.home = small.home
"""
"""Directories of a depth with too few pages belong to their parents, as in
`sections.home_directories`."""
_COUNTED = "SELECT home, sum(pages) AS pages FROM {homes} GROUP BY home"
_ENDS = f"""
    SELECT home, min(url), max(url)
    FROM {{pages}} WHERE place = 1 AND home LIKE '{NAMED}%' GROUP BY home
"""
_PLACED = """
    SELECT url, lastmod, details, section, CASE WHEN is_large THEN bits ELSE 0 END AS bits
    FROM {pages} pages JOIN {homes} homes ON pages.home = homes.directory JOIN {sections} sections
    ON homes.home = sections.home WHERE place = 1
"""
_HASHES = f"SELECT section, bits, count(*) FROM ({_PLACED}) placed GROUP BY section, bits"
_SORTED = f"""
    SELECT shards.shard, placed.url, placed.lastmod, placed.details
    FROM ({_PLACED}) placed
    JOIN {{shards}} shards ON placed.section = shards.section AND placed.bits = shards.bits
"""


class Engine(Protocol):
    """Runs the steps.

    It has read one table with the columns url, lastmod, alternates and images.
    """

    def map_arrow(self, table: str, task: Callable[[pa.RecordBatch], pa.RecordBatch]) -> None:
        """Create a table from the results of a task for each batch of the rows read."""

    def keep(self, table: str, sql: str) -> None:
        """Create or replace a table with the rows of a query, which may read the same table."""

    def load(self, table: str, arrow: pa.Table) -> None:
        """Create a table from rows in memory."""

    def rows(self, sql: str) -> list[tuple[Any, ...]]:
        """Return the rows of a query."""

    def for_each(self, sql: str, task: Callable[[pa.Table], Value]) -> Iterator[Value]:
        """Yield the results of a task for the rows of each shard, sorted by URL, in the order of
        the shards.
        """

    def save(self, sql: str, file: str, form: str) -> None:
        """Write the rows of a query to a file: ``csv``, ``json`` or ``parquet``."""


def run(
    engine: Engine,
    rules: RowRules,
    destination: Destination,
    *,
    rejected: tuple[str, str],
    tell: Callable[[str], object],
) -> TableOutcome:
    """Write the sitemaps of the table that an engine has read, then the index.

    ``rejected`` is the file for rows with faults and its format, if requested.

    Raises:
        OutputError: with all obstacles. The earlier index is unchanged.
    """
    site_url = rules.site_url
    settings = rules.settings
    findings = list(doubts(site_url, settings.index_filename, "--site-url"))
    tell("1 of 5, normalize rows")
    engine.map_arrow("normal", partial(_rows.normal_rows, rules=rules))

    tell("2 of 5, remove duplicates")
    engine.keep("pages", _PAGES)
    faults, faulty_rows = _find_faults(engine, rejected)
    findings += faulty_rows
    ((pages,),) = engine.rows("SELECT count(*) FROM {pages} WHERE place = 1")
    total = pages
    for fault, rows in faults.items():
        if fault not in LISTED_FAULTS:
            total += rows
    if not pages:
        findings.append(_nothing_listed(total, faults, site_url))
        return TableOutcome(rows=total, faults=faults, findings=findings)

    tell("3 of 5, sections and shards")
    stems, parts = _divide(engine, site_url, settings)
    findings += _unmatched(stems, faults, settings)

    made: list[_shards.WrittenSitemap] = []
    with destination.only_run():
        destination.prepare(stems.values())
        done = 0
        task = partial(_shards.write_shard, shards=parts, destination=destination)
        for written, too_large in engine.for_each(_SORTED, task):
            made += written
            findings += too_large
            faults[NotListed.LARGE_ENTRY] += len(too_large)
            done += sum(sitemap.pages for sitemap in written)
            tell(f"4 of 5, sitemaps: {done:,} of {pages:,} pages")

        tell("5 of 5, the index")
        entries = [sitemap.entry for sitemap in made]
        indexes = []
        index_urls = []
        for url, content in name_indexes(entries, site_url, settings):
            index_urls.append(url)
            indexes.append((urls.relative_path(url, site_url), content))
        paths = [urls.relative_path(entry.url, site_url) for entry in entries]
        changes = destination.finish(indexes, paths)
    for path, sitemap in zip(paths, made, strict=True):
        if sitemap.is_new:
            changes.written.append(path)
        else:
            changes.unchanged.append(path)
    return TableOutcome(
        rows=total,
        pages=done,
        sections=len(stems),
        entries=entries,
        index_urls=index_urls,
        faults=+faults,
        findings=[*findings, *changes.problems],
        changes=changes,
    )


def _find_faults(engine: Engine, rejected: tuple[str, str]) -> tuple[Counter[str], list[Finding]]:
    """Return how many rows have each fault, and a finding for each fault."""
    engine.keep("faults", _FAULTS)
    file, form = rejected
    if file:
        engine.save(f"SELECT {_REJECTED} FROM {{faults}} ORDER BY {_REJECTED}", file, form)
    faults = Counter[str]()
    examples: dict[str, dict[str, None]] = {}
    for fault, total, example in engine.rows(_EXAMPLES_OF_FAULTS):
        faults[fault] = total
        examples.setdefault(fault, {})[example] = None
    findings = []
    for fault, total in faults.items():
        shown = filter(None, examples[fault])
        finding = fault_finding(fault, total, list(shown))
        if finding:
            findings.append(finding)
    return faults, findings


def _nothing_listed(rows: int, faults: Mapping[str, int], site_url: str) -> Finding:
    problem = "the table has no rows."
    if faults:
        problem = f"every row was omitted: {listed(faults)}."
    problem += " Earlier files are unchanged."
    fix = (
        f"Check the URLs of the table against the address of the site, {site_url}, and the options."
    )
    return NOTHING_LISTED.at(counted(rows, "row"), problem, fix)


def _divide(
    engine: Engine,
    site_url: str,
    settings: Settings,
) -> tuple[dict[str, str], list[_plan.Shard]]:
    """Create the tables that assign each page to a shard.

    Return the stems of the sections by home, and the shards.
    """
    engine.keep("homes", _HOMES)
    least = str(settings.section_min_pages)
    for depth in reversed(range(settings.section_depth)):
        merged = _MERGED.replace("<depth>", str(depth)).replace("<least>", least)
        engine.keep("homes", merged)
    sizes = {home: int(pages) for home, pages in engine.rows(_COUNTED)}
    ends = {}
    if settings.sections:
        for home, first, last in engine.rows(_ENDS):
            ends[home] = (first, last)
    stems = _plan.name_sections(sizes, ends, site_url, settings)

    numbers = range(len(stems))
    is_large = [sizes[home] > settings.max_urls for home in stems]
    sections = pa.table({"home": list(stems), "section": numbers, "is_large": is_large})
    engine.load("sections", sections)

    shards, places = _plan.divide(list(stems.values()), engine.rows(_HASHES), settings)
    columns = {}
    for name, values in zip(("section", "bits", "shard"), zip(*places, strict=True), strict=True):
        columns[name] = pa.array(values, pa.int32())
    engine.load("shards", pa.table(columns))
    return stems, shards


def _unmatched(
    stems: Mapping[str, str],
    faults: Mapping[str, int],
    settings: Settings,
) -> Iterator[Finding]:
    """Yield the patterns that match no row."""
    for section in settings.sections:
        if NAMED + section.name not in stems:
            where = f"sections, {section.name}"
            problem = "no table URL matches any of its patterns."
            yield UNMATCHED_PATTERN.at(where, problem)
    if settings.exclude and not faults.get(NotListed.EXCLUDED):
        quoted = map(repr, settings.exclude)
        problem = f"no table URL matches {' or '.join(quoted)}."
        yield UNMATCHED_PATTERN.at("exclude", problem)
