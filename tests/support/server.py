"""The earlier name of `servers`, for tests that have not moved yet."""

from tests.support.servers import Server, certified, server, serving

__all__ = ["Server", "certified", "server", "serving"]
