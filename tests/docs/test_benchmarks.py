"""Each benchmark runs, on a small site and once."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.benchmarks.__main__ import BENCHMARKS

ROOT = Path(__file__).parents[2]
SMALL = {
    "build": ["--pages", "40", "--bytes", "3000", "--repeats", "1", "--no-npm"],
    "check": ["--urls", "200", "--repeats", "1"],
    "live": ["--pages", "20", "--bytes", "3000", "--repeats", "1"],
    "mkdocs": ["--pages", "3", "--repeats", "1", "--no-peer"],
    "pelican": ["--pages", "3", "--repeats", "1"],
}


def run(name: str, *arguments: str) -> str:
    command = [sys.executable, "-m", "tests.benchmarks", name, *SMALL[name], *arguments]
    return subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True, timeout=300).stdout


@pytest.mark.parametrize("name", SMALL)
def test_a_benchmark_says_what_each_of_its_commands_takes(name: str) -> None:
    result = json.loads(run(name, "--json"))
    ratios = next(figures for what, figures in result.items() if what.startswith("ratio "))
    assert result["seconds"].keys() == ratios.keys()
    assert all(ratio > 0 for ratio in ratios.values())
    shown = BENCHMARKS[name].table(result)
    assert all(command in shown for command in ratios)


def test_sites_with_other_layouts_are_measured_too() -> None:
    assert "(deep)" in run("build", "--layout", "deep", "--bytes", "20000")


def test_a_chart_of_three_sizes_is_drawn(tmp_path: Path) -> None:
    chart = tmp_path / "chart.svg"
    words = run("build", "--layout", "flat", "--plot", str(chart)).rpartition("For the manual: ")[2].strip()
    assert words.startswith("For 40 pages, smindex build takes ")
    drawn = chart.read_text(encoding="utf-8")
    assert f"<title>{words}</title>" in drawn
    assert all(drawn.count(f">{size}</text>") >= 2 for size in (2, 10, 40)), "below the bars of both commands"
