"""TOML and JSON: what is wrong with a text is said in plain words, with the line and the column."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from smindex_plugins.base.invalid_text import InvalidTextError
from smindex_plugins.base.toml_and_json import load_json, load_toml

INVALID_JSON = "it is not valid JSON at line "
INVALID_TOML = "it is not valid TOML at line "
DIGITS = "9" * 5_000


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", f"{INVALID_JSON}1, column 1: a value is missing, or is not written as in JSON"),
        ("[1,\n2,]", f"{INVALID_JSON}2, column 3: a "),
        ("{", f"{INVALID_JSON}1, column 2: a name in double quotes is missing"),
        ('{"a" 1}', f"{INVALID_JSON}1, column 6: the colon after a name is missing"),
        (
            '{"a": 1\n "b": 2}',
            f"{INVALID_JSON}2, column 2: a comma, or the end of the list or object, is missing",
        ),
        ("{}\n{}", f"{INVALID_JSON}2, column 1: there is more text after the end"),
        (r'"\q"', f"{INVALID_JSON}1, column 2: a backslash is before a character that needs none"),
        (r'"\u12"', f"{INVALID_JSON}1, column 3: \\u needs four hexadecimal digits after it"),
        (
            '"a\nb"',
            (
                f"{INVALID_JSON}1, column 3: a string contains a line break or another control"
                " character"
            ),
        ),
        ('"a', f"{INVALID_JSON}1, column 1: a string has no closing quote"),
        (DIGITS, "it contains a number with thousands of digits"),
        ("[" * 100_000, "it is nested too deeply"),
    ],
    ids=lambda value: value[:30],
)
def test_what_is_wrong_with_json(text: str, problem: str) -> None:
    with pytest.raises(InvalidTextError) as wrong:
        load_json(text)
    assert str(wrong.value).startswith(problem)


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("a = 1\nb", f"{INVALID_TOML}2: expected '=' after a key in a key/value pair (at the end)"),
        ("a = x", f"{INVALID_TOML}1, column 5: invalid value"),
        ("a = 1\na = 2\nb = 3", f"{INVALID_TOML}2, column 6: a key is set twice"),
        ("[a.'b c']\n[a.'b c']\n", f"{INVALID_TOML}2, column 9: the table a.b c is declared twice"),
        (
            "a = [1]\n[[a]]\n",
            f"{INVALID_TOML}2, column 4: the table or list a can't be extended here",
        ),
        (f"a = {DIGITS}", "it contains a number with thousands of digits"),
        (f"a = {'[' * 100_000}", "it is nested too deeply"),
    ],
    ids=lambda value: value[:30],
)
def test_what_is_wrong_with_toml(text: str, problem: str) -> None:
    with pytest.raises(InvalidTextError) as wrong:
        load_toml(text)
    assert str(wrong.value) == problem


def test_a_problem_is_shown_with_the_file_or_in_its_line() -> None:
    wrong = InvalidTextError("it is not valid YAML", "a reason", line=3, column=9)
    assert str(wrong) == "it is not valid YAML at line 3, column 9: a reason"
    assert wrong.at("a.yml") == "a.yml, line 3: it is not valid YAML at column 9: a reason"
    assert (InvalidTextError("it is UTF-16").at("a.yml"), wrong.line) == ("a.yml: it is UTF-16", 3)


@given(st.text(st.sampled_from("{}[]\",:=\\ue0123.-# \n\ta'\0") | st.characters()))
def test_every_text_is_read_or_has_a_problem_in_our_words(text: str) -> None:
    problems: list[str] = []
    for load in (load_json, load_toml):
        try:
            load(text)
        except InvalidTextError as wrong:
            problems.append(str(wrong))
    assert all(problem.startswith("it ") for problem in problems)
    assert not any(words in problem for problem in problems for words in ("(char ", "(at line"))


@given(st.recursive(st.none() | st.booleans() | st.integers() | st.text(), st.lists))
def test_valid_json_is_read(value: object) -> None:
    assert load_json(json.dumps(value)) == value
