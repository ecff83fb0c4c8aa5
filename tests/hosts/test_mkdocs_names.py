"""Real builds that call the plugin by either of its names: with a hyphen, or as Pelican's is called."""

import os
import tomllib
from pathlib import Path

import pytest

from tests.support.project import SMALL, Built, Project

_ROOT = Path(__file__).parents[2]


def _build(project: Project, *arguments: str, host: str = "mkdocs") -> Built:
    """Build with the entry points that pyproject.toml has now, whatever the environment was installed with."""
    declared = tomllib.loads((_ROOT / "pyproject.toml").read_text())["project"]["entry-points"]["mkdocs.plugins"]
    lines = "".join(f"{name} = {value}\n" for name, value in declared.items())
    project.write("installed/smindex_plugins-1.dist-info/METADATA", "Name: smindex-plugins\nVersion: 1\n")
    project.write("installed/smindex_plugins-1.dist-info/entry_points.txt", f"[mkdocs.plugins]\n{lines}")
    path = os.pathsep.join([str(project.root / "installed"), str(_ROOT), os.environ.get("PYTHONPATH", "")])
    return project.build(*arguments, host=host, PYTHONPATH=path)


@pytest.mark.parametrize("name", ["sitemap-index", "sitemap_index"])
@pytest.mark.parametrize("host", ["mkdocs", "properdocs"])
def test_both_names_are_the_plugin(project: Project, host: str, name: str) -> None:
    project.small("search", name)
    built = _build(project, "--strict", host=host)
    assert built.code == 0, built.log
    assert built.pages == SMALL
