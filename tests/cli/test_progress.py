"""Progress on a terminal is erased before anything else is printed, and nothing else shows it."""

import io
import os
import re
import threading
from collections.abc import Iterator
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path

import pytest

from smindex_plugins.announcing import indexnow as protocol
from smindex_plugins.cli.main import main
from tests.support.command import PAGE, SITE
from tests.support.planted import index, urlset, write
from tests.support.servers import KEY, Server, indexnow

pty = pytest.importorskip("pty", reason="platform: Windows has no pseudo-terminals")

SPINNER = "[\u2800-\u28ff]"
WRONG = "<loc>{}</loc><lastmod>yesterday</lastmod>"
TOKEN = re.compile(
    r"\x1b\[(?P<up>\d+)A|(?P<erase>\x1b\[2K)|(?P<start>\r)|(?P<newline>\n)|(?P<character>[^\x1b])"
    r"|\x1b\[(?:\?25[lh]|[\d;]*m)"
)


class PseudoTerminal:
    """A pseudo-terminal whose output is read as it comes."""

    def __init__(self) -> None:
        self.master, self.slave = pty.openpty()
        self.text = ""
        self.missed: list[str] = []
        self.changed = threading.Condition()
        self.reader = threading.Thread(target=self._read)
        self.reader.start()

    def _read(self) -> None:
        while True:
            try:
                received = os.read(self.master, 65_536)
            except OSError:  # no program has it open any more
                return
            with self.changed:
                self.text += received.decode()
                self.changed.notify_all()

    def close(self) -> None:
        os.close(self.slave)
        self.reader.join(timeout=20)
        os.close(self.master)

    def wait_for(self, pattern: str) -> None:
        """Wait until a pattern is on the last line. `rows` fails if it never was."""
        with self.changed:
            if not self.changed.wait_for(lambda: re.search(pattern, self._rows()[-1]), timeout=10):
                self.missed.append(pattern)

    def rows(self) -> list[str]:
        """Return what a person sees in the end, line by line."""
        os.write(self.slave, b"the end")
        self.wait_for("the end$")
        assert not self.missed, self.text
        *rows, last = self._rows()
        assert last == "the end"
        return rows

    def _rows(self) -> list[str]:
        """Return the lines down to that of the cursor."""
        rows = [""]
        row = column = 0
        for token in TOKEN.finditer(self.text):
            match token.lastgroup:
                case "up":
                    row -= int(token["up"])
                case "erase":
                    rows[row] = ""
                case "start":
                    column = 0
                case "newline":
                    row += 1
                    rows += [""] * (row + 1 - len(rows))
                case "character":
                    before = rows[row][:column]
                    after = rows[row][column + 1 :]
                    rows[row] = before.ljust(column) + token["character"] + after
                    column += 1
        return rows[: row + 1]

    def run(self, *arguments: str, also: str = "both") -> tuple[int, str]:
        """Run the command with this terminal as its output, and return what it prints elsewhere."""
        elsewhere = io.StringIO()
        with open(os.dup(self.slave), "w", encoding="utf-8") as shown:
            out = elsewhere if also == "stderr" else shown
            errors = elsewhere if also == "stdout" else shown
            with redirect_stdout(out), redirect_stderr(errors):
                code = main(arguments)
        return code, elsewhere.getvalue()


@pytest.fixture
def terminal(monkeypatch: pytest.MonkeyPatch) -> Iterator[PseudoTerminal]:
    """Open a terminal of 80 columns."""
    for name in ("NO_COLOR", "FORCE_COLOR"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "80")
    opened = PseudoTerminal()
    yield opened
    opened.close()


@pytest.fixture
def live(server: Server, terminal: PseudoTerminal) -> Server:
    """Serve two sitemaps with findings, each only when the progress is shown."""
    sitemaps = {name: urlset(WRONG.format(server.base + name)) for name in ("a.xml", "b.xml")}
    server.serve("/sitemap_index.xml", index(*(server.base + name for name in sitemaps)))
    for name, content in sitemaps.items():
        server.serve(f"/{name}", content)
    server.before = lambda _: terminal.wait_for(SPINNER)
    return server


@pytest.mark.parametrize("option", ["-v", "--only=invalid-date"])
@pytest.mark.parametrize(
    "environment",
    [{}, {"COLUMNS": "40"}, {"NO_COLOR": "1"}, {"FORCE_COLOR": "1"}],
)
def test_findings_are_printed_above_the_progress(
    live: Server,
    terminal: PseudoTerminal,
    monkeypatch: pytest.MonkeyPatch,
    option: str,
    environment: dict[str, str],
) -> None:
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    assert terminal.run("check", f"{live.base}sitemap_index.xml", option) == (1, "")
    rows = terminal.rows()
    assert re.search(SPINNER, terminal.text)
    assert not re.search(SPINNER, "\n".join(rows))
    assert rows[0].startswith("error: ")
    assert " ".join(" ".join(rows).split()).count("'yesterday' is invalid") == 2
    assert max(len(row) for row in rows if "http" not in row) <= int(os.environ["COLUMNS"])
    assert terminal.text.count("\x1b[?25l") == terminal.text.count("\x1b[?25h") == 1
    assert ("\x1b[1;31m" in terminal.text) == ("NO_COLOR" not in environment)


@pytest.mark.parametrize("width", ["40", "80"])
def test_the_progress_takes_one_line(
    live: Server, terminal: PseudoTerminal, monkeypatch: pytest.MonkeyPatch, width: str
) -> None:
    monkeypatch.setenv("COLUMNS", width)
    name = f"{100 * 'n'}.xml"
    live.serve(f"/{name}", index(live.base + "a.xml"))
    pattern = f"^.{{{width}}}$"
    live.before = lambda path: terminal.wait_for(pattern if path == "/a.xml" else SPINNER)
    assert terminal.run("check", live.base + name) == (1, "")
    assert not re.search(SPINNER, "\n".join(terminal.rows()))


def test_a_terminal_without_commands_shows_no_progress(
    live: Server, terminal: PseudoTerminal, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TERM", "dumb")
    live.before = lambda _: None
    assert terminal.run("check", f"{live.base}sitemap_index.xml") == (1, "")
    assert terminal.rows()[0].startswith("error: ")
    assert not re.search(SPINNER, terminal.text)
    assert "\x1b[1;31m" not in terminal.text


def test_an_announcement_is_printed_above_the_progress(
    live: Server, terminal: PseudoTerminal, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("INDEXNOW_KEY", KEY)
    live.serve(f"/{KEY}.txt", KEY)
    elsewhere = f"http://other.example/{60 * 'a'}"
    live.serve("/b.xml", urlset(elsewhere))
    with indexnow() as engine:
        monkeypatch.setattr(protocol, "ENDPOINT", f"{engine.url}indexnow")
        code, _ = terminal.run("announce", f"{live.base}sitemap_index.xml", "--all")
    assert code == 0
    not_sent, sent = terminal.rows()
    assert not_sent.startswith(f"smindex: not announced: {elsewhere}, outside ")
    assert sent == f"1 URL of {live.base}: 200: accepted"
    assert re.search(SPINNER, terminal.text)


def test_the_progress_is_erased_before_an_error(live: Server, terminal: PseudoTerminal) -> None:
    live.serve("/a.xml", "", status=500)
    assert terminal.run("diff", f"{live.base}sitemap_index.xml", live.base) == (2, "")
    assert terminal.rows()[0].startswith("smindex: ")
    assert re.search(SPINNER, terminal.text)
    assert terminal.text.count("\x1b[?25l") == terminal.text.count("\x1b[?25h") == 1


@pytest.mark.parametrize(
    "command",
    [
        "build site --site-url https://e.org/ --set lastmod=off --dry-run",
        "join site --site-url https://e.org/ --dry-run",
        "pages table.csv --site-url https://e.org/ --out out --dry-run",
        "check site -v",
        "check site --format github",
        "check site --format json",
        "report site",
        "diff site before",
        "check nowhere",
    ],
)
def test_a_command_prints_the_same_on_a_terminal_and_elsewhere(
    terminal: PseudoTerminal, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, command: str
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "1000")
    wrong = {"sitemap_index.xml": index(f"{SITE}s.xml"), "s.xml": urlset(WRONG.format(SITE))}
    before = {**wrong, "s.xml": urlset(SITE, f"{SITE}b")}
    write(tmp_path / "site", {**wrong, "index.html": PAGE})
    write(tmp_path / "before", {**before, "index.html": PAGE})
    Path("table.csv").write_text(f"url\n{SITE}\nnot a url\n", encoding="utf-8")
    code, _ = terminal.run(*command.split())
    shown = _words(" ".join(terminal.rows()))
    assert shown
    for only in ("stdout", "stderr"):
        other = PseudoTerminal()
        again, elsewhere = other.run(*command.split(), also=only)
        both = " ".join([*other.rows(), elsewhere])
        other.close()
        assert again == code
        assert "\x1b" not in elsewhere
        assert _words(both) == shown


def _words(text: str) -> list[str]:
    """Return the words of an output without durations, in any order."""
    return sorted(re.sub(r"\b\d+\.\d+ s\b", "", text).split())
