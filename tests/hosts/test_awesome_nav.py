"""Real builds with mkdocs-awesome-nav, which orders and hides entries of the navigation by files
among the pages.
"""

from tests.support.project import BASE, FIRST, SECOND, SMALL, Project


def test_pages_that_the_navigation_hides_are_published_and_so_they_are_listed(
    project: Project,
) -> None:
    project.write("docs/guide/.nav.yml", "nav: [{Second: b.md}]\nignore: a.md\n")
    project.small("awesome-nav", "sitemap-index", theme="material")
    built = project.build()
    assert built.code == 0, built.log
    assert built.pages == SMALL
    assert built.index == {f"{BASE}sitemap-root.xml": FIRST, f"{BASE}guide/sitemap.xml": SECOND}
    page = (built.directory / "index.html").read_text()
    assert "Second" in page, "awesome-nav did not name the entry"
    assert 'href="guide/a/"' not in page, "awesome-nav did not hide the entry"
