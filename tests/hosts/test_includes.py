"""A page changes with what it includes: a real build with the usual ways of including files."""

from tests.support.project import BASE, FIRST, SECOND, THIRD, Project

SNIPPETS = "[{pymdownx.snippets: {base_path: [., parts, ..], restrict_base_path: false}}]"
DIRECTIVES = {
    "snippet": '--8<-- "parts/part.md"',
    "fenced": '```text\n--8<-- "part.md"\n```',
    "included": '{% include-markdown "../parts/part.md" %}',
    "pattern": '{% include "../parts/p*.md" %}',
    "new": '--8<-- "parts/new.md"',
    "outside": '--8<-- "outside.md"',
    "installed": '--8<-- ".venv/lib/python3/site-packages/theme/part.md"',
    "edited": '--8<-- "parts/edited.md"',
}


def test_a_page_has_the_date_of_a_newer_file_that_it_includes_if_git_knows_that(
    project: Project,
) -> None:
    inner = Project(project.root / "inner")
    project.write("outside.md", "Elsewhere\n")
    inner.config("sitemap-index", "include-markdown", markdown_extensions=SNIPPETS)
    inner.write(".gitignore", ".venv/\n")
    for path in (
        "parts/part.md",
        "parts/edited.md",
        "parts/removed.md",
        ".venv/lib/python3/site-packages/theme/part.md",
    ):
        inner.write(path, "Part\n")
    inner.pages("index.md")
    for name, directive in DIRECTIVES.items():
        inner.write(f"docs/{name}.md", f"# {name}\n\n{directive}\n")
    inner.commit(FIRST)
    inner.write("parts/part.md", "Changed part\n")
    inner.commit(SECOND)
    inner.write("docs/newer.md", f"# Newer\n\n{DIRECTIVES['snippet']}\n")
    (inner.root / "parts/removed.md").unlink()  # which changes no page
    inner.commit(THIRD)
    inner.write("parts/new.md", "New\n")
    inner.write("parts/edited.md", "Edited\n")
    built = inner.build("--strict")
    assert built.code == 0, built.log
    assert {url.removeprefix(BASE).strip("/"): date for url, date in built.pages.items()} == {
        **dict.fromkeys(["", "outside", "installed", "edited"], FIRST),
        **dict.fromkeys(["snippet", "fenced", "included", "pattern"], SECOND),
        "newer": THIRD,
        "new": None,
    }
    for name in ("snippet", "fenced", "included", "pattern"):
        assert "Changed part" in (built.directory / name / "index.html").read_text(encoding="utf-8")
    assert "1 built with parts/new.md, which is not committed to git." in built.log
    assert (
        "1 of 10 pages: some edits are not committed, such as those of parts/edited.md. Dates"
        in built.log
    )
    assert built.pages == inner.build_by_command(built)
    inner.config("sitemap-index")  # without the extension, its notation is text
    assert inner.build(site="other").pages[f"{BASE}snippet/"] == FIRST
