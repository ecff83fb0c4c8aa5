"""Real builds with Material's blog, which makes posts, and pages that list them by time, year and
category.
"""

import pytest

from tests.support.project import BASE, DATES, FIRST, SECOND, THIRD, Built, Project

BLOG = "blog: {post_url_format: '{date}/{slug}', pagination_per_page: 2}"


def post(number: int, category: str, *, text: str = "Text", date: str = "") -> str:
    head = f"date: {date or f'2023-0{number}-01'}\ncategories: [{category}]\n"
    return f"---\n{head}---\n# Post {number}\n\n{text}\n\n<!-- more -->\n"


def write(project: Project, *plugins: str) -> None:
    """Write four posts, the first of them changed later, the last one dated by its author, and a
    draft.
    """
    project.config(*plugins, theme="{name: material, custom_dir: theme}")
    project.write("theme/main.html", DATES)
    project.pages("index.md", "blog/index.md")
    project.write("docs/blog/posts/1.md", post(1, "Old news"))
    project.write("docs/blog/posts/2.md", post(2, "News"))
    project.write("docs/blog/posts/3.md", post(3, "News"))
    project.write(
        "docs/blog/posts/4.md", post(4, "News", date="{created: 2023-04-01, updated: 2023-05-05}")
    )
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
        f"{BASE}blog/": FIRST,
        f"{BASE}blog/page/2/": None,
        f"{BASE}blog/2023/01/01/post-1/": SECOND,
        f"{BASE}blog/2023/02/01/post-2/": FIRST,
        f"{BASE}blog/2023/03/01/post-3/": FIRST,
        f"{BASE}blog/2023/04/01/post-4/": "2023-05-05",
        f"{BASE}blog/archive/2023/": FIRST,
        f"{BASE}blog/archive/2023/page/2/": None,
        f"{BASE}blog/category/news/": FIRST,
        f"{BASE}blog/category/news/page/2/": None,
        f"{BASE}blog/category/old-news/": SECOND,
    }
    assert built.index == {f"{BASE}sitemap-root.xml": FIRST, f"{BASE}blog/sitemap.xml": SECOND}
    assert set(built.flat) == set(built.pages)
    assert built.shown == {url: [date or "", date or ""] for url, date in built.pages.items()}


def test_the_second_and_later_pages_of_lists_can_be_left_out(project: Project) -> None:
    write(project, BLOG, "sitemap-index: {pagination: false}")
    built = project.build("--strict")
    assert built.code == 0, built.log
    assert not any("/page/2/" in url for url in built.pages)
    assert set(built.flat) == set(built.pages)
    assert "omitted: 3 pagination pages" in built.log


def test_two_posts_at_one_url_are_both_named(project: Project) -> None:
    write(project, "blog: {post_url_format: '{date}'}", "sitemap-index")
    project.write("docs/blog/posts/same.md", post(2, "News", text="Another"))
    project.commit(SECOND)
    built = project.build("--strict")
    assert built.code == 0, built.log
    url = f"{BASE}blog/2023/02/01/"
    assert "Another" in (built.directory / "blog/2023/02/01/index.html").read_text()
    assert (
        "blog/posts/2.md: blog/posts/same.md overwrites its file, so readers find that page at"
        f" {url}" in built.log
    )
    assert "[shared-url]" in built.log
    assert (built.pages[url], built.flat[url]) == (SECOND, SECOND[:10])


def lists(built: Built, *names: str) -> dict[str, tuple[str | None, ...]]:
    """Read the dates of the pages of each list, its first page first."""
    assert built.code == 0, built.log
    found: dict[str, tuple[str | None, ...]] = {}
    for name in names:
        pages = [
            url
            for url in built.pages
            if url == f"{BASE}{name}" or url.startswith(f"{BASE}{name}page/")
        ]
        found[name] = tuple(built.pages[url] for url in sorted(pages))
    return found


ALL = ("blog/", "blog/archive/2023/", "blog/category/news/")


@pytest.fixture
def paged(project: Project) -> Project:
    """Write nine posts, of which each list shows two on a page, all committed on one day."""
    project.config(BLOG, "sitemap-index", theme="material")
    project.pages("index.md", "blog/index.md")
    for number in range(1, 10):
        project.write(f"docs/blog/posts/{number}.md", post(number, "News"))
    project.commit(FIRST)
    return project


LATER = (None,) * 4
"""The later pages of a list have no date."""


def test_a_change_of_a_post_dates_the_first_page_if_that_shows_it(paged: Project) -> None:
    paged.write("docs/blog/posts/5.md", post(5, "News", text="Changed"))
    paged.commit(SECOND)
    built = paged.build("--strict")
    assert lists(built, *ALL) == dict.fromkeys(ALL, (FIRST, *LATER))
    assert "INFO    -  sitemap-index: 12 of 25 pages: no reliable date was found" in built.log
    assert "12 among the later pages of a list, which have no date of their own" in built.log
    paged.write("docs/blog/posts/9.md", post(9, "News", text="Changed"))
    paged.commit(THIRD)
    assert lists(paged.build("--strict"), *ALL) == dict.fromkeys(ALL, (THIRD, *LATER))


def test_pinned_posts_are_dated_where_they_stand(paged: Project) -> None:
    paged.write("docs/blog/posts/1.md", post(1, "News").replace("---\n", "---\npin: true\n", 1))
    paged.commit(SECOND)
    assert lists(paged.build("--strict"), "blog/") == {"blog/": (SECOND, *LATER)}


def test_a_shallow_clone_dates_no_list_of_which_a_post_may_be_newer(paged: Project) -> None:
    paged.write("docs/blog/posts/9.md", post(9, "News", text="Changed"))
    paged.commit(SECOND)
    paged.write("docs/blog/posts/7.md", post(7, "News", text="Changed"))
    paged.commit(THIRD)
    paged.git("clone", "-q", "--depth=2", f"file://{paged.root}", "shallow")
    built = Project(paged.root / "shallow").build()
    assert lists(built, "blog/") == {"blog/": (None, *LATER)}


def test_a_heading_that_is_not_committed_undates_no_page_but_its_own(paged: Project) -> None:
    paged.git("rm", "-q", "docs/blog/index.md")
    paged.commit(SECOND)
    found = lists(paged.build("--strict"), *ALL)
    assert found == dict.fromkeys(ALL, (FIRST, *LATER)) | {"blog/": (None, *LATER)}


def test_a_list_that_does_not_go_over_pages_has_the_newest_date_of_all(paged: Project) -> None:
    paged.config(
        "blog: {post_url_format: '{slug}', pagination: false}", "sitemap-index", theme="material"
    )
    paged.write("docs/blog/posts/5.md", post(5, "News", text="Changed"))
    paged.commit(SECOND)
    assert lists(paged.build("--strict"), *ALL) == dict.fromkeys(ALL, (SECOND,))
