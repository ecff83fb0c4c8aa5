"""The dates of pages that show other files, as `smindex build` finds them in projects of MkDocs and Zensical."""

import sys
from collections.abc import Callable, Collection
from pathlib import Path

import pytest

from smindex_plugins.base.dates import utc
from smindex_plugins.cli.main import main
from tests.support.history import Repo, day
from tests.support.listed import listed

BASE = "https://e.org/"
OWN, SHOWN, LATER = 1, 5, 9
"""The days on which a page, the files that it shows, and all other files were committed."""
Dated = Callable[..., float | None]

SNIPPETS = (
    "markdown_extensions:\n  - pymdownx.snippets: {base_path: [parts, docs]}\n",
    '[project.markdown_extensions.pymdownx.snippets]\nbase_path = ["parts", "docs"]\n',
)
INCLUDE = ("plugins: [include-markdown]\n", "[project.plugins.include-markdown]\n")
BOTH = (INCLUDE[0] + SNIPPETS[0], INCLUDE[1] + SNIPPETS[1])
MACROS = (
    """\
extra: {fixed: 1}
plugins:
  - macros: {include_dir: parts, include_yaml: [{team: team.yml}, data.yml], modules: [pluglet]}
""",
    """\
[project.extra]
fixed = 1
[project.markdown_extensions.zensical.extensions.macros]
include_dir = "parts"
include_yaml = [{team = "team.yml"}, "data.yml"]
modules = ["pluglet"]
""",
)
TABLES = (
    "plugins: [{table-reader: {data_path: tables}}]\n",
    '[project.markdown_extensions.zensical.extensions.table_reader]\ndata_path = "tables"\n',
)
TABLES_OF_MACROS = (
    "plugins: [macros, {table-reader: {data_path: tables}}]\n",
    '[project.plugins.macros]\n[project.plugins.table-reader]\ndata_path = "tables"\n',
)
MKDOCSTRINGS = (
    "plugins:\n  - mkdocstrings: {handlers: {python: {paths: [src]}}}\n" + SNIPPETS[0],
    '[project.plugins.mkdocstrings.handlers.python]\npaths = ["src"]\n' + SNIPPETS[1],
)
API = ("plugins: [render_swagger, redoc-tag, swagger-ui-tag]\n", "")
"""Tools that Zensical does not have."""
EXTRA = (
    "plugins: [markdownextradata]\n",
    "[project.markdown_extensions.zensical.extensions.markdownextradata]\n",
)
NOTHING = ("plugins: []\n", "[project.plugins]\n")

MAIN = """\
from lib import cost


def define_env(env):
    env.macro(cost)
    env.variables["version"] = 1

    @env.macro
    def sum_of(): ...

    @env.filter
    def loud(text): ...


raise RuntimeError
"""
FILES = {
    "parts/part.md": "Part",
    "parts/outer.md": '--8<-- "part.md"',
    "parts/shows.md": "{{ price }}",
    "parts/block.md": "::: package.core",
    "docs/near.md": "Near",
    "docs/includes.md": '{% include-markdown "near.md" %}',
    "docs/_data/people.yml": "ann: 1",
    "data.yml": "price: 1",
    "team.yml": "lead: Ann",
    "main.py": MAIN,
    "lib.py": "from pathlib import Path\n\nPath('ran').touch()\n\n\ndef cost(): ...\n",
    "pluglet.py": "def define_env(env):\n    @env.macro\n    def plugged(): ...\n",
    "tables/x.csv": "a,b",
    "docs/api.json": '{"paths": {"$ref": "schema.json#/paths"}}',
    "docs/schema.json": "{}",
    "src/package/__init__.py": "from package.core import start\nfrom other import stop\n\nraise RuntimeError\n",
    "src/package/core.py": "def start(): ...\n",
    "src/package/inner.py": "def inside(): ...\n",
    "src/package/old.py": "def end(): ...\n",
    "src/other/__init__.py": "from other.inner import stop\n",
    "src/other/inner.py": "def stop(): ...\n",
}
"""The files that pages can show. Code that runs leaves a file, or fails."""
CASES = {
    "a snippet": (SNIPPETS, '--8<-- "part.md"', ["parts/part.md"]),
    "a snippet in a block of code": (SNIPPETS, '```\n--8<-- "part.md"\n```', ["parts/part.md"]),
    "a nested snippet": (SNIPPETS, '--8<-- "outer.md"', ["parts/outer.md", "parts/part.md"]),
    "a snippet without the extension": (NOTHING, '--8<-- "part.md"', []),
    "include-markdown": (INCLUDE, '{% include-markdown "../parts/part.md" %}', ["parts/part.md"]),
    "include": (INCLUDE, '{% include "near.md" %}', ["docs/near.md"]),
    "a nested directive": (
        INCLUDE,
        '{% include "./includes.md" %}',
        ["docs/includes.md", "docs/near.md"],
    ),
    "a snippet in an included file": (
        BOTH,
        '{% include "../parts/outer.md" %}',
        ["parts/outer.md", "parts/part.md"],
    ),
    "a template": (MACROS, "{% include 'part.md' %}", ["parts/part.md"]),
    "a variable of a template": (
        MACROS,
        "{% include 'shows.md' %}",
        ["parts/shows.md", "data.yml"],
    ),
    "a variable": (MACROS, "{{ price }}", ["data.yml"]),
    "a variable of a name": (MACROS, "{{ team.lead }}", ["team.yml"]),
    "a function": (MACROS, "{{ sum_of() }}", ["main.py"]),
    "a filter": (MACROS, "{{ 'a' | upper | loud }}", ["main.py"]),
    "a function of another module": (MACROS, "{{ cost() }}", ["lib.py"]),
    "a function of a pluglet": (MACROS, "{{ plugged() }}", ["pluglet.py"]),
    "a variable of the module": (MACROS, "{{ version }}", ["main.py", "lib.py", "pluglet.py"]),
    "a computed variable": (MACROS, "{{ computed }}", None),
    "the last commit": (MACROS, "{{ git.short_commit }}", None),
    "the navigation": (MACROS, "{% for each in navigation.pages %}{% endfor %}", None),
    "a computed template": (MACROS, "{% include fixed ~ '.md' %}", None),
    "a tag of an unknown extension": (MACROS, "{% other %}", None),
    "more data of the page": (MACROS, "---\ninclude_yaml: [data.yml]\n---\n{{ price }}", None),
    "settings": (
        MACROS,
        "{{ fixed }} {{ config.site_name }} {{ now() }} {{ range(3) }} {{ page.title | pretty }}",
        [],
    ),
    "a template that is only shown": (MACROS, "{% raw %}{{ price }}{% endraw %}", []),
    "a local variable": (MACROS, "{% set price = 1 %}{{ price }}", []),
    "a variable of the page": (MACROS, "---\nprice: 2\n---\n{{ price }}", []),
    "no template": (MACROS, "---\nrender_macros: false\n---\n{{ price }}", []),
    "a name that the modules do not mention": (TABLES_OF_MACROS, "{{ fixed }}", None),
    "a table": (TABLES, "{{ read_csv('x.csv') }}", ["tables/x.csv"]),
    "a table of a template": (TABLES_OF_MACROS, "{{ read_csv('x.csv') }}", ["tables/x.csv"]),
    "extra data": (EXTRA, "{{ people.ann }}", None),
    "no extra data": (EXTRA, "Text", []),
    "swagger": (API, "!!swagger api.json!!", ["docs/api.json", "docs/schema.json"]),
    "redoc": (API, "<redoc src='api.json'/>", ["docs/api.json", "docs/schema.json"]),
    "redoc in code": (API, "`<redoc src='api.json'/>`\n\n```\n<redoc src='api.json'/>\n```", []),
    "redoc of a file that is made later": (API, "<redoc src='made.json'/>", None),
    "a module": (
        MKDOCSTRINGS,
        "# A\n\n::: package.core\n    options:\n      x: 1",
        ["src/package/core.py"],
    ),
    "a module in a heading": (MKDOCSTRINGS, "## ::: package.core", ["src/package/core.py"]),
    "a module in a list": (MKDOCSTRINGS, "- A\n\n    ::: package.core", ["src/package/core.py"]),
    "a module in an included text": (
        MKDOCSTRINGS,
        '--8<-- "block.md"',
        ["parts/block.md", "src/package/core.py"],
    ),
    "a module in a note, without an identifier": (
        MKDOCSTRINGS,
        "!!! note\n\n    ::: package.inner",
        ["src/package/inner.py"],
    ),
    "a module in a quotation": (MKDOCSTRINGS, "> ::: package.inner", ["src/package/inner.py"]),
    "a member": (MKDOCSTRINGS, "::: package", ["src/package/__init__.py", "src/package/core.py"]),
    "a name from another package": (
        MKDOCSTRINGS,
        "::: other",
        ["src/other/__init__.py", "src/other/inner.py"],
    ),
    "a file": (MKDOCSTRINGS, "::: src/package/old.py\n    handler: shell", ["src/package/old.py"]),
    "a module of Python": (MKDOCSTRINGS, "::: posixpath", []),
    "no module": (MKDOCSTRINGS, "::: missing.module", None),
    "another language": (MKDOCSTRINGS, "::: Thing\n    handler: typescript", None),
    "modules that are only shown": (
        MKDOCSTRINGS,
        "````\n```\n::: package\n```\n::: package\n````\n<!--\n::: a\n-->",
        [],
    ),
    "a module in indented code": (MKDOCSTRINGS, "    ::: package.old", []),
    "a module without the plugin": (NOTHING, "::: package.core", []),
}
"""The tools, a page, and the files that it shows. None if these are not known."""
FIRST_OF_EACH = {tools: case for case, (tools, _, shown) in reversed(CASES.items()) if shown != []}
"""One case for each set of tools."""
IDS = "".join(f'<h2 id="{name}"></h2>' for name in ("package.core", "package.start", "other.stop"))
"""The documented objects on a rendered page."""


EXAMPLE = "<pre><b>:::</b> package.old</pre>"
"""An example of a block on that page."""


@pytest.fixture
def dated(repo: Repo, monkeypatch: pytest.MonkeyPatch) -> Dated:
    """Commit a page, then the files that it shows, then all others. Build, and give the day of the page."""

    def dated(name: str, config: str, text: str, shown: Collection[str]) -> float | None:
        repo.commit(0, {".gitignore": "site/\n.smindex_cache/\n", name: config, **FILES})
        repo.commit(OWN, {"docs/index.md": f"{text}\n"})
        repo.commit(SHOWN, {file: f"{FILES[file]}\n" for file in shown})
        repo.commit(LATER, {file: f"{FILES[file]}\n" for file in FILES if file not in shown})
        repo.put(
            "site/index.html",
            f"<!doctype html><title>A</title><main><h1>A</h1>{IDS}{EXAMPLE}</main>",
        )
        monkeypatch.chdir(repo.path)
        assert main(["build", "--site-url", BASE]) == 0
        assert not Path("ran").exists()
        days: dict[str | None, float | None] = {
            utc(day(when)): when for when in (OWN, SHOWN, LATER)
        }
        return days.get(listed(repo / "site", BASE)[""])

    return dated


@pytest.mark.parametrize("case", CASES)
def test_a_page_has_the_date_of_the_newest_file_that_it_shows_or_none(
    dated: Dated, case: str
) -> None:
    (of_mkdocs, of_zensical), text, shown = CASES[case]
    name = "zensical.toml" if of_zensical else "mkdocs.yml"
    assert dated(name, of_zensical or of_mkdocs, text, shown or []) == expected(shown)


@pytest.mark.parametrize("case", FIRST_OF_EACH.values())
def test_the_configuration_of_mkdocs_gives_the_same(dated: Dated, case: str) -> None:
    (config, _), text, shown = CASES[case]
    assert dated("mkdocs.yml", config, text, shown or []) == expected(shown)


def expected(shown: list[str] | None) -> float | None:
    """Give the day of a page that shows these files. None if they are unknown."""
    if shown is None:
        return None
    return SHOWN if shown else OWN


MISSING = {
    "pymdown-extensions": ("pymdownx", SNIPPETS, '--8<-- "part.md"'),
    "griffe": ("griffe", MKDOCSTRINGS, "::: package.core"),
    "wcmatch": ("wcmatch", INCLUDE, '{% include "../parts/*.md" %}'),
}


@pytest.mark.parametrize("package", MISSING)
def test_a_page_that_only_a_missing_package_can_read_has_no_date(
    dated: Dated, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], package: str
) -> None:
    module, tools, text = MISSING[package]
    monkeypatch.setitem(sys.modules, module, None)
    assert dated("mkdocs.yml", tools[0], text, []) is None
    assert (
        f"1 built with {package}, which is not installed where smindex runs"
        in capsys.readouterr().out
    )


@pytest.mark.parametrize(
    ("text", "shown"), [("*[HTML]: Hyper Text", []), ("Ask us.", ["parts/foot.md"])]
)
def test_what_every_page_ends_with_counts_if_it_shows_something_also_without_the_extension(
    dated: Dated, monkeypatch: pytest.MonkeyPatch, text: str, shown: list[str]
) -> None:
    monkeypatch.setitem(sys.modules, "pymdownx", None)
    monkeypatch.setitem(FILES, "parts/foot.md", text)
    config = (
        "markdown_extensions:\n  - pymdownx.snippets: {base_path: parts, auto_append: [foot.md]}\n"
    )
    assert dated("mkdocs.yml", config, "Text", shown) == expected(shown)


@pytest.mark.parametrize(
    ("name", "config"),
    [
        (
            "mkdocs.yml",
            "markdown_extensions:\n  - pymdownx.snippets:\n      base_path: !relative $config_dir\n",
        ),
        ("mkdocs.yml", "markdown_extensions:\n  pymdownx.snippets: {base_path: ., other: 1}\n"),
        ("mkdocs.yml", "INHERIT: base.yml\n"),
        (
            "zensical.toml",
            '[project]\nmarkdown_extensions = [{"pymdownx.snippets" = {base_path = "."}}]\n',
        ),
    ],
)
def test_the_options_of_extensions_are_read_in_each_form(
    dated: Dated, repo: Repo, name: str, config: str
) -> None:
    repo.put("base.yml", "markdown_extensions: [{pymdownx.snippets: {base_path: [.]}}]\n")
    assert dated(name, config, '--8<-- "parts/part.md"', ["parts/part.md"]) == SHOWN


@pytest.mark.parametrize(
    "config",
    [
        "markdown_extensions: [{pymdownx.snippets: {base_path: {a: 1}, auto_append: [1], url_download: never}}]\n",
        "markdown_extensions: {mdx_include: {base_path: [a]}, pymdownx.snippets: 1, markdown_include.include: [1]}\n",
        "plugins: [{include-markdown: {exclude: 1, directives: [a], opening_tag: 1}}, {mkdocstrings: {handlers: 1}}]\n",
        "plugins: [{macros: {include_yaml: 1, modules: 1, module_name: [1], j2_block_start_string: '{{'}}]\n",
        "plugins: [{redoc-tag: {filter_files: 1}}, {table-reader: {data_path: [1]}}, {markdownextradata: {data: 1}}]\n",
        "plugins: 1\nmarkdown_extensions: 1\nextra: 1\n",
    ],
)
def test_options_of_another_type_do_not_stop_a_build(dated: Dated, config: str) -> None:
    assert dated("mkdocs.yml", config, "# A\n\nText", []) == OWN


def test_a_tool_that_is_disabled_shows_nothing(dated: Dated) -> None:
    assert (
        dated(
            "mkdocs.yml",
            "plugins: [{include-markdown: {enabled: false}}]\n",
            '{% include "near.md" %}',
            [],
        )
        == OWN
    )


def test_explain_lists_the_files_that_a_page_shows(
    dated: Dated, capsys: pytest.CaptureFixture[str]
) -> None:
    assert (
        dated("mkdocs.yml", SNIPPETS[0], '--8<-- "outer.md"', ["parts/outer.md", "parts/part.md"])
        == SHOWN
    )
    assert main(["explain", "site/index.html"]) == 0
    assert "parts/outer.md, parts/part.md" in capsys.readouterr().out


def test_explain_prints_the_line_for_a_page_that_shows_something_unknown(
    dated: Dated, capsys: pytest.CaptureFixture[str]
) -> None:
    assert dated("mkdocs.yml", MACROS[0], "{{ git.commit }}", []) is None
    assert main(["explain", "site/index.html"]) == 0
    line = 'Add `depends = {"index.html" = ["path/of/what/it/shows/*"]}` to [tool.smindex]'
    assert line in capsys.readouterr().out
