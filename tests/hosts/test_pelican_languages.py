"""Pelican sites in several languages: which variants point to which, in one run and in the runs of i18n_subsites."""

import shutil
from pathlib import Path

import pytest

from tests.hosts.pelican_site import PLUGIN, SITEURL, Blog, Output

_SUBSITES = [PLUGIN, "i18n_subsites"]


@pytest.fixture
def blog(tmp_path: Path) -> Blog:
    return Blog(tmp_path / "project")


def test_every_variant_names_all_variants_itself_and_the_default(blog: Blog) -> None:
    for lang in ("en", "de", "pt_br"):
        blog.article(f"a-{lang}.md", slug="a", lang=lang)
    blog.article("only.md")
    expected = {
        "en": f"{SITEURL}/a.html",
        "de": f"{SITEURL}/a-de.html",
        "pt-br": f"{SITEURL}/a-pt_br.html",
        "x-default": f"{SITEURL}/a.html",
    }
    alternates = blog.run().alternates
    assert alternates == dict.fromkeys(expected.values(), expected)


def test_pages_have_variants_too_and_without_the_default_language_there_is_no_default(blog: Blog) -> None:
    for lang in ("fr", "de"):
        blog.article(f"pages/a-{lang}.md", slug="a", lang=lang)
    (first, second) = blog.run().alternates.values()
    assert first == second
    assert set(first) == {"fr", "de"}


def test_files_without_variants_do_not_declare_the_namespace(blog: Blog) -> None:
    blog.article("a.md")
    assert "xhtml" not in (blog.run().directory / "sitemap-root.xml").read_text()


def test_variants_that_are_not_listed_are_not_pointed_to(blog: Blog) -> None:
    for lang, meta in {"en": {}, "de": {}, "fr": {"private": "true"}, "it": {"status": "draft"}}.items():
        blog.article(f"a-{lang}.md", slug="a", lang=lang, **meta)
    blog.article("b-en.md", slug="b", lang="en")
    blog.article("b-de.md", slug="b", lang="de", noindex="true")
    alternates = blog.run().alternates
    assert set(alternates[f"{SITEURL}/a.html"]) == {"en", "de", "x-default"}
    assert f"{SITEURL}/b.html" not in alternates


def test_the_address_of_a_variant_is_the_one_that_is_listed(blog: Blog) -> None:
    blog.article("a-en.md", slug="a", lang="en", save_as="en & more/a.html")
    blog.article("a-de.md", slug="a", lang="de")
    output = blog.run()
    assert output.alternates[f"{SITEURL}/a-de.html"]["en"] == f"{SITEURL}/en%20&%20more/a.html"
    assert "en%20&%20more/a.html" in output.pages


def _write_in_two_languages(blog: Blog) -> None:
    for name in ("a", "b"):
        blog.article(f"{name}-en.md", slug=name, lang="en")
        blog.article(f"{name}-de.md", slug=name, lang="de")
    blog.article("only-en.md", lang="en")
    blog.article("only-de.md", lang="de")


def test_subsites_in_the_directory_of_the_site_share_its_index(blog: Blog) -> None:
    _write_in_two_languages(blog)
    output = blog.run(PLUGINS=_SUBSITES, I18N_SUBSITES={"de": {}})
    assert {"a.html", "de/a.html", "only-en.html", "de/only-de.html"} <= output.pages.keys()
    assert all(path.startswith("de/") for path in output.sitemaps["de/sitemap.xml"])
    assert not (output.directory / "de/sitemap_index.xml").exists()
    expected = {"en": f"{SITEURL}/a.html", "de": f"{SITEURL}/de/a.html", "x-default": f"{SITEURL}/a.html"}
    assert output.alternates[expected["en"]] == output.alternates[expected["de"]] == expected


def test_what_subsites_hide_is_not_listed(blog: Blog) -> None:
    _write_in_two_languages(blog)
    pages = blog.run(PLUGINS=_SUBSITES, I18N_SUBSITES={"de": {}}).pages
    assert not {path for path in pages if "draft" in path}
    assert "de/only-en.html" not in pages


def test_a_subsite_on_another_host_has_an_index_of_its_own(blog: Blog) -> None:
    _write_in_two_languages(blog)
    output = blog.run(PLUGINS=_SUBSITES, I18N_SUBSITES={"de": {"SITEURL": "https://de.example.org"}})
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
    output = blog.run(PLUGINS=_SUBSITES, I18N_SUBSITES={"de": {"OUTPUT_PATH": str(elsewhere)}})
    assert "a.html" in Output(elsewhere, f"{SITEURL}/de/").pages
    assert "a.html" in output.pages


def test_subsites_are_the_same_when_built_again(blog: Blog) -> None:
    _write_in_two_languages(blog)
    first = blog.run(PLUGINS=_SUBSITES, I18N_SUBSITES={"de": {}}).pages
    shutil.rmtree(blog.root / "output")
    assert blog.run(PLUGINS=_SUBSITES, I18N_SUBSITES={"de": {}}).pages == first
