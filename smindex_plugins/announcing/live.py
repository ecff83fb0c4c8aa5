"""Whether what was built is live: the index and every sitemap that differs list on the web what they list here."""

import io
from collections.abc import Callable, Mapping

from smindex_plugins.announcing.sides import digest
from smindex_plugins.limits import MAX_BYTES
from smindex_plugins.sitemaps import Document, read
from smindex_plugins.text import ExplainedError
from smindex_plugins.web import Fetcher

_FIRST_PAUSE = 1.0
_LONGEST_PAUSE = 15.0


class NotLiveError(ExplainedError):
    """The new version is not live yet."""


def await_live(expected: Mapping[str, str], fetcher: Fetcher, seconds: float, tell: Callable[[str], None]) -> None:
    """Wait until each file is live, for so many seconds at most; each is asked for until it is, and then no more.

    Raises:
        NotLiveError: one of them is not.
    """
    waited, pause = 0.0, _FIRST_PAUSE
    for url, wanted in expected.items():
        fetcher.allow(url)
        while problem := _problem(url, wanted, fetcher):
            if waited >= seconds or fetcher.is_over:
                raise _not_live(url, problem, seconds)
            tell(f"{url}: {problem}; waited {waited:.0f} of {seconds:g} seconds")
            rest = min(pause, seconds - waited)
            fetcher.pause(rest)
            waited += rest
            pause = min(2 * pause, _LONGEST_PAUSE)


def _not_live(url: str, problem: str, seconds: float) -> NotLiveError:
    if seconds:
        return NotLiveError(f"{url}: {problem}, after {seconds:g} seconds. Nothing was sent")
    return NotLiveError(f"{url}: {problem}. Nothing was sent. Deploy the new version, or wait for it with --wait 600")


def _problem(url: str, wanted: str, fetcher: Fetcher) -> str:
    """Return why a file on the web is not the one that is wanted, or nothing where it is."""
    answer = fetcher.get(url, MAX_BYTES)
    if not answer.is_ok:
        return f"it is not live ({answer.problem})"
    found = digest(read(io.BytesIO(answer.content), Document(url=url)))
    return "" if found == wanted else "the live file is not yet the new one"


def count_live(index: str, fetcher: Fetcher, tell: Callable[[str], None]) -> tuple[dict[str, int], dict[str, str]]:
    """Return how many URLs an index and each of its sitemaps list on the web, and why some are not counted.

    The index has the sum of its sitemaps.
    """
    counts: dict[str, int] = {}
    notes: dict[str, str] = {}
    fetcher.allow(index)
    listed = _count(index, fetcher, counts, notes)
    for number, url in enumerate(listed, start=1):
        tell(f"sitemap {number:,} of {len(listed):,}: {url}")
        _count(url, fetcher, counts, notes)
    if listed:
        counts[index] = sum(counts.get(url, 0) for url in listed)
    return counts, notes


def _count(url: str, fetcher: Fetcher, counts: dict[str, int], notes: dict[str, str]) -> list[str]:
    """Take note of what a file lists, and return the sitemaps that it lists, if it is an index."""
    answer = fetcher.get(url, MAX_BYTES)
    if not answer.is_ok:
        notes[url] = f"not live: {answer.problem}"
        return []
    document = read(io.BytesIO(answer.content), Document(url=url))
    if not document.is_whole:
        notes[url] = document.findings[-1].problem if document.findings else "it cannot be read to its end"
    elif document.kind == "sitemapindex":
        return list(dict.fromkeys(document.listed))
    else:
        counts[url] = document.count
    return []
