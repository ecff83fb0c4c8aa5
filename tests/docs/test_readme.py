"""What the README shows is what happens."""

import re
import subprocess
from pathlib import Path

import pytest
import yaml

from smindex_plugins.cli.main import main
from tests.support.catalogue import checks_table
from tests.support.options import options_table
from tests.support.planted import index, urlset, write

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")
COMMANDS = re.findall(r"```sh\n(python3 -m venv .+?)\n```", README)
BUILDS = [command for command in COMMANDS if "sample_sites" in command]
"""Of the commands for a fresh machine, those that build a sample site."""


def test_the_options_table_is_made_of_the_settings() -> None:
    """To write it anew, print `options_table()`."""
    shown = README.partition("<!-- options -->\n")[2].partition("<!-- /options -->")[0]
    assert shown == options_table()


FAULTY = {
    "sitemap_index.xml": index("https://example.org/sitemap-root.xml", "https://example.org/guide/sitemap.xml"),
    "sitemap-root.xml": urlset(
        "<loc>https://example.org/</loc><lastmod>2026-02-30</lastmod>",
        "https://example.org/about/",
        "https://example.org/about/index.html",
    ),
    "guide/sitemap.xml": urlset("https://example.org/guide/install/", "https://example.org/blog/hello/"),
    "robots.txt": "User-agent: *\nDisallow: /guide/i\nSitemap: /sitemap_index.xml\n",
}


def test_the_findings_that_the_readme_shows_are_those_of_a_run(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """To write them anew, print what this compares."""
    write(tmp_path / "site", FAULTY)
    assert main(["check", str(tmp_path / "site")]) == 1
    shown = README.partition("<!-- check -->\n```text\n")[2].partition("```\n<!-- /check -->")[0]
    assert shown == capsys.readouterr().out


def test_the_checks_table_is_made_of_the_catalogue() -> None:
    """To write it anew, print `checks_table()`."""
    shown = README.partition("<!-- checks -->\n")[2].partition("<!-- /checks -->")[0]
    assert shown == checks_table()


def test_the_hook_for_pre_commit_runs_a_command_that_there_is() -> None:
    (hook,) = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))
    assert hook["id"] in README
    command, *arguments = hook["entry"].split()
    assert command == "smindex"
    with pytest.raises(SystemExit) as stopped:
        main([*arguments, *hook["args"], "--help"])
    assert stopped.value.code == 0


@pytest.mark.parametrize("number", [0, 1, 2])
def test_a_command_builds_a_sample_and_shows_the_index_that_the_readme_shows(tmp_path: Path, number: int) -> None:
    """In a fresh clone, as printed; only the dates are those of the clone's own history."""
    subprocess.run(["git", "clone", "-q", ROOT, tmp_path / "clone"], check=True)
    done = subprocess.run(
        ["bash", "-c", BUILDS[number]], cwd=tmp_path / "clone", capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    shown = re.findall(r"```xml\n(.+?)```", README, re.DOTALL)[number]
    assert _without_dates(done.stdout) == _without_dates(shown)


def _without_dates(text: str) -> str:
    return re.sub(r"\d{4}-\d\d-\d\d(T\d\d:\d\d:\d\dZ)?", "DATE", text)


def test_continuous_integration_runs_the_command_of_the_tests() -> None:
    """The script takes the command from this README, by a pattern that must find it and nothing else."""
    script = (ROOT / ".ci" / "run").read_text(encoding="utf-8")
    (pattern,) = re.findall(r"sed -n '/(.+)/p' README\.md", script)
    assert [line for line in README.splitlines() if re.search(pattern, line)] == sorted(set(COMMANDS) - set(BUILDS))
