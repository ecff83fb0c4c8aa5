"""The Tab key, with the extra that makes scripts for it."""

import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.apart


def test_bash_completes_commands_options_and_names_of_checks(tmp_path: Path) -> None:
    script = subprocess.run(
        [sys.executable, "-m", "smindex_plugins", "--print-completion", "bash"],
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    (tmp_path / "completions").write_text(script)
    assert complete(tmp_path, "smindex", "jo") == ["join"]
    assert complete(tmp_path, "smindex", "check", "--for") == ["--format"]
    assert complete(tmp_path, "smindex", "check", "--only", "outside-s") == ["outside-scope"]
    assert complete(tmp_path, "smindex", "build", "--undated", "f") == ["fail"]


def complete(directory: Path, *words: str) -> list[str]:
    """Return what bash offers for the last word."""
    typed = " ".join(words)
    setup = f"COMP_WORDS=({typed}); COMP_CWORD={len(words) - 1}; COMP_LINE='{typed}'; COMP_POINT={len(typed)}"
    call = '_shtab_smindex smindex "${COMP_WORDS[COMP_CWORD]}"; echo "${COMPREPLY[@]}"'
    program = f"source ./completions; {setup}; {call}"
    run = subprocess.run(["bash", "-c", program], capture_output=True, text=True, check=True, cwd=directory)
    return run.stdout.split()


@pytest.mark.parametrize("shell", ["zsh", "tcsh"])
def test_other_shells_have_a_script_too(shell: str) -> None:
    command = [sys.executable, "-m", "smindex_plugins", "--print-completion", shell]
    assert "outside-scope" in subprocess.run(command, capture_output=True, text=True, check=True).stdout
