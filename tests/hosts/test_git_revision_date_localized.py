"""Real builds with mkdocs-git-revision-date-localized, which shows readers the dates that the
sitemaps tell robots.
"""

import re

from tests.support.project import SMALL, Built, Project

PLUGIN = "git-revision-date-localized: {type: iso_datetime, timezone: UTC}"


def test_the_dates_that_readers_see_are_those_of_the_sitemaps(project: Project) -> None:
    project.small(PLUGIN, "sitemap-index", theme="material")
    built = project.build("--strict")
    assert built.code == 0, built.log
    assert built.pages == SMALL
    assert {url: _shown(built, url) for url in SMALL} == SMALL
    assert built.flat == {url: lastmod and lastmod[:10] for url, lastmod in SMALL.items()}


def test_a_page_that_was_only_renamed_has_the_same_date_in_both(project: Project) -> None:
    project.small(PLUGIN, "sitemap-index", theme="material")
    (project.root / "docs/guide/b.md").rename(project.root / "docs/guide/renamed.md")
    project.commit("2024-05-05T00:00:00Z")
    built = project.build("--strict")
    (url,) = built.pages.keys() - SMALL.keys()
    assert built.pages[url] == SMALL[f"{built.base}guide/b/"] == _shown(built, url)


def _shown(built: Built, url: str) -> str:
    page = (built.directory / url.removeprefix(built.base) / "index.html").read_text()
    (shown,) = re.findall(r'git-revision-date-localized-plugin-iso_datetime"[^>]*>([^<]+)<', page)
    return f"{shown.strip().replace(' ', 'T')}Z"
