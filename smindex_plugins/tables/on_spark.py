"""The five steps on Spark, on a cluster: it sorts, groups and joins; Python workers write straight to the destination.

What was made once is kept in files that all executors reach, so a lost executor takes nothing with it. What `persist`
keeps would be lost, and plans over many kept frames would grow without end.
"""

import itertools
import os
from collections.abc import Iterator, Mapping
from typing import Any

import pyarrow as pa
from pyspark.sql import Column, DataFrame, SparkSession, Window
from pyspark.sql import functions as F  # noqa: N812 - as everybody calls it
from pyspark.sql.types import ArrayType, DateType, MapType, StringType, StructType, TimestampNTZType, TimestampType

from smindex_plugins.model import Finding
from smindex_plugins.sitemaps import OutputError
from smindex_plugins.sitemaps.sections import HASH_BITS
from smindex_plugins.tables import spark_tasks, variants
from smindex_plugins.tables.plan import Counted, Home, Plan, Planned, plan_sections, plan_shards
from smindex_plugins.tables.rules import Fault, Rules
from smindex_plugins.tables.run import EXAMPLES, Faulty
from smindex_plugins.tables.shards import Put, Written
from smindex_plugins.tables.spark_variants import Joins

_PAGE = ("url", "lastmod", "details", "directory", "named", "crc")
_DATES = (DateType, TimestampType, TimestampNTZType, StringType)
_SENT = 500_000
"""Rows of a small table that every executor gets a copy of; a larger one is joined by a shuffle."""
_TOGETHER = 200_000
"""Pages of shards that one task writes, one shard after the other."""
_FAULTS = """
    inline(filter(array(
        named_struct('fault', fault, 'url', given_url, 'value', CAST(NULL AS STRING)),
        named_struct('fault', IF(fault IS NULL, date_fault, NULL), 'url', url, 'value', given_date),
        named_struct('fault', IF(fault IS NULL, details_fault, NULL), 'url', url, 'value', given_details)
    ), each -> each.fault IS NOT NULL))
"""
"""What is wrong with a row: the reason, the URL of the row, and the value, if that is not the URL."""


class Engine:
    """The rows of one table in a session of Spark, with a directory for files that all executors reach."""

    def __init__(self, session: SparkSession, rules: Rules, directory: str) -> None:
        self._session, self._rules = session, rules
        self._files = (f"{directory}/{number}" for number in itertools.count())

    def done(self) -> float:
        """Return how much of the stages that run is done, in percent, or a negative number if nobody knows."""
        tracker = self._session.sparkContext.statusTracker()
        stages = list(filter(None, map(tracker.getStageInfo, tracker.getActiveStageIds())))
        tasks = sum(stage.numTasks for stage in stages)
        return 100 * sum(stage.numCompletedTasks for stage in stages) / tasks if tasks else -1

    def _keep(self, frame: DataFrame) -> DataFrame:
        """Write the rows of a frame to files, and return the frame that reads them."""
        path = next(self._files)
        frame.write.parquet(path)
        return self._session.read.schema(frame.schema).parquet(path)

    # 1. Normal rows

    def read(self, given: DataFrame, columns: Mapping[str, str]) -> None:
        """Bring the rows of a table to their normal form, and keep them."""
        task = spark_tasks.normaliser(self._rules)
        self._normal = self._keep(_selected(given, columns).mapInArrow(task, spark_tasks.NORMAL))

    # 2. Pages, each once, and their sections

    def drop_duplicates(self) -> int:
        """Make the pages of the rows, one for each URL: that with the newest date. Return how many there are."""
        listed = self._normal.where("url IS NOT NULL").withColumn("hash", F.xxhash64("url"))
        twice = self._keep(listed.groupBy("hash").count().where("count > 1").select("hash"))
        newest = Window.partitionBy("url").orderBy(F.desc_nulls_last("lastmod"), F.desc_nulls_last("details"))
        self._doubtful = listed.join(twice, "hash", "left_semi").withColumn("rank", F.row_number().over(newest))
        self._pages = listed.select(*_PAGE)
        if not twice.isEmpty():
            self._doubtful = self._keep(self._doubtful)
            once = listed.join(twice, "hash", "left_anti").select(*_PAGE)
            self._pages = self._keep(once.unionByName(self._doubtful.where("rank = 1").select(*_PAGE)))
        return int(self._pages.count())

    def faults(self) -> Iterator[Faulty]:
        """Yield what is wrong with rows, and the first values that are."""
        single = self._normal.selectExpr(_FAULTS)
        repeated = self._doubtful.where("rank > 1").selectExpr(f"'{Fault.DUPLICATE}' AS fault", "url", "NULL AS value")
        self._faults = self._keep(single.unionByName(repeated))
        counts = {row["fault"]: row["count"] for row in self._faults.groupBy("fault").count().collect()}
        values = self._faults.select("fault", F.coalesce("value", "url", F.lit("")).alias("example"))
        least = Window.partitionBy("fault").orderBy("example")
        few = values.withColumn("place", F.row_number().over(least)).where(f"place <= {EXAMPLES}").collect()
        for fault in sorted(counts):
            yield Faulty(fault, counts[fault], sorted({row["example"] for row in few if row["fault"] == fault}))

    def save_faults(self, file: str, form: str) -> None:
        """Write all rows with something wrong to a directory of files, in place of what is there."""
        written = self._faults.orderBy("fault", "url", "value").write.mode("overwrite")
        written.option("header", "true").format(form).save(place_of(self._session, file))

    def pair_variants(self) -> Iterator[Finding]:
        """Keep the language variants that name each other, and yield what is wrong with the others."""
        joins = Joins(self._session, self._pages, self._rules.site_url, self._keep)
        yield from variants.pair(joins)
        self._variants = joins.frames["variants"]

    def count_sections(self) -> Iterator[Counted]:
        """Yield the distinct pages by their directories, and by the user's own sections.

        A site may have a directory for each page. So those with too few pages go to their parents here already, the
        deepest first, as `sections.home_directories` decides it for all that are left.
        """
        unnamed = self._pages.where("named IS NULL").select(F.col("directory").alias("home"), F.lit(1).alias("pages"))
        homes = unnamed.groupBy("home").agg(F.sum("pages").alias("pages"))
        for depth in range(self._rules.settings.section_depth - 1, -1, -1):
            is_small = F.expr(
                f"home <> '' AND length(home) - length(replace(home, '/', '')) = {depth} "
                f"AND pages < {self._rules.settings.section_min_pages}"
            )
            home = F.when(is_small, F.substring_index("home", "/", depth)).otherwise(F.col("home"))
            homes = homes.select(home.alias("home"), "pages").groupBy("home").agg(F.sum("pages").alias("pages"))
        yield from (Counted(None, row["home"], row["pages"], "", "") for row in homes.collect())
        named = self._pages.where("named IS NOT NULL").groupBy("named")
        for row in named.agg(F.count("*"), F.min("url"), F.max("url")).collect():
            yield Counted(row[0], "", *row[1:])

    # 3. Shards

    def make_plan(self) -> Plan:
        """Return the sections, and the shards that the pages of each are in."""
        planned, homes = plan_sections(self.count_sections(), self._rules.site_url, self._rules.settings)
        located = self._located(planned, homes)
        large = located.where(f"shift < {HASH_BITS}").groupBy("section", "bucket").count()
        plan = plan_shards(planned, homes, map(tuple, large.collect()), self._rules.settings)
        names, types = ("section", "bucket", "place"), (pa.int64(), pa.int64(), pa.int32())
        columns = zip(names, types, zip(*plan.buckets, strict=True), strict=True)
        buckets = self._table({name: pa.array(column, kind) for name, kind, column in columns})
        self._placed = located.join(buckets, ["section", "bucket"])
        return plan

    def _located(self, planned: list[Planned], homes: list[Home]) -> DataFrame:
        """Return the pages with the number of their section, and of their bucket in it.

        A page is in the user's own section, or else in that of the nearest directory that has one.
        """
        sections = self._table(
            {
                "own": pa.array([home.named for home in homes], pa.string()),
                "home": pa.array([None if home.named else home.directory for home in homes], pa.string()),
                "number": pa.array([home.section for home in homes], pa.int64()),
            }
        )
        own = sections.where("own IS NOT NULL").select("own", F.col("number").alias("section_own"))
        found = self._pages.join(own, F.col("named") == F.col("own"), "left").drop("own")
        depths = range(self._rules.settings.section_depth, -1, -1)
        for depth in depths:
            near = sections.where("own IS NULL").select("home", F.col("number").alias(f"section_{depth}"))
            outer = F.when(F.col("named").isNull(), F.substring_index("directory", "/", depth))
            found = found.join(near, outer == F.col("home"), "left").drop("home")
        nearest = F.coalesce("section_own", *(f"section_{depth}" for depth in depths))
        found = found.withColumn("section", nearest).drop("section_own", *(f"section_{depth}" for depth in depths))
        shifts = self._table(
            {
                "section": pa.array(range(len(planned)), pa.int64()),
                "shift": pa.array([section.shift for section in planned], pa.int32()),
            }
        )
        return found.join(shifts, "section").withColumn("bucket", F.expr("shiftright(crc, shift)"))

    # 4. The pages of each shard

    def write(self, plan: Plan, put: Put) -> Iterator[tuple[list[Written], list[Finding]]]:
        """Make the sitemaps of all shards in many tasks, and yield them in the order of the index.

        Raises:
            OutputError: with all that stands in the way.
        """
        pages = self._placed.select("place", "url", "lastmod", "details")
        changed = self._variants.select("page", F.col("details").alias("sound"), F.expr("true").alias("is_changed"))
        if not changed.isEmpty():
            details = F.when(F.col("is_changed"), F.col("sound")).otherwise(F.col("details"))
            pages = pages.join(changed, F.col("url") == F.col("page"), "left").withColumn("details", details)
        tasks = self._tasks(sum(section.pages for section in plan.sections), len(plan.shards))
        sorted_pages = pages.select("place", "url", "lastmod", "details").repartition(tasks, "place")
        sorted_pages = sorted_pages.sortWithinPartitions("place", "url")
        made = sorted_pages.mapInArrow(spark_tasks.writer(plan.shards, self._rules, put), spark_tasks.MADE).collect()
        results = [spark_tasks.read_made(row["made"]) for row in sorted(made, key=lambda row: row["place"])]
        if problems := [finding for _, _, in_the_way in results for finding in in_the_way]:
            raise OutputError(problems)
        yield from ((written, findings) for written, findings, _ in results)

    def _tasks(self, pages: int, shards: int) -> int:
        """Return how many tasks write: enough for all cores, and few enough that each has something to do."""
        cores = int(self._session.sparkContext.defaultParallelism)
        return min(shards, max(2 * cores, pages // _TOGETHER))

    def _table(self, columns: dict[str, pa.Array]) -> DataFrame:
        table = pa.table(columns)
        frame = self._session.createDataFrame(table)
        return F.broadcast(frame) if len(table) <= _SENT else frame


def place_of(session: SparkSession, path: str) -> str:
    """Return a path as Spark takes it: of this machine if it works here alone, otherwise as the cluster reads it."""
    is_here = session.sparkContext.master.partition("[")[0] == "local" and "://" not in path
    return "file://" + os.path.abspath(path) if is_here else path


def _selected(given: DataFrame, columns: Mapping[str, str]) -> DataFrame:
    """Return the four columns of a table in types that `rows.normalise` takes, those that lack as null.

    Raises:
        ValueError: a column lacks that is named, or holds no dates where it should.
    """
    there = {field.name.lower(): field for field in given.schema}
    chosen: list[Column] = []
    for ours, own in columns.items():
        field = there.get(own.lower())
        if field is None and (ours == "url" or own != ours):
            found = ", ".join(given.columns)
            message = f"the table has no column {own}; it has {found}. Name the column: --column {ours}=NAME"
            raise ValueError(message)
        value = F.lit(None).cast("string") if field is None else _value(ours, field)
        chosen.append(value.alias(ours))
    return given.select(*chosen)


def _value(ours: str, field: Any) -> Column:  # noqa: ANN401 - a field of Spark
    column = F.col("`" + field.name.replace("`", "``") + "`")
    if ours == "lastmod":
        if not isinstance(field.dataType, _DATES):
            kind = field.dataType.simpleString()
            message = f"the column of dates, {field.name}, holds {kind}; accepted: a date, a timestamp or text"
            raise ValueError(message)
        return column
    is_structured = isinstance(field.dataType, (ArrayType, MapType, StructType))
    return F.to_json(column) if is_structured else column.cast("string")
