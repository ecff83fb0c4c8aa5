"""An engine that keeps the protocol IndexNow strictly: https://www.indexnow.org/documentation ."""

import json
import re
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler
from typing import Any

from tests.support.server import Quiet, running

KEY = "0123456789abcdef"


@dataclass
class Engine:
    """What it was sent and took, and what it answers in place of judging, once each."""

    url: str = ""
    posts: list[dict[str, Any]] = field(default_factory=list)
    taken: list[str] = field(default_factory=list)
    answers: list[tuple[int, dict[str, str]]] = field(default_factory=list)

    def judge(self, post: Any, content_type: str) -> int:  # noqa: ANN401 - whatever was sent
        """Return the status for a post that is right or wrong."""
        if content_type != "application/json; charset=utf-8" or not isinstance(post, dict):
            return 400
        if set(post) - {"keyLocation"} != {"host", "key", "urlList"} or not 1 <= len(post["urlList"]) <= 10_000:
            return 400
        if not re.fullmatch("[A-Za-z0-9-]{8,128}", post["key"]):
            return 400
        root = f"http://{post['host']}/"
        place = post.get("keyLocation", f"{root}{post['key']}.txt")
        scope = place.rpartition("/")[0] + "/"
        if not place.startswith(root) or not all(url.startswith(scope) for url in post["urlList"]):
            return 422
        return 200 if self.fetched(place) == post["key"] else 403

    def fetched(self, place: str) -> str:
        """Return what is in the key file, or nothing."""
        opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        try:
            with opener.open(place, timeout=10) as answer:
                return str(answer.read().decode())
        except urllib.error.HTTPError as error:
            error.close()
            return ""


@contextmanager
def indexnow() -> Iterator[Engine]:
    """Run an engine on this machine for as long as the context lasts."""
    engine = Engine()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            post = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            engine.posts.append(post)
            headers: dict[str, str] = {}
            if self.path != "/indexnow":
                status = 404
            elif engine.answers:
                status, headers = engine.answers.pop(0)
            else:
                status = engine.judge(post, self.headers["Content-Type"])
            if status == 0:
                return
            engine.taken += post["urlList"] if status in {200, 202} else []
            self.send_response(status)
            for name, value in {"Content-Length": "0", **headers}.items():
                self.send_header(name, value)
            self.end_headers()

        def log_message(self, *_: object) -> None:
            """Say nothing."""

    http = Quiet(("127.0.0.1", 0), Handler)
    engine.url = f"http://127.0.0.1:{http.server_port}/"
    with running(http):
        yield engine
