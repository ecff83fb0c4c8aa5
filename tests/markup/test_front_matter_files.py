import time
from datetime import UTC, date, datetime, timedelta, timezone
from pathlib import Path

import pytest

from smindex_plugins.markup.front_matter import Above, read

BOMB = "a: &a [x,x,x,x,x,x,x,x,x]\n" + "".join(
    f"{chr(letter)}: &{chr(letter)} [{','.join([f'*{chr(letter - 1)}'] * 9)}]\n" for letter in range(98, 108)
)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("---\nlastmod: 2024-05-01\n---\ntext", {"lastmod": date(2024, 5, 1)}),
        ("\ufeff---\r\nLastMod: 2024-05-01T10:00:00Z\r\n---\r\n", {"lastmod": datetime(2024, 5, 1, 10, tzinfo=UTC)}),
        ("--- \ntags: &t [a]\nkeywords: *t\n... \n", {"tags": ["a"], "keywords": ["a"]}),
        (
            "+++\nlastmod = 2024-05-01\n[sitemap]\nimages = false\n+++\n",
            {"lastmod": date(2024, 5, 1), "sitemap": {"images": False}},
        ),
        ("---\nsitemap: {priority: 0.5, changefreq: daily}\n---\n", {"sitemap": {}}),
        ("---\nsitemap: {disable: true, lastmod: x}\n---\n", {"sitemap": {"lastmod": "x", "exclude": True}}),
        ("---\nsitemap: false\n---\n", {"sitemap": False}),
        ("text", None),
        ("", None),
        ("---\n", None),
        ("---\ntext without an end\n", None),
        ("---\n- a list\n---\n", None),
        ("---\nlastmod: 2024-99-99\n---\n", {"lastmod": "2024-99-99"}),
        ("---\n{broken: [\n---\n", None),
        ("---\nx: !!python/object/apply:os.getcwd []\n---\n", {"x": []}),
        ("+++\nbroken\n+++\n", None),
        (f"---\n{BOMB}---\n", None),
        ("---\n" + "[" * 60_000 + "\n---\n", None),
        ("---\n" + "- " * 30_000 + "\n---\n", None),
    ],
)
def test_what_front_matter_says(tmp_path: Path, text: str, said: object) -> None:
    (tmp_path / "a.md").write_text(text, encoding="utf-8", newline="")
    assert read(str(tmp_path / "a.md")).said == said


def test_a_file_that_cannot_be_read_says_nothing(tmp_path: Path) -> None:
    assert read(str(tmp_path / "nowhere.md")) == Above()
    (tmp_path / "a.md").write_bytes(b"---\ntitle: \xff\n---\n")
    assert read(str(tmp_path / "a.md")).said == {"title": "\ufffd"}


def test_a_long_file_without_an_end_of_front_matter_takes_no_time(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("---\n" + "--\n-" * 1_000_000)
    started = time.process_time()
    assert read(str(tmp_path / "a.md")) == Above()
    assert time.process_time() - started < 1


NUMBERS = "9" * 5_000


@pytest.mark.parametrize(
    ("written", "value"),
    [
        ("!!bool foo", "foo"),
        ("!!int ''", ""),
        ("!!float ''", ""),
        ("!!timestamp foo", "foo"),
        ("!!null foo", "foo"),
        ("!!binary '*'", "*"),
        ("!!int 0b_", "0b_"),
        ("2026-02-30", "2026-02-30"),
        ("0000-01-01", "0000-01-01"),
        ("2026-05-10T10:00:00+99:00", "2026-05-10T10:00:00+99:00"),
        ("0001-01-01T00:00:00+14:00", datetime(1, 1, 1, tzinfo=timezone(timedelta(hours=14)))),
        ("0x" + "f" * 4_000, "0x" + "f" * 4_000),
        (NUMBERS, NUMBERS),
        ("=", "="),
        ("<<", "<<"),
        ("!unknown [a]", ["a"]),
        ("!!set {a, b}", {"a": None, "b": None}),
        ("!!int [1]", [1]),
        ("!!str 12", "12"),
        ("'12'", "12"),
        ("12", 12),
        ("1.5", 1.5),
        ("yes", True),
        ("~", None),
        ("{? [a] : b, c: d}", {"c": "d"}),
        ("{null: a, true: b, 1: c}", {"null": "a", "true": "b", "1": "c"}),
    ],
)
def test_what_is_not_of_the_form_that_its_tag_says_is_the_text_that_stands_there(
    tmp_path: Path, written: str, value: object
) -> None:
    (tmp_path / "a.md").write_text(f"---\nx: {written}\nlastmod: 2026-05-10\n---\n", encoding="utf-8")
    assert read(str(tmp_path / "a.md")).said == {"x": value, "lastmod": date(2026, 5, 10)}


def test_front_matter_as_long_as_may_be_is_read(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text(f"---\ntitle: {'x' * ((1 << 16) - 8)}\n---\n{'text ' * 100_000}", encoding="utf-8")
    assert len(str((read(str(tmp_path / "a.md")).said or {})["title"])) == (1 << 16) - 8


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        (f"---\n{BOMB}---\n", "it has more than 100,000 values where its aliases are replaced"),
        ("---\na: &a [*a]\n---\n", "the value of the anchor &a holds itself"),
        ("---\na: &a {? *a : b}\n---\n", "the value of the anchor &a holds itself"),
        ("---\n" + "[" * 60_000 + "\n---\n", "it is nested more than 100 levels deep"),
        (
            "---\na0: &a0 [x]\n" + "".join(f"a{n}: &a{n} [*a{n - 1}]\n" for n in range(1, 120)) + "---\n",
            "it is nested more than 100 levels deep",
        ),
        (f"+++\n{'a.' * 30_000}a = 1\n+++\n", "it has a key of more than 64 parts"),
        ("+++\n[" + '"a" . ' * 10_000 + "b]\n+++\n", "it has a key of more than 64 parts"),
        ("+++\nx = {" + "'a'." * 10_000 + "b = 1}\n+++\n", "it has a key of more than 64 parts"),
        (f"+++\nx = {'[' * 30_000}\n+++\n", "it is nested too deeply"),
        (f"+++\nx = {NUMBERS}\n+++\n", "it has a number that is too long"),
        (f"---\n{'x' * (1 << 16)}\n---\n", "it has more than 65,536 characters"),
        (f"+++\nx = '{'x' * (1 << 16)}'\n+++\n", "it has more than 65,536 characters"),
        ("---\n" + "x: 1\n" * (1 << 18) + "---\n", "it has more than 65,536 characters"),
    ],
)
def test_what_nobody_writes_is_refused_at_once_and_said(tmp_path: Path, text: str, problem: str) -> None:
    (tmp_path / "a.md").write_text(text, encoding="utf-8")
    started = time.process_time()
    assert read(str(tmp_path / "a.md")) == Above(problem=problem)
    assert time.process_time() - started < 2


def test_what_is_merged_holds_where_nothing_else_is_written(tmp_path: Path) -> None:
    text = "---\nbase: &b {a: 1, b: 2}\nother: &o {b: 3, c: 4}\nx: {<<: [*b, *o], a: 5}\n---\n"
    (tmp_path / "a.md").write_text(text, encoding="utf-8")
    assert (read(str(tmp_path / "a.md")).said or {})["x"] == {"a": 5, "b": 2, "c": 4}


@pytest.mark.parametrize("text", [". " * 30_000, "a b. " * 10_000, '"' * 60_000, "'a' " * 15_000, "x" * 60_000])
def test_a_long_text_in_toml_is_no_key(tmp_path: Path, text: str) -> None:
    (tmp_path / "a.md").write_text(f"+++\nlastmod = 2026-05-10\n# {text}\n+++\n", encoding="utf-8")
    started = time.process_time()
    assert read(str(tmp_path / "a.md")).said == {"lastmod": date(2026, 5, 10)}
    assert time.process_time() - started < 1


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("---\ntitle: a: b\n---\n", "it is no valid YAML"),
        ("+++\ntitle = a\n+++\n", "it is no valid TOML"),
        ("---\nNote that: this is: text\n---\n", ""),
        ("---\nonly: text\n---\n", ""),
    ],
)
def test_what_was_to_be_front_matter_and_is_none_is_told(tmp_path: Path, text: str, problem: str) -> None:
    (tmp_path / "a.md").write_text(text, encoding="utf-8")
    assert read(str(tmp_path / "a.md")).problem == problem
