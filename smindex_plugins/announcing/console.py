"""Search Console: an index is submitted to a property, and what Google made of it and its sitemaps is read.

The API is that of https://developers.google.com/webmaster-tools/v1/sitemaps , as Google's description of it has it.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from http import HTTPStatus
from typing import Any
from urllib.parse import quote, urlencode

from smindex_plugins import urls
from smindex_plugins.announcing.google import GoogleError, Session, is_success, read_json, refusal
from smindex_plugins.announcing.keys import host
from smindex_plugins.text import brief
from smindex_plugins.web import Answer

CONSOLE = "https://searchconsole.googleapis.com/"
"""The address of the API."""
_DOMAIN = "sc-domain:"
_UNVERIFIED = "siteunverifieduser"
_MOST_NAMED = 10
_WEB = "web"


@dataclass(frozen=True, slots=True, kw_only=True)
class Known:
    """What Google knows of one index or sitemap, and what the live file holds."""

    url: str
    is_known: bool = True
    submitted: str = ""
    """When it was submitted last; empty where Google found it in its index."""
    read: str = ""
    """When Google read it last."""
    is_pending: bool = False
    errors: int = 0
    warnings: int = 0
    found: int | None = None
    """How many URLs Google read in it."""
    live: int | None = None
    """How many URLs the live file lists; None where it was not read."""
    note: str = ""
    """What is to be said of the live file."""


class Console:
    """The properties of whoever asks, and the sitemaps of these."""

    def __init__(self, session: Session, address: str = CONSOLE) -> None:
        self._session = session
        self._sites = f"{address}webmasters/v3/sites"

    def property_of(self, index: str) -> str:
        """Return the property that an index belongs to: the narrowest of those that hold it.

        Raises:
            GoogleError: none does.
        """
        entries = _objects(self._read("GET", self._sites), "siteEntry")
        own = [
            str(entry.get("siteUrl", ""))
            for entry in entries
            if str(entry.get("permissionLevel", "")).replace("_", "").lower() != _UNVERIFIED
        ]
        if holding := [name for name in own if covers(name, index)]:
            return max(holding, key=lambda name: (not name.startswith(_DOMAIN), len(name)))
        named = ", ".join(sorted(own)[:_MOST_NAMED]) or "none at all"
        who = f" of {self._session.who}" if self._session.who else ""
        message = f"{index}: no property{who} in Search Console holds it. There are: {named}"
        raise GoogleError(message)

    def submit(self, name: str, index: str) -> None:
        """Submit an index to a property.

        Raises:
            GoogleError: Google does not take it.
        """
        self._read("PUT", self._place(name, index))

    def status(self, name: str, index: str) -> list[Known]:
        """Return what Google knows of an index, and then of the sitemaps in it.

        Raises:
            GoogleError: Google does not tell.
        """
        answer = self._session.ask("GET", self._place(name, index))
        if answer.status == HTTPStatus.NOT_FOUND:
            return [Known(url=index, is_known=False)]
        first = _known(self._accepted(answer), index)
        query = urlencode({"sitemapIndex": index})
        listed = _objects(self._read("GET", f"{self._sites}/{quote(name, safe='')}/sitemaps?{query}"), "sitemap")
        children = sorted((_known(each, "") for each in listed), key=lambda each: each.url)
        return [first, *(each for each in children if each.url and each.url != index)]

    def _place(self, name: str, index: str) -> str:
        return f"{self._sites}/{quote(name, safe='')}/sitemaps/{quote(index, safe='')}"

    def _read(self, method: str, url: str) -> dict[str, Any]:
        return self._accepted(self._session.ask(method, url))

    def _accepted(self, answer: Answer) -> dict[str, Any]:
        if not is_success(answer):
            raise GoogleError(refusal(answer) + _hint(answer.status, self._session.who))
        read = read_json(answer)
        return read if isinstance(read, dict) else {}


def _hint(status: int, who: str) -> str:
    if status not in {HTTPStatus.UNAUTHORIZED, HTTPStatus.FORBIDDEN}:
        return ""
    return f". Add {who or 'this account'} as a user of the property, and turn the Search Console API on in its project"


def read_property(given: str) -> str:
    """Return the name of a property in the form that Google gives it.

    Raises:
        ValueError: it is none.
    """
    if given.startswith(_DOMAIN):
        return given.lower()
    url = urls.normalise(given)
    if urls.directory(url) != url:
        message = f"{brief(given)} is no property; accepted: a URL that ends in a slash, or sc-domain:example.org"
        raise ValueError(message)
    return url


def covers(name: str, url: str) -> bool:
    """Whether a URL belongs to a property: a URL prefix, or a domain with all that is below it."""
    if not name.startswith(_DOMAIN):
        return name.endswith("/") and urls.normal(name) == name and url.startswith(name)
    domain = name.removeprefix(_DOMAIN)
    bare = host(url).partition(":")[0]
    return bool(domain) and (bare == domain or bare.endswith(f".{domain}"))


def beside(known: Iterable[Known], live: dict[str, int], notes: dict[str, str]) -> list[Known]:
    """Return what Google knows beside what the live files hold."""
    rows = [replace(each, live=live.get(each.url), note=notes.get(each.url, "")) for each in known]
    there = {row.url for row in rows}
    own = sorted({*live, *notes} - there)
    return rows + [Known(url=url, is_known=False, live=live.get(url), note=notes.get(url, "")) for url in own]


def _objects(read: dict[str, Any], name: str) -> list[dict[str, Any]]:
    listed = read.get(name)
    return [each for each in listed if isinstance(each, dict)] if isinstance(listed, list) else []


def _known(read: dict[str, Any], url: str) -> Known:
    """Return an entry of Google's, in which numbers are texts, and what is false or nothing may be missing."""
    contents = _objects(read, "contents")
    pages = [each for each in contents if str(each.get("type", "")).lower() == _WEB]
    return Known(
        url=url or urls.normal(str(read.get("path", ""))),
        submitted=str(read.get("lastSubmitted", "")),
        read=str(read.get("lastDownloaded", "")),
        is_pending=read.get("isPending") is True,
        errors=_number(read.get("errors")),
        warnings=_number(read.get("warnings")),
        found=sum(_number(each.get("submitted")) for each in pages) if pages else None,
    )


def _number(value: object) -> int:
    text = str(value)
    return int(text) if text.isascii() and text.isdigit() and len(text) <= 18 else 0  # noqa: PLR2004 - of an int64
