"""`python -m tests.benchmarks` lists the benchmarks; `python -m tests.benchmarks NAME` runs one."""

import argparse
import json
import sys
from types import ModuleType

from tests.benchmarks import build, check, diff, history, live, mkdocs, pages, pelican, scale, sphinx, tables

BENCHMARKS: dict[str, ModuleType] = {
    "build": build,
    "check": check,
    "diff": diff,
    "history": history,
    "live": live,
    "mkdocs": mkdocs,
    "pages": pages,
    "pelican": pelican,
    "scale": scale,
    "sphinx": sphinx,
    "tables": tables,
}


def main() -> int:
    """Run the named benchmark, or list all of them."""
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks")
    commands = parser.add_subparsers(dest="name", metavar="NAME")
    for name, module in BENCHMARKS.items():
        command = commands.add_parser(name, help=module.SUMMARY, description=module.__doc__)
        command.add_argument("--json", action="store_true", help="print one JSON object and nothing else")
        module.add_arguments(command)
    given = parser.parse_args()
    if given.name is None:
        for name, module in BENCHMARKS.items():
            print(f"{name:10} {module.SUMMARY}")
        return 0
    module = BENCHMARKS[given.name]
    result = module.run(given)
    print(json.dumps(result, indent=2) if given.json else module.table(result))
    return 0


if __name__ == "__main__":
    sys.exit(main())
