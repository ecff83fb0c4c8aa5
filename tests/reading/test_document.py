"""A document that was read: which of its dates are usable, and what other builds joined to it."""

from datetime import UTC, datetime

import pytest

from smindex_plugins.reading.document import MOST_KEPT, Document, Entry, newest_date, usable_date

NOW = datetime(2026, 5, 10, tzinfo=UTC)
SITE = "https://e.org/"


def document(*dates: str) -> Document:
    return Document(url=f"{SITE}sitemap.xml", entries=[Entry(SITE, SITE, date) for date in dates])


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ("2026-05-10", "2026-05-10"),
        ("2026-05-09T01:30:00+02:00", "2026-05-08T23:30:00Z"),
        ("2026-05-12", None),
        ("2026-05", None),
        ("soon", None),
        ("", None),
    ],
)
def test_a_date_is_usable_if_it_is_valid_has_a_day_and_is_not_in_the_future(
    written: str, expected: str | None
) -> None:
    assert usable_date(document(written), written, NOW) == expected


def test_the_newest_date_is_that_of_the_usable_ones() -> None:
    assert (
        newest_date(document("2026-01-02", "", "2999-01-01", "2026-05-10", "soon"), NOW)
        == "2026-05-10"
    )
    assert newest_date(document("", "soon"), NOW) is None


def test_no_more_findings_are_kept_than_a_file_may_have() -> None:
    full = Document(url=SITE, entries=[Entry(SITE, SITE)] * MOST_KEPT)
    assert full.is_full
    assert not document().is_full
