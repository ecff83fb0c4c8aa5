"""How long the dates of all files take, beside the same git command and beside one git process per file.

Every repeat runs every contender once, each time in another order, so that neither a busy machine nor what ran before
is unfair to one of them. What asks git once per file is timed on a sample and multiplied.
"""

import argparse
import itertools
import json
import os
import random
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from typing import Any

from smindex_plugins.history import Change, History, git
from tests.benchmarks.measure import ratios

SUMMARY = "seconds for the dates of all files, beside git alone and beside one process per file"

SIZES = ((100, 1_000), (1_000, 10_000), (1_000, 100_000), (30_000, 100_000))
"""Files and commits of the generated repositories."""

SAMPLE = 20
ENOUGH = 10.0
"""Seconds of measuring before the last repeat: in a few hundredths of a second a machine has time for other things."""

GOALS = "goals: ours / same git command <= 1.5; one log per file / ours >= 50 at 1,000 files"


@dataclass(frozen=True)
class Measured:
    """Medians over the repeats, in seconds and MB; peaks are those of one fresh process each."""

    repository: str
    files: int
    dated: int
    commits: int
    ours: float
    same_command: float
    log_per_file: float
    peer_per_file: float
    sampled: int
    """How many files the two per-file figures were extrapolated from."""
    python_peak: float
    python_before: float
    git_peak: float
    ratios: dict[str, float]
    """What the goals are about: medians of the ratios of one turn each."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add what this benchmark can be told."""
    parser.add_argument("--repository", metavar="PATH", help="measure this repository instead of generated ones")
    parser.add_argument("--under", metavar="DIRECTORY", default="", help="the files below this directory of it")
    parser.add_argument("--files", type=int, metavar="N", help="files of a generated repository")
    parser.add_argument("--commits", type=int, metavar="N", help="commits of a generated repository")
    repeats = f"at least so many, and as many as fit into {ENOUGH:g} seconds (default: %(default)s)"
    parser.add_argument("--repeats", type=int, metavar="N", default=5, help=repeats)


def run(given: argparse.Namespace) -> dict[str, Any]:
    """Measure generated repositories, or one that exists."""
    results = list(_results(given))
    return {"benchmark": "history", "results": [asdict(result) for result in results]}


def table(result: dict[str, Any]) -> str:
    """Show the results to a person."""
    return "\n".join([*map(_block, result["results"]), "", GOALS])


def _results(given: argparse.Namespace) -> Iterator[Measured]:
    if given.repository:
        yield measure(given.repository, given.under, given.repeats)
        return
    sizes = [(given.files or 1_000, given.commits or 10_000)] if given.files or given.commits else SIZES
    for files, commits in sizes:
        with generated(files, commits) as repository:
            yield measure(repository, "docs", given.repeats)


def _block(result: dict[str, Any]) -> str:
    sampled = "" if result["sampled"] == result["files"] else f"  (from {result['sampled']} files)"
    lines = [
        "",
        f"{result['repository']}: {result['files']:,} files, {result['commits']:,} commits, {result['dated']:,} dated",
        f"  ours                        {result['ours']:10.3f} s",
        f"  same git command, no reader {result['same_command']:10.3f} s",
        f"  one git log -1 per file     {result['log_per_file']:10.3f} s{sampled}",
        f"  peer's options per file     {result['peer_per_file']:10.3f} s{sampled}",
        f"  peak of Python              {result['python_peak']:10.1f} MB  ({result['python_before']:.1f} before)",
        f"  peak of git                 {result['git_peak']:10.1f} MB",
    ]
    return "\n".join([*lines, *(f"  {name:30} {ratio:8.2f}" for name, ratio in result["ratios"].items())])


def measure(repository: str, under: str, repeats: int) -> Measured:
    """Time all contenders on the files below a directory of a repository."""
    root = os.path.realpath(repository)
    names = [name for name in _git(root, "ls-files", "-z", "--", under or ".").split("\0") if name]
    files = [os.path.join(root, name) for name in names]
    sample = random.Random(1).sample(names, min(SAMPLE, len(names)))  # noqa: S311 - not a secret
    same_command = _our_command(files)
    per_file = ["log", "-1", "--format=%ct", "--"]
    # As mkdocs-git-revision-date-localized asks.
    peer = ["log", "-n1", "--date=unix", "--format=%at", "--diff-filter=r", "--follow", "--no-show-signature"]
    peer += ["--ignore-all-space", "--ignore-blank-lines", "--"]
    contenders: dict[str, Callable[[], object]] = {
        "ours": lambda: History().dates(files),
        "same_command": lambda: _to_nowhere(root, same_command),
        "log_per_file": lambda: _each_to_nowhere(root, per_file, sample),
        "peer_per_file": lambda: _each_to_nowhere(root, peer, sample),
    }
    times = _interleaved(contenders, repeats)
    for name in ("log_per_file", "peer_per_file"):
        times[name] = [taken * len(names) / len(sample) for taken in times[name]]
    peaks = _peaks(files)
    dated = sum(isinstance(answer, Change) for answer in History().dates(files).values())
    return Measured(
        repository=os.path.basename(root),
        files=len(files),
        dated=dated,
        commits=int(_git(root, "rev-list", "--count", "HEAD")),
        **{name: statistics.median(taken) for name, taken in times.items()},
        sampled=len(sample),
        **peaks,
        ratios={
            "ours / same git command": ratios(times, "same_command")["ours"],
            "log per file / ours": ratios(times, "ours")["log_per_file"],
            "peer's options per file / ours": ratios(times, "ours")["peer_per_file"],
        },
    )


def _interleaved(contenders: dict[str, Callable[[], object]], repeats: int) -> dict[str, list[float]]:
    times: dict[str, list[float]] = {name: [] for name in contenders}
    order = random.Random(1)  # noqa: S311 - not a secret
    began = time.perf_counter()
    for turn in itertools.count():
        for name in order.sample(list(contenders), len(contenders)):
            started = time.perf_counter()
            contenders[name]()
            times[name].append(time.perf_counter() - started)
        if turn >= repeats and time.perf_counter() - began >= ENOUGH:
            break
    return {name: taken[1:] for name, taken in times.items()}  # the first warms the caches


def _our_command(files: list[str]) -> list[str]:
    """Learn, from a run, which log was started."""
    commands: list[list[str]] = []
    original = git._command

    def remember(arguments: Iterable[str]) -> list[str]:
        commands.append(original(arguments))
        return commands[-1]

    git._command = remember
    try:
        History().dates(files)
    finally:
        git._command = original
    return next(command for command in commands if "log" in command)


def _to_nowhere(root: str, command: list[str]) -> None:
    environment = git.environment()
    subprocess.run(command, cwd=root, env=environment, stdout=subprocess.DEVNULL, check=True)


def _each_to_nowhere(root: str, arguments: list[str], names: list[str]) -> None:
    for name in names:
        _to_nowhere(root, ["git", *arguments, name])


_CHILD = """
import json, resource, sys
from smindex_plugins.history import History
files = json.load(sys.stdin)
History()
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
History().dates(files)
print(before, *(resource.getrusage(who).ru_maxrss for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)))
"""


def _peaks(files: list[str]) -> dict[str, float]:
    done = subprocess.run(
        [sys.executable, "-c", _CHILD], input=json.dumps(files), capture_output=True, text=True, check=True
    )
    unit = 1024 * 1024 if sys.platform == "darwin" else 1024  # of ru_maxrss, in bytes or in kilobytes
    before, python, git = (int(number) / unit for number in done.stdout.split())
    return {"python_before": before, "python_peak": python, "git_peak": git}


@contextmanager
def generated(files: int, commits: int) -> Iterator[str]:
    """Make a repository of pages and code, with merges and moves, that is the same every time."""
    directory = tempfile.mkdtemp(prefix="benchmark-")
    root = os.path.join(directory, f"{files}-files-{commits}-commits")
    try:
        subprocess.run(["git", "init", "--quiet", "--initial-branch=main", root], check=True)
        with subprocess.Popen(["git", "fast-import", "--quiet"], cwd=root, stdin=subprocess.PIPE) as importer:
            assert importer.stdin
            for chunk in _stream(files, commits):
                importer.stdin.write(chunk.encode())
        _git(root, "reset", "--quiet", "--hard")
        yield root
    finally:
        shutil.rmtree(directory)


def _stream(files: int, commits: int) -> Iterator[str]:
    """Write commits for fast-import: one in ten is a merge of a branch, one in fifty moves a page.

    One page in fifty never changes, as real sites have some, so the walk goes back to the beginning.
    """
    chance = random.Random(files + commits)  # noqa: S311 - not a secret
    pages = [f"docs/part{number % 97}/section{number % 7}/page{number}.md" for number in range(files)]
    code = [f"code/module{number % 31}/file{number}.py" for number in range(files // 4)]
    yield _commit(1, "main", None, None)
    for name in [*pages, *code]:
        yield _file(name, f"{name} 0")
    mark = head = 1
    while mark < commits:
        mark += 1
        if mark % 10 == 0 and mark < commits:
            yield _commit(mark, "side", head, None)
            change = _change(chance, pages, code, mark)
            yield change
            mark += 1
            yield _commit(mark, "main", head, mark - 1) + change
        else:
            yield _commit(mark, "main", head, None) + _change(chance, pages, code, mark)
        head = mark


def _change(chance: random.Random, pages: list[str], code: list[str], mark: int) -> str:
    if mark % 50 == 3:
        at = chance.randrange(len(pages) // 50, len(pages))
        old, pages[at] = pages[at], f"docs/part{chance.randrange(97)}/moved{mark}.md"
        return f"R {old} {pages[at]}\n"
    changing = chance.choice((pages[len(pages) // 50 :], code))
    names = chance.sample(changing, chance.randint(1, 3))
    return "".join(_file(name, f"{name} {mark}") for name in dict.fromkeys(names))


def _commit(mark: int, branch: str, parent: int | None, merged: int | None) -> str:
    lines = [f"commit refs/heads/{branch}", f"mark :{mark}", f"committer C <c@example.org> {10**9 + mark * 60} +0000"]
    lines += ["data 0"]
    lines += [f"from :{parent}"] if parent else []
    lines += [f"merge :{merged}"] if merged else []
    return "\n".join(lines) + "\n"


def _file(name: str, content: str) -> str:
    return f"M 644 inline {name}\ndata {len(content)}\n{content}\n"


def _git(root: str, *arguments: str) -> str:
    return os.fsdecode(subprocess.run(["git", *arguments], cwd=root, capture_output=True, check=True).stdout)
