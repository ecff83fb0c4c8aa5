"""A server made from Google's description of the Search Console API, and of how a service account gets a token.

https://searchconsole.googleapis.com/$discovery/rest?version=v1 and
https://developers.google.com/identity/protocols/oauth2/service-account#httprest
"""

import base64
import json
import re
import secrets
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, quote, unquote, urlsplit

from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import padding, rsa

from tests.support.server import Quiet, running

WHO = "robot@project.iam.example.com"
_SCOPE = "https://www.googleapis.com/auth/webmasters"
_AUDIENCE = "https://oauth2.googleapis.com/token"
_SITES = "/webmasters/v3/sites"


@dataclass
class Google:
    """What it knows: properties with the level of the account, and sitemaps by property and URL."""

    url: str = ""
    key: rsa.RSAPrivateKey = field(default_factory=lambda: rsa.generate_private_key(65537, 2048))
    properties: dict[str, str] = field(default_factory=dict)
    sitemaps: dict[tuple[str, str], dict[str, Any]] = field(default_factory=dict)
    tokens: set[str] = field(default_factory=set)
    asked: list[tuple[str, str]] = field(default_factory=list)
    failure: tuple[int, str] | None = None
    """What every request for data gets, where Google fails."""

    def account(self, path: Path) -> Path:
        """Write the key file of a service account."""
        pem = self.key.private_bytes(
            serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
        )
        account = {
            "type": "service_account",
            "project_id": "project",
            "private_key_id": "1",
            "private_key": pem.decode(),
            "client_email": WHO,
            "client_id": "1",
            "token_uri": f"{self.url}token",
        }
        path.write_text(json.dumps(account))
        return path

    def token(self, body: bytes) -> tuple[int, object]:
        """Answer who asks for a token, with an assertion that the account's own key has signed."""
        given = {name: values[0] for name, values in parse_qs(body.decode()).items()}
        if given.get("grant_type") != "urn:ietf:params:oauth:grant-type:jwt-bearer":
            return 400, {"error": "unsupported_grant_type"}
        head, claims, signature = given["assertion"].split(".")
        self.key.public_key().verify(
            _decoded(signature), f"{head}.{claims}".encode(), padding.PKCS1v15(), hashes.SHA256()
        )
        said = json.loads(_decoded(claims))
        now = time.time()
        is_right = said["iss"] == WHO and said["aud"] in {f"{self.url}token", _AUDIENCE} and said["scope"] == _SCOPE
        if not is_right or not said["iat"] - 60 <= now < said["exp"] <= said["iat"] + 3600:
            return 400, {"error": "invalid_grant", "error_description": "Invalid JWT"}
        self.tokens.add(token := secrets.token_hex(16))
        return 200, {"access_token": token, "expires_in": 3599, "token_type": "Bearer"}

    def answer(self, method: str, target: str, authorization: str) -> tuple[int, object]:
        """Answer a request for data."""
        self.asked.append((method, target))
        if authorization.removeprefix("Bearer ") not in self.tokens:
            return _error(401, "Request had invalid authentication credentials.")
        if self.failure:
            return _error(*self.failure)
        if (method, target) == ("GET", _SITES):
            return 200, {
                "siteEntry": [{"siteUrl": n, "permissionLevel": level} for n, level in self.properties.items()]
            }
        return self._of_a_property(method, *target.partition("?")[::2])

    def _of_a_property(self, method: str, path: str, query: str) -> tuple[int, object]:
        match = re.fullmatch(rf"{_SITES}/([^/]+)/sitemaps(?:/([^/]+))?", path)
        if match is None:
            return _error(404, "Requested entity was not found.")
        name, feed = unquote(match[1]), unquote(match[2] or "")
        if match[1] != quote(name, safe="") or (feed and match[2] != quote(feed, safe="")):
            return _error(400, "Invalid path")
        if self.properties.get(name) in {None, "siteUnverifiedUser"}:
            return _error(403, f"User does not have sufficient permission for site '{name}'.")
        if feed:
            return self._one(method, name, feed)
        index = parse_qs(query).get("sitemapIndex", [""])[0]
        listed = [each for (own, _), each in self.sitemaps.items() if own == name and each.get("index", "") == index]
        return 200, {"sitemap": [_shown(each) for each in listed]} if listed else {}

    def _one(self, method: str, name: str, feed: str) -> tuple[int, object]:
        if method == "PUT":
            self.sitemaps[name, feed] = {"path": feed, "isPending": True}
            return 204, None
        found = self.sitemaps.get((name, feed))
        return (200, _shown(found)) if found else _error(404, "Requested entity was not found.")


def _shown(sitemap: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in sitemap.items() if name != "index"}


def _decoded(text: str) -> bytes:
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


def _error(status: int, message: str) -> tuple[int, object]:
    return status, {"error": {"code": status, "message": message, "errors": [{"message": message, "domain": "global"}]}}


@contextmanager
def search_console() -> Iterator[Google]:
    """Run the server on this machine for as long as the context lasts."""
    google = Google()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self._reply(*google.answer(self.command, self.path, self.headers.get("Authorization", "")))

        def do_PUT(self) -> None:
            assert self.headers["Content-Length"] == "0", "Google answers 411 where it is missing"
            self.do_GET()

        def do_POST(self) -> None:
            assert urlsplit(self.path).path == "/token"
            self._reply(*google.token(self.rfile.read(int(self.headers["Content-Length"]))))

        def _reply(self, status: int, content: object) -> None:
            data = b"" if content is None else json.dumps(content).encode()
            self.send_response(status)
            self.send_header("Content-Type", "application/json; charset=UTF-8")
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        def log_message(self, *_: object) -> None:
            """Say nothing."""

    http = Quiet(("127.0.0.1", 0), Handler)
    google.url = f"http://127.0.0.1:{http.server_port}/"
    with running(http):
        yield google
