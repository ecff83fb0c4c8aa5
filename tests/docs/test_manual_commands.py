"""The manual's commands are run, and print what it shows.

`<!-- world: docs -->` names the project in which the commands below it are run, one after the
other. What the last of them printed stands below `<!-- output -->`, or its lines that contain a
text below `<!-- output: TEXT -->`; with `exit 1` at its end, the command found something. A command
that is not run stands below `<!-- not run: REASON -->`, or somewhere below `<!-- not run below:
REASON -->`. UPDATE_MANUAL=1 writes anew what they print. Pages call the site example.org; what is
run has an address that nothing takes for an example.
"""

import os
import re
import subprocess
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.docs.projects import FOURTH, HOST, WORLDS

DOCS = Path(__file__).parents[2] / "sample_sites/mkdocs/docs"
PART = re.compile(
    r"<!-- (?P<word>world|output|not run below|not run)(?:: (?P<of>[^>]*?))?(?: exit"
    r" (?P<exit>\d+))? -->\n"
    r"|^```(?P<language>\S*)[^\n]*\n(?P<code>.*?)^```$",
    re.DOTALL | re.MULTILINE,
)
PAGES = [
    path.relative_to(DOCS).as_posix()
    for path in sorted(DOCS.rglob("*.md"))
    if "```sh" in path.read_text("utf-8")
]

KEPT = ("HOME", "LANG", "PATH", "PYTHONPATH", "TMPDIR")
"""Of the environment, all that commands are given: what a CI service says of itself would change
what they print."""
QUIET = {
    "COLUMNS": "1000",
    "DISABLE_MKDOCS_2_WARNING": "true",
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_CONFIG_NOSYSTEM": "1",
    "LC_ALL": "C.UTF-8",
    "NO_COLOR": "1",
    "NO_MKDOCS_2_WARNING": "1",
    "PYTHONWARNINGS": "ignore",
}


@dataclass
class Reader:
    """Runs the commands of a page from its top to its end, in one project, and gathers the page as
    it should be.
    """

    directory: Path
    root: Path | None = None
    skipped: str = ""
    shows: re.Match[str] | None = None
    """The comment above the block of output that comes next."""
    printed: str = ""
    code: int = 0

    def replace(self, part: re.Match[str]) -> str:
        match part["word"], part["language"]:
            case "world", _:
                self.root = self.directory / str(part.start()) / "project"
                self.root.mkdir(parents=True)
                WORLDS[part["of"]](self.root)
            case ("not run" | "not run below") as word, _:
                assert part["of"], "a command that is not run has a reason"
                self.skipped = word
            case "output", _:
                self.shows = part
            case _, "sh":
                self._run(part["code"])
            case _ if self.shows:
                return f"```{part['language']}\n{self._shown()}```"
        return part[0]

    def _run(self, command: str) -> None:
        self._end()
        if self.skipped:
            # "not run below" goes for all that follow
            self.skipped = self.skipped.removesuffix("not run")
            return
        assert self.root, (
            f"the page says neither where to run this, nor why it is not run:\n{command}"
        )
        self.printed, self.code = run(command, self.root)

    def _shown(self) -> str:
        assert self.shows
        text, code = self.shows["of"] or "", int(self.shows["exit"] or 0)
        self.shows = None
        assert self.code == code, self.printed
        self.code = 0
        return "".join(f"{line}\n" for line in self.printed.splitlines() if text in line)

    def _end(self) -> None:
        assert self.code == 0, self.printed
        self.printed = ""


def run(command: str, root: Path) -> tuple[str, int]:
    """Run what a reader pastes, and give what it prints, without what differs from run to run, and
    its exit code.
    """
    names = {
        f"GIT_{who}_{what}": "a@example.org"
        for who in ("AUTHOR", "COMMITTER")
        for what in ("NAME", "EMAIL")
    }
    environment = {name: os.environ[name] for name in KEPT if name in os.environ} | QUIET | names
    environment |= dict.fromkeys(["GIT_AUTHOR_DATE", "GIT_COMMITTER_DATE"], FOURTH)
    done = subprocess.run(
        ["bash", "-e", "-o", "pipefail", "-c", command.replace("example.org", HOST)],
        cwd=root,
        env=environment,
        check=False,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    assert "Traceback" not in done.stdout, done.stdout
    printed = done.stdout.replace(str(root), "/home/you/project").replace(HOST, "example.org")
    return re.sub(r"\d+\.\d\d?( ?s\b|(?= seconds))", r"0.02\1", printed), done.returncode


@pytest.mark.parametrize("page", PAGES)
def test_the_commands_of_a_page_print_what_it_shows(page: str, tmp_path: Path) -> None:
    text = (DOCS / page).read_text("utf-8")
    reader = Reader(tmp_path)
    written = PART.sub(reader.replace, text)
    reader._end()
    if os.environ.get("UPDATE_MANUAL"):
        (DOCS / page).write_text(written, "utf-8")
    else:
        assert _alike(written) == _alike(text)


def _alike(text: str) -> str:
    """Return a page as all versions of rich and MkDocs print it: columns and lines of the flat
    sitemap differ.
    """
    return re.sub(r"(sitemap\.xml, line )\d+", r"\1…", re.sub(r"  +", "  ", text))
