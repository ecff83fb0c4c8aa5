"""Dates of sitemaps are compared with those that the pages declare, and contradictions are one
finding.
"""

from collections.abc import Mapping
from pathlib import Path

import pytest

from smindex_plugins.base.dates import utc
from smindex_plugins.cli.main import main
from tests.support.command import SITE, findings
from tests.support.history import Repo, day
from tests.support.planted import urlset, write
from tests.support.servers import Server

OURS = "<!-- Written by smindex-plugins -->\n<urlset"


def page(modified: str = "", published: str = "") -> str:
    times = {"modified": modified, "published": published}
    tags = (
        f'<meta property="article:{name}_time" content="{date}">'
        for name, date in times.items()
        if date
    )
    return f"<!doctype html><title>A</title>{''.join(tags)}<body>Text</body>"


def site(root: Path, pages: Mapping[str, str], *lastmods: str, is_ours: bool = False) -> Path:
    """Write pages by their names, and a sitemap with their dates."""
    listed = (
        f"<loc>{SITE}{name}</loc><lastmod>{date}</lastmod>"
        for name, date in zip(pages, lastmods, strict=True)
    )
    sitemap = urlset(*listed)
    files = {f"{name}.html": html for name, html in pages.items()}
    return write(
        root, {"sitemap.xml": sitemap.replace("<urlset", OURS) if is_ours else sitemap, **files}
    )


def found(capsys: pytest.CaptureFixture[str], root: Path) -> list[str]:
    """Give the problems, if nothing but contradictions is wrong."""
    all_of_them = findings(capsys, str(root), code=0)
    assert {each["check"] for each in all_of_them} <= {"contradicted-date"}
    return [each["problem"] for each in all_of_them]


@pytest.mark.parametrize(
    ("lastmod", "modified", "is_found"),
    [
        *(
            ("2024-03-02", day, False)
            for day in ("2024-03-01", "2024-03-02", "2024-03-03", "2024-03-03T23:59:00Z")
        ),
        *(
            ("2024-03-02", day, True)
            for day in ("2024-02-28", "2024-03-04", "2023-03-02", "2024-03-04T00:30:00Z")
        ),
        ("2024-03-02T12:00:00Z", "2024-03-03T13:59:00+02:00", False),
        ("2024-03-02T12:00:00Z", "2024-03-03T14:01:00+02:00", True),
        ("2024-03-02T12:00:00Z", "2024-03-01T11:59:00Z", True),
        ("2024-03-02T12:00:00+01:00", "2024-03-02", False),
        # What states no day
        *((month, "2020-01-01", False) for month in ("2024", "2024-03")),
        ("2024-03-02", "", False),
        ("2024-03-02", "soon", False),
        ("2024-03-02", "0001-01-01T00:00:00Z", False),
    ],
)
def test_a_date_and_that_of_its_page_may_be_a_day_apart(
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    lastmod: str,
    modified: str,
    *,
    is_found: bool,
) -> None:
    problems = found(capsys, site(tmp_path, {"a": page(modified)}, lastmod))
    assert len(problems) == is_found
    assert not problems or problems[0].startswith(
        f"lists {SITE}a with the date {lastmod}, but its article:modified_"
    )


def test_contradictions_are_counted_in_both_directions(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    names = "abcdefg"
    written = (
        "2024-01-01",
        "2025-06-01",
        "2026-01-01",
        "2024-05-01",
        "2024-05-01",
        "",
        "2024-05-02",
    )
    pages = {name: page(date) for name, date in zip(names, written, strict=True)}
    (problem,) = found(capsys, site(tmp_path, pages, *["2024-05-01"] * 7))
    assert (
        problem
        == "3 of 6 dates contradict the pages (1 newer and 2 older than the page says), such as "
        "https://e.org/a (lastmod 2024-05-01, article:modified_time 2024-01-01), "
        "https://e.org/b (lastmod 2024-05-01, article:modified_time 2025-06-01), "
        "https://e.org/c (lastmod 2024-05-01, article:modified_time 2026-01-01)."
    )


def test_of_several_dates_of_a_page_one_is_enough(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    data = (
        '<script type="application/ld+json">{"@type": "WebPage", "dateModified":'
        ' "2024-05-01"}</script>'
    )
    for lastmod, is_found in {
        "2024-01-01": 0,
        "2024-03-01": 0,
        "2024-05-01": 0,
        "2023-12-01": 1,
        "2024-06-01": 1,
    }.items():
        assert (
            len(found(capsys, site(tmp_path, {"a": page("2024-01-01") + data}, lastmod)))
            == is_found
        )


def test_if_all_pages_say_the_day_of_a_build_the_theme_is_to_blame(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pages = {f"p{number}": page(f"2026-07-01T10:00:{number}Z") for number in range(10, 30)}
    lastmods = [f"2024-05-{number}" for number in range(10, 30)]
    (finding,) = findings(capsys, str(site(tmp_path, pages, *lastmods)))
    assert "20 of 20 dates contradict the pages (20 older than the page says)" in finding["problem"]
    assert finding["problem"].endswith(
        "20 pages say 2026-07-01, which is probably the day of a build."
    )
    assert finding["fix"].startswith("Make the theme write the date of each page's last change")
    site(tmp_path, pages, *["2026-07-01T10:00:00Z"] * 9, *lastmods[9:])
    assert "11 of 20 dates" in found(capsys, tmp_path)[0]


def test_a_page_that_says_its_publication_does_not_know_of_later_changes(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """As where a theme writes the date of publication if it knows no other, and this tool asks
    git.
    """
    pages = {"a": page("2023-01-01T10:00:00Z", "2023-01-01")}
    assert found(capsys, site(tmp_path, pages, "2024-05-01", is_ours=True)) == []
    assert len(found(capsys, site(tmp_path, pages, "2024-05-01"))) == 1, (
        "other tools list the time of a build"
    )
    assert len(found(capsys, site(tmp_path, pages, "2022-05-01", is_ours=True))) == 1, (
        "older than its publication"
    )
    assert (
        len(
            found(
                capsys,
                site(tmp_path, {"a": page("2023-02-01", "2023-01-01")}, "2024-05-01", is_ours=True),
            )
        )
        == 1
    )


def test_two_dates_of_commits_do_not_contradict_each_other(
    repo: Repo, capsys: pytest.CaptureFixture[str]
) -> None:
    """As in Hugo, for which a merge changes what it brings in."""
    repo.commit(1, {"a.md": "text"})
    repo.commit(9, {"b.md": "text"}, author=7)
    for moment in (day(7), day(9)):
        pages = {"a": page(utc(moment))}
        assert found(capsys, site(repo.path, pages, utc(day(1)), is_ours=True)) == []
        assert found(capsys, site(repo.path, pages, utc(day(1)))) == []
        assert len(found(capsys, site(repo.path, pages, utc(day(3))))) == 1, "a date from elsewhere"
    assert (
        len(found(capsys, site(repo.path, {"a": page(utc(day(5)))}, utc(day(1)), is_ours=True)))
        == 1
    )


def test_the_pages_of_a_live_site_are_compared_if_they_are_fetched(
    server: Server, capsys: pytest.CaptureFixture[str]
) -> None:
    server.serve("/sitemap.xml", urlset(f"<loc>{server.base}a</loc><lastmod>2024-05-01</lastmod>"))
    server.routes["/a"] = (200, {"Content-Type": "text/html"}, page("2023-01-01").encode())
    server.serve("/robots.txt", f"Sitemap: {server.base}sitemap.xml\n")
    assert findings(capsys, server.base) == []
    (finding,) = findings(capsys, server.base, "--pages", code=0)
    assert (finding["check"], finding["level"], finding["url"]) == (
        "contradicted-date",
        "notice",
        f"{server.base}a",
    )


def test_the_check_can_be_ignored_and_fails_if_the_user_wants_that(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    site(tmp_path, {"a": page("2023-01-01")}, "2024-05-01")
    assert main(["check", str(tmp_path), "--fail-on", "notice"]) == 1
    assert (
        main(["check", str(tmp_path), "--fail-on", "notice", "--ignore", "contradicted-date"]) == 0
    )
    capsys.readouterr()
