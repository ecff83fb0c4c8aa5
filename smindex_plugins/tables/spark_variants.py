"""The joins of language variants in Spark."""

from collections.abc import Callable
from typing import Any

from pyspark.sql import DataFrame, SparkSession

Keep = Callable[[DataFrame], DataFrame]
"""Write the rows of a frame to files, and return the frame that reads them."""


class Joins:
    """The joins of `variants` over a frame of pages."""

    said = """
        SELECT page, pair[0] AS spelling, pair[1] AS target, startswith(pair[1], '<site>') AS is_local
        FROM (
            SELECT url AS page, explode(from_json(get_json_object(details, '$[0]'), 'array<array<string>>')) AS pair
            FROM {pages} WHERE details LIKE '[[[%'
        ) pairs
    """
    variants = "to_json(array_sort(collect_list(array(spelling, target))))"
    named = "get_json_object(details, '$[0]')"
    images = "get_json_object(details, '$[1]')"

    def __init__(self, session: SparkSession, pages: DataFrame, site_url: str, keep: Keep) -> None:
        self._session, self._keep = session, keep
        self._site_url = site_url
        self.frames = {"pages": pages}
        """The tables that are made."""
        self.said = type(self).said.replace("<site>", site_url.replace("\\", "\\\\").replace("'", "\\'"))

    def keep(self, table: str, select: str) -> None:
        """Make a table of what a statement selects, also in place of one that it selects from."""
        self.frames[table] = self._keep(self._select(select))

    def rows(self, select: str) -> list[tuple[Any, ...]]:
        """Return what a statement selects."""
        return [tuple(row) for row in self._select(select).collect()]

    def drop(self, table: str) -> None:
        """Forget a table; its files go when the run ends."""
        del self.frames[table]

    def _select(self, select: str) -> DataFrame:
        named = {name: frame for name, frame in self.frames.items() if f"{{{name}}}" in select}
        return self._session.sql(select, **named)
