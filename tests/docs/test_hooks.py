"""The hook for pre-commit, as the manual writes it and as this repository offers it, run by pre-commit itself."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from smindex_plugins.cli.main import main
from tests.support.gitrepo import Repo
from tests.support.planted import index, urlset, write

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "sample_sites/mkdocs/docs/manual/check.md").read_text(encoding="utf-8")
GOOD = {"site/sitemap_index.xml": index("https://e.org/s.xml"), "site/s.xml": urlset("https://e.org/a")}


@pytest.fixture(scope="module")
def clone(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Give a clone of this repository with what is not committed yet."""
    clone = tmp_path_factory.mktemp("clone")
    subprocess.run(["git", "clone", "-q", ROOT, clone], check=True)
    for name in (".pre-commit-hooks.yaml", "pyproject.toml"):
        (clone / name).write_bytes((ROOT / name).read_bytes())
    return clone


def pre_commit(repo: Repo, home: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PRE_COMMIT_HOME": str(home)}
    command = [sys.executable, "-m", "pre_commit", *arguments]
    return subprocess.run(command, cwd=repo.path, env=environment, capture_output=True, text=True, check=False)


def judge(repo: Repo, home: Path, *arguments: str) -> None:
    """See that the hook passes a site that is right, and fails one that is not."""
    write(repo.path, GOOD)
    passed = pre_commit(repo, home, *arguments)
    assert passed.returncode == 0, passed.stdout + passed.stderr
    write(repo.path, {"site/s.xml": urlset("https://f.org/a")})
    failed = pre_commit(repo, home, *arguments)
    assert failed.returncode == 1
    assert "[outside-scope]" in failed.stdout


def test_the_local_hook_of_the_manual(repo: Repo, clone: Path, tmp_path: Path) -> None:
    """Only the package is not that of the index, but this one."""
    shown = re.findall(r"```yaml\n# \.pre-commit-config\.yaml\n(.+?)```", PAGE, re.DOTALL)
    configuration = yaml.safe_load(shown[0])
    (hook,) = configuration["repos"][0]["hooks"]
    assert hook["additional_dependencies"] == ["smindex-plugins"]
    hook["additional_dependencies"] = [str(clone)]
    repo.put(".pre-commit-config.yaml", yaml.safe_dump(configuration))
    judge(repo, tmp_path / "home", "run", "--all-files")


def test_the_hook_that_a_clone_offers(repo: Repo, clone: Path, tmp_path: Path) -> None:
    judge(repo, tmp_path / "home", "try-repo", str(clone), "smindex-check", "--all-files")


def test_the_hook_for_pre_commit_runs_a_command_that_there_is() -> None:
    (hook,) = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))
    assert hook["id"] in PAGE
    command, *arguments = hook["entry"].split()
    assert command == "smindex"
    assert main([*arguments, *hook["args"], "--help"]) == 0
