"""No part of a build uses the network, whatever it is told to write: only the commands do that are made for it."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.project import Project
from tests.support.server import Server

ROOT = Path(__file__).parents[2]
NO_NETWORK = """\
import sys

def refuse(event, _):
    if event in {"socket.connect", "socket.getaddrinfo", "socket.sendto", "socket.sendmsg"}:
        sys.stderr.write(f"NETWORK: {event}\\n")

sys.addaudithook(refuse)
"""
OPTIONS = "{robots_txt: write, images: true}"


@pytest.fixture
def project(tmp_path: Path) -> Project:
    """Make a project in whose processes every use of the network is told."""
    (tmp_path / "hook").mkdir()
    (tmp_path / "hook/sitecustomize.py").write_text(NO_NETWORK)
    project = Project(tmp_path / "project")
    project.config(f"sitemap-index: {OPTIONS}")
    project.pages("index.md", "guide/a.md", "guide/b.md")
    project.commit("2024-01-01T00:00:00Z")
    return project


def paths(project: Project) -> str:
    return os.pathsep.join([str(project.root.parent / "hook"), str(ROOT)])


@pytest.mark.parametrize("host", ["mkdocs", "properdocs"])
def test_a_plugin_does_not(project: Project, host: str) -> None:
    built = project.build(host=host, PYTHONPATH=paths(project))
    assert built.code == 0, built.log
    assert (project.root / "site/sitemap_index.xml").is_file()
    assert "NETWORK" not in built.log


def run(project: Project, *arguments: str) -> str:
    """Run the command in the project, and return all that it prints."""
    done = subprocess.run(
        [sys.executable, "-m", "smindex_plugins", *arguments],
        cwd=project.root,
        env={**os.environ, "PYTHONPATH": paths(project)},
        capture_output=True,
        text=True,
        check=False,
    )
    return done.stdout + done.stderr


def test_the_commands_for_what_is_on_disk_do_not(project: Project) -> None:
    project.build(PYTHONPATH=paths(project))
    for arguments in (["build"], ["check"], ["diff", "site", "site"], ["announce", "--new-key"]):
        assert "NETWORK" not in run(project, *arguments)


def test_a_command_for_a_live_site_is_told(project: Project, server: Server) -> None:
    """So that the others would be."""
    assert "NETWORK: socket.connect" in run(project, "check", server.base)
