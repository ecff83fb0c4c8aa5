"""Real builds of Material sites with all at once of the plugins that make, move, list and rewrite
pages.
"""

from pathlib import Path

from tests.support.project import BASE, FIRST, SECOND, Project

GENERATOR = """\
import mkdocs_gen_files

with mkdocs_gen_files.open("reference/made.md", "w") as page:
    print("# Made from source", file=page)
mkdocs_gen_files.set_edit_path("reference/made.md", "../source.py")
with mkdocs_gen_files.open("reference/index.md", "w") as page:
    print("# Made from nothing", file=page)
with mkdocs_gen_files.open("guide/a.md", "a") as page:
    print("added", file=page)
"""


def test_all_pages_but_redirects_and_the_page_to_print_are_listed_with_the_dates_of_what_they_are_made_of(
    project: Project,
) -> None:
    project.config(
        "search",
        "tags",
        "blog: {post_url_format: '{slug}', pagination_per_page: 2}",
        "gen-files: {scripts: [generate.py]}",
        "literate-nav",
        "macros",
        "exclude: {glob: ['private/*']}",
        "redirects: {redirect_maps: {'old.md': 'guide/a.md'}}",
        "git-revision-date-localized: {fallback_to_build_date: true}",
        "sitemap-index",
        "minify: {minify_html: true}",
        "print-site",
        theme="material",
        repo_url="https://example.com/o/r",
        edit_uri="edit/main/docs/",
    )
    project.write("generate.py", GENERATOR)
    project.write("source.py", "pass\n")
    project.pages("index.md", "guide/a.md", "guide/b.md", "blog/index.md", "private/a.md")
    project.write("docs/tags.md", "# Tags\n\n<!-- material/tags -->\n")
    for number in (1, 2, 3):
        front = f"---\ndate: 2023-0{number}-01\ncategories: [News]\ntags: [t]\n---\n"
        project.write(
            f"docs/blog/posts/{number}.md", f"{front}# Post {number}\n\nText\n<!-- more -->\n"
        )
    project.write(
        "docs/blog/posts/4.md",
        "---\ndate: {created: 2023-04-01, updated: 2023-05-05}\n---\n# Post 4\n",
    )
    project.commit(FIRST)
    project.write(
        "docs/blog/posts/1.md",
        "---\ndate: 2023-01-01\ncategories: [News]\n---\n# Post 1\n\nChanged\n",
    )
    project.write("source.py", "changed = True\n")
    project.commit(SECOND)
    built = project.build()
    assert built.code == 0, built.log
    assert built.pages == {
        BASE: FIRST,
        f"{BASE}tags/": FIRST,
        f"{BASE}guide/a/": FIRST,
        f"{BASE}guide/b/": FIRST,
        f"{BASE}reference/": None,
        f"{BASE}reference/made/": SECOND,
        f"{BASE}blog/": FIRST,
        f"{BASE}blog/page/2/": None,
        f"{BASE}blog/archive/2023/": FIRST,
        f"{BASE}blog/archive/2023/page/2/": None,
        f"{BASE}blog/category/news/": FIRST,
        f"{BASE}blog/category/news/page/2/": None,
        f"{BASE}blog/post-1/": SECOND,
        f"{BASE}blog/post-2/": FIRST,
        f"{BASE}blog/post-3/": FIRST,
        f"{BASE}blog/post-4/": "2023-05-05",
    }
    assert built.index == {
        f"{BASE}sitemap-root.xml": FIRST,
        f"{BASE}guide/sitemap.xml": FIRST,
        f"{BASE}reference/sitemap.xml": SECOND,
        f"{BASE}blog/sitemap.xml": SECOND,
    }
    assert set(built.flat) == set(built.pages)
    rendered = {
        path.parent.relative_to(built.directory) for path in built.directory.rglob("index.html")
    }
    listed = {Path(url.removeprefix(BASE)) for url in built.pages}
    assert rendered - listed == {Path("old"), Path("print_page")}
    assert not listed - rendered
