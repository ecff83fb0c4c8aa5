"""A trial of the mutants of some modules by the tests of their wing, in a copy of the repository."""

import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
_LEFT_OUT = shutil.ignore_patterns(".git", ".*cache", ".venv*", ".fuzz", ".hypothesis", "__pycache__", "*.egg-info")


@dataclass(frozen=True, slots=True, kw_only=True)
class Wing:
    """Modules that are tried together, and the tests that must notice."""

    modules: tuple[str, ...]
    """Their paths in the package."""
    tests: tuple[str, ...]
    left_out: tuple[str, ...] = ()
    """Names of tests that take long, and notice little: bounds of time and memory on large inputs."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Mutant:
    """A change to one function, and whether a test noticed it."""

    path: str
    function: str
    status: str
    line: int = 0
    before: str = ""
    after: str = ""

    @property
    def survived(self) -> bool:
        """Whether no test failed, none ran too long, and none even ran the function."""
        return bool(self.before or self.after)

    @property
    def key(self) -> tuple[str, str, str]:
        """What tells the mutant from others, and stays the same when lines move."""
        module = self.path.removesuffix(".py").removeprefix("smindex_plugins/").replace("/", ".")
        return f"{module}.{self.function}", self.before, self.after


def trial(wing: Wing, modules: Iterable[str], jobs: int) -> list[Mutant]:
    """Try the mutants of some modules of a wing.

    Raises:
        RuntimeError: the tests fail without any mutant, or do not run what is mutated.
    """
    with tempfile.TemporaryDirectory(prefix="mutants-") as place:
        copy, result = os.path.join(place, "copy"), os.path.join(place, "result.json")
        shutil.copytree(ROOT, copy, ignore=_LEFT_OUT)
        with open(os.path.join(copy, "pyproject.toml"), "a", encoding="utf-8") as file:
            file.write(_options(wing, modules))
        os.mkdir(os.path.join(place, "tmp"))
        engine = os.path.join(copy, "tests", "mutants", "engine.py")
        environment = {**os.environ, "TMPDIR": os.path.join(place, "tmp"), "PYTHONPATH": copy}
        command = [sys.executable, engine, str(jobs), result]
        done = subprocess.run(command, cwd=copy, env=environment, stdout=sys.stderr, check=False)
        if not os.path.exists(result):
            message = f"mutmut ended with {done.returncode} before it was through"
            raise RuntimeError(message)
        return [Mutant(**mutant) for mutant in json.loads(Path(result).read_text("utf-8"))]


def _options(wing: Wing, modules: Iterable[str]) -> str:
    """Return the table of mutmut's options; JSON's lists, texts and numbers are TOML's too."""
    slow = [f"--deselect={test}" for test in wing.left_out]
    options: dict[str, Any] = {
        "source_paths": ["smindex_plugins"],
        "only_mutate": [f"smindex_plugins/{module}" for module in modules],
        "also_copy": sorted(os.listdir(ROOT)),
        "pytest_add_cli_args": ["--hypothesis-profile=mutants", "-p", "no:cacheprovider", *slow],
        "pytest_add_cli_args_test_selection": list(wing.tests),
        "timeout_multiplier": 10.0,
    }
    return "\n[tool.mutmut]\n" + "".join(f"{name} = {json.dumps(value)}\n" for name, value in options.items())
