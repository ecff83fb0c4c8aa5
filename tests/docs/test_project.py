"""What GitHub reads of the project: workflows, forms, and what a release needs."""

import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from itertools import chain
from pathlib import Path
from typing import Any

import pytest
import yaml

from smindex_plugins import __version__, home
from tests.matrix import ENVIRONMENTS
from tests.release import main, unready

ROOT = Path(__file__).parents[2]
WORKFLOWS = sorted((ROOT / ".github/workflows").glob("*.yml"))
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
PYTHONS = [line.rpartition(" ")[2] for line in PROJECT["classifiers"] if ":: Python :: 3." in line]


def read(path: str) -> Any:  # noqa: ANN401 - what YAML holds
    return yaml.safe_load((ROOT / ".github" / path).read_text("utf-8"))


def jobs() -> Iterator[tuple[str, dict[str, Any]]]:
    for path in WORKFLOWS:
        for name, job in read(f"workflows/{path.name}")["jobs"].items():
            yield f"{path.stem}/{name}", job


def steps(action: str) -> list[dict[str, Any]]:
    every = chain.from_iterable(job.get("steps", []) for _, job in jobs())
    return [step for step in every if step.get("uses", "").startswith(action)]


def test_the_workflows_run_what_there_is() -> None:
    commands = [step["run"] for _, job in jobs() for step in job.get("steps", []) if "run" in step]
    assert "bash .ci/run" in commands
    modules = {found[1] for command in commands if (found := re.match(r"python -m (tests\.\w+)", command))}
    assert modules == {"tests.matrix", "tests.release"}
    assert all((ROOT / f"{module.replace('.', '/')}.py").is_file() for module in modules)
    called = [job["uses"] for _, job in jobs() if "uses" in job]
    assert called == ["./.github/workflows/ci.yml"]
    assert "workflow_call" in read("workflows/ci.yml")[True], "YAML 1.1 reads the key `on` as true"


def test_the_workflows_test_every_python_and_every_environment() -> None:
    ci = read("workflows/ci.yml")["jobs"]
    (given,) = (
        step["with"]["python-version"] for step in ci["all"]["steps"] if "python-version" in step.get("with", {})
    )
    assert sorted(given.split()) == sorted(PYTHONS)
    assert PROJECT["requires-python"] == f">={PYTHONS[0]}"
    left = [each.name for each in ENVIRONMENTS if not each.in_ci]
    assert ci["matrix"]["strategy"]["matrix"]["environment"] == left


def test_an_action_is_pinned_to_a_commit_and_its_version_stands_beside() -> None:
    used = [
        line for path in WORKFLOWS for line in path.read_text("utf-8").splitlines() if re.search(r"uses: [^.]", line)
    ]
    assert len(used) == 9
    assert [line for line in used if not re.search(r"uses: [\w/-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$", line)] == []


def test_a_job_may_do_no_more_than_it_must() -> None:
    assert all(read(f"workflows/{path.name}")["permissions"] == {} for path in WORKFLOWS)
    allowed = {name: job["permissions"] for name, job in jobs()}
    assert allowed.pop("release/publish") == {"id-token": "write"}
    assert all(permissions == {"contents": "read"} for permissions in allowed.values())
    assert all(step["with"]["persist-credentials"] is False for step in steps("actions/checkout@"))
    assert "secrets." not in "".join(path.read_text("utf-8") for path in WORKFLOWS)


def test_only_what_was_tested_is_published_and_from_its_own_environment() -> None:
    publish = read("workflows/release.yml")["jobs"]["publish"]
    assert set(publish["needs"]) == {"ci", "build"}
    assert publish["environment"]["name"] == "pypi"
    assert [step["with"]["attestations"] for step in steps("pypa/gh-action-pypi-publish@")] == [True]


@pytest.mark.parametrize("form", ["bug", "idea"])
def test_a_form_asks_for_each_thing_once_and_for_what_it_needs(form: str) -> None:
    body = read(f"ISSUE_TEMPLATE/{form}.yml")["body"]
    ids = [field["id"] for field in body]
    assert len(set(ids)) == len(ids)
    assert any(field.get("validations", {}).get("required") for field in body)


def test_the_forms_lead_to_the_project_itself() -> None:
    config = read("ISSUE_TEMPLATE/config.yml")
    assert config["blank_issues_enabled"] is False
    private, manual = (link["url"] for link in config["contact_links"])
    assert private == f"{home.SOURCE}/security/advisories/new"
    assert manual == home.MANUAL


def test_a_host_is_accepted_up_to_its_next_major_version() -> None:
    """What a host hands over is no promise of its next one, and without the plugin Pelican builds on in silence."""
    extras = PROJECT["optional-dependencies"]
    named = [each for each in chain(*extras.values()) if re.match(r"(?:mkdocs|pelican(?:\[markdown\])?|sphinx)>", each)]
    assert sorted(set(named)) == ["mkdocs>=1.6,<2", "pelican[markdown]>=4.9,<5", "sphinx>=8.1,<10"]


def test_the_newest_changes_are_those_of_the_version() -> None:
    changes = (ROOT / "CHANGELOG.md").read_text("utf-8")
    newest = re.findall(r"^## (.+)$", changes, re.MULTILINE)[0]
    assert re.fullmatch(rf"(?:Unreleased|{re.escape(__version__)}(?: \(unreleased\)| - \d{{4}}-\d\d-\d\d))", newest)


def test_the_commands_that_contributing_names_are_there() -> None:
    text = (ROOT / "CONTRIBUTING.md").read_text("utf-8")
    for module in set(re.findall(r"python -m (tests\.\w+)", text)):
        path = ROOT / module.replace(".", "/")
        assert path.with_suffix(".py").is_file() or (path / "__main__.py").is_file()
    for path in re.findall(r"UPDATE_\w+=1 python -m pytest ([\w/.]+)", text):
        assert (ROOT / path).exists()
    used = {
        name
        for path in (ROOT / "tests").rglob("*.py")
        for name in re.findall(r"UPDATE_[A-Z]+", path.read_text("utf-8"))
    }
    assert used == set(re.findall(r"UPDATE_[A-Z]+", text))
    for extra in re.findall(r"\.\[([\w,]+)\]", text):
        assert set(extra.split(",")) <= PROJECT["optional-dependencies"].keys()


def release(root: Path, *, version: str, heading: str, address: str) -> Path:
    (root / "smindex_plugins").mkdir()
    (root / "smindex_plugins/__init__.py").write_text(f'__version__ = "{version}"\n', encoding="utf-8")
    (root / "CHANGELOG.md").write_text(f"# Changelog\n\n## {heading}\n", encoding="utf-8")
    (root / "pyproject.toml").write_text(f'[project.urls]\nSource = "{address}"\n', encoding="utf-8")
    return root


def test_a_tag_that_is_ready_can_be_released(tmp_path: Path) -> None:
    root = release(tmp_path, version="1.2.3", heading="1.2.3 - 2026-01-31", address="https://code.example/a")
    assert list(unready("v1.2.3", root)) == []


def test_what_keeps_a_tag_from_being_released_is_told_at_once(tmp_path: Path) -> None:
    root = release(tmp_path, version="1.2.3", heading="1.2.3 (unreleased)", address="https://example.org/a")
    problems = list(unready("v1.2.4", root))
    assert len(problems) == 3
    for word, problem in zip(("'v1.2.4'", "## 1.2.3 - ", "https://example.org/a"), problems, strict=True):
        assert word in problem


def test_the_command_says_what_is_to_do_without_the_package_and_its_dependencies() -> None:
    done = subprocess.run(
        [sys.executable, "-I", str(ROOT / "tests/release.py"), "v999"], check=False, capture_output=True, text=True
    )
    assert done.returncode == 1
    assert "The tag is 'v999'" in done.stdout
    assert main([]) == 2
