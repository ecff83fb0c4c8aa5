"""The targets that commands take: directories, files and URLs, and the robots.txt of other
sites.
"""

import os
from collections.abc import Iterable

from smindex_plugins.base.limits import MAX_ROBOTS
from smindex_plugins.base.text import WrongOptionsError, masked
from smindex_plugins.base.urls import is_url
from smindex_plugins.reading.web import Fetcher
from smindex_plugins.writing.robots import Consents, read_consents


def fetch_consents(cross_site: Iterable[tuple[str, str]], fetcher: Fetcher) -> Consents:
    """Return the consents of other sites, from their robots.txt."""

    def fetch(url: str) -> bytes:
        fetcher.allow(url)
        answer = fetcher.get(url, MAX_ROBOTS)
        if not answer.is_ok:
            raise OSError(answer.problem)
        return answer.content

    return read_consents(cross_site, fetch=fetch)


def refuse_missing(*targets: str) -> None:
    """Refuse targets that are neither URLs nor existing paths.

    Raises:
        WrongOptionsError: there is such a target.
    """
    for target in targets:
        if is_url(target) or os.path.exists(target):
            continue
        problem = mistake(target) or "there is no such directory or file."
        raise WrongOptionsError([f"{masked(target)}: {problem}"])


def mistake(target: str) -> str:
    """Return the problem with a target that looks like a URL or a file, or an empty string."""
    scheme, is_url_like, rest = target.partition("://")
    host = target.partition("/")[0]
    if is_url_like:
        return f"live sites can't be requested over {scheme}. Write {masked(f'https://{rest}')}."
    if target.endswith((".xml", ".xml.gz", ".txt", ".json")):
        return "there is no such file."
    if "." in host.strip(".") and host.rpartition(".")[2].isalpha() and not os.path.exists(host):
        return f"there is no such directory. If you mean a live site, write https://{target}."
    return ""
