"""How front matter is read."""

import subprocess
import sys
import time
from collections.abc import Callable
from datetime import UTC, date, datetime
from pathlib import Path

import pytest

from smindex_plugins.html import front_matter
from smindex_plugins.html.front_matter import FrontMatter

BOMB = "a: &a [x,x,x,x,x,x,x,x,x]\n" + "".join(
    f"{chr(letter)}: &{chr(letter)} [{','.join([f'*{chr(letter - 1)}'] * 9)}]\n"
    for letter in range(98, 108)
)
FENCES = ("---", "+++")


@pytest.fixture
def read(tmp_path: Path) -> Callable[[str], FrontMatter]:
    """Read a source file with this text."""

    def write_and_read(text: str) -> FrontMatter:
        (tmp_path / "a.md").write_text(text, encoding="utf-8", newline="")
        return front_matter.read(str(tmp_path / "a.md"))

    return write_and_read


@pytest.mark.parametrize(
    ("text", "meta"),
    [
        ("---\nlastmod: 2024-05-01\n---\ntext", {"lastmod": date(2024, 5, 1)}),
        (
            "\ufeff---\r\nLastMod: 2024-05-01T10:00:00Z\r\n---\r\n",
            {"lastmod": datetime(2024, 5, 1, 10, tzinfo=UTC)},
        ),
        ("--- \ntags: &t [a]\nkeywords: *t\n... \n", {"tags": ["a"], "keywords": ["a"]}),
        (
            "+++\nlastmod = 2024-05-01\n[sitemap]\na = 1\n+++\n",
            {"lastmod": date(2024, 5, 1), "sitemap": {"a": 1}},
        ),
        (
            "---\nlastmod: 2024-99-99\nx: !!python/object/apply:os.getcwd []\n---\n",
            {"lastmod": "2024-99-99", "x": []},
        ),
        (
            f"---\na: {'x' * ((1 << 14) - 4)}\n---\n{'text ' * 100_000}",
            {"a": "x" * ((1 << 14) - 4)},
        ),
        *(
            (text, None)
            for text in ("text", "", "---\n", "---\ntext without an end\n", "---\n- a list\n---\n")
        ),
    ],
    ids=lambda value: str(value)[:40],
)
def test_front_matter_is_yaml_or_toml(
    read: Callable[[str], FrontMatter], text: str, meta: object
) -> None:
    assert read(text) == FrontMatter(meta)  # type: ignore[arg-type] # a column of a table


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        (
            "---\nx: y\ntitle: a: b\n---\n",
            (
                "it is not valid YAML at line 3, column 9: mapping values are not allowed in this"
                " context"
            ),
        ),
        (
            "---\r\na: \x07\r\n---\r\n",
            "it is not valid YAML at line 2: the character U+0007 is not allowed",
        ),
        ("---\na: &a [*a]\n---\n", "it is nested too deeply"),
        ("+++\ntitle = a\n+++\n", "it is not valid TOML at line 2, column 9: invalid value"),
        *(
            (f"{fence}\nx: {'x' * (1 << 14)}\n{fence}\n", "it has more than 16,384 characters")
            for fence in FENCES
        ),
        (f"---\nx: {'x' * (1 << 16)}", "it has more than 16,384 characters"),
        ("---\nNote that: this is: text\n---\n", ""),  # between two lines across the page
        (f"---\nA text between lines {'x' * (1 << 14)}\n---\n", ""),
        ("---\n{broken: [\n---\n", ""),
    ],
    ids=lambda value: value[:40],
)
def test_front_matter_with_a_mistake_has_a_problem(
    read: Callable[[str], FrontMatter], text: str, problem: str
) -> None:
    found = read(text)
    assert found.meta is None
    assert (found.problem or "").startswith(problem)
    assert (found.problem is None) == (problem == "")


@pytest.mark.parametrize(
    ("text", "is_private"),
    [
        ("---\ntitle: a: b\nprivate: true\n---\n", True),
        ("---\nNoindex: 'yes'\ntitle: a: b\n---\n", True),
        ("+++\ndraft = true\ntitle = a\n+++\n", True),
        ("---\ntitle: a: b\nprivate: false\n---\n", False),
        ("---\ntitle: a: b, private: true\n---\nprivate: true\n", False),
    ],
)
def test_a_line_keeps_a_page_private_in_front_matter_that_cannot_be_read(
    read: Callable[[str], FrontMatter],
    text: str,
    is_private: bool,  # noqa: FBT001
) -> None:
    found = read(text)
    assert found.problem is not None
    assert found.problem.startswith("it is not valid")
    assert found.meta == ({"private": True} if is_private else None)


def test_a_file_that_is_gone_or_not_in_utf8_has_no_problem(tmp_path: Path) -> None:
    assert front_matter.read(str(tmp_path / "none.md")) == FrontMatter()
    (tmp_path / "a.md").write_bytes(b"---\ntitle: \xff\n---\n")
    assert front_matter.read(str(tmp_path / "a.md")).meta == {"title": "\ufffd"}


def test_front_matter_that_mkdocs_skipped_is_a_mistake(tmp_path: Path) -> None:
    for name in ("a.md", "a.txt"):
        (tmp_path / name).write_text("---\ntitle: A\n---\n")
    found = front_matter.read_skipped_by_mkdocs(str(tmp_path / "a.md"))
    assert found.problem == "MkDocs can't read it, and shows it as text"
    (tmp_path / "a.md").write_text("---\ntitle: a: b\nprivate: true\n---\n")
    found = front_matter.read_skipped_by_mkdocs(str(tmp_path / "a.md"))
    assert found.problem is not None
    assert "line 2" in found.problem
    assert front_matter.read_skipped_by_mkdocs(str(tmp_path / "a.txt")) == FrontMatter()


def test_no_front_matter_crashes_the_process_or_takes_long(tmp_path: Path) -> None:
    signs = ("[", "{", "- ", "? ", "{a: ", "&a [", "'", "| ", "*a ", "<<: {")
    texts = [f"---\n{sign * (16_380 // len(sign))}\n---\n" for sign in signs] + [
        f"---\n{BOMB}sitemap: *k\n---\n"
    ]
    texts += [
        f"+++\n{text}\n+++\n"
        for text in ("[" * 16_380, f"x = {'[' * 16_000}", "a." * 8_000 + "a = 1")
    ]
    texts += ["---\n" + "--\n-" * 1_000_000]
    for number, text in enumerate(texts):
        (tmp_path / f"{number}.md").write_text(text, encoding="utf-8")
    program = (
        "import sys; from smindex_plugins.html import front_matter; [front_matter.read(name) for"
        " name in sys.argv[1:]]"
    )
    started = time.monotonic()
    subprocess.run([sys.executable, "-c", program, *tmp_path.iterdir()], timeout=60, check=True)
    assert time.monotonic() - started < 30
