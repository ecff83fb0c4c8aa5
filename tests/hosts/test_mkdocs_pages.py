"""Real MkDocs builds: which pages are listed, where, and with which dates."""

import gzip

from lxml import etree

from tests.support.project import BASE, FIRST, NAMESPACE, ROOT, SECOND, SMALL, THIRD, Built, Project

IMAGE = "{http://www.google.com/schemas/sitemap-image/1.1}"
XHTML = "{http://www.w3.org/1999/xhtml}"
DEPLOYED = dict.fromkeys(
    ["READTHEDOCS_VERSION_TYPE", "NETLIFY", "VERCEL_ENV", "GITHUB_REF", "GITHUB_EVENT_NAME", "CI_MERGE_REQUEST_ID"], ""
)
"""A build that no CI service says anything of."""
HEAD = '{% extends "base.html" %}\n{% block extrahead %}{{ super() }}{{ page.meta.head }}{% endblock %}\n'
CUSTOM = "{name: mkdocs, custom_dir: theme}"
STATIC = "<!doctype html>\n<html><head><title>a</title>{}</head><body><p>text</p></body></html>\n"


def entries(built: Built) -> dict[str, etree._Element]:
    """Read every entry of every sitemap, after it was proven valid."""
    assert built.pages
    found = [entry for file in built.files for entry in etree.parse(built.directory / file).getroot()]
    return {entry.findtext(f"{NAMESPACE}loc") or "": entry for entry in found}


def page(head: str, text: str = "text") -> str:
    return f"---\nhead: '{head}'\n---\n# Page\n\n{text}\n"


def small_site(project: Project) -> None:
    """Write three sections, committed on two days."""
    project.config()
    project.pages("index.md", "about.md", "guide/index.md", "guide/install.md", "übersicht/a.md", "übersicht/b.md")
    project.commit(FIRST)
    project.write("docs/guide/install.md", "# Changed\n")
    project.commit(SECOND)


def test_dates_come_from_authors_and_from_git_or_are_absent(project: Project) -> None:
    small_site(project)
    project.write("docs/about.md", "---\nupdated: yesterday\n---\n# About\n")
    project.write("docs/guide/index.md", "---\nlastmod: 2999-01-01\n---\n# Guide\n")
    project.write("docs/guide/install.md", "---\nlastmod: 2023-05-06\n---\n# Install\n")
    project.write("docs/übersicht/gone.md", "# gone\n")
    project.commit(SECOND)
    (project.root / "docs/übersicht/gone.md").unlink()
    project.commit(THIRD)
    project.write("docs/new.md", "# Not committed\n")
    built = project.build()
    assert built.code == 0, built.log
    assert built.pages == {
        BASE: FIRST,
        f"{BASE}about/": SECOND,
        f"{BASE}guide/": SECOND,
        f"{BASE}guide/install/": "2023-05-06",
        f"{BASE}new/": None,
        f"{BASE}%C3%BCbersicht/a/": FIRST,
        f"{BASE}%C3%BCbersicht/b/": FIRST,
    }
    assert built.index[f"{BASE}%C3%BCbersicht/sitemap.xml"] == THIRD, "a page of the section was removed"
    assert built.index[f"{BASE}guide/sitemap.xml"] == SECOND
    assert built.flat == {url: lastmod and lastmod[:10] for url, lastmod in built.pages.items()}
    assert "; 1 without a date; " in built.log
    assert "1 of 7 pages: no reliable date was found, so <lastmod> is left out: 1 not committed to git." in built.log
    assert "about.md: its front matter says updated: 'yesterday', which is not a date." in built.log
    assert "guide/index.md: its front matter says it changed on 2999-01-01, which is in the future." in built.log


def test_without_a_repository_or_git_every_date_is_absent_and_the_build_goes_on(project: Project) -> None:
    project.config()
    project.pages("index.md", "a.md")
    assert project.build("--strict").code == 1, "as in a shallow clone"
    outside = project.build()
    assert outside.code == 0, outside.log
    assert outside.pages == outside.flat == {BASE: None, f"{BASE}a/": None}
    assert "outside any git repository" in outside.log
    project.commit(FIRST)
    without = project.build(PATH=str(project.root / "nothing"))
    assert (without.code, without.pages) == (0, outside.pages)
    assert "git is not installed" in without.log


def test_a_shallow_clone_fails_a_strict_build_but_that_of_a_pull_request(project: Project) -> None:
    project.small("sitemap-index: {undated: !ENV [UNDATED, warn]}")
    project.git("clone", "-q", "--depth=1", f"file://{project.root}", "clone")
    clone = Project(project.root / "clone")
    clone.write("docs/guide/b.md", "# Changed again\n")
    clone.commit(THIRD)
    built = clone.build("--strict", **DEPLOYED)
    assert built.code == 1
    assert "WARNING -  sitemap-index: 2 of 3 pages: no reliable date was found" in built.log
    assert "2 older than this shallow clone reaches" in built.log
    assert "git fetch --unshallow" in built.log
    assert "`undated: ignore`" in built.log
    for environment in (
        {"READTHEDOCS": "True", "READTHEDOCS_VERSION_TYPE": "external"},
        {"GITHUB_ACTIONS": "true", "GITHUB_EVENT_NAME": "pull_request", "GITHUB_REF": "refs/pull/1/merge"},
        {"UNDATED": "ignore"},
    ):
        built = clone.build("--strict", **DEPLOYED | environment)
        assert built.code == 0, built.log
        assert built.pages == {**dict.fromkeys(SMALL), f"{BASE}guide/b/": THIRD}
        assert "INFO    -  sitemap-index: 2 of 3 pages: no reliable date was found" in built.log
        assert ("builds a pull request here, which is never deployed" in built.log) == ("UNDATED" not in environment)


def test_what_pages_say_of_themselves_decides_and_the_flat_sitemap_follows(project: Project) -> None:
    project.config(
        "sitemap-index: {exclude: ['internal/', '/guide/h*/']}",
        theme=CUSTOM,
        draft_docs="'drafts/'",
        exclude_docs="'secret.md'",
        not_in_nav="'internal/'",
        hooks="[hooks.py]",
    )
    project.write("theme/main.html", HEAD)
    project.write(
        "hooks.py",
        "def on_post_page(output, page, config):\n"
        f"    output = output.replace('{BASE}moved/', '{BASE}guide/a/') if page.url == 'moved/' else output\n"
        "    return '' if page.url == 'empty/' else output\n",
    )
    project.pages("index.md", "guide/a.md", "drafts/b.md", "secret.md", "internal/c.md", "guide/hidden.md")
    project.pages("empty.md", "404.md", "moved.md")
    project.write("docs/noindex.md", page('<meta name="robots" content="noindex">'))
    project.write("docs/refresh.md", page('<meta http-equiv="refresh" content="0; url=../guide/a/">'))
    project.write("docs/body.md", page("", '<p><meta http-equiv="refresh" content="0; url=/docs/guide/a/"></p>'))
    project.write("docs/shown.md", page("", 'Write `<meta http-equiv="refresh">` and {% raw %}.'))
    # A copy names two canonical URLs, for the theme names its own: that is a contradiction, and none counts.
    project.write("docs/copy.md", page(f'<link rel="canonical" href="{BASE}guide/a/">'))
    project.write("docs/own.md", page('<meta name="robots" content="index">'))
    project.write("docs/private.md", "---\nprivate: true\n---\n# D\n")
    project.write("docs/kept.md", "---\nsitemap: false\n---\n# C\n")
    project.write("docs/static/good.html", STATIC.format(""))
    project.write("docs/static/noindex.html", STATIC.format("<META NAME=ROBOTS CONTENT=NONE>"))
    project.write("docs/static/moved.html", STATIC.format(f"<link rel=canonical href={BASE}guide/a/>"))
    project.write("docs/static/raw.html", '{% extends "main.html" %}\n{% block content %}text{% endblock %}\n')
    project.write("docs/static/empty.html", "<!-- nothing -->\n")
    project.write("docs/google0123.html", "google-site-verification: google0123.html\n")
    project.write("docs/app/index.html", '<!doctype html><script src="app.js"></script><body><div id="root"></div>')
    project.write("docs/copy.xhtml", "<html><head><title>A</title></head><body>Text</body></html>")
    project.commit(FIRST)
    built = project.build("--strict")
    assert built.code == 0, built.log
    pages = {BASE, *(f"{BASE}{path}/" for path in ("guide/a", "shown", "copy", "own"))}
    copied = {f"{BASE}{path}" for path in ("static/good.html", "app/", "copy.xhtml")}
    assert set(built.pages) == pages | copied
    assert set(built.flat) == pages
    packed = gzip.decompress((built.directory / "sitemap.xml.gz").read_bytes())
    assert packed == (built.directory / "sitemap.xml").read_bytes()
    summary = built.log.partition("; left out: ")[2].partition(";")[0]
    assert summary.split(", ") == [
        "1 excluded by `/guide/h*/`",
        "1 excluded by `internal/`",
        "1 excluded by its front matter",
        "2 marked noindex",
        "1 private or noindex in its front matter",
        "2 redirecting elsewhere",
        "2 shown for errors",
        "2 with another canonical URL",
        "1 without a readable file",
        "2 without an HTML document",
        "1 without content",
    ]


def test_where_every_page_is_noindex_nothing_is_listed_in_their_place_and_why_is_told(project: Project) -> None:
    project.config("sitemap-index", theme=CUSTOM)
    project.write("theme/main.html", HEAD)
    project.write("docs/index.md", page('<meta name="robots" content="noindex">'))
    project.write("docs/overrides/main.html", '{% extends "base.html" %}\n{% block extrahead %}{% endblock %}\n')
    project.write("docs/overrides/whole.html", STATIC.format("{% block extrahead %}{% endblock %}"))
    built = project.build("--strict")
    assert built.code == 1
    assert not built.index
    assert built.log.count("[nothing-listed]") == 1
    assert "1 marked noindex" in built.log
    assert "2 without an HTML document" in built.log


def test_a_page_whose_front_matter_alone_says_noindex_is_named_until_the_theme_says_so_as_the_manual_has_it(
    project: Project,
) -> None:
    for name, said in {"a": "noindex: true", "b": "noindex: yes", "c": "sitemap: false", "d": "private: true"}.items():
        project.write(f"docs/{name}.md", f"---\n{said}\n---\n# {name}\n")
    project.write("docs/e.md", "---\nrobots: noindex, nofollow\n---\n# E\n")
    project.small()
    built = project.build("--strict")
    assert built.code == 0, built.log
    assert "a.md: its front matter says noindex or private, but its HTML does not" in built.log
    assert "The same is true of 3 other pages." in built.log
    assert built.log.count("[noindex-not-rendered]") == 1
    manual = (ROOT / "sample_sites/mkdocs/docs/manual/pages.md").read_text()
    project.write("theme/main.html", manual.partition("```jinja\n")[2].partition("```")[0])
    project.config("sitemap-index", theme=CUSTOM)
    built = project.build("--strict")
    assert built.code == 0, built.log
    assert "noindex-not-rendered" not in built.log
    assert '<meta name="robots" content="noindex">' in (built.directory / "b/index.html").read_text()
    assert '<meta name="robots" content="noindex, nofollow">' in (built.directory / "e/index.html").read_text()
    assert "noindex" not in (built.directory / "c/index.html").read_text()
    assert "noindex" not in (built.directory / "404.html").read_text()


def test_front_matter_that_mkdocs_shows_as_text_is_told_and_what_it_says_of_the_page_counts(project: Project) -> None:
    project.config()
    project.pages("index.md")
    project.write("docs/a.md", "---\nlastmod: 2024-13-01\nnoindex: true\n---\n# A\n\ntext\n")
    project.write("docs/b.md", "---\ntitle: a: b\n---\n# B\n\ntext\n")
    project.write("docs/line.md", "---\nOnly text between two lines.\n---\n\ntext\n")
    built = project.build()
    assert "a.md: its front matter cannot be used: MkDocs cannot read it, and shows it as text." in built.log
    assert "b.md: its front matter cannot be used: it is not valid YAML (" in built.log
    assert "line.md: " not in built.log
    assert sorted(built.pages) == [BASE, f"{BASE}b/", f"{BASE}line/"]


def test_a_canonical_url_that_a_plugin_moved_is_reported_or_listed_where_its_robots_txt_agrees(
    project: Project,
) -> None:
    project.small("sitemap-index: {cross_site: {'https://other.example': 'robots/'}}", hooks="[hooks.py]")
    project.pages("de/a.md", "de/b.md")
    project.write(
        "hooks.py",
        "MOVED = {'guide/a.md': 'https://example.org/docs/a/'}\n"
        "def on_pre_page(page, config, files):\n"
        "    there = page.canonical_url.replace(config.site_url + 'de/', 'https://other.example/')\n"
        "    page.canonical_url = MOVED.get(page.file.src_uri, there)\n"
        "    return page\n",
    )
    project.write("robots/robots.txt", "Sitemap: https://other.example/sitemap.xml\n")
    configuration = str(project.root / "mkdocs.yml")
    refused = project.build("-f", configuration)
    assert f"{BASE}guide/a/, but its canonical URL is {BASE}a/, outside {BASE}guide/" in refused.log
    assert f"Add this line to https://other.example/robots.txt: `Sitemap: {BASE}sitemap_index.xml`" in refused.log
    assert list(refused.pages) == [BASE, f"{BASE}guide/b/"]
    project.write("robots/robots.txt", f"Sitemap: {BASE}sitemap_index.xml\n")
    agreed = project.build("-f", configuration)
    assert agreed.files == ["sitemap-other.example.xml", "sitemap-root.xml"]
    assert set(agreed.pages) == {BASE, f"{BASE}guide/b/", "https://other.example/a/", "https://other.example/b/"}


def test_two_sources_of_one_page_are_named_and_it_is_listed_once(project: Project) -> None:
    project.config("sitemap-index")
    project.pages("index.md", "guide/a.md", "guide/b.md", "guide/b/index.md")
    project.write("docs/guide/a/index.html", "<!doctype html><html><head></head><body><p>text</body></html>")
    project.commit(FIRST)
    built = project.build("--strict")
    assert built.code == 0, built.log
    assert built.flat.keys() == built.pages.keys() == {BASE, f"{BASE}guide/a/", f"{BASE}guide/b/"}
    assert "guide/a/index.html: guide/a.md is written to the same file" in built.log
    shown = "guide/b/index.md" if "guide/b/index.md" in (built.directory / "guide/b/index.html").read_text() else ""
    other = "guide/b.md" if shown else "guide/b/index.md"
    assert f"{other}: {shown or 'guide/b.md'} is written to the same file" in built.log
    assert "left out: 2 at the URL of another page" in built.log


# As mkdocs-static-i18n did before version 1.0: each language is rendered into its directory when the build has ended.
LANGUAGES = """\
import os

def on_post_page(output, page, config):
    links = "".join(
        f'<link rel="alternate" hreflang="{code}" href="{config.site_url}{code}/{page.url}">' for code in ("en", "ja")
    )
    return output.replace("</head>", links + "</head>")

def on_post_build(config):
    for code in ("en", "ja"):
        for page in ("", "a/", "b/"):
            os.makedirs(f"{config.site_dir}/{code}/{page}", exist_ok=True)
            with open(f"{config.site_dir}/{code}/{page}index.html", "w") as file:
                file.write("<!doctype html><html><title>A</title><p>Text")
"""


def test_languages_that_are_rendered_outside_the_events_are_named_once_and_no_variant_is_missing(
    project: Project,
) -> None:
    project.config("sitemap-index", hooks="[languages.py]")
    project.write("languages.py", LANGUAGES)
    project.pages("index.md", "a.md", "b.md")
    project.commit(FIRST)
    built = project.build("--strict")
    assert built.code == 0, built.log
    assert set(built.pages) == {BASE, f"{BASE}a/", f"{BASE}b/"}
    assert "6 in the output and of no page" in built.log
    assert built.log.count("[stray-pages]") == 1
    assert "en/ (3), ja/ (3), for example en/index.html." in built.log
    assert "[missing-variant]" not in built.log


def test_images_and_mutual_variants_are_listed_and_the_flat_sitemap_knows_none(project: Project) -> None:
    project.write("theme/main.html", HEAD)
    english, german = f"{BASE}guide/a/", f"{BASE}guide/b/"
    links = "".join(
        f'<link rel="alternate" hreflang="{code}" href="{url}">' for code, url in (("en", english), ("de", german))
    )
    project.small("sitemap-index: {images: true}", theme=CUSTOM)
    project.write("docs/guide/a.md", page(links, "![a](a.png) ![b](https://cdn.example/b.png?x&y)"))
    project.write("docs/guide/b.md", f"---\nhead: '{links}'\nsitemap: {{images: false}}\n---\n# B\n\n![a](a.png)\n")
    project.write("docs/index.md", "---\nsitemap: {images: [/logo.svg]}\n---\n# Index\n\n![a](guide/a.png)\n")
    project.write("docs/alone.md", page(f'<link rel="alternate" hreflang="de" href="{german}">'))
    project.write("docs/guide/a.png", "no real one")
    built = project.build()
    found = {
        url: (
            [str(loc.text) for loc in entry.iter(f"{IMAGE}loc")],
            {str(link.get("hreflang")): str(link.get("href")) for link in entry.iter(f"{XHTML}link")},
        )
        for url, entry in entries(built).items()
    }
    both = {"en": english, "de": german}
    assert found == {
        BASE: (["https://example.org/logo.svg"], {}),
        f"{BASE}alone/": ([], {}),
        english: ([f"{BASE}guide/a.png", "https://cdn.example/b.png?x&y"], both),
        german: ([], both),
    }
    assert f"{BASE}alone/" in built.log
    flat = (built.directory / "sitemap.xml").read_text()
    assert "image" not in flat
    assert "xhtml" not in flat + (built.directory / "sitemap-root.xml").read_text()
    assert set(built.flat) == set(built.pages)
