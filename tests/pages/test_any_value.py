"""Whatever stands in the front matter of a page: nothing that reads it may fail, or tell more than fits on a line."""

from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from smindex_plugins.dates import w3c_date
from smindex_plugins.html import front_matter
from smindex_plugins.model import Finding, Page
from smindex_plugins.pages.membership import author_omission

_ZONES = st.builds(lambda minutes: timezone(timedelta(minutes=minutes)), st.integers(-1439, 1439))
_PLAIN = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text()
    | st.binary()
    | st.dates()
    | st.datetimes(timezones=st.none() | _ZONES)
    | st.sampled_from(["noindex", "2026-05-10", "0000-01-01", "99999999-01-01", "2026-05-10T10:00:00+99:99"])
    | st.from_regex(r"\A\d{1,9}-\d\d-\d\d([T ]\d\d:\d\d(:\d\d)?(Z|[+-]\d\d:\d\d)?)?\Z")
)
_ANY = st.recursive(
    _PLAIN,
    lambda below: (
        st.lists(below) | st.tuples(below) | st.dictionaries(st.text() | st.none() | st.integers() | st.dates(), below)
    ),
    max_leaves=8,
)
_KEYS = st.sampled_from(["sitemap", "lastmod", "updated", "date", "depends", "robots", "noindex", "external_canonical"])
_BELOW = st.dictionaries(st.sampled_from(["exclude", "images", "lastmod", "created", "updated", "hide"]), _ANY)


def _read(meta: object) -> list[Finding]:
    findings: list[Finding] = []
    page = Page(url="https://e.org/a/", source_name="a.md", meta=meta)  # type: ignore[arg-type] # as hosts may hand it over
    front_matter.find_mistakes(page, findings)
    front_matter.author_date(page, findings)
    front_matter.author_images(page)
    front_matter.depends(page, findings)
    omitted = author_omission(page)
    assert omitted is None or len(omitted.by) < 300
    return findings


@settings(max_examples=150, deadline=None)
@given(st.dictionaries(_KEYS, _ANY | _BELOW))
def test_whatever_an_author_writes_is_read_and_told_in_short(meta: object) -> None:
    for finding in _read(meta):
        assert finding.where == "a.md"
        assert len(str(finding)) < 800
        assert len(str(finding).splitlines()) == 1


@pytest.mark.parametrize("key", ["sitemap", "lastmod", "updated", "depends", "robots", "external_canonical", "noindex"])
def test_what_holds_itself_is_read_and_told_in_short(key: str) -> None:
    table: dict[object, object] = {}
    table |= {
        "images": [table],
        "lastmod": table,
        "exclude": table,
        None: table,
        (1 << 20_000): table,
        "a" * 9_999: table,
    }
    values: list[object] = [table]
    values.append(values)
    for value in (table, values):
        assert all(len(str(finding)) < 800 for finding in _read({key: value}))


@settings(max_examples=150, deadline=None)
@given(_ANY)
def test_every_value_is_a_w3c_date_or_none(value: object) -> None:
    date = w3c_date(value)
    assert date is None or datetime.fromisoformat(date).replace(tzinfo=UTC)
