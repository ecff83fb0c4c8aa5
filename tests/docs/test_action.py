"""The action, its steps run by bash in their order, as a runner of GitHub does; only `gh` is played."""

import json
import os
import re
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.support.planted import index, urlset, write
from tests.support.servers import KEY, Server, indexnow

ROOT = Path(__file__).parents[2]
ACTION = yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))
STEPS: list[dict[str, Any]] = ACTION["runs"]["steps"]
EXPRESSION = re.compile(r"\$\{\{ (.+?) \}\}")
SMINDEX = f"""#!{sys.executable}
import os, sys
from smindex_plugins.announcing import indexnow
from smindex_plugins.cli.main import main
indexnow.ENDPOINT = os.environ.get("ENGINE", "")
sys.exit(main())
"""
"""The command, with a search engine on this machine in the place of api.indexnow.org."""
GH = """#!/bin/sh
echo "$@" >> "$RUNNER_TEMP/gh"
case "$*" in *--jq*) cat "$RUNNER_TEMP/known" 2>/dev/null || true;; esac
"""


@dataclass
class Runner:
    """A job: what it was given, and what its steps have said so far."""

    root: Path
    context: dict[str, str] = field(default_factory=dict)
    code: int = 0
    printed: str = ""

    def __post_init__(self) -> None:
        for name, program in (("temp/smindex/bin/smindex", SMINDEX), ("bin/gh", GH)):
            write(self.root, {name: program})
            (self.root / name).chmod(0o755)
        self.context |= {"github.token": "secret", "github.repository": "you/docs", "github.action_path": str(ROOT)}
        self.context |= {"github.event_name": "push", "github.event.pull_request.number": ""}

    def use(self, **inputs: str) -> "Runner":
        """Run the action, until one of its steps fails."""
        names = {name: str(each.get("default", "")) for name, each in ACTION["inputs"].items()}
        given = names | {name.replace("_", "-"): value for name, value in inputs.items()}
        assert given.keys() == names.keys()
        self.context |= {f"inputs.{name}": self.filled(value) for name, value in given.items()}
        self.code = 0
        for step in STEPS:
            if step["name"] != "Install smindex" and self.is_wanted(step.get("if", "")) and not self.code:
                self.run(step)
        return self

    def filled(self, text: str) -> str:
        return EXPRESSION.sub(lambda match: self.context.get(match[1], ""), text)

    def is_wanted(self, condition: str) -> bool:
        for part in condition.split(" && ") if condition else ():
            name, sign, value = part.split(" ")
            if (self.context[name] == value.strip("'")) != (sign == "=="):
                return False
        return True

    def run(self, step: dict[str, Any]) -> None:
        said = self.root / "said"
        said.unlink(missing_ok=True)
        environment = {name: value for name, value in os.environ.items() if not name.startswith("GITHUB_")}
        environment |= {name: self.filled(value) for name, value in step["env"].items()}
        environment |= {"RUNNER_TEMP": str(self.root / "temp"), "GITHUB_OUTPUT": str(said), "no_proxy": "127.0.0.1"}
        environment |= {"GITHUB_STEP_SUMMARY": str(self.root / "summary"), "PYTHONPATH": str(ROOT)}
        environment |= {"PATH": f"{self.root / 'bin'}{os.pathsep}{environment['PATH']}"}
        command = ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step["run"]]
        done = subprocess.run(command, cwd=self.root, env=environment, capture_output=True, text=True, check=False)
        self.code, self.printed = done.returncode, done.stdout + done.stderr
        for line in said.read_text().splitlines() if said.exists() else ():
            name, _, value = line.partition("=")
            self.context[f"steps.{step['id']}.outputs.{name}"] = value

    def output(self, name: str) -> str:
        return self.filled(ACTION["outputs"][name]["value"])

    @property
    def summary(self) -> str:
        return (self.root / "summary").read_text()

    @property
    def called(self) -> list[str]:
        path = self.root / "temp/gh"
        return path.read_text().splitlines() if path.exists() else []


@pytest.fixture
def runner(tmp_path: Path) -> Runner:
    return Runner(tmp_path)


def deploy(server: Server, *paths: str) -> dict[str, str | bytes]:
    """Return a site of these pages, and let it be live."""
    written: dict[str, str | bytes] = {
        "sitemap_index.xml": index(server.base + "s.xml"),
        "s.xml": urlset(*(server.base + path for path in paths)),
    }
    for path, content in written.items():
        server.serve(f"/{path}", content)
    return written


def test_no_value_of_others_is_put_into_a_script() -> None:
    assert [step["name"] for step in STEPS if EXPRESSION.search(step["run"])] == []
    assert all(step["shell"] == "bash" for step in STEPS)


def test_every_input_is_used_and_described_in_the_manual() -> None:
    page = (ROOT / "sample_sites/mkdocs/docs/manual/ci.md").read_text(encoding="utf-8")
    text = (ROOT / "action.yml").read_text(encoding="utf-8")
    for name in ACTION["inputs"]:
        assert f"inputs.{name}" in text
        assert f"| `{name}` |" in page
    assert all(f"| `{name}` |" in page for name in ACTION["outputs"])


def test_the_configurations_of_the_manual_give_the_action_inputs_that_it_has() -> None:
    page = (ROOT / "sample_sites/mkdocs/docs/manual/ci.md").read_text(encoding="utf-8")
    workflows = [yaml.safe_load(block) for block in re.findall(r"```yaml\n(name: .+?)```", page, re.DOTALL)]
    steps = [step for flow in workflows for job in flow["jobs"].values() for step in job["steps"]]
    ours = [step["with"] for step in steps if step.get("uses", "").startswith("OWNER/smindex-plugins@")]
    assert len(ours) == 3
    assert all(given.keys() <= ACTION["inputs"].keys() for given in ours)


def test_a_build_and_a_check_report_in_the_summary_and_the_check_as_annotations(runner: Runner) -> None:
    page = "<!doctype html><title>A</title><body>Text</body>"
    write(runner.root / "site", {"index.html": page, "a.html": page})
    assert runner.use(command="build", site_url="https://docs.python.org/a/").code == 0
    assert "2 pages in 1 section" in runner.summary
    assert runner.use(site_url="https://docs.python.org/a/").code == 0
    write(runner.root / "site", {"sitemap-root.xml": urlset("https://other.org/a")})
    assert runner.use().code == 1
    assert "::error " in runner.printed
    assert "[outside-scope]" in runner.summary
    assert runner.use(command="build", directory="nowhere").code == 2


def test_the_difference_is_an_output_and_on_a_pull_request_one_comment_that_is_replaced(
    runner: Runner, server: Server
) -> None:
    write(runner.root / "site", deploy(server, ""))
    given = {"command": "none", "live": server.base, "comment": "true"}
    assert runner.use(**given).output("changed") == "false"
    assert runner.called == []
    write(runner.root / "site", deploy(server, "", "new"))
    deploy(server, "")
    runner.context |= {"github.event_name": "pull_request", "github.event.pull_request.number": "7"}
    assert runner.use(**given).output("changed") == "true"
    assert json.loads(Path(runner.output("changes")).read_text())["added"] == [server.base + "new"]
    assert "**Sitemaps:** pages: 1 added" in runner.summary
    assert "api --silent --method POST repos/you/docs/issues/7/comments" in runner.called[-1]
    (runner.root / "temp/known").write_text("12\n34\n")
    assert runner.use(**given).code == 0
    assert "api --silent --method PATCH repos/you/docs/issues/comments/12" in runner.called[-1]
    assert runner.use(command="none", live=server.base + "nowhere.xml").code == 2


def test_a_deployment_is_announced_and_what_was_not_taken_is_an_output(
    runner: Runner, server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    server.serve(f"/{KEY}.txt", KEY)
    write(runner.root / "site", deploy(server, "", "new"))
    deploy(server, "")
    changes = runner.use(command="none", live=server.base).output("changes")
    deploy(server, "", "new")
    with indexnow() as engine:
        monkeypatch.setenv("ENGINE", f"{engine.url}indexnow")
        engine.answers = [(403, {})]
        given = {"command": "none", "announce": changes, "indexnow_key": KEY, "wait": "5"}
        assert runner.use(**given).code == 1
        assert json.loads(Path(runner.output("left")).read_text())["added"] == [server.base + "new"]
        assert runner.use(**given).code == 0
        assert engine.taken == [server.base + "new"]
    assert "1 URL of " in runner.summary
