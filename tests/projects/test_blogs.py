"""The pages of the blogs of Material for MkDocs and Zensical: which post or posts each shows, and its date.

All expected URLs, members and orders are those of MkDocs 1.6.1 with Material 9.8.2. Zensical 0.1.3 makes the same.
"""

import os
from collections.abc import Mapping
from pathlib import Path

import pytest

from smindex_plugins.base.dates import utc
from smindex_plugins.cli.main import main
from smindex_plugins.projects import claims
from smindex_plugins.projects._blogs import BlogPage, blog_pages
from smindex_plugins.projects._configuration import configuration_of
from smindex_plugins.projects.find import find_project, find_site
from tests.support.command import PAGE
from tests.support.history import Repo, day
from tests.support.listed import listed
from tests.support.planted import write

BASE = "https://e.org/"
POSTS = "docs/blog/posts/"
AUTHORS = "authors:\n  ann: {name: Ann Äther}\n  cy: {name: Cy, slug: cyrano}\n"


def post(date: object = "2023-01-02", text: str = "# Hello\n\nText\n", **meta: object) -> str:
    """Write a post."""
    lines = (f"{key}: {value}\n" for key, value in {"date": date, **meta}.items())
    return f"---\n{''.join(lines)}---\n{text}"


def pages(root: Path, plugins: str, texts: Mapping[str, str]) -> Mapping[str, BlogPage]:
    """Give the pages that the blogs of a project have by rule."""
    write(root, {"mkdocs.yml": f"plugins: {plugins}\n", **texts})
    configuration = configuration_of(str(root))
    assert configuration is not None
    return blog_pages(configuration, claims.reader(configuration))


def of_posts(found: Mapping[str, BlogPage]) -> dict[str, str]:
    """Give the name of the file of each post by the path of its page."""
    return {path: os.path.basename(page.source) for path, page in found.items() if not page.is_list}


def of_lists(found: Mapping[str, BlogPage]) -> dict[str, str]:
    """Give the stems of the files that each list shows, in order."""
    return {
        path: " ".join(Path(each).stem for each in page.posts)
        for path, page in found.items()
        if page.is_list
    }


# --- The URLs of posts ---


@pytest.mark.parametrize(
    ("text", "path"),
    [
        (post(), "blog/2023/01/02/hello"),
        (post(slug="fixed"), "blog/2023/01/02/fixed"),
        (post(slug="Ä & b/c"), "blog/2023/01/02/ä & b/c"),
        (post(title="Of the Front Matter"), "blog/2023/01/02/of-the-front-matter"),
        (post(title=2023), "blog/2023/01/02/2023"),
        (post(text="# Second: Ärger & mehr!\n"), "blog/2023/01/02/second-ärger--mehr"),
        (post(text="# 日本語のタイトル\n"), "blog/2023/01/02/日本語のタイトル"),
        (post(text="# Cafe\u0301\n"), "blog/2023/01/02/café"),
        (post(text="# v1.2.3 -- the release_notes\n"), "blog/2023/01/02/v123----the-release_notes"),
        (post(text="# With <b>html</b>  and `code`\n"), "blog/2023/01/02/with-html--and-code"),
        (post(text="# A [link](https://x.example/)\n"), "blog/2023/01/02/a-linkhttpsxexample"),
        (post(text="\n\n# Below empty lines\n"), "blog/2023/01/02/below-empty-lines"),
        (post(text="Text\n\n# Later\n"), "blog/2023/01/02/a-name"),
        (post(text="Title\n=====\n"), "blog/2023/01/02/a-name"),
        (post(text="```\n# code\n```\n"), "blog/2023/01/02/a-name"),
        (post().replace("\n", "\r\n"), "blog/2023/01/02/hello"),
        ("\ufeff" + post(), "blog/2023/01/02/hello"),
    ],
)
def test_the_url_of_a_post_ends_with_its_slug_or_its_title(
    tmp_path: Path, text: str, path: str
) -> None:
    assert of_posts(pages(tmp_path, "[blog]", {f"{POSTS}a_name.md": text})) == {path: "a_name.md"}


@pytest.mark.parametrize(
    ("date", "path"),
    [
        ("2023-01-02 23:30:00", "2023/01/02"),
        ("2023-01-02T23:30:00-05:00", "2023/01/02"),
        ("2023-01-02T00:30:00+02:00", "2023/01/02"),
        ("{created: 2023-01-02, updated: 2023-09-09}", "2023/01/02"),
        ("{created: 2023-01-02 10:00:00}", "2023/01/02"),
        ("'2023-01-02'", "2023/01/02"),
    ],
)
def test_the_url_of_a_post_has_the_day_as_written(tmp_path: Path, date: str, path: str) -> None:
    assert of_posts(pages(tmp_path, "[blog]", {f"{POSTS}a.md": post(date)})) == {
        f"blog/{path}/hello": "a.md"
    }


@pytest.mark.parametrize(
    ("options", "path"),
    [
        ("post_url_format: '{slug}'", "blog/hello"),
        ("post_url_format: '/{date}/{file}/'", "blog/2023/03/05/one two"),
        ("post_url_format: '{categories}/{slug}'", "blog/ä-b/hello"),
        (
            "{post_url_format: '{categories}/{slug}', post_url_max_categories: 3}",
            "blog/ä-b/c/hello",
        ),
        ("post_url_format: 'x-{date}-{slug}.html'", "blog/x-2023/03/05-hello.html"),
        ("post_url_date_format: yyyy'y'/M-d", "blog/2023y/3-5/hello"),
        ("post_url_date_format: 'yy/MMM/EEE'", "blog/23/mar/sun/hello"),
        ("post_url_date_format: EEEE-dd-MMMM", "blog/sunday-05-march/hello"),
        ("post_url_date_format: HH-hh-mm-ss-a", "blog/00-12-00-00-am/hello"),
        ("{post_slugify_separator: _, post_url_format: '{slug}'}", "blog/hello"),
        ("blog_dir: news", "news/2023/03/05/hello"),
        ("blog_dir: dev/log", "dev/log/2023/03/05/hello"),
        ("blog_dir: .", "2023/03/05/hello"),
        ("blog_dir: ./news/", "news/2023/03/05/hello"),
    ],
)
@pytest.mark.parametrize("kind", ["blog", "material/blog", "materialx/blog"])
def test_the_options_of_the_blog_determine_the_urls_of_posts(
    tmp_path: Path, kind: str, options: str, path: str
) -> None:
    given = options if options.startswith("{") else f"{{{options}}}"
    text = post("2023-03-05", categories="[Ä b, C]")
    place = {
        "blog_dir: news": "news/",
        "blog_dir: dev/log": "dev/log/",
        "blog_dir: ./news/": "news/",
    }.get(options)
    place = "" if options == "blog_dir: ." else place or "blog/"
    found = pages(tmp_path, f"[{kind}: {given}]", {f"docs/{place}posts/below/one two.md": text})
    assert of_posts(found) == {path: "one two.md"}


def test_posts_can_be_in_another_directory(tmp_path: Path) -> None:
    texts = {"docs/entries/a.md": post(), f"{POSTS}no-post.md": post()}
    assert of_posts(pages(tmp_path, "[blog: {post_dir: entries}]", texts)) == {
        "blog/2023/01/02/hello": "a.md"
    }


@pytest.mark.parametrize(
    ("config", "expected"),
    [
        (
            "mkdocs.yml",
            {
                "blog/2023/01/02/hello": "a.md",
                "blog/2023/01/02/old": "b.md",
                "blog/2023/01/02/c": "c.mkd",
            },
        ),
        ("zensical.toml", {"blog/2023/01/02/hello": "a.md"}),
    ],
)
def test_mkdocs_renders_more_files_as_posts(
    tmp_path: Path, config: str, expected: dict[str, str]
) -> None:
    texts = {"mkdocs.yml": "plugins: [blog]\n", "zensical.toml": '[project]\nplugins = ["blog"]\n'}
    posts = {
        f"{POSTS}a.md": post(),
        "docs/blog/posts-old/b.md": post(slug="old"),
        f"{POSTS}c.mkd": post(slug="c"),
    }
    write(tmp_path, {config: texts[config], **posts, "docs/blog/about.md": post(slug="about")})
    configuration = configuration_of(str(tmp_path))
    assert configuration is not None
    assert of_posts(blog_pages(configuration, claims.reader(configuration))) == expected


@pytest.mark.parametrize(
    "text",
    [
        post(draft="true"),
        "# No front matter\n",
        "---\ntitle: No date\n---\n",
        post("soon"),
        post("{updated: 2023-01-01}"),
    ],
)
def test_a_draft_and_a_file_without_a_date_are_no_posts(tmp_path: Path, text: str) -> None:
    found = pages(
        tmp_path,
        "[blog]",
        {f"{POSTS}a.md": text, f"{POSTS}.hidden.md": post(), f"{POSTS}a.txt": post()},
    )
    assert of_posts(found) == {}
    assert of_lists(found) == {"blog": ""}


@pytest.mark.parametrize(
    ("options", "rendered"),
    [
        ("{}", "future, kept"),
        ("{draft_if_future_date: true}", "kept"),
        ("{draft: true}", "draft, future, kept"),
        ("{draft: true, draft_if_future_date: true}", "draft, future, kept"),
    ],
)
def test_options_of_the_blog_decide_which_drafts_are_rendered(
    tmp_path: Path, options: str, rendered: str
) -> None:
    texts = {
        f"{POSTS}draft.md": post(draft="true", slug="draft"),
        f"{POSTS}future.md": post("2999-01-01", slug="future"),
        f"{POSTS}kept.md": post("2999-01-01", slug="kept", draft="false"),
    }
    found = of_posts(pages(tmp_path, f"[blog: {options}]", texts))
    assert ", ".join(sorted(Path(name).stem for name in found.values())) == rendered


SLUGIFY = "!!python/object/apply:pymdownx.slugs.slugify"


@pytest.mark.parametrize(
    ("function", "is_known"),
    [
        (f"{SLUGIFY} {{kwds: {{case: lower}}}}", True),
        (f"{SLUGIFY} {{kwds: {{case: lower, normalize: NFC}}}}", True),
        (f"{SLUGIFY} {{kwds: {{case: fold}}}}", False),
        (f"{SLUGIFY} {{kwds: {{case: lower, percent_encode: true}}}}", False),
        (f"{SLUGIFY} {{kwds: {{}}}}", False),
        ("!!python/name:my.function", False),
    ],
)
def test_a_slug_that_only_a_function_in_mkdocs_can_make_is_no_guess(
    tmp_path: Path, function: str, *, is_known: bool
) -> None:
    texts = {f"{POSTS}a.md": post(categories="[A]"), f"{POSTS}b.md": post(slug="given")}
    plugins = f"[blog: {{post_slugify: {function}, categories_slugify: {function}, post_url_format: '{{slug}}'}}]"
    found = pages(tmp_path, plugins, texts)
    assert of_posts(found) == {**({"blog/hello": "a.md"} if is_known else {}), "blog/given": "b.md"}
    assert of_lists(found) == {
        "blog": "a b",
        "blog/archive/2023": "a b",
        **({"blog/category/a": "a"} if is_known else {}),
    }


def test_two_posts_at_one_url_prove_nothing(tmp_path: Path) -> None:
    texts = {
        f"{POSTS}a.md": post(),
        f"{POSTS}b.md": post(),
        f"{POSTS}c.md": post(slug="HELLO"),
        f"{POSTS}d.md": post(slug="d"),
    }
    assert of_posts(pages(tmp_path, "[blog]", texts)) == {"blog/2023/01/02/d": "d.md"}


# --- Lists ---

SEVERAL = {
    f"{POSTS}a.md": post("2023-01-01", categories="[News, Alte Zöpfe]", authors="[ann]", slug="a"),
    f"{POSTS}b.md": post(
        "2023-05-01", categories="[News, C++, 'C#']", authors="[cy, ann]", slug="b"
    ),
    f"{POSTS}x/c.md": post("2022-05-01", slug="c"),
    f"{POSTS}pinned.md": post("2021-01-01", slug="p", pin="true"),
    f"{POSTS}z.md": post("2023-01-01T01:00:00+02:00", slug="z"),
}


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        (
            "{}",
            {
                "blog": "pinned b a z c",
                "blog/archive/2021": "pinned",
                "blog/archive/2022": "c",
                "blog/archive/2023": "b a z",
                "blog/category/news": "b a",
                "blog/category/alte-zöpfe": "a",
                "blog/category/c": "b",
            },
        ),
        ("{archive: false, categories: false}", {"blog": "pinned b a z c"}),
        (
            "{categories: false, archive_url_format: '/all/{date}/', archive_url_date_format: yyyy-MMM}",
            {
                "blog": "pinned b a z c",
                "blog/all/2021-jan": "pinned",
                "blog/all/2022-may": "c",
                "blog/all/2023-jan": "a z",
                "blog/all/2023-may": "b",
            },
        ),
        (
            "{archive: false, categories_url_format: 'topic/{slug}', categories_slugify_separator: _}",
            {
                "blog": "pinned b a z c",
                "blog/topic/news": "b a",
                "blog/topic/alte_zöpfe": "a",
                "blog/topic/c": "b",
            },
        ),
        (
            "{archive: false, categories: false, authors_profiles: true}",
            {"blog": "pinned b a z c", "blog/author/ann": "b a", "blog/author/cyrano": "b"},
        ),
        (
            "{archive: false, categories: false, authors_profiles: true, authors_profiles_url_format: 'by/{name}'}",
            {"blog": "pinned b a z c", "blog/by/ann äther": "b a", "blog/by/cy": "b"},
        ),
        (
            "{archive: false, categories_pagination: false, pagination_per_page: 2}",
            {
                "blog": "pinned b",
                "blog/page/2": "a z",
                "blog/page/3": "c",
                "blog/category/news": "b a",
                "blog/category/alte-zöpfe": "a",
                "blog/category/c": "b",
            },
        ),
        (
            "{categories: false, archive_pagination_per_page: 2, pagination_url_format: 'p/{page}'}",
            {
                "blog": "pinned b a z c",
                "blog/archive/2021": "pinned",
                "blog/archive/2022": "c",
                "blog/archive/2023": "b a",
                "blog/archive/2023/p/2": "z",
            },
        ),
        (
            "{archive: false, categories: false, pagination: false, pagination_per_page: 1}",
            {"blog": "pinned b a z c"},
        ),
        ("{enabled: false}", {}),
    ],
)
def test_lists_show_the_posts_of_their_time_category_or_author(
    tmp_path: Path, options: str, expected: dict[str, str]
) -> None:
    found = pages(tmp_path, f"[blog: {options}]", {**SEVERAL, "docs/blog/.authors.yml": AUTHORS})
    assert of_lists(found) == expected


def test_posts_of_one_time_are_in_the_order_of_their_files(tmp_path: Path) -> None:
    texts = {f"{POSTS}{name}.md": post(slug=name.lower()) for name in ("b", "a", "z/c", "d", "A2")}
    assert of_lists(pages(tmp_path, "[blog: {archive: false}]", texts)) == {"blog": "A2 a b d c"}


def test_several_blogs_have_lists_of_their_own(tmp_path: Path) -> None:
    plugins = "[blog: {blog_dir: news, archive: false}, blog: {blog_dir: dev/log, post_url_format: '{file}'}]"
    texts = {
        "docs/news/posts/one.md": post(),
        "docs/dev/log/posts/one.md": post(),
        "docs/news/index.md": "# News",
    }
    found = pages(tmp_path, plugins, texts)
    assert of_posts(found) == {"news/2023/01/02/hello": "one.md", "dev/log/one": "one.md"}
    assert of_lists(found) == {"news": "one", "dev/log": "one", "dev/log/archive/2023": "one"}
    assert found["news"].source == str(tmp_path / "docs/news/index.md")
    assert found["news"].posts == (str(tmp_path / "docs/news/posts/one.md"),)
    assert not found["dev/log"].source


def test_a_whole_site_can_be_a_blog(tmp_path: Path) -> None:
    texts = {
        "docs/.authors.yml": AUTHORS,
        "docs/index.md": "# Blog",
        "docs/posts/a.md": post(authors="[cy]"),
    }
    found = pages(tmp_path, "[blog: {blog_dir: ., authors_profiles: true}]", texts)
    assert of_posts(found) == {"2023/01/02/hello": "a.md"}
    assert of_lists(found) == {"": "a", "archive/2023": "a", "author/cyrano": "a"}
    assert found[""].source == str(tmp_path / "docs/index.md")


@pytest.mark.parametrize(
    "options",
    [
        "{blog_dir: 1, post_dir: [a], post_url_format: null, post_url_max_categories: x, pagination: 1}",
        "{post_slugify: null, pagination_per_page: 0, archive: [], authors_profiles: maybe}",
        "[a, b]",
        "blog",
        "null",
    ],
)
def test_options_that_no_generator_takes_count_as_not_set(tmp_path: Path, options: str) -> None:
    found = pages(
        tmp_path,
        f"[blog: {options}]",
        {f"{POSTS}a.md": post(), "docs/blog/.authors.yml": "[not: valid"},
    )
    assert of_posts(found) == {"blog/2023/01/02/hello": "a.md"}
    assert of_lists(found) == {"blog": "a", "blog/archive/2023": "a"}


def test_a_list_can_have_a_text_of_its_own(tmp_path: Path) -> None:
    texts = {
        "docs/blog/category/a.md": "# A",
        "docs/blog/archive/2023.md": "# 2023",
        "docs/index.md": "# Home",
    }
    texts |= {f"{POSTS}{number}.md": post(slug=number, categories="[A]") for number in range(3)}
    found = pages(tmp_path, "[blog: {pagination_per_page: 2}]", texts)
    sources = {
        path: os.path.relpath(page.source, tmp_path / "docs")
        for path, page in found.items()
        if page.source
    }
    assert {
        path: source for path, source in sources.items() if not source.startswith("blog/posts/")
    } == {
        "blog/category/a": "blog/category/a.md",
        "blog/archive/2023": "blog/archive/2023.md",
    }
    assert found["blog/category/a/page/2"] == BlogPage(
        "", (str(tmp_path / f"{POSTS}2.md"),), 2, is_list=True
    )


@pytest.mark.parametrize(
    "plugins",
    [
        '[project.plugins.blog]\npost_url_format = "{slug}"\n',
        '[project]\nplugins = ["search", {blog = {post_url_format = "{slug}"}}]\n',
        '[[project.plugins]]\nblog.post_url_format = "{slug}"\n',
        '[[project.plugins]]\nsearch = {}\n[[project.plugins]]\n"material/blog" = {post_url_format = "{slug}"}\n',
        '[plugins.blog]\npost_url_format = "{slug}"\npost_slugify = "pymdownx.slugs.slugify"\n',
        '[plugins.blog]\npost_url_format = "{slug}"\npost_slugify = {object = "pymdownx.slugs.slugify"}\n',
    ],
)
def test_zensical_has_the_blog_in_its_own_configuration(tmp_path: Path, plugins: str) -> None:
    write(
        tmp_path,
        {"zensical.toml": plugins, f"{POSTS}a.md": post(), f"{POSTS}b.markdown": post(slug="b")},
    )
    configuration = configuration_of(str(tmp_path))
    assert configuration is not None
    assert of_posts(blog_pages(configuration, claims.reader(configuration))) == {
        "blog/hello": "a.md"
    }


# --- What `.meta.yml` sets ---


def test_meta_files_set_what_posts_do_not_set(tmp_path: Path) -> None:
    texts = {
        "docs/.meta.yml": "categories: [All]\ndate: {updated: 2024-01-01}\n",
        f"{POSTS}.meta.yml": "slug: fixed\ncategories: [Of the blog]\n",
        f"{POSTS}wip/.meta.yml": "draft: true\n",
        f"{POSTS}a.md": post("{created: 2023-01-02}", categories="[Own]"),
        f"{POSTS}b.md": post(slug="own"),
        f"{POSTS}wip/c.md": post(slug="wip"),
    }
    found = pages(tmp_path, "[meta, blog: {archive: false}]", texts)
    assert of_posts(found) == {"blog/2023/01/02/fixed": "a.md", "blog/2023/01/02/own": "b.md"}
    assert of_lists(found) == {
        "blog": "a b",
        "blog/category/all": "a b",
        "blog/category/of-the-blog": "a b",
        "blog/category/own": "a",
    }
    for off in ("[blog: {archive: false}]", "[meta: {enabled: false}, blog: {archive: false}]"):
        assert "blog/2023/01/02/hello" in pages(tmp_path, off, texts)


# --- Built sites ---


def sources(
    repo: Repo, config: str, rendered: Mapping[str, str] | list[str], texts: Mapping[str, str]
) -> dict[str, str]:
    """Give the source of each page of a built site that has one."""
    repo.commit(1, {".gitignore": "site/\n", "mkdocs.yml": config, **texts})
    write(
        repo / "site",
        dict(rendered) if isinstance(rendered, dict) else dict.fromkeys(rendered, PAGE),
    )
    found = find_site(str(repo / "site")).files()
    return {
        each.path: str(Path(*each.sources).relative_to(repo / "docs"))
        for each in found
        if each.sources
    }


@pytest.mark.parametrize("form", ["{}.html", "{}/index.html"])
def test_a_post_is_found_whatever_the_form_of_its_url(repo: Repo, form: str) -> None:
    rendered = [form.format(path) for path in ("blog/2023/01/02/größe", "about")] + [
        "blog/index.html"
    ]
    texts = {
        f"{POSTS}a.md": post(text="# Größe"),
        "docs/blog/index.md": "# Blog",
        "docs/about.md": "# About",
    }
    assert sources(repo, "plugins: [blog]\n", rendered, texts) == {
        form.format("blog/2023/01/02/größe"): "blog/posts/a.md",
        form.format("about"): "about.md",
        "blog/index.html": "blog/index.md",
    }


def test_a_redirect_from_the_path_of_its_file_has_no_post(repo: Repo) -> None:
    redirect = '<!doctype html><title>A</title><meta http-equiv="refresh" content="0; url=/blog/2023/01/02/hello/">'
    rendered = {"blog/posts/a/index.html": redirect, "blog/2023/01/02/hello/index.html": PAGE}
    assert sources(repo, "plugins: [blog]\n", rendered, {f"{POSTS}a.md": post()}) == {
        "blog/2023/01/02/hello/index.html": "blog/posts/a.md"
    }


def test_patterns_that_a_user_gives_count_before_the_rules_of_a_blog(
    repo: Repo, monkeypatch: pytest.MonkeyPatch
) -> None:
    repo.commit(
        1,
        {
            "mkdocs.yml": f"site_url: {BASE}\nplugins: [blog]\n",
            f"{POSTS}a.md": post(),
            "texts/2023/01/02/hello.md": "# Hello",
        },
    )
    write(repo / "site", {"blog/2023/01/02/hello/index.html": PAGE})
    monkeypatch.chdir(repo.path)
    site = find_project("site", sources=["texts/2023/01/02/{name}.md"]).site
    assert [each.sources for each in site.files()] == [(str(repo / "texts/2023/01/02/hello.md"),)]


LIST, OLD, NEW, LATER = 1, 2, 5, 9
"""The days on which the index of a blog, its posts, and what is on no first page were committed."""


def dates(
    repo: Repo,
    monkeypatch: pytest.MonkeyPatch,
    config: str,
    texts: Mapping[str, tuple[float, str]],
    rendered: list[str],
) -> dict[str, float | str | None]:
    """Commit files on their days, plant the rendered pages, build, and give the day of each page in the sitemaps."""
    repo.commit(0, {".gitignore": "site/\n", "mkdocs.yml": f"site_url: {BASE}\n{config}"})
    for when in sorted({when for when, _ in texts.values()}):
        repo.commit(when, {name: text for name, (on, text) in texts.items() if on == when})
    write(repo / "site", dict.fromkeys(rendered, PAGE))
    monkeypatch.chdir(repo.path)
    assert main(["build", "--quiet"]) == 0
    days = {utc(day(when)): when for when in range(20)}
    found = listed(repo / "site", BASE)
    return {path: days.get(date or "", date) for path, date in found.items()}


BLOG = {
    "docs/blog/index.md": (LIST, "# Blog"),
    f"{POSTS}a.md": (NEW, post("2023-01-03", slug="a", categories="[A]")),
    f"{POSTS}b.md": (OLD, post("2023-01-02", slug="b", categories="[A]")),
    f"{POSTS}c.md": (LATER, post("2022-01-01", slug="c")),
}
RENDERED = [
    "blog/index.html",
    "blog/page/2/index.html",
    "blog/2023/01/03/a/index.html",
    "blog/2023/01/02/b/index.html",
    "blog/2022/01/01/c/index.html",
    "blog/category/a/index.html",
    "blog/archive/2022/index.html",
    "blog/archive/2023/index.html",
]
OF_BLOG = {
    "blog/": NEW,
    "blog/page/2/": None,
    "blog/2023/01/03/a/": NEW,
    "blog/2023/01/02/b/": OLD,
    "blog/2022/01/01/c/": LATER,
    "blog/category/a/": NEW,
    "blog/archive/2022/": LATER,
    "blog/archive/2023/": NEW,
}
TWO_A_PAGE = "plugins: [blog: {pagination_per_page: 2}]\n"


def test_a_list_has_the_newest_date_of_the_posts_on_its_first_page(
    repo: Repo, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert dates(repo, monkeypatch, TWO_A_PAGE, BLOG, RENDERED) == OF_BLOG


@pytest.mark.parametrize(
    ("url_format", "later"),
    [("p/{page}", "blog/p/2/index.html"), ("more-{page}", "blog/more-2.html")],
)
def test_later_pages_can_be_left_out_whatever_their_urls(
    repo: Repo, monkeypatch: pytest.MonkeyPatch, url_format: str, later: str
) -> None:
    options = f"{{pagination_per_page: 2, pagination_url_format: '{url_format}'}}"
    config = f"plugins: [blog: {options}, sitemap-index: {{pagination: false}}]\n"
    rendered = [*(path for path in RENDERED if "page/2" not in path), later]
    expected = {path: when for path, when in OF_BLOG.items() if "page/2" not in path}
    assert dates(repo, monkeypatch, config, BLOG, rendered) == expected


def test_a_list_with_a_post_that_is_not_found_has_no_date(
    repo: Repo, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Such as one at a URL with the name of a month in another language, which only MkDocs writes."""
    rendered = [path.replace("blog/2022/01/01/c", "blog/2022/Jänner/c") for path in RENDERED]
    expected = {path: when for path, when in OF_BLOG.items() if path != "blog/2022/01/01/c/"}
    expected |= {"blog/2022/Jänner/c/": None, "blog/archive/2022/": None}
    assert {
        path.replace("%C3%A4", "ä"): when
        for path, when in dates(repo, monkeypatch, TWO_A_PAGE, BLOG, rendered).items()
    } == expected


def test_a_post_that_the_site_excludes_is_on_no_list(
    repo: Repo, monkeypatch: pytest.MonkeyPatch
) -> None:
    config = f"exclude_docs: blog/posts/wip/\n{TWO_A_PAGE}"
    wip = post("2023-12-12", slug="wip", categories="[A]")
    redirect = '<!doctype html><title>A</title><meta http-equiv="refresh" content="0; url=/blog/">'
    write(repo / "site", {"blog/old/index.html": redirect})
    assert (
        dates(repo, monkeypatch, config, {**BLOG, f"{POSTS}wip/w.md": (LATER, wip)}, RENDERED)
        == OF_BLOG
    )


def test_an_empty_blog_has_the_date_of_its_index(
    repo: Repo, monkeypatch: pytest.MonkeyPatch
) -> None:
    texts = {"docs/blog/index.md": (LIST, "# Blog"), f"{POSTS}a.md": (NEW, post(draft="true"))}
    assert dates(repo, monkeypatch, "plugins: [blog]\n", texts, ["blog/index.html"]) == {
        "blog/": LIST
    }


def test_an_index_of_a_blog_can_also_list_tags(repo: Repo, monkeypatch: pytest.MonkeyPatch) -> None:
    texts = {
        "docs/blog/index.md": (LIST, "# Blog\n\n<!-- material/tags -->"),
        f"{POSTS}a.md": (OLD, post()),
        "docs/a.md": (NEW, "---\ntags: [a]\n---\n# A"),
    }
    rendered = ["blog/index.html", "blog/2023/01/02/hello/index.html", "a/index.html"]
    tags = '<main><h2 id="tag:a">a</h2><ul><li><a href="/a/">A</a></ul></main>'
    config = "plugins: [tags, blog: {archive: false}]\n"
    assert (
        dates(repo, monkeypatch, config, texts, rendered)["blog/"] is None
    )  # its tags are not found
    repo.put("site/blog/index.html", f"<!doctype html><title>A</title>{tags}")
    assert main(["build", "--quiet"]) == 0
    assert listed(repo / "site", BASE)["blog/"] == utc(day(NEW))


def test_a_time_of_a_post_without_a_zone_is_in_utc(
    repo: Repo, monkeypatch: pytest.MonkeyPatch
) -> None:
    times = "{created: 2023-01-02 10:00:00, updated: 2023-01-03 10:00:00}"
    texts = {f"{POSTS}a.md": (NEW, post(times)), "docs/page.md": (NEW, post(times))}
    rendered = ["blog/2023/01/02/hello/index.html", "page/index.html"]
    assert dates(repo, monkeypatch, "plugins: [blog]\n", texts, rendered) == {
        "blog/2023/01/02/hello/": "2023-01-03T10:00:00Z",
        "page/": "2023-01-03",
    }


def test_meta_files_exclude_and_date_pages(repo: Repo, monkeypatch: pytest.MonkeyPatch) -> None:
    texts = {
        "docs/private/.meta.yml": (LIST, "sitemap: {exclude: true}\n"),
        "docs/private/a.md": (LIST, "# A"),
        "docs/dated/.meta.yml": (LIST, "updated: 2020-10-10\n"),
        "docs/dated/a.md": (NEW, "# A"),
        "docs/dated/own.md": (NEW, "---\nupdated: 2020-11-11\n---\n# Own"),
    }
    rendered = ["private/a/index.html", "dated/a/index.html", "dated/own/index.html"]
    assert dates(repo, monkeypatch, "plugins: [meta]\n", texts, rendered) == {
        "dated/a/": "2020-10-10",
        "dated/own/": "2020-11-11",
    }
