"""The key that proves to engines who announces: where its file is, and which URLs it counts for."""

import secrets
from collections.abc import Iterable

from smindex_plugins import urls
from smindex_plugins.limits import MAX_KEY_FILE
from smindex_plugins.text import ExplainedError, counted
from smindex_plugins.web import Fetcher

_BYTES = 16


class KeyFileError(ExplainedError):
    """The file of the key is not where it should be, or does not cover what is to be announced."""


def new_key() -> str:
    """Return a key that nobody else has."""
    return secrets.token_hex(_BYTES)


def key_places(key: str, host_urls: Iterable[str], indexes: Iterable[str]) -> list[str]:
    """Return where the file of a key may be for the URLs of one host: at its root, or beside its index."""
    origins = {urls.origin(url) for url in host_urls}
    root = max(origins) + "/"  # https before http
    beside = [urls.directory(index) for index in indexes if host(index) == host(root)]
    return [f"{directory}{key}.txt" for directory in dict.fromkeys([root, *beside])]


def find_key(key: str, places: Iterable[str], fetcher: Fetcher) -> str:
    """Return the first place at which the file of a key really is.

    Raises:
        KeyFileError: it is at none.
    """
    problems = []
    for place in places:
        fetcher.allow(place)
        answer = fetcher.get(place, MAX_KEY_FILE)
        if answer.is_ok and host(answer.url) == host(place) and _holds(answer.content, key):
            return place
        problems.append(f"{place}: {'it does not hold the key' if answer.is_ok else answer.problem}")
    fix = f"Put {key}.txt with the key in it at the root of the site, or name its place with --key-location"
    message = f"the key file is not there ({'; '.join(problems)}). {fix}"
    raise KeyFileError(message)


def refuse_outside(place: str, announced: Iterable[str]) -> None:
    """Refuse URLs for which the key does not count: those outside the directory of its file, on whichever scheme.

    Raises:
        KeyFileError: there are some.
    """
    scope = urls.directory(place)
    bare = scope.partition("://")[2]
    if outside := [url for url in announced if not url.partition("://")[2].startswith(bare)]:
        more = f" (and {counted(len(outside) - 1, 'more URL')})" if len(outside) > 1 else ""
        fix = "Put the file at the root of the host, or announce the other URLs with a key file of their own"
        message = f"{outside[0]}{more} is outside {scope}, which is all that the key file {place} counts for. {fix}"
        raise KeyFileError(message)


def _holds(content: bytes, key: str) -> bool:
    """Return whether a file contains nothing but the key, perhaps with a byte order mark or a line break."""
    return content.removeprefix(b"\xef\xbb\xbf").strip() == key.encode()


def host(url: str) -> str:
    """Return the host and the port of a normalised URL."""
    return urls.origin(url).partition("://")[2]
