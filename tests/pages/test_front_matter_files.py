import time
from datetime import UTC, date, datetime
from pathlib import Path

import pytest

from smindex_plugins.pages.front_matter import read

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
        ("---\nlastmod: 2024-99-99\n---\n", None),
        ("---\n{broken: [\n---\n", None),
        ("---\nx: !!python/object/apply:os.getcwd []\n---\n", None),
        ("+++\nbroken\n+++\n", None),
        (f"---\n{BOMB}---\n", None),
        ("---\n" + "[" * 60_000 + "\n---\n", None),
        ("---\n" + "- " * 30_000 + "\n---\n", None),
    ],
)
def test_what_front_matter_says(tmp_path: Path, text: str, said: object) -> None:
    (tmp_path / "a.md").write_text(text, encoding="utf-8", newline="")
    assert read(str(tmp_path / "a.md")) == said


def test_a_file_that_cannot_be_read_says_nothing(tmp_path: Path) -> None:
    assert read(str(tmp_path / "nowhere.md")) is None
    (tmp_path / "a.md").write_bytes(b"---\ntitle: \xff\n---\n")
    assert read(str(tmp_path / "a.md")) == {"title": "\ufffd"}


def test_a_long_file_without_an_end_of_front_matter_takes_no_time(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("---\n" + "--\n-" * 1_000_000)
    started = time.perf_counter()
    assert read(str(tmp_path / "a.md")) is None
    assert time.perf_counter() - started < 1
