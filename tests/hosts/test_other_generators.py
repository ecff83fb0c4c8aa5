"""Real builds of generators that run no plugin of ours, each followed by `smindex build`, as in a
shell.
"""

import json
import os
import re
import subprocess
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.support.command import findings
from tests.support.history import ISOLATED, Repo
from tests.support.listed import listed, read_pages
from tests.support.project import Project, copy_sample

MANUAL = Path(__file__).parents[2] / "sample_sites/mkdocs/docs/start/any-generator.md"
FIRST, SECOND, THIRD = "2020-09-14T12:26:40Z", "2020-09-15T12:26:40Z", "2020-09-16T12:26:40Z"


def shell(command: str, directory: Path) -> str:
    """Run a line in a shell, and give what it prints."""
    environment = {
        **os.environ,
        **ISOLATED,
        "PYTHONWARNINGS": "ignore",
        "NO_COLOR": "1",
    }
    done = subprocess.run(
        ["bash", "-c", command],
        cwd=directory,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "Traceback" not in done.stderr
    return done.stdout


def without_seconds(text: str) -> str:
    """Take out how long it took."""
    return re.sub(r"\d+\.\d+ s", "SECONDS", text).partition("site: ")[2]


@pytest.fixture
def zensical(repo: Repo) -> Repo:
    """Give a Zensical project whose pages were committed on days of their own."""
    config = '[project]\nsite_name = "Z"\nsite_url = "https://e.org/docs/"\n'
    repo.commit(1, {"zensical.toml": config, "docs/index.md": "# Z\n", ".gitignore": "/site\n"})
    repo.commit(
        2,
        {
            "docs/guide/index.md": "# Guide\n",
            "docs/guide/install.md": "# Install\n",
            "docs/about.md": "# A\n",
        },
    )
    repo.commit(
        3,
        {
            "docs/guide/install.md": "# Install\n\nMore\n",
            "docs/old.md": "---\nlastmod: 2020-01-02\n---\n# O\n",
        },
    )
    return repo


def test_zensical(zensical: Repo, capsys: pytest.CaptureFixture[str]) -> None:
    """As the manual has it."""
    page = MANUAL.read_text(encoding="utf-8")
    (line,) = re.findall("^zensical build .*$", page, re.MULTILINE)
    printed = shell(line, zensical.path)
    (shown,) = re.findall(r"```text\n[^`]*?(site: [^\n]*zensical.*?)```", page, re.DOTALL)
    assert without_seconds(printed) == without_seconds(
        shown.replace("https://example.org/", "https://e.org/")
    )
    assert listed(zensical / "site") == {
        "guide/": SECOND,
        "guide/install/": THIRD,
        "": FIRST,
        "about/": SECOND,
        "old/": "2020-01-02",
    }
    assert findings(capsys, str(zensical / "site"), "--dates", code=0) == []


SHOWING = """\
[project]
site_name = "Z"
site_url = "https://e.org/docs/"
[project.markdown_extensions.pymdownx.snippets]
base_path = ["parts"]
[project.markdown_extensions.zensical.extensions.macros]
include_yaml = ["data.yml"]
[project.plugins.mkdocstrings.handlers.python]
paths = ["src"]
"""


def test_pages_of_zensical_have_the_dates_of_what_they_show(repo: Repo) -> None:
    def shown(what: str) -> dict[str, str | None]:
        return {
            "parts/part.md": what,
            "data.yml": f"price: {what}\n",
            "src/core.py": f'"""Text {what}."""\n',
        }

    pages = {
        "index": "Text",
        "snippet": '--8<-- "part.md"',
        "data": "{{ price }}",
        "module": "::: core",
    }
    sources: dict[str, str | None] = {
        f"docs/{name}.md": f"# A\n\n{text}\n" for name, text in pages.items()
    }
    repo.commit(
        1, {"zensical.toml": SHOWING, ".gitignore": "/site\n", **sources, **shown("before")}
    )
    repo.commit(2, shown("after"))
    shell("zensical build && smindex build", repo.path)
    for name in ("snippet", "data", "module"):
        assert "after" in (repo / f"site/{name}/index.html").read_text(encoding="utf-8"), name
    assert listed(repo / "site") == {
        "": FIRST,
        "snippet/": SECOND,
        "data/": SECOND,
        "module/": SECOND,
    }


def test_zensical_removes_the_sitemaps_and_the_command_writes_the_same_ones_again(
    zensical: Repo,
) -> None:
    def ours() -> dict[str, bytes]:
        site = zensical / "site"
        files = [path for path in site.rglob("*sitemap*.xml") if path != site / "sitemap.xml"]
        return {str(path.relative_to(site)): path.read_bytes() for path in files}

    shell("zensical build && smindex build", zensical.path)
    flat = (zensical / "site/sitemap.xml").read_bytes()
    before = ours()
    assert set(before) == {"sitemap_index.xml", "sitemap-root.xml", "guide/sitemap.xml"}
    shell("zensical build --clean", zensical.path)
    assert ours() == {}
    shell("smindex build", zensical.path)
    assert ours() == before
    assert "unchanged: 3 files" in shell("smindex build -v", zensical.path)
    # which its instant navigation reads
    assert (zensical / "site/sitemap.xml").read_bytes() == flat


def test_zensical_with_the_configuration_of_mkdocs(
    repo: Repo, capsys: pytest.CaptureFixture[str]
) -> None:
    config = (
        "site_name: Z\nsite_url: !ENV [NO_SUCH_URL, 'https://e.org/docs/']\nuse_directory_urls:"
        " false\n"
    )
    repo.commit(
        1,
        {
            "mkdocs.yml": config,
            "docs/index.md": "# Z\n",
            "docs/guide/README.md": "# G\n",
            "docs/a.md": "# A",
        },
    )
    shell("zensical build && smindex build", repo.path)
    assert listed(repo / "site") == dict.fromkeys(
        ["guide/index.html", "a.html", "index.html"], FIRST
    )
    assert findings(capsys, str(repo / "site"), code=0) == []


CONF = 'project = "S"\nhtml_baseurl = "https://e.org/docs/"\nhtml_theme = "alabaster"\n'
RST = "{0}\n{1}\n\nText\n"


def rst(title: str) -> str:
    return RST.format(title, "=" * len(title))


@pytest.mark.parametrize(
    ("source", "command", "suffix"),
    [
        ("", "sphinx-build -q -b dirhtml . _build/dirhtml", "/"),
        ("source/", "sphinx-build -q source build/html", ".html"),
    ],
)
def test_sphinx(
    repo: Repo, capsys: pytest.CaptureFixture[str], source: str, command: str, suffix: str
) -> None:
    tree = "\n.. toctree::\n\n   guide/install\n   about\n"
    repo.commit(
        1,
        {
            f"{source}conf.py": CONF,
            f"{source}index.rst": rst("Home") + tree,
            f"{source}about.rst": rst("A"),
        },
    )
    repo.commit(2, {f"{source}guide/install.rst": rst("Install"), ".gitignore": "build\n_build\n"})
    printed = shell(f"{command} && smindex build -v", repo.path)
    site = repo / command.rpartition(" ")[2]
    root = "" if suffix == "/" else "index.html"
    assert listed(site) == {
        root: FIRST,
        f"about{suffix}": FIRST,
        f"guide/install{suffix}": SECOND,
    }
    assert (
        "is in no sitemap, because it is made by the theme, a plugin or the generator itself"
        in printed
    )
    assert findings(capsys, str(site), "--dates", code=0) == []


def test_hugo(repo: Repo, capsys: pytest.CaptureFixture[str]) -> None:
    page = (
        "<!doctype html><html><head><title>{{.Title}}</title></head><body>{{.Title}}"
        " {{.Content}}</body></html>"
    )
    files: dict[str, str | None] = {
        "hugo.toml": "baseURL = 'https://e.org/docs/'\ntitle = 'H'\n[pagination]\npagerSize = 1\n",
        "layouts/_default/single.html": page,
        "layouts/_default/list.html": (
            page + "{{ range (.Paginate .RegularPages).Pages }}{{ .Title }}{{ end }}"
        ),
        "layouts/404.html": page,
        "content/_index.md": "---\ntitle: Home\n---\n",
        "content/posts/_index.md": "---\ntitle: Posts\n---\n",
        "content/posts/a.md": (
            "---\ntitle: A\naliases: [/old/]\ntags: [x]\nsitemap: {priority: 0.5}\n---\nText\n"
        ),
        ".gitignore": "/public\n",
    }
    repo.commit(1, files)
    repo.commit(
        2, {"content/posts/b/index.md": "+++\ntitle = 'B'\nlastmod = 2020-01-02\n+++\nText\n"}
    )
    repo.commit(3, {"content/about.md": "---\ntitle: About\nsitemap: {disable: true}\n---\nText\n"})
    printed = shell("hugo --quiet && smindex build -v --set pagination=false", repo.path)
    assert listed(repo / "public") == {
        "posts/": FIRST,
        "posts/a/": FIRST,
        "posts/b/": "2020-01-02",
        "": THIRD,
        "categories/": None,
        "tags/": None,
        "tags/x/": None,
    }
    for line in (
        (
            "old/index.html is in no sitemap, because it is redirecting elsewhere"
            " (https://e.org/docs/posts/a/)."
        ),
        (
            "posts/page/1/index.html is in no sitemap, because it is redirecting elsewhere"
            " (https://e.org/docs/posts/)."
        ),
        (
            "posts/page/2/index.html is in no sitemap, "
            "because it is a pagination page (`pagination: false`)."
        ),
        "404.html is in no sitemap, because it is an error page.",
        (
            "content/about.md is in no sitemap, because it is excluded by its front matter"
            " (`sitemap: {disable: true}`)."
        ),
    ):
        assert f"\n{line}\n" in printed
    assert findings(capsys, str(repo / "public"), code=0) == [], (
        "a flag left out a page, and the record says so"
    )


def test_hugo_in_two_languages(repo: Repo, capsys: pytest.CaptureFixture[str]) -> None:
    link = '<link rel="alternate" hreflang="{{ .Language.Lang }}" href="{{ .Permalink }}">'
    page = (
        f"<!doctype html><title>{{{{.Title}}}}</title>{{{{ range .AllTranslations }}}}{link}{{{{"
        " end }}<p>Text"
    )
    files: dict[str, str | None] = {
        "hugo.yaml": (
            "baseURL: https://e.org/\nlanguages: {en: {weight: 1}, de: {weight: 2, contentDir:"
            " texts}}\n"
        ),
        "layouts/_default/single.html": page,
        "layouts/_default/list.html": page,
        "content/_index.md": "---\ntitle: Home\n---\n",
        "texts/_index.md": "---\ntitle: Start\n---\n",
        "content/about.md": "---\ntitle: About\n---\n",
    }
    repo.commit(1, files)
    repo.commit(
        2, {"texts/about.md": "---\ntitle: Wir\nslug: wir\n---\n", ".gitignore": "/public\n"}
    )
    built = shell("hugo --quiet && smindex build", repo.path)
    assert "(`sitemap_placement: root`), because another tool wrote de/sitemap.xml" in built
    repo.put("hugo.yaml", f"{files['hugo.yaml']}disableKinds: [sitemap, taxonomy, term]\n")
    shell("rm -r public && hugo --quiet && smindex build --set robots_txt=write", repo.path)
    assert listed(repo / "public", "https://e.org/") == {
        "de/": SECOND,
        "de/wir/": SECOND,
        "": FIRST,
        "about/": FIRST,
    }
    german = (repo / "public/de/sitemap.xml").read_text(encoding="utf-8")
    assert german.count('hreflang="en" href="https://e.org/about/"') == 1
    assert findings(capsys, str(repo / "public"), code=0) == []


def test_what_the_plugin_wrote_is_what_the_command_writes(project: Project) -> None:
    """Two hosts over one core can't differ."""
    copy_sample("garden", project)
    built = project.build("--strict")
    printed = shell("smindex build -v", project.root)
    assert f"unchanged: {len(built.ours)} files\n" in printed


def test_pelican(repo: Repo, capsys: pytest.CaptureFixture[str]) -> None:
    article = "Title: {0}\nDate: 2020-01-01\nSlug: {0}\n\nText {0}\n"
    files: dict[str, str | None] = {
        "pelicanconf.py": (
            "PATH = 'content'\nSITEURL = ''\nTIMEZONE = 'UTC'\nFEED_ALL_ATOM = None\nPLUGINS = []\n"
            "CATEGORY_FEED_ATOM = None\n"
        ),
        "publishconf.py": (
            "import os, sys\nsys.path.append(os.curdir)\nfrom pelicanconf import *\n"
            "SITEURL = 'https://e.org/docs'\n"
        ),
        "content/one.md": article.format("one"),
        "content/two.md": article.format("two"),
    }
    repo.commit(1, files)
    shell("pelican -s publishconf.py -q && smindex build", repo.path)
    dates = listed(repo / "output")
    assert dates["one.html"] == dates["two.html"] == FIRST
    assert dates[""] is None
    assert findings(capsys, str(repo / "output"), code=0) == []


class Npm(NamedTuple):
    """A project of a generator from npm."""

    packages: str
    build: str
    output: str
    files: Mapping[str, str | None]
    sources: Mapping[str, str | None]
    """The source of each page by its URL path. None is a page that the generator makes from
    others."""
    own: str = "sitemap.xml"
    """The sitemap that the generator writes."""
    found: tuple[str, ...] = ()
    """What `smindex check` finds."""


ASTRO_PAGE = """---
const { title } = Astro.props;
---
<html lang="en"><head><title>{title}</title><link rel="canonical" href={Astro.url}></head><body><slot /></body></html>
"""
ASTRO_POST = """---
import { getCollection, render } from "astro:content";
import Page from "../../layouts/Page.astro";
export async function getStaticPaths() {
  return (await getCollection("blog")).map((post) => ({ params: { slug: post.id }, props: post }));
}
const { Content } = await render(Astro.props);
---
<Page title={Astro.props.id}><Content /></Page>
"""
ASTRO_CONTENT = """import { defineCollection } from "astro:content";
import { glob } from "astro/loaders";
export const collections = { blog: defineCollection({ loader: glob({ base: "src/content/blog", pattern: "*.md" }) }) };
"""
NPM = {
    "eleventy": Npm(
        "@11ty/eleventy@3",
        "eleventy",
        "_site",
        {
            "eleventy.config.mjs": "export default () => ({ dir: { input: 'content' } });\n",
            "content/content.json": '{"layout": "page.njk"}',
            "content/_includes/page.njk": (
                "<!doctype html><title>{{ page.url }}</title>{{ content | safe }}"
            ),
            "content/sitemap.njk": (
                "---\npermalink: /sitemap.xml\nlayout: false\neleventyExcludeFromCollections:"
                ' true\n---\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">{% for'
                " each in collections.all %}<url><loc>https://e.org{{ each.url }}</loc></url>{%"
                " endfor %}</urlset>"
            ),
        },
        {
            "": "content/index.md",
            "about/": "content/about.md",
            "blog/first/": "content/blog/first/first.md",
        },
    ),
    "astro": Npm(
        "astro@5 @astrojs/sitemap@3",
        "astro build",
        "dist",
        {
            "astro.config.mjs": (
                "import sitemap from '@astrojs/sitemap';\n"
                "export default { site: 'https://e.org', integrations: [sitemap()] };\n"
            ),
            "src/layouts/Page.astro": ASTRO_PAGE,
            "src/pages/blog/[...slug].astro": ASTRO_POST,
            "src/pages/404.md": "---\nlayout: ../layouts/Page.astro\n---\nNot found\n",
            "src/content.config.ts": ASTRO_CONTENT,
        },
        {
            "": "src/pages/index.md",
            "about/": "src/pages/about.md",
            "blog/first/": "src/content/blog/First.md",
        },
        own="sitemap-0.xml",
        found=("redundant-sitemap",),
    ),
    "vitepress": Npm(
        "vitepress@1",
        "vitepress build",
        ".vitepress/dist",
        {
            ".vitepress/config.mjs": (
                "export default { cleanUrls: true, sitemap: { hostname: 'https://e.org' },\n "
                " rewrites: { 'packages/:name/README.md': 'blog/:name.md' },\n  themeConfig: {"
                " editLink: { pattern: 'https://git.example.org/me/docs/edit/main/:path' } } };\n"
            ),
        },
        {"": "index.md", "about": "about.md", "blog/first": "packages/first/README.md"},
    ),
    "docusaurus": Npm(
        "@docusaurus/core@3 @docusaurus/preset-classic@3 react@18 react-dom@18",
        "docusaurus build",
        "build",
        {
            "docusaurus.config.js": (
                "export default { title: 'D', url: 'https://e.org', baseUrl: '/',\n"
                "  presets: [['classic', {}]] };\n"
            ),
        },
        {
            "": "src/pages/index.md",
            "about": "src/pages/about.md",
            "docs/guide": "docs/guide.md",
            "blog/2026/01/02/first": "blog/2026-01-02-first.md",
            "blog": None,
            "blog/archive": None,
        },
    ),
}


@pytest.mark.apart
@pytest.mark.parametrize("name", NPM)
def test_npm(repo: Repo, capsys: pytest.CaptureFixture[str], name: str) -> None:
    """As the manual has it, with `smindex build` after each build."""
    generator = NPM[name]
    package = {"scripts": {"build": generator.build, "postbuild": "smindex build"}}
    repo.commit(
        0, {**generator.files, "package.json": json.dumps(package), ".gitignore": "node_modules\n"}
    )
    sources = [source for source in generator.sources.values() if source]
    for number, source in enumerate(sources, 1):
        links = [f"[{path}](/{path})" for path in generator.sources if path]
        text = f"# {number}\n\n{' '.join(links) if number == 1 else 'Text'}\n"
        head = (
            "---\nlayout: ../layouts/Page.astro\n---\n"
            if "/pages/" in source and name == "astro"
            else ""
        )
        repo.commit(number, {source: head + text})
    shell(
        f"npm install --no-save --no-audit --no-fund --silent {generator.packages} && npm run"
        " build",
        repo.path,
    )
    site = repo / generator.output
    seconds = {
        source: int(repo.git("log", "-1", "--format=%ct", "--", source)) for source in sources
    }
    dates = {
        source: f"{datetime.fromtimestamp(each, UTC):%FT%TZ}" for source, each in seconds.items()
    }
    assert listed(site, "https://e.org/") == {
        path: source and dates[source] for path, source in generator.sources.items()
    }
    assert {page.url for page in read_pages((site / generator.own).read_bytes())} == {
        f"https://e.org/{path}" for path in generator.sources
    }
    text = "".join(page.read_text(encoding="utf-8") for page in site.rglob("*.html"))
    targets = {link[1:] for link in re.findall(r'<a [^>]*?href="?(/[^"#.\s>]*)', text)}
    assert {"about"} < {each.rstrip("/") for each in targets}
    assert targets <= {*generator.sources, *(path.rstrip("/") for path in generator.sources)}
    assert [each["check"] for each in findings(capsys, str(site), code=0)] == [*generator.found]
