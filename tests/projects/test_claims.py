"""The URLs that sources claim in their front matter, by the rules of each generator."""

import os
from pathlib import Path

import pytest

from smindex_plugins.cli.main import main
from smindex_plugins.projects.find import find_site
from tests.support.command import PAGE
from tests.support.history import Repo
from tests.support.planted import write

REDIRECT = '<!doctype html><title>A</title><meta http-equiv="refresh" content="0; url=/docs/">'
EDIT = (
    '<!doctype html><title>A</title><a class="edit-link"'
    ' href="https://git.example/a/b/edit/main/{}">Edit</a>'
)


@pytest.fixture(autouse=True)
def _no_hugo(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("smindex_plugins.projects._configuration._ask_hugo", lambda *_: "")


def found(
    repo: Repo, output: str, pages: dict[str, str] | list[str], texts: dict[str, str]
) -> dict[str, str]:
    """Build a site, and give the source of each page that has one."""
    repo.commit(1, {".gitignore": f"{output}/\n", **texts})
    write(repo / output, dict(pages) if isinstance(pages, dict) else dict.fromkeys(pages, PAGE))
    files = find_site(str(repo / output)).files()
    return {
        each.path: str(Path(*each.sources).relative_to(repo.path)) for each in files if each.sources
    }


def text(**meta: object) -> str:
    return "".join(("---\n", *(f"{key}: {value}\n" for key, value in meta.items()), "---\nText\n"))


# --- README.md ---


def test_the_page_that_claims_a_url_counts_before_a_readme(repo: Repo) -> None:
    texts = {
        "_config.yml": "",
        "_pages/about.md": text(permalink="/"),
        "README.md": "",
        "docs/README.md": "",
    }
    texts["_pages/docs.md"] = text(permalink="/docs/")
    assert found(repo, "_site", ["index.html", "docs/index.html"], texts) == {
        "index.html": "_pages/about.md",
        "docs/index.html": "_pages/docs.md",
    }


@pytest.mark.parametrize(
    ("files", "is_source"),
    [
        ({"_config.yml": ""}, True),
        ({"_config.yml": "exclude: [README.md]"}, False),
        ({"_config.yml": "exclude: ['*.md']"}, False),
        ({"_config.yml": "exclude: ['*.md']\ninclude: [README.md]"}, True),
        ({"_config.yml": "exclude: README.md"}, False),
        ({"_config.yml": "exclude: [docs]"}, True),
        ({"_config.yml": "readme_index: {enabled: false}"}, False),
        ({"_config.yml": "", "README.md": text(title="A")}, False),
        (
            {"_config.yml": "readme_index: {with_frontmatter: true}", "README.md": text(title="A")},
            True,
        ),
        ({"_config.yml": "", "Gemfile": 'gem "jekyll"'}, False),
        ({"_config.yml": "", "Gemfile": 'gem "github-pages"'}, True),
        ({"_config.yml": "plugins: [jekyll-readme-index]", "Gemfile": 'gem "jekyll"'}, True),
    ],
)
def test_a_readme_is_the_home_page_only_where_jekyll_renders_it(
    repo: Repo, files: dict[str, str], *, is_source: bool
) -> None:
    texts = {"README.md": "# A", **files}
    assert found(repo, "_site", ["index.html"], texts) == (
        {"index.html": "README.md"} if is_source else {}
    )


def test_what_jekyll_copies_is_no_source(repo: Repo) -> None:
    pages = ["index.html", "README.md", "about.html", "about.md", "b.html"]
    assert found(
        repo, "_site", pages, {"_config.yml": "", "README.md": "", "about.md": "", "b.md": ""}
    ) == {"b.html": "b.md"}


def test_what_jekyll_excludes_is_no_source(repo: Repo) -> None:
    texts = {
        "_config.yml": "exclude: [old/, 'x/*.md']",
        "old/a.md": "",
        "x/b.md": "",
        "x/c/d.md": "",
        "e.md": "",
    }
    assert found(repo, "_site", ["old/a.html", "x/b.html", "x/c/d.html", "e.html"], texts) == {
        "e.html": "e.md"
    }


@pytest.mark.parametrize(
    ("file", "output", "place"),
    [
        ("hugo.toml", "public", "content/"),
        ("astro.config.mjs", "dist", "src/content/docs/"),
        ("eleventy.config.js", "_site", "src/"),
        (".vitepress/config.mts", ".vitepress/dist", ""),
        ("pelicanconf.py", "output", ""),
        ("conf.py", "_build/html", ""),
    ],
)
def test_a_readme_is_no_index_for_most_generators(
    repo: Repo, file: str, output: str, place: str
) -> None:
    texts = {file: "project = 'A'" if file == "conf.py" else "", f"{place}guide/README.md": ""}
    assert found(repo, output, ["guide/index.html"], texts) == {}


@pytest.mark.parametrize(
    ("file", "output", "place"),
    [
        ("mkdocs.yml", "site", "docs/"),
        ("book.toml", "book", "src/"),
        ("docusaurus.config.js", "build", ""),
    ],
)
def test_a_readme_is_an_index_for_some_generators(
    repo: Repo, file: str, output: str, place: str
) -> None:
    texts = {file: "", f"{place}guide/README.md": "", "README.md": ""}
    assert found(repo, output, ["guide/index.html"], texts) == {
        "guide/index.html": f"{place}guide/README.md"
    }


# --- Jekyll ---

FOR_POSTS = "{scope: {path: '', type: posts}, values: {permalink: /p/:title/}}"
FOR_SOME = "{scope: {path: _posts/x}, values: {permalink: /q/:title/}}"


def test_a_redirect_from_another_form_of_its_url_takes_no_source_from_a_page(repo: Repo) -> None:
    texts = {"_config.yml": "", "a.md": text(permalink="/about.html", redirect_from="/about/")}
    pages = {"about.html": PAGE, "about/index.html": REDIRECT}
    assert found(repo, "_site", pages, texts) == {"about.html": "a.md"}


@pytest.mark.parametrize(
    "meta", [{"redirect_from": "/old/x/"}, {"redirect_from": "/old/x/", "permalink": "/new/x/"}]
)
def test_a_redirect_takes_no_source_from_a_post(repo: Repo, meta: dict[str, object]) -> None:
    texts = {"_config.yml": "permalink: /elsewhere/:title/", "_posts/2024-01-02-x.md": text(**meta)}
    pages = {"new/x/index.html": PAGE, "old/x/index.html": REDIRECT}
    assert found(repo, "_site", pages, texts) == {"new/x/index.html": "_posts/2024-01-02-x.md"}


@pytest.mark.parametrize(
    ("config", "file", "meta", "page"),
    [
        ("", "a.md", {"permalink": "/b/"}, "b/index.html"),
        ("", "a.md", {"permalink": "/b"}, "b.html"),
        ("", "a.md", {"permalink": "/b.html"}, "b.html"),
        ("", "a.md", {"permalink": "/größe/"}, "größe/index.html"),
        ("", "x/a.md", {"permalink": "/:path/:basename-1:output_ext"}, "x/a-1.html"),
        ("", "_posts/2024-01-02-a.md", {}, "2024/01/02/a.html"),
        ("", "_posts/2024-01-02-a.md", {"slug": "b"}, "2024/01/02/b.html"),
        ("", "_posts/2024-01-02-a.md", {"date": "2023-05-06"}, "2023/05/06/a.html"),
        ("", "_posts/2024-01-02-a.md", {"date": "2024-01-02 23:30:00 -0500"}, "2024/01/03/a.html"),
        ("", "_posts/2024-01-02-a.md", {"date": "2024-01-02 10:00:00"}, "2024/01/02/a.html"),
        ("", "_posts/2024-01-02-a.md", {"categories": "one Two"}, "one/two/2024/01/02/a.html"),
        ("", "_posts/2024-01-02-a.md", {"category": "one"}, "one/2024/01/02/a.html"),
        ("", "news/_posts/2024-01-02-a.md", {"categories": "[x]"}, "news/x/2024/01/02/a.html"),
        ("permalink: pretty", "_posts/2024-01-02-a.md", {}, "2024/01/02/a/index.html"),
        ("permalink: ordinal", "_posts/2024-02-01-a.md", {}, "2024/032/a.html"),
        ("permalink: none", "_posts/2024-02-01-a.md", {}, "a.html"),
        ("permalink: weekdate", "_posts/2024-02-01-a.md", {}, "2024/W05/Thu/a.html"),
        (
            "permalink: /:i_day-:i_month-:short_year/:slug/",
            "_posts/2024-02-01-A_b.md",
            {},
            "1-2-24/a-b/index.html",
        ),
        (
            "collections: {posts: {permalink: /p/:title/}}",
            "_posts/2024-02-01-a.md",
            {},
            "p/a/index.html",
        ),
        ("collections: {d: {permalink: /p/:path/}}", "_d/x/a.md", {}, "p/x/a/index.html"),
        ("collections: {d: {permalink: /:collection/p/:name}}", "_d/x/a.md", {}, "d/p/a.html"),
        (
            f"defaults: [{FOR_POSTS}, {FOR_SOME}]",
            *("_posts/x/2024-02-01-a.md", {}, "q/a/index.html"),
        ),
    ],
)
def test_jekyll_writes_a_page_where_its_permalink_says(
    repo: Repo, config: str, file: str, meta: dict[str, object], page: str
) -> None:
    assert found(
        repo, "_site", [page, "other/a.html"], {"_config.yml": config, file: text(**meta)}
    ) == {page: file}


def test_a_permalink_that_only_code_can_compute_is_no_claim_and_no_contradiction(
    repo: Repo,
) -> None:
    texts = {
        "_config.yml": "",
        "a.md": text(permalink="/:unknown/"),
        "b.md": text(permalink="https://e.org/x"),
    }
    assert found(repo, "_site", ["a.html", "b.html", "x.html"], texts) == {
        "a.html": "a.md",
        "b.html": "b.md",
    }


def test_two_sources_that_claim_one_url_prove_nothing(repo: Repo) -> None:
    texts = {
        "_config.yml": "",
        **dict.fromkeys(("a.md", "b.md"), text(permalink="/x/")),
        "x.md": text(title="A"),
    }
    assert found(repo, "_site", ["x/index.html", "a.html"], texts) == {}


def test_a_source_that_claims_another_url_is_never_one_by_its_path(repo: Repo) -> None:
    texts = {"_config.yml": "", "a.md": text(permalink="/x/"), "b.md": text(permalink="/gone/")}
    pages = ["a.html", "b.html", "x/index.html", "deep/x/index.html", "de/x/index.html"]
    assert found(repo, "_site", pages, texts) == {"x/index.html": "a.md"}


def test_a_source_that_is_not_published_claims_nothing(repo: Repo) -> None:
    texts = {
        "_config.yml": "",
        "a.md": text(permalink="/x/", published="false"),
        "x.md": text(title="A"),
    }
    assert found(repo, "_site", ["x.html"], texts) == {"x.html": "x.md"}


def test_each_front_matter_is_read_once(repo: Repo, monkeypatch: pytest.MonkeyPatch) -> None:
    from smindex_plugins.html import front_matter  # noqa: PLC0415

    read, asked = front_matter.read, list[str]()

    def count(path: str) -> front_matter.FrontMatter:
        asked.append(os.path.basename(path))
        return read(path)

    monkeypatch.setattr(front_matter, "read", count)
    repo.commit(
        1,
        {
            "_config.yml": "",
            "a.md": text(permalink="/x/"),
            "b.md": text(title="A"),
            ".gitignore": "_site/\n",
        },
    )
    write(repo / "_site", dict.fromkeys(("x.html", "b.html"), PAGE))
    site = find_site(str(repo / "_site"))
    assert [site.page(file).meta for file in site.files()] == [{"title": "A"}, {"permalink": "/x/"}]
    assert sorted(asked) == ["a.md", "b.md"]


# --- Hexo ---

HEXO = '{"dependencies": {"hexo": "^7.0.0"}}'


@pytest.mark.parametrize(
    ("config", "file", "meta", "page"),
    [
        ("", "_posts/a.md", {"date": "2024-01-02 03:04:05"}, "2024/01/02/a/index.html"),
        ("", "_posts/x/a.md", {"date": "2024-01-02"}, "2024/01/02/x/a/index.html"),
        ("permalink: :name.html", "_posts/x/a.md", {}, "a.html"),
        ("permalink: posts/:title/", "_posts/a.md", {}, "posts/a/index.html"),
        ("permalink: :category/:title/", "_posts/a.md", {}, "uncategorized/a/index.html"),
        (
            "permalink: :category/:title/",
            "_posts/a.md",
            {"categories": "[X, Y]"},
            "X/Y/a/index.html",
        ),
        (
            "new_post_name: :year-:month-:day-:title.md",
            "_posts/2024-01-02-a.md",
            {},
            "2024/01/02/a/index.html",
        ),
        ("permalink: :hash/", "_posts/a.md", {"permalink": "b/c/"}, "b/c/index.html"),
        ("", "about/index.md", {}, "about/index.html"),
        ("", "about/index.md", {"permalink": "me.html"}, "me.html"),
    ],
)
def test_hexo_writes_a_page_where_its_permalink_says(
    repo: Repo, config: str, file: str, meta: dict[str, object], page: str
) -> None:
    texts = {
        "_config.yml": config,
        "package.json": HEXO,
        "README.md": "",
        f"source/{file}": text(**meta),
    }
    pages = ["index.html", "tags/a/index.html", page]
    assert found(repo, "public", pages, texts) == {page: f"source/{file}"}


def test_drafts_of_hexo_have_no_page(repo: Repo) -> None:
    texts = {
        "_config.yml": "permalink: :title/",
        "package.json": HEXO,
        "source/_drafts/a.md": text(title="A"),
    }
    texts["source/_posts/b.md"] = text(published="false")
    assert found(repo, "public", ["a/index.html", "b/index.html", "_drafts/a.html"], texts) == {}


# --- Others ---


@pytest.mark.parametrize(
    ("permalink", "page"),
    [
        ("/x/", "x/index.html"),
        ("x/index.html", "x/index.html"),
        ("/x.html", "x.html"),
        ('"/{{ title }}/"', "a/index.html"),
        ("false", ""),
        ("/y/", ""),
    ],
)
def test_eleventy_writes_a_page_where_its_permalink_says(
    repo: Repo, permalink: str, page: str
) -> None:
    texts = {"eleventy.config.js": "", "src/a.md": text(permalink=permalink)}
    pages = ["a/index.html", "x/index.html" if page != "x.html" else page]
    assert found(repo, "_site", pages, texts) == ({page: "src/a.md"} if page else {})


@pytest.mark.parametrize(
    ("file", "meta", "page"),
    [
        ("docs/a.md", {"slug": "/x"}, "docs/x/index.html"),
        ("docs/guide/a.md", {"slug": "x"}, "docs/guide/x.html"),
        ("docs/01-guide/a.md", {"slug": "x"}, "docs/guide/x.html"),
        ("docs/guide/a.md", {"slug": "/x/y"}, "base/manual/x/y/index.html"),
        ("docs/intro.md", {"slug": "/"}, "docs/index.html"),
        ("docs/intro.md", {"slug": "/"}, "index.html"),
        ("docs/a.md", {"id": "x"}, "docs/x/index.html"),
        ("blog/2024-01-02-a.md", {"slug": "x"}, "blog/x/index.html"),
        ("blog/2024-01-02-a/index.md", {"slug": "x/y"}, "blog/x/y/index.html"),
    ],
)
def test_docusaurus_writes_a_page_where_its_slug_says(
    repo: Repo, file: str, meta: dict[str, object], page: str
) -> None:
    texts = {"docusaurus.config.js": "", file: text(**meta)}
    assert found(repo, "build", [page, "docs/a.html", "tags/one/index.html"], texts) == {page: file}


def test_a_slug_of_docusaurus_that_fits_two_pages_is_no_claim(repo: Repo) -> None:
    texts = {"docusaurus.config.js": "", "docs/a.md": text(slug="/x")}
    assert found(repo, "build", ["one/x.html", "two/x.html"], texts) == {}


def test_an_edit_link_counts_before_a_claim_if_the_configuration_is_code(repo: Repo) -> None:
    texts = {"docusaurus.config.js": "", "docs/a.md": text(slug="/x"), "docs/b.md": ""}
    pages = {
        "docs/x.html": EDIT.format("docs/b.md"),
        "docs/y.html": EDIT.format("docs/b.md").replace("b.md", "c.md"),
    }
    assert found(repo, "build", pages, texts) == {"docs/x.html": "docs/b.md"}


@pytest.mark.parametrize(
    ("file", "meta", "page"),
    [
        ("posts/a.md", {"slug": "x"}, "posts/x/index.html"),
        ("posts/a/index.md", {"slug": "x"}, "posts/x/index.html"),
        ("posts/a.md", {"url": "/y/"}, "y/index.html"),
        ("posts/b.md", {"aliases": "[/old/b/]"}, "posts/b/index.html"),
    ],
)
def test_without_hugo_its_slugs_and_urls_lead_to_sources(
    repo: Repo, file: str, meta: dict[str, object], page: str
) -> None:
    texts = {"hugo.toml": "", f"content/{file}": text(**meta)}
    pages = {page: PAGE, "posts/a/index.html": PAGE, "old/b/index.html": REDIRECT}
    assert found(repo, "public", pages, texts) == {page: f"content/{file}"}


def test_a_draft_does_not_contest_a_page(repo: Repo) -> None:
    texts = {
        "hugo.toml": "",
        "content/a.md": text(url="/x/"),
        "content/b.md": text(url="/x/", draft="true"),
    }
    assert found(repo, "public", ["x/index.html"], texts) == {"x/index.html": "content/a.md"}


def test_a_slug_of_starlight_is_the_path_of_its_page(repo: Repo) -> None:
    texts = {"astro.config.mjs": "", "src/content/docs/a.md": text(slug="guides/x")}
    assert found(repo, "dist", ["a/index.html", "guides/x/index.html"], texts) == {
        "guides/x/index.html": "src/content/docs/a.md"
    }


# --- Pelican ---


@pytest.mark.parametrize(
    ("config", "file", "content", "page"),
    [
        ("", "a.md", "Title: Hello, *World*!\n\nText", "hello-world.html"),
        ("", "a.md", "Title: A\nSlug: x\n\nText", "x.html"),
        ("", "a.md", "---\nTitle: A: b\nSlug: x\n---\nText", "x.html"),
        ("", "a.md", "Title: Über größe\n\nText", "uber-grosse.html"),
        ("SLUGIFY_USE_UNICODE = True", "a.md", "Title: Größe\n\nText", "größe.html"),
        ("SLUGIFY_SOURCE = 'basename'", "A b.md", "Title: X\n\nText", "a-b.html"),
        ("", "a.md", "Title: A\nLang: de\n\nText", "a-de.html"),
        ("", "pages/a.md", "Title: About us\n\nText", "pages/about-us.html"),
        ("", "a.md", "Title: A\nsave_as: x/y.html\n\nText", "x/y.html"),
        (
            "",
            "a.rst",
            "Hello World\n###########\n\n:date: 2024-01-02\n:modified: 2024-03-04\n\nText",
            "hello-world.html",
        ),
        ("", "a.rst", "#####\n Hey \n#####\n\n:slug: x\n\nText", "x.html"),
        (
            "ARTICLE_SAVE_AS = '{date:%Y}/{slug}/index.html'",
            "a.md",
            "Title: A\nDate: 2024-01-02\n",
            "2024/a/index.html",
        ),
        (
            "ARTICLE_SAVE_AS = '{date:%Y}/{slug}.html'",
            "2024-01-02-a.md",
            "Title: A\n",
            "2024/a.html",
        ),
        (
            "ARTICLE_SAVE_AS = '{category}/{slug}.html'",
            "News/a.md",
            "Title: A b\n",
            "news/a-b.html",
        ),
        (r"FILENAME_METADATA = r'\d+-(?P<slug>.*)'", "1-x.md", "Title: A\n", "x.html"),
    ],
)
def test_pelican_saves_a_page_where_its_metadata_say(
    repo: Repo, config: str, file: str, content: str, page: str
) -> None:
    texts = {"pelicanconf.py": f"PATH = 'content'\n{config}\n", f"content/{file}": content}
    assert found(repo, "output", [page, "tag/other.html"], texts) == {page: f"content/{file}"}


@pytest.mark.parametrize(
    ("config", "file", "content"),
    [
        ("SLUG_REGEX_SUBSTITUTIONS = []", "x.md", "Title: A\n"),
        ("ARTICLE_SAVE_AS = made()", "x.md", "Title: A\n"),
        ("ARTICLE_SAVE_AS = '{date:%b}/a.html'", "x.md", "Title: A\nDate: 2024-01-02\n"),
        ("ARTICLE_SAVE_AS = '{author}.html'", "x.md", "Title: A\n"),
        ("EXTRA_PATH_METADATA = {'x.md': {'save_as': 'b.html'}}", "x.md", "Title: A\n"),
        ("", "x.rst", "`A`\n===\n\n:date: 2024-01-02\n"),
        ("", "x.md", "Title: A\nStatus: skip\n"),
    ],
)
def test_where_pelican_saves_a_page_is_not_guessed(
    repo: Repo, config: str, file: str, content: str
) -> None:
    texts = {"pelicanconf.py": f"PATH = 'content'\n{config}\n", f"content/{file}": content}
    assert found(repo, "output", ["a.html"], texts) == {}


def test_a_slug_of_pelican_is_that_of_pelican_itself() -> None:
    from pelican.settings import DEFAULT_CONFIG  # noqa: PLC0415
    from pelican.utils import slugify  # noqa: PLC0415

    from smindex_plugins.projects._pelican_texts import _slugified  # noqa: PLC0415

    for title in ("A  b", "C++ & <b>D</b>", "Ünïcode — ½", "&amp; x", "snake_case 1.2", "日本"):
        assert _slugified(title, {}) == slugify(
            title, DEFAULT_CONFIG["SLUG_REGEX_SUBSTITUTIONS"]
        ), title


@pytest.mark.parametrize(
    ("file", "content", "date"),
    [
        ("a.md", "Title: A\nModified: 2024-01-02\n\nText", "2024-01-02"),
        ("a.md", "Title: A\nModified: 2024/01/02\n\nText", "2024-01-02"),
        ("a.md", "Title: A\nModified: 2024-01-02 10:00\n\nText", "2024-01-02T09:00:00Z"),
        ("a.rst", "A\n=\n\n:modified: 2024-01-02\n\nText", "2024-01-02"),
    ],
)
def test_a_build_dates_a_page_of_pelican_by_its_own_date_of_modification(
    repo: Repo, monkeypatch: pytest.MonkeyPatch, file: str, content: str, date: str
) -> None:
    config = "SITEURL = 'https://e.org'\nPATH = 'content'\nTIMEZONE = 'Europe/Berlin'\n"
    repo.commit(
        1, {".gitignore": "output/\n", "pelicanconf.py": config, f"content/{file}": content}
    )
    write(repo / "output", {"a.html": PAGE})
    monkeypatch.chdir(repo.path)
    assert main(["build", "-q"]) == 0
    text = "".join(each.read_text() for each in (repo / "output").glob("**/sitemap*.xml"))
    assert f"<loc>https://e.org/a.html</loc><lastmod>{date}</lastmod>" in "".join(text.split())


@pytest.mark.parametrize("given", [True, False])
def test_claims_find_what_given_patterns_do_not(repo: Repo, given: bool) -> None:  # noqa: FBT001
    texts = {"_config.yml": "", "a.md": text(permalink="/x/"), "b/c.md": "", "c.md": ""}
    options = "[tool.smindex]\ndirectory = '_site'\nsources = ['b/{path}.md']\n"
    texts |= {"pyproject.toml": options} if given else {}
    assert found(repo, "_site", ["x.html", "c.html"], texts) == {
        "x.html": "a.md",
        "c.html": "b/c.md" if given else "c.md",
    }
