import itertools
import os
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import cast

import pytest

from smindex_plugins.dates import utc
from smindex_plugins.history import Answer, Change, History, Reason, Unknown
from smindex_plugins.model import Page
from smindex_plugins.settings import Settings, Site
from smindex_plugins.sitemaps.sections import Section, newest_removals
from tests.support.dated import KnownHistory, date_pages

NOW = datetime(2026, 5, 10, 12, tzinfo=UTC)
PAST = int(datetime(2026, 4, 1, 8, 30, tzinfo=UTC).timestamp())
FUTURE = int(NOW.timestamp()) + 1


def page(name: str = "a", *sources: str, **meta: object) -> Page:
    return Page(url=f"https://e.org/{name}", sources=sources, source_name=f"{name}.md", meta=meta)


def settings(**given: object) -> Settings:
    return Settings.load(given)


def target(**given: object) -> Site:
    return Site(url="https://e.org/", directory="/site", settings=settings(**given))


def lastmod(given: Page, answers: dict[str, Answer] | None = None, **options: object) -> str | None:
    return date_pages([given], KnownHistory(answers), target(**options), NOW).pages[0].lastmod


@pytest.mark.parametrize(
    ("answer", "meta", "options", "expected"),
    [
        (Change(PAST, "c"), {}, {}, "2026-04-01T08:30:00Z"),
        (Change(PAST, "c"), {"lastmod": "2020-01-01"}, {}, "2020-01-01"),
        (Change(PAST, "c"), {"updated": "2020-01-01T10:00:00+02:00"}, {}, "2020-01-01T08:00:00Z"),
        (Change(PAST, "c"), {"lastmod": "soon"}, {}, "2026-04-01T08:30:00Z"),
        (Change(PAST, "c"), {"lastmod": "2030-01-01"}, {}, "2026-04-01T08:30:00Z"),
        (Change(PAST, "c"), {}, {"lastmod_format": "date"}, "2026-04-01"),
        (Change(PAST, "c"), {"lastmod": "2020-01-01T23:30:00-02:00"}, {"lastmod_format": "date"}, "2020-01-02"),
        (Change(PAST, "c"), {"lastmod": "2020-01-01"}, {"lastmod": "off"}, None),
        (Change(PAST, "c"), {}, {"lastmod": False}, None),
        (Change(FUTURE, "c"), {}, {}, None),
        (Change(10**15, "c"), {}, {}, None),
        (Change(10**30, "c"), {}, {}, None),
        (Unknown(Reason.UNTRACKED), {}, {}, None),
        (Unknown(Reason.SHALLOW, before=PAST), {}, {}, None),
        (Unknown(Reason.SHALLOW), {"lastmod": "2020-01-01"}, {}, "2020-01-01"),
    ],
)
def test_the_authors_word_comes_first_then_git_then_nothing(
    answer: Answer, meta: dict[str, object], options: dict[str, object], expected: str | None
) -> None:
    assert lastmod(page("a", "/docs/a.md", **meta), {"/docs/a.md": answer}, **options) == expected


def test_a_page_of_several_sources_has_the_newest_of_their_dates() -> None:
    answers: dict[str, Answer] = {"/a": Change(PAST, "c"), "/b": Change(PAST - 9, "d")}
    assert lastmod(page("a", "/b", "/a"), answers) == utc(PAST)


def test_a_page_with_a_source_that_may_be_newer_has_no_date() -> None:
    assert lastmod(page("a", "/a", "/new"), {"/a": Change(PAST, "c")}) is None


def test_a_page_without_a_source_has_no_date_and_is_counted_as_generated() -> None:
    dated = date_pages([page()], KnownHistory(), target(), NOW)
    assert dated.pages[0].lastmod is None
    assert dated.undated == {"https://e.org/a": Unknown(Reason.NO_SOURCE)}


@pytest.mark.parametrize(
    ("given", "options", "kept"),
    [
        ("2026-05-09", {}, "2026-05-09"),
        ("2026-05-09T01:30:00+02:00", {}, "2026-05-08T23:30:00Z"),
        ("2026-05-09T01:30:00Z", {"lastmod_format": "date"}, "2026-05-09"),
        ("2030-01-01", {}, utc(PAST)),
        ("2026-05-09", {"lastmod": "off"}, None),
    ],
)
def test_a_date_that_a_page_comes_with_is_kept_before_all_others(
    given: str, options: dict[str, str], kept: str | None
) -> None:
    before = replace(page("a", "/a", lastmod="2020-01-01"), lastmod=given)
    assert lastmod(before, {"/a": Change(PAST, "c")}, **options) == kept


def test_a_page_that_comes_with_no_date_that_sitemaps_know_is_a_mistake_of_the_caller() -> None:
    with pytest.raises(ValueError, match="'soon', is not a W3C date"):
        lastmod(Page(url="https://e.org/", lastmod="soon"))


@pytest.mark.parametrize(
    ("answer", "published", "expected"),
    [
        (Unknown(Reason.UNTRACKED), "2026-05-01", "2026-05-01"),
        (Unknown(Reason.IGNORED), "2026-05-01", "2026-05-01"),
        (Unknown(Reason.UNTRACKED), "2026-05-12", None),
        (Unknown(Reason.UNTRACKED), "", None),
        (Unknown(Reason.SHALLOW), "2026-05-01", None),
        (Unknown(Reason.MISSING), "2026-05-01", None),
        (Change(PAST, "c"), "2026-05-01", utc(PAST)),
    ],
)
def test_the_day_of_publication_dates_what_git_knows_nothing_of_by_nature(
    answer: Answer, published: str, expected: str | None
) -> None:
    given = replace(page("a", "/a"), published=published)
    assert lastmod(given, {"/a": answer}) == expected


def test_a_page_that_is_not_published_has_no_date_and_nothing_is_said_of_it() -> None:
    draft = replace(page("a", "/a"), unlisted="marked draft", meta={"lastmod": "soon"})
    dated = date_pages([draft], KnownHistory({"/a": Change(PAST, "c")}), target(), NOW)
    assert (dated.pages[0].lastmod, dated.findings) == (None, [])
    assert dated.undated == {draft.url: Unknown(Reason.NO_SOURCE)}


def test_every_page_stays_in_its_place_and_keeps_all_but_its_date() -> None:
    pages = [page(name, f"/{name}", tags=["x"]) for name in "cab"]
    dated = date_pages(pages, KnownHistory({"/a": Change(PAST, "c")}), target(), NOW)
    assert [replace(new, lastmod=None) for new in dated.pages] == pages


def test_why_a_page_has_no_date_is_told_by_its_url() -> None:
    answers: dict[str, Answer] = {"/a": Unknown(Reason.SHALLOW), "/b": Change(FUTURE, "c"), "/c": Change(PAST, "c")}
    dated = date_pages([page(name, f"/{name}") for name in "abc"], KnownHistory(answers), target(), NOW)
    assert dated.undated == {
        "https://e.org/a": Unknown(Reason.SHALLOW),
        "https://e.org/b": Unknown(Reason.FUTURE),
    }
    assert dated.findings == []


@pytest.mark.parametrize(("written", "check"), [("soon", "invalid-front-matter"), ("2030-01-01", "future-date")])
def test_a_date_of_the_author_that_cannot_be_true_is_a_finding(written: str, check: str) -> None:
    dated = date_pages([page("a", "/a", lastmod=written)], KnownHistory({"/a": Change(PAST, "c")}), target(), NOW)
    (finding,) = dated.findings
    assert (finding.check, finding.where) == (check, "a.md")
    assert written in finding.problem


def test_with_dates_off_nothing_is_asked_and_nothing_is_found() -> None:
    dated = date_pages([page("a", "/a", lastmod="soon")], cast("History", None), target(lastmod="off"), NOW)
    assert (dated.undated, dated.findings) == ({}, [])


def removals(
    pages: list[list[Page]], told: dict[str, int], omitted: list[Page] | None = None, **options: object
) -> dict[int, str]:
    grouped = [Section(stem=str(position), pages=members) for position, members in enumerate(pages)]
    dated = [*itertools.chain.from_iterable(pages), *(omitted or [])]
    return newest_removals(dated, grouped, KnownHistory(removals=told), settings(**options), NOW)


def test_a_removal_belongs_to_the_sections_of_the_pages_beside_it() -> None:
    pages = [[page("a", "/docs/a/1.md")], [page("b", "/docs/b/1.md")]]
    assert removals(pages, {"/docs/b": PAST}) == {1: utc(PAST)}


def test_a_removal_from_a_directory_without_pages_belongs_to_the_nearest_above_that_has() -> None:
    pages = [[page("r", "/docs/1.md")], [page("a", "/docs/a/1.md")]]
    assert removals(pages, {"/docs/a/x/y": PAST, "/docs/gone": PAST - 9}) == {0: utc(PAST - 9), 1: utc(PAST)}


def test_a_removal_from_elsewhere_belongs_to_no_section() -> None:
    assert removals([[page("a", "/docs/a/1.md")]], {"/src": PAST, "/": PAST}) == {}


def test_the_newest_of_several_removals_counts() -> None:
    pages = [[page("r", "/docs/1.md")]]
    assert removals(pages, {"/docs/x": PAST - 9, "/docs/y": PAST, "/docs/z": PAST - 5}) == {0: utc(PAST)}


def test_a_directory_whose_pages_are_in_two_sections_changes_both() -> None:
    assert removals([[page("a", "/docs/1.md")], [page("b", "/docs/2.md")]], {"/docs": PAST}) == {
        0: utc(PAST),
        1: utc(PAST),
    }


def test_a_removal_among_pages_that_are_not_listed_changes_no_sitemap() -> None:
    pages = [[page("r", "/docs/1.md")]]
    assert removals(pages, {"/docs/drafts": PAST}, omitted=[page("d", "/docs/drafts/1.md")]) == {}


def test_a_removal_changes_also_the_sections_of_lists_though_they_list_pages_of_other_sites() -> None:
    listing = replace(page("list"), lists=("https://f.org/a", "https://e.org/p"))
    pages = [[listing], [page("p", "/docs/p.md")]]
    assert removals(pages, {"/docs": PAST}) == {0: utc(PAST), 1: utc(PAST)}


@pytest.mark.parametrize("when", [FUTURE, 10**15, 10**30])
def test_a_removal_in_the_future_proves_nothing(when: int) -> None:
    assert removals([[page("a", "/docs/1.md")]], {"/docs": when}) == {}


def test_removals_follow_the_format_and_the_off_switch() -> None:
    pages = [[page("a", "/docs/1.md")]]
    assert removals(pages, {"/docs": PAST}, lastmod_format="date") == {0: "2026-04-01"}
    assert removals(pages, {"/docs": PAST}, lastmod="off") == {}


def test_two_names_of_one_directory_are_one_directory(tmp_path: Path) -> None:
    real = os.path.realpath(tmp_path)
    (tmp_path / "docs").mkdir()
    (tmp_path / "link").symlink_to("docs")
    pages = [[page("a", f"{real}/docs/1.md")], [page("b", f"{real}/link/2.md")]]
    assert removals(pages, {f"{real}/docs": PAST}) == {0: utc(PAST), 1: utc(PAST)}
