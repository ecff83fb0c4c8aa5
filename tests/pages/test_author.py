"""What authors say in front matter about sitemaps."""

from datetime import datetime, timedelta, timezone

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from smindex_plugins.base.model import Finding, Page
from smindex_plugins.base.yaml_values import load_yaml
from smindex_plugins.pages._author import (
    DATE_KEYS,
    author_date,
    author_images,
    depends,
    find_mistakes,
)
from smindex_plugins.pages.membership import author_omission

MAPPING = "Use true, false, or a mapping with the keys exclude, images, lastmod."
IMAGES = "Use true, false, or a list of image URLs."
KNOWN = "Known keys: exclude, images, lastmod."


def page(text: str) -> Page:
    return Page(url="https://e.org/a/", source_name="a.md", meta=load_yaml(text))  # type: ignore[arg-type] # a mapping


def dated(text: str) -> tuple[str | None, list[Finding]]:
    date = author_date(page(text))
    return (None, [date]) if isinstance(date, Finding) else (date, [])


def mistakes(given: Page) -> list[Finding]:
    return list(find_mistakes(given, is_dated=True))


@pytest.mark.parametrize(
    ("text", "lastmod"),
    [
        ("lastmod: 2026-05-10", "2026-05-10"),
        ("lastmod: 2026-05-10T12:30:15+02:00", "2026-05-10T10:30:15Z"),
        ("lastmod: 2026-05-10 12:30:15 +2", "2026-05-10T10:30:15Z"),
        *((f"{key}: 2026-05-10", "2026-05-10") for key in DATE_KEYS if "." not in key),
        ("sitemap: {lastmod: 2026-05-10}", "2026-05-10"),
        ("date: {created: 2020-01-01, updated: 2026-05-10}", "2026-05-10"),
        ("{updated: 2026-05-11, lastmod: 2026-05-10, modified: 2026-05-12}", "2026-05-10"),
        ("{lastmod: , updated: 2026-05-11}", "2026-05-11"),
        ("{lastmod: '', modified: 2026-05-12}", "2026-05-12"),
        *(
            (text, None)
            for text in ("", "{}", "date: 2026-05-10", "date: [2026-05-10]", "date: {updated: }")
        ),
    ],
)
def test_the_first_date_that_an_author_wrote_counts(text: str, lastmod: str | None) -> None:
    assert dated(text) == (lastmod, [])


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        *((f"lastmod: {value}", f"lastmod: '{value}'") for value in ("last week", "2026-05")),
        *((f"lastmod: {value}", f"lastmod: {value}") for value in ("2026", "True", "0")),
        ("updated: [2026-05-10]", "updated: [datetime.date(2026, 5, 10)]"),
        ("date: {updated: soon}", "date.updated: 'soon'"),
        ("sitemap: {lastmod: soon}", "sitemap.lastmod: 'soon'"),
        ("{lastmod: soon, updated: 2026-05-10}", "lastmod: 'soon'"),
    ],
)
def test_a_wrong_date_is_a_finding_with_page_key_and_value(text: str, problem: str) -> None:
    lastmod, (finding,) = dated(text)
    assert lastmod is None
    assert (finding.check, finding.level, finding.where) == (
        "invalid-front-matter",
        "warning",
        "a.md",
    )
    assert finding.problem == f"its front matter sets {problem}, which is not a date."


@pytest.mark.parametrize(
    ("text", "images"),
    [
        *((text, None) for text in ("", "sitemap: false", "sitemap: {lastmod: 2026-05-10}")),
        ("sitemap: {images: true}", True),
        ("sitemap: {images: 'off'}", False),
        ("sitemap: {images: []}", ()),
        ("sitemap: {images: [a.png, 'https://e.org/b.png']}", ("a.png", "https://e.org/b.png")),
        (
            "sitemap: {priority: 0.9, Changefreq: daily, filename: sitemap.xml, disable: false}",
            None,
        ),
        ("priority: 1", None),
    ],
)
def test_an_author_names_images_or_wants_them_or_not(text: str, images: object) -> None:
    assert author_images(page(text)) == images
    assert not mistakes(page(text))


@pytest.mark.parametrize(
    ("text", "problem", "fix"),
    [
        ("sitemap: maybe", "sitemap: 'maybe'.", MAPPING),
        ("sitemap: 0", "sitemap: 0.", MAPPING),
        ("sitemap: [exclude]", "sitemap: ['exclude'].", MAPPING),
        ("sitemap: {exclude: perhaps}", "sitemap.exclude: 'perhaps'.", "Use true or false."),
        ("sitemap: {images: a.png}", "sitemap.images: 'a.png'.", IMAGES),
        ("sitemap: {images: [1]}", "sitemap.images: [1].", IMAGES),
        ("sitemap: {exclud: true}", "sitemap.exclud, which is not a known key.", KNOWN),
        ("sitemap: {1: true}", "sitemap.1, which is not a known key.", KNOWN),
    ],
)
def test_a_wrong_value_under_sitemap_is_a_finding_and_leaves_the_page_listed(
    text: str, problem: str, fix: str
) -> None:
    given = page(text)
    (finding,) = mistakes(given)
    assert (finding.check, finding.level, finding.where) == (
        "invalid-front-matter",
        "warning",
        "a.md",
    )
    assert (finding.problem, finding.fix) == (f"its front matter sets {problem}", fix)
    assert author_omission(given) is None


@pytest.mark.parametrize("value", [5, {"a": "b"}, ["a", 5], "/etc/passwd", ["../x"], "", [" "]])
def test_dependencies_are_files_of_the_repository(value: object) -> None:
    finding = depends(Page(url="https://e.org/a/", source_name="a.md", meta={"depends": value}))
    assert isinstance(finding, Finding)
    assert finding.where == "a.md"
    assert (
        finding.problem
        == f"its front matter sets depends: {value!r}, which is not a list of files."
    )
    assert depends(page("depends: a/*.md")) == ("a/*.md",)


_ZONES = st.builds(lambda minutes: timezone(timedelta(minutes=minutes)), st.integers(-1439, 1439))
_PLAIN = st.none() | st.booleans() | st.integers() | st.floats() | st.text() | st.dates()
_ANY = st.recursive(
    _PLAIN
    | st.datetimes(timezones=st.none() | _ZONES)
    | st.sampled_from(["noindex", "99999999-01-01", b"x"]),
    lambda below: (
        st.lists(below) | st.dictionaries(st.text() | st.none() | st.integers() | st.dates(), below)
    ),
    max_leaves=8,
)
_KEYS = st.sampled_from(
    ["sitemap", "lastmod", "updated", "date", "depends", "robots", "noindex", "external_canonical"]
)
_BELOW = st.dictionaries(
    st.sampled_from(["exclude", "images", "lastmod", "created", "updated", "hide"]), _ANY
)


def endless() -> dict[str, object]:
    table: dict[str, object] = {}
    table |= {"images": [table], "lastmod": table, "exclude": table, "a" * 9_999: table}
    return table


@settings(max_examples=100)
@given(st.dictionaries(_KEYS, _ANY | _BELOW | st.builds(endless)))
def test_any_front_matter_is_read_and_its_mistakes_fit_on_a_line(meta: dict[str, object]) -> None:
    given_page = Page(url="https://e.org/a/", source_name="a.md", meta=meta)
    lastmod = author_date(given_page)
    author_images(given_page)
    named = [*find_mistakes(given_page, is_dated=True), lastmod, depends(given_page)]
    omitted = author_omission(given_page)
    assert not isinstance(lastmod, str) or datetime.fromisoformat(lastmod)
    assert omitted is None or len(omitted.by) < 300
    for finding in [each for each in named if isinstance(each, Finding)]:
        assert finding.where == "a.md"
        assert len(str(finding)) < 800
        assert len(str(finding).splitlines()) == 1
