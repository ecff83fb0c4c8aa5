"""Readers of what servers send: of whatever there is more, the time grows as its length does."""

import pytest

from tests.support.growth import slow
from tests.support.readers import PIECES, READERS

_EACH = 8
"""Of so many pieces, one is tried in each frame; the next frame tries the next ones."""


@pytest.mark.parametrize("name", READERS)
def test_a_reader_takes_time_that_grows_with_the_text_alone(name: str) -> None:
    reader = READERS[name]
    first = list(READERS).index(name)
    for number, frame in enumerate(reader.frames, start=first):
        assert not slow(reader.run, frame, PIECES[number % _EACH :: _EACH]), frame
