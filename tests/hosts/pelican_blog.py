"""A blog to build for real with Pelican: its content, its git repository with chosen dates, and
what a run leaves.
"""

import logging
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import unquote

from lxml import etree
from pelican import Pelican
from pelican.log import LimitFilter
from pelican.settings import read_settings

from tests.support.module import run_module

SITEMAP = "{http://www.sitemaps.org/schemas/sitemap/0.9}"
XHTML = "{http://www.w3.org/1999/xhtml}"
SITEURL = "https://example.org/blog"
PLUGIN = "smindex_plugins.hosts.pelican_plugin"
_SCHEMAS = Path(__file__).parents[1] / "schemas"
_NO_FEEDS = dict.fromkeys(
    [
        "FEED_ALL_ATOM",
        "CATEGORY_FEED_ATOM",
        "TRANSLATION_FEED_ATOM",
        "AUTHOR_FEED_ATOM",
        "AUTHOR_FEED_RSS",
    ]
)
ENVIRONMENT = {
    **{key: value for key, value in os.environ.items() if not key.startswith("GIT_")},
    "COLUMNS": "1000",
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_CONFIG_NOSYSTEM": "1",
}


@dataclass(frozen=True)
class Output:
    """The output of a run, read with nothing of ours, and what was logged."""

    directory: Path
    base: str = SITEURL + "/"
    messages: list[tuple[int, str]] = field(default_factory=list)
    log: str = ""
    """What a process of its own has printed."""

    @property
    def index(self) -> dict[str, str | None]:
        """Each sitemap's URL and lastmod, or nothing where there is no index."""
        path = self.directory / "sitemap_index.xml"
        if not path.exists():
            return {}
        return {
            _text(entry, "loc"): _text(entry, "lastmod") or None
            for entry in _valid(path, "siteindex.xsd")
        }

    @property
    def sitemaps(self) -> dict[str, list[str]]:
        """The pages of each sitemap, both by their paths below the site's URL."""
        return {
            self._path(url): [self._path(_text(entry, "loc")) for entry in self._read(url)]
            for url in self.index
        }

    @property
    def pages(self) -> dict[str, str | None]:
        """Each page's path and lastmod, from all sitemaps that the index lists."""
        found: dict[str, str | None] = {}
        for url in self.index:
            for entry in self._read(url):
                path = self._path(_text(entry, "loc"))
                assert path not in found, f"{path} is listed twice"
                found[path] = _text(entry, "lastmod") or None
        return found

    @property
    def alternates(self) -> dict[str, dict[str, str | None]]:
        """The variants of each page that has any: their URLs by hreflang code."""
        found = {}
        for url in self.index:
            for entry in self._read(url):
                links = {
                    str(link.get("hreflang")): link.get("href")
                    for link in entry.iterfind(f"{XHTML}link")
                }
                if links:
                    found[_text(entry, "loc")] = links
        return found

    @property
    def html(self) -> set[str]:
        """Every HTML file, by its path."""
        return {
            path.relative_to(self.directory).as_posix() for path in self.directory.rglob("*.html")
        }

    def logged(self, level: int) -> list[str]:
        """Give what the plugin logged at a level."""
        return [message for found, message in self.messages if found == level]

    def _read(self, url: str) -> etree._Element:
        return _valid(self.directory / unquote(self._path(url)), "sitemap_with_links.xsd")

    def _path(self, url: str) -> str:
        assert url.startswith(self.base), f"{url} is outside {self.base}"
        return url.removeprefix(self.base)


class Blog:
    """A Pelican project in a directory of its own."""

    def __init__(self, root: Path) -> None:
        self.root = root
        (root / "content").mkdir(parents=True, exist_ok=True)

    def write(self, path: str, text: str = "") -> Path:
        file = self.root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
        return file

    def article(self, path: str, **meta: str) -> Path:
        """Write an article, or below ``content/pages`` a page."""
        given = {"title": Path(path).stem, "date": "2020-01-01", **meta}
        head = "".join(
            f"{key.replace('_', '-') if key != 'save_as' else key}: {value}\n"
            for key, value in given.items()
        )
        return self.write(f"content/{path}", f"{head}\nSome text.\n")

    def git(
        self, *arguments: str, date: str = "2024-01-01T00:00:00Z", cwd: Path | None = None
    ) -> str:
        environment = ENVIRONMENT | {
            **dict.fromkeys(["GIT_AUTHOR_NAME", "GIT_COMMITTER_NAME"], "A"),
            **dict.fromkeys(["GIT_AUTHOR_EMAIL", "GIT_COMMITTER_EMAIL"], "a@example.org"),
            **dict.fromkeys(["GIT_AUTHOR_DATE", "GIT_COMMITTER_DATE"], date),
        }
        command = [
            "git",
            "-c",
            "init.defaultBranch=main",
            "-c",
            "protocol.file.allow=always",
            *arguments,
        ]
        place = cwd or self.root
        done = subprocess.run(
            command, cwd=place, env=environment, check=True, capture_output=True, text=True
        )
        return done.stdout

    def commit(self, date: str, cwd: Path | None = None) -> None:
        """Commit everything as it is, at this date."""
        if not ((cwd or self.root) / ".git").exists():
            self.git("init", "-q", cwd=cwd)
        self.git("add", "-A", cwd=cwd)
        self.git("commit", "-q", "-m", "change", date=date, cwd=cwd)

    def settings(self, **given: Any) -> Any:  # noqa: ANN401
        return read_settings(
            override={
                "PATH": str(self.root / "content"),
                "OUTPUT_PATH": str(self.root / "output"),
                "CACHE_CONTENT": False,
                "SITEURL": SITEURL,
                "PLUGINS": [PLUGIN],
                "THEME": "simple",
                "TIMEZONE": "UTC",
                **_NO_FEEDS,
                **given,
            }
        )

    def run(self, **settings: Any) -> Output:  # noqa: ANN401
        """Run Pelican in this process."""
        return self.run_object(Pelican(self.settings(**settings)))

    def run_object(self, pelican: Pelican) -> Output:
        """Run a Pelican object, as autoreload does again and again."""
        LimitFilter._raised_messages.clear()  # a process that lives on would not log the same again
        messages: list[tuple[int, str]] = []
        handler = logging.Handler()
        handler.emit = lambda record: messages.append((record.levelno, record.getMessage()))  # type: ignore[method-assign]
        log = logging.getLogger(PLUGIN)
        log.addHandler(handler)
        log.setLevel(logging.INFO)
        try:
            pelican.run()
        finally:
            log.removeHandler(handler)
        siteurl = pelican.settings["SITEURL"]
        return Output(self.root / "output", siteurl.rstrip("/") + "/", messages)

    def command(
        self, *arguments: str, check: bool = True, **environment: str
    ) -> subprocess.CompletedProcess[str]:
        """Run the command `pelican` as a user does, on the project's pelicanconf.py."""
        env = ENVIRONMENT | environment
        done = run_module("pelican", *arguments, cwd=self.root, env=env)
        assert not check or done.returncode == 0, done.stdout + done.stderr
        return done

    @contextmanager
    def reload(self) -> Iterator[Path]:
        """Let Pelican build, and build again whenever something changes, and give the log that it
        writes.
        """
        log, command = self.root / "pelican.log", [sys.executable, "-m", "pelican", "-r"]
        # not every machine tells of changes
        environment = ENVIRONMENT | {"WATCHFILES_FORCE_POLLING": "true"}
        with (
            log.open("w") as file,
            subprocess.Popen(
                command, cwd=self.root, env=environment, stdout=file, stderr=file
            ) as process,
        ):
            try:
                yield log
            finally:
                process.kill()

    def run_apart(self, *plugins: str, **settings: Any) -> Output:  # noqa: ANN401
        """Run in a process of its own, for what other plugins connect to would outlive a run in
        this one.
        """
        self.configure(PLUGINS=plugins, **settings)
        done = self.command("-v", "--fatal=errors")
        return Output(self.root / "output", log=done.stdout + done.stderr)

    def configure(self, **settings: Any) -> None:  # noqa: ANN401
        """Write pelicanconf.py."""
        given: dict[str, Any] = {
            "SITEURL": SITEURL,
            "PLUGINS": [PLUGIN],
            "THEME": "simple",
            "TIMEZONE": "UTC",
            "PATH": "content",
        }
        given |= _NO_FEEDS
        given |= settings
        self.write(
            "pelicanconf.py", "".join(f"{key} = {value!r}\n" for key, value in given.items())
        )


def _valid(path: Path, schema: str) -> etree._Element:
    document = etree.parse(path)
    _schema(schema).assertValid(document)
    return document.getroot()


@cache
def _schema(name: str) -> etree.XMLSchema:
    return etree.XMLSchema(etree.parse(_SCHEMAS / name))


def _text(entry: etree._Element, name: str) -> str:
    return entry.findtext(SITEMAP + name) or ""
