"""Rules for a whole site: dates that are those of its build."""

import pytest

from smindex_plugins.base import dates
from tests.support.command import SITE, findings
from tests.support.history import Repo, day
from tests.support.planted import urlset

NEXT = [*["2026-05-10T13:17:30.202Z"] * 26, "2026-05-10T15:17:30.201+02:00", "2026-05-10T13:17:29.998Z"]
"""The dates of next-sitemap, which gives each page the time at which it writes its line."""
JEKYLL = [*["2013-05-06T00:00:00+00:00"] * 55, *["2014-05-06T00:00:00+00:00"] * 55, *["2026-05-10T13:17:30+00:00"] * 92]
"""The dates of jekyll-sitemap, which gives posts their own."""


@pytest.mark.parametrize(
    ("lastmods", "expected"),
    [
        (NEXT, "all 28 dates of the site are 2026-05-10T13:17:30Z or up to a minute earlier"),
        (JEKYLL, "92 of the 202 dates of the site are 2026-05-10T13:17:30Z"),
        (["2026-05-10"] * 20, "all 20 dates of the site are 2026-05-10"),
        (["0987-01-01T00:00:00Z"] * 20, "all 20 dates of the site are 0987-01-01T00:00:00Z"),
        (["1970-01-01T00:00:00Z"] * 20, ""),
        (["1970-01-01"] * 20 + ["2026-05-10"] * 20, "all 20 dates of the site are 2026-05-10"),
        ([*JEKYLL, "2026-05-10T13:18:31Z"], ""),
        ([*["2013-05-06"] * 20, *["2026-05-10"] * 20], ""),
    ],
    ids=[
        "next-sitemap",
        "jekyll-sitemap",
        "days",
        "an early day",
        "no dates",
        "some dates",
        "a later page",
        "many changes on the last day",
    ],
)
def test_a_moment_that_many_pages_share_is_that_of_the_build(
    repo: Repo, capsys: pytest.CaptureFixture[str], lastmods: list[str], expected: str
) -> None:
    repo.put("sitemap.xml", dated(*lastmods))
    found = [each["problem"] for each in findings(capsys, str(repo.path)) if each["check"] == "build-stamp"]
    assert found == ([f"{expected}, probably the time of the build."] if expected else [])


def test_dates_that_are_those_of_commits_are_not_those_of_the_build(
    repo: Repo, capsys: pytest.CaptureFixture[str]
) -> None:
    """As in a site that was imported with one commit, and whose generator asks git."""
    imported, built = dates.utc(day(1)), dates.utc(day(1) + 30)
    repo.commit(1, {"sitemap.xml": dated(*[imported] * 20)})
    assert findings(capsys, str(repo.path)) == []
    repo.put("sitemap.xml", dated(*[imported] * 10, *[built] * 20))
    assert [finding["check"] for finding in findings(capsys, str(repo.path))] == ["build-stamp"]


def dated(*lastmods: str) -> str:
    lines = (f"<loc>{SITE}p{number}</loc><lastmod>{lastmod}</lastmod>" for number, lastmod in enumerate(lastmods))
    return urlset(*lines)
