"""Real builds with the theme readthedocs, which renders pages of its own that are none of the
site's.
"""

from tests.support.project import BASE, FIRST, SECOND, SMALL, Project


def test_the_pages_of_the_site_are_listed_and_those_of_the_theme_are_not(project: Project) -> None:
    project.small("search", "sitemap-index", theme="readthedocs")
    built = project.build("--strict")
    assert built.code == 0, built.log
    assert built.pages == SMALL
    assert built.index == {f"{BASE}sitemap-root.xml": FIRST, f"{BASE}guide/sitemap.xml": SECOND}
    assert (built.directory / "search.html").is_file()
    assert (built.directory / "404.html").is_file()
    assert "omitted: 1 error page, 1 not produced by any page;" in built.log
    assert "[stray-pages]" not in built.log
