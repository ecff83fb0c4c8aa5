"""The protocol IndexNow: URLs that came, went or changed are posted to one search engine, which tells the others.

https://www.indexnow.org/documentation
"""

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from http import HTTPStatus

from smindex_plugins import urls
from smindex_plugins.announcing.keys import host
from smindex_plugins.limits import MAX_POSTED
from smindex_plugins.text import counted
from smindex_plugins.web import Answer, Fetcher, retry_after

ENGINE = "api.indexnow.org"
_TRIES = 5
_FIRST_PAUSE = 2.0
"""Seconds after which an engine is asked again that said "too many requests" and no time."""
_MOST_OF_AN_ANSWER = 1 << 16


@dataclass(frozen=True, slots=True)
class Post:
    """What is sent at once: URLs of one host."""

    host: str
    key: str
    place: str
    """The URL of the key file."""
    urls: Sequence[str]

    def body(self) -> dict[str, object]:
        """Return what is sent; the place of the file is told where it is not the usual one."""
        is_usual = urls.path(self.place) == f"/{self.key}.txt" and host(self.place) == self.host
        place = {} if is_usual else {"keyLocation": self.place}
        return {"host": self.host, "key": self.key, **place, "urlList": list(self.urls)}

    def __str__(self) -> str:
        return f"{counted(len(self.urls), 'URL')} of {self.host}"


@dataclass(frozen=True, slots=True)
class Meaning:
    """What an answer of an engine means."""

    code: int
    """With which the command ends."""
    words: str
    is_taken: bool = False
    ends_all: bool = False
    """Whether no other host's URLs would be taken now."""


TAKEN = Meaning(0, "taken", is_taken=True)
MEANINGS: dict[int, Meaning] = {
    HTTPStatus.OK: TAKEN,
    HTTPStatus.ACCEPTED: Meaning(0, "taken; the engine has yet to look at the key file", is_taken=True),
    HTTPStatus.BAD_REQUEST: Meaning(3, "the engine says that the format is wrong"),
    HTTPStatus.FORBIDDEN: Meaning(4, "the engine did not find the key in the key file"),
    HTTPStatus.UNPROCESSABLE_ENTITY: Meaning(
        5, "the engine says that a URL is not of the host, or that the key does not fit"
    ),
    HTTPStatus.TOO_MANY_REQUESTS: Meaning(6, "the engine says that there were too many requests", ends_all=True),
}
NO_ANSWER = 7
"""The code where an engine does not answer, or with what the protocol does not know."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of one post."""

    post: Post
    meaning: Meaning

    def __str__(self) -> str:
        return f"{self.post}: {self.meaning.words}"


def endpoint(engine: str) -> str:
    """Return the URL to which URLs are posted, of the name of an engine or of its URL.

    Raises:
        ValueError: it is none.
    """
    url = urls.normalise(engine if "://" in engine else f"https://{engine}/")
    return url if urls.path(url) != "/" else url + "indexnow"


def posts(announced: Sequence[str], key: str, place: str) -> Iterator[Post]:
    """Cut the URLs of one host into posts, none of which is over the limit of the protocol."""
    for begin in range(0, len(announced), MAX_POSTED):
        part = announced[begin : begin + MAX_POSTED]
        yield Post(host(part[0]), key, place, part)


def send(waiting: Sequence[Post], url: str, fetcher: Fetcher, tell: Callable[[str], None]) -> Iterator[Outcome]:
    """Send posts, and yield what became of each that was sent.

    After one that was not taken, no other of its host is sent; after "too many requests" or no answer, none at all.
    """
    fetcher.allow(url)
    refused: set[str] = set()
    for number, post in enumerate(waiting, start=1):
        if post.host in refused:
            continue
        tell(f"post {number:,} of {len(waiting):,}: {post}")
        outcome = Outcome(post, _meaning(_answer(post, url, fetcher, tell)))
        yield outcome
        if outcome.meaning.ends_all:
            return
        if not outcome.meaning.is_taken:
            refused.add(post.host)


def _answer(post: Post, url: str, fetcher: Fetcher, tell: Callable[[str], None]) -> Answer:
    """Send one post, again as long as the engine asks to be asked later, and the time for the whole run allows it."""
    headers = {"Content-Type": "application/json; charset=utf-8"}
    body = json.dumps(post.body()).encode()
    pause = _FIRST_PAUSE
    for attempt in range(_TRIES):
        answer = fetcher.send("POST", url, headers=headers, body=body, most=_MOST_OF_AN_ANSWER)
        wanted = retry_after(answer)
        wait = pause if wanted is None else wanted
        is_last = attempt == _TRIES - 1 or wait >= fetcher.left
        if answer.status != HTTPStatus.TOO_MANY_REQUESTS or is_last:
            break
        tell(f"{post}: too many requests; the engine is asked again in {wait:g} seconds")
        fetcher.pause(wait)
        pause *= 2
    return answer


def _meaning(answer: Answer) -> Meaning:
    if answer.failure:
        return Meaning(NO_ANSWER, f"no answer: {answer.failure}", ends_all=True)
    known = MEANINGS.get(answer.status)
    if known is None:
        words = f"the engine answers with {answer.status}, which the protocol does not know"
        return Meaning(NO_ANSWER, words, ends_all=True)
    wait = retry_after(answer)
    words = f"{answer.status}: {known.words}"
    if known.ends_all and wait is not None:
        words += f"; it wants to be asked again in {wait:.0f} seconds"
    return Meaning(known.code, words, is_taken=known.is_taken, ends_all=known.ends_all)
