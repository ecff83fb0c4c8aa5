"""Whatever can be reported is in the catalogue, once."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import smindex_plugins
from smindex_plugins import catalogue
from smindex_plugins.catalogue import CATALOGUE, Kind

PACKAGE = Path(smindex_plugins.__file__).parent


def calls(function: str) -> Iterator[tuple[str, ast.Call]]:
    """Give the calls of a function in the whole package, each with the file that it is in."""
    for path in sorted(PACKAGE.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and getattr(node.func, "id", getattr(node.func, "attr", "")) == function:
                yield path.relative_to(PACKAGE).as_posix(), node


def test_every_kind_is_in_the_catalogue_once() -> None:
    made = [ast.literal_eval(call.args[0]) for file, call in calls("Kind")]
    assert sorted(made) == sorted(CATALOGUE)


def test_every_kind_is_used() -> None:
    code = "".join(path.read_text() for path in PACKAGE.rglob("*.py") if path != Path(catalogue.__file__))
    names = [name for name, value in vars(catalogue).items() if isinstance(value, Kind)]
    assert [name for name in names if not re.search(rf"\b{name}\b", code)] == []


def test_no_finding_is_made_but_of_a_kind() -> None:
    assert {file for file, _ in calls("Finding")} == {"catalogue.py"}


def test_no_finding_gets_another_level_but_where_the_user_says_so() -> None:
    changed = {file for file, call in calls("replace") if "level" in {each.arg for each in call.keywords}}
    assert changed == {"history/reasons.py"}  # by the option `undated`


def test_every_kind_says_in_one_sentence_what_must_be_so_and_what_to_do() -> None:
    for kind in CATALOGUE.values():
        assert kind.name == kind.name.lower().replace("_", "-")
        for sentence in (kind.rule, kind.fix):
            assert sentence.endswith(".")
            assert "\n" not in sentence
