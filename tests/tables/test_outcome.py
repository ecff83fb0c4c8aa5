"""What a run over a table did, in words."""

from collections import Counter

import pytest

from smindex_plugins.base.model import IndexEntry
from smindex_plugins.pages.omissions import NotListed
from smindex_plugins.tables.outcome import Bounds, Fault, TableOutcome, fault_finding


def test_the_summary_counts_pages_and_faults_and_the_speed_of_large_tables() -> None:
    outcome = TableOutcome(
        rows=200_000,
        pages=199_990,
        sections=2,
        entries=[IndexEntry(url="https://e.org/sitemap.xml")],
        index_urls=["https://e.org/sitemap_index-1.xml", "https://e.org/sitemap_index-2.xml"],
        faults=Counter({Fault.NO_URL: 10, Fault.FUTURE_DATE: 3}),
    )
    assert (
        outcome.summary(2)
        == "199,990 pages in 2 sections, 1 sitemap listed in https://e.org/sitemap_index-1.xml and"
        " 1 more; omitted: 10 without a URL; partially listed: 3 with a date in the future;"
        " 200,000 rows in 2.00 s, 100,000 rows/s"
    )
    assert (
        TableOutcome(rows=1).summary(1)
        == "0 pages in 0 sections, no index was written; 1 row in 1.00 s"
    )


@pytest.mark.parametrize(
    ("fault", "rows", "expected"),
    [
        (Fault.NO_URL, 1, "1 row without a URL: it is not listed."),
        (
            Fault.DUPLICATE,
            2,
            (
                "2 rows at the URL of another row: they are omitted, because another row takes"
                " precedence"
            ),
        ),
        (
            Fault.FUTURE_DATE,
            2,
            "2 rows with a date in the future: they are listed without it, such as x.",
        ),
    ],
)
def test_a_fault_of_rows_is_one_finding(fault: Fault, rows: int, expected: str) -> None:
    assert str(fault_finding(fault, rows, ["x"] * (rows - 1))).startswith(expected)


def test_rows_that_are_left_out_on_purpose_are_no_finding() -> None:
    assert fault_finding(NotListed.EXCLUDED, 5, []) is None


def test_memory_is_an_amount_that_java_takes() -> None:
    assert [Bounds(memory=memory).memory_of_java() for memory in ("4GB", "1500 MiB", "2g")] == [
        "4g",
        "1500m",
        "2g",
    ]
    with pytest.raises(ValueError, match=r"--memory 1\.5GB: Spark accepts a whole number"):
        Bounds(memory="1.5GB").memory_of_java()
