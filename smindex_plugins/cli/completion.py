"""What the Tab key completes: a script for a shell, which shtab makes of the parser when somebody asks for one."""

import argparse
from collections.abc import Iterator

from smindex_plugins.catalogue import CHECKED

SHELLS = ("bash", "zsh", "tcsh")
_FILES = ("target", "old", "new", "output", "left", "sources", "ignore_revs_file")
"""Arguments that are completed with files and directories."""


def script(parser: argparse.ArgumentParser, shell: str) -> str:
    """Return the script that lets a shell complete commands, options and their values.

    Raises:
        ImportError: shtab is not installed.
    """
    import shtab  # noqa: PLC0415 - an extra, which only this needs

    for action in _actions(parser):
        if action.dest in ("only", "ignore"):
            action.choices = tuple(CHECKED)
        elif action.dest in _FILES:
            vars(action)["complete"] = shtab.FILE
        elif isinstance(action.metavar, str) and action.metavar.startswith("{"):
            action.choices = action.metavar[1:-1].split(",")
    parser.prog = "smindex"  # which may run as a module here, but not where the script is used
    return str(shtab.complete(parser, shell, root_prefix="smindex"))


def _actions(parser: argparse.ArgumentParser) -> Iterator[argparse.Action]:
    for action in parser._actions:  # noqa: SLF001 - there is no other way to them
        yield action
        if isinstance(action, argparse._SubParsersAction):  # noqa: SLF001 - it has no other name
            for part in action.choices.values():
                yield from _actions(part)
