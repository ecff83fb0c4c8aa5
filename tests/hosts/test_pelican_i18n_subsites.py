"""Runs of Pelican with i18n_subsites, which runs Pelican once more for each language, one within
the other.
"""

import shutil
from pathlib import Path

import pytest

from tests.hosts.pelican_blog import PLUGIN, SITEURL, Blog, Output

_SUBSITES = [PLUGIN, "i18n_subsites"]


@pytest.fixture
def blog(tmp_path: Path) -> Blog:
    return Blog(tmp_path / "project")


def _write_in_two_languages(blog: Blog) -> None:
    for name in ("a", "b"):
        blog.article(f"{name}-en.md", slug=name, lang="en")
        blog.article(f"{name}-de.md", slug=name, lang="de")
    blog.article("only-en.md", lang="en")
    blog.article("only-de.md", lang="de")


def test_subsites_in_the_directory_of_the_site_share_its_index(blog: Blog) -> None:
    _write_in_two_languages(blog)
    output = blog.run_apart(*_SUBSITES, I18N_SUBSITES={"de": {}})
    assert {"a.html", "de/a.html", "only-en.html", "de/only-de.html"} <= output.pages.keys()
    assert all(path.startswith("de/") for path in output.sitemaps["de/sitemap.xml"])
    assert not (output.directory / "de/sitemap_index.xml").exists()
    expected = {
        "en": f"{SITEURL}/a.html",
        "de": f"{SITEURL}/de/a.html",
        "x-default": f"{SITEURL}/a.html",
    }
    assert output.alternates[expected["en"]] == output.alternates[expected["de"]] == expected
    assert not {path for path in output.pages if "draft" in path}
    assert "de/only-en.html" not in output.pages
    pages = output.pages
    shutil.rmtree(blog.root / "output")
    assert blog.run_apart(*_SUBSITES, I18N_SUBSITES={"de": {}}).pages == pages


def test_articles_of_subsites_show_the_dates_of_the_sitemap(blog: Blog) -> None:
    blog.write("templates/article.html", "{{ article.lastmod }}")
    _write_in_two_languages(blog)
    blog.commit("2024-01-01T10:00:00Z")
    blog.article("b-de.md", slug="b", lang="de", summary="changed")
    blog.commit("2024-02-02T10:00:00Z")
    options = {"depends": {"de/a.html": "content/b-de.md"}}
    settings = {
        "I18N_SUBSITES": {"de": {}},
        "THEME_TEMPLATES_OVERRIDES": ["templates"],
        "SITEMAP_INDEX": options,
    }
    output = blog.run_apart(*_SUBSITES, **settings)
    shown = {
        path: (output.directory / path).read_text("utf-8")
        for path in ("a.html", "de/a.html", "de/b.html")
    }
    assert {
        path: text.replace(" ", "T").replace("+00:00", "Z") for path, text in shown.items()
    } == {path: output.pages[path] for path in shown}
    assert output.pages["a.html"] != output.pages["de/a.html"] == output.pages["de/b.html"]


def test_a_subsite_on_another_host_has_an_index_of_its_own(blog: Blog) -> None:
    _write_in_two_languages(blog)
    subsites = {"de": {"SITEURL": "https://de.example.org"}}
    # a pattern of several sites needs a page in one of them
    options = {"exclude": ["only-de.html", "none.html"]}
    output = blog.run_apart(*_SUBSITES, I18N_SUBSITES=subsites, SITEMAP_INDEX=options)
    assert output.log.count("[unmatched-pattern]") == 1
    assert "exclude[1]: `none.html` matches no page." in output.log
    german = Output(output.directory / "de", "https://de.example.org/")
    assert "a.html" in output.pages
    assert "a.html" in german.pages
    assert not {path for path in output.pages if path.startswith("de/")}
    english, its_variant = f"{SITEURL}/a.html", "https://de.example.org/a.html"
    expected = {"en": english, "de": its_variant, "x-default": english}
    assert output.alternates[english] == german.alternates[its_variant] == expected


def test_a_subsite_elsewhere_on_disk_has_an_index_of_its_own(blog: Blog) -> None:
    _write_in_two_languages(blog)
    elsewhere = blog.root / "german"
    output = blog.run_apart(*_SUBSITES, I18N_SUBSITES={"de": {"OUTPUT_PATH": str(elsewhere)}})
    assert "a.html" in Output(elsewhere, f"{SITEURL}/de/").pages
    assert "a.html" in output.pages
