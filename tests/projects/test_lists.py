"""The dates of pages that list others or show data, as `smindex build` finds them in projects of
each generator.
"""

from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from smindex_plugins.base.dates import utc
from smindex_plugins.cli.main import main
from tests.support.history import Repo, day
from tests.support.listed import listed

BASE = "https://e.org/"
LIST, OLD, NEW, LATER = 1, 2, 5, 9
"""The days on which a list, its posts, and pages that it does not list were committed."""
Dates = Callable[..., dict[str, float | None]]


def page(*links: str, menu: str = "") -> str:
    """Write a rendered page whose main content links to others."""
    entries = "".join(f'<li><a href="{link}">{link}</a></li>' for link in links)
    menu = f'<nav><a href="{menu}">menu</a></nav>' if menu else ""
    main = f"<main><h1>A</h1><p>Text</p><ul>{entries}</ul></main>"
    return f"<!doctype html><title>A</title><body><header>{menu}</header>{main}"


@pytest.fixture
def dates(repo: Repo, monkeypatch: pytest.MonkeyPatch) -> Dates:
    """Commit sources on their days, plant the rendered pages, build, and give the day of each
    listed page.
    """

    def dates(
        sources: Mapping[str, tuple[float, str]],
        output: str,
        pages: Mapping[str, str],
        directory: str = ".",
    ) -> dict[str, float | None]:
        repo.commit(0, {".gitignore": f"{output}/\nnode_modules/\n"})
        for when in sorted({when for when, _ in sources.values()}):
            repo.commit(when, {name: text for name, (on, text) in sources.items() if on == when})
        for name, html in pages.items():
            repo.put(f"{output}/{name}", html)
        monkeypatch.chdir(repo.path / directory)
        assert main(["build", "--site-url", BASE]) == 0
        days: dict[str | None, float | None] = {utc(day(when)): when for when in range(20)}
        return {
            path.removeprefix(BASE): days.get(date)
            for path, date in listed(Path(repo.path, output)).items()
        }

    return dates


POSTS = {"a": OLD, "b": NEW}
"""The days of two posts."""
BLOGS = {
    "Jekyll, site.posts": (
        {
            "_config.yml": (0, ""),
            "index.html": (
                LIST,
                "---\n---\n{% for post in site.posts %}<a>{{ post.title }}</a>{% endfor %}",
            ),
            "_posts/2020-01-01-a.md": (OLD, "---\n---\nText"),
            "_posts/2020-01-02-b.md": (NEW, "---\n---\nText"),
            "about.md": (LATER, "---\n---\nText"),
        },
        "_site",
        "",
    ),
    "Jekyll, a layout of the theme": (
        {
            "_config.yml": (0, ""),
            "index.md": (LIST, "---\nlayout: home\n---\n"),
            "_posts/2020-01-01-a.md": (OLD, "---\n---\nText"),
            "_posts/2020-01-02-b.md": (NEW, "---\n---\nText"),
            "about.md": (LATER, "---\n---\nText"),
        },
        "_site",
        "",
    ),
    "Jekyll, text and a layout of its own": (
        {
            "_config.yml": (0, ""),
            "index.md": (LIST, "---\nlayout: front\n---\nWelcome"),
            "_layouts/front.html": (
                0,
                "{{ content }}{% for post in site.posts %}{{ post.title }}{% endfor %}",
            ),
            "_posts/2020-01-01-a.md": (OLD, "---\n---\nText"),
            "_posts/2020-01-02-b.md": (NEW, "---\n---\nText"),
            "about.md": (LATER, "---\n---\nText"),
        },
        "_site",
        "",
    ),
    "Astro, a collection": (
        {
            "astro.config.mjs": (0, ""),
            "src/pages/index.astro": (
                LIST,
                "---\nconst posts = await getCollection('blog');\n---\n<main/>",
            ),
            "src/content/blog/a.md": (OLD, "Text"),
            "src/content/blog/b.md": (NEW, "Text"),
            "src/pages/about.md": (LATER, "Text"),
        },
        "dist",
        "blog/",
    ),
    "Astro, a component that finds files": (
        {
            "astro.config.mjs": (0, ""),
            "src/pages/index.astro": (
                LIST,
                "---\nimport Posts from '@/components/Posts.astro';\n---\n<Posts/>",
            ),
            "src/components/Posts.astro": (
                0,
                "---\nconst all = import.meta.glob('../content/blog/*.md');\n---\n",
            ),
            "src/content/blog/a.md": (OLD, "Text"),
            "src/content/blog/b.md": (NEW, "Text"),
            "src/pages/about.md": (LATER, "Text"),
        },
        "dist",
        "blog/",
    ),
    "Nuxt, a query": (
        {
            "nuxt.config.ts": (0, ""),
            "pages/index.vue": (
                LIST,
                "const a = await useAsyncData(() => queryCollection('blog').all())",
            ),
            "content/blog/a.md": (OLD, "Text"),
            "content/blog/b.md": (NEW, "Text"),
            "content/about.md": (LATER, "Text"),
        },
        ".output/public",
        "blog/",
    ),
    "VitePress, a component of the theme": (
        {
            ".vitepress/config.ts": (0, ""),
            "index.md": (LIST, "---\nlayout: page\n---\n<Posts :most=10 />\n"),
            "blog/a.md": (OLD, "Text"),
            "blog/b.md": (NEW, "Text"),
            "about.md": (LATER, "Text"),
        },
        ".vitepress/dist",
        "blog/",
    ),
    "Eleventy, a collection": (
        {
            "eleventy.config.js": (0, ""),
            "index.njk": (LIST, "{% for post in collections.posts %}{{ post.url }}{% endfor %}"),
            "blog/a.md": (OLD, "Text"),
            "blog/b.md": (NEW, "Text"),
        },
        "_site",
        "blog/",
    ),
    "Next.js, files read from the disk": (
        {
            "next.config.mjs": (0, ""),
            "app/page.tsx": (
                LIST,
                "import { all } from '@/lib/posts';\nexport default () => all();",
            ),
            "lib/posts.ts": (
                0,
                "import fs from 'fs';\nexport const all = () => fs.readdirSync('posts');",
            ),
            "app/blog/a/page.mdx": (OLD, "Text"),
            "app/blog/b/page.mdx": (NEW, "Text"),
        },
        "out",
        "blog/",
    ),
    "Zensical, a blog": (
        {
            "mkdocs.yml": (0, "plugins: [blog: {blog_dir: ., post_url_format: 'posts/{slug}'}]\n"),
            "docs/index.md": (LIST, "# Blog"),
            "docs/posts/first.md": (OLD, "---\ndate: 2020-01-01\n---\n# A"),
            "docs/posts/second.md": (NEW, "---\ndate: 2020-01-02\n---\n# B"),
            "docs/about.md": (LATER, "Text"),
        },
        "site",
        "posts/",
    ),
    "Hugo, a section and the home page": (
        {
            "hugo.toml": (0, ""),
            "content/_index.md": (LIST, "---\ntitle: A\n---\n"),
            "content/blog/_index.md": (LIST, "---\ntitle: A\n---\n"),
            "content/blog/a.md": (OLD, "Text"),
            "content/blog/b.md": (NEW, "Text"),
        },
        "public",
        "blog/",
    ),
    "Hugo, lists without a file": (
        {
            "hugo.toml": (0, ""),
            "content/blog/a.md": (OLD, "Text"),
            "content/blog/b.md": (NEW, "Text"),
        },
        "public",
        "blog/",
    ),
}


@pytest.mark.parametrize("blog", BLOGS)
def test_a_list_has_the_newest_date_of_the_pages_that_it_lists(dates: Dates, blog: str) -> None:
    sources, output, below = BLOGS[blog]
    pages = {f"{below}{name}/index.html": page("/about/") for name in POSTS}
    if output == "_site" and not below:
        pages = {
            f"2020/01/0{number}/{name}/index.html": page() for number, name in enumerate(POSTS, 1)
        }
    links = [f"/{file.removesuffix('index.html')}" for file in pages]
    if any("about" in name for name in sources):
        pages["about/index.html"] = page("/")
    pages["index.html"] = page(*links, menu="/about/")
    if "Hugo" in blog:
        pages["blog/index.html"] = page(*links)
    found = dates(sources, output, pages)
    assert {path: when for path, when in found.items() if path.endswith(("a/", "b/"))} == {
        links[0][1:]: OLD,
        links[1][1:]: NEW,
    }
    assert found[""] == NEW
    assert found.get("about/", LATER) == LATER
    assert found.get("blog/", NEW) == NEW


TAGGED = {
    "docs/index.md": (NEW, "---\ntags: [a]\n---\n"),
    "docs/a.md": (OLD, "---\ntags: [b]\n---\n"),
}
OTHERS = {"docs/b.md": (LATER, "Text"), "docs/c.md": (LATER, "Text")}
DIRECTIVE = "# Tags\n\n<!-- material/tags -->\n"


@pytest.mark.parametrize(
    ("plugins", "text", "heading", "when"),
    [
        ("[tags]", DIRECTIVE, "tag:", NEW),
        ("[material/tags]", "<!-- material/tags { scope: true } -->", "tag:", NEW),
        ("[tags: {listings_directive: labels}]", "<!-- labels -->", "tag:", NEW),
        ("[tags: {listings_directive: labels}]", DIRECTIVE, "tag:", LIST),
        ("[tags: {tags_slugify_format: 'label-{slug}'}]", DIRECTIVE, "label-", NEW),
        ("[tags: {tags_slugify_format: '{slug}'}]", DIRECTIVE, "", None),
        ("[tags: {tags_file: tags.md}]", "[TAGS]", "tag:", NEW),
        ("[tags: {tags_extra_files: {tags.md: [a]}}]", "# Tags", "tag:", NEW),
        ("[tags]", "[TAGS]", "tag:", LIST),
        ("[tags]", f"```\n{DIRECTIVE}```\n", "tag:", LIST),
        ("[tags: {enabled: false}]", DIRECTIVE, "tag:", LIST),
        ("[tags: {enabled: false}, tags: {}]", DIRECTIVE, "tag:", NEW),
        ("[tags]", DIRECTIVE, "section-", None),
        ("[]", DIRECTIVE, "tag:", LIST),
    ],
)
def test_a_list_of_tags_has_the_newest_date_of_the_pages_below_headings_of_tags(
    dates: Dates, plugins: str, text: str, heading: str, when: float | None
) -> None:
    links = {f"{heading}a": "/", f"{heading}b": "/a/", "more": "/c/"}
    parts = (
        f'<h2 id="{name}">A</h2><ul><li><a href="{link}">A</a></ul>' for name, link in links.items()
    )
    main = f'<main><p><a href="/b/">B</a></p>{"".join(parts)}</main>'
    sources = {
        "mkdocs.yml": (0, f"plugins: {plugins}\n"),
        "docs/tags.md": (LIST, text),
        **TAGGED,
        **OTHERS,
    }
    pages = {f"{name}index.html": page() for name in ("", "a/", "b/", "c/")}
    pages["tags/index.html"] = f"<!doctype html><title>A</title>{main}"
    assert dates(sources, "site", pages)["tags/"] == when


UNKNOWN = {
    "Jekyll, posts without links": (
        {"_config.yml": (0, ""), "index.html": (LIST, "---\n---\n{{ site.posts | size }} posts")},
        "_site",
    ),
    "Jekyll, the contributors on GitHub": (
        {
            "_config.yml": (0, ""),
            "index.md": (
                LIST,
                "---\n---\n{% for each in site.github.contributors %}{{ each.login }}{% endfor %}",
            ),
        },
        "_site",
    ),
    "Eleventy, data that the configuration computes": (
        {
            "eleventy.config.js": (0, ""),
            "index.njk": (LIST, "{% for each in members %}{{ each }}{% endfor %}"),
        },
        "_site",
    ),
    "Astro, a request": (
        {
            "astro.config.mjs": (0, ""),
            "src/pages/index.astro": (LIST, "---\nconst a = await fetch('https://a');\n---\n"),
        },
        "dist",
    ),
    "Nuxt, a request": (
        {
            "nuxt.config.ts": (0, ""),
            "pages/index.vue": (LIST, "const a = await useAsyncData(() => $fetch('/api'))"),
        },
        ".output/public",
    ),
    "Next.js, files": (
        {"next.config.mjs": (0, ""), "app/page.tsx": (LIST, "const a = readFileSync('team.csv');")},
        "out",
    ),
    "VitePress, data": (
        {
            "docs/.vitepress/config.ts": (0, ""),
            "docs/index.md": (
                LIST,
                "<script setup>\nimport { data } from './all.data.ts'\n</script>\n# A",
            ),
            "docs/all.data.ts": (0, "export default createContentLoader('posts/*.md')"),
        },
        "docs/.vitepress/dist",
    ),
    "Zensical, a list of tags": (
        {
            "zensical.toml": (0, "[project]\nplugins = {tags = {}}\n"),
            "docs/index.md": (LIST, "---\ntags: [a]\n---\n<!-- material/tags -->"),
        },
        "site",
    ),
    "MkDocs, documentation from code that another tool imports": (
        {
            "mkdocs.yml": (0, "markdown_extensions: [mkautodoc]"),
            "docs/index.md": (LIST, "# A\n\n::: package\n"),
        },
        "site",
    ),
    "Sphinx, documentation from code in Markdown": (
        {
            "conf.py": (0, "project = 'A'"),
            "index.md": (LIST, "# A\n\n```{automodule} package\n:members:\n```\n"),
        },
        "_build/html",
    ),
    "Sphinx, documentation from code": (
        {"conf.py": (0, "project = 'A'"), "index.rst": (LIST, "A\n=\n\n.. automodule:: package\n")},
        "_build/html",
    ),
}


@pytest.mark.parametrize("project", UNKNOWN)
def test_a_page_that_shows_what_is_not_known_has_no_date(
    dates: Dates, project: str, capsys: pytest.CaptureFixture[str]
) -> None:
    sources, output = UNKNOWN[project]
    assert dates(sources, output, {"index.html": page("https://elsewhere.example/")}) == {"": None}
    assert main(["explain", f"{output}/index.html"]) == 0
    out = capsys.readouterr().out
    assert "it is made from a template that shows other pages or data" in out
    assert 'Add `depends = {"index.html" = ["' in out


KNOWN = {
    "Jekyll, a contact form and constants": (
        {
            "_config.yml": (0, ""),
            "index.html": (LIST, "---\n---\n{{ site.title }} {{ site.github.repository_url }}"),
        },
        "_site",
        LIST,
    ),
    "Jekyll, code that is only shown": (
        {
            "_config.yml": (0, ""),
            "index.md": (LIST, "---\n---\n{% raw %}{{ site.posts }}{% endraw %}"),
        },
        "_site",
        LIST,
    ),
    "Jekyll, a menu that is included": (
        {
            "_config.yml": (0, ""),
            "index.md": (LIST, "---\n---\n{% include header.html %}Text"),
            "_includes/header.html": (
                0,
                "{% for page in site.pages %}{{ page.title }}{% endfor %}",
            ),
        },
        "_site",
        LIST,
    ),
    "Jekyll, a data file": (
        {
            "_config.yml": (0, ""),
            "index.html": (
                LIST,
                "---\n---\n{% for each in site.data.team %}{{ each.name }}{% endfor %}",
            ),
            "_data/team.yml": (NEW, "- name: A\n"),
            "_data/menu.yml": (LATER, "- name: A\n"),
        },
        "_site",
        NEW,
    ),
    "Jekyll, a data file in the directory of the sources": (
        {
            "_config.yml": (0, "source: docs\n"),
            "docs/index.html": (LIST, "---\n---\n{% include team.html %}"),
            "docs/_includes/team.html": (
                0,
                "{% for each in site.data.team %}{{ each.name }}{% endfor %}",
            ),
            "docs/_data/team.yml": (NEW, "- name: A\n"),
        },
        "_site",
        NEW,
    ),
    "Eleventy, front matter": (
        {
            "eleventy.config.js": (0, ""),
            "index.njk": (LIST, "---\nitems: [a]\n---\n{% for i in items %}{{ i }}{% endfor %}"),
        },
        "_site",
        LIST,
    ),
    "Eleventy, a data file": (
        {
            "eleventy.config.js": (0, ""),
            "index.njk": (LIST, "{% for each in team %}{{ each.name }}{% endfor %}"),
            "_data/team.json": (NEW, "[]"),
        },
        "_site",
        NEW,
    ),
    "Astro, a component of its own and a layout with a menu": (
        {
            "astro.config.mjs": (0, ""),
            "src/pages/index.astro": (
                LIST,
                "---\nimport Layout from '../layouts/Layout.astro';\n---\n<Layout/>",
            ),
            "src/layouts/Layout.astro": (
                0,
                "---\nconst posts = await getCollection('blog');\n---\n<slot/>",
            ),
        },
        "dist",
        LIST,
    ),
    "Astro, data": (
        {
            "astro.config.mjs": (0, ""),
            "src/pages/index.astro": (LIST, "---\nimport team from '../data/team.json';\n---\n"),
            "src/data/team.json": (NEW, "[]"),
        },
        "dist",
        NEW,
    ),
    "Astro, images and data that patterns find": (
        {
            "astro.config.mjs": (0, ""),
            "src/pages/index.astro": (
                LIST,
                "---\nimport.meta.glob('../a/*.{png,jpg}');\nimport.meta.glob('../team/*.json');\n---\n",
            ),
            "src/team/a.json": (NEW, "[]"),
        },
        "dist",
        NEW,
    ),
    "Next.js, the constants of the site": (
        {
            "next.config.mjs": (0, ""),
            "app/page.tsx": (
                LIST,
                (
                    "import site from '@/data/siteMetadata';\nimport { version } from"
                    " '../package.json';"
                ),
            ),
            "data/siteMetadata.js": (LATER, "export default {}"),
            "package.json": (LATER, "{}"),
        },
        "out",
        LIST,
    ),
    "Next.js, a form": (
        {
            "next.config.mjs": (0, ""),
            "app/page.tsx": (LIST, "await fetch('/api', {method: 'POST'})"),
        },
        "out",
        LIST,
    ),
    "VitePress, a home page in front matter": (
        {
            ".vitepress/config.ts": (0, ""),
            "index.md": (LIST, "---\nlayout: home\nhero: {actions: [{link: /about/}]}\n---\n"),
            "about.md": (LATER, "Text"),
        },
        ".vitepress/dist",
        LIST,
    ),
    "VitePress, code that is only shown": (
        {
            "docs/.vitepress/config.ts": (0, ""),
            "docs/index.md": (LIST, "```ts\nawait fetch(url)\n```\n`await fetch(url)`"),
        },
        "docs/.vitepress/dist",
        LIST,
    ),
    "Zensical, a list of tags without any": (
        {
            "zensical.toml": (0, "[project]\nplugins = {tags = {}}\n"),
            "docs/index.md": (LIST, "<!-- material/tags -->"),
        },
        "site",
        LIST,
    ),
    "MkDocs, code that is only shown": (
        {"mkdocs.yml": (0, ""), "docs/index.md": (LIST, "# A\n\n```\n::: package\n```\n")},
        "site",
        LIST,
    ),
}


@pytest.mark.parametrize("project", KNOWN)
def test_a_page_that_its_own_files_determine_has_their_date(dates: Dates, project: str) -> None:
    sources, output, when = KNOWN[project]
    assert (
        dates(sources, output, {"index.html": page("/about/"), "about/index.html": page()})[""]
        == when
    )


def test_the_line_that_explain_prints_dates_that_page_alone(
    dates: Dates, repo: Repo, capsys: pytest.CaptureFixture[str]
) -> None:
    sources = {
        "web/_config.yml": (0, ""),
        "web/blog/index.html": (LIST, "---\n---\n{{ site.posts | size }} posts"),
        "web/blog/old.md": (OLD, "---\n---\nText"),
        "web/_posts/2020-01-01-a.md": (NEW, "---\n---\nText"),
    }
    pages = {
        "blog/index.html": page(),
        "blog/old/index.html": page(),
        "2020/01/01/a/index.html": page(),
    }
    found = {"blog/": None, "blog/old/": OLD, "2020/01/01/a/": NEW}
    assert dates(sources, "web/_site", pages, directory="web") == found
    assert main(["explain", "_site/blog/index.html"]) == 0
    line = capsys.readouterr().out.partition("Add `")[2].partition("`")[0]
    assert line == 'depends = {"blog/index.html" = ["web/_posts/*"]}'
    repo.put("web/pyproject.toml", f"[tool.smindex]\n{line}\n")
    assert dates({}, "web/_site", pages, directory="web") == {**found, "blog/": NEW}


def test_the_author_can_name_what_a_template_shows(dates: Dates, repo: Repo) -> None:
    repo.put("pyproject.toml", '[tool.smindex]\ndepends = {"index.html" = ["members/*.txt"]}\n')
    sources = {
        "astro.config.mjs": (0, ""),
        "src/pages/index.astro": (LIST, "---\nconst a = await fetch('https://a');\n---\n"),
        "members/a.txt": (NEW, "A"),
    }
    assert dates(sources, "dist", {"index.html": page()}) == {"": NEW}
