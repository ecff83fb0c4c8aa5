"""The action, its steps run by bash in their order, as a runner of GitHub does; only `gh` is
played.
"""

import json
import os
import re
import subprocess
import sys
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
case "$*" in *--jq*) cat "$RUNNER_TEMP/known";; esac
"""


class Runner:
    """A job: what it knows, and what the last step printed."""

    def __init__(self, root: Path) -> None:
        self.root, self.printed = root, ""
        self.context = {"github.event_name": "push", "github.event.pull_request.number": ""}
        self.context |= {"github.token": "secret", "github.repository": "you/docs"}
        programs = {"temp/smindex/bin/smindex": SMINDEX, "bin/gh": GH}
        write(root, {**programs, "temp/gh": "", "temp/known": "", "summary": ""})
        for name in programs:
            (root / name).chmod(0o755)

    def use(self, **inputs: str) -> int:
        """Run the action until one of its steps fails, and return the exit code."""
        given = {name: str(each.get("default", "")) for name, each in ACTION["inputs"].items()}
        given |= {name.replace("_", "-"): value for name, value in inputs.items()}
        self.context |= {f"inputs.{name}": self.fill(value) for name, value in given.items()}
        steps = (
            step for step in STEPS if step["name"] != "Install smindex" and self.is_wanted(step)
        )
        return next(filter(None, map(self.run, steps)), 0)

    def fill(self, text: str) -> str:
        return EXPRESSION.sub(lambda match: self.context.get(match[1], ""), text)

    def is_wanted(self, step: dict[str, Any]) -> bool:
        choices = (
            re.findall(r"(\S+) (==|!=) '(.*?)'", each) for each in step.get("if", "").split("||")
        )
        return any(
            all((self.context[name] == value) == (sign == "==") for name, sign, value in each)
            for each in choices
        )

    def run(self, step: dict[str, Any]) -> int:
        output = self.root / "output"
        output.write_text("")
        environment = {
            **{name: value for name, value in os.environ.items() if not name.startswith("GITHUB_")},
            **{name: self.fill(value) for name, value in step["env"].items()},
            "GITHUB_OUTPUT": str(output),
            "GITHUB_STEP_SUMMARY": str(self.root / "summary"),
            "PATH": f"{self.root / 'bin'}{os.pathsep}{os.environ['PATH']}",
            "PYTHONPATH": str(ROOT),
            "RUNNER_TEMP": str(self.root / "temp"),
            "no_proxy": "127.0.0.1",
        }
        command = ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step["run"]]
        done = subprocess.run(
            command, cwd=self.root, env=environment, capture_output=True, text=True, check=False
        )
        self.printed = done.stdout + done.stderr
        for name, value in (line.split("=", 1) for line in output.read_text().splitlines()):
            self.context[f"steps.{step['id']}.outputs.{name}"] = value
        return done.returncode

    def output(self, name: str) -> str:
        return self.fill(ACTION["outputs"][name]["value"])

    def read(self, name: str) -> str:
        return (self.root / name).read_text()


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
    page = (ROOT / "sample_sites/mkdocs/docs/guide/ci.md").read_text(encoding="utf-8")
    text = (ROOT / "action.yml").read_text(encoding="utf-8")
    for name in ACTION["inputs"]:
        assert f"inputs.{name}" in text
        assert f"| `{name}` |" in page
    assert all(f"| `{name}` |" in page for name in ACTION["outputs"])


def test_the_configurations_of_the_manual_give_the_action_inputs_that_it_has() -> None:
    page = (ROOT / "sample_sites/mkdocs/docs/guide/ci.md").read_text(encoding="utf-8")
    workflows = [
        yaml.safe_load(block) for block in re.findall(r"```yaml\n(name: .+?)```", page, re.DOTALL)
    ]
    steps = [step for flow in workflows for job in flow["jobs"].values() for step in job["steps"]]
    ours = [
        step["with"] for step in steps if step.get("uses", "").startswith("OWNER/smindex-plugins@")
    ]
    assert len(ours) == 3
    assert all(given.keys() <= ACTION["inputs"].keys() for given in ours)


def test_a_build_and_a_check_report_in_the_summary_and_the_check_as_annotations(
    runner: Runner,
) -> None:
    page = "<!doctype html><title>A</title><body>Text</body>"
    write(runner.root / "site", {"index.html": page, "a.html": page})
    assert runner.use(command="build", site_url="https://docs.python.org/a/") == 0
    assert "2 pages in 1 section" in runner.read("summary")
    write(runner.root / "text", {"index.md": "", "a b/a.rst": "---\nsitemap: false\n---\n"})
    patterns = "text/{path}.md\n\n  text/a b/{path}.rst\n"
    assert runner.use(command="build", site_url="https://docs.python.org/a/", sources=patterns) == 0
    assert "(--sources); found for 2 of 2 HTML files" in runner.read("summary")
    assert runner.use(site_url="https://docs.python.org/a/") == 0
    assert runner.use(command="build", directory="nowhere") == 2
    write(runner.root / "site", {"sitemap-root.xml": urlset("https://other.org/a")})
    assert runner.use() == 1
    assert "::error " in runner.printed
    assert "(outside-scope)" in runner.read("summary")
    (runner.root / "site/sitemap-root.xml").unlink()
    (runner.root / "site").rename(runner.root / "--help")
    assert (
        runner.use(command="build", directory="--help", site_url="https://docs.python.org/a/") == 0
    )
    assert runner.use(directory="--help") == 0
    assert "Usage" not in runner.read("summary")


def test_the_difference_is_an_output_and_on_a_pull_request_one_comment_that_is_replaced(
    runner: Runner, server: Server
) -> None:
    write(runner.root / "site", deploy(server, ""))
    given = {"command": "none", "live": server.base, "comment": "true"}
    assert runner.use(**given) == 0
    assert (runner.output("changed"), runner.read("temp/gh")) == ("false", "")
    write(runner.root / "site", deploy(server, "", "new"))
    deploy(server, "")
    runner.context |= {"github.event_name": "pull_request", "github.event.pull_request.number": "7"}
    assert runner.use(**given) == 0
    assert runner.output("changed") == "true"
    assert json.loads(Path(runner.output("changes")).read_text())["added"] == [server.base + "new"]
    assert "**Sitemaps:** pages: 1 added" in runner.read("summary")
    assert "api --silent --method POST repos/you/docs/issues/7/comments" in runner.read("temp/gh")
    write(runner.root, {"temp/known": "12\n34\n"})
    assert runner.use(**given) == 0
    asked = runner.read("temp/gh")
    assert "api --silent --method PATCH repos/you/docs/issues/comments/12" in asked
    assert "pr view 7 --repo you/docs --json comments" in asked
    assert "select(.viewerDidAuthor and " in asked, "a stranger's comment may begin as ours does"
    assert runner.use(command="none", live=server.base + "nowhere.xml") == 2


def test_a_lost_page_fails_the_action_after_the_summary_and_the_comment(
    runner: Runner, server: Server
) -> None:
    page = "<!doctype html><title>A</title><body>Text</body>"
    write(runner.root / "site", deploy(server, "") | {"index.html": page})
    deploy(server, "", "old")
    runner.context |= {"github.event_name": "pull_request", "github.event.pull_request.number": "7"}
    given = {"command": "none", "live": server.base, "comment": "true"}
    assert runner.use(**given, preview="https://7.preview.dev/docs") == 0
    shown = "(there is no such page)` ([preview](<https://7.preview.dev/docs/old>))\n"
    assert f"- `- {server.base}old {shown}" in runner.read("summary")
    assert runner.use(**given, fail_on_lost="true") == 1
    assert "::error::Pages of the live site are lost" in runner.printed
    assert runner.read("summary").count("\nLost (1):\n") == 2
    assert runner.read("temp/gh").count("--method POST") == 2
    assert runner.use(**given, max_lost="49%") == 1
    assert runner.use(**given, max_lost="1", fail_on_lost="true") == 0
    assert runner.use(**given, max_lost="some") == 2
    write(runner.root / "site", {"_redirects": "/old /\n"})
    assert runner.use(**given, fail_on_lost="true") == 0
    (runner.root / "site/index.html").unlink()
    assert runner.use(**given, fail_on_lost="true") == 2, "without the pages, nobody knows"
    for gate in ({"fail_on_lost": "true"}, {"max_lost": "1"}):
        assert runner.use(command="none", **gate) == 2, "there is nothing to compare with"


def test_a_first_deployment_passes_with_a_comment_that_says_so_unless_a_live_site_is_required(
    runner: Runner, server: Server
) -> None:
    write(runner.root / "site", deploy(server, "", "new"))
    server.routes.clear()
    runner.context |= {"github.event_name": "pull_request", "github.event.pull_request.number": "7"}
    given = {"command": "none", "live": server.base, "comment": "true", "fail_on_lost": "true"}
    assert runner.use(**given) == 0
    assert "**Sitemaps:** first deployment" in runner.read("temp/changes.md")
    assert "--method POST" in runner.read("temp/gh")
    changes = runner.output("changes")
    assert runner.use(command="none", announce=changes, indexnow_key=KEY) == 0
    assert "first deployment: nothing is announced" in runner.read("summary")
    assert runner.use(**given, require_live="true") == 2


def test_a_deployment_is_announced_and_what_was_not_taken_is_an_output(
    runner: Runner, server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    server.serve(f"/{KEY}.txt", KEY)
    write(runner.root / "site", deploy(server, "", "new"))
    deploy(server, "")
    assert runner.use(command="none", live=server.base) == 0
    given = {
        "command": "none",
        "announce": runner.output("changes"),
        "indexnow_key": KEY,
        "wait": "5",
    }
    deploy(server, "", "new")
    with indexnow() as engine:
        monkeypatch.setenv("ENGINE", f"{engine.url}indexnow")
        engine.answers = [(403, {})]
        assert runner.use(**given) == 1
        assert json.loads(Path(runner.output("left")).read_text())["added"] == [server.base + "new"]
        assert runner.use(**given) == 0
        assert engine.taken == [server.base + "new"]
    assert "1 URL of " in runner.read("summary")
