"""Real MkDocs builds: which pages are listed, where, and with which dates."""

from lxml import html

from tests.support.planted import write
from tests.support.project import BASE, FIRST, ROOT, THIRD, Project

HEAD = (
    '{% extends "base.html" %}\n{% block extrahead %}{{ super() }}{{ page.meta.head }}{% endblock'
    " %}\n"
)
CUSTOM = "{name: mkdocs, custom_dir: theme}"
STATIC = "<!doctype html>\n<html><head><title>a</title>{}</head><body><p>text</p></body></html>\n"


def page(head: str, text: str = "text") -> str:
    return f"---\nhead: '{head}'\n---\n# Page\n\n{text}\n"


def test_dates_come_from_authors_and_from_git_or_are_absent(project: Project) -> None:
    project.small()
    project.write("docs/index.md", "---\nupdated: yesterday\n---\n# Home\n")
    project.write("docs/guide/a.md", "---\nlastmod: 2023-05-06\n---\n# A\n")
    project.write("docs/guide/b.md", "---\nlastmod: 2999-01-01\n---\n# B\n")
    project.commit(THIRD)
    project.write("docs/new.md", "# Not committed\n")
    built = project.build()
    assert built.code == 0, built.log
    assert built.pages == {
        BASE: THIRD,
        f"{BASE}guide/a/": "2023-05-06",
        f"{BASE}guide/b/": THIRD,
        f"{BASE}new/": None,
    }
    assert built.flat == {url: lastmod and lastmod[:10] for url, lastmod in built.pages.items()}
    for message in (
        "; 1 without a date (",
        (
            "1 of 4 pages: no reliable date was found, so <lastmod> is omitted: 1 not committed to"
            " git."
        ),
        "index.md: its front matter sets updated: 'yesterday', which is not a date.",
        "guide/b.md: its front matter sets its date to 2999-01-01, which is in the future.",
    ):
        assert message in built.log


def test_without_a_repository_or_git_every_date_is_absent_and_the_build_goes_on(
    project: Project,
) -> None:
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


def test_what_pages_say_of_themselves_decides_and_the_flat_sitemap_follows(
    project: Project,
) -> None:
    project.config(
        "sitemap-index: {exclude: ['internal/', '/guide/h*/']}",
        theme=CUSTOM,
        draft_docs="'drafts/'",
        exclude_docs="'secret.md'",
        not_in_nav="'internal/'",
        hooks="[hooks.py]",
    )
    project.pages(
        "index.md", "guide/a.md", "drafts/b.md", "secret.md", "internal/c.md", "guide/hidden.md"
    )
    project.pages("empty.md", "404.md", "moved.md")
    hooks = (
        f"def on_post_page(output, page, config):\n    output = output.replace('{BASE}moved/',"
        f" '{BASE}guide/a/') if page.url == 'moved/' else output\n    return '' if page.url =="
        " 'empty/' else output\n"
    )
    sources = {
        "noindex.md": page('<meta name="robots" content="noindex">'),
        "refresh.md": page('<meta http-equiv="refresh" content="0; url=../guide/a/">'),
        "body.md": page("", '<p><meta http-equiv="refresh" content="0; url=/docs/guide/a/"></p>'),
        "shown.md": page("", 'Write `<meta http-equiv="refresh">` and {% raw %}.'),
        # A copy names two canonical URLs, for the theme names its own: that is a contradiction, and
        # none counts.
        "copy.md": page(f'<link rel="canonical" href="{BASE}guide/a/">'),
        "own.md": page('<meta name="robots" content="index">'),
        "private.md": "---\nprivate: true\n---\n# D\n",
        "kept.md": "---\nsitemap: false\n---\n# C\n",
        "static/good.html": STATIC.format(""),
        "static/noindex.html": STATIC.format("<META NAME=ROBOTS CONTENT=NONE>"),
        "static/moved.html": STATIC.format(f"<link rel=canonical href={BASE}shown/>"),
        "static/raw.html": '{% extends "main.html" %}\n{% block content %}text{% endblock %}\n',
        "static/empty.html": "<!-- nothing -->\n",
        "google0123.html": "google-site-verification: google0123.html\n",
        "app/index.html": (
            '<!doctype html><script src="app.js"></script><body><div id="root"></div>'
        ),
        "copy.xhtml": "<html><head><title>A</title></head><body>Text</body></html>",
    }
    write(project.root / "docs", sources)
    write(project.root, {"hooks.py": hooks, "theme/main.html": HEAD})
    project.commit(FIRST)
    built = project.build("--strict")
    assert built.code == 0, built.log
    pages = {BASE + path for path in ("", "guide/a/", "shown/", "copy/", "own/")}
    assert set(built.flat) == pages
    assert set(built.pages) == pages | {
        BASE + path for path in ("static/good.html", "app/", "copy.xhtml")
    }
    summary = built.log.partition("; omitted: ")[2].partition(";")[0]
    assert summary.split(", ") == [
        "2 error pages",
        "1 excluded by `/guide/h*/`",
        "1 excluded by `internal/`",
        "1 excluded by its front matter",
        "2 marked noindex",
        "1 private or noindex in its front matter",
        "2 redirecting elsewhere",
        "2 with another canonical URL",
        "1 without a readable file",
        "2 without an HTML document",
        "1 without content",
    ]


def test_a_page_whose_front_matter_alone_says_noindex_is_named_until_the_theme_says_so_as_the_manual_has_it(
    project: Project,
) -> None:
    for name, said in {
        "a": "noindex: true",
        "b": "robots: noindex, nofollow",
        "c": "sitemap: false",
    }.items():
        project.write(f"docs/{name}.md", f"---\n{said}\n---\n# {name}\n")
    project.small()
    built = project.build("--strict")
    assert built.code == 0, built.log
    assert "a.md: its front matter marks it noindex or private, but its HTML doesn't" in built.log
    assert "The same applies to 1 other page." in built.log
    assert built.log.count("[noindex-not-rendered]") == 1
    manual = (ROOT / "sample_sites/mkdocs/docs/guide/pages.md").read_text()
    project.write("theme/main.html", manual.partition("```jinja\n")[2].partition("```")[0])
    project.config("sitemap-index", theme=CUSTOM)
    built = project.build("--strict")
    assert built.code == 0, built.log
    assert "noindex-not-rendered" not in built.log
    pages = [html.parse(built.directory / name / "index.html") for name in "abc"]
    robots = [page.xpath("//meta[@name='robots']/@content") for page in pages]
    assert robots == [["noindex"], ["noindex, nofollow"], []]


def test_front_matter_that_mkdocs_shows_as_text_is_told_and_what_it_says_of_the_page_counts(
    project: Project,
) -> None:
    project.config()
    project.pages("index.md")
    project.write("docs/a.md", "---\nlastmod: 2024-13-01\nnoindex: true\n---\n# A\n\ntext\n")
    project.write("docs/c.md", "---\ncreated: 2024-13-01\n---\n# A\n\ntext\n")
    project.write("docs/b.md", "---\ntitle: a: b\n---\n# B\n\ntext\n")
    project.write("docs/line.md", "---\nOnly text between two lines.\n---\n\ntext\n")
    built = project.build()
    assert (
        "a.md: its front matter sets lastmod: '2024-13-01', which is not a date; MkDocs can't read"
        " it, and shows it as text."
    ) in built.log
    assert (
        "c.md: its front matter can't be used: MkDocs can't read it, and shows it as text."
        in built.log
    )
    assert built.log.count("[invalid-front-matter]") == 3
    assert (
        "b.md: its front matter can't be used: it is not valid YAML at line 2, column 9: "
        in built.log
    )
    assert "line.md: " not in built.log
    assert sorted(built.pages) == [BASE, f"{BASE}b/", f"{BASE}c/", f"{BASE}line/"]


def test_a_page_is_where_a_plugin_moved_its_canonical_url_if_that_is_in_scope_or_its_robots_txt_agrees(
    project: Project,
) -> None:
    project.small(
        "sitemap-index: {cross_site: {'https://other.example': 'robots/'}}", hooks="[hooks.py]"
    )
    project.pages("de/a.md")
    project.write(
        "hooks.py",
        "MOVED = {'guide/a.md': 'https://example.org/docs/a/', 'de/a.md':"
        " 'https://other.example/a/'}\ndef on_pre_page(page, config, files):\n   "
        " page.canonical_url = MOVED.get(page.file.src_uri, page.canonical_url)\n    return page\n",
    )
    project.write("robots/robots.txt", f"Sitemap: {BASE}sitemap_index.xml\n")
    built = project.build()
    assert f"{BASE}guide/a/, but its canonical URL is {BASE}a/, outside {BASE}guide/" in built.log
    assert set(built.pages) == {BASE, f"{BASE}guide/b/", "https://other.example/a/"}


def test_two_sources_of_one_page_are_named_and_it_is_listed_once(project: Project) -> None:
    project.config("sitemap-index")
    project.pages("index.md", "guide/a.md", "guide/b.md", "guide/b/index.md")
    project.write(
        "docs/guide/a/index.html", "<!doctype html><html><head></head><body><p>text</body></html>"
    )
    project.commit(FIRST)
    built = project.build("--strict")
    assert built.code == 0, built.log
    assert built.flat.keys() == built.pages.keys() == {BASE, f"{BASE}guide/a/", f"{BASE}guide/b/"}
    assert "guide/a/index.html: guide/a.md overwrites its file" in built.log
    shown = (
        "guide/b/index.md"
        if "guide/b/index.md" in (built.directory / "guide/b/index.html").read_text()
        else ""
    )
    other = "guide/b.md" if shown else "guide/b/index.md"
    assert f"{other}: {shown or 'guide/b.md'} overwrites its file" in built.log
    assert "omitted: 1 error page, 2 at the URL of another page" in built.log


# As mkdocs-static-i18n did before version 1.0: each language is rendered into its directory when
# the build has ended.
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
    assert "6 not produced by any page" in built.log
    assert built.log.count("[stray-pages]") == 1
    assert "3 in en/, 3 in ja/, for example en/index.html." in built.log
    assert "[missing-variant]" not in built.log
