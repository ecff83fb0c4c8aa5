"""The pictures of the README and the manual show what the program prints today."""

from pathlib import Path

import pytest

from tests.overview.pictured import (
    TERMINALS,
    in_color,
    pictured,
    report_of,
    without_colors,
    words_of_report,
)
from tests.support.browser import words_of


@pytest.mark.parametrize(("width", "since"), [(1280, False), (400, True)])
def test_a_picture_of_the_report_has_its_words(tmp_path: Path, *, width: int, since: bool) -> None:
    words = words_of_report(report_of(pictured(tmp_path, since=since)))
    assert words_of(f"report-{width}") == words, "UPDATE_PICTURES=1 takes it anew"


@pytest.mark.parametrize("name", TERMINALS)
def test_a_picture_of_a_terminal_has_its_words(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    in_color(monkeypatch)
    words = without_colors(TERMINALS[name](tmp_path))
    assert words_of(name) == words, "UPDATE_PICTURES=1 takes it anew"
