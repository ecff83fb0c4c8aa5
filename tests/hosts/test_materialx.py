"""Real builds with MaterialX, which can't be installed beside Material, with its blog and its
tags.
"""

import pytest

from tests.support.project import BASE, FIRST, SECOND, Project

pytestmark = pytest.mark.apart


def post(number: int, tag: str, text: str = "Text") -> str:
    head = f"date: 2023-0{number}-01\ncategories: [News]\nauthors: [ann]\ntags: [{tag}]\n"
    return f"---\n{head}---\n# Post {number}\n\n{text}\n\n<!-- more -->\n"


def test_posts_lists_profiles_and_tags_are_listed_with_the_dates_of_posts(project: Project) -> None:
    blog = (
        "materialx/blog: {post_url_format: '{slug}', pagination_per_page: 1, authors_profiles:"
        " true}"
    )
    project.config("search", blog, "materialx/tags", "sitemap-index", theme="materialx")
    project.pages("index.md", "blog/index.md", "guide/a.md", "guide/b.md")
    project.write("docs/tags.md", "# Tags\n\n<!-- material/tags { include: [old] } -->\n")
    project.write(
        "docs/blog/.authors.yml", "authors: {ann: {name: Ann, description: she, avatar: a.png}}\n"
    )
    project.write("docs/blog/posts/1.md", post(1, "new"))
    project.write("docs/blog/posts/2.md", post(2, "old"))
    project.commit(FIRST)
    project.write("docs/blog/posts/2.md", post(2, "old", "Changed"))
    project.commit(SECOND)
    built = project.build("--strict")
    assert built.code == 0, built.log
    assert built.pages == {
        BASE: FIRST,
        f"{BASE}tags/": SECOND,
        f"{BASE}guide/a/": FIRST,
        f"{BASE}guide/b/": FIRST,
        f"{BASE}blog/": SECOND,
        f"{BASE}blog/page/2/": None,
        f"{BASE}blog/archive/2023/": SECOND,
        f"{BASE}blog/archive/2023/page/2/": None,
        f"{BASE}blog/category/news/": SECOND,
        f"{BASE}blog/category/news/page/2/": None,
        f"{BASE}blog/author/ann/": SECOND,
        f"{BASE}blog/author/ann/page/2/": None,
        f"{BASE}blog/post-1/": FIRST,
        f"{BASE}blog/post-2/": SECOND,
    }
    assert built.index == {
        f"{BASE}sitemap-root.xml": SECOND,
        f"{BASE}guide/sitemap.xml": FIRST,
        f"{BASE}blog/sitemap.xml": SECOND,
    }
    assert built.flat == {url: lastmod and lastmod[:10] for url, lastmod in built.pages.items()}
