"""Servers on this machine: sites and directories, search engines, and connections that no HTTP
server would offer.
"""

import base64
import contextlib
import gzip
import json
import mimetypes
import re
import secrets
import socket
import ssl
import subprocess
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, quote, unquote

from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import padding, rsa
from pytest_httpserver import HTTPServer
from werkzeug import Request, Response

from tests.support.command import PAGE

Route = tuple[int, dict[str, str], bytes | Iterable[bytes]]


class _Site(HTTPServer):
    """A server with a thread for each request, which stops at once."""

    def thread_target(self) -> None:
        assert self.server is not None
        self.server.serve_forever(poll_interval=0.01)


@contextlib.contextmanager
def answering(
    answer: Callable[[Request], Response], context: ssl.SSLContext | None = None
) -> Iterator[str]:
    """Answer every request with a function, and yield the address of the server."""
    with _Site("127.0.0.1", 0, context, threaded=True) as http:
        http.expect_request(re.compile(".*")).respond_with_handler(answer)
        yield f"{'https' if context else 'http'}://127.0.0.1:{http.port}/"


def cut(request: Request) -> None:
    """Close the connection of a request."""
    request.environ["werkzeug.socket"].shutdown(socket.SHUT_RDWR)


@dataclass
class Server:
    """A site. A ConnectionError in ``before`` cuts the connection without an answer."""

    base: str = ""
    routes: dict[str, Route] = field(default_factory=dict)
    """The answers by path, as it was requested. A content in parts is sent part by part."""
    requests: list[tuple[str, str, str]] = field(default_factory=list)
    """The method, the path and the user agent of each request."""
    before: Callable[[str], object] = lambda _: None
    """Called with the path before each answer."""

    def serve(self, path: str, content: str | bytes, status: int = 200, **headers: str) -> None:
        data = content.encode() if isinstance(content, str) else content
        self.routes[path] = (
            status,
            {name.replace("_", "-"): value for name, value in headers.items()},
            data,
        )

    def page(self, path: str, content: str = PAGE, status: int = 200, **headers: str) -> None:
        self.serve(path, content, status, Content_Type="text/html", **headers)

    def answer(self, request: Request) -> Response:
        path = request.environ["RAW_URI"]
        self.requests.append((request.method, path, request.headers.get("User-Agent", "")))
        try:
            self.before(path)
        except ConnectionError:
            cut(request)
        status, headers, content = self.routes.get(path, (404, {}, b""))
        response = Response(content, status)
        response.headers.clear()  # without a Content-Type of its own
        response.headers.update(headers)
        return response

    @property
    def paths(self) -> list[str]:
        """The paths that were requested, in order."""
        return [path for _, path, _ in self.requests]


@contextlib.contextmanager
def serving(context: ssl.SSLContext | None = None) -> Iterator[Server]:
    """Serve a site for as long as the context lasts."""
    site = Server()
    with answering(site.answer, context) as site.base:
        yield site


def certified(directory: Path) -> tuple[ssl.SSLContext, Path]:
    """Return what serves with a new certificate for this machine, and the file of the
    certificate.
    """
    key, certificate = directory / "key.pem", directory / "certificate.pem"
    names = ["-subj", "/CN=127.0.0.1", "-addext", "subjectAltName=IP:127.0.0.1"]
    command = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", *names]
    subprocess.run([*command, "-keyout", key, "-out", certificate], check=True, capture_output=True)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, key)
    return context, certificate


@dataclass(frozen=True)
class Web:
    """A directory that is served at an address known before anything is built into it."""

    directory: Path
    base: str
    delays: dict[str, float] = field(default_factory=dict)
    """The seconds after which the request for a path is answered, where order matters."""


@contextlib.contextmanager
def serve(directory: Path) -> Iterator[Web]:
    """Serve a directory for as long as the context lasts."""
    directory.mkdir(parents=True, exist_ok=True)
    delays: dict[str, float] = {}

    def answer(request: Request) -> Response:
        time.sleep(delays.get(request.path, 0))
        file = directory / request.path.strip("/")
        if file.is_dir() and not request.path.endswith("/"):
            return Response(status=301, headers={"Location": f"{request.path}/"})
        file = file / "index.html" if file.is_dir() else file
        if not file.is_file():
            return Response(status=404)
        kind, packing = mimetypes.guess_type(file.name)
        kind = "application/gzip" if packing else kind
        # Tests replace files and look again.
        return Response(file.read_bytes(), content_type=kind, headers={"Cache-Control": "no-store"})

    with answering(answer) as base:
        yield Web(directory, base, delays)


# What no HTTP server sends: answers byte by byte, answers without an end, and connections that are
# kept or closed early

Speak = Callable[[socket.socket, bytes], object]
"""Sends something on a connection after it received something."""
OK = b"HTTP/1.1 200 OK\r\n"
CHUNKED = OK + b"Transfer-Encoding: chunked\r\n\r\n"
XML = b"<urlset" + b" " * 10_000


def drip(connection: socket.socket, _: bytes, at_once: bytes, slowly: bytes) -> None:
    """Send a byte now and then, so often that no wait for the next is long, and then nothing
    more.
    """
    connection.sendall(at_once)
    for byte in slowly:
        connection.sendall(bytes([byte]))
        time.sleep(0.05)
    silent(connection, b"")


def endless(
    connection: socket.socket, _: bytes, at_once: bytes, again: bytes, pause: float
) -> None:
    """Send the same again and again."""
    connection.sendall(at_once)
    while True:
        connection.sendall(again)
        time.sleep(pause)


def silent(connection: socket.socket, _: bytes) -> None:
    """Receive everything, and send nothing."""
    while connection.recv(1_000):
        pass


SLOW: dict[str, Speak] = {
    "content": partial(drip, at_once=OK + b"Content-Length: 9000\r\n\r\n", slowly=XML),
    "content to the end of the connection": partial(drip, at_once=OK + b"\r\n", slowly=XML),
    "compressed content": partial(
        drip, at_once=OK + b"Content-Encoding: gzip\r\n\r\n", slowly=gzip.compress(XML) * 99
    ),
    "no content": partial(drip, at_once=OK + b"Content-Length: 9000\r\n\r\n", slowly=b""),
    "small chunks": partial(endless, at_once=CHUNKED, again=b"1\r\n<\r\n", pause=0.05),
    "sizes of chunks": partial(
        endless, at_once=CHUNKED, again=(b"1;" + b"a" * 9_000 + b"\r\n<\r\n") * 9, pause=0
    ),
    "a size of a chunk": partial(drip, at_once=CHUNKED, slowly=b"0" * 9_000),
    "an extension of a chunk": partial(
        drip, at_once=CHUNKED + b"1\r\n<\r\n", slowly=b"1;" + b"a" * 9_000
    ),
    "the end of a chunk": partial(drip, at_once=CHUNKED + b"1\r\n<", slowly=b""),
    "trailers": partial(endless, at_once=CHUNKED + b"0\r\n", again=b"A: b\r\n", pause=0.05),
    "trailers at once": partial(
        endless, at_once=CHUNKED + b"0\r\n", again=b"A: b\r\n" * 999, pause=0
    ),
    "a trailer": partial(drip, at_once=CHUNKED + b"0\r\n", slowly=b"A: " + b"b" * 9_000),
}
"""What never becomes a whole response."""


@contextlib.contextmanager
def speaking(
    speak: Speak,
    *,
    hears: bytes = b"\r\n\r\n",
    context: ssl.SSLContext | None = None,
    has_robots: bool = False,
    at: tuple[str, int] = ("127.0.0.1", 0),
) -> Iterator[str]:
    """Let a function speak on every connection, and yield the host and port.

    Without its own, robots.txt is missing.
    """

    def talk(plain: socket.socket) -> None:
        with contextlib.ExitStack() as stack:
            stack.enter_context(contextlib.suppress(OSError))
            connection = stack.enter_context(plain)
            if context:
                connection = stack.enter_context(context.wrap_socket(plain, server_side=True))
            received = b""
            while hears not in received and (block := connection.recv(10_000)):
                received += block
            if b" /robots.txt" in received and not has_robots:
                connection.sendall(
                    b"HTTP/1.1 404 No\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
                )
            else:
                speak(connection, received)

    def accept() -> None:
        with contextlib.suppress(OSError):
            while True:
                threading.Thread(target=talk, args=listener.accept()[:1], daemon=True).start()

    with socket.create_server(at) as listener:
        threading.Thread(target=accept, daemon=True).start()
        yield f"{at[0]}:{listener.getsockname()[1]}"
        listener.shutdown(socket.SHUT_RDWR)


# IndexNow: https://www.indexnow.org/documentation

KEY = "0123456789abcdef"


@dataclass
class Engine:
    """A search engine that keeps strictly to the protocol."""

    url: str = ""
    posts: list[dict[str, Any]] = field(default_factory=list)
    taken: list[str] = field(default_factory=list)
    answers: list[tuple[int, dict[str, str]]] = field(default_factory=list)
    """The next answers, whatever is posted. A status of 0 closes the connection."""

    def answer(self, request: Request) -> Response:
        post = request.get_json(force=True)
        self.posts.append(post)
        status, headers = (
            self.answers.pop(0)
            if self.answers
            else (self.judge(post, request.headers["Content-Type"]), {})
        )
        if status == 0:
            cut(request)
        if (request.method, request.path) != ("POST", "/indexnow"):
            status = 404
        self.taken += post["urlList"] if status in {200, 202} else []
        return Response(status=status, headers=headers)

    def judge(self, post: Any, content_type: str) -> int:  # noqa: ANN401 - whatever was sent
        """Return the status for a post."""
        if content_type != "application/json; charset=utf-8" or not isinstance(post, dict):
            return 400
        if (
            set(post) - {"keyLocation"} != {"host", "key", "urlList"}
            or not 1 <= len(post["urlList"]) <= 10_000
        ):
            return 400
        if not re.fullmatch("[A-Za-z0-9-]{8,128}", post["key"]):
            return 400
        root = f"http://{post['host']}/"
        place = post.get("keyLocation", f"{root}{post['key']}.txt")
        scope = place.rpartition("/")[0] + "/"
        if not place.startswith(root) or not all(url.startswith(scope) for url in post["urlList"]):
            return 422
        opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        try:
            with opener.open(place, timeout=10) as answer:
                return 200 if answer.read().decode() == post["key"] else 403
        except urllib.error.HTTPError as error:
            error.close()
            return 403


@contextlib.contextmanager
def indexnow() -> Iterator[Engine]:
    """Run an engine for as long as the context lasts."""
    engine = Engine()
    with answering(engine.answer) as engine.url:
        yield engine


# Search Console: https://searchconsole.googleapis.com/$discovery/rest?version=v1 and the tokens of
# service accounts: https://developers.google.com/identity/protocols/oauth2/service-account#httprest

ACCOUNT = "robot@project.iam.example.com"
_SITES = "/webmasters/v3/sites"


@dataclass
class Google:
    """The API of Search Console: properties with the level of the account, and sitemaps by property
    and URL.
    """

    url: str = ""
    key: rsa.RSAPrivateKey = field(default_factory=lambda: rsa.generate_private_key(65537, 2048))
    properties: dict[str, str] = field(default_factory=dict)
    sitemaps: dict[tuple[str, str], dict[str, Any]] = field(default_factory=dict)
    tokens: set[str] = field(default_factory=set)
    requests: list[tuple[str, str]] = field(default_factory=list)
    failure: tuple[int, str] | None = None
    """The answer to every request for data."""

    def account(self, path: Path) -> Path:
        """Write the key file of a service account."""
        pem = self.key.private_bytes(
            serialization.Encoding.PEM,
            serialization.PrivateFormat.PKCS8,
            serialization.NoEncryption(),
        )
        account = {
            "type": "service_account",
            "project_id": "project",
            "private_key_id": "1",
            "client_id": "1",
        }
        account |= {
            "private_key": pem.decode(),
            "client_email": ACCOUNT,
            "token_uri": f"{self.url}token",
        }
        path.write_text(json.dumps(account))
        return path

    def answer(self, request: Request) -> Response:
        if request.path == "/token":
            status, content = self._token(request.form)
        else:
            assert request.method != "PUT" or request.headers["Content-Length"] == "0", (
                "Google requires the header"
            )
            self.requests.append((request.method, request.environ["RAW_URI"]))
            token = request.headers.get("Authorization", "").removeprefix("Bearer ")
            status, content = self._data(request, token)
        if status >= 400 and isinstance(content, str):
            content = {
                "error": {"code": status, "message": content, "errors": [{"message": content}]}
            }
        data = b"" if content is None else json.dumps(content).encode()
        return Response(data, status, content_type="application/json; charset=UTF-8")

    def _token(self, form: Any) -> tuple[int, object]:  # noqa: ANN401 - a dict of several values
        """Answer a request with an assertion that the key of the account has signed."""
        if form["grant_type"] != "urn:ietf:params:oauth:grant-type:jwt-bearer":
            return 400, {"error": "unsupported_grant_type"}
        head, claims, signature = (form["assertion"]).split(".")
        decoded = [
            base64.urlsafe_b64decode(text + "=" * (-len(text) % 4)) for text in (claims, signature)
        ]
        signed = f"{head}.{claims}".encode()
        self.key.public_key().verify(decoded[1], signed, padding.PKCS1v15(), hashes.SHA256())
        claim, now = json.loads(decoded[0]), time.time()
        is_right = (claim["iss"], claim["scope"]) == (
            ACCOUNT,
            "https://www.googleapis.com/auth/webmasters",
        )
        is_right &= claim["aud"] in {f"{self.url}token", "https://oauth2.googleapis.com/token"}
        if not is_right or not claim["iat"] - 60 <= now < claim["exp"] <= claim["iat"] + 3600:
            return 400, {"error": "invalid_grant", "error_description": "Invalid JWT"}
        self.tokens.add(token := secrets.token_hex(16))
        return 200, {"access_token": token, "expires_in": 3599, "token_type": "Bearer"}

    def _data(self, request: Request, token: str) -> tuple[int, object]:  # noqa: PLR0911 - one for each answer
        if token not in self.tokens:
            return 401, "Request had invalid authentication credentials."
        if self.failure:
            return self.failure
        path, _, query = request.environ["RAW_URI"].partition("?")
        if (request.method, path) == ("GET", _SITES):
            entries = [
                {"siteUrl": name, "permissionLevel": level}
                for name, level in self.properties.items()
            ]
            return 200, {"siteEntry": entries}
        match = re.fullmatch(rf"{_SITES}/([^/]+)/sitemaps(?:/([^/]+))?", path)
        if match is None:
            return 404, "Requested entity was not found."
        name, feed = unquote(match[1]), unquote(match[2] or "")
        if match[1] != quote(name, safe="") or (feed and match[2] != quote(feed, safe="")):
            return 400, "Invalid path"
        if self.properties.get(name) in {None, "siteUnverifiedUser"}:
            return 403, f"User does not have sufficient permission for site '{name}'."
        if feed and request.method == "PUT":
            self.sitemaps[name, feed] = {"path": feed, "isPending": True}
            return 204, None
        known = {url: sitemap for (owner, url), sitemap in self.sitemaps.items() if owner == name}
        shown = {
            url: {key: sitemap[key] for key in sitemap if key != "index"}
            for url, sitemap in known.items()
        }
        if feed:
            return (200, shown[feed]) if feed in shown else (404, "Requested entity was not found.")
        index = parse_qs(query).get("sitemapIndex", [""])[0]
        listed = [shown[url] for url, sitemap in known.items() if sitemap.get("index", "") == index]
        return 200, {"sitemap": listed} if listed else {}


@contextlib.contextmanager
def search_console() -> Iterator[Google]:
    """Run the API for as long as the context lasts."""
    google = Google()
    with answering(google.answer) as google.url:
        yield google
