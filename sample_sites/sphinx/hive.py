"""What a hive weighs."""

FRAME = 2.5
"""The weight of a full frame of honey, in kilograms."""


def honey(full: int, empty: int = 0) -> float:
    """Return the weight of the honey in a hive, of which some frames are full and some are
    empty.
    """
    return (full - empty / 10) * FRAME
