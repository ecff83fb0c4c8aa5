"""Readers of what strangers write: of whatever there is more, the time grows as its length does.

Each reader is tried with some of what `python -m tests.hostile --only growing` tries.
"""

from pathlib import Path

import pytest

from tests.support.growth import slow
from tests.support.readers import PIECES, READERS

_EACH = 20
"""Of so many pieces, one is tried in each frame; the next frame tries the next ones."""


@pytest.mark.parametrize("name", READERS)
def test_a_reader_takes_time_that_grows_with_the_text_alone(tmp_path: Path, name: str) -> None:
    reader = READERS[name]
    first = list(READERS).index(name)
    for number, frame in enumerate(reader.frames, start=first):
        assert not slow(lambda text: reader.run(text, tmp_path), frame, PIECES[number % _EACH :: _EACH]), frame
