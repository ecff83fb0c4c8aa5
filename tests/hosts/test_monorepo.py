"""Real builds with mkdocs-monorepo, which copies the docs of several projects into one site."""

import pytest

from tests.support.project import BASE, FIRST, SECOND, Project


@pytest.mark.parametrize("order", [("monorepo", "sitemap-index"), ("sitemap-index", "monorepo")])
def test_copied_pages_have_the_dates_of_the_files_they_were_copied_from(
    project: Project, order: tuple[str, str]
) -> None:
    project.config(*order, nav="[{Home: index.md}, {Part: '!include ./part/mkdocs.yml'}]")
    project.pages("index.md")
    project.write("part/mkdocs.yml", "site_name: part\nnav: [{Start: index.md}, {A: a.md}]\n")
    project.write("part/docs/index.md", "# Start\n")
    project.write("part/docs/a.md", "# A\n")
    project.commit(FIRST)
    project.write("part/docs/a.md", "# Changed\n")
    project.commit(SECOND)
    built = project.build()
    assert built.code == 0, built.log
    assert built.pages == {BASE: FIRST, f"{BASE}part/": FIRST, f"{BASE}part/a/": SECOND}
    assert built.index == {f"{BASE}sitemap-root.xml": FIRST, f"{BASE}part/sitemap.xml": SECOND}
    assert built.flat == {url: lastmod and lastmod[:10] for url, lastmod in built.pages.items()}
