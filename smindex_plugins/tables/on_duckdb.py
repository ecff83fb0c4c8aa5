"""The five steps on DuckDB, on one machine: it sorts, groups and joins beyond memory, and spills into a directory."""

import os
from collections import deque
from collections.abc import Iterator, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any

import duckdb
import pyarrow as pa

from smindex_plugins.model import Finding
from smindex_plugins.sitemaps.sections import HASH_BITS
from smindex_plugins.tables import rows, variants
from smindex_plugins.tables.duckdb_variants import Joins
from smindex_plugins.tables.plan import Counted, Plan, plan_sections, plan_shards
from smindex_plugins.tables.rules import Fault, Rules
from smindex_plugins.tables.run import EXAMPLES, Bounds, Faulty
from smindex_plugins.tables.shards import Put, Written, by_shard, write_shard

_READ = 65_536
"""Rows that Python brings to their normal form together: many, so that it waits little for itself."""
_BATCH = 50_000
"""Rows of shards that come out of the engine together."""
_READERS = {
    "parquet": "read_parquet({files}, union_by_name = true, hive_partitioning = false)",
    # Every value as it is written: what DuckDB makes of times without a zone is no date that anybody wrote.
    "csv": "read_csv({files}, union_by_name = true, all_varchar = true, hive_partitioning = false)",
    "json": "read_json({files}, format = 'newline_delimited', columns = {columns}, hive_partitioning = false)",
}
_STRUCTURED = ("alternates", "images")
_FAULTS = f"""
    SELECT fault, given_url AS url, NULL::VARCHAR AS value FROM normal WHERE fault IS NOT NULL
    UNION ALL SELECT date_fault, url, given_date FROM normal WHERE date_fault IS NOT NULL AND fault IS NULL
    UNION ALL SELECT details_fault, url, given_details FROM normal WHERE details_fault IS NOT NULL AND fault IS NULL
    UNION ALL SELECT '{Fault.DUPLICATE}', url, NULL FROM doubtful WHERE rank > 1
"""
"""What is wrong with rows: the reason, the URL of the row, and the value, if that is not the URL."""
_TEXT = ("VARCHAR", "JSON", '"NULL"')


def text(value: str) -> str:
    """Return a text as SQL writes it."""
    return "'" + value.replace("'", "''") + "'"


def name(value: str) -> str:
    """Return the name of a column as SQL writes it."""
    return '"' + value.replace('"', '""') + '"'


class Engine:
    """A database of its own in a directory for temporary files, with the rows of one table."""

    def __init__(self, directory: str, rules: Rules, bounds: Bounds) -> None:
        self._rules = rules
        self._section = ""
        options: dict[str, str | bool | int | float | list[str]] = {
            "memory_limit": bounds.memory,
            "temp_directory": os.path.join(directory, "spilled"),
            "preserve_insertion_order": False,
            "autoinstall_known_extensions": False,  # nothing is fetched but what is asked for
            "autoload_known_extensions": False,
        }
        if bounds.threads:
            options["threads"] = bounds.threads
        self._database = duckdb.connect(os.path.join(directory, "rows.duckdb"), config=options)
        self._database.execute(
            "SET TimeZone = 'UTC'; SET enable_progress_bar = true; SET enable_progress_bar_print = false"
        )

    def close(self) -> None:
        """Let go of the database; the files stay."""
        self._database.close()

    @property
    def threads(self) -> int:
        """How many the database runs."""
        return int(self._one("SELECT current_setting('threads')"))

    def done(self) -> float:
        """Return how much of the statement that runs is done, in percent, or a negative number if nobody knows."""
        return float(self._database.query_progress())

    # 1. Normal rows

    def read_files(self, files: Mapping[str, list[str]], systems: list[Any], columns: Mapping[str, str]) -> None:
        """Read the tables in files, by their formats."""
        for system in systems:
            self._database.register_filesystem(system)
        wanted = "{" + ", ".join(f"{text(own)}: 'VARCHAR'" for own in columns.values()) + "}"
        parts = []
        for form, paths in files.items():
            source = _READERS[form].format(files="[" + ", ".join(map(text, paths)) + "]", columns=wanted)
            parts.append(self._selected(source, columns))
        self._normalise(" UNION ALL ".join(parts))

    def read_arrow(self, reader: pa.RecordBatchReader, columns: Mapping[str, str]) -> None:
        """Read the rows that an Arrow reader gives."""
        self._database.register("given_rows", reader)
        self._normalise(self._selected("given_rows", columns))

    def _selected(self, source: str, columns: Mapping[str, str]) -> str:
        """Return the statement for the four columns of a table, those that lack as NULL."""
        described = self._database.execute(f"DESCRIBE SELECT * FROM {source}").fetchall()
        there = {str(column).lower(): str(kind) for column, kind, *_ in described}
        parts = []
        for ours, own in columns.items():
            kind = there.get(own.lower())
            if kind is None and (ours == "url" or own != ours):
                found = ", ".join(str(column) for column, *_ in described)
                message = f"the table has no column {own}; it has {found}. Name the column of URLs: --column url=NAME"
                raise ValueError(
                    message if ours == "url" else message.replace("of URLs: --column url", f": --column {ours}")
                )
            value = "NULL::VARCHAR" if kind is None else _value(ours, name(own), kind)
            parts.append(f"{value} AS {ours}")
        return f"SELECT {', '.join(parts)} FROM {source}"

    def _normalise(self, given: str) -> None:
        """Bring the rows that a statement selects to their normal form, in several threads, and keep them."""
        threads = self.threads  # which nobody can ask while the rows are read
        reader = self._database.sql(given).to_arrow_reader(_READ)
        batches = self._normal_batches(reader, threads)
        with self._database.cursor() as other:  # while this one reads
            other.register("normal_rows", pa.RecordBatchReader.from_batches(rows.KEPT, batches))
            other.execute("CREATE TABLE normal AS SELECT * FROM normal_rows")

    def _normal_batches(self, reader: pa.RecordBatchReader, threads: int) -> Iterator[pa.RecordBatch]:
        with ThreadPoolExecutor(threads) as pool:
            waiting: deque[Future[pa.RecordBatch]] = deque()
            for batch in reader:
                waiting.append(pool.submit(rows.kept, batch, self._rules))
                if len(waiting) > threads:
                    yield waiting.popleft().result()
            while waiting:
                yield waiting.popleft().result()

    # 2. Pages, each once, and their sections

    def drop_duplicates(self) -> int:
        """Make the pages of the rows, one for each URL: that with the newest date. Return how many there are."""
        run = self._database.execute
        run("""
            CREATE TABLE twice AS
            SELECT hash(url) AS hash FROM normal WHERE url IS NOT NULL GROUP BY ALL HAVING count(*) > 1
        """)
        run("""
            CREATE TABLE doubtful AS
            SELECT *, row_number() OVER newest AS rank
            FROM normal SEMI JOIN twice ON hash(url) = twice.hash WHERE url IS NOT NULL
            WINDOW newest AS (PARTITION BY url ORDER BY lastmod DESC NULLS LAST, details DESC NULLS LAST)
        """)
        once = "SELECT url, lastmod, details, directory, named, crc FROM"
        apart = f"UNION ALL {once} doubtful WHERE rank = 1" if self._one("SELECT count(*) FROM doubtful") else ""
        kept = "normal ANTI JOIN twice ON hash(url) = twice.hash" if apart else "normal"
        run(f"CREATE VIEW pages AS {once} {kept} WHERE url IS NOT NULL {apart}")
        return int(self._one("SELECT count(*) FROM pages"))

    def faults(self) -> Iterator[Faulty]:
        """Yield what is wrong with rows, and the first values that are."""
        found = self._database.execute(f"""
            SELECT fault, count(*), list_distinct(min(coalesce(value, url, ''), {EXAMPLES})) FROM ({_FAULTS})
            GROUP BY fault ORDER BY fault
        """)
        for fault, count, examples in found.fetchall():
            yield Faulty(fault, count, sorted(examples))

    def save_faults(self, file: str, form: str) -> None:
        """Write all rows with something wrong to a file, whole or not at all."""
        self._database.execute(f"COPY (SELECT * FROM ({_FAULTS}) ORDER BY ALL) TO {text(file)} (FORMAT {form})")

    def pair_variants(self) -> Iterator[Finding]:
        """Keep the language variants that name each other, and yield what is wrong with the others."""
        return variants.pair(Joins(self._database, text(self._rules.site_url)))

    def count_sections(self) -> Iterator[Counted]:
        """Yield the distinct pages by their directories, and by the user's own sections.

        A site may have a directory for each page. So those with too few pages go to their parents here already, the
        deepest first, as `sections.home_directories` decides it for all that are left.
        """
        run = self._database.execute
        run("""
            CREATE TABLE homes AS
            SELECT directory, directory AS home, count(*) AS pages FROM pages WHERE named IS NULL GROUP BY directory
        """)
        for depth in range(self._rules.settings.section_depth - 1, -1, -1):
            run(f"""
                UPDATE homes SET home = regexp_replace(home, '(^|/)[^/]*$', '')
                WHERE home IN (
                    SELECT home FROM homes WHERE home <> '' AND length(home) - length(replace(home, '/', '')) = {depth}
                    GROUP BY home HAVING sum(pages) < {self._rules.settings.section_min_pages}
                )
            """)
        yield from (
            Counted(None, home, pages, "", "")
            for home, pages in run("SELECT home, sum(pages)::BIGINT FROM homes GROUP BY home").fetchall()
        )
        named = run("SELECT named, count(*), min(url), max(url) FROM pages WHERE named IS NOT NULL GROUP BY named")
        yield from (Counted(which, "", pages, first, last) for which, pages, first, last in named.fetchall())

    # 3. Shards

    def make_plan(self) -> Plan:
        """Return the sections, and the shards that the pages of each are in."""
        planned, homes = plan_sections(self.count_sections(), self._rules.site_url, self._rules.settings)
        self._table(
            "sections_of",
            named=pa.array([home.named for home in homes], pa.string()),
            home=pa.array([home.directory for home in homes], pa.string()),
            section=pa.array([home.section for home in homes], pa.int64()),
            shift=pa.array([planned[home.section].shift for home in homes], pa.int64()),
        )
        self._database.execute(f"""
            CREATE VIEW located AS
            SELECT
                pages.*, coalesce(s.section, d.section) AS section, crc >> coalesce(s.shift, d.shift) AS bucket,
                coalesce(s.shift, d.shift) < {HASH_BITS} AS is_large
            FROM pages
            LEFT JOIN sections_of s ON pages.named = s.named
            LEFT JOIN (
                SELECT directory, section, shift FROM homes JOIN sections_of USING (home) WHERE named IS NULL
            ) d ON pages.named IS NULL AND pages.directory = d.directory
        """)
        counts = self._database.execute("SELECT section, bucket, count(*) FROM located WHERE is_large GROUP BY ALL")
        plan = plan_shards(planned, homes, counts.fetchall(), self._rules.settings)
        section, bucket, place = (pa.array(column, pa.int64()) for column in zip(*plan.buckets, strict=True))
        self._table("buckets", section=section, bucket=bucket, place=place)
        return plan

    # 4. The pages of each shard

    def write(self, plan: Plan, put: Put) -> Iterator[tuple[list[Written], list[Finding]]]:
        """Make the sitemaps of all shards, several at a time, and yield them in the order of the index."""
        rules = self._rules
        waiting: deque[Future[tuple[list[Written], list[Finding]]]] = deque()
        threads = self.threads
        pool = ThreadPoolExecutor(threads)
        try:
            for place, pages in self._shards():
                task = pool.submit(write_shard, pages, plan.shards[place], rules.site_url, rules.settings, put)
                waiting.append(task)
                if len(waiting) > threads:  # each of them holds the pages of a shard
                    yield waiting.popleft().result()
            while waiting:
                yield waiting.popleft().result()
        finally:
            pool.shutdown(cancel_futures=True)

    def _shards(self) -> Iterator[tuple[int, pa.Table]]:
        """Yield the shards in the order in which their files are listed: their places in it, and their pages by URL."""
        reader = self._database.sql("""
            SELECT
                place, url, lastmod,
                CASE WHEN variants.page IS NULL THEN located.details ELSE variants.details END AS details
            FROM located JOIN buckets USING (section, bucket) LEFT JOIN variants ON url = variants.page
            ORDER BY place, url
        """).to_arrow_reader(_BATCH)
        yield from by_shard(reader)

    def _table(self, name: str, **columns: pa.Array) -> None:
        self._database.register("columns", pa.table(columns))
        self._database.execute(f"CREATE OR REPLACE TABLE {name} AS SELECT * FROM columns")
        self._database.unregister("columns")

    def _one(self, statement: str) -> Any:  # noqa: ANN401 - whatever it selects
        (row,) = self._database.execute(statement).fetchall()
        return row[0]


def _value(ours: str, column: str, kind: str) -> str:
    """Return a column in a type that `rows.normalise` takes.

    Raises:
        ValueError: it holds no dates, where it should.
    """
    if ours == "lastmod":
        if kind not in {"DATE", *_TEXT} and not kind.startswith("TIMESTAMP"):
            message = f"the column of dates, {column}, holds {kind}; accepted: a date, a timestamp or text"
            raise ValueError(message)
        return column
    if ours in _STRUCTURED and kind not in _TEXT:
        return f"to_json({column})::VARCHAR"
    return f"{column}::VARCHAR"
