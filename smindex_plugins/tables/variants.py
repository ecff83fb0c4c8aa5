"""The language variants of pages, judged by joins: what `pages.hreflang.pair` does in memory, for any number of pages.

The steps, their order and their results are those of `pair`; a test compares the two.
"""

from collections.abc import Iterator
from typing import Any

from smindex_plugins.catalogue import (
    ACCIDENTAL_TRANSLATION,
    HREFLANG_CONTRADICTION,
    HREFLANG_NOT_MUTUAL,
    HREFLANG_WITHOUT_SELF,
    MISSING_VARIANT,
    Kind,
)
from smindex_plugins.model import Finding
from smindex_plugins.wording import counted

_SAID = """
CREATE TABLE said AS
SELECT page, lower(pair[1]) AS code, pair[1] AS spelling, pair[2] AS target, starts_with(pair[2], {site}) AS is_local
FROM (SELECT url AS page, unnest(from_json(json_extract(details, '$[0]'), '[["VARCHAR"]]')) AS pair
      FROM pages WHERE starts_with(details, '[[['));
"""
"""What pages say of each other."""
_STEPS = """
CREATE TABLE claims AS
SELECT DISTINCT page, said.target FROM said JOIN (
    SELECT DISTINCT page, code FROM said WHERE target = page AND code <> 'x-default'
) own USING (page, code) WHERE said.target <> page;

CREATE TABLE accidents AS
SELECT DISTINCT one.page, one.target FROM claims one
JOIN claims other ON one.page = other.target AND one.target = other.page;

CREATE TABLE apart AS SELECT DISTINCT page FROM accidents;

CREATE TABLE there AS
SELECT * FROM said ANTI JOIN apart USING (page)
WHERE NOT is_local OR target IN (SELECT url FROM pages);

CREATE TABLE once AS
SELECT * FROM there WHERE target NOT IN (SELECT page FROM apart)
QUALIFY row_number() OVER (PARTITION BY page, code ORDER BY spelling, target) = 1;

CREATE TABLE spellings AS
SELECT code,
    CASE code WHEN 'x-default' THEN code ELSE arg_min(spelling, {'page': page, 'spelling': spelling}) END AS spelling
FROM once GROUP BY code;

CREATE TABLE mutual AS
SELECT * FROM once WHERE NOT is_local OR target = page
UNION ALL SELECT one.* FROM once one SEMI JOIN once other ON one.page = other.target AND one.target = other.page
WHERE one.is_local AND one.target <> one.page;

CREATE TABLE groups AS
SELECT page, least(page, min(CASE WHEN is_local THEN target END)) AS label FROM mutual GROUP BY page;
"""
_SPREAD = """
CREATE OR REPLACE TABLE spread AS
SELECT mutual.page, min(other.label) AS label
FROM mutual JOIN groups own ON own.page = mutual.page JOIN groups other ON other.page = mutual.target
GROUP BY mutual.page HAVING min(other.label) < any_value(own.label);
"""
"""The labels of pages with a neighbour whose label is less."""
_JUMP = """
UPDATE groups SET label = spread.label FROM spread WHERE groups.page = spread.page;
UPDATE groups SET label = above.label FROM groups above WHERE groups.label = above.page AND above.label < groups.label;
"""
_RESULT = """
CREATE TABLE united AS
SELECT label, code, min(target) AS target, count(DISTINCT target) AS targets
FROM mutual JOIN groups USING (page) GROUP BY label, code;

CREATE TABLE complete AS
SELECT label, list_sort(list([spelling, target])) AS variants, list(target) AS targets, count(DISTINCT target) AS pages
FROM united JOIN spellings USING (code) WHERE united.targets = 1 GROUP BY label;

CREATE TABLE sound AS
SELECT page, variants, pages > 1 AND NOT list_contains(complete.targets, page) AS is_without_self,
    pages > 1 AND list_contains(complete.targets, page) AS is_sound
FROM groups JOIN complete USING (label);

CREATE TABLE variants AS
SELECT page, CASE WHEN variants <> '[]' OR images <> '[]' THEN '[' || variants || ',' || images || ']' END AS details
FROM (
    SELECT url AS page, details, json_extract(details, '$[1]')::VARCHAR AS images,
        CASE WHEN is_sound THEN to_json(sound.variants)::VARCHAR ELSE '[]' END AS variants
    FROM pages LEFT JOIN sound ON url = page WHERE starts_with(details, '[[[')
) WHERE variants IS DISTINCT FROM json_extract(details, '$[0]')::VARCHAR;
"""
"""What is written of the pages of which that is not what they say."""
_FINDINGS: tuple[tuple[Kind, str, str], ...] = (
    (
        ACCIDENTAL_TRANSLATION,
        "it and {1} name each other as variants, but both are in one language.",
        "SELECT page, target FROM accidents",
    ),
    (
        MISSING_VARIANT,
        "it names {1} as its variant, and no page of the table has this URL.",
        "SELECT page, target FROM said WHERE is_local AND target NOT IN (SELECT url FROM pages)",
    ),
    (
        HREFLANG_NOT_MUTUAL,
        "it names {1} as its variant, but that page does not name it in return.",
        "SELECT page, target FROM once ANTI JOIN mutual USING (page, target)",
    ),
    (
        HREFLANG_CONTRADICTION,
        "its group has two variants {1}.",
        """
        SELECT label, code FROM united WHERE targets > 1
        UNION ALL SELECT page, code FROM there GROUP BY page, code HAVING count(DISTINCT target) > 1
        """,
    ),
    (
        HREFLANG_WITHOUT_SELF,
        "no page of its group, itself included, says which language it is in.",
        "SELECT page, '' FROM sound WHERE is_without_self",
    ),
)


def pair(database: Any, site: str) -> Iterator[Finding]:  # noqa: ANN401 - a connection to DuckDB, which is not imported here
    """Make a table `variants` of what is to be written of pages in place of what they say, and yield what is wrong.

    The site's address is a text of SQL.
    """
    run = database.execute
    run(_SAID.format(site=site))
    if run("SELECT count(*) FROM said").fetchall() == [(0,)]:
        run("CREATE TABLE variants (page VARCHAR, details VARCHAR)")
        return
    run(_STEPS)
    while run(_SPREAD).execute("SELECT count(*) FROM spread").fetchall() != [(0,)]:
        run(_JUMP)
    run(_RESULT)
    for kind, problem, cases in _FINDINGS:
        yield from _found(kind, problem, run(f"SELECT count(*), min(c, 2) FROM ({cases}) c").fetchall())
    for table in ("said", "claims", "there", "once", "mutual", "united", "complete", "sound"):
        run(f"DROP TABLE {table}")


def _found(kind: Kind, problem: str, rows: list[tuple[int, list[Any]]]) -> Iterator[Finding]:
    ((number, examples),) = rows
    if number:
        first, *others = (tuple(each.values()) for each in examples)
        more = f" The same is true of {counted(number - 1, 'other case')}, such as {others[0][0]}." if others else ""
        yield kind.at(first[0], problem.format(*first) + more, f"{kind.fix} The sound variants are written.")
