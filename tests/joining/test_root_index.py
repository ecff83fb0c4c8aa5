"""The root index as it is written: sorted, stable, marked off from the root's own build; on disk
and in storage.
"""

import shutil
import time
from collections.abc import Iterator
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
from fsspec.implementations import memory

from smindex_plugins import check, join
from smindex_plugins.base.settings import Settings
from smindex_plugins.joining.root_index import join_builds
from smindex_plugins.writing.names import JOINED, MARK
from tests.support.command import BASE, DAY, INDEX, every, joined, listed, make
from tests.support.listed import read_entries
from tests.support.planted import HEAD, index, urlset, write
from tests.tables.destinations import begun, directory


def test_the_index_lists_the_sitemaps_of_all_builds_sorted_with_their_dates(tmp_path: Path) -> None:
    make(tmp_path, "b", day="2026-01-02")
    make(tmp_path, "a")
    report = join(str(tmp_path))
    assert (report.index_urls, report.sitemaps, report.changes.written) == (
        [BASE + INDEX],
        4,
        [INDEX],
    )
    dates = [(path, "2026-01-02" if path[0] == "b" else DAY) for path in every("a/", "b/")]
    assert list(listed(tmp_path / INDEX).items()) == dates
    assert not list(check(str(tmp_path), site_url=BASE))
    before = (tmp_path / INDEX).stat()
    assert join(str(tmp_path), site_url=BASE.rstrip("/")).changes.unchanged == [INDEX]
    assert (tmp_path / INDEX).stat() == before
    shutil.rmtree(tmp_path / "a")
    assert joined(tmp_path) == every("b/")


def test_what_the_roots_own_build_lists_comes_first_and_is_marked_off(tmp_path: Path) -> None:
    make(tmp_path, "blog")
    make(tmp_path)
    own = (tmp_path / INDEX).read_bytes()
    assert joined(tmp_path) == [*every(""), *every("blog/")]
    content = (tmp_path / INDEX).read_bytes()
    assert content.partition(JOINED)[0] + b"</sitemapindex>\n" == own
    assert not list(check(str(tmp_path), site_url=BASE))
    for is_built_again in (False, True):
        if is_built_again:
            make(tmp_path)
        joined(tmp_path)
        assert (tmp_path / INDEX).read_bytes() == content
    make(tmp_path, "", "", "about")  # which removes its own old sitemaps alone
    assert not (tmp_path / "guide" / "sitemap.xml").exists()
    assert joined(tmp_path) == ["sitemap-root.xml", *every("blog/")]


def test_an_index_of_somebody_else_is_left_alone(tmp_path: Path) -> None:
    make(tmp_path, "a")
    write(tmp_path, {INDEX: index(f"{BASE}a/sitemap-root.xml")})
    before = (tmp_path / INDEX).read_bytes()
    for is_dry in (False, True):
        (finding,) = join_builds(str(tmp_path), is_dry=is_dry).report.findings
        assert str(finding).endswith("set another --index-filename. [file-not-ours]")
        assert (tmp_path / INDEX).read_bytes() == before


def test_a_root_at_a_private_address_is_a_warning(tmp_path: Path) -> None:
    write(tmp_path, {"a/sitemap.xml": urlset("http://localhost:8000/a/x")})
    found = join(str(tmp_path), site_url="http://localhost:8000/").findings
    assert ("private-address", "warning") in {(each.check, each.level) for each in found}


def test_an_index_over_the_limits_is_divided_and_shrinks_again(tmp_path: Path) -> None:
    """The numbered indexes of an earlier run vanish, and what the root's own build lists survives
    both ways.
    """
    for name in ("", "a", "b"):
        make(tmp_path, name)
    for _ in range(2):
        assert joined(tmp_path, settings=Settings(max_urls=3)) == [*every(""), *every("a/", "b/")]
        assert not (tmp_path / INDEX).exists()
        assert [len(listed(tmp_path / f"sitemap_index-{number}.xml")) for number in (1, 2)] == [
            3,
            3,
        ]
        assert JOINED in (tmp_path / "sitemap_index-2.xml").read_bytes()
    assert joined(tmp_path) == [*every(""), *every("a/", "b/")]
    assert not list(tmp_path.glob("sitemap_index-*"))


def test_a_join_waits_until_a_run_over_a_table_has_ended_that_writes_into_its_root(
    tmp_path: Path,
) -> None:
    make(tmp_path, "a")
    waiting = Thread(target=joined, args=[tmp_path])
    with begun(directory(tmp_path)):
        waiting.start()
        waiting.join(0.5)
        assert not (tmp_path / INDEX).exists()
    waiting.join(20)
    assert list(listed(tmp_path / INDEX)) == every("a/")


class Bucket:
    """Object storage in memory, and what it was asked for."""

    url = "memory://bucket/docs"

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.files: Any = memory.MemoryFileSystem()
        self.asked: list[tuple[str, str]] = []
        for verb in ("cat_file", "pipe_file", "rm_file", "ls"):
            original = getattr(memory.MemoryFileSystem, verb)

            def watched(
                *given: Any,  # noqa: ANN401
                verb: str = verb,
                original: Any = original,  # noqa: ANN401
                **more: Any,  # noqa: ANN401
            ) -> Any:  # noqa: ANN401
                self.asked.append((verb, given[1].rpartition("/docs")[2].lstrip("/")))
                return original(*given, **more)

            monkeypatch.setattr(memory.MemoryFileSystem, verb, watched)

    def build(self, *paths: str) -> None:
        """Put small builds there, of which only the indexes are read whole."""
        for path in paths:
            url = f"{BASE}{path}/"
            root = f"<loc>{url}sitemap-root.xml</loc><lastmod>2026-01-01</lastmod>"
            files = {
                INDEX: (
                    index(f"{url}guide/sitemap.xml", root).replace(HEAD, f"{HEAD}{MARK.decode()}\n")
                ),
                "guide/sitemap.xml": urlset(f"{url}guide/a/"),
                "sitemap-root.xml": urlset(url),
                "sitemap.xml": urlset(url, f"{url}guide/a/"),
                "index.html": "<!doctype html><title>Home</title><p>Home",
            }
            for name, content in files.items():
                place = f"/bucket/docs/{path}/{name}"
                self.files.store[place] = memory.MemoryFile(self.files, place, content.encode())
        self.asked.clear()

    def listed(self) -> list[str]:
        content = bytes(self.files.store[f"/bucket/docs/{INDEX}"].getvalue())
        return [entry.url.removeprefix(BASE) for entry in read_entries(content)]

    def done(self, verb: str) -> list[str]:
        return [path for asked, path in self.asked if asked == verb]


@pytest.fixture
def bucket(monkeypatch: pytest.MonkeyPatch) -> Iterator[Bucket]:
    memory.MemoryFileSystem.store.clear()
    memory.MemoryFileSystem.pseudo_dirs[:] = [""]
    yield Bucket(monkeypatch)
    memory.MemoryFileSystem.store.clear()


class TestObjectStorage:
    def test_hundreds_of_builds_are_joined_from_their_indexes_alone_in_seconds(
        self, bucket: Bucket
    ) -> None:
        paths = [f"project-{number:04}" for number in range(500)]
        bucket.build(*paths)
        started = time.process_time()
        assert join(bucket.url).sitemaps == 1_000
        assert time.process_time() - started < 10
        below = every(*(f"{path}/" for path in paths))
        assert bucket.listed() == below
        assert {*bucket.done("cat_file")} == {INDEX, *below, *(f"{path}/{INDEX}" for path in paths)}
        assert len(bucket.done("ls")) <= len(paths) + 10
        assert bucket.done("pipe_file") == [INDEX]
        bucket.asked.clear()
        assert join(bucket.url).changes.unchanged == [INDEX]
        assert not bucket.done("pipe_file")

    def test_indexes_are_written_in_order_and_old_ones_removed_after_them(
        self, bucket: Bucket
    ) -> None:
        bucket.build("a", "b")
        join_builds(bucket.url, settings=Settings(max_urls=3))
        assert bucket.done("pipe_file") == ["sitemap_index-1.xml", "sitemap_index-2.xml"]
        bucket.asked.clear()
        join(bucket.url)
        changes = [(verb, path) for verb, path in bucket.asked if verb in {"pipe_file", "rm_file"}]
        old = [("rm_file", f"sitemap_index-{number}.xml") for number in (1, 2)]
        assert changes == [("pipe_file", INDEX), *old]

    @pytest.mark.parametrize("failing", ["ls", "cat_file", "info", "pipe_file"])
    def test_a_storage_that_fails_in_its_own_way_is_explained(
        self, bucket: Bucket, monkeypatch: pytest.MonkeyPatch, failing: str
    ) -> None:
        class NoCredentialsError(Exception):
            """As botocore's, it is neither an OSError nor a ValueError."""

        def fail(*_: object, **__: object) -> None:
            message = "Unable to locate credentials"
            raise NoCredentialsError(message)

        bucket.build("a")
        join(bucket.url)
        bucket.build("b")
        monkeypatch.setattr(memory.MemoryFileSystem, failing, fail)
        if failing in {"info", "pipe_file"}:
            (finding,) = join(bucket.url, site_url=BASE).findings
            assert "Unable to locate credentials" in str(finding)
        else:
            with pytest.raises(OSError, match="Unable to locate credentials"):
                join(bucket.url, site_url=BASE)
        assert bucket.listed() == every("a/")


def test_a_file_url_is_a_directory_of_this_machine(tmp_path: Path) -> None:
    make(tmp_path, "a")
    assert join(f"file://{tmp_path}").sitemaps == 2
