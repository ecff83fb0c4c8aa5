"""A page changes with the data that it shows: real builds with plugins for tables, descriptions of
APIs and text.
"""

import json
from typing import TYPE_CHECKING

import pytest

from tests.support.project import BASE, FIRST, SECOND, Project

if TYPE_CHECKING:
    from tests.support.servers import Server

PLUGINS = (
    "table-reader: {data_path: tables}",
    "render_swagger",
    "neoteroi.mkdocsoad",
    "swagger-ui-tag",
    "redoc-tag",
)
EXTENSIONS = "[{markdown_include.include: {base_path: parts}}, pymdownx.superfences]"
CHANGED = {
    "csv": "{{ read_csv('x.csv', sep=',') }}",
    "named": "{{ read_csv(sep=',', filepath_or_buffer='x.csv') }}",
    "yaml beside": "{{ read_yaml('beside.yml') }}",
    "raw": "```\n{{ read_raw('x.csv') }}\n```",
    "swagger": "!!swagger api.json!!",
    "oad": "[OAD('api.json')]",
    "tag": "# A\n\n<swagger-ui src='api.json'/>",
    "referring tag": "<swagger-ui src='referring.json'></swagger-ui>",
    "redoc": '<redoc src="/api.json?v=2"/>',
    "included": "{!part.md!}",
    "included table": "{!table.md!}",
}
"""How pages show a file that changes."""
SAME = {
    "other": "{{ read_csv('same.csv') }}",
    "fenced": "```html\n<swagger-ui src='api.json'/>\n```",
    "commented": "<!-- <redoc src='api.json'/> -->",
    "mentioned": "`<redoc src='api.json'/>` and api.json, {{ read_csv }}.",
}
UNKNOWN = {"missing": "<redoc src='made-after-the-build.json'/>"}


def names(pages: dict[str, str | None]) -> dict[str, str | None]:
    return {
        url.removeprefix(BASE).strip("/").replace("%20", " "): date for url, date in pages.items()
    }


def api(title: str, **paths: object) -> str:
    return json.dumps(
        {"openapi": "3.0.0", "info": {"title": title, "version": "1"}, "paths": paths}
    )


def data(project: Project, what: str) -> None:
    project.write("tables/x.csv", f"a,b\n1,{what}\n")
    project.write("docs/beside.yml", f"- a: {what}\n")
    project.write("docs/api.json", api(what))
    project.write("parts/part.md", what)


def test_a_page_has_the_date_of_the_newest_data_that_it_shows(project: Project) -> None:
    project.config(*PLUGINS, "sitemap-index", markdown_extensions=EXTENSIONS)
    project.pages("index.md")
    project.write("tables/same.csv", "a,b\n1,2\n")
    project.write(
        "docs/referring.json", api("Referring", **{"/x": {"$ref": "./api.json#/paths/x"}})
    )
    project.write("parts/table.md", "{!part.md!}\n")
    for name, text in (CHANGED | SAME | UNKNOWN).items():
        project.write(f"docs/{name}.md", f"{text}\n")
    data(project, "first")
    project.commit(FIRST)
    data(project, "second")
    project.commit(SECOND)
    built = project.build()
    assert built.code == 0, built.log
    assert names(built.pages) == {
        **dict.fromkeys(["", *SAME], FIRST),
        **dict.fromkeys(CHANGED, SECOND),
        **dict.fromkeys(UNKNOWN),
    }
    for name in ("csv", "named", "yaml beside", "raw", "oad", "included", "included table"):
        assert "second" in (built.directory / name / "index.html").read_text(encoding="utf-8"), name
    assert (
        "1 built with made-after-the-build.json, which is in no file of the repository" in built.log
    )
    assert built.pages == project.build_by_command(built)
    project.config("sitemap-index")  # without the plugins, their notations are text
    assert set(project.build(site="other").pages.values()) == {FIRST}


def test_a_page_of_a_template_has_the_date_of_the_newest_table_that_it_shows(
    project: Project,
) -> None:
    project.config(
        "macros", "table-reader: {data_path: tables}", "sitemap-index", extra="{table: x.csv}"
    )
    project.pages("index.md")
    shown = {
        "table": "{{ read_csv('x.csv') }}",
        "rows": "{% set rows = pd_read_csv('x.csv') %}{{ rows | convert_to_md_table }}",
        "raw": "{% raw %}{{ read_csv('x.csv') }}{% endraw %}",
        "computed": "{{ read_csv(table) }}",
    }
    for name, text in shown.items():
        project.write(f"docs/{name}.md", f"{text}\n")
    data(project, "first")
    project.commit(FIRST)
    data(project, "second")
    project.commit(SECOND)
    built = project.build()
    assert built.code == 0, built.log
    assert names(built.pages) == {
        "": FIRST,
        "table": SECOND,
        "rows": SECOND,
        "raw": FIRST,
        "computed": None,
    }
    assert built.pages == project.build_by_command(built)


@pytest.mark.parametrize(
    ("plugin", "extension", "text"),
    [
        ("", "{pymdownx.snippets: {url_download: true}}", '--8<-- "{}part.md"'),
        ("include-markdown", "toc", '{{% include "{}part.md" %}}'),
        ("", "mdx_include", "{{! {}part.md !}}"),
        ("external-markdown", "toc", "{{{{ external_markdown('{}part.md', '') }}}}"),
        ("neoteroi.mkdocsoad", "toc", "[OAD({}api.json)]"),
        ("render_swagger", "toc", "!!swagger-http {}api.json!!"),
        ("redoc-tag", "toc", '<redoc src="{}api.json"/>'),
    ],
)
def test_a_page_that_shows_something_from_a_server_has_no_date(
    project: Project, server: "Server", plugin: str, extension: str, text: str
) -> None:
    server.serve("/part.md", "Downloaded text\n", Content_Type="text/plain")
    server.serve("/api.json", api("Downloaded"), Content_Type="application/json")
    plugins = [plugin] if plugin else []
    project.config(
        *plugins, "include-markdown", "sitemap-index", markdown_extensions=f"[{extension}]"
    )
    project.pages("index.md")
    shown = text.format(server.base)
    project.write("docs/page.md", f"# Page\n\n{shown}\n")
    project.write("docs/part.txt", f"{shown}\n")
    project.write("docs/including.md", '{% include "part.txt" %}\n')
    project.commit(FIRST)
    built = project.build(no_proxy="127.0.0.1")
    assert built.code == 0, built.log
    assert names(built.pages) == {"": FIRST, "page": None, "including": None}
    assert built.pages == project.build_by_command(built)
    name = f"{server.base}{'api.json' if 'api' in text else 'part.md'}"
    assert f"2 built with {name}, which is downloaded from the web" in built.log
    project.config("sitemap-index")  # without the tools, their notations are text
    assert set(project.build(site="other").pages.values()) == {FIRST}
