"""The manual as it is built: every link leads somewhere, and a real browser shows it right at two
widths.
"""

from collections.abc import Iterator
from pathlib import Path
from urllib.parse import unquote, urldefrag, urljoin

import pytest
from lxml import html
from selenium.webdriver import Chrome
from selenium.webdriver.support.wait import WebDriverWait

from tests.support.browser import needs_chromium, set_scheme, set_width, start_chromium
from tests.support.project import Built, Project, copy_manual
from tests.support.servers import Web, serve

BASE = "https://example.org/sitemaps/"
LOOKS = (Path(__file__).parents[1] / "support/looks.js").read_text(encoding="utf-8")
CHECKS = {"", "dates/", "pages/"}
"""Of the pages of checks, which all are made alike: the list, and two others."""
WINDOWS = ((1280, "light"), (1280, "dark"), (400, "dark"))
SCHEMES = {"light": "default", "dark": "slate"}
"""The theme's names of what a person prefers."""


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Built:
    project = Project(tmp_path_factory.mktemp("manual"))
    project.base = BASE
    config = copy_manual(project)
    return project.build("--strict", "-f", config)


@pytest.fixture(scope="module")
def manual(built: Built) -> Iterator[Web]:
    with serve(built.directory) as web:
        yield web


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Chrome]:
    with start_chromium(tmp_path_factory.mktemp("profile")) as driver:
        yield driver


def test_the_manual_is_built_without_a_warning_and_every_page_of_it_is_dated(built: Built) -> None:
    assert built.code == 0, built.log
    assert len(built.pages) > 30
    assert all(built.pages.values())


def test_every_link_in_the_manual_leads_to_a_page_and_a_heading_that_are_there(
    built: Built,
) -> None:
    pages = {
        _url(path, built): html.parse(path)
        for path in built.directory.rglob("*.html")
        if path.stem != "404"
    }
    anchors = {url: {*page.xpath("//@id"), *page.xpath("//a/@name")} for url, page in pages.items()}
    lost = []
    for url, page in pages.items():
        for link in page.xpath("//a/@href | //img/@src | //script/@src | //link/@href"):
            target, anchor = urldefrag(urljoin(url, link))
            if not target.startswith(BASE):
                continue
            if not (
                target in pages or (built.directory / unquote(target.removeprefix(BASE))).is_file()
            ):
                lost.append(f"{url}: {link}")
            elif anchor and unquote(anchor) not in anchors.get(target, ()):
                lost.append(f"{url}: {link}: no such heading")
    assert not lost


def test_the_manual_loads_nothing_from_another_site(built: Built) -> None:
    for path in built.directory.rglob("*.html"):
        page = html.parse(path)
        loaded = page.xpath(
            "//script/@src | //img/@src | //link[@rel='stylesheet' or @rel='preload']/@href"
        )
        assert not [url for url in loaded if "//" in url], path


@needs_chromium
def test_every_page_looks_right_at_two_widths_in_light_and_dark(
    browser: Chrome, manual: Web, built: Built
) -> None:
    """Nothing is wider than the window or cut off, all pictures are there, and all words have
    enough contrast.

    Each page is loaded once, because that takes longer than to look at it.
    """
    pages = [
        url
        for url in built.pages
        if "/checks/" not in url or url.removeprefix(f"{BASE}checks/") in CHECKS
    ]
    wrong = []
    for url in pages:
        for width, scheme in WINDOWS:
            set_width(browser, width)
            set_scheme(browser, scheme)
            if (width, scheme) == WINDOWS[0]:  # the theme shows it at once only as it is loaded
                browser.get(url.replace(BASE, manual.base))
            _wait_for(scheme, browser)
            found = browser.execute_script(LOOKS)
            wrong += [f"{url}: {width}, {scheme}: {each}" for each in found]
        wrong += [f"{url}: {entry['message']}" for entry in browser.get_log("browser")]
    assert not wrong, "\n".join(wrong)


@needs_chromium
def test_the_search_finds_the_section_of_a_check(browser: Chrome, manual: Web) -> None:
    browser.get(f"{manual.base}?q=outside-scope")
    found = "return document.querySelector('.md-search-result a[href*=\"checks/urls/\"]') !== null"
    WebDriverWait(browser, 10).until(lambda _: browser.execute_script(found))


def _wait_for(scheme: str, browser: Chrome) -> None:
    is_shown = "return document.body.dataset.mdColorScheme === arguments[0]"
    WebDriverWait(browser, 60, poll_frequency=0.05).until(
        lambda _: browser.execute_script(is_shown, SCHEMES[scheme])
    )


def _url(path: Path, built: Built) -> str:
    return BASE + path.relative_to(built.directory).as_posix().removesuffix("index.html")
