"""Real MkDocs builds in which pages say of themselves whether, where and with what they are to be listed."""

import json
import re
from pathlib import Path

import pytest
from lxml import etree

from tests.support.project import NAMESPACE, Built, Project

BASE = "https://example.org/docs/"
FIRST = "2024-01-01T10:00:00Z"
IMAGE = "{http://www.google.com/schemas/sitemap-image/1.1}"
XHTML = "{http://www.w3.org/1999/xhtml}"
STATIC = "<!doctype html>\n<html><head><title>a</title>{head}</head><body><p>text</p>{body}</body></html>\n"
OVERRIDE = """\
{{% extends "base.html" %}}
{{% block extrahead %}}{{{{ super() }}}}{{{{ page.meta.head }}}}{{% endblock %}}
"""


@pytest.fixture
def site(project: Project) -> Project:
    """Give a site whose theme puts into the head of a page what its front matter says."""
    project.write("theme/main.html", OVERRIDE.format())
    configure(project)
    project.pages("index.md", "guide/a.md", "guide/b.md")
    return project


def configure(project: Project, *plugins: str, **options: str) -> None:
    project.config(*plugins, theme="{name: mkdocs, custom_dir: theme}", **options)


def page(head: str, text: str = "text") -> str:
    return f"---\nhead: '{head}'\n---\n# Page\n\n{text}\n"


def entries(built: Built) -> dict[str, etree._Element]:
    """Read every entry of every sitemap, after it was proven valid."""
    assert built.pages
    found = [entry for file in built.files for entry in etree.parse(built.directory / file).getroot()]
    return {entry.findtext(f"{NAMESPACE}loc") or "": entry for entry in found}


def test_pages_that_renounce_themselves_are_in_no_sitemap_and_counted_by_reason(site: Project) -> None:
    site.write("docs/noindex.md", page('<meta name="robots" content="noindex">'))
    site.write("docs/refresh.md", page('<meta http-equiv="refresh" content="0; url=../guide/a/">'))
    site.write("docs/copy.md", page(f'<link rel="canonical" href="{BASE}guide/a/">'))
    site.write("docs/own.md", page('<meta name="robots" content="index">'))
    site.commit(FIRST)
    built = site.build()
    assert built.code == 0, built.log
    # A copy names two canonical URLs, for the theme names its own: that is a contradiction, and none counts.
    assert set(built.pages) == {BASE, *(f"{BASE}{path}/" for path in ("guide/a", "guide/b", "own", "copy"))}
    assert "left out: 1 marked noindex, 1 redirecting elsewhere" in built.log
    assert set(built.flat) == set(built.pages)


def test_a_page_whose_front_matter_alone_says_noindex_is_named_until_the_theme_says_so_as_the_manual_has_it(
    site: Project,
) -> None:
    site.write("docs/a.md", "---\nnoindex: true\n---\n# A\n")
    site.write("docs/b.md", "---\nnoindex: yes\n---\n# B\n")
    site.write("docs/c.md", "---\nsitemap: false\n---\n# C\n")
    site.write("docs/d.md", "---\nprivate: true\n---\n# D\n")
    site.write("docs/e.md", "---\nrobots: noindex, nofollow\n---\n# E\n")
    site.commit(FIRST)
    built = site.build("--strict")
    assert built.code == 0, built.log
    assert "a.md: its front matter says noindex or private, but its HTML does not" in built.log
    assert "The same is true of 3 other pages." in built.log
    assert built.log.count("[noindex-not-rendered]") == 1
    manual = (Path(__file__).parents[2] / "sample_sites/mkdocs/docs/manual/pages.md").read_text()
    site.write("theme/main.html", manual.partition("```jinja\n")[2].partition("```")[0])
    built = site.build("--strict")
    assert built.code == 0, built.log
    assert "noindex-not-rendered" not in built.log
    assert '<meta name="robots" content="noindex">' in (built.directory / "b/index.html").read_text()
    assert '<meta name="robots" content="noindex, nofollow">' in (built.directory / "e/index.html").read_text()
    assert "noindex" not in (built.directory / "c/index.html").read_text()
    assert "noindex" not in (built.directory / "404.html").read_text()


def test_another_canonical_url_is_believed_where_it_is_the_only_one(site: Project) -> None:
    site.config("sitemap-index", hooks="[canonical.py]")
    site.write(
        "canonical.py",
        "def on_post_page(output, page, config):\n"
        f"    return output.replace('{BASE}guide/b/', '{BASE}guide/a/') if page.url == 'guide/b/' else output\n",
    )
    site.commit(FIRST)
    built = site.build()
    assert set(built.pages) == {BASE, f"{BASE}guide/a/"}
    assert "1 with another canonical URL" in built.log


def test_html_that_is_copied_is_judged_like_a_page_and_templates_are_none(site: Project) -> None:
    site.write("docs/static/good.html", STATIC.format(head="", body=""))
    site.write("docs/static/noindex.html", STATIC.format(head="<META NAME=ROBOTS CONTENT=NONE>", body=""))
    site.write("docs/static/moved.html", STATIC.format(head=f"<link rel=canonical href={BASE}guide/a/>", body=""))
    site.write("docs/static/raw.html", '{% extends "main.html" %}\n{% block content %}text{% endblock %}\n')
    site.write("docs/static/empty.html", "<!-- nothing -->\n")
    site.write("docs/google0123.html", "google-site-verification: google0123.html\n")
    site.commit(FIRST)
    built = site.build()
    assert set(built.pages) == {BASE, f"{BASE}guide/a/", f"{BASE}guide/b/", f"{BASE}static/good.html"}
    assert (
        "left out: 1 marked noindex, 1 shown for errors, 1 with another canonical URL, 2 without an HTML document, "
        "1 without content" in built.log
    )


def test_where_every_page_is_noindex_a_template_in_the_sources_is_not_listed_in_their_place(site: Project) -> None:
    site.write("docs/index.md", page('<meta name="robots" content="noindex">'))
    site.write("docs/guide/a.md", page('<meta name="robots" content="noindex">'))
    site.write("docs/guide/b.md", page('<meta name="robots" content="noindex">'))
    noindex = '{% extends "base.html" %}\n{% block extrahead %}<meta name="robots" content="noindex">{% endblock %}\n'
    site.write("docs/overrides/main.html", noindex)
    site.write("docs/overrides/whole.html", STATIC.format(head="{% block extrahead %}{% endblock %}", body=""))
    site.commit(FIRST)
    built = site.build()
    assert not built.pages
    assert "nothing-listed" in built.log
    assert "3 marked noindex" in built.log
    assert "2 without an HTML document" in built.log


def test_pages_are_left_out_and_listed_as_browsers_show_them(site: Project) -> None:
    site.write("docs/guide/a.md", page("", '<p><meta http-equiv="refresh" content="0; url=/docs/guide/b/"></p>'))
    site.write("docs/guide/b.md", page("", 'Write `<meta http-equiv="refresh">` and {% raw %}.'))
    application = '<!doctype html><script type="module" src="app.js"></script><body><div id="root"></div></body>'
    site.write("docs/app/index.html", application)
    site.write("docs/api/index.html", "<!doctype html><title>API</title><redoc spec-url='openapi.json'></redoc>")
    site.commit(FIRST)
    built = site.build()
    assert set(built.pages) == {BASE, f"{BASE}guide/b/", f"{BASE}app/", f"{BASE}api/"}
    assert "1 redirecting elsewhere" in built.log


def test_images_are_listed_after_url_and_date_and_the_flat_sitemap_knows_none(site: Project) -> None:
    configure(site, "sitemap-index: {images: true}")
    Path(site.root, "docs/guide").mkdir(exist_ok=True)
    site.write("docs/guide/a.md", "# A\n\n![a](a.png) ![b](https://cdn.example/b.png?x&y)\n")
    site.write("docs/guide/b.md", "---\nsitemap: {images: false}\n---\n# B\n\n![a](a.png)\n")
    site.write("docs/index.md", "---\nsitemap: {images: [/logo.svg]}\n---\n# Index\n\n![a](guide/a.png)\n")
    site.write("docs/guide/a.png", "no real one")
    site.commit(FIRST)
    built = site.build("--strict")
    assert built.code == 0, built.log
    found = {url: [str(loc.text) for loc in entry.iter(f"{IMAGE}loc")] for url, entry in entries(built).items()}
    assert found == {
        BASE: ["https://example.org/logo.svg"],
        f"{BASE}guide/a/": [f"{BASE}guide/a.png", "https://cdn.example/b.png?x&y"],
        f"{BASE}guide/b/": [],
    }
    assert [child.tag for child in entries(built)[f"{BASE}guide/a/"]] == [
        f"{NAMESPACE}loc",
        f"{NAMESPACE}lastmod",
        f"{IMAGE}image",
        f"{IMAGE}image",
    ]
    flat = (built.directory / "sitemap.xml").read_text()
    assert "image" not in flat
    assert set(built.flat) == set(built.pages)


def test_variants_that_pages_name_are_written_where_they_are_mutual(site: Project) -> None:
    english, german = f"{BASE}guide/a/", f"{BASE}guide/b/"
    links = "".join(
        f'<link rel="alternate" hreflang="{code}" href="{url}">' for code, url in (("en", english), ("de", german))
    )
    site.write("docs/guide/a.md", page(links))
    site.write("docs/guide/b.md", page(links))
    site.write("docs/alone.md", page(f'<link rel="alternate" hreflang="de" href="{german}">'))
    site.commit(FIRST)
    built = site.build()
    found = {
        url: {str(link.get("hreflang")): str(link.get("href")) for link in entry.iter(f"{XHTML}link")}
        for url, entry in entries(built).items()
    }
    assert found == {BASE: {}, f"{BASE}alone/": {}, **{url: {"en": english, "de": german} for url in (english, german)}}
    assert f"{BASE}alone/" in built.log
    assert "xhtml" not in (built.directory / "sitemap.xml").read_text()
    assert "xhtml" not in (built.directory / "sitemap-root.xml").read_text()


def test_no_name_key_or_value_of_a_page_begins_a_line_of_the_log(project: Project) -> None:
    options = {"sections": [{"name": "a", "urls": ["\n::error::one/"]}], "exclude": ["\x1b[2J##[error]two/"]}
    project.small(f"sitemap-index: {json.dumps(options)}")
    project.write("docs/\n::error::three.md", '---\nlastmod: "\\n::error::four\\u202e"\n---\n# A\n')
    matter = {"sitemap": {"\n::error::five": "\x1b[2J"}, "lastmod": "##[error]six"}
    project.write("docs/b.md", f"---\n{json.dumps(matter)}\n---\n# B\n")
    built = project.build("-v")
    ours = [line for line in built.log.splitlines() if "sitemap-index: " in line]
    assert not [each for each in ("one", "two", "three", "four", "five", "six") if each not in "".join(ours)]
    assert all(line.isprintable() for line in ours)
    assert not [line for line in ours if "##[" in line]
    assert not [line for line in built.log.splitlines() if re.match(r"\s*::error::(?!three\.md)", line)]


def test_front_matter_that_mkdocs_shows_as_text_is_told_and_what_it_says_of_the_page_counts(site: Project) -> None:
    site.write("docs/guide/a.md", "---\nlastmod: 2024-13-01\nnoindex: true\n---\n# A\n\ntext\n")
    site.write("docs/guide/b.md", "---\ntitle: a: b\n---\n# B\n\ntext\n")
    site.write("docs/line.md", "---\nOnly text between two lines.\n---\n\ntext\n")
    built = site.build()
    assert "guide/a.md: its front matter cannot be used: MkDocs cannot read it, and shows it as text." in built.log
    assert "guide/b.md: its front matter cannot be used: it is not valid YAML (" in built.log
    assert "line.md: " not in built.log
    assert sorted(built.pages) == [BASE, f"{BASE}guide/b/", f"{BASE}line/"]
