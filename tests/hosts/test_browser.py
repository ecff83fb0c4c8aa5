"""In a real browser, what Material's scripts do with `/sitemap.xml` goes on working, and would not
with an index there.

What each script does is tried twice: on the site as it was built, and on the same site with an
index in that file's place.
"""

import os
import shutil
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest
from selenium.common.exceptions import NoSuchElementException, StaleElementReferenceException
from selenium.webdriver import ActionChains, Chrome
from selenium.webdriver.common.by import By
from selenium.webdriver.remote.webelement import WebElement
from selenium.webdriver.support.wait import WebDriverWait

from tests.support.browser import needs_chromium, start_chromium, take_picture
from tests.support.history import ISOLATED
from tests.support.project import Project
from tests.support.servers import Web, serve

pytestmark = needs_chromium

MATERIAL = "{name: material, font: false, features: [navigation.instant]}"
EAGER = MATERIAL.replace("]", ", navigation.instant.prefetch, navigation.instant.preview]")
DATE = "2024-01-01T10:00:00Z"
PAGES = ("index", "guide/start", "guide/install")
LEFT_OUT = "guide/internal.md"
HOME = "# Home\n\n[To the page](guide/install.md)\n"
INTERNAL = "---\nnoindex: true\n---\n# Internal\n\n[To the page](install.md)\n"
INSTALL = "# Install\n\nDownload the archive, and unpack it where you like.\n"
ZENSICAL = """\
[project]
site_name = "Archive"
site_url = "{base}docs/{language}/"
docs_dir = "docs/{language}"
extra.alternate = [
    {{ name = "English", link = "/docs/en/", lang = "en" }},
    {{ name = "Français", link = "/docs/fr/", lang = "fr" }},
]
[project.theme]
font = false
features = ["navigation.instant"]
"""
INDEX = (
    '<?xml version="1.0" encoding="UTF-8"?>\n'
    '<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n'
    "<sitemap><loc>{0}sitemap-root.xml</loc></sitemap>\n"
    "<sitemap><loc>{0}guide/sitemap.xml</loc></sitemap>\n"
    "</sitemapindex>\n"
)


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Chrome]:
    with start_chromium(tmp_path_factory.mktemp("profile")) as driver:
        yield driver


@pytest.fixture(scope="module")
def guide(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Web]:
    """Serve a small site, of which one page is omitted, and pages are fetched and shown before
    they are clicked on.
    """
    with _project(tmp_path_factory) as (project, web):
        project.config("search", "sitemap-index", theme=EAGER)
        project.pages(*(f"{page}.md" for page in PAGES))
        project.write("docs/index.md", f"{HOME}\n[To one that is omitted]({LEFT_OUT})\n")
        project.write("docs/guide/install.md", INSTALL)
        project.write(f"docs/{LEFT_OUT}", INTERNAL)
        project.commit(DATE)
        _build(project)
        yield web


@pytest.fixture(scope="module")
def versions(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Web]:
    """Serve two versions as mike has put them on a branch of a git repository."""
    with _project(tmp_path_factory) as (project, web):
        project.config(
            "search",
            "mike",
            "sitemap-index",
            theme=MATERIAL,
            site_name="Archive",
            extra="{version: {provider: mike}}",
        )
        project.pages(*(f"{page}.md" for page in PAGES))
        project.write("docs/guide/install.md", INSTALL)
        project.write(f"docs/{LEFT_OUT}", INTERNAL)
        project.commit(DATE)
        assert "sitemaps listed in" in _run(project, "mike", "deploy", "1.0")
        project.write("docs/guide/install.md", INSTALL.replace("the archive", "the newer archive"))
        project.commit("2024-02-02T10:00:00Z")
        assert "sitemaps listed in" in _run(project, "mike", "deploy", "2.0", "latest")
        project.git("clone", "-q", "--branch", "gh-pages", ".", str(web.directory / "docs"))
        yield web


@pytest.fixture(scope="module")
def translated(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Web]:
    """Serve two languages that mkdocs-static-i18n has made in one build, French below the default
    language.
    """
    with _project(tmp_path_factory) as (project, web):
        languages = "[{locale: en, default: true, name: English}, {locale: fr, name: Français}]"
        project.config(
            "search",
            f"i18n: {{languages: {languages}}}",
            "sitemap-index",
            theme=MATERIAL,
            site_name="Archive",
        )
        project.pages(*(f"{page}{language}.md" for page in PAGES for language in ("", ".fr")))
        project.write("docs/index.md", HOME)
        project.write("docs/guide/install.md", INSTALL)
        project.commit(DATE)
        _build(project)
        yield web


@pytest.fixture(scope="module")
def languages(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Web]:
    """Serve two languages that were built one by one, as Material's documentation has it."""
    with _project(tmp_path_factory) as (project, web):
        for language in ("en", "fr"):
            project.base = f"{web.base}docs/{language}/"
            alternate = (
                "[{name: English, link: /docs/en/, lang: en}, {name: Français, link: /docs/fr/,"
                " lang: fr}]"
            )
            options = {"docs_dir": f"docs/{language}", "extra": f"{{alternate: {alternate}}}"}
            project.config("search", "sitemap-index", theme=MATERIAL, **options)
            project.pages(*(f"{language}/{page}.md" for page in PAGES))
            project.write(f"docs/{language}/{LEFT_OUT}", INTERNAL)
            project.commit(DATE)
            _build(project, f"www/docs/{language}")
        yield web


@pytest.fixture(scope="module")
def zensical(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Web]:
    """Serve what Zensical has built, one language after the other, and `smindex build` has added
    to.
    """
    pytest.importorskip("zensical")
    with _project(tmp_path_factory) as (project, web):
        for language in ("en", "fr"):
            project.write("zensical.toml", ZENSICAL.format(language=language, base=web.base))
            project.pages(*(f"{language}/{page}.md" for page in PAGES))
            project.write(f"docs/{language}/index.md", HOME)
            project.write(f"docs/{language}/guide/install.md", INSTALL)
            project.commit(DATE)
            _run(project, "zensical", "build")
            assert "sitemaps listed in" in _run(project, "smindex", "build")
            shutil.copytree(project.root / "site", web.directory / "docs" / language)
        yield web


@pytest.mark.parametrize(
    ("site", "home", "replaced"),
    [("guide", "docs/", False), ("guide", "docs/", True), ("zensical", "docs/en/", False)],
)
def test_instant_navigation_follows_a_click_without_loading_a_document(
    browser: Chrome, request: pytest.FixtureRequest, site: str, home: str, *, replaced: bool
) -> None:
    web = request.getfixturevalue(site)
    with _sitemap(web, f"{home}sitemap.xml", replaced=replaced):
        _open(browser, web.base + home, f"/{home}sitemap.xml")
        assert _stays_in_the_document(browser) is not replaced
        assert browser.current_url == f"{web.base}{home}guide/install/"


@pytest.mark.parametrize(
    ("page", "replaced", "there"),
    [
        ("guide/install/", False, "guide/install/"),
        ("guide/install/", True, ""),
        ("guide/internal/", False, ""),  # which 2.0 leaves out
    ],
)
def test_the_version_selector_stays_on_the_page_across_versions_of_mike_where_it_is_listed(
    browser: Chrome, versions: Web, page: str, *, replaced: bool, there: str
) -> None:
    with _sitemap(versions, "docs/2.0/sitemap.xml", replaced=replaced):
        _open(browser, f"{versions.base}docs/1.0/{page}", "/1.0/sitemap.xml")
        _choose(
            browser,
            ".md-version",
            ".md-version__link[href$='/2.0/']",
            "version-selector" if there else "",
        )
        assert _left_for(browser, "/1.0/") == f"{versions.base}docs/2.0/{there}"


@pytest.mark.parametrize(
    ("site", "page", "there"),
    [
        ("languages", "guide/install/", "guide/install/"),
        ("languages", "guide/internal/", ""),  # which French leaves out
        ("zensical", "guide/install/", "guide/install/"),
    ],
)
def test_the_language_selector_stays_on_the_page_across_languages_built_apart_where_it_is_listed(
    browser: Chrome, request: pytest.FixtureRequest, site: str, page: str, there: str
) -> None:
    web = request.getfixturevalue(site)
    _open(browser, f"{web.base}docs/en/{page}", "/fr/sitemap.xml")
    _choose(browser, ".md-select", ".md-select__link[hreflang=fr]")
    assert _left_for(browser, "/en/") == f"{web.base}docs/fr/{there}"


@pytest.mark.parametrize("replaced", [False, True])
def test_the_language_selector_of_static_i18n_stays_on_a_page_reached_by_instant_navigation(
    browser: Chrome, translated: Web, *, replaced: bool
) -> None:
    """The file that the script reads is the French section's own, which is there because the plugin
    writes it.

    Material asks for those of all languages at once, and one at the root that arrives first hides
    the others.
    """
    with _sitemap(translated, "docs/fr/sitemap.xml", replaced=replaced):
        translated.delays["/docs/sitemap.xml"] = 0.5
        _open(browser, f"{translated.base}docs/", "/docs/sitemap.xml", "/fr/sitemap.xml")
        assert _stays_in_the_document(browser)
        _choose(browser, ".md-select", ".md-select__link[hreflang=fr]", "language-selector")
        assert (
            _left_for(browser, "/docs/guide/")
            == f"{translated.base}docs/fr/{'' if replaced else 'guide/install/'}"
        )


def test_the_language_selector_of_static_i18n_stays_on_a_page_that_was_loaded(
    browser: Chrome, translated: Web
) -> None:
    _open(browser, f"{translated.base}docs/guide/install/", "/docs/sitemap.xml")
    _choose(browser, ".md-select", ".md-select__link[hreflang=fr]")
    assert _left_for(browser, "/docs/guide/") == f"{translated.base}docs/fr/guide/install/"


def test_a_page_that_is_left_out_is_loaded_in_full_and_navigation_from_it_is_instant(
    browser: Chrome, guide: Web
) -> None:
    assert "internal" not in (guide.directory / "docs/sitemap.xml").read_text()
    _open(browser, f"{guide.base}docs/", "/docs/sitemap.xml")
    assert not _stays_in_the_document(browser, "internal", "Internal")
    assert browser.current_url == f"{guide.base}docs/guide/internal/"
    _until(browser, lambda: _fetched(browser, "/docs/sitemap.xml"))
    assert _stays_in_the_document(browser)
    assert browser.current_url == f"{guide.base}docs/guide/install/"


def test_a_page_that_is_left_out_is_neither_fetched_nor_shown_before_it_is_clicked_on(
    browser: Chrome, guide: Web
) -> None:
    _open(browser, f"{guide.base}docs/", "/docs/sitemap.xml")
    for page, happens in (("internal", False), ("install", True)):
        ActionChains(browser).move_to_element(_link(browser, page)).perform()
        if happens:
            _until(
                browser,
                lambda: (
                    "Download the archive"
                    in browser.find_element(By.CSS_SELECTOR, ".md-tooltip2").text
                ),
            )
        else:
            time.sleep(1)
            assert not browser.find_elements(By.CSS_SELECTOR, ".md-tooltip2")
        assert _fetched(browser, f"guide/{page}/") is happens


def _stays_in_the_document(browser: Chrome, page: str = "install", title: str = "Install") -> bool:
    """Click on the link to a page, and tell whether the document that had it is the one that shows
    that page.
    """
    browser.execute_script("window.isTheSameDocument = true")
    _link(browser, page).click()
    _until(browser, lambda: title in browser.find_element(By.TAG_NAME, "h1").text)
    return bool(browser.execute_script("return window.isTheSameDocument === true"))


def _link(browser: Chrome, page: str) -> WebElement:
    return browser.find_element(By.CSS_SELECTOR, f".md-content a[href$='{page}/']")


def _choose(browser: Chrome, selector: str, link: str, picture: str = "") -> None:
    """Point at a selector in the header, and click on a link of the list that unfolds, of which
    there is a picture.
    """
    _until(browser, lambda: browser.find_elements(By.CSS_SELECTOR, link))
    ActionChains(browser).move_to_element(browser.find_element(By.CSS_SELECTOR, selector)).perform()
    _until(browser, lambda: browser.find_element(By.CSS_SELECTOR, link).is_displayed())
    if picture:
        take_picture(browser, picture)
    browser.find_element(By.CSS_SELECTOR, link).click()


def _left_for(browser: Chrome, path: str) -> str:
    """Wait until the browser has left what is below a path, and give the URL at which it is."""
    _until(browser, lambda: path not in browser.current_url and _is_complete(browser))
    return browser.current_url


def _open(browser: Chrome, url: str, *sitemaps: str) -> None:
    """Open a page, and wait until its scripts have read the sitemaps that they need."""
    browser.get("about:blank")
    browser.get(url)
    _until(
        browser, lambda: _is_complete(browser) and all(_fetched(browser, name) for name in sitemaps)
    )
    asked = browser.execute_script(
        "return performance.getEntriesByType('resource').map(entry => entry.name)"
    )
    assert all(name.startswith("http://127.0.0.1:") for name in asked), asked
    quiet = "const done = arguments[0]; requestIdleCallback(() => setTimeout(done, 100))"
    browser.execute_async_script(quiet)


def _is_complete(browser: Chrome) -> bool:
    return bool(browser.execute_script("return document.readyState === 'complete'"))


def _fetched(browser: Chrome, name: str) -> bool:
    script = (
        "return performance.getEntriesByType('resource').some(e => e.name.endsWith(arguments[0]) &&"
        " e.responseEnd)"
    )
    return bool(browser.execute_script(script, name))


def _until(browser: Chrome, condition: Callable[[], object]) -> None:
    replaced_meanwhile = [StaleElementReferenceException, NoSuchElementException]
    WebDriverWait(browser, 20, 0.05, replaced_meanwhile).until(lambda _: condition())


@contextmanager
def _project(factory: pytest.TempPathFactory) -> Iterator[tuple[Project, Web]]:
    root = factory.mktemp("site")
    with serve(root / "www") as web:
        project = Project(root)
        project.write(".gitignore", "www/\nsite/\n")
        project.base = f"{web.base}docs/"
        yield project, web


def _build(project: Project, directory: str = "www/docs") -> None:
    built = project.build(site=directory)
    assert built.code == 0, built.log
    assert built.index


def _run(project: Project, *command: str) -> str:
    """Run a program of this environment as a user does, and give what it prints."""
    environment = {**os.environ, **ISOLATED}
    done = subprocess.run(
        command, cwd=project.root, env=environment, check=False, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    return done.stdout + done.stderr


@contextmanager
def _sitemap(web: Web, path: str, *, replaced: bool) -> Iterator[None]:
    """Leave a sitemap as it was built, or have an index in its place for a while."""
    file = web.directory / path
    kept = file.read_bytes()
    if replaced:
        assert b"<urlset" in kept
        file.write_text(
            INDEX.format(f"{web.base}{path.removesuffix('sitemap.xml')}"), encoding="utf-8"
        )
    yield
    file.write_bytes(kept)
