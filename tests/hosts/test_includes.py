"""A page changes with what it includes: real builds with the usual ways of including files."""

import pytest

from tests.support.project import BASE, FIRST, SECOND, THIRD, Built, Project

SNIPPETS = "[pymdownx.snippets]"


def including(project: Project, directive: str, *plugins: str, **options: str) -> None:
    """Write three pages of one day, of which the first includes a file that changed on another."""
    project.config("sitemap-index", *plugins, **options)
    project.pages("index.md", "guide/b.md")
    project.write("docs/guide/a.md", f"# A\n\n{directive}\n")
    project.write("parts/part.md", "Part\n")
    project.commit(FIRST)
    project.write("parts/part.md", "Changed part\n")
    project.commit(SECOND)


def dates(built: Built) -> dict[str, str | None]:
    assert built.code == 0, built.log
    return {url.removeprefix(BASE): date for url, date in built.pages.items()}


@pytest.mark.parametrize(
    ("directive", "plugins", "options"),
    [
        ('--8<-- "parts/part.md"', [], {"markdown_extensions": SNIPPETS}),
        (
            '```text\n--8<-- "part.md"\n```',
            [],
            {"markdown_extensions": "[{pymdownx.snippets: {base_path: parts}}]"},
        ),
        ('{% include-markdown "../../parts/part.md" %}', ["include-markdown"], {}),
        ('{% include "../../parts/*.md" %}', ["include-markdown"], {}),
    ],
)
def test_a_page_has_the_date_of_a_newer_file_that_it_includes(
    project: Project, directive: str, plugins: list[str], options: dict[str, str]
) -> None:
    including(project, directive, *plugins, **options)
    built = project.build("--strict")
    assert dates(built) == {"": FIRST, "guide/a/": SECOND, "guide/b/": FIRST}
    assert "Changed part" in (built.directory / "guide/a/index.html").read_text(encoding="utf-8")
    assert project.build("--strict", "--dirty", site="other").ours == built.ours


def test_a_page_that_is_newer_than_what_it_includes_keeps_its_date(project: Project) -> None:
    including(project, '--8<-- "parts/part.md"', markdown_extensions=SNIPPETS)
    project.write("docs/guide/a.md", '# A\n\nText\n\n--8<-- "parts/part.md"\n')
    project.commit(THIRD)
    assert dates(project.build("--strict"))["guide/a/"] == THIRD


def test_without_the_extension_its_notation_is_text(project: Project) -> None:
    including(project, '--8<-- "parts/part.md"')
    assert set(dates(project.build("--strict")).values()) == {FIRST}


def test_a_page_is_without_a_date_where_what_it_includes_has_none_and_the_log_names_the_file(project: Project) -> None:
    including(project, '--8<-- "parts/new.md"', markdown_extensions=SNIPPETS)
    project.write("parts/new.md", "New\n")
    built = project.build("--strict")
    assert dates(built) == {"": FIRST, "guide/a/": None, "guide/b/": FIRST}
    assert "1 of 3 pages: no reliable date was found" in built.log
    assert "1 made with parts/new.md, which is not committed to git." in built.log


def test_a_file_outside_the_repository_says_nothing(project: Project) -> None:
    inner = Project(project.root / "inner")
    project.write("outside.md", "Elsewhere\n")
    options = "[{pymdownx.snippets: {base_path: [..], restrict_base_path: false}}]"
    including(inner, '--8<-- "outside.md"', markdown_extensions=options)
    built = inner.build("--strict")
    assert dates(built)["guide/a/"] == FIRST
    assert "Elsewhere" in (built.directory / "guide/a/index.html").read_text(encoding="utf-8")


def test_a_file_of_an_installed_package_says_nothing_wherever_it_lies(project: Project) -> None:
    directive = '--8<-- ".venv/lib/python3/site-packages/theme/part.md"'
    project.write(".venv/lib/python3/site-packages/theme/part.md", "Installed\n")
    project.write(".gitignore", ".venv/\n")
    including(project, directive, markdown_extensions=SNIPPETS)
    assert dates(project.build("--strict"))["guide/a/"] == FIRST


def test_that_a_part_was_removed_dates_no_section(project: Project) -> None:
    """The index's date of a section is when its sitemap changed; a part that no page includes is not in it."""
    directive = '--8<-- "docs/guide/part.py"'
    project.config("sitemap-index", markdown_extensions=SNIPPETS)
    project.pages("index.md", "guide/b.md")
    project.write("docs/guide/a.md", f"# A\n\n{directive}\n")
    project.write("docs/guide/part.py", "x = 1\n")
    project.write("docs/guide/other.py", "x = 1\n")
    project.commit(FIRST)
    (project.root / "docs/guide/other.py").unlink()
    project.commit(SECOND)
    assert set(project.build("--strict").index.values()) == {FIRST}


def test_edits_of_an_included_file_that_are_not_committed_are_told(project: Project) -> None:
    including(project, '--8<-- "parts/part.md"', markdown_extensions=SNIPPETS)
    project.write("parts/part.md", "Changed again\n")
    built = project.build("--strict")
    assert dates(built)["guide/a/"] == SECOND
    assert "1 of 3 pages: edits are not committed" in built.log
