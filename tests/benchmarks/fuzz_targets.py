"""What is fuzzed, one reader a process: `python -m tests.benchmarks.fuzz_targets NAME` with libFuzzer's arguments."""

import importlib
import sys
from typing import Any

from tests.support.fuzzed import TARGETS


def main() -> None:
    """Fuzz one reader until libFuzzer ends the process."""
    name, *arguments = sys.argv[1:]
    atheris: Any = importlib.import_module("atheris")
    with atheris.instrument_imports(include=["smindex_plugins"]):
        target = TARGETS[name]()
    atheris.Setup([sys.argv[0], *arguments], target)
    atheris.Fuzz()


if __name__ == "__main__":
    main()
