"""What changed between two versions of a site, by its sitemaps and not by how these are written."""

from collections.abc import Mapping
from itertools import chain
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from smindex_plugins import Change, diff
from smindex_plugins.cli.main import main
from tests.support.planted import index, urlset, write

SITE = "https://e.org/"


def entry(url: str, date: str = "", **variants: str) -> str:
    links = "".join(
        f'<xhtml:link rel="alternate" hreflang="{code}" href="{href}"/>'
        for code, href in variants.items()
    )
    return f"<loc>{url}</loc>" + (f"<lastmod>{date}</lastmod>" if date else "") + links


def site(root: Path, sitemaps: Mapping[str, list[str]], name: str = "sitemap_index.xml") -> str:
    files = {path: urlset(*entries) for path, entries in sitemaps.items()}
    write(root, {**files, name: index(*(SITE + path for path in sitemaps))})
    return str(root)


OLD = {
    "sitemap-root.xml": [entry(SITE, "2026-01-01"), entry(SITE + "about", "2026-01-01T10:00:00Z")],
    "guide/sitemap.xml": [
        entry(SITE + "guide/a", "2026-01-01"),
        entry(SITE + "guide/b"),
        entry(SITE + "guide/c"),
    ],
    "blog/sitemap.xml": [entry(SITE + "blog/a", "2026-01-01", de=SITE + "de/a")],
}
NEW = {
    "sitemap-root.xml": [entry(SITE, "2026-01-01"), entry(SITE + "about", "2026-02-01T10:00:00Z")],
    "guide/sitemap.xml": [entry(SITE + "guide/b"), entry(SITE + "guide/c", "2026-03-01")],
    "blog/sitemap.xml": [entry(SITE + "blog/a", "2026-01-01", de=SITE + "de/b", fr=SITE + "fr/a")],
    "news/sitemap.xml": [entry(SITE + "news/1")],
}


def test_pages_that_came_went_or_have_another_date_or_other_variants_are_named(
    tmp_path: Path,
) -> None:
    found = diff(site(tmp_path / "old", OLD), site(tmp_path / "new", NEW))
    assert found.added == [SITE + "news/1"]
    assert found.removed == [SITE + "guide/a"]
    assert list(found.changed) == [
        Change(SITE + "about", "2026-01-01T10:00:00Z", "2026-02-01T10:00:00Z"),
        Change(SITE + "blog/a", "2026-01-01", "2026-01-01", ("de", "fr")),
        Change(SITE + "guide/c", None, "2026-03-01"),
    ]
    assert found.sitemaps.added == [SITE + "news/sitemap.xml"]
    assert found.sitemaps.removed == []
    assert found.sitemaps.changed == [
        SITE + each for each in ("blog/sitemap.xml", "guide/sitemap.xml", "sitemap-root.xml")
    ]
    assert (found.urls_before, found.urls_after, found.undated, found.days) == (6, 6, 1, 1)


def test_pages_whose_changes_no_date_shows_are_counted(tmp_path: Path) -> None:
    old = site(tmp_path / "old", OLD)
    found = diff(old, old)
    assert (found.undated, found.days, found.urls_after) == (2, 3, 6)


def test_order_packing_spelling_and_the_name_of_the_index_are_only_form(tmp_path: Path) -> None:
    spelled = [
        entry("HTTPS://E.ORG:443/%67uide/b"),
        entry(SITE + "guide/./c"),
        entry(SITE + "guide/a", "2026-01-01"),
    ]
    files = {
        "blog/sitemap.xml": urlset(*OLD["blog/sitemap.xml"]),
        "guide/sitemap.xml.gz": urlset(*spelled),
        "sitemap-root.xml": urlset(*reversed(OLD["sitemap-root.xml"])).replace("\n", "\r\n  "),
    }
    write(tmp_path / "new", {**files, "sitemap-index.xml": index(*(SITE + name for name in files))})
    assert not diff(site(tmp_path / "old", OLD), str(tmp_path / "new"))


def test_a_page_that_moved_to_another_sitemap_did_not_change(tmp_path: Path) -> None:
    entries = list(chain(*OLD.values()))
    moved = {"a.xml": entries[:2], "b.xml": entries[2:4], "guide/sitemap.xml": entries[4:]}
    found = diff(site(tmp_path / "old", OLD), site(tmp_path / "new", moved))
    assert (found.added, found.removed, found.changed) == ([], [], [])
    assert (found.sitemaps.added, found.sitemaps.removed, found.sitemaps.changed) == (
        [SITE + "a.xml", SITE + "b.xml"],
        [SITE + "blog/sitemap.xml", SITE + "sitemap-root.xml"],
        [SITE + "guide/sitemap.xml"],
    )


@pytest.mark.parametrize(
    ("before", "after", "is_same"),
    [
        ("2026-01-02T10:00:00Z", "2026-01-02", True),
        ("2026-01-02T10:00:00Z", "2026-01-02T12:00:00+02:00", True),
        ("2026-01-02T10:00:00Z", "2026-01-02T10:00:01Z", False),
        ("yesterday", "yesterday", True),
        ("2026-01-02", "2026-01-02 10:00", False),
        ("", "2026-01-02", False),
    ],
)
def test_dates_are_equal_if_they_are_of_one_instant_or_of_the_day_that_one_of_them_names(
    tmp_path: Path, before: str, after: str, *, is_same: bool
) -> None:
    for one, other in ((before, after), (after, before)):
        old, new = (site(tmp_path / each, {"s.xml": [entry(SITE, each)]}) for each in (one, other))
        assert diff(old, new).changed == (
            [] if is_same else [Change(SITE, one or None, other or None)]
        )


def test_a_page_in_two_sitemaps_is_one_page_of_its_newer_date(tmp_path: Path) -> None:
    news = {
        "s.xml": [entry(SITE + "a", "2026-01-01")],
        "news.xml": [entry(SITE + "a", "2026-01-02T12:00:00+02:00")],
    }
    old = site(tmp_path / "old", {"s.xml": [entry(SITE + "a", "2026-01-02T10:00:00Z")]})
    found = diff(old, site(tmp_path / "new", news))
    assert (len(found.changed), found.urls_after) == (0, 1)
    assert found.sitemaps.added == [SITE + "news.xml"]


PATHS = st.dictionaries(
    st.text("ab/é&~", min_size=0, max_size=4),
    st.sampled_from(["", "2026-01-01", "2026-01-02T10:00:00Z"]),
    max_size=12,
)


@given(before=PATHS, after=PATHS, parts=st.integers(1, 4))
def test_what_differs_is_what_sets_of_the_pages_say(
    tmp_path_factory: pytest.TempPathFactory,
    before: dict[str, str],
    after: dict[str, str],
    parts: int,
) -> None:
    """However many sitemaps there are."""
    root = tmp_path_factory.mktemp("law")

    def version(name: str, pages: dict[str, str]) -> str:
        listed = [entry(SITE + path.replace("&", "&amp;"), date) for path, date in pages.items()]
        return site(
            root / name,
            {f"{part}.xml": [SITE + "always", *listed[part::parts]] for part in range(parts)},
        )

    found = diff(version("old", before), version("new", after))
    first, second = (
        {path.replace("é", "%C3%A9"): date for path, date in pages.items()}
        for pages in (before, after)
    )
    assert found.added == sorted(SITE + path for path in second.keys() - first.keys())
    assert found.removed == sorted(SITE + path for path in first.keys() - second.keys())
    expected = sorted(
        SITE + path for path in first.keys() & second.keys() if first[path] != second[path]
    )
    assert [change.url for change in found.changed] == expected


def test_the_text_names_the_first_of_each_kind_and_counts_all_and_the_exit_code_tells_if_that_is_asked_for(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def run(*arguments: str, code: int = 0) -> str:
        assert main(["diff", "old", *arguments]) == code
        return capsys.readouterr().out

    monkeypatch.chdir(tmp_path)
    site(tmp_path / "old", OLD)
    site(tmp_path / "new", {**NEW, "many.xml": [f"{SITE}many/{number:02}" for number in range(12)]})
    out = run("new")
    assert f"  ~ {SITE}about: 2026-01-01T10:00:00Z → 2026-02-01T10:00:00Z\n" in out
    assert f"  ~ {SITE}blog/a: variants de, fr\n" in out
    assert f"  ~ {SITE}guide/c: no date → 2026-03-01\n" in out
    assert "  … and 3 more; -v shows them\n" in out
    assert out.endswith(
        "pages: 1 removed, 13 added, 3 changed; sitemaps: 2 added, 3 changed; 18 pages in all\n"
        "can't detect changes to 1 undated page; "
        "a second change on the same day to 1 page whose date has no time\n"
        "not compared: what happened to removed pages (new doesn't contain the pages)\n"
    )
    assert "many/11" not in out
    assert "many/11" in run("new", "-v")
    assert run("new", "-q", "--exit-code", code=1) == ""
    assert "no page changed; sitemaps: unchanged; 6 pages in all" in run("old", "--exit-code")
