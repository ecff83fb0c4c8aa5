"""Real builds with mkdocs-static-i18n, which builds a site once for each language, one within the
other.
"""

import pytest
from lxml import etree

from tests.support.project import BASE, FIRST, NAMESPACE, SECOND, Built, Project

LANGUAGES = """\
[{locale: en, default: true, name: English}, {locale: fr, name: Français}, {locale: de, name: Deutsch}]\
"""
XHTML = "{http://www.w3.org/1999/xhtml}"


def configure(project: Project, structure: str, *, first: bool, theme: str) -> None:
    plugins = ["sitemap-index", f"i18n: {{docs_structure: {structure}, languages: {LANGUAGES}}}"]
    project.config(*(plugins if first else reversed(plugins)), theme=theme)


def translate(project: Project, structure: str, page: str, *languages: str) -> None:
    """Write a page in some languages."""
    for language in languages:
        suffix = "" if language == "en" else f".{language}"
        project.pages(f"{language}/{page}.md" if structure == "folder" else f"{page}{suffix}.md")


def alternates(built: Built) -> dict[str, dict[str, str]]:
    """Read the variants of each page that has some, by their paths."""
    found = {}
    for file in built.files:
        for entry in etree.parse(built.directory / file).getroot():
            links = {
                str(link.get("hreflang")): str(link.get("href"))
                for link in entry.iter(f"{XHTML}link")
            }
            if links:
                url = entry.findtext(f"{NAMESPACE}loc") or ""
                found[url.removeprefix(BASE)] = {
                    code: link.removeprefix(BASE) for code, link in links.items()
                }
    return found


@pytest.mark.parametrize(
    ("structure", "first", "theme"),
    [
        ("suffix", True, "mkdocs"),
        ("suffix", False, "material"),
        ("folder", True, "material"),
        ("folder", False, "mkdocs"),
    ],
)
def test_every_language_is_listed_and_dated_by_its_own_source_and_names_the_others(
    project: Project, structure: str, *, first: bool, theme: str
) -> None:
    configure(project, structure, first=first, theme=theme)
    for page in ("index", "guide/a", "guide/b"):
        translate(project, structure, page, "en", "fr", "de")
    project.commit(FIRST)
    project.write(
        {"suffix": "docs/guide/b.fr.md", "folder": "docs/fr/guide/b.md"}[structure], "# Changé\n"
    )
    project.commit(SECOND)
    built = project.build("--strict")
    assert built.code == 0, built.log
    assert built.pages == {
        BASE: FIRST,
        f"{BASE}guide/a/": FIRST,
        f"{BASE}guide/b/": FIRST,
        f"{BASE}fr/": FIRST,
        f"{BASE}fr/guide/a/": FIRST,
        f"{BASE}fr/guide/b/": SECOND,
        f"{BASE}de/": FIRST,
        f"{BASE}de/guide/a/": FIRST,
        f"{BASE}de/guide/b/": FIRST,
    }
    assert built.index == {
        f"{BASE}sitemap-root.xml": FIRST,
        f"{BASE}guide/sitemap.xml": FIRST,
        f"{BASE}fr/sitemap.xml": SECOND,
        f"{BASE}de/sitemap.xml": FIRST,
    }
    assert built.flat == {url: lastmod and lastmod[:10] for url, lastmod in built.pages.items()}
    assert alternates(built) == {
        f"{language}{page}": {"en": page, "fr": f"fr/{page}", "de": f"de/{page}", "x-default": page}
        for language in ("", "fr/", "de/")
        for page in ("", "guide/a/", "guide/b/")
    }
    assert built.log.count("listed in") == 1, (
        "the sitemaps are written once, when every language is built"
    )


@pytest.mark.parametrize(("structure", "first"), [("suffix", True), ("folder", False)])
def test_the_copy_of_a_page_that_is_not_translated_is_no_variant_of_it(
    project: Project, structure: str, *, first: bool
) -> None:
    configure(project, structure, first=first, theme="mkdocs")
    translate(project, structure, "index", "en", "fr", "de")
    translate(project, structure, "guide/a", "en", "fr")
    project.commit(FIRST)
    built = project.build()
    assert built.code == 0, built.log
    pages = ("", "guide/a/", "fr/", "fr/guide/a/", "de/", "de/guide/a/")
    assert built.pages == {f"{BASE}{path}": FIRST for path in pages}
    found = alternates(built)
    assert (
        found["guide/a/"]
        == found["fr/guide/a/"]
        == {
            "en": "guide/a/",
            "fr": "fr/guide/a/",
            "x-default": "guide/a/",
        }
    )
    assert "de/guide/a/" not in found


@pytest.mark.parametrize("dated", ["en", "fr"])
def test_no_page_has_the_date_of_the_build_whichever_language_git_knows(
    project: Project, dated: str
) -> None:
    configure(project, "folder", first=False, theme="mkdocs")
    translate(project, "folder", "index", dated)
    project.commit(FIRST)
    translate(project, "folder", "index", *{"en", "fr", "de"} - {dated})
    built = project.build()
    assert [url for url, lastmod in built.pages.items() if lastmod] == [
        f"{BASE}{dated}/".replace("/en/", "/")
    ]
    assert set(built.flat) == set(built.pages)
    assert set(built.flat.values()) <= {None, FIRST[:10]}
