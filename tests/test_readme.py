"""What the README shows is what happens."""

import re
import subprocess
from pathlib import Path

import pytest

from smindex_plugins.settings import OPTIONS

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")
COMMANDS = re.findall(r"```sh\n(python3 -m venv .+?)\n```", README)
BUILDS = [command for command in COMMANDS if "sample_sites" in command]
"""Of the commands for a fresh machine, those that build a sample site."""


def test_the_options_table_is_made_of_the_settings() -> None:
    """To write it anew, print `options_table()`."""
    shown = README.partition("<!-- options -->\n")[2].partition("<!-- /options -->")[0]
    assert shown == options_table()


def options_table() -> str:
    """Give the table of the options."""
    lines = ["| option | default | accepts | meaning |", "|---|---|---|---|"]
    lines += [
        f"| `{option.name}` | {_shown(option.default)} | {option.accepted} | {option.meaning} |" for option in OPTIONS
    ]
    return "\n".join(lines) + "\n"


def _shown(default: object) -> str:
    if default is None:
        return "none"
    return f"`{str(default).lower() if isinstance(default, bool) else [] if default == () else default}`"


@pytest.mark.parametrize("number", [0, 1])
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
