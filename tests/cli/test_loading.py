"""What a command and a build load: of this package, and of others. Each takes time at every start."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.command import PAGE
from tests.support.planted import write

HEAVY = {
    "concurrent.futures",
    "difflib",
    "duckdb",
    "fsspec",
    "google",
    "http.client",
    "idna",
    "jinja2",
    "langcodes",
    "lxml",
    "markdown",
    "pyarrow",
    "pyspark",
    "requests",
    "rich",
    "smindex_plugins.base.rule_files",
    "ssl",
    "urllib3",
    "yaml",
}
"""What takes time to load, and only some sites or commands need."""
COMMAND = """
import json, sys
from smindex_plugins.__main__ import main
main()
json.dump(sorted(sys.modules), sys.stderr)
"""
HOST = """
import json, sys
from mkdocs.commands.build import build
from mkdocs.config import load_config
before = set(sys.modules)
build(load_config(plugins=["search", "sitemap-index"]))
json.dump(sorted(set(sys.modules) - before), sys.stderr)
"""
START = {"base", "cli", "printing"}
BUILD = START | {"checks", "history", "html", "pages", "projects", "reading", "record", "writing"}


@pytest.fixture
def site(tmp_path: Path) -> Path:
    return write(tmp_path, {"index.html": PAGE})


def loaded(directory: Path, script: str, *arguments: str) -> tuple[set[str], set[str]]:
    """Return the packages of this package that a script loads, and what is heavy of all."""
    done = subprocess.run(
        [sys.executable, "-c", script, *arguments],
        cwd=directory,
        capture_output=True,
        text=True,
        check=True,
    )
    modules = json.loads(done.stderr.splitlines()[-1])
    inner = [name.split(".") for name in modules if name.startswith("smindex_plugins.")]
    return {parts[1] for parts in inner if len(parts) > 2}, HEAVY.intersection(modules)


@pytest.mark.parametrize("flag", ["--version", "--help"])
def test_the_version_and_the_help_load_no_command(site: Path, flag: str) -> None:
    assert loaded(site, COMMAND, flag) == (START, set())


def test_a_build_and_a_check_of_a_directory_load_nothing_for_the_web_for_yaml_or_for_a_terminal(
    site: Path,
) -> None:
    build = ("build", ".", "--site-url", "https://e.org/", "--quiet")
    assert loaded(site, COMMAND, *build) == (BUILD, {"lxml"})
    assert loaded(site, COMMAND, "check", ".", "--quiet") == (BUILD, {"lxml"})


def test_a_build_with_mkdocs_loads_no_command_and_no_reader(tmp_path: Path) -> None:
    write(
        tmp_path,
        {"mkdocs.yml": "site_name: S\nsite_url: https://e.org/\n", "docs/index.md": "# Home\n"},
    )
    packages, heavy = loaded(tmp_path, HOST)
    assert packages == {"base", "history", "hosts", "html", "pages", "record", "writing"}
    assert heavy <= {"jinja2", "lxml", "markdown"}
