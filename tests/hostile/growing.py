"""All that reads what strangers write, with ever more of the same: twice as much takes about twice as long."""

from pathlib import Path

from tests.hostile.attack import Attack, chosen
from tests.support.growth import slow
from tests.support.readers import PIECES, READERS

_EACH = 4
"""Of so many pieces, one trial tries one."""
_FRAMES = [(name, frame) for name, reader in READERS.items() for frame in reader.frames]


def attack(number: int, place: Path) -> str:
    """Let one reader read texts that grow by some of the pieces, in one frame."""
    rounds, (name, frame) = chosen(number, _FRAMES)
    found = slow(lambda text: READERS[name].run(text, place), frame, PIECES[rounds % _EACH :: _EACH])
    return "".join(f"{name} in {frame[:60]!r}, more {piece!r}: {how}; " for piece, how in found.items())


ATTACKS = (Attack("growing", "each reader with more and more of the same", attack, 10, _EACH * len(_FRAMES)),)
