"""Fuzzing of what reads files that others wrote: sitemaps, robots.txt, pages. Each crasher is kept as a file."""

import argparse
import importlib.util
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

from tests.support.fuzzed import TARGETS, WORDS, seeds

SUMMARY = "inputs that make a reader fail, hang or swell, as atheris finds them"

_HANGS = 20
"""Seconds after which an input is one that hangs: instrumented code is slow."""
_SWELLS = 1_024
"""Megabytes that a reader may take: a file of 50 MiB is read whole."""
_LONGEST = 1 << 14
"""Bytes of an input: what fails on a long one nearly always does on a short one."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add what this can be told."""
    parser.add_argument("--seconds", type=int, default=60, metavar="N", help="of each reader (default: 60)")
    parser.add_argument(
        "--directory",
        default=".fuzz",
        metavar="PATH",
        help="where inputs that reach more, and crashers, are kept for the next run (default: %(default)s)",
    )
    parser.add_argument("--only", choices=list(TARGETS), help="fuzz this reader alone")


def run(given: argparse.Namespace) -> dict[str, Any]:
    """Fuzz one reader after the other, beginning with the faults that the tests plant."""
    if importlib.util.find_spec("atheris") is None:
        sys.exit("fuzz: needs atheris, which no test does: pip install atheris (CPython 3.11 to 3.13 on Linux)")
    root = Path(given.directory)
    names = [given.only] if given.only else list(TARGETS)
    return {
        "benchmark": "fuzz",
        "seconds": given.seconds,
        "readers": {name: _fuzz(name, root, given) for name in names},
    }


def table(result: dict[str, Any]) -> str:
    """Show the result to a person."""
    lines = [f"{result['seconds']} s each", ""]
    for name, reader in result["readers"].items():
        lines.append(f"{name:10} {reader['inputs']:10,} inputs   {reader['features']:6,} features covered")
        lines += [f"  crasher: {path}" for path in reader["crashers"]]
        lines += reader["said"][-12:] if reader["crashers"] else []
    return "\n".join(lines)


def _fuzz(name: str, root: Path, given: argparse.Namespace) -> dict[str, Any]:
    corpus, crashers = root / name, root / f"{name}-crashers"
    corpus.mkdir(parents=True, exist_ok=True)
    crashers.mkdir(exist_ok=True)
    for number, seed in enumerate(seeds(name, _LONGEST)):
        (corpus / f"planted-{number}").write_bytes(seed)
    words = root / "words"
    words.write_text("".join(f'"{_quoted(word)}"\n' for word in WORDS), encoding="ascii")
    before = set(crashers.iterdir())
    command = [sys.executable, "-m", "tests.benchmarks.fuzz_targets", name, f"-max_total_time={given.seconds}"]
    limits = [f"-timeout={_HANGS}", f"-rss_limit_mb={_SWELLS}", f"-max_len={_LONGEST}", f"-dict={words}"]
    kept = [f"-artifact_prefix={crashers}/", "-print_final_stats=1", str(corpus)]
    done = subprocess.run([*command, *limits, *kept], capture_output=True, text=True, errors="replace", check=False)
    said = f"{done.stdout}\n{done.stderr}".splitlines()
    found = sorted(map(str, set(crashers.iterdir()) - before))
    if done.returncode and not found:
        sys.exit("\n".join(["fuzz: libFuzzer could not run:", *said[-20:]]))
    return {
        "inputs": _last(r"stat::number_of_executed_units: (\d+)|#(\d+)\t", said),
        "features": _last(r" ft: (\d+)", said),
        "crashers": found,
        "said": [line for line in said if "\t" not in line],
    }


def _last(pattern: str, lines: list[str]) -> int:
    found = [match for line in lines if (match := re.search(pattern, line))]
    return int(next(filter(None, found[-1].groups()))) if found else 0


def _quoted(word: str) -> str:
    return "".join(char if char.isalnum() or char in " <>/=:-." else f"\\x{ord(char):02x}" for char in word)
