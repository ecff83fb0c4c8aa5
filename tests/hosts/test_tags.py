"""Real builds with Material's tags, which lists on one page the pages that bear each tag."""

from tests.support.project import BASE, FIRST, SECOND, THIRD, Project


def tagged(title: str, *tags: str) -> str:
    return f"---\ntags: [{', '.join(tags)}]\n---\n# {title}\n"


def site(project: Project) -> None:
    """Write two pages of lists, one of all tags and one of a single tag, and three tagged pages."""
    project.config("tags", "sitemap-index", theme="material")
    project.pages("index.md")
    project.write("docs/tags.md", "# Tags\n\n<!-- material/tags -->\n")
    project.write("docs/red.md", "# Red\n\n<!-- material/tags { include: [red] } -->\n")
    project.write("docs/guide/a.md", tagged("A", "red"))
    project.write("docs/guide/b.md", tagged("B", "blue"))
    project.write("docs/guide/c.md", tagged("C", "blue", "red/dark"))
    project.commit(FIRST)
    project.write("docs/guide/b.md", tagged("Changed", "blue"))
    project.commit(SECOND)


def test_a_page_of_tags_has_the_newest_date_of_the_pages_that_it_lists(project: Project) -> None:
    site(project)
    built = project.build("--strict")
    assert built.code == 0, built.log
    assert built.pages == {
        BASE: FIRST,
        f"{BASE}tags/": SECOND,
        f"{BASE}red/": FIRST,
        f"{BASE}guide/a/": FIRST,
        f"{BASE}guide/b/": SECOND,
        f"{BASE}guide/c/": FIRST,
    }
    assert built.index == {f"{BASE}sitemap-root.xml": SECOND, f"{BASE}guide/sitemap.xml": SECOND}
    assert built.flat == {url: lastmod and lastmod[:10] for url, lastmod in built.pages.items()}


def test_a_page_of_tags_that_its_author_changed_last_has_its_own_date_unless_one_that_it_lists_has_none(
    project: Project,
) -> None:
    site(project)
    project.write("docs/red.md", "# Red things\n\n<!-- material/tags { include: [red] } -->\n")
    project.commit(THIRD)
    project.write("docs/guide/new.md", tagged("Not committed", "blue"))
    pages = project.build().pages
    assert pages[f"{BASE}guide/new/"] is None
    assert (pages[f"{BASE}red/"], pages[f"{BASE}tags/"]) == (THIRD, None)


LINK = """\
from material.plugins.tags.structure.mapping import Mapping
from material.plugins.tags.structure.tag import Tag
from mkdocs.plugins import event_priority
from mkdocs.structure.nav import Link

@event_priority(110)
def on_env(env, config, files):
    elsewhere = Mapping(Link("Elsewhere", "https://elsewhere.example/"), tags=[Tag("blue")])
    config.plugins["material/tags"].mappings.data["elsewhere"] = elsewhere
"""


def test_a_tagged_page_of_another_site_says_nothing_about_dates(project: Project) -> None:
    site(project)
    project.config("tags", "sitemap-index", theme="material", hooks="[link.py]")
    project.write("link.py", LINK)
    project.commit(THIRD)
    built = project.build("--strict")
    assert built.code == 0, built.log
    assert 'href="https://elsewhere.example/"' in (built.directory / "tags/index.html").read_text()
    assert built.pages[f"{BASE}tags/"] == SECOND


def test_the_index_of_a_blog_with_a_list_of_tags_has_the_date_of_what_both_list(
    project: Project,
) -> None:
    project.config("blog", "tags", "sitemap-index", theme="material")
    project.pages("index.md")
    project.write("docs/blog/index.md", "# Blog\n\n<!-- material/tags -->\n")
    project.write("docs/blog/posts/1.md", "---\ndate: 2024-01-01\n---\n# Post\n")
    project.write("docs/guide/a.md", tagged("A", "red"))
    project.commit(FIRST)
    project.write("docs/guide/a.md", tagged("Changed", "red"))
    project.commit(SECOND)
    assert project.build().pages[f"{BASE}blog/"] == SECOND
