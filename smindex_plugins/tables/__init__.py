"""Writes sitemaps from tables larger than memory: with DuckDB on one machine, and with Spark on a
cluster.

Both engines run the same five steps, in SQL and functions over Arrow batches:

    given         1 normal rows      2 pages, each once   3 shards            4 files
    5 index
    ----------    --------------     ------------------   ---------------     ------------------
    -------------- url           url, directory,    the row with the     small directories   a task
    splits and     put last, then lastmod       hash, date; why    newest date          merged;
    sections    renders one shard;    stale files are alternates    a row is not
    named and divided   whole files, under    removed images        listed
    by hashes of URLs   their final names

                  `_rows`            `_steps`             `_plan`             `_shards`
                  `_destination`

The files are identical to the output of `publish` for the same pages. A shard is a part that
`sections.split` also reaches: it has no more pages than one file can list, while the part that it
is half of has more. A task continues there. Language variants are written as given, so they are
identical if the pages of each group agree about them.
"""

from smindex_plugins.tables.outcome import Bounds
from smindex_plugins.tables.run import write_sitemaps

__all__ = ["Bounds", "write_sitemaps"]
