"""Real builds with mkdocs-macros, which makes pages of templates and of data from elsewhere."""

import pytest

from tests.support.project import BASE, FIRST, SECOND, THIRD, Project

DEPENDENT = "---\ndepends: data/price\n---\n# Prices\n\n{{ price() }}\n"
READER = """\
from pathlib import Path


def define_env(env):
    @env.macro
    def price():
        return Path("data/price").read_text()
"""
"""A function that reads a file, which only the author of a page knows."""
MACROS = (
    "macros: {{include_dir: parts, on_error_fail: true, render_by_default: {0}, include_yaml:"
    " [{1}]}}"
)
YAML = "{prices: data/prices.yml}, data/more.yml"
MAIN = """\
def define_env(env):
    env.variables["version"] = "{0}"

    @env.macro
    def price(name):
        return name + "{0}"

    @env.filter
    def loud(text):
        return text + "{0}"
"""
CHANGED = {
    "data": "{{ prices.tea }}",
    "more": "{% for it in coffee %}{{ it }}{% endfor %}",
    "included": "{% include 'part.md' %}",
    "missing": "{% include 'missing.md' ignore missing %}{{ prices.tea }}",
    "imported": "{% from 'macros.md' import show %}{{ show() }}",
    "snippet": "{% include 'snippet.md' %}",
    "data of a part": "{% include 'data.md' %}",
    "function": "{{ price('tea') }}",
    "filter": "{{ 'tea' | loud }}",
    "variable": "{{ version }}",
}
"""What templates show that changes."""
SAME = {
    "settings": (
        "{{ config.site_name }} {{ extra.fixed }} {{ fixed }} {{ page.title }} {{"
        " environment.system }}"
    ),
    "raw": "{% raw %}{% include 'part.md' %} {{ prices.tea }}{% endraw %}",
    "local": "{% set prices = 'none' %}{{ prices }}",
    "own": "---\nprices: none\n---\n{{ prices }}",
    "no template": "---\nrender_macros: false\n---\n{{ prices.tea }}",
}
"""What templates show that stays the same."""
UNKNOWN = {
    "pages": "{{ navigation.pages | length }}",
    "files": "{{ files | length }}",
    "commit": "{{ git.short_commit }}",
    "computed": "{% include fixed + '.md' %}",
}
"""What templates show that no file dates."""


def templates(project: Project, tea: str) -> None:
    project.write("main.py", MAIN.format(tea))
    project.write("data/prices.yml", f"tea: {tea}\n")
    project.write("data/more.yml", f"coffee: [{tea}]\n")
    project.write("parts/part.md", f"{tea}\n")
    project.write("parts/macros.md", f"{{% macro show() %}}{tea}{{% endmacro %}}\n")


def names(pages: dict[str, str | None]) -> dict[str, str | None]:
    return {
        url.removeprefix(BASE).strip("/").replace("%20", " "): date for url, date in pages.items()
    }


def test_a_page_has_the_date_of_the_data_that_it_depends_on(project: Project) -> None:
    project.config("macros", "sitemap-index")
    project.write("main.py", READER)
    project.pages("index.md", "guide/a.md")
    project.write("docs/guide/prices.md", DEPENDENT)
    project.write("docs/guide/silent.md", "# Silent\n\n{{ price() }}\n")
    project.write("data/price", "1 guilder\n")
    project.commit(FIRST)
    project.write("docs/guide/a.md", "# {{ config.site_name }}\n")
    project.commit(SECOND)
    project.write("data/price", "2 guilders\n")
    project.commit(THIRD)
    built = project.build("--strict")
    assert built.code == 0, built.log
    assert "2 guilders" in (built.directory / "guide/prices/index.html").read_text()
    assert built.pages == {
        BASE: FIRST,
        f"{BASE}guide/a/": SECOND,
        f"{BASE}guide/prices/": THIRD,
        f"{BASE}guide/silent/": FIRST,
    }
    assert built.index == {f"{BASE}sitemap-root.xml": FIRST, f"{BASE}guide/sitemap.xml": THIRD}


@pytest.mark.parametrize("arguments", [(), ("--dirty",)])
def test_a_page_has_the_date_of_the_newest_data_template_or_function_that_it_shows(
    project: Project, arguments: tuple[str, ...]
) -> None:
    extensions = "[{pymdownx.snippets: {base_path: [parts]}}]"
    project.config(
        MACROS.format("true", YAML),
        "sitemap-index",
        markdown_extensions=extensions,
        extra="{fixed: computed}",
    )
    project.pages("index.md")
    templates(project, "first")
    project.write("parts/snippet.md", '--8<-- "part.md"\n')
    project.write("parts/data.md", "{{ prices.tea }}\n")
    project.write("parts/computed.md", "computed\n")
    for name, text in (CHANGED | SAME | UNKNOWN).items():
        project.write(f"docs/{name}.md", text)
    project.commit(FIRST)
    templates(project, "second")
    project.commit(SECOND)
    project.build()
    built = project.build(*arguments)
    assert built.code == 0, built.log
    assert names(built.pages) == {
        **dict.fromkeys(["", *SAME], FIRST),
        **dict.fromkeys(CHANGED, SECOND),
        **dict.fromkeys(UNKNOWN),
    }
    for name in CHANGED:
        assert "second" in (built.directory / name / "index.html").read_text(), name
    assert f"{len(UNKNOWN)} made from a template that shows other pages or data." in built.log
    assert built.pages == project.build_by_command(built)


def test_only_the_pages_that_are_templates_show_data(project: Project) -> None:
    project.config(MACROS.format("false", YAML), "sitemap-index")
    project.pages("index.md")
    templates(project, "first")
    project.write("docs/text.md", "{{ prices.tea }}")
    project.write("docs/template.md", "---\nrender_macros: true\n---\n{{ prices.tea }}")
    project.commit(FIRST)
    templates(project, "second")
    project.commit(SECOND)
    built = project.build()
    assert built.code == 0, built.log
    assert names(built.pages) == {"": FIRST, "text": FIRST, "template": SECOND}
    assert built.pages == project.build_by_command(built)


def test_a_page_with_directives_of_include_markdown_can_be_a_template_too(project: Project) -> None:
    project.config("include-markdown", MACROS.format("true", YAML), "sitemap-index")
    project.pages("index.md")
    templates(project, "first")
    project.write("parts/same.txt", "Same\n")
    project.write("parts/data.txt", "{{ prices.tea }}\n")
    project.write(
        "docs/data.md", '{% include-markdown "../parts/same.txt" %}\n\n{{ prices.tea }}\n'
    )
    project.write("docs/included.md", '{% include "../parts/data.txt" %}\n')
    project.write("docs/same.md", '{% include "../parts/same.txt" %}\n')
    project.commit(FIRST)
    templates(project, "second")
    project.commit(SECOND)
    built = project.build()
    assert built.code == 0, built.log
    assert "second" in (built.directory / "data/index.html").read_text()
    assert names(built.pages) == {"": FIRST, "data": SECOND, "included": SECOND, "same": FIRST}
    assert built.pages == project.build_by_command(built)
