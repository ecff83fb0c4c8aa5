import subprocess
import sys
import time
from datetime import UTC, date, datetime, timedelta, timezone
from pathlib import Path

import pytest

from smindex_plugins.html.front_matter import FrontMatter, find_mistakes, read
from smindex_plugins.model import Finding, Page

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
        (
            "---\nsitemap: {priority: 0.5, changefreq: daily}\n---\n",
            {"sitemap": {"priority": 0.5, "changefreq": "daily"}},
        ),
        ("---\nsitemap: {disable: true, lastmod: x}\n---\n", {"sitemap": {"disable": True, "lastmod": "x"}}),
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
    ],
)
def test_what_front_matter_says(tmp_path: Path, text: str, said: object) -> None:
    (tmp_path / "a.md").write_text(text, encoding="utf-8", newline="")
    assert read(str(tmp_path / "a.md")).meta == said


def test_a_file_that_cannot_be_read_says_nothing(tmp_path: Path) -> None:
    assert read(str(tmp_path / "nowhere.md")) == FrontMatter()
    (tmp_path / "a.md").write_bytes(b"---\ntitle: \xff\n---\n")
    assert read(str(tmp_path / "a.md")).meta == {"title": "\ufffd"}


def test_a_long_file_without_an_end_of_front_matter_takes_no_time(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("---\n" + "--\n-" * 1_000_000)
    started = time.process_time()
    assert read(str(tmp_path / "a.md")) == FrontMatter()
    assert time.process_time() - started < 1


NUMBERS = "9" * 5_000


@pytest.mark.parametrize(
    ("written", "value"),
    [
        ("!!bool foo", "foo"),
        ("!!int ''", ""),
        ("!!float ''", ""),
        ("!!timestamp foo", "foo"),
        ("!!int 0b_", "0b_"),
        ("2026-02-30", "2026-02-30"),
        ("0000-01-01", "0000-01-01"),
        ("2026-05-10T10:00:00+99:00", "2026-05-10T10:00:00+99:00"),
        ("0001-01-01T00:00:00+14:00", datetime(1, 1, 1, tzinfo=timezone(timedelta(hours=14)))),
        (NUMBERS, NUMBERS),
        ("=", "="),
        ("<<", "<<"),
        ("!unknown [a]", ["a"]),
        ("!!int [1]", [1]),
        ("!!str 12", "12"),
        ("'12'", "12"),
        ("12", 12),
        ("1.5", 1.5),
        ("yes", True),
        ("~", None),
        ("{null: a, true: b, 2: c}", {None: "a", True: "b", 2: "c"}),
    ],
)
def test_what_is_not_of_the_form_that_its_tag_says_is_the_text_that_stands_there(
    tmp_path: Path, written: str, value: object
) -> None:
    (tmp_path / "a.md").write_text(f"---\nx: {written}\nlastmod: 2026-05-10\n---\n", encoding="utf-8")
    assert read(str(tmp_path / "a.md")).meta == {"x": value, "lastmod": date(2026, 5, 10)}


def test_front_matter_as_long_as_may_be_is_read(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text(f"---\ntitle: {'x' * ((1 << 14) - 8)}\n---\n{'text ' * 100_000}", encoding="utf-8")
    assert len(str((read(str(tmp_path / "a.md")).meta or {})["title"])) == (1 << 14) - 8


def test_what_is_repeated_by_aliases_costs_nothing(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text(f"---\nlastmod: 2026-05-10\n{BOMB}sitemap: *k\n---\n", encoding="utf-8")
    meta = read(str(tmp_path / "a.md")).meta
    assert meta
    assert meta["lastmod"] == date(2026, 5, 10)
    findings: list[Finding] = []
    find_mistakes(Page(url="https://e.org/a/", meta=meta), findings)
    assert len(str(findings[0])) < 800
    (tmp_path / "a.md").write_text("---\na: &a [*a]\nb: &b {c: *b}\nd: 1\n---\n", encoding="utf-8")
    assert read(str(tmp_path / "a.md")).problem == "it is not valid YAML (it is nested too deeply)"


def test_front_matter_of_any_form_does_not_crash_the_process(tmp_path: Path) -> None:
    signs = ("[", "{", "- ", "? ", "{a: ", "&a [", "!!x [", "'", "| ", "*a ", "<<: {")
    for number, sign in enumerate(signs):
        (tmp_path / f"{number}.md").write_text(f"---\n{sign * (16_380 // len(sign))}\n---\n", encoding="utf-8")
        (tmp_path / f"{number}a.md").write_text(f"---\na: {sign * (16_370 // len(sign))}\n---\n", encoding="utf-8")
    program = (
        "import sys; from smindex_plugins.html import front_matter; [front_matter.read(name) for name in sys.argv[1:]]"
    )
    subprocess.run([sys.executable, "-c", program, *tmp_path.iterdir()], timeout=60, check=True)


@pytest.mark.parametrize("text", ["[" * 16_380, "x = " + "[" * 16_000, "a." * 8_000 + "a = 1", "x = " + "9" * 5_000])
def test_toml_of_any_form_is_read_or_refused_at_once(tmp_path: Path, text: str) -> None:
    (tmp_path / "a.md").write_text(f"+++\n{text}\n+++\n", encoding="utf-8")
    started = time.process_time()
    read(str(tmp_path / "a.md"))
    assert time.process_time() - started < 2


@pytest.mark.parametrize("fence", ["---", "+++"])
@pytest.mark.parametrize("end", ["\n{}\n", ""])
def test_front_matter_that_is_too_long_is_refused(tmp_path: Path, fence: str, end: str) -> None:
    filling = "x" * (1 << 16 if not end else 1 << 14)
    (tmp_path / "a.md").write_text(f"{fence}\nx: {filling}{end.format(fence)}", encoding="utf-8")
    assert read(str(tmp_path / "a.md")) == FrontMatter(problem="it has more than 16,384 characters")
    (tmp_path / "a.md").write_text(f"{fence}\nA text between lines {filling}{end.format(fence)}", encoding="utf-8")
    assert read(str(tmp_path / "a.md")) == FrontMatter()


def test_what_is_merged_holds_where_nothing_else_is_written(tmp_path: Path) -> None:
    text = "---\nbase: &b {a: 1, b: 2}\nother: &o {b: 3, c: 4}\nx: {<<: [*b, *o], a: 5}\n---\n"
    (tmp_path / "a.md").write_text(text, encoding="utf-8")
    assert (read(str(tmp_path / "a.md")).meta or {})["x"] == {"a": 5, "b": 2, "c": 4}


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        (
            "---\nlayout: x\ntitle: a: b\n---\n",
            "it is not valid YAML (line 3: mapping values are not allowed in this context)",
        ),
        (
            "---\r\na: \x07\r\n---\r\n",
            "it is not valid YAML (unacceptable character #x0007",
        ),
        ("+++\ntitle = a\n+++\n", "it is not valid TOML (Invalid value (at line 2, column 9))"),
        ("---\nNote that: this is: text\n---\n", ""),
        ("---\nonly: text\n---\n", ""),
    ],
)
def test_what_was_to_be_front_matter_and_is_none_is_told(tmp_path: Path, text: str, problem: str) -> None:
    (tmp_path / "a.md").write_text(text, encoding="utf-8")
    assert read(str(tmp_path / "a.md")).problem.startswith(problem)
