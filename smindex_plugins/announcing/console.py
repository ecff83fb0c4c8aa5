"""Search Console: submits an index to a property, and reads Google's status of it and its sitemaps.

The API: https://developers.google.com/webmaster-tools/v1/sitemaps
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from email.message import Message
from http import HTTPStatus
from typing import Any
from urllib.parse import quote, urlencode

from smindex_plugins.base import files, release, urls
from smindex_plugins.base.limits import MAX_BYTES
from smindex_plugins.base.text import ExplainedError, brief, counted
from smindex_plugins.base.toml_and_json import load_json
from smindex_plugins.reading.live import Live
from smindex_plugins.reading.web import Fetcher

API = "https://searchconsole.googleapis.com/webmasters/v3/sites"
_SCOPE = "https://www.googleapis.com/auth/webmasters"
_DOMAIN = "sc-domain:"
_MOST_NAMED = 10
_MOST_OF_A_TOKEN = 1 << 16
"""The most bytes of a response with an access token that are read."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SitemapStatus:
    """Google's status of an index or a sitemap, and the number of URLs in the live file."""

    url: str
    known: bool = True
    submitted: str | None = None
    """When it was last submitted; None if Google found it in its index."""
    read: str | None = None
    """When Google last read it."""
    pending: bool = False
    errors: int = 0
    warnings: int = 0
    urls: int | None = None
    """How many URLs Google found in it."""
    live_urls: int | None = None
    """How many URLs the live file lists; None if it was not read."""
    note: str | None = None
    """Why the live file was not read."""


@dataclass(frozen=True, slots=True)
class _Response:
    """A response as google-auth expects it: `google.auth.transport.Response`."""

    status: int
    headers: Message
    data: bytes


class Console:
    """The properties that this machine's credentials can access, and their sitemaps."""

    def __init__(self, fetcher: Fetcher) -> None:
        """Find the Application Default Credentials.

        Raises:
            ExplainedError: there are none, or google-auth is not installed.
        """
        try:
            import google.auth  # noqa: PLC0415 - an extra, which only this needs
        except ImportError as error:
            command = release.install_command("console")
            message = f"`smindex console` needs google-auth: {command}"
            raise ExplainedError(message) from error
        try:
            credentials, _ = google.auth.default(scopes=[_SCOPE])
        except (google.auth.exceptions.GoogleAuthError, OSError, ValueError) as error:
            fix = "In CI, set GOOGLE_APPLICATION_CREDENTIALS to the key file of a service account"
            message = f"no usable Google credentials: {_reason(error)}. {fix}"
            raise ExplainedError(message) from error
        fetcher.allow(API)
        self._fetcher = fetcher
        self._credentials = credentials
        self._account = getattr(credentials, "service_account_email", "")

    def property_of(self, index: str) -> str:
        """Return the property that an index belongs to: the narrowest property that contains it.

        Raises:
            ExplainedError: none does.
        """
        status, content = self._send("GET")
        read = self._read(status, content)
        own = []
        with _documented():
            for entry in read.get("siteEntry", []):
                name = str(entry["siteUrl"])
                if entry.get("permissionLevel") != "siteUnverifiedUser":
                    own.append(name)
        holding = [name for name in own if covers(name, index)]
        if holding:
            return max(holding, key=_narrowness)
        named = ", ".join(sorted(own)[:_MOST_NAMED]) or "none"
        who = f" of {self._account}" if self._account else ""
        message = (
            f"{index}: no Search Console property{who} contains it. Available properties: {named}"
        )
        raise ExplainedError(message)

    def submit(self, name: str, index: str) -> None:
        """Submit an index to a property.

        Raises:
            ExplainedError: Google doesn't accept it.
        """
        status, content = self._send("PUT", name, "sitemaps", index)
        self._read(status, content)

    def status(self, name: str, index: str) -> list[SitemapStatus]:
        """Return Google's status of an index, followed by the sitemaps in it.

        Raises:
            ExplainedError: Google returns an error.
        """
        status, content = self._send("GET", name, "sitemaps", index)
        if status == HTTPStatus.NOT_FOUND:
            return [SitemapStatus(url=index, known=False)]
        own = self._read(status, content)
        query = {"sitemapIndex": index}
        status, content = self._send("GET", name, "sitemaps", query=query)
        listed = self._read(status, content)
        with _documented():
            first = replace(_status(own), url=index)
            sitemaps = list(map(_status, listed.get("sitemap", [])))
            sitemaps.sort(key=lambda sitemap: sitemap.url)
        others = [sitemap for sitemap in sitemaps if sitemap.url != index]
        return [first, *others]

    def _send(
        self,
        method: str,
        *path: str,
        query: dict[str, str] | None = None,
    ) -> tuple[int, bytes]:
        """Send a request, and return the status and the content of the response.

        Raises:
            ExplainedError: there is no response, or Google rejects the credentials.
        """
        url = API
        for part in path:
            url += "/" + quote(part, safe="")
        if query:
            url = f"{url}?{urlencode(query)}"
        headers = self._authorization(method, url)
        answer = self._fetcher.send(method, url, headers=headers, most=MAX_BYTES)
        if answer.failure:
            message = f"Google doesn't respond: {answer.failure}"
            raise ExplainedError(message)
        return answer.status, answer.content

    def _authorization(self, method: str, url: str) -> dict[str, str]:
        """Return the headers with an access token, which is requested before the first request.

        Raises:
            ExplainedError: Google doesn't send one.
        """
        from google.auth import exceptions  # noqa: PLC0415 - as above

        headers: dict[str, str] = {}
        try:
            self._credentials.before_request(self._request_token, method, url, headers)
        except exceptions.TransportError as error:
            message = f"Google doesn't respond: {error.args[0]}"
            raise ExplainedError(message) from error
        # google-auth doesn't check the types of what it gets
        except (AttributeError, TypeError, ValueError) as error:
            message = "Google's response to the request for an access token has no token"
            raise ExplainedError(message) from error
        except exceptions.GoogleAuthError as error:
            message = f"Google rejects these credentials: {_reason(error)}"
            raise ExplainedError(message) from error
        return headers

    def _request_token(
        self,
        url: str,
        method: str = "GET",
        body: bytes | None = None,
        headers: Mapping[str, str] | None = None,
        timeout: float | None = None,  # noqa: ARG002 - that of the fetcher is shorter
        **_: object,
    ) -> "_Response":
        """Send a request for google-auth, like its own transports: `google.auth.transport.Request`.

        Raises:
            TransportError: there is no response.
        """
        from google.auth import exceptions  # noqa: PLC0415 - as above

        self._fetcher.allow(url)  # which is in the user's credentials
        answer = self._fetcher.send(method, url, headers=headers, body=body, most=_MOST_OF_A_TOKEN)
        if answer.failure:
            raise exceptions.TransportError(answer.failure)
        return _Response(answer.status, answer.headers, answer.content)

    def _read(self, status: int, content: bytes) -> dict[str, Any]:
        """Return the object in a response.

        Raises:
            ExplainedError: it is an error.
        """
        try:
            text = files.decode(content or b"{}")
            read = dict(load_json(text))
            problem = str(read.get("error", {}).get("message", ""))
        except (ValueError, TypeError, AttributeError):
            read = {}
            problem = "its response is not the JSON of the API"
        if status < HTTPStatus.MULTIPLE_CHOICES and not problem:
            return read
        message = f"Google answers with {status}: {problem}".rstrip(": .")
        if status in {HTTPStatus.UNAUTHORIZED, HTTPStatus.FORBIDDEN}:
            who = self._account or "this account"
            message += (
                f". Add {who} as a user of the property, and enable the Search Console API in its"
                " project"
            )
        raise ExplainedError(message)


@contextmanager
def _documented() -> Iterator[None]:
    """Raise an `ExplainedError` if a response isn't structured as the API documents say."""
    try:
        yield
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        message = "Google's response isn't structured as its API documents say. Try again later"
        raise ExplainedError(message) from error


def _reason(error: Exception) -> str:
    """Return what google-auth says, without the response that can follow it, and without a full
    stop.
    """
    said = error.args[0] if error.args else ""
    if not isinstance(said, str) or not said:
        return "google-auth gives no reason"
    return said.rstrip(" .,")


def _narrowness(name: str) -> tuple[bool, int]:
    """Rank properties that contain a URL. Each URL prefix is narrower than a domain."""
    return not name.startswith(_DOMAIN), len(name)


def _status(read: dict[str, Any]) -> SitemapStatus:
    """Return an entry of the API, where numbers are strings, and zero or false values can be
    missing.
    """
    web = []
    for content in read.get("contents", []):
        kind = content["type"].lower()
        if kind == "web":
            web.append(int(content["submitted"]))
    return SitemapStatus(
        url=urls.normal(read["path"]),
        submitted=read.get("lastSubmitted"),
        read=read.get("lastDownloaded"),
        pending=read.get("isPending", False),
        errors=int(read.get("errors", 0)),
        warnings=int(read.get("warnings", 0)),
        urls=sum(web) if web else None,
    )


def read_property(given: str) -> str:
    """Return the name of a property in the format of the API.

    Raises:
        ValueError: it is not a property.
    """
    if given.startswith(_DOMAIN):
        return given.lower()
    url = urls.normalise(given)
    if urls.directory(url) != url:
        message = (
            f"{brief(given)} is not a property; accepted: a URL that ends in a slash, or"
            " sc-domain:example.org"
        )
        raise ValueError(message)
    return url


def covers(name: str, url: str) -> bool:
    """Whether a URL belongs to a property: a URL prefix, or a domain with its subdomains."""
    if not name.startswith(_DOMAIN):
        return name.endswith("/") and url.startswith(name)
    domain = name.removeprefix(_DOMAIN)
    if not domain:
        return False
    host = urls.origin(url).partition("://")[2]
    host = host.partition(":")[0]
    return host == domain or host.endswith(f".{domain}")


def add_live(
    known: Iterable[SitemapStatus],
    index: str,
    fetcher: Fetcher,
    tell: Callable[[str], None],
) -> list[SitemapStatus]:
    """Return Google's status with the number of URLs in the live files.

    Raises:
        OSError: the site does not respond.
    """
    counts: dict[str, int] = {}
    notes: dict[str, str] = {}
    for found in Live(url=index, fetcher=fetcher).files():
        document = found.document
        why = found.why_unread
        if why:
            notes[document.url] = f"live file: {why}"
        elif document.kind != "sitemapindex":
            counts[document.url] = document.count
        tell(f"{counted(len(counts), 'sitemap')}: {document.url}")
    if index not in counts and index not in notes:
        counts[index] = sum(counts.values())
    statuses = {status.url: status for status in known}
    for url in sorted(counts.keys() | notes.keys()):
        status = statuses.get(url, SitemapStatus(url=url, known=False))
        statuses[url] = replace(status, live_urls=counts.get(url), note=notes.get(url))
    return list(statuses.values())
