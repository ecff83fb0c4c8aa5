"""Where the check of a live site begins: its real address, and the sitemaps that it names."""

import re
from http import HTTPStatus

from smindex_plugins import urls
from smindex_plugins.limits import MAX_BYTES
from smindex_plugins.sitemaps import USUAL_PATHS, Document, Robots
from smindex_plugins.text import ExplainedError
from smindex_plugins.web import Answer, Fetcher

_PAGE_NAME = re.compile(r"[^.]*|.+\.(?:[sx]?html?|php|aspx?|jsp)", re.IGNORECASE)
"""A last part of a path that is a page's, not a sitemap's."""


_PORT = re.compile(r":\d+\Z")


class UnreachableError(ExplainedError):
    """The site cannot be reached at all."""


def find_site(url: str, fetcher: Fetcher) -> str:
    """Return the URL to begin with. An address can redirect, lack its trailing slash, or belong to a page.

    Raises:
        UnreachableError: there is no connection to the server.
    """
    name = url.partition("?")[0].rpartition("/")[2]
    if not _PAGE_NAME.fullmatch(name):
        return url
    answer = fetcher.get(url, MAX_BYTES if name else 0)
    if not answer.is_reached:
        raise unreachable(url, answer)
    if name:
        return _directory(answer.url) if answer.is_ok and is_html(answer) else url
    same_path = urls.origin(answer.url) + urls.path(url)
    # On the same host, an address may well lead to its default language, or to its first page.
    return url if answer.failure else same_path if answer.url.startswith(same_path) else urls.directory(answer.url)


def is_moved(given: str, url: str) -> bool:
    """Whether a site is at another address than the given one. A missing slash alone makes no difference."""
    return not given.startswith(url.rstrip("/"))


def _directory(url: str) -> str:
    bare = url.partition("?")[0]
    return urls.directory(bare) if "." in bare.rpartition("/")[2] else bare.rstrip("/") + "/"


def unreachable(url: str, answer: Answer) -> UnreachableError:
    """Return the error for an answer that is missing or cannot be read."""
    host = urls.origin(answer.url).partition("://")[2]
    led = f"it redirects to {answer.url}; " if answer.redirect else ""
    what = answer.failure if answer.is_reached else f"cannot reach {_PORT.sub('', host)}: {answer.failure}"
    return UnreachableError(f"{url}: {led}{what}")


def starts(
    given: str, url: str, own_robots: Robots | None, fetcher: Fetcher
) -> tuple[list[Document], dict[str, Answer]]:
    """Find what to begin with: the requested sitemap, those that robots.txt names, or the usual one.

    The answers that were already fetched come with it. The given URL is the URL of the site, or leads to it.

    Raises:
        UnreachableError: there is none.
    """
    named: dict[str, Document] = {}
    if own_robots:
        for line in own_robots.sitemaps:
            if normal := urls.normal(line.url, url):
                named.setdefault(normal, Document(url=normal, listed_by=own_robots.spot(line)))
    if not url.endswith("/"):
        return [named.get(url, Document(url=url))], {}
    if inside := [each for each in named.values() if urls.is_within(each.url, url)]:
        return inside, {}
    tried = {url + name: Answer(url=url) for name in USUAL_PATHS}
    for usual in tried:
        answer = tried[usual] = fetcher.get(usual, MAX_BYTES)
        if answer.is_ok and not is_html(answer):
            return [Document(url=usual)], {usual: answer}
    if not named:
        led = f"it leads to {url}; " if is_moved(given, url) else ""
        message = f"{given}: {led}{_nothing(own_robots, tried)}; give the URL of the sitemap or the index"
        raise UnreachableError(message)
    return list(named.values()), {}


def _nothing(own_robots: Robots | None, tried: dict[str, Answer]) -> str:
    """Return why there is nothing to begin with."""
    first = "robots.txt names no sitemap" if own_robots else "there is no robots.txt"
    if own_robots and own_robots.failure:
        first = f"robots.txt cannot be fetched ({own_robots.failure})"
    pages = [usual for usual, answer in tried.items() if answer.is_ok]
    if pages:
        return f"{first}, and at the usual names of sitemaps the server has only HTML pages, such as {pages[0]}"
    names = ", ".join(USUAL_PATHS)
    missing = {HTTPStatus.NOT_FOUND, HTTPStatus.GONE}
    problems = [answer.problem for answer in tried.values() if answer.status not in missing]
    return f"{first}, and no sitemap has one of the usual names, {names}" + (f" ({problems[0]})" if problems else "")


def is_html(answer: Answer) -> bool:
    """Whether an answer is an HTML page, whatever its content type is."""
    return answer.content.lstrip(b"\xef\xbb\xbf \t\r\n")[:100].lower().startswith((b"<!doctype html", b"<html"))
