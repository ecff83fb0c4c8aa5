"""The language variants of pages, judged by joins: what `pages.hreflang.pair` does in memory, for any number of pages.

The steps, their order and their results are those of `pair`; a test compares the two. They are statements that all
engines understand; a name in braces is that of a table.
"""

from collections.abc import Iterator
from typing import Any, Protocol

from smindex_plugins.catalogue import (
    ACCIDENTAL_TRANSLATION,
    HREFLANG_CONTRADICTION,
    HREFLANG_NOT_MUTUAL,
    HREFLANG_WITHOUT_SELF,
    MISSING_VARIANT,
    Kind,
)
from smindex_plugins.model import Finding
from smindex_plugins.text import counted


class Joins(Protocol):
    """An engine with a table of pages, and what each engine says in its own way."""

    said: str
    """The statement for what pages name as their variants: page, spelling (the code), target, is_local."""
    variants: str
    """The aggregate of columns spelling and target: JSON with the sorted pairs of both."""
    named: str
    """The expression for the JSON of variants in a column details."""
    images: str
    """And of images."""

    def keep(self, table: str, select: str) -> None:
        """Make a table of what a statement selects, also in place of one that it selects from."""

    def rows(self, select: str) -> list[tuple[Any, ...]]:
        """Return what a statement selects."""

    def drop(self, table: str) -> None:
        """Remove a table."""


_STEPS = {
    "claims": """
        SELECT DISTINCT said.page, said.target FROM {said} said JOIN (
            SELECT DISTINCT page, code FROM {said} WHERE target = page AND code <> 'x-default'
        ) own ON said.page = own.page AND said.code = own.code WHERE said.target <> said.page
    """,
    "accidents": """
        SELECT DISTINCT one.page, one.target FROM {claims} one
        JOIN {claims} other ON one.page = other.target AND one.target = other.page
    """,
    "apart": "SELECT DISTINCT page FROM {accidents}",
    "missing": """
        SELECT said.page, said.target FROM {said} said ANTI JOIN {pages} listed ON said.target = listed.url
        WHERE said.is_local
    """,
    "there": """
        SELECT said.* FROM {said} said ANTI JOIN {apart} apart ON said.page = apart.page WHERE NOT said.is_local
        UNION ALL SELECT said.* FROM {said} said ANTI JOIN {apart} apart ON said.page = apart.page
        SEMI JOIN {pages} listed ON said.target = listed.url WHERE said.is_local
    """,
    "once": """
        SELECT page, code, spelling, target, is_local FROM (
            SELECT there.*, row_number() OVER (PARTITION BY there.page, code ORDER BY spelling, target) AS place
            FROM {there} there ANTI JOIN {apart} apart ON there.target = apart.page
        ) ranked WHERE place = 1
    """,
    "spellings": """
        SELECT once.code, CASE once.code WHEN 'x-default' THEN once.code ELSE once.spelling END AS spelling
        FROM {once} once JOIN (SELECT code, min(page) AS page FROM {once} GROUP BY code) least_page
        ON once.code = least_page.code AND once.page = least_page.page
    """,
    "mutual": """
        SELECT page, code, target, is_local FROM {once} WHERE NOT is_local OR target = page
        UNION ALL SELECT one.page, one.code, one.target, one.is_local FROM {once} one
        SEMI JOIN {once} other ON one.page = other.target AND one.target = other.page
        WHERE one.is_local AND one.target <> one.page
    """,
    "labels": """
        SELECT page, least(page, min(CASE WHEN is_local THEN target END)) AS label FROM {mutual} GROUP BY page
    """,
}
_SPREAD = """
    SELECT mutual.page, min(other.label) AS label FROM {mutual} mutual
    JOIN {labels} own ON own.page = mutual.page JOIN {labels} other ON other.page = mutual.target
    GROUP BY mutual.page HAVING min(other.label) < min(own.label)
"""
"""The labels of pages with a neighbour whose label is less."""
_MOVED = """
    SELECT own.page, coalesce(spread.label, own.label) AS label
    FROM {labels} own LEFT JOIN {spread} spread ON own.page = spread.page
"""
_JUMPED = """
    SELECT own.page, least(own.label, above.label) AS label
    FROM {moved} own LEFT JOIN {moved} above ON own.label = above.page
"""
_RESULT = {
    "united": """
        SELECT label, code, min(target) AS target, count(DISTINCT target) AS targets
        FROM {mutual} mutual JOIN {labels} own ON mutual.page = own.page GROUP BY label, code
    """,
    "complete": """
        SELECT label, <variants> AS variants, count(DISTINCT target) AS pages
        FROM {united} united JOIN {spellings} spellings ON united.code = spellings.code WHERE targets = 1 GROUP BY label
    """,
    "sound": """
        SELECT own.page, variants, pages > 1 AND named.target IS NULL AS is_without_self,
            pages > 1 AND named.target IS NOT NULL AS is_sound
        FROM {labels} own JOIN {complete} complete ON own.label = complete.label
        LEFT JOIN (SELECT DISTINCT label, target FROM {united} WHERE targets = 1) named
        ON named.label = own.label AND named.target = own.page
    """,
    "variants": """
        SELECT
            page,
            CASE WHEN variants <> '[]' OR images <> '[]' THEN concat('[', variants, ',', images, ']') END AS details
        FROM (
            SELECT listed.url AS page, <named> AS named, <images> AS images,
                CASE WHEN is_sound THEN sound.variants ELSE '[]' END AS variants
            FROM {pages} listed LEFT JOIN {sound} sound ON listed.url = sound.page WHERE details LIKE '[[[%'
        ) changed WHERE variants <> named
    """,
}
"""The last is what is written of the pages of which that is not what they say."""
_FINDINGS: tuple[tuple[Kind, str, str], ...] = (
    (
        ACCIDENTAL_TRANSLATION,
        "it and {1} name each other as variants, but both are in one language.",
        "SELECT page, target FROM {accidents}",
    ),
    (
        MISSING_VARIANT,
        "it names {1} as its variant, and no page of the table has this URL.",
        "SELECT page, target FROM {missing}",
    ),
    (
        HREFLANG_NOT_MUTUAL,
        "it names {1} as its variant, but that page does not name it in return.",
        """
        SELECT once.page, once.target FROM {once} once
        ANTI JOIN {mutual} mutual ON once.page = mutual.page AND once.target = mutual.target
        """,
    ),
    (
        HREFLANG_CONTRADICTION,
        "its group has two variants {1}.",
        """
        SELECT label AS page, code FROM {united} WHERE targets > 1
        UNION ALL SELECT page, code FROM {there} GROUP BY page, code HAVING count(DISTINCT target) > 1
        """,
    ),
    (
        HREFLANG_WITHOUT_SELF,
        "no page of its group, itself included, says which language it is in.",
        "SELECT page, '' AS code FROM {sound} WHERE is_without_self",
    ),
)


def pair(joins: Joins) -> Iterator[Finding]:
    """Make a table `variants` of what is to be written of pages in place of what they say, and yield what is wrong."""
    joins.keep("said", f"SELECT page, lower(spelling) AS code, spelling, target, is_local FROM ({joins.said}) pairs")
    if joins.rows("SELECT count(*) FROM {said}") == [(0,)]:
        joins.keep("variants", "SELECT page, spelling AS details FROM {said}")
        return
    for table, select in _STEPS.items():
        joins.keep(table, select)
    _group(joins)
    for table, select in _RESULT.items():
        filled = select.replace("<variants>", joins.variants)
        joins.keep(table, filled.replace("<named>", joins.named).replace("<images>", joins.images))
    for kind, problem, cases in _FINDINGS:
        yield from _found(joins, kind, problem, cases)
    for table in ("said", *_STEPS, "spread", "moved", *list(_RESULT)[:-1]):
        joins.drop(table)


def _group(joins: Joins) -> None:
    """Give all pages that are linked to each other one label, in rounds of which each doubles how far they see."""
    joins.keep("spread", _SPREAD)
    joins.keep("moved", _MOVED)
    while joins.rows("SELECT count(*) FROM {spread}") != [(0,)]:
        joins.keep("moved", _MOVED)
        joins.keep("labels", _JUMPED)
        joins.keep("spread", _SPREAD)


def _found(joins: Joins, kind: Kind, problem: str, cases: str) -> Iterator[Finding]:
    ((number,),) = joins.rows(f"SELECT count(*) FROM ({cases}) cases")
    if number:
        first, *others = joins.rows(f"SELECT * FROM ({cases}) cases ORDER BY 1, 2 LIMIT 2")
        more = f" The same is true of {counted(number - 1, 'other case')}, such as {others[0][0]}." if others else ""
        yield kind.at(first[0], problem.format(*first) + more, f"{kind.fix} The sound variants are written.")
