"""Real builds with Material's blog, which makes posts, and pages that list them by time, year and category."""

from tests.support.project import BASE, FIRST, SECOND, Project

BLOG = "blog: {post_url_format: '{date}/{slug}', pagination_per_page: 2}"


def post(number: int, category: str, *, text: str = "Text", date: str = "") -> str:
    head = f"date: {date or f'2023-0{number}-01'}\ncategories: [{category}]\n"
    return f"---\n{head}---\n# Post {number}\n\n{text}\n\n<!-- more -->\n"


def write(project: Project, *plugins: str) -> None:
    """Write four posts, the first of them changed later, the last one dated by its author, and a draft."""
    project.config(*plugins, theme="material")
    project.pages("index.md", "blog/index.md")
    project.write("docs/blog/posts/1.md", post(1, "Old news"))
    project.write("docs/blog/posts/2.md", post(2, "News"))
    project.write("docs/blog/posts/3.md", post(3, "News"))
    project.write("docs/blog/posts/4.md", post(4, "News", date="{created: 2023-04-01, updated: 2023-05-05}"))
    project.write("docs/blog/posts/5.md", post(5, "News").replace("---\n", "---\ndraft: true\n", 1))
    project.commit(FIRST)
    project.write("docs/blog/posts/1.md", post(1, "Old news", text="Changed"))
    project.commit(SECOND)


def test_posts_archives_categories_and_their_later_pages_are_listed_with_the_dates_of_posts(
    project: Project,
) -> None:
    write(project, BLOG, "sitemap-index")
    built = project.build("--strict")
    assert built.code == 0, built.log
    assert built.pages == {
        BASE: FIRST,
        f"{BASE}blog/": SECOND,
        f"{BASE}blog/page/2/": SECOND,
        f"{BASE}blog/2023/01/01/post-1/": SECOND,
        f"{BASE}blog/2023/02/01/post-2/": FIRST,
        f"{BASE}blog/2023/03/01/post-3/": FIRST,
        f"{BASE}blog/2023/04/01/post-4/": "2023-05-05",
        f"{BASE}blog/archive/2023/": SECOND,
        f"{BASE}blog/archive/2023/page/2/": SECOND,
        f"{BASE}blog/category/news/": FIRST,
        f"{BASE}blog/category/news/page/2/": FIRST,
        f"{BASE}blog/category/old-news/": SECOND,
    }
    assert built.index == {f"{BASE}sitemap-root.xml": FIRST, f"{BASE}blog/sitemap.xml": SECOND}
    assert set(built.flat) == set(built.pages)


def test_the_second_and_later_pages_of_lists_can_be_left_out(project: Project) -> None:
    write(project, BLOG, "sitemap-index: {pagination: false}")
    built = project.build("--strict")
    assert built.code == 0, built.log
    assert set(built.flat) - set(built.pages) == {
        f"{BASE}blog/page/2/",
        f"{BASE}blog/archive/2023/page/2/",
        f"{BASE}blog/category/news/page/2/",
    }
    assert "left out: 3 beyond the first page of a list" in built.log


def test_years_and_categories_can_be_sections(project: Project) -> None:
    write(project, "sitemap-index: {section_depth: 2}", BLOG)
    built = project.build("--strict")
    assert built.code == 0, built.log
    assert built.index == {
        f"{BASE}sitemap-root.xml": FIRST,
        f"{BASE}blog/sitemap.xml": SECOND,
        f"{BASE}blog/2023/sitemap.xml": SECOND,
        f"{BASE}blog/archive/sitemap.xml": SECOND,
        f"{BASE}blog/category/sitemap.xml": SECOND,
    }
