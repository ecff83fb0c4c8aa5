"""Real builds with mkdocs-gen-files, whose pages come from programs and not from the docs directory."""

from tests.support.project import BASE, FIRST, SECOND, THIRD, Project

GENERATOR = """\
import mkdocs_gen_files

with mkdocs_gen_files.open("reference/named.md", "w") as page:
    print("# From a module", file=page)
mkdocs_gen_files.set_edit_path("reference/named.md", "../source.py")
with mkdocs_gen_files.open("reference/nameless.md", "w") as page:
    print("# From nothing that is known", file=page)
with mkdocs_gen_files.open("guide/a.md", "a") as page:
    print("More of it.", file=page)
"""


def test_generated_pages_have_the_date_of_the_file_that_their_edit_link_names_or_none(project: Project) -> None:
    project.config(
        "gen-files: {scripts: [generate.py]}",
        "sitemap-index",
        repo_url="https://example.com/o/r",
        edit_uri="edit/main/docs/",
    )
    project.write("generate.py", GENERATOR)
    project.write("source.py", "first = 1\n")
    project.pages("index.md", "guide/a.md", "guide/b.md")
    project.commit(FIRST)
    project.write("source.py", "second = 2\n")
    project.commit(SECOND)
    project.write("docs/guide/a.md", "# Changed\n")
    project.commit(THIRD)
    built = project.build("--strict")
    assert built.code == 0, built.log
    assert built.pages == {
        BASE: FIRST,
        f"{BASE}guide/a/": THIRD,
        f"{BASE}guide/b/": FIRST,
        f"{BASE}reference/named/": SECOND,
        f"{BASE}reference/nameless/": None,
    }
    assert built.index == {
        f"{BASE}sitemap-root.xml": FIRST,
        f"{BASE}guide/sitemap.xml": THIRD,
        f"{BASE}reference/sitemap.xml": SECOND,
    }
    assert "1 without a date" in built.log
    assert "More of it." in (built.directory / "guide/a/index.html").read_text()
