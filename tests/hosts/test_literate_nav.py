"""Real builds with mkdocs-literate-nav, which takes the navigation from a page."""

from tests.support.project import BASE, FIRST, SECOND, SMALL, Project


def test_pages_in_and_out_of_the_navigation_are_listed_and_its_source_where_it_is_published(
    project: Project,
) -> None:
    project.write(
        "docs/SUMMARY.md", "* [Start](index.md)\n* Guide\n    * [The second](guide/b.md)\n"
    )
    project.small("literate-nav", "sitemap-index")
    built = project.build("--strict")
    assert built.code == 0, built.log
    assert "The second" in (built.directory / "index.html").read_text(), (
        "literate-nav did not name the entry"
    )
    assert (built.directory / "SUMMARY/index.html").is_file()
    assert built.pages == SMALL | {f"{BASE}SUMMARY/": FIRST}
    assert built.index == {f"{BASE}sitemap-root.xml": FIRST, f"{BASE}guide/sitemap.xml": SECOND}


def test_a_navigation_that_is_excluded_from_the_docs_is_not_listed(project: Project) -> None:
    project.write("docs/SUMMARY.md", "* [Start](index.md)\n* [The second](guide/b.md)\n")
    project.small("literate-nav", "sitemap-index", exclude_docs="'SUMMARY.md'")
    built = project.build("--strict")
    assert built.code == 0, built.log
    assert built.pages == SMALL
