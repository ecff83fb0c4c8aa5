"""Which small changes to the modules that carry the laws go unnoticed by the tests of their wing.

mutmut makes the mutants of every function without a decorator, and tries each with the tests that run it. It does not
touch constants outside functions. A survivor is a test that is missing, code that is not needed, or a change that
changes nothing: the last have their reasons in reasons.toml.
"""

import argparse
import importlib.util
import os
import sys
import tomllib
from collections import Counter
from collections.abc import Collection, Iterator
from pathlib import Path

from tests.mutants.trial import Mutant, Wing, trial

ENOUGH = 0.9
"""The part of a module's mutants that has to be noticed."""
WINGS = (
    Wing(
        modules=("urls.py", "addresses.py", "dates.py"),
        tests=tuple(f"tests/foundation/test_{name}.py" for name in ("urls", "url_files", "addresses", "dates")),
    ),
    Wing(
        modules=tuple(f"sitemaps/{name}.py" for name in ("sections", "rendering", "output", "temporary", "lock")),
        tests=(
            *(
                f"tests/sitemaps/test_{name}.py"
                for name in ("sections", "rendering", "xml", "output", "staging", "lock")
            ),
            "tests/pages/test_lastmod.py",
        ),
        left_out=(
            "tests/sitemaps/test_sections.py::test_one_page_more_or_less_of_200_000_changes_at_most_two_parts_of_50_000",
            "tests/sitemaps/test_rendering.py::test_fifty_two_million_bytes_are_one_sitemap_and_one_more_are_not",
        ),
    ),
    Wing(modules=("history/answers.py",), tests=("tests/history/test_answers.py",)),
    Wing(
        modules=("history/trail.py", "history/walk.py"),
        tests=(
            *(f"tests/history/test_{name}.py" for name in ("arrivals", "edges", "sources", "walk")),
            "tests/history/test_hostile.py::test_what_only_a_filter_knows_is_not_called_edited_and_the_rest_is",
        ),
    ),
    Wing(
        modules=tuple(f"pages/{name}.py" for name in ("membership", "declared", "hreflang", "lists", "lastmod")),
        tests=("tests/pages",),
    ),
)


def main() -> int:
    """Try the mutants, and show what survived; 1 if that is too much, or there is one without a reason."""
    parser = argparse.ArgumentParser(prog="python -m tests.mutants", description=__doc__)
    every = [module for wing in WINGS for module in wing.modules]
    parser.add_argument("--only", action="append", choices=every, metavar="MODULE", help=f"one of {', '.join(every)}")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, metavar="N", help="default: %(default)s")
    given = parser.parse_args()
    if importlib.util.find_spec("mutmut") is None:
        sys.exit("mutants: needs mutmut, which no test does: pip install -e '.[test,mutants]'")
    chosen = given.only or every
    tried: list[Mutant] = []
    for wing in WINGS:
        if modules := [module for module in wing.modules if module in chosen]:
            tried += trial(wing, modules, given.jobs)
    reasons = {key: reason for key, reason in read_reasons().items() if _module(key[0]) in chosen}
    problems = [*_unexplained(tried, reasons), *_outdated(tried, reasons)]
    print(*problems, *_table(tried, reasons), sep="\n")
    return int(bool(problems) or any(part < ENOUGH for part in _noticed(tried).values()))


def read_reasons() -> dict[tuple[str, str, str], str]:
    """Return why a mutant may survive: by its function, and the lines before and after the change."""
    text = (Path(__file__).parent / "reasons.toml").read_text("utf-8")
    return {
        (function, change["before"], after): change["reason"]
        for function, changes in tomllib.loads(text).items()
        for change in changes
        for after in change["after"]
    }


def _module(function: str) -> str:
    """Return the path of the module of a function, as `--only` names it; classes begin with capitals."""
    parts = function.split(".")
    return "/".join(parts[: -2 if parts[-2].lstrip("_")[:1].isupper() else -1]) + ".py"


def _unexplained(tried: list[Mutant], reasons: Collection[tuple[str, str, str]]) -> Iterator[str]:
    for mutant in tried:
        if mutant.survived and mutant.key not in reasons:
            yield f"{mutant.path}:{mutant.line}: no test notices this change in {mutant.function} ({mutant.status}):"
            yield from (f"    - {mutant.before}", f"    + {mutant.after}")


def _outdated(tried: list[Mutant], reasons: Collection[tuple[str, str, str]]) -> Iterator[str]:
    survivors = {mutant.key for mutant in tried if mutant.survived}
    for function, before, after in reasons:
        if (function, before, after) not in survivors:
            yield f"reasons.toml: of {function} this change is noticed, or cannot be made any more; remove it:"
            yield from (f"    - {before}", f"    + {after}")


def _noticed(tried: list[Mutant]) -> dict[str, float]:
    every = Counter(mutant.path for mutant in tried)
    survived = Counter(mutant.path for mutant in tried if mutant.survived)
    return {path: 1 - survived[path] / number for path, number in every.items()}


def _table(tried: list[Mutant], reasons: Collection[tuple[str, str, str]]) -> Iterator[str]:
    yield f"{'module':36} {'mutants':>8} {'noticed':>8} {'':6} {'survived':>9} {'explained':>10}"
    for path, part in _noticed(tried).items():
        mutants = [mutant for mutant in tried if mutant.path == path]
        survivors = [mutant for mutant in mutants if mutant.survived]
        explained = sum(mutant.key in reasons for mutant in survivors)
        noticed = len(mutants) - len(survivors)
        yield f"{path:36} {len(mutants):8,} {noticed:8,} {part:6.1%} {len(survivors):9,} {explained:10,}"


if __name__ == "__main__":
    sys.exit(main())
