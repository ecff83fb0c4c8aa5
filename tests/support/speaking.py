"""The earlier name of `servers`, for tests that have not moved yet."""

from tests.support.servers import CHUNKED, FAST, OK, SLOW, Speak, endless, silent, speaking

__all__ = ["CHUNKED", "FAST", "OK", "SLOW", "Speak", "endless", "silent", "speaking"]
