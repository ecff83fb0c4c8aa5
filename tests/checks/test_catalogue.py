"""Whatever can be reported is in the catalogue, once."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest

import smindex_plugins
from smindex_plugins import catalogue
from smindex_plugins.catalogue import Kind
from smindex_plugins.checks import CATALOGUE
from smindex_plugins.checks.registry import named
from smindex_plugins.sitemaps import faults

PACKAGE = Path(smindex_plugins.__file__).parent


def calls(function: str) -> Iterator[tuple[str, ast.Call]]:
    """Give the calls of a function in the whole package, each with the file that it is in."""
    for path in sorted(PACKAGE.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and getattr(node.func, "id", getattr(node.func, "attr", "")) == function:
                yield path.relative_to(PACKAGE).as_posix(), node


def test_every_kind_that_the_code_makes_is_in_the_catalogue() -> None:
    made = {ast.literal_eval(call.args[0]) for file, call in calls("Kind") if file != "checks/rule.py"}
    assert len(made) > 50
    assert made <= set(CATALOGUE)


@pytest.mark.parametrize("table", [catalogue, faults])
def test_every_kind_in_a_table_is_used(table: ModuleType) -> None:
    code = "".join(path.read_text() for path in PACKAGE.rglob("*.py") if path != Path(str(table.__file__)))
    names = [name for name, value in vars(table).items() if isinstance(value, Kind)]
    assert [name for name in names if not re.search(rf"\b{name}\b", code)] == []


def test_every_check_is_in_the_catalogue() -> None:
    found = {
        node.name.replace("_", "-").lstrip("-")
        for path in (PACKAGE / "checks").glob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.FunctionDef)
        and any(isinstance(each, ast.Call) and getattr(each.func, "id", "") == "check" for each in node.decorator_list)
    }
    assert len(found) > 50
    assert found <= set(CATALOGUE)


def test_no_finding_is_made_but_of_a_kind() -> None:
    assert {file for file, _ in calls("Finding")} == {"catalogue.py"}


def test_no_finding_gets_another_level_but_where_the_user_says_so() -> None:
    changed = {file for file, call in calls("replace") if "level" in {each.arg for each in call.keywords}}
    assert changed == {"checks/registry.py", "history/reasons.py"}  # by `--submitted`, and by the option `undated`


def test_a_name_is_of_one_kind() -> None:
    one = Kind("a", "error", "It is.", "Mend it.")
    assert named([one, one]) == {"a": one}
    with pytest.raises(ValueError, match="two kinds of findings are called a"):
        named([one, Kind("a", "warning", "It is.", "Mend it.")])


def test_every_kind_says_in_one_sentence_what_must_be_so_and_what_to_do() -> None:
    for kind in CATALOGUE.values():
        assert kind.name == kind.name.lower().replace("_", "-")
        for sentence in (kind.meaning, kind.fix):
            assert sentence.endswith(".")
            assert "\n" not in sentence
