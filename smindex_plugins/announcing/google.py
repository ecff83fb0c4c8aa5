"""Requests to Google with the credentials of this machine: google-auth finds and renews them, and our fetcher asks."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any, Protocol, cast

from smindex_plugins.limits import MAX_BYTES
from smindex_plugins.text import ExplainedError, printable
from smindex_plugins.web import Answer, Fetcher

_SCOPE = "https://www.googleapis.com/auth/webmasters"


class GoogleError(ExplainedError):
    """Google does not answer, or refuses; or this machine has no credentials."""


class _Credentials(Protocol):
    def before_request(self, request: object, method: str, url: str, headers: dict[str, str]) -> None: ...


@dataclass(frozen=True, slots=True)
class _Response:
    """An answer, in the form in which google-auth wants it."""

    status: int
    headers: Mapping[str, str]
    data: bytes


class Session:
    """Asks with credentials: Application Default Credentials, such as those of a service account."""

    def __init__(self, fetcher: Fetcher) -> None:
        self._fetcher = fetcher
        self._credentials = _found()

    @property
    def who(self) -> str:
        """The service account that asks, or nothing where it is another kind of account."""
        email = getattr(self._credentials, "service_account_email", "")
        return email if isinstance(email, str) and "@" in email else ""

    def ask(self, method: str, url: str) -> Answer:
        """Send a request without a body, and return the answer, whatever its status.

        Raises:
            GoogleError: there is no answer, or nobody says who asks.
        """
        from google.auth import exceptions  # noqa: PLC0415 - an extra, which only this needs

        headers: dict[str, str] = {}
        try:
            self._credentials.before_request(self._transport, method, url, headers)
        except exceptions.GoogleAuthError as error:
            message = f"Google gives no access to these credentials: {error.args[0]}"
            raise GoogleError(message) from error
        answer = self._send(method, url, headers, None)
        if answer.failure:
            message = f"{url}: {answer.failure}"
            raise GoogleError(message)
        return answer

    def _send(self, method: str, url: str, headers: Mapping[str, str], body: bytes | None) -> Answer:
        self._fetcher.allow(url)
        given = {"Content-Length": "0"} if method == "PUT" and body is None else {}
        return self._fetcher.send(method, url, headers={**headers, **given}, body=body, most=MAX_BYTES)

    def _transport(
        self,
        url: str,
        method: str = "GET",
        body: bytes | None = None,
        headers: Mapping[str, str] | None = None,
        **_: object,
    ) -> _Response:
        """Send what google-auth asks for a token."""
        from google.auth import exceptions  # noqa: PLC0415 - as above

        content = body.encode() if isinstance(body, str) else body
        answer = self._send(method, url, headers or {}, content)
        if answer.failure:
            raise exceptions.TransportError(answer.failure)
        return _Response(answer.status, dict(answer.headers.items()), answer.content)


def _found() -> _Credentials:
    try:
        import google.auth  # noqa: PLC0415 - as above
        from google.auth import exceptions  # noqa: PLC0415 - as above
    except ImportError as error:
        message = "`smindex console` needs google-auth: pip install 'smindex-plugins[console]'"
        raise GoogleError(message) from error
    try:
        found, _ = google.auth.default(scopes=[_SCOPE])
    except (exceptions.GoogleAuthError, OSError, ValueError) as error:
        fix = "Let GOOGLE_APPLICATION_CREDENTIALS name the key file of a service account"
        message = f"there are no credentials of Google: {error.args[0]}. {fix}"
        raise GoogleError(message) from error
    return cast("_Credentials", found)


def refusal(answer: Answer) -> str:
    """Return what an answer that is an error says, in one line."""
    said: Any = read_json(answer)
    error = said.get("error") if isinstance(said, dict) else None
    words = error.get("message") if isinstance(error, dict) else None
    return f"Google answers with {answer.status}" + (
        f": {printable(words)}" if isinstance(words, str) and words else ""
    )


def read_json(answer: Answer) -> object:
    """Return the JSON of an answer, or nothing where it has none."""
    try:
        read: object = json.loads(answer.content)
    except (ValueError, RecursionError):
        return None
    return read


def is_success(answer: Answer) -> bool:
    """Whether an answer is one of HTTP's successes."""
    return HTTPStatus.OK <= answer.status < HTTPStatus.MULTIPLE_CHOICES
