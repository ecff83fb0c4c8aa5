"""What a report says of a run: its summary, and that no index was written."""

from pathlib import Path

import pytest

from smindex_plugins.model import Page
from smindex_plugins.report import Report
from smindex_plugins.settings import Settings, Site
from tests.support.dated import publish_as_given

BASE = "https://e.org/docs/"


def publish(directory: Path, *paths: str, unlisted: str = "", **settings: object) -> Report:
    pages = [Page(url=BASE + path, lastmod="2026-05-10", unlisted=unlisted) for path in paths]
    return publish_as_given(pages, Site(url=BASE, directory=str(directory), settings=Settings.load(settings)))


def levels(report: Report) -> dict[str, str]:
    return {finding.check: finding.level for finding in report.findings}


def test_where_dates_are_switched_off_the_summary_says_so_and_praises_none(tmp_path: Path) -> None:
    report = publish(tmp_path, "a", "b", lastmod="off")
    assert "; dates switched off (lastmod: off); " in report.summary(0)
    assert "have dates" not in report.summary(0)


@pytest.mark.parametrize(
    ("paths", "unlisted", "settings", "why"),
    [
        (("a", "b/c"), "", {"exclude": ["**"]}, "2 pages: every page was left out: 2 excluded by `**`."),
        (("a", "b/c"), "marked draft", {}, "2 pages: every page was left out: 2 marked draft."),
        (("404.html",), "", {"lastmod": "off"}, "1 page: every page was left out: 1 shown for errors."),
        ((), "", {}, "0 pages: the build made no page."),
    ],
)
def test_no_index_is_one_warning_whatever_the_reason(
    tmp_path: Path, paths: tuple[str, ...], unlisted: str, settings: dict[str, object], why: str
) -> None:
    report = publish(tmp_path, *paths, unlisted=unlisted, **settings)
    (finding,) = report.findings
    assert (finding.check, finding.level) == ("nothing-listed", "warning")
    assert str(finding).startswith(why)
    assert report.summary(0).startswith("no page is listed, so no sitemap is written")
    assert "date" not in report.summary(0)
    assert not list(tmp_path.iterdir())


def test_a_file_that_is_in_the_way_is_not_told_as_nothing_listed(tmp_path: Path) -> None:
    (tmp_path / "sitemap_index.xml").write_text("<sitemapindex/>")
    assert levels(publish(tmp_path, "a")) == {"file-not-ours": "error"}
