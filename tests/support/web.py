"""The earlier name of `servers`, for tests that have not moved yet."""

from tests.support.servers import Web, serve

__all__ = ["Web", "serve"]
