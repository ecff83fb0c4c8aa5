"""The joins of language variants in DuckDB."""

import re
from typing import Any

import duckdb


class Joins:
    """The joins of `variants` in a database; the site's address is a text of SQL."""

    variants = "to_json(list_sort(list([spelling, target])))::VARCHAR"
    images = "json_extract(details, '$[1]')::VARCHAR"
    named = "json_extract(details, '$[0]')::VARCHAR"

    def __init__(self, database: duckdb.DuckDBPyConnection, site: str) -> None:
        self._database = database
        self.said = f"""
            SELECT page, pair[1] AS spelling, pair[2] AS target, starts_with(pair[2], {site}) AS is_local
            FROM (SELECT url AS page, unnest(from_json(json_extract(details, '$[0]'), '[["VARCHAR"]]')) AS pair
                  FROM pages WHERE details LIKE '[[[%')
        """

    def keep(self, table: str, select: str) -> None:
        """Make a table of what a statement selects, also in place of one that it selects from."""
        self._database.execute(f"CREATE OR REPLACE TABLE {table} AS {self._named(select)}")

    def rows(self, select: str) -> list[tuple[Any, ...]]:
        """Return what a statement selects."""
        return self._database.execute(self._named(select)).fetchall()

    def drop(self, table: str) -> None:
        """Remove a table."""
        self._database.execute(f"DROP TABLE {table}")

    def _named(self, select: str) -> str:
        return re.sub(r"{(\w+)}", r"\1", select)
