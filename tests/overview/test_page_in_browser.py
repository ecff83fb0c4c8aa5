"""The page of a report in a real browser: right at two widths, by keyboard, searched and sorted,
and hostile.
"""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from selenium.webdriver import Chrome
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

from smindex_plugins.overview.output import write_report
from smindex_plugins.overview.overview import Overview
from tests.overview.pictured import (
    TERMINALS,
    in_color,
    pictured,
    report_of,
    terminal_page,
    without_colors,
    words_of_report,
)
from tests.overview.reports import HOSTILE_HTML, garden, overview_of
from tests.support.browser import (
    needs_chromium,
    set_scheme,
    set_width,
    start_chromium,
    take_picture,
)
from tests.support.planted import write

pytestmark = needs_chromium
LOOKS = (Path(__file__).parents[1] / "support/looks.js").read_text(encoding="utf-8")
Open = Callable[[Overview], Path]


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Chrome]:
    with start_chromium(tmp_path_factory.mktemp("profile")) as driver:
        yield driver


@pytest.fixture
def shown(browser: Chrome, tmp_path: Path) -> Iterator[Open]:
    """Show a report, and see to it that the browser had nothing to complain of."""

    def show(overview: Overview) -> Path:
        path = tmp_path / "report.html"
        with path.open("w", encoding="utf-8") as out:
            write_report(overview, "html", out)
        browser.get(path.as_uri())
        return path

    set_width(browser, 1280)
    set_scheme(browser, "light")
    yield show
    assert browser.get_log("browser") == []


@pytest.mark.parametrize("width", [1280, 400])
def test_a_report_looks_right_in_light_and_dark(browser: Chrome, shown: Open, width: int) -> None:
    shown(garden())
    set_width(browser, width)
    wrong = []
    for scheme in ("light", "dark"):
        set_scheme(browser, scheme)
        wrong += [
            f"{scheme}: {each}"
            for each in browser.execute_script(LOOKS)
            if "is cut off" not in each
        ]
    assert wrong == []


def test_the_calendar_opens_at_the_newest_month_on_a_phone(browser: Chrome, shown: Open) -> None:
    newest = "2026-03-05"
    shown(overview_of({"a": [("a/1", newest), ("a/2", "2025-02-02")]}))
    set_width(browser, 400)
    edges = browser.execute_script(
        "const day = [...document.querySelectorAll('rect')].find(it => it.textContent.startsWith("
        "arguments[0])).getBoundingClientRect(); return [day.left, day.right]",
        newest,
    )
    assert 0 < edges[0] < edges[1] < 400


def test_a_directory_is_opened_by_click_and_by_keyboard_and_left_by_going_back(
    browser: Chrome, shown: Open
) -> None:
    shown(garden())
    visible = (
        "return [...document.querySelectorAll('.level')].filter(it => it.checkVisibility()).map(it"
        " => it.ariaLabel)"
    )
    assert browser.execute_script(visible) == ["the whole site"]
    browser.find_element(By.CSS_SELECTOR, ".top a.t[title^='guide/: 180 pages']").click()
    assert browser.execute_script(visible) == ["guide/"]
    browser.back()
    assert browser.execute_script(visible) == ["the whole site"]
    for _ in range(60):
        browser.switch_to.active_element.send_keys(Keys.TAB)
        if (browser.switch_to.active_element.get_attribute("href") or "").endswith("#d1"):
            break
    browser.switch_to.active_element.send_keys(Keys.ENTER)
    assert browser.execute_script(visible) == ["guide/"]
    browser.switch_to.active_element.send_keys(Keys.TAB)
    inside = (
        "return document.activeElement.closest('.level').ariaLabel + document.activeElement.text"
    )
    assert browser.execute_script(inside) == "guide/the whole site"


def test_the_table_of_pages_is_searched_and_sorted_by_keyboard(
    browser: Chrome, shown: Open
) -> None:
    shown(garden())
    rows = (
        "return [...document.querySelectorAll('#pages tbody tr:not([hidden])')].map(it =>"
        " it.cells[0].innerText)"
    )
    browser.find_element(By.ID, "search").send_keys("BLOG/deploy", Keys.TAB, Keys.TAB, Keys.ENTER)
    pages = browser.execute_script(rows)
    assert browser.find_element(By.ID, "count").text == f"{len(pages)} of 420 pages"
    assert pages == sorted(pages, key=lambda page: int(page.strip("/").rpartition("-")[2]))
    assert all(page.startswith("blog/deploy/") for page in pages)
    browser.switch_to.active_element.send_keys(Keys.ENTER)
    assert browser.execute_script(rows) == pages[::-1]
    browser.find_element(By.CSS_SELECTOR, "dl a[data-search]").click()
    assert browser.find_element(By.ID, "count").text == "15 of 420 pages"


def test_what_a_site_is_called_runs_nothing(browser: Chrome, shown: Open) -> None:
    shown(
        overview_of(
            {name: [(name, "2026-01-01"), (f"{name}/a", "")] for name in HOSTILE_HTML}, HOSTILE_HTML
        )
    )
    assert browser.title.startswith("Sitemaps of ")
    assert browser.execute_script("return document.querySelectorAll('script, img, h1').length") == 2
    links = browser.execute_script("return [...document.links].map(it => it.protocol)")
    assert set(links) <= {"file:", "https:"}


@pytest.mark.parametrize(
    ("width", "scheme", "last", "since"),
    [(1280, "light", "#map .top", False), (400, "dark", "#changes", True)],
)
def test_a_report_with_findings_is_pictured(
    browser: Chrome, tmp_path: Path, *, width: int, scheme: str, last: str, since: bool
) -> None:
    text = report_of(pictured(tmp_path, since=since))
    path = write(tmp_path, {"report.html": text}) / "report.html"
    set_width(browser, width)
    set_scheme(browser, scheme)
    browser.get(path.as_uri())
    end = browser.find_element(By.CSS_SELECTOR, last).rect
    set_width(browser, width, height=int(end["y"] + end["height"]) + 8)
    take_picture(browser, f"report-{width}", words_of_report(text))


@pytest.mark.parametrize("name", TERMINALS)
def test_a_terminal_is_pictured(
    browser: Chrome, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    in_color(monkeypatch)
    text = TERMINALS[name](tmp_path / "planted")
    path = write(tmp_path, {"terminal.html": terminal_page(text)}) / "terminal.html"
    set_width(browser, 960)
    browser.get(path.as_uri())
    shown = browser.find_element(By.TAG_NAME, "pre")
    width = browser.execute_script("return document.documentElement.scrollWidth")
    assert width == 960, "no line is cut off"
    set_width(browser, 960, height=int(shown.rect["height"]))
    take_picture(browser, name, without_colors(text))
