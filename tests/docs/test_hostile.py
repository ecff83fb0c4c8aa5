"""The harness of attacks tells of each that fails: nothing of it may stay green by itself."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.hostile.__main__ import ATTACKS

ROOT = Path(__file__).parents[2]
SCRIPT = """
import os, signal, sys, time
from pathlib import Path
from tests.hostile import trials
from tests.hostile.__main__ import main
from tests.hostile.attack import Attack, NotRunError

def lacking(number, place):
    raise NotRunError("platform: this machine has no tape")

def interrupting(number, place):
    time.sleep(0.3)  # the process that starts this one is ready by then
    os.kill(os.getppid(), signal.SIGINT)
    time.sleep(60)

signal.signal(signal.SIGINT, signal.default_int_handler)  # what a shell began in the background ignores it
trials.TRIAL_SECONDS = 10.0  # on a busy machine a process takes seconds to start
attacks = [
    Attack("holds", "nothing happens", lambda number, place: "", 3, 4),
    Attack("fails", "one trial fails", lambda number, place: "it\\nbroke" if number == 2 else "", 3, 4),
    Attack("raises", "a mistake of its own", lambda number, place: place / 1, 3, 4),
    Attack("dies", "it ends itself", lambda number, place: os.kill(os.getpid(), signal.SIGKILL), 3, 4),
    Attack("hangs", "it never ends", lambda number, place: time.sleep(60), 1, 1),
    Attack("stops", "its user interrupts all", interrupting, 3, 4),
    Attack("lacks", "it cannot be made", lacking, 3, 4),
    Attack("litters", "it leaves what may not be entered", lambda number, place: [
        (place / "a" / "b").mkdir(parents=True), (place / "a").chmod(0), ""][-1], 3, 4),
]
sys.exit(main(attacks=attacks))
"""


def attack(*arguments: str, temporary: Path) -> subprocess.CompletedProcess[str]:
    """Run the harness with attacks that are made for this."""
    command = [sys.executable, "-c", SCRIPT, *arguments]
    environment = {"PYTHONPATH": str(ROOT), "TMPDIR": str(temporary)}
    return subprocess.run(command, env=environment, capture_output=True, text=True, check=False, timeout=300)


def row(done: subprocess.CompletedProcess[str], name: str) -> list[int]:
    """Return the trials and the failures of an attack."""
    line = next(line for line in done.stdout.splitlines() if line.startswith(f"{name} "))
    return [int(number) for number in line.split()[1:3]]


@pytest.mark.parametrize(
    ("name", "trials", "failures", "said"),
    [
        ("fails", 3, 1, "first failure: it broke\n"),
        ("raises", 3, 3, "first failure: TypeError in "),
        ("dies", 3, 3, "first failure: its process ended without an answer\n"),
        ("hangs", 1, 1, "first failure: it did not end within 10 s\n"),
    ],
)
def test_an_attack_that_fails_is_in_the_table_and_in_the_exit_code(
    tmp_path: Path, name: str, trials: int, failures: int, said: str
) -> None:
    done = attack("--short", "--only", name, "--only", "holds", temporary=tmp_path)
    assert done.returncode == 1
    assert row(done, name) == [trials, failures]
    assert row(done, "holds") == [3, 0]
    assert said in done.stdout
    assert not list(tmp_path.iterdir())


def test_an_interrupt_prints_what_is_known_and_is_no_success(tmp_path: Path) -> None:
    done = attack("--only", "stops", "--jobs", "1", temporary=tmp_path)
    assert done.returncode == 1
    assert "interrupted: 4 trials were not made\n" in done.stdout
    assert "Traceback" not in done.stderr
    assert not list(tmp_path.iterdir())


def test_one_trial_can_be_repeated_and_leaves_its_directory(tmp_path: Path) -> None:
    failed = attack("--only", "fails", temporary=tmp_path)
    assert "to repeat it: python -m tests.hostile --only fails --trial 2\n" in failed.stdout
    assert row(attack("--only", "fails", "--trial", "2", temporary=tmp_path), "fails") == [1, 1]
    assert len(list(tmp_path.iterdir())) == 1
    assert attack("--only", "fails", "--trial", "1", temporary=tmp_path).returncode == 0


def test_what_cannot_be_tried_is_no_success_and_says_why(tmp_path: Path) -> None:
    done = attack("--only", "lacks", temporary=tmp_path)
    assert row(done, "lacks") == [0, 0]
    assert "not run: 4, platform: this machine has no tape\n" in done.stdout
    assert "0 trials" in done.stdout


def test_all_that_holds_is_success_and_nothing_is_left(tmp_path: Path) -> None:
    done = attack("--only", "holds", "--only", "litters", "--trials", "5", "--jobs", "3", temporary=tmp_path)
    assert done.returncode == 0
    assert done.stdout.endswith("10 trials, 0 failures\n")
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("arguments", [["--only", "holds", "--only", "hold"], ["--trials", "0"], ["--jobs", "0"]])
def test_what_would_try_nothing_is_refused(tmp_path: Path, arguments: list[str]) -> None:
    done = attack(*arguments, temporary=tmp_path)
    assert done.returncode == 2
    assert not done.stdout


def test_the_attacks_of_the_package_have_names_of_their_own_and_are_in_the_long_form() -> None:
    assert len({attack.name for attack in ATTACKS}) == len(ATTACKS)
    assert all(0 <= attack.short <= attack.long > 0 for attack in ATTACKS)
