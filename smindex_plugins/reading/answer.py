"""The response to a request, or why there is none."""

import time
from dataclasses import dataclass, field
from email.message import Message
from email.utils import parsedate_to_datetime
from http import HTTPStatus


@dataclass(slots=True, kw_only=True)
class Answer:
    """The response for a URL. If there is none, `failure` contains the reason."""

    url: str
    """The URL after all redirects."""
    status: int = 0
    headers: Message = field(default_factory=Message)
    content: bytes = b""
    redirect: str = ""
    """The same, if there was a redirect."""
    failure: str = ""
    is_reached: bool = True
    """Whether the server started to respond."""
    is_late: bool = False
    """Whether the time limit of the run ended first."""

    @property
    def is_ok(self) -> bool:
        """Whether it is a success."""
        return not self.failure and self.status == HTTPStatus.OK

    @property
    def problem(self) -> str:
        """Why it is not a success."""
        return self.failure or f"the server answers with {self.status}"


def retry_after(answer: Answer) -> float | None:
    """Return the seconds after which a request may be retried, or None if the server doesn't
    specify it.
    """
    given = answer.headers.get("Retry-After", "").strip()
    try:
        if given.isdigit():
            wait = float(given)
        else:
            wait = parsedate_to_datetime(given).timestamp() - time.time()
    except (ValueError, OverflowError):
        return None
    return max(wait, 0)
