"""The earlier name of `servers`, for tests that have not moved yet."""

from tests.support.servers import KEY, Engine, indexnow

__all__ = ["KEY", "Engine", "indexnow"]
