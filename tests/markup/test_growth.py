"""Readers of what strangers write: of whatever there is more, the time grows as its length does.

Each reader is tried with some of what `python -m tests.hostile --only growing` tries.
"""

from pathlib import Path

import pytest

from smindex_plugins.markup import tokens
from smindex_plugins.model import Page
from smindex_plugins.pages import media
from smindex_plugins.settings import Settings
from tests.support.growth import slow
from tests.support.readers import PIECES, READERS, URL

_EACH = 20
"""Of so many pieces, one is tried in each frame; the next frame tries the next ones."""

_TAGS = (
    *("<", "</", "<a>", "<p ", "<div>", "</div>", "<nav", "<strong a>", "<h1=", "a", "=", "= ", "='", '="', "&", ">"),
    *(" a=b", " a='b'", ' a="main"', "role=main ", "<p role=main>", "<b =main", "<!--", "<!a", "<s a='", "<s a=\"'>"),
)


@pytest.mark.parametrize("name", READERS)
def test_a_reader_takes_time_that_grows_with_the_text_alone(tmp_path: Path, name: str) -> None:
    reader = READERS[name]
    first = list(READERS).index(name)
    for number, frame in enumerate(reader.frames, start=first):
        assert not slow(lambda text: reader.run(text, tmp_path), frame, PIECES[number % _EACH :: _EACH]), frame


def written(place: Path, text: str) -> Page:
    file = place / "page.html"
    file.write_text(text, encoding="utf-8")
    return Page(url=URL, file=str(file), sources=(str(file),))


@pytest.mark.parametrize("before", ["", "<div role=main>", "<p role=main>", "<a ", "<a b=", "<a b='", "<a", "</"])
def test_tags_that_matter_to_no_image(tmp_path: Path, before: str) -> None:
    def run(text: str) -> None:
        page = written(tmp_path, f"<!doctype html><img src=a.png>{text}")
        media.add([page], Settings(images=True), [])

    assert not slow(run, f"{before}{{}}", _TAGS)


def test_a_reference_to_a_character_of_any_number_is_read() -> None:
    tag = f"a='&#{'9' * 5_000};&#{'0' * 5_000}65;&#x{'f' * 5_000};&#66'"
    assert tokens.read_attributes(tag.encode(), "utf-8")["a"] == "\ufffdA\ufffdB"
