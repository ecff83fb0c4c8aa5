"""Real builds with mkdocs-print-site, which writes one more page that holds all the others."""

import pytest

from tests.support.project import SMALL, Project


@pytest.mark.parametrize(
    "order", [("sitemap-index", "print-site"), ("print-site", "sitemap-index")]
)
def test_the_page_that_repeats_the_site_is_not_listed(
    project: Project, order: tuple[str, str]
) -> None:
    project.small(*order, theme="material")
    built = project.build()
    assert built.code == 0, built.log
    assert (built.directory / "print_page/index.html").is_file()
    assert built.pages == SMALL
    assert set(built.flat) == set(SMALL)
