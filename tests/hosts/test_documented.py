"""A page changes with the code that it documents: real builds with mkdocstrings, mkdocs-click and
mkautodoc.
"""

import pytest

from tests.support.project import BASE, FIRST, SECOND, THIRD, Project

HANDLERS = "mkdocstrings: {handlers: {python: {paths: [src]}}}"
COMMAND = (
    "import click\n\nfrom {0} import below\n\n\n@click.group()\ndef cli():\n   "
    " pass\n\n\ncli.add_command(below.run)\n"
)
BELOW = "import click\n\n\n@click.command()\ndef run():\n    '''{}'''\n"
HANDLER = """\
from pathlib import Path

from mkdocstrings import BaseHandler


class Handler(BaseHandler):
    name, domain = "other", "other"

    def get_templates_dir(self, handler=None):
        return Path(__file__).parent

    def get_options(self, local_options):
        return local_options

    def collect(self, identifier, options):
        return {"name": identifier}

    def render(self, data, options, locale=None):
        return data["name"]


def get_handler(theme, custom_templates, mdx, mdx_config, **_):
    return Handler(theme=theme, custom_templates=custom_templates, mdx=mdx, mdx_config=mdx_config)
"""
"""A handler of mkdocstrings that doesn't tell which file an object is in."""
SHOWN = {
    "module": "::: {0}.core",
    "heading": "# Title\n\n## ::: {0}.core.start",
    "package": "::: {0}\n    options:\n      members: [start]",
    "alone": "::: {0}\n    options:\n      members: []",
    "listed": "- item\n\n    ::: {0}.core",
    "snippet": '--8<-- "part.md"',
    "two": "::: {0}.old\n\n::: {0}.core",
    "old": "::: {0}.old",
    "fenced": "```md\n::: {0}.core\n```",
    "indented": "    ::: {0}.core",
    "mentioned": "`::: {0}.core` shows a module.",
    "file": "::: src/{0}/core.py\n    handler: other",
    "installed": "::: posixpath.join",
}
"""How pages show the module `core`, which changes, or another one, or none. A package shows one of
its functions."""
CHANGED = {"module", "heading", "package", "listed", "snippet", "two", "file"}


HOOKS = """\
from markdown import Markdown


def on_nav(nav, config, **_):
    Markdown(extensions=config.markdown_extensions, extension_configs=config.mdx_configs).convert("::: {0}.core")
"""
"""What renders text outside the pages, as blogs do."""


def documented(project: Project, package: str, *plugins: str, hooks: str = "") -> None:
    extensions = "[{pymdownx.snippets: {base_path: [parts]}}, pymdownx.superfences]"
    project.config(HANDLERS, *plugins, "sitemap-index", markdown_extensions=extensions, hooks=hooks)
    project.write(
        f"src/{package}/__init__.py", f"from {package}.core import start\n\n__all__ = ['start']\n"
    )
    project.write(f"src/{package}/core.py", "def start():\n    '''Start.'''\n")
    project.write(f"src/{package}/old.py", "def stop():\n    '''Stop.'''\n")
    project.write("parts/part.md", f"::: {package}.core\n")
    project.write("mkdocstrings_handlers/other.py", HANDLER)
    project.pages("index.md")


def test_a_page_has_the_date_of_the_newest_module_that_it_shows(project: Project) -> None:
    documented(project, "shown_package", hooks="[hooks.py]")
    project.write("hooks.py", HOOKS.format("shown_package"))
    for name, text in SHOWN.items():
        project.write(f"docs/api/{name}.md", text.format("shown_package"))
    project.commit(FIRST)
    project.write("src/shown_package/core.py", "def start(now):\n    '''Start now.'''\n")
    project.commit(SECOND)
    built = project.build("--strict")
    assert built.code == 0, built.log
    assert {
        url.removeprefix(f"{BASE}api/").strip("/"): date for url, date in built.pages.items()
    } == {
        BASE.strip("/"): FIRST,
        **{name: SECOND if name in CHANGED else FIRST for name in SHOWN},
    }
    assert built.pages == project.build_by_command(built)


def test_a_generated_page_has_the_date_of_its_module_if_it_shows_nothing_else(
    project: Project,
) -> None:
    documented(project, "made_package", "gen-files: {scripts: [generate.py]}")
    script = """\
import mkdocs_gen_files

for name, text in {"only": "", "more": "Text of the script.\\n\\n"}.items():
    with mkdocs_gen_files.open(f"api/{name}.md", "w") as page:
        print(f"# Module\\n\\n{text}::: made_package.core\\n    options:\\n      show_source: false", file=page)
"""
    project.write("generate.py", script)
    project.commit(FIRST)
    project.write("src/made_package/core.py", "def start(now):\n    '''Start now.'''\n")
    project.commit(SECOND)
    built = project.build()
    assert built.code == 0, built.log
    assert built.pages == {BASE: FIRST, f"{BASE}api/only/": SECOND, f"{BASE}api/more/": None}


@pytest.mark.parametrize("given", ["", "---\ndepends: src/other.ts\n---\n"])
def test_a_page_that_shows_what_is_in_no_file_has_no_date_unless_its_author_lists_the_files(
    project: Project, given: str
) -> None:
    documented(project, "other_package")
    project.write("src/other.ts", "export {}\n")
    project.write("docs/api.md", f"{given}# API\n\n::: Thing\n    handler: other\n")
    project.commit(FIRST)
    project.write("src/other.ts", "export {one}\n")
    project.commit(THIRD)
    built = project.build()
    assert built.code == 0, built.log
    assert built.pages[f"{BASE}api/"] == (THIRD if given else None)
    reason = "1 built with Thing, which is in no file of the repository or of an installed package."
    assert (reason in built.log) is not bool(given)


def test_a_page_has_the_date_of_the_newest_command_that_it_shows(project: Project) -> None:
    project.config("sitemap-index", markdown_extensions="[attr_list, mkdocs-click]")
    project.write("shown_cli/__init__.py", "")
    project.write("shown_cli/main.py", COMMAND.format("shown_cli"))
    project.write("shown_cli/below.py", BELOW.format("Run."))
    project.pages("index.md")
    project.write(
        "docs/cli.md", "# CLI\n\n::: mkdocs-click\n    :module: shown_cli.main\n    :command: cli\n"
    )
    project.commit(FIRST)
    project.write("shown_cli/below.py", BELOW.format("Run now."))
    project.commit(SECOND)
    built = project.build("--strict")
    assert built.code == 0, built.log
    assert built.pages == {BASE: FIRST, f"{BASE}cli/": SECOND}


def test_a_page_has_the_date_of_the_newest_code_that_mkautodoc_shows(project: Project) -> None:
    project.config("sitemap-index", markdown_extensions="[mkautodoc, pymdownx.superfences]")
    project.pages("index.md")
    package = "autodoc_package"
    names = f"from {package}.core import Core\nfrom {package}.old import Old\n"
    names += "\nCore.__module__ = Old.__module__ = __name__\n"
    project.write(f"{package}/__init__.py", names)
    project.write(f"{package}/old.py", "class Old:\n    def stop(self):\n        '''Stop.'''\n")
    core = (
        "from {0}.old import Old\n\n\nclass Core(Old):\n    def start(self):\n        '''{1}.'''\n"
    )
    project.write(f"{package}/core.py", core.format(package, "Start"))
    project.write(
        f"{package}/below.py",
        f"from {package}.core import Core\n\n\nclass Below(Core):\n    '''Below.'''\n",
    )
    shown = {
        "class": f"::: {package}.Core\n    :docstring:",
        "members": f"::: {package}.Old\n    :members:\n\n::: {package}.below.Below\n    :members:",
        "inherited": f"::: {package}.below.Below\n    :members: start",
        "old member": f"::: {package}.below.Below\n    :members: stop",
        "old": f"::: {package}.Old",
        "fenced": f"```\n::: {package}.Core\n```",
        "built in": "::: sys.intern",
    }
    for name, text in shown.items():
        project.write(f"docs/api/{name}.md", f"# API\n\n{text}\n")
    project.commit(FIRST)
    project.write(f"{package}/core.py", core.format(package, "Start now"))
    project.commit(SECOND)
    project.write(f"{package}/__init__.py", f"# A package that hides its modules.\n\n{names}")
    project.commit(THIRD)
    built = project.build("--strict", PYTHONPATH=".")
    assert built.code == 0, built.log
    changed = {"class", "members", "inherited"}
    assert {
        url.removeprefix(f"{BASE}api/").strip("/").replace("%20", " "): date
        for url, date in built.pages.items()
    } == {
        BASE.strip("/"): FIRST,
        **{name: SECOND if name in changed else FIRST for name in shown},
        "built in": None,
    }
    assert "1 built with sys.intern, which is in no file of the repository" in built.log


@pytest.mark.parametrize(
    ("plugin", "extension", "text"),
    [
        (HANDLERS, "toc", "::: dirty_package.core"),
        (
            "search",
            "mkdocs-click",
            "::: mkdocs-click\n    :module: dirty_package.main\n    :command: run",
        ),
        ("search", "mkautodoc", "::: dirty_package.core.start"),
        ("redoc-tag", "toc", "<redoc src='api.json'/>"),
    ],
)
def test_a_page_that_a_dirty_build_keeps_does_not_have_the_date_of_its_own_file_alone(
    project: Project, plugin: str, extension: str, text: str
) -> None:
    project.config(plugin, "sitemap-index", markdown_extensions=f"[attr_list, {extension}]")
    project.write("src/dirty_package/__init__.py", "")
    project.write("src/dirty_package/core.py", "def start():\n    '''Start.'''\n")
    project.write("src/dirty_package/main.py", BELOW.format("Run."))
    project.write("docs/api.json", "{}")
    project.pages("index.md")
    project.write("docs/api.md", f"# API\n\n{text}\n")
    project.commit(FIRST)
    assert project.build(PYTHONPATH="src").pages == {BASE: FIRST, f"{BASE}api/": FIRST}
    built = project.build("--dirty", PYTHONPATH="src")
    assert built.pages == {BASE: FIRST, f"{BASE}api/": None}
    assert "1 generated, or built from a source that was not found" in built.log
