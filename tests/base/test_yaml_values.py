"""YAML is loaded as plain values: no tag runs anything."""

from datetime import datetime, timedelta, timezone

import pytest

from smindex_plugins.base.yaml_values import load_yaml

NUMBER = "9" * 5_000


@pytest.mark.parametrize(
    ("text", "value"),
    [
        (
            "a: 1\nb: [x, null, 1.5, yes, '12', !!str 12]",
            {"a": 1, "b": ["x", None, 1.5, True, "12", "12"]},
        ),
        ("a: !unknown x", {"a": "x"}),
        ("a: !!python/name:os.system [x]", {"a": ["x"]}),
        ("a: !relative {b: 1}", {"a": {"b": 1}}),
        ("a: !ENV [A, B]", {"a": "of ['A', 'B']"}),
        ("0001-01-01T00:00:00+14:00", datetime(1, 1, 1, tzinfo=timezone(timedelta(hours=14)))),
        *(
            (text, text)
            for text in ("2026-02-30", "0000-01-01", "2026-05-10T10:00:00+99:00", NUMBER, "=", "<<")
        ),
        *((f"!!{tag} foo", "foo") for tag in ("bool", "timestamp")),
        *((f"!!{tag} ''", "") for tag in ("int", "float")),
        ("!!int [1]", [1]),
        (
            "- &b {a: 1, b: 2}\n- &o {b: 3}\n- {<<: [*b, *o], a: 5}",
            [{"a": 1, "b": 2}, {"b": 3}, {"a": 5, "b": 2}],
        ),
    ],
    ids=lambda value: str(value)[:30],
)
def test_a_value_that_does_not_have_the_form_of_its_tag_is_plain(text: str, value: object) -> None:
    assert load_yaml(text, {"!ENV": lambda given: f"of {given}"}) == value


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("a: [1", "did not find expected ',' or ']'"),
        ("a: b: c", "line 1, column 5: mapping values are not allowed in this context"),
        ("a: b\nc: \x00", "line 2: the character U.0000 is not allowed"),
        ("a: \ud800", "line 1: the character U.D800 is not allowed"),
        ("a: !x &a [*a]", "it is nested too deeply"),
        ("a: 1\n---\nb: 2", "line 2, column 1: found another document"),
    ],
)
def test_a_mistake_is_described_on_one_line(text: str, problem: str) -> None:
    with pytest.raises(ValueError, match=problem) as wrong:
        load_yaml(text)
    assert "\n" not in str(wrong.value)
