"""Each benchmark runs, on a small site and once."""

import subprocess
import sys
from pathlib import Path

import pytest

SMALL = {
    "history": ["--files", "4", "--commits", "20"],
    "build": ["--pages", "4", "--host-pages", "4"],
    "tables": ["--rows", "40"],
}


@pytest.mark.parametrize("name", SMALL)
def test_a_benchmark_prints_what_it_measured(name: str) -> None:
    command = [sys.executable, "-m", "tests.benchmarks", name, *SMALL[name], "--repeats", "1"]
    root = Path(__file__).parents[2]
    printed = subprocess.run(command, cwd=root, check=True, capture_output=True, text=True).stdout
    assert "ratio" in printed or "a row" in printed
