"""mutmut, with kinds of mutants that it lacks; runs in a copy of the repository as ``python engine.py JOBS RESULT``."""

import ast
import itertools
import json
import sys
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any, cast

import libcst as cst
from mutmut.__main__ import cli
from mutmut.mutation import mutators
from mutmut.mutation.data import SourceFileMutationData
from mutmut.mutation.diff_apply import get_diff_for_mutant
from mutmut.stats import status_by_exit_code
from mutmut.utils.file_utils import walk_mutatable_files
from mutmut.utils.format_utils import orig_function_and_class_names_from_key

_PLAIN = cst.Name | cst.Attribute | cst.Call | cst.Subscript | cst.NamedExpr | cst.BooleanOperation
"""Conditions that mutmut leaves as they are, or of which it changes a part alone."""


def _without_statement(node: cst.Expr | cst.Raise) -> Iterator[cst.CSTNode]:
    if isinstance(node, cst.Raise) or not isinstance(node.value, cst.BaseString):
        yield cst.Pass()


def _opposite(node: cst.If | cst.CompIf) -> Iterator[cst.CSTNode]:
    if isinstance(node.test, _PLAIN):
        inner = node.test.with_changes(lpar=[cst.LeftParen()], rpar=[cst.RightParen()])
        yield node.with_changes(test=cst.UnaryOperation(cst.Not(), inner))


def _without_bound(node: cst.Slice) -> Iterator[cst.CSTNode]:
    if node.lower:
        yield node.with_changes(lower=None)
    if node.upper:
        yield node.with_changes(upper=None)


def _telling(operator: Callable[[Any], Iterable[Any]]) -> Callable[[Any], Iterable[Any]]:
    """Return an operator less the mutants that nearly every test notices, since a None where none can be is an error.

    Of a text one change is enough, for whoever compares it sees them all.
    """
    if operator is mutators.operator_string:
        return lambda node: itertools.islice(operator(node), 1)
    if operator is mutators.operator_arg_removal:
        return lambda node: (mutant for mutant in operator(node) if len(mutant.args) < len(node.args))
    return operator


def _found() -> Iterator[dict[str, Any]]:
    """Yield every mutant, and what it changed where no test noticed."""
    for path in walk_mutatable_files():
        mutants = SourceFileMutationData(path=path)
        mutants.load()
        places = _places(path)
        for name, code in mutants.exit_code_by_key.items():
            status = status_by_exit_code[code]
            is_noticed = status in {"killed", "timeout", "segfault"}
            function, owner = orig_function_and_class_names_from_key(name)
            function = f"{owner}.{function}" if owner else function
            change = {} if is_noticed else _change(get_diff_for_mutant(name, path=path), places[function])
            yield {"path": str(path), "function": function, "status": status, **change}


def _places(path: Path) -> dict[str, int]:
    """Return the line at which each function begins."""
    top = ast.parse(path.read_text("utf-8")).body
    owners = [("", top), *((f"{node.name}.", node.body) for node in top if isinstance(node, ast.ClassDef))]
    return {
        owner + node.name: node.lineno for owner, body in owners for node in body if isinstance(node, ast.FunctionDef)
    }


def _change(diff: str, first: int) -> dict[str, Any]:
    """Return where a diff of a function begins to change it, and the lines before and after, each as one."""
    lines = diff.splitlines()[2:]
    at = next(number for number, line in enumerate(lines) if line[:1] in {"-", "+"})
    start = int(lines[0].split()[1].split(",")[0].lstrip("-"))
    before, after = (" ".join(line[1:].strip() for line in lines if line[0] == sign) for sign in "-+")
    return {"line": first + start - 1 + at - 1, "before": before, "after": after}


def main() -> None:
    """Try all mutants, and write what became of them."""
    jobs, result = sys.argv[1:]
    operators = cast("list[Any]", mutators.mutation_operators)
    operators[:] = [
        *((kind, _telling(operator)) for kind, operator in operators),
        *((cst.Expr, _without_statement), (cst.Raise, _without_statement)),
        *((cst.If, _opposite), (cst.CompIf, _opposite), (cst.Slice, _without_bound)),
    ]
    cli.main(["run", "--max-children", jobs], standalone_mode=False)
    Path(result).write_text(json.dumps(list(_found())), encoding="utf-8")


if __name__ == "__main__":
    main()
