"""What Spark lets Python do with the rows of one partition: bring them to their normal form, and write sitemaps."""

import pickle
from collections.abc import Callable, Iterator

import pyarrow as pa

from smindex_plugins.model import Finding
from smindex_plugins.sitemaps import OutputError
from smindex_plugins.tables import rows
from smindex_plugins.tables.plan import Shard
from smindex_plugins.tables.rules import Rules
from smindex_plugins.tables.shards import Put, Written, by_shard, write_shard

Batches = Iterator[pa.RecordBatch]
Task = Callable[[Batches], Batches]
Made = tuple[list[Written], list[Finding], list[Finding]]
"""The sitemaps of a shard, what is wrong with its pages, and what stood in the way of writing."""

NORMAL = ", ".join(f"{field.name} {'bigint' if field.name == 'crc' else 'string'}" for field in rows.KEPT)
"""The columns of `rows.KEPT`, as Spark writes them."""
MADE = "place int, made binary"
_MADE = pa.schema([("place", pa.int32()), ("made", pa.binary())])


def normaliser(rules: Rules) -> Task:
    """Return the task that brings rows to their normal form."""

    def normalise(batches: Batches) -> Batches:
        for batch in batches:
            yield rows.kept(batch, rules)

    return normalise


def writer(shards: list[Shard], rules: Rules, put: Put) -> Task:
    """Return the task that writes the sitemaps of whole shards, which are given by their places in the index's order.

    Names and bytes follow from the pages. So a task may run again, or twice at the same time.
    """

    def write(batches: Batches) -> Batches:
        for place, pages in by_shard(batches):
            made = pickle.dumps(_made(pages, shards[place], rules, put))
            yield pa.record_batch([pa.array([place], pa.int32()), pa.array([made], pa.binary())], schema=_MADE)

    return write


def _made(pages: pa.Table, shard: Shard, rules: Rules, put: Put) -> Made:
    try:
        return (*write_shard(pages, shard, rules.site_url, rules.settings, put), [])
    except OutputError as error:  # which Spark would tell of as a traceback, after a few more attempts
        return [], [], error.findings


def read_made(made: bytes) -> Made:
    """Return what a task has made."""
    found: Made = pickle.loads(made)  # noqa: S301 - our own tasks made it, and Spark brings all they return in this way
    return found
