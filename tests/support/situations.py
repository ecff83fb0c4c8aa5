"""Situations in which something is found, for the manual: each is made in a new directory, and really run."""

import contextlib
import io
import re
import shlex
import tempfile
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from smindex_plugins.checks import Selection
from smindex_plugins.checks import Site as WholeSite
from smindex_plugins.cli.main import main
from smindex_plugins.model import Finding, Page
from smindex_plugins.settings import Settings, Site
from smindex_plugins.sitemaps import Document, OutputError
from tests.support.command import SITE
from tests.support.dated import publish_as_given
from tests.support.gitrepo import Repo
from tests.support.planted import write

Messages = Callable[[Path], Iterable[str]]
"""Creates a situation in a directory that does not exist yet, and returns the messages about it, line by line."""
Files = Mapping[str, str | bytes]
NOW = datetime(2026, 5, 10, 12, tzinfo=UTC)
"""When pages are published."""
BUILD = f"build site --site-url {SITE} --sources docs/{{path}}.md"


@dataclass(frozen=True, slots=True)
class Situation:
    """What there is, in a sentence; who reports it; and how it comes about."""

    words: str
    who: str
    messages: Messages


def run(arguments: str, files: Files, prepare: Callable[[Path], object] = lambda _: None) -> Messages:
    """Return what runs the command among some files."""

    def create(root: Path) -> list[str]:
        root.mkdir(exist_ok=True)
        write(root, files)
        prepare(root)
        with contextlib.chdir(root), contextlib.redirect_stdout(io.StringIO()) as out:
            main(shlex.split(arguments))
        return out.getvalue().splitlines()

    return create


def in_repository(prepare: Callable[[Repo], object], arguments: str = BUILD) -> Messages:
    """Return what runs the command in a repository that is made before."""

    def create(root: Path) -> Iterable[str]:
        prepare(Repo.create(root))
        return run(arguments, {})(root)

    return create


def published(*pages: tuple[str, dict[str, Any]], files: Files | None = None, **options: object) -> Messages:
    """Return what publishes pages: the path of each, and what else is known of it, of which a file is in the site."""

    def create(root: Path) -> list[str]:
        site = root / "site"
        site.mkdir(parents=True)
        write(site, files or {})
        target = Site(url=SITE, directory=str(site), settings=Settings.load(options), beside=str(root))
        listed = [
            Page(url=SITE + path, **{**known, **({"file": str(site / known["file"])} if "file" in known else {})})
            for path, known in pages
        ]
        return written(publish_as_given(listed, target, now=NOW).findings)

    return create


def judged(*made: Document | WholeSite) -> Messages:
    """Return what judges what a reader makes of files, where the files themselves would be large."""
    every = Selection()
    return lambda _: written(finding for each in made for finding in every.judge(each))


def refused(action: Callable[[Path], object]) -> Messages:
    """Return what tries something that is refused."""

    def create(root: Path) -> list[str]:
        root.mkdir(exist_ok=True)
        try:
            action(root)
        except OutputError as error:
            return written(error.findings)
        return []

    return create


def written(findings: Iterable[Finding]) -> list[str]:
    """Return findings as the command writes them."""
    return [str(finding) for finding in findings]


def message_about(name: str, situation: Situation) -> str:
    """Return the first message of a kind about a situation, with long URLs shortened."""
    with tempfile.TemporaryDirectory() as directory:
        root = Path(directory).resolve() / "project"
        lines = [line.strip() for line in situation.messages(root)]
        message = next(line for line in lines if line.endswith(f" [{name}]"))
    return re.sub(r"(\w)\1{50,}…?", r"\1\1\1…", message.replace(f"{root}/", "").replace(str(root), "project"))
