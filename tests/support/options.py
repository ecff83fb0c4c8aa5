"""The earlier name of `planted.options`, for tests that have not moved yet."""

from tests.support.planted.options import ACCEPTED, MISTAKEN, REFUSED

__all__ = ["ACCEPTED", "MISTAKEN", "REFUSED"]
