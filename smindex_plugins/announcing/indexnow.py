"""IndexNow: posts the URLs of added, removed and changed pages to one search engine, which notifies
the others.

https://www.indexnow.org/documentation
"""

import io
import json
import secrets
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from http import HTTPStatus

from smindex_plugins.base import urls
from smindex_plugins.base.limits import MAX_BYTES, MAX_KEY_FILE, MAX_POSTED
from smindex_plugins.base.text import ExplainedError
from smindex_plugins.reading.answer import Answer, retry_after
from smindex_plugins.reading.document import Document
from smindex_plugins.reading.entries import digest, pages_of
from smindex_plugins.reading.reader import read
from smindex_plugins.reading.web import Fetcher

ENDPOINT = "https://api.indexnow.org/indexnow"
_MEANINGS: dict[int, str] = {
    HTTPStatus.OK: "accepted",
    HTTPStatus.ACCEPTED: "accepted; the engine has not checked the key file yet",
    HTTPStatus.BAD_REQUEST: "the engine reports an invalid format",
    HTTPStatus.FORBIDDEN: "the engine did not find the key in the key file",
    HTTPStatus.UNPROCESSABLE_ENTITY: (
        "the engine reports that a URL is on another host, or that the key doesn't match"
    ),
    HTTPStatus.TOO_MANY_REQUESTS: "the engine reports too many requests",
}
_MOST_OF_AN_ANSWER = 1 << 16
_FIRST_PAUSE, _LONGEST_PAUSE = 1.0, 15.0
"""Seconds before the next request for a file that is not live yet."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """The result of one post."""

    urls: Sequence[str]
    is_taken: bool
    words: str


def new_key() -> str:
    """Return a random key."""
    return secrets.token_hex(16)


def key_location(key: str, live: Mapping[str, str]) -> str:
    """Return the URL of the key file, which is next to the index."""
    directories = map(urls.directory, live)
    return f"{min(directories, key=len)}{key}.txt"


def await_live(
    live: Mapping[str, str],
    fetcher: Fetcher,
    seconds: float,
    tell: Callable[[str], None],
) -> None:
    """Wait until each live file matches the built one, for at most this many seconds.

    Raises:
        ExplainedError: one of them doesn't match.
    """
    waited = 0.0
    pause = _FIRST_PAUSE
    for url, wanted in live.items():
        fetcher.allow(url)
        while problem := _not_live(url, wanted, fetcher):
            if waited >= seconds or fetcher.is_over:
                if seconds:
                    what = f"{problem}, after {seconds:g} seconds. Nothing was sent"
                else:
                    fix = "Deploy the new version, or wait for it with --wait 600"
                    what = f"{problem}. Nothing was sent. {fix}"
                message = f"{url}: {what}"
                raise ExplainedError(message)
            tell(f"{url}: {problem}; waited {waited:.0f} of {seconds:g} seconds")
            rest = min(pause, seconds - waited)
            fetcher.pause(rest)
            waited += rest
            pause = min(2 * pause, _LONGEST_PAUSE)


def _not_live(url: str, wanted: str, fetcher: Fetcher) -> str:
    """Return why a live file doesn't match the built one, or an empty string."""
    answer = fetcher.get(url, MAX_BYTES)
    if not answer.is_ok:
        return f"it is not live ({answer.problem})"
    document = read(io.BytesIO(answer.content), Document(url=url))
    pages = pages_of(document.entries)
    if digest(document.kind, pages) != wanted:
        return "the live file is not the new one yet"
    return ""


def check_key(key: str, location: str, fetcher: Fetcher) -> None:
    """Reject a key without a valid key file.

    Raises:
        ExplainedError: the file is missing, or doesn't contain the key.
    """
    fetcher.allow(location)
    answer = fetcher.get(location, MAX_KEY_FILE)
    problem = answer.problem
    if answer.is_ok:
        found = answer.content.removeprefix(b"\xef\xbb\xbf").strip()
        if found == key.encode():
            return
        problem = "it doesn't contain the key"
    message = (
        f"{location}: the key file is missing ({problem}). Put {key}.txt, with the key in it, next"
        " to the index"
    )
    raise ExplainedError(message)


def send(announced: Sequence[str], key: str, location: str, fetcher: Fetcher) -> Iterator[Outcome]:
    """Post URLs, as many at once as the protocol allows, and yield each result.

    Stop at the first refusal.
    """
    fetcher.allow(ENDPOINT)
    headers = {"Content-Type": "application/json; charset=utf-8"}
    host = urls.origin(location).partition("://")[2]
    for first in range(0, len(announced), MAX_POSTED):
        part = announced[first : first + MAX_POSTED]
        post = {"host": host, "key": key, "keyLocation": location, "urlList": part}
        body = json.dumps(post).encode()
        answer = fetcher.send("POST", ENDPOINT, headers=headers, body=body, most=_MOST_OF_AN_ANSWER)
        is_taken = answer.status in {HTTPStatus.OK, HTTPStatus.ACCEPTED}
        yield Outcome(part, is_taken, _words(answer))
        if not is_taken:
            return


def _words(answer: Answer) -> str:
    if answer.failure:
        return f"no response: {answer.failure}"
    if answer.status not in _MEANINGS:
        return f"the engine answers with {answer.status}, which the protocol doesn't define"
    words = f"{answer.status}: {_MEANINGS[answer.status]}"
    wait = retry_after(answer)
    if wait is not None:
        words += f"; try again in {wait:.0f} seconds"
    return words
