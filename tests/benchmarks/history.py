"""How long the dates of all files take, beside the same git log piped to nowhere and beside one log
per file.
"""

import argparse
import os
import random
import subprocess
import tempfile
from collections.abc import Iterator
from functools import partial
from pathlib import Path

from smindex_plugins.base.proof import ContentChange
from smindex_plugins.history.history import History
from tests.benchmarks.measure import Usage, function, in_turn, print_ratios, process

SAMPLE = 20
LOG = [
    *(
        "git",
        "log",
        "--format=%ct %H %P",
        "-z",
        "--raw",
        "--no-abbrev",
        "-M100%",
        "-l0",
        "--no-rename-empty",
    ),
    *("--first-parent", "-m", "--sparse", "HEAD", "--", "docs"),
]
"""The log that `smindex_plugins.history` reads."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the size of the repository, which is generated."""
    parser.add_argument("--files", type=int, default=1_000, help="pages in the repository")
    parser.add_argument("--commits", type=int, default=10_000, help="commits in the repository")
    parser.add_argument("--repeats", type=int, default=5, help="turns that count")


def run(given: argparse.Namespace) -> None:
    """Date all files in each way, in turn.

    One log per file is timed on a sample, and multiplied.
    """
    with tempfile.TemporaryDirectory() as directory:
        root = Path(directory, "repository")
        commit_pages(root, given.files, given.commits)
        files = [str(path) for path in (root / "docs").rglob("*.md")]
        sample = random.Random(1).sample(files, min(SAMPLE, len(files)))  # noqa: S311 - not a secret

        def log_of_each() -> Usage:
            each = [
                process(["git", "log", "-1", "--format=%ct", "--", file], root) for file in sample
            ]
            return Usage(sum(usage.seconds for usage in each) * len(files) / len(sample))

        usages = in_turn(
            {
                "git log to nowhere": partial(process, LOG, root),
                "dates of all files": partial(function, lambda: History().dates(files)),
                f"log of each, from {len(sample)}": log_of_each,
            },
            given.repeats,
        )
        dated = sum(isinstance(answer, ContentChange) for answer in History().dates(files).values())
    print_ratios(
        f"{len(files):,} files, {dated:,} of them dated, {given.commits:,} commits", usages
    )


def commit_pages(root: Path, files: int, commits: int) -> None:
    """Make a repository with merges, in which one commit in fifty moves a page, and one page in
    fifty never changes.
    """
    subprocess.run(["git", "init", "-q", "--initial-branch=main", root], check=True)
    stream = os.fsencode("".join(_fast_import(files, commits)))
    subprocess.run(["git", "fast-import", "--quiet"], cwd=root, input=stream, check=True)
    subprocess.run(["git", "reset", "-q", "--hard"], cwd=root, check=True)


def _fast_import(files: int, commits: int) -> Iterator[str]:
    chance = random.Random(files + commits)  # noqa: S311 - the same repository every time
    pages = [
        f"docs/part{number % 97}/section{number % 7}/page{number}.md" for number in range(files)
    ]
    code = [f"code/module{number % 31}/file{number}.py" for number in range(files // 4 + 2)]
    head = "commit refs/heads/{}\nmark :{}\ncommitter C <c@example.org> {} +0000\ndata 0\n"
    changes = ""
    for mark in range(1, commits + 1):
        # Each sixth commit of ten merges the fifth, which is on a branch beside the fourth, with
        # its changes.
        is_branch, is_merge = mark % 10 == 5, mark % 10 == 6
        yield head.format("branch" if is_branch else "main", mark, 10**9 + mark * 60)
        yield f"from :{mark - 2 if is_merge else mark - 1}\n" if mark > 1 else ""
        if is_merge:
            yield f"merge :{mark - 1}\n"
        elif mark % 50 == 3:
            number, moved = (
                chance.randrange(files // 50, files),
                f"docs/part{chance.randrange(97)}/moved{mark}.md",
            )
            changes = f"R {pages[number]} {moved}\n"
            pages[number] = moved
        else:
            names = (
                [*pages, *code]
                if mark == 1
                else chance.sample(chance.choice((pages[files // 50 :], code)), 2)
            )
            changes = "".join(
                f"M 644 inline {name}\ndata {len(name) + 10}\n{name}{mark:10}\n" for name in names
            )
        yield changes
