"""Real builds with ProperDocs where MkDocs is not installed, whose names it lends to plugins."""

from importlib.util import find_spec

import pytest

from tests.support.project import BASE, FIRST, SECOND, SMALL, Project

pytestmark = pytest.mark.apart


def test_the_plugin_does_not_miss_mkdocs(project: Project) -> None:
    assert find_spec("mkdocs") is None
    project.small("search", "sitemap-index")
    built = project.build("--strict", host="properdocs")
    assert built.code == 0, built.log
    assert built.pages == SMALL
    assert built.index == {f"{BASE}sitemap-root.xml": FIRST, f"{BASE}guide/sitemap.xml": SECOND}
    assert built.flat == {url: lastmod and lastmod[:10] for url, lastmod in SMALL.items()}


def test_a_mistake_in_the_options_is_reported_as_mkdocs_would(project: Project) -> None:
    project.small("sitemap-index: {max_urls: 50001}")
    built = project.build(host="properdocs")
    assert built.code == 1
    assert "option 'max_urls': got 50001; accepted: a whole number from 1 to 50,000" in built.log
