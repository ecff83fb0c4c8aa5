"""Real builds with techdocs-core, which configures Material and monorepo itself, in the versions
that it pins.
"""

import pytest

from tests.support.project import BASE, FIRST, SECOND, Project

pytestmark = pytest.mark.apart


@pytest.mark.parametrize(
    "order", [("techdocs-core", "sitemap-index"), ("sitemap-index", "techdocs-core")]
)
def test_the_pages_of_every_part_are_listed_with_their_own_dates(
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
    built = project.build("--strict")
    assert built.code == 0, built.log
    assert built.pages == {BASE: FIRST, f"{BASE}part/": FIRST, f"{BASE}part/a/": SECOND}
    assert built.index == {f"{BASE}sitemap-root.xml": FIRST, f"{BASE}part/sitemap.xml": SECOND}
    assert built.flat == {url: lastmod and lastmod[:10] for url, lastmod in built.pages.items()}
