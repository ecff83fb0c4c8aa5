"""Runs one benchmark."""

import argparse

from tests.benchmarks import build, history, tables

BENCHMARKS = {"history": history, "build": build, "tables": tables}


def main() -> None:
    """Run the named benchmark and print what it measured."""
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks")
    commands = parser.add_subparsers(dest="name", required=True)
    for name, module in BENCHMARKS.items():
        command = commands.add_parser(
            name,
            help=module.__doc__,
            description=module.__doc__,
            formatter_class=argparse.ArgumentDefaultsHelpFormatter,
        )
        module.add_arguments(command)
    arguments = parser.parse_args()
    BENCHMARKS[arguments.name].run(arguments)


main()
