"""The hook for pre-commit, as this repository offers it and as the manual writes it."""

import os
import re
import subprocess
import sys
from pathlib import Path

import yaml

from tests.support.history import Repo
from tests.support.planted import index, urlset, write

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "sample_sites/mkdocs/docs/commands/check.md").read_text(encoding="utf-8")
HOOKS = ROOT / ".pre-commit-hooks.yaml"
GOOD = {
    "site/sitemap_index.xml": index("https://e.org/s.xml"),
    "site/s.xml": urlset("https://e.org/a"),
}


def test_the_hook_passes_a_site_that_is_right_and_fails_one_that_is_not(
    repo: Repo, tmp_path: Path
) -> None:
    subprocess.run(["git", "clone", "-q", ROOT, tmp_path / "clone"], check=True)
    clone = Repo(tmp_path / "clone")
    for name in (".pre-commit-hooks.yaml", "pyproject.toml"):  # with what is not committed yet
        (clone / name).write_bytes((ROOT / name).read_bytes())
    offered = {"repo": str(clone.path), "rev": clone.commit(0), "hooks": [{"id": "smindex-check"}]}
    write(repo.path, {".pre-commit-config.yaml": yaml.safe_dump({"repos": [offered]})})
    command = [sys.executable, "-m", "pre_commit", "run", "--all-files"]
    codes: list[int] = []
    printed = ""
    for page in ("https://e.org/a", "https://f.org/a"):
        write(repo.path, GOOD | {"site/s.xml": urlset(page)})
        environment = {**os.environ, "PRE_COMMIT_HOME": str(tmp_path / "home")}
        done = subprocess.run(
            command, cwd=repo.path, env=environment, capture_output=True, text=True, check=False
        )
        codes, printed = [*codes, done.returncode], done.stdout + done.stderr
    assert codes == [0, 1], printed
    assert "(outside-scope)" in printed


def test_the_hook_of_the_manual_does_the_same_with_the_package_of_the_index() -> None:
    (offered,) = yaml.safe_load(HOOKS.read_text(encoding="utf-8"))
    assert offered["id"] in PAGE
    (shown,) = re.findall(r"```yaml\n# \.pre-commit-config\.yaml\n(.+?)```", PAGE, re.DOTALL)[:1]
    (hook,) = yaml.safe_load(shown)["repos"][0]["hooks"]
    assert hook["additional_dependencies"] == ["smindex-plugins"]
    assert hook["entry"].startswith(" ".join([offered["entry"], *offered["args"]]))
