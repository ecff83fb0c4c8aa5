"""Real MkDocs builds whose own flat `sitemap.xml` tells search engines what the index tells them."""

import gzip

import pytest
from lxml import etree

from tests.support.project import BASE, FIRST, NAMESPACE, Project

DAY = FIRST[:10]


@pytest.mark.parametrize("host", ["mkdocs", "properdocs"])
def test_it_lists_the_pages_of_the_index_whoever_left_out_the_others(project: Project, host: str) -> None:
    project.config("search", "sitemap-index: {exclude: [internal/]}", hooks="[hooks.py]", theme="mkdocs")
    project.write(
        "hooks.py",
        "def on_post_page(output, page, config):\n"
        "    if page.url == 'empty/':\n"
        "        return ''\n"
        "    added = '<meta name=\"robots\" content=\"noindex\">' if page.url == 'hidden/' else ''\n"
        "    return output.replace('</head>', added + '</head>')\n",
    )
    project.pages("index.md", "guide/a.md", "guide/b.md", "internal/c.md", "hidden.md", "empty.md", "404.md")
    project.write("docs/noindex.md", "---\nnoindex: true\n---\n# No\n")
    project.write("docs/sitemap.md", "---\nsitemap: false\n---\n# No\n")
    project.commit(FIRST)
    built = project.build("--strict", host=host)
    assert built.code == 0, built.log
    assert built.flat == dict.fromkeys([BASE, f"{BASE}guide/a/", f"{BASE}guide/b/"], DAY)
    assert built.flat.keys() == built.pages.keys()
    packed = gzip.decompress((built.directory / "sitemap.xml.gz").read_bytes())
    assert packed == (built.directory / "sitemap.xml").read_bytes()
    assert "1 without a readable file" in built.log


def test_it_is_the_same_in_a_dirty_build_and_byte_for_byte_in_two_clean_ones(project: Project) -> None:
    project.config("sitemap-index: {exclude: [guide/b/]}")
    project.pages("index.md", "guide/a.md", "guide/b.md")
    project.commit(FIRST)
    found = []
    for arguments, day in (((), "1600000000"), ((), "1700000000"), (("--dirty",), "1800000000")):
        built = project.build(*arguments, SOURCE_DATE_EPOCH=day)
        found.append([(built.directory / f"sitemap.xml{ending}").read_bytes() for ending in ("", ".gz")])
    assert found == found[:1] * 3
    assert b"guide/b/" not in found[0][0]


def test_html_that_mkdocs_copies_is_no_page_of_the_theme_and_is_not_added(project: Project) -> None:
    project.config("sitemap-index")
    project.pages("index.md")
    project.write("docs/tool.html", "<!doctype html><html><head><title>a</title></head><body><p>text</body></html>")
    project.commit(FIRST)
    built = project.build("--strict")
    assert set(built.pages) == {BASE, f"{BASE}tool.html"}
    assert set(built.flat) == {BASE}


def test_what_a_template_of_the_users_adds_stays(project: Project) -> None:
    project.config("sitemap-index: {exclude: [secret/]}", theme="{name: mkdocs, custom_dir: theme}")
    project.write(
        "theme/sitemap.xml",
        '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n'
        "{% for file in pages %}<url><loc>{{ file.page.canonical_url|e }}</loc><priority>0.5</priority></url>\n"
        "{% endfor %}<url><loc>https://example.org/docs/app/</loc><lastmod>2019-05-06</lastmod></url>\n</urlset>\n",
    )
    project.pages("index.md", "secret.md")
    project.commit(FIRST)
    built = project.build("--strict")
    assert built.code == 0, built.log
    assert built.flat == {BASE: None, f"{BASE}app/": "2019-05-06"}
    assert (built.directory / "sitemap.xml").read_text().count("<priority>0.5</priority>") == 1


@pytest.mark.parametrize("first", [True, False], ids=["before", "after"])
def test_variants_that_are_left_out_are_named_no_more_in_that_of_static_i18n(project: Project, *, first: bool) -> None:
    languages = "[{locale: en, default: true, name: English}, {locale: fr, name: Français}]"
    plugins = ["sitemap-index: {exclude: [fr/a/]}", f"i18n: {{languages: {languages}}}"]
    project.config(*(plugins if first else reversed(plugins)), theme="mkdocs")
    project.pages("index.md", "index.fr.md", "a.md", "a.fr.md")
    project.commit(FIRST)
    built = project.build("--strict")
    assert built.code == 0, built.log
    entries = etree.parse(built.directory / "sitemap.xml").getroot()
    links = {
        entry.findtext(f"{NAMESPACE}loc"): {link.get("hreflang") for link in entry.iter("{*}link")} for entry in entries
    }
    assert links == {BASE: {"en", "fr"}, f"{BASE}fr/": {"en", "fr"}, f"{BASE}a/": {"en"}}


def test_two_sources_of_one_page_are_named_and_it_is_listed_once(project: Project) -> None:
    project.config("sitemap-index")
    project.pages("index.md", "guide/a.md", "guide/b.md", "guide/b/index.md")
    project.write("docs/guide/a/index.html", "<!doctype html><html><head></head><body><p>text</body></html>")
    project.commit(FIRST)
    built = project.build("--strict")
    assert built.code == 0, built.log
    assert built.flat == dict.fromkeys([BASE, f"{BASE}guide/a/", f"{BASE}guide/b/"], DAY)
    assert built.flat.keys() == built.pages.keys()
    assert "guide/a/index.html: guide/a.md is written to the same file" in built.log
    shown = "guide/b/index.md" if "guide/b/index.md" in (built.directory / "guide/b/index.html").read_text() else ""
    other = "guide/b.md" if shown else "guide/b/index.md"
    assert f"{other}: {shown or 'guide/b.md'} is written to the same file" in built.log
    assert "left out: 2 at the URL of another page" in built.log
