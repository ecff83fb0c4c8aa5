"""The recipes of the manual are run as scripts: before anything is live, after another tool, and
after an earlier deployment.
"""

import os
import re
import shlex
import shutil
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from smindex_plugins.cli.main import main
from tests.docs.projects import CONFIG, HOST, docs
from tests.docs.test_action import ROOT, Runner
from tests.support.planted import urlset, write
from tests.support.servers import KEY, Web, indexnow, serve

DOCS = ROOT / "sample_sites/mkdocs/docs"
SITE = "https://example.org/docs/"
PATHS = ("", "about/", "guide/", "guide/install/", "guide/use/", "blog/hello/")
GITLAB: dict[str, Any] = yaml.safe_load(
    re.findall(
        r"```yaml\n(default:\n.+?)```", (DOCS / "guide/ci.md").read_text("utf-8"), re.DOTALL
    )[0]
)
COMPARISONS = sorted(
    {
        line.strip(" -`")
        for path in (ROOT / "README.md", *DOCS.rglob("*.md"))
        for line in re.findall(
            r"^[- ]*smindex diff https://[^\n]+", path.read_text("utf-8"), re.MULTILINE
        )
    }
)
ACTIONS: list[dict[str, str]] = []
"""Each combination of inputs with a live site, but without the check, which refuses a local one."""
for page in ("guide/ci.md", "guide/no-url-lost.md"):
    for block in re.findall(r"```yaml\n(.+?)```", (DOCS / page).read_text("utf-8"), re.DOTALL):
        for step in re.findall(r"with:\n((?: +[\w-]+: .+\n)+)", block):
            inputs = {
                name.replace("-", "_"): str(value).lower()
                for name, value in yaml.safe_load(step).items()
            }
            if "live" in inputs and inputs | {"command": "none"} not in ACTIONS:
                ACTIONS.append(inputs | {"command": "none"})


class Deployment:
    """A project of the manual, and the server to which it is deployed."""

    def __init__(self, root: Path, web: Web) -> None:
        self.root, self.web = root, web
        self.site = f"{web.base}docs/"
        config = CONFIG.replace(f"https://{HOST}/docs/", self.site)
        self.project = docs(root, config)
        self.project.write(f"docs/{KEY}.txt", KEY)
        self.project.commit("2026-03-06T09:30:00Z")
        self.runner = Runner(root.parent / "runner")

    def run(self, job: str, engine: str = "") -> subprocess.CompletedProcess[str]:
        """Run a job of GitLab, but for the installation, at an address of this machine, of which a
        build warns and which a check refuses.
        """
        lines = [
            line.replace(" --strict", "").replace(" check ", " check --ignore private-host ")
            for line in GITLAB[job]["script"]
            if not line.startswith("pip install ")
        ]
        environment = {
            **{name: value for name, value in os.environ.items() if "GIT" not in name},
            "ENGINE": engine,
            "INDEXNOW_KEY": KEY,
            "LIVE": GITLAB["variables"]["LIVE"].replace(SITE, self.site),
            "PATH": f"{self.runner.root}/temp/smindex/bin{os.pathsep}{os.environ['PATH']}",
            "PYTHONPATH": str(ROOT),
            "no_proxy": "127.0.0.1",
        }
        return subprocess.run(
            ["bash", "-eo", "pipefail", "-c", "\n".join(lines)],
            cwd=self.root,
            env=environment,
            capture_output=True,
            text=True,
            check=False,
        )

    def deploy(self) -> None:
        shutil.copytree(self.root / "public", self.web.directory / "docs", dirs_exist_ok=True)


@pytest.fixture
def deployment(tmp_path: Path) -> Iterator[Deployment]:
    with serve(tmp_path / "web") as web:
        yield Deployment(tmp_path / "project", web)


def old_sitemap(deployment: Deployment) -> None:
    """Deploy what MkDocs writes without the plugin."""
    flat = urlset(*(deployment.site + path for path in PATHS))
    write(
        deployment.web.directory / "docs", {"sitemap.xml": flat, "index.html": "<title>A</title>"}
    )


def ours(deployment: Deployment) -> None:
    assert deployment.run("build").returncode == 0
    deployment.deploy()
    deployment.project.write("docs/about.md", "# About\n\nMore about it.\n")
    deployment.project.commit("2026-03-07T09:30:00Z")


STATES = pytest.mark.parametrize(
    ("before", "announced"),
    [
        pytest.param(lambda _: None, [], id="nothing"),
        pytest.param(old_sitemap, [*PATHS, "blog/second-post/"], id="the sitemap of MkDocs"),
        pytest.param(ours, ["about/"], id="our index"),
    ],
)


@STATES
def test_the_recipes_run_whatever_is_live(
    deployment: Deployment,
    monkeypatch: pytest.MonkeyPatch,
    before: Callable[[Deployment], object],
    announced: list[str],
) -> None:
    """The jobs of GitLab, with a deployment between them; and before it, every command that
    compares with a live site, and the action of GitHub with the inputs shown.
    """
    before(deployment)
    built = deployment.run("build")
    assert built.returncode == 0, built.stdout + built.stderr
    assert ("first deployment" in built.stdout) == (not announced)

    monkeypatch.chdir(deployment.root)
    shutil.copytree("public", "site")
    for line in COMPARISONS:
        command = line.partition("||")[0].replace(SITE, deployment.site)
        command = command.replace("https://example.org/ ", f"{deployment.site} ")
        assert main(shlex.split(command, comments=True)[1:]) == 0, line
    assert main(["announce", "changes.json", "--dry-run"]) == 0
    shutil.copytree("site", deployment.runner.root / "site")
    for given in ACTIONS:
        inputs = given | {"live": given["live"].replace(SITE, deployment.site)}
        assert deployment.runner.use(**inputs) == 0, deployment.runner.printed
    assert ("first deployment" in deployment.runner.read("summary")) == (not announced)

    deployment.deploy()
    with indexnow() as engine:
        done = deployment.run("announce", f"{engine.url}indexnow")
        assert done.returncode == 0, done.stdout + done.stderr
        assert engine.taken == sorted(deployment.site + path for path in announced)


def test_there_are_recipes() -> None:
    assert len(COMPARISONS) >= 5
    assert len(ACTIONS) == 2
    assert all(line.startswith(f"smindex diff {SITE} ") for line in COMPARISONS if SITE in line)
    assert GITLAB["variables"]["LIVE"] == SITE


def test_the_recipe_for_gitlab_stops_a_lost_page(deployment: Deployment) -> None:
    write(deployment.web.directory / "docs", {"sitemap.xml": urlset(deployment.site + "us/")})
    built = deployment.run("build")
    assert built.returncode == 1
    assert "1 URL breaks: its page is lost." in built.stderr
