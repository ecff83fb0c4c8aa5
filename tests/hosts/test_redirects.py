"""Real builds with mkdocs-redirects, which writes pages that only say where another page is."""

import pytest

from tests.support.project import BASE, FIRST, SECOND, SMALL, Project

MAPS = "{'old.md': 'guide/a.md', 'guide/older.md': 'https://elsewhere.example/'}"


@pytest.mark.parametrize("first", [True, False], ids=["before", "after"])
def test_redirects_are_on_disk_and_in_no_sitemap_in_either_plugin_order(
    project: Project, *, first: bool
) -> None:
    plugins = ["sitemap-index", f"redirects: {{redirect_maps: {MAPS}}}"]
    project.small(*(plugins if first else reversed(plugins)))
    built = project.build("--strict")
    assert built.code == 0, built.log
    assert (built.directory / "old/index.html").is_file()
    assert (built.directory / "guide/older/index.html").is_file()
    assert built.pages == SMALL
    assert built.index == {f"{BASE}sitemap-root.xml": FIRST, f"{BASE}guide/sitemap.xml": SECOND}


def test_a_page_that_a_redirect_has_overwritten_is_one(project: Project) -> None:
    project.small("redirects: {redirect_maps: {'guide/b.md': 'guide/a.md'}}", "sitemap-index")
    built = project.build()
    assert set(built.pages) == {BASE, f"{BASE}guide/a/"}
    assert "omitted: 1 error page, 1 redirecting elsewhere" in built.log
