"""Real builds with mkdocs-section-index, which makes a page and its section one entry of the
navigation.
"""

from tests.support.project import BASE, FIRST, SECOND, Project


def test_the_page_that_stands_for_its_section_is_listed_once_with_its_own_date(
    project: Project,
) -> None:
    nav = (
        "[index.md, {Guide: [guide/index.md, guide/a.md, {Deep: [guide/deep/index.md,"
        " guide/deep/b.md]}]}]"
    )
    project.config("section-index", "sitemap-index", theme="material", nav=nav)
    project.pages(
        "index.md", "guide/index.md", "guide/a.md", "guide/deep/index.md", "guide/deep/b.md"
    )
    project.commit(FIRST)
    project.write("docs/guide/deep/index.md", "# Changed\n")
    project.commit(SECOND)
    built = project.build("--strict")
    assert built.code == 0, built.log
    assert built.pages == {
        BASE: FIRST,
        f"{BASE}guide/": FIRST,
        f"{BASE}guide/a/": FIRST,
        f"{BASE}guide/deep/": SECOND,
        f"{BASE}guide/deep/b/": FIRST,
    }
    assert built.index == {f"{BASE}sitemap-root.xml": FIRST, f"{BASE}guide/sitemap.xml": SECOND}
    page = (built.directory / "index.html").read_text()
    assert 'href="guide/"' in page, "section-index did not link the section to its page"
