"""Servers that are slow, endless, wrong or malicious: a check of them and a join with them end in time and say why."""

import gzip
import re
import socket
import ssl
import struct
import subprocess
import sys
from collections.abc import Callable, Collection, Mapping
from contextlib import closing
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from tests.hostile.attack import Attack, chosen
from tests.hostile.child import Ended, fault, run
from tests.support.planted import index, urlset, write
from tests.support.speaking import CHUNKED, FAST, OK, SLOW, Speak, endless, silent, speaking

MOST_MEMORY = 300 << 20
TIMEOUT, DEADLINE = 1, 3
_LIMITS = (f"--timeout={TIMEOUT}", f"--deadline={DEADLINE}")
ALLOWANCE = 5.0
"""Seconds for all but waiting, on a machine that makes other trials too."""
BASE = "https://e.org/"


@dataclass(frozen=True)
class Kind:
    """A server: what it says, and how it does TLS, if it does."""

    speak: Speak
    hears: bytes = b"\r\n\r\n"
    is_secure: bool = False
    certify: Callable[[Path], Path] | None = None
    """Makes the certificate, in a file with its key."""
    is_trusted: bool = True
    is_right: bool = False
    """What it serves is right, if slow to read."""


def say(connection: socket.socket, _heard: bytes, answer: bytes) -> None:
    """Say something, and close the connection."""
    connection.sendall(answer)


def answered(content: bytes, *headers: str, status: str = "200 OK") -> Speak:
    """Return what answers rightly as far as HTTP goes."""
    head = "".join(f"{line}\r\n" for line in (f"HTTP/1.1 {status}", f"Content-Length: {len(content)}", *headers))
    return partial(say, answer=head.encode("latin-1") + b"\r\n" + content)


def raw(answer: bytes) -> Kind:
    """Return the server that says something, whatever it is asked."""
    return Kind(partial(say, answer=answer))


def stalling(connection: socket.socket, heard: bytes, answer: bytes) -> None:
    """Say something, and no more, and stay."""
    connection.sendall(answer)
    silent(connection, heard)


def cutting(connection: socket.socket, _heard: bytes, answer: bytes) -> None:
    """Say something, and cut the connection, so that the other side hears of an error."""
    connection.sendall(answer)
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))


def path_of(heard: bytes) -> str:
    """Return what is asked for."""
    return heard.split(b" ")[1].decode("latin-1")


def wandering(connection: socket.socket, heard: bytes, *, target: str = "{path}a") -> None:
    """Lead on, and on."""
    place = target.format(path=path_of(heard))
    answered(b"", f"Location: {place}", status="302 Found")(connection, heard)


def branching(connection: socket.socket, heard: bytes) -> None:
    """Answer with an index of a thousand indexes, each of which is another."""
    host = re.search(rb"Host: (\S+)", heard, re.IGNORECASE)
    stem = f"http://{host[1].decode() if host else ''}{path_of(heard).removesuffix('.xml')}"
    answered(index(*(f"{stem}-{number}.xml" for number in range(1_000))).encode())(connection, heard)


def robots(lines: str) -> Kind:
    """Return the server with a robots.txt, and a sitemap that is right."""

    def speak(connection: socket.socket, heard: bytes) -> None:
        is_robots = path_of(heard) == "/robots.txt"
        host = f"http://127.0.0.1:{connection.getsockname()[1]}/"
        said = lines.format(host=host) if is_robots else urlset(f"{host}a", f"{host}b")
        answered(said.encode())(connection, heard)

    return Kind(speak, is_right=True)


ZEROS = gzip.compress(bytes(1 << 26), 9) * 16
"""One gigabyte of them."""
XML = urlset("http://127.0.0.1/a").encode()
LENGTHS = ("-1", "0", "9" * 30, "1e9", "0x10", "10, 20", "\xb2", "10\r\nContent-Length: 20")
CHUNKS = (
    b"zz\r\n<",
    b"-5\r\nabcde",
    b"f" * 40 + b"\r\n<",
    b"5\r\nabcdefgh",
    b"1;" + b"a" * 99_999,
    b"\r\n\r\n",
    b"+1\r\n<\r\n",
)
STATUSES = (
    "999",
    "099 A",
    "1000 A",
    "-1 A",
    "abc",
    "200 " + "a" * 99_999,
    "200 \x1b[2J\x07",
    "101 Switch",
    "204 No",
    "304 Not",
)
TARGETS = (
    *(
        "{path}?a",
        "http://127.0.0.1:{port}/",
        "http://10.0.0.1/",
        "http://169.254.169.254/latest/",
        "http://[::1]:{port}/",
    ),
    *("file:///etc/passwd", "gopher://127.0.0.1:{port}/", "javascript:alert(1)", "data:text/xml,a", "//", "http://"),
    *(
        "http://a:b@127.0.0.1:{port}/",
        "/" + "a" * 99_999,
        "\xff\xfe",
        "http://\x1b[2J/",
        "http://[",
        "http://e.org:99999/",
    ),
    *("http://" + "a." * 5_000 + "org/", "http://0x7f000001:{port}/", "http://localhost:{port}/"),
)
ENCODINGS = ("gzip", "deflate", "br", "gzip, gzip, gzip", "x" * 9_999, "\x1b[2J", "GZIP ")
WAITS = (
    "999999999",
    "-5",
    "1",
    "0",
    "Fri, 31 Dec 9999 23:59:59 GMT",
    "9" * 5_000,
    "soon",
    "Thu, 01 Jan 1970 99:99:99 GMT",
)


def kinds(port: int) -> dict[str, Kind]:
    """Return all servers; at a port of this machine that no server may send anybody to, somebody listens."""
    found = {f"slow: {name}": Kind(speak) for name, speak in SLOW.items()}
    found |= {f"endless: {name}": Kind(speak) for name, speak in FAST.items()}
    found |= {
        f"stalls after {len(each)} bytes": Kind(partial(stalling, answer=each)) for each in (OK, OK + b"\r\n<urlset>")
    }
    found |= {
        f"cuts after {len(each)} bytes": Kind(partial(cutting, answer=each)) for each in (b"", OK, OK + b"\r\n<urls")
    }
    found |= {"leads on": Kind(wandering), "leads to itself": Kind(partial(wandering, target="{path}"))}
    for target in TARGETS:
        place = target.replace("{port}", str(port))
        found[f"leads to {target[:30]!r}"] = Kind(partial(wandering, target=place.replace("{port}", str(port))))
    found |= {
        f"length {each[:12]!r}": raw(OK + f"Content-Length: {each}\r\n\r\n".encode("latin-1") + XML) for each in LENGTHS
    }
    found |= {f"chunk {each[:12]!r}": raw(CHUNKED + each) for each in CHUNKS}
    found |= {f"status {each[:12]!r}": Kind(answered(XML, status=each)) for each in STATUSES}
    found |= {
        f"encoding {each[:12]!r}": Kind(answered(b"\x1f\x8b" + XML, f"Content-Encoding: {each}")) for each in ENCODINGS
    }
    for each in WAITS:
        found[f"waits {each[:12]!r}"] = Kind(answered(b"", f"Retry-After: {each}", status="503 Later"))
    found |= {
        "zeros, packed": Kind(answered(ZEROS, "Content-Encoding: gzip")),
        "endless content": Kind(partial(endless, at_once=OK + b"\r\n<urlset>", again=b" " * 99_999, pause=0)),
        "endless chunks": Kind(partial(endless, at_once=CHUNKED, again=b"fff\r\n" + b" " * 0xFFF + b"\r\n", pause=0)),
        "indexes of indexes": Kind(branching),
        "an older protocol": raw(XML),
        "another protocol": raw(b"SSH-2.0-OpenSSH_9.6\r\n"),
        "no text": raw(bytes(range(256)) * 99),
        "line breaks in headers": raw(OK + b"A: b\r\n c\r\n\td\n\rE\r:f\r\nContent-Type: \x1b]0;a\x07\r\n\r\n" + XML),
        "ten thousand headers": Kind(answered(XML, *(f"A{number}: b" for number in range(10_000)))),
        "wants a password": Kind(answered(b"", "WWW-Authenticate: Basic realm=\x1b[2J", status="401 Who")),
        "TLS: plain text": Kind(answered(XML), hears=b"\x16", is_secure=True),
        "TLS: silence": Kind(silent, hears=b"\x16", is_secure=True),
        "TLS: cut": Kind(partial(cutting, answer=b""), hears=b"\x16", is_secure=True),
        "TLS: cut in the middle": Kind(
            partial(cutting, answer=b"\x16\x03\x03\x00\x7a\x02"), hears=b"\x16", is_secure=True
        ),
        "TLS: an alert": Kind(partial(say, answer=b"\x15\x03\x03\x00\x02\x02\x28"), hears=b"\x16", is_secure=True),
        "TLS: garbage": Kind(
            partial(say, answer=b"\x16\x03\x03\xff\xff" + b"a" * 99_999), hears=b"\x16", is_secure=True
        ),
        "TLS: unknown": Kind(answered(XML), is_secure=True, certify=certified, is_trusted=False),
        "TLS: expired": Kind(answered(XML), is_secure=True, certify=partial(certified, end="20210101000000Z")),
        "TLS: of tomorrow": Kind(answered(XML), is_secure=True, certify=partial(certified, start="20990101000000Z")),
        "TLS: of another": Kind(answered(XML), is_secure=True, certify=partial(certified, name="IP:127.0.0.2")),
        "TLS: of a strange name": Kind(
            answered(XML), is_secure=True, certify=partial(certified, name="DNS:*.a\x1b[2J")
        ),
        "TLS: slow": Kind(SLOW["small chunks"], is_secure=True, certify=certified),
        "TLS: endless": Kind(FAST["headers"], is_secure=True, certify=certified),
        "robots.txt: ten thousand lines": robots("Sitemap: {host}s.xml\n" * 10_000),
        "robots.txt: ten thousand sitemaps": robots("".join(f"Sitemap: {{host}}{n}.xml\n" for n in range(10_000))),
        "robots.txt: wildcards": robots(
            "User-agent: *\n" + "Disallow: /*a*b*c*$\n" * 20_000 + "Sitemap: {host}s.xml\n"
        ),
        "robots.txt: a day between requests": robots("User-agent: *\nCrawl-delay: 86400\nSitemap: {host}s.xml\n"),
        "robots.txt: strange": robots(
            "Sitemap: \x1b[2J\nSitemap: ::error::a\nSitemap: file:///etc/passwd\n\0\nSitemap:{host}\n"
        ),
        "robots.txt: 50 MB": robots("# a\n" * 12_000_000),
    }
    return found


_CA = """
[ca]
default_ca = a
[a]
database = {0}/index.txt
new_certs_dir = {0}
default_md = sha256
rand_serial = yes
policy = p
x509_extensions = e
[p]
[e]
subjectAltName = {1}
"""


def certified(
    place: Path, name: str = "IP:127.0.0.1", start: str = "20200101000000Z", end: str = "21000101000000Z"
) -> Path:
    """Make a certificate of one's own, and return the file with it and its key."""
    settings, key, request, made = (place / each for each in ("ca.cnf", "key.pem", "request.pem", "made.pem"))
    settings.write_text(_CA.format(place, name))
    (place / "index.txt").touch()
    curve = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"]
    first = ["openssl", "req", "-new", *curve, "-subj", "/CN=a", "-keyout", str(key), "-out", str(request)]
    dates = ["-startdate", start, "-enddate", end]
    second = ["openssl", "ca", "-batch", "-notext", "-selfsign", "-config", str(settings), "-keyfile", str(key), *dates]
    for command in (first, [*second, "-in", str(request), "-out", str(made)]):
        subprocess.run(command, check=True, capture_output=True)
    file = place / "both.pem"
    file.write_text(key.read_text() + made.read_text())
    return file


def _only(pages: Speak) -> Speak:
    """Return what answers with a sitemap that is right, and says the rest of its pages."""

    def speak(connection: socket.socket, heard: bytes) -> None:
        if b" /sitemap.xml " not in heard:
            pages(connection, heard)
            return
        scheme = "https" if isinstance(connection, ssl.SSLSocket) else "http"
        host = f"{scheme}://127.0.0.1:{connection.getsockname()[1]}/"
        answered(urlset(*(f"{host}{number}" for number in range(9))).encode())(connection, heard)

    return speak


def _ask(place: Path, environment: Mapping[str, str], *arguments: str) -> Ended:
    command = [sys.executable, "-m", "smindex_plugins", *arguments]
    return run(*command, place=place, environment={"no_proxy": "127.0.0.1", **environment})


def _check(place: Path, environment: Mapping[str, str], url: str, codes: Collection[int], *flags: str) -> str:
    ended = _ask(place, environment, "check", url, *_LIMITS, *flags)
    said = ended.out + ended.err
    wrong = _late(ended) or fault(ended, codes, memory=MOST_MEMORY)
    return wrong or ("" if ended.code == 0 or "127.0.0.1" in said else f"it says {said!r}")


def _join(place: Path, environment: Mapping[str, str], url: str) -> str:
    honest = {"sitemap_index.xml": index(f"{BASE}a/sitemap.xml"), "sitemap.xml": urlset(f"{BASE}a/x")}
    write(place / "public/a", honest)
    ended = _ask(place, environment, "join", "public", "--site-url", BASE, "--add", url, *_LIMITS)
    joined = place / "public/sitemap_index.xml"
    is_listed = joined.exists() and f"<loc>{BASE}a/sitemap.xml</loc>" in joined.read_text("utf-8")
    wrong = _late(ended) or fault(ended, (0, 1), memory=MOST_MEMORY)
    return wrong or ("" if is_listed else "what is here is not joined")


def _late(ended: Ended) -> str:
    return f"it took {ended.seconds:.1f} s" if ended.seconds > DEADLINE + ALLOWANCE else ""


_WAYS = ("a sitemap", "a site", "pages", "join")


def _asked(place: Path, environment: Mapping[str, str], base: str, way: str, *, is_right: bool) -> str:
    if way == "join":
        return _join(place, environment, f"{base}/sitemap.xml")
    if way == "pages":
        return _check(place, environment, f"{base}/sitemap.xml", (0, 1, 2), "--pages")
    return _check(place, environment, base + ("/" if way == "a site" else "/sitemap.xml"), (int(not is_right), 1, 2))


def attack(number: int, place: Path) -> str:
    """Ask one server in one way."""
    with closing(socket.create_server(("127.0.0.1", 0))) as listener:
        listener.settimeout(0)
        known = kinds(listener.getsockname()[1])
        rounds, name = chosen(number, known)
        kind = known[name]
        way = _WAYS[(len(name) + rounds) % len(_WAYS)]
        environment, context = {}, None
        if kind.certify:
            file = kind.certify(place)
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(file)
            environment = {"SSL_CERT_FILE": str(file)} if kind.is_trusted else {}
        speak = _only(kind.speak) if way == "pages" and kind.hears == b"\r\n\r\n" else kind.speak
        with speaking(speak, hears=kind.hears, context=context, has_robots=way == "a site") as host:
            scheme = "https" if kind.is_secure else "http"
            base = f"{scheme}://{host}"
            wrong = _asked(place, environment, base, way, is_right=kind.is_right) or _knocked(listener)
    return f"{name}, {way}: {wrong}" if wrong else ""


def _knocked(listener: socket.socket) -> str:
    try:
        listener.accept()
    except BlockingIOError:
        return ""
    return "another port of this machine is asked"


ATTACKS = (
    Attack(
        "servers", "slow, endless, wrong and malicious servers, with and without TLS", attack, 14, 4 * len(kinds(0))
    ),
)
