"""Builds are joined in object storage as on disk, from their indexes alone, and in seconds."""

import builtins
import os
import time
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from fsspec.implementations import memory

from smindex_plugins.cli.main import main
from smindex_plugins.joining import join_builds
from smindex_plugins.settings import Settings
from smindex_plugins.sitemaps import MARK
from tests.support.planted import HEAD, index, urlset, write

BASE = "https://e.org/docs/"
INDEX = "sitemap_index.xml"
ROOT = "memory://bucket/docs"
BUILDS = 2_000
SECONDS = 20
"""Of a processor; a slow one needs a few, whatever else it does."""


def ours(content: str) -> str:
    return content.replace(HEAD, HEAD + MARK.decode() + "\n")


def build(path: str) -> dict[str, str | bytes]:
    """Give the files of a small build, of which only the index is read whole."""
    url = f"{BASE}{path}/"
    return {
        f"{path}/{INDEX}": ours(
            index(f"{url}guide/sitemap.xml", f"<loc>{url}sitemap-root.xml</loc><lastmod>2026-01-01</lastmod>")
        ),
        f"{path}/guide/sitemap.xml": ours(urlset(f"{url}guide/a/")),
        f"{path}/sitemap-root.xml": ours(urlset(url)),
        f"{path}/sitemap.xml": urlset(url, f"{url}guide/a/"),
        f"{path}/index.html": "<!doctype html><title>Home</title><p>Home",
        f"{path}/guide/a/index.html": "<!doctype html><title>A</title><p>A",
    }


def expected(*paths: str) -> list[str]:
    return [f"{BASE}{path}/{name}" for path in paths for name in ("guide/sitemap.xml", "sitemap-root.xml")]


def opened_by_a_join(*paths: str) -> set[str]:
    """Name the files of builds that may be read."""
    return {f"{path}/{name}" for path in paths for name in (INDEX, "guide/sitemap.xml", "sitemap-root.xml")}


class Bucket:
    """Object storage in memory, and what it was asked for."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.files: Any = memory.MemoryFileSystem()
        self.asked: list[tuple[str, str]] = []
        for verb in ("cat_file", "pipe_file", "rm_file", "ls"):
            self._watch(verb, monkeypatch)

    def _watch(self, verb: str, monkeypatch: pytest.MonkeyPatch) -> None:
        original = getattr(memory.MemoryFileSystem, verb)

        def watched(files: Any, path: str, *arguments: Any, **options: Any) -> Any:  # noqa: ANN401 - as it is called
            self.asked.append((verb, path.rpartition("/docs")[2].lstrip("/")))
            return original(files, path, *arguments, **options)

        monkeypatch.setattr(memory.MemoryFileSystem, verb, watched)

    def put(self, files: dict[str, str | bytes]) -> None:
        for path, content in files.items():
            data = content.encode() if isinstance(content, str) else content
            place = f"/bucket/docs/{path}"
            self.files.store[place] = memory.MemoryFile(self.files, place, data)
        self.asked.clear()

    def get(self, path: str) -> bytes:
        return bytes(self.files.store[f"/bucket/docs/{path}"].getvalue())

    def names(self) -> set[str]:
        return {path.removeprefix("/bucket/docs/") for path in self.files.store}

    def done(self, verb: str) -> list[str]:
        return [path for asked, path in self.asked if asked == verb]


@pytest.fixture
def bucket(monkeypatch: pytest.MonkeyPatch) -> Iterator[Bucket]:
    memory.MemoryFileSystem.store.clear()
    memory.MemoryFileSystem.pseudo_dirs[:] = [""]
    yield Bucket(monkeypatch)
    memory.MemoryFileSystem.store.clear()


def urls_in(content: bytes) -> list[str]:
    return [part.partition("</loc>")[0] for part in content.decode().split("<loc>")[1:]]


def test_thousands_of_builds_on_disk_are_joined_in_seconds(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    paths = [f"team-{number % 20:02}/project-{number:04}" for number in range(BUILDS)]
    for path in paths:
        write(tmp_path, build(path))
    opened: list[str] = []

    def watched(module: ModuleType) -> None:
        really_open = module.open

        def opening(file: Any, *arguments: Any, **options: Any) -> Any:  # noqa: ANN401 - as it is called
            opened.append(os.path.relpath(file, tmp_path) if isinstance(file, str) else "")
            return really_open(file, *arguments, **options)

        monkeypatch.setattr(module, "open", opening)

    watched(builtins)
    watched(os)
    started = time.process_time()
    assert main(["join", str(tmp_path)]) == 0
    assert time.process_time() - started < SECONDS
    monkeypatch.undo()
    assert {path for path in opened if "project" in path} == opened_by_a_join(*paths)
    assert urls_in((tmp_path / INDEX).read_bytes()) == expected(*sorted(paths))
    assert "4,000 sitemaps of 2,000 builds" in capsys.readouterr().out
    assert main(["check", str(tmp_path), "--fail-on", "notice"]) == 0


def test_thousands_of_builds_in_object_storage_are_joined_in_seconds_and_nothing_else_is_read(
    bucket: Bucket, capsys: pytest.CaptureFixture[str]
) -> None:
    paths = [f"project-{number:04}" for number in range(BUILDS)]
    bucket.put({name: content for path in paths for name, content in build(path).items()})
    started = time.process_time()
    assert main(["join", ROOT]) == 0
    assert time.process_time() - started < SECONDS
    assert urls_in(bucket.get(INDEX)) == expected(*paths)
    assert set(bucket.done("cat_file")) == {INDEX, *opened_by_a_join(*paths)}
    assert len(bucket.done("ls")) <= BUILDS + 10
    assert bucket.done("pipe_file") == [INDEX]
    assert "4,000 sitemaps of 2,000 builds" in capsys.readouterr().out


def test_a_second_run_writes_nothing_and_a_build_that_is_gone_leaves(bucket: Bucket) -> None:
    bucket.put({**build("a"), **build("b")})
    assert main(["join", ROOT]) == 0
    bucket.asked.clear()
    assert main(["join", ROOT]) == 0
    assert not bucket.done("pipe_file")
    for path in build("a"):
        bucket.files.rm_file(f"/bucket/docs/{path}")
    assert main(["join", ROOT]) == 0
    assert urls_in(bucket.get(INDEX)) == expected("b")


def test_indexes_are_written_in_order_and_old_ones_removed_after_them(bucket: Bucket) -> None:
    bucket.put({**build("a"), **build("b")})
    assert not join_builds(ROOT, settings=Settings(max_urls=3)).report.findings
    assert bucket.done("pipe_file") == ["sitemap_index-1.xml", "sitemap_index-2.xml"]
    bucket.asked.clear()
    assert main(["join", ROOT]) == 0
    changes = [(verb, path) for verb, path in bucket.asked if verb in {"pipe_file", "rm_file"}]
    assert changes == [("pipe_file", INDEX), ("rm_file", "sitemap_index-1.xml"), ("rm_file", "sitemap_index-2.xml")]


def test_a_sitemap_that_is_not_in_the_storage_is_a_finding(bucket: Bucket, capsys: pytest.CaptureFixture[str]) -> None:
    files = {**build("a"), **build("b")}
    del files["a/guide/sitemap.xml"], files["b/sitemap-root.xml"]
    bucket.put(files)
    assert main(["join", ROOT]) == 1
    assert urls_in(bucket.get(INDEX)) == [f"{BASE}a/sitemap-root.xml", f"{BASE}b/guide/sitemap.xml"]
    assert "missing-sitemap (2 findings" in capsys.readouterr().out


def test_a_file_of_somebody_else_is_left_alone(bucket: Bucket, capsys: pytest.CaptureFixture[str]) -> None:
    bucket.put({**build("a"), INDEX: index(f"{BASE}a/sitemap-root.xml")})
    before = bucket.get(INDEX)
    for arguments in ([], ["--dry-run"]):
        assert main(["join", ROOT, *arguments]) == 1
        assert "[file-not-ours]" in capsys.readouterr().out
    assert bucket.get(INDEX) == before


def test_a_dry_run_writes_nothing(bucket: Bucket, capsys: pytest.CaptureFixture[str]) -> None:
    bucket.put(build("a"))
    names = bucket.names()
    assert main(["join", ROOT, "--dry-run"]) == 0
    assert bucket.names() == names
    assert f"+ {BASE}a/guide/sitemap.xml\n" in capsys.readouterr().out


@pytest.mark.parametrize("failing", ["ls", "cat_file", "info", "pipe_file"])
def test_a_storage_that_fails_in_its_own_way_is_told_of(
    bucket: Bucket, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], failing: str
) -> None:
    class NoCredentialsError(Exception):
        """As botocore's, it is neither an OSError nor a ValueError."""

    def fail(*_: object, **__: object) -> None:
        message = "Unable to locate credentials"
        raise NoCredentialsError(message)

    bucket.put(build("a"))
    assert main(["join", ROOT]) == 0
    before = bucket.get(INDEX)
    bucket.put(build("b"))
    monkeypatch.setattr(memory.MemoryFileSystem, failing, fail)
    assert main(["join", ROOT, "--site-url", BASE]) == (1 if failing in {"info", "pipe_file"} else 2)
    assert "Unable to locate credentials" in "".join(capsys.readouterr())
    assert bucket.get(INDEX) == before


def test_a_root_that_is_not_there_is_exit_code_2(bucket: Bucket, capsys: pytest.CaptureFixture[str]) -> None:
    bucket.put(build("a"))
    assert main(["join", "memory://bucket/nowhere"]) == 2
    assert "memory://bucket/nowhere/: there is no such directory" in capsys.readouterr().err


@pytest.mark.parametrize(("root", "said"), [("adl://b/d", "install"), ("nosuch://b/d", "nosuch")])
def test_a_kind_of_storage_that_is_not_installed_or_not_known_is_exit_code_2(
    capsys: pytest.CaptureFixture[str], root: str, said: str
) -> None:
    assert main(["join", root]) == 2
    assert said in capsys.readouterr().err.lower()


def test_a_file_url_is_a_directory_of_this_machine(tmp_path: Path) -> None:
    write(tmp_path, build("a"))
    assert main(["join", f"file://{tmp_path}"]) == 0
    assert urls_in((tmp_path / INDEX).read_bytes()) == expected("a")
