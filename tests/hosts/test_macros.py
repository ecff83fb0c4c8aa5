"""Real builds with mkdocs-macros, which makes pages of templates and of data from elsewhere."""

from tests.support.project import BASE, FIRST, SECOND, THIRD, Project

DEPENDENT = "---\ndepends: data/prices.yml\n---\n# Prices\n\n{{ prices.tea }}\n"


def test_a_page_has_the_date_of_the_data_that_it_depends_on(project: Project) -> None:
    project.config("macros: {include_yaml: [{prices: data/prices.yml}]}", "sitemap-index")
    project.pages("index.md", "guide/a.md")
    project.write("docs/guide/prices.md", DEPENDENT)
    project.write("docs/guide/silent.md", "# Silent\n\n{{ prices.tea }}\n")
    project.write("data/prices.yml", "tea: 1 guilder\n")
    project.commit(FIRST)
    project.write("docs/guide/a.md", "# {{ config.site_name }}\n")
    project.commit(SECOND)
    project.write("data/prices.yml", "tea: 2 guilders\n")
    project.commit(THIRD)
    built = project.build("--strict")
    assert built.code == 0, built.log
    assert "2 guilders" in (built.directory / "guide/prices/index.html").read_text()
    assert built.pages == {
        BASE: FIRST,
        f"{BASE}guide/a/": SECOND,
        f"{BASE}guide/prices/": THIRD,
        f"{BASE}guide/silent/": FIRST,
    }
    assert built.index == {f"{BASE}sitemap-root.xml": FIRST, f"{BASE}guide/sitemap.xml": THIRD}
