"""The manual in a real browser: it is served as it was built, and every picture in it is seen."""

from collections.abc import Iterator

import pytest
from selenium.webdriver import Chrome
from selenium.webdriver.support.wait import WebDriverWait

from tests.support.browser import needs_chromium, start_chromium, take_picture
from tests.support.project import Built, Project
from tests.support.samples import copy_sample
from tests.support.web import Web, serve

pytestmark = needs_chromium

BASE = "https://example.org/sitemaps/"
BROKEN = "return [...document.images].filter(image => !image.complete || !image.naturalWidth).map(image => image.src)"


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Chrome]:
    with start_chromium(tmp_path_factory.mktemp("profile")) as driver:
        yield driver


@pytest.fixture(scope="module")
def manual(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Web, Built]]:
    project = Project(tmp_path_factory.mktemp("manual"))
    project.base = BASE
    copy_sample("mkdocs", project)
    with serve(project.root / "site") as web:
        yield web, project.build("--strict")


def test_every_listed_page_is_shown_with_all_its_pictures(browser: Chrome, manual: tuple[Web, Built]) -> None:
    web, built = manual
    assert built.code == 0, built.log
    assert len(built.pages) > 30
    pictures = 0
    for url in built.pages:
        browser.get(url.replace(BASE, web.base))
        WebDriverWait(browser, 10).until(lambda _: browser.execute_script("return document.readyState") == "complete")
        assert browser.execute_script("return document.querySelector('h1')?.textContent"), url
        assert browser.execute_script(BROKEN) == [], url
        pictures += browser.execute_script("return document.images.length")
    assert pictures >= 3


def test_the_index_is_shown_as_a_tree_with_an_entry_for_each_sitemap(
    browser: Chrome, manual: tuple[Web, Built]
) -> None:
    web, built = manual
    browser.get(f"{web.base}sitemap_index.xml")
    assert all(url in browser.page_source for url in built.index)
    take_picture(browser, "index")
