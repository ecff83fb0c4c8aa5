"""The output directory: only our own files are replaced or removed, links lead nowhere, and one run
writes at a time.

That a failing or killed run leaves every index true is law 5, and that equal content is left
untouched is law 4.
"""

import contextlib
import errno
import fcntl
import gzip
import os
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from smindex_plugins.base.model import Changes, IndexEntry, Page
from smindex_plugins.base.settings import Settings
from smindex_plugins.writing import output
from smindex_plugins.writing.names import MARK
from smindex_plugins.writing.output import Staging
from smindex_plugins.writing.rendering import OutputError, render_indexes, render_url, urlset
from tests.support.listed import BASE, INDEX, files_in, pages_of
from tests.support.listed import publish as publish_site
from tests.support.planted import write

EMPTY = b"".join(urlset([]))


def sitemap(*names: str) -> list[bytes]:
    return urlset([render_url(Page(url=BASE + name)) for name in names])


def index(*names: str, joined: tuple[str, ...] = (), base: str = BASE) -> list[bytes]:
    own, others = ([IndexEntry(url=base + name) for name in part] for part in (names, joined))
    (content,) = render_indexes(own, Settings(), others)
    return content


def publish(
    directory: Path, files: dict[str, list[bytes]], *, base: str = BASE, index_filename: str = INDEX
) -> Changes:
    with output.only_writer(str(directory)):
        stale = output.stale_files(str(directory), base)
        with Staging(str(directory)) as staging:
            for path, content in files.items():
                staging.add(path, content)
            if files:
                staging.add(index_filename, index(*files, base=base))
            return staging.commit(stale)


def put(directory: Path, path: str, content: bytes, *, stale: tuple[str, ...] = ()) -> Changes:
    with Staging(str(directory)) as staging:
        staging.add(path, [content])
        return staging.commit(stale)


class TestStaging:
    def test_without_a_commit_nothing_changes_and_nothing_stays_behind(
        self, tmp_path: Path
    ) -> None:
        def broken() -> Iterator[bytes]:
            yield b"<urlset>"
            raise RuntimeError

        publish(tmp_path, {"a/sitemap.xml": sitemap("a")})
        before = files_in(tmp_path)
        with contextlib.suppress(RuntimeError), Staging(str(tmp_path)) as staging:
            staging.add("b/c/sitemap.xml", sitemap("a"))
            staging.add("a/sitemap.xml", broken())
        assert files_in(tmp_path) == before
        assert not (tmp_path / "b").exists()

    def test_a_changed_file_is_not_written_in_place_and_keeps_its_mode(
        self, tmp_path: Path
    ) -> None:
        put(tmp_path, "a.xml", EMPTY)
        (tmp_path / "a.xml").chmod(0o604)
        os.link(tmp_path / "a.xml", tmp_path / "other-name.xml")
        put(tmp_path, "a.xml", EMPTY + b" ")
        assert files_in(tmp_path) == {"a.xml": EMPTY + b" ", "other-name.xml": EMPTY}
        assert (tmp_path / "a.xml").stat().st_mode & 0o7777 == 0o604

    def test_gzip_has_no_name_and_no_time_and_that_of_another_zlib_is_left_as_it_is(
        self, tmp_path: Path
    ) -> None:
        put(tmp_path, "a.xml.gz", EMPTY)
        content = (tmp_path / "a.xml.gz").read_bytes()
        assert (content[:2], content[3:8], gzip.decompress(content)) == (
            b"\x1f\x8b",
            bytes(5),
            EMPTY,
        )
        write(tmp_path, {"a.xml.gz": gzip.compress(EMPTY, compresslevel=1, mtime=5)})
        assert put(tmp_path, "a.xml.gz", EMPTY).unchanged == ["a.xml.gz"]
        assert put(tmp_path, "a.xml.gz", EMPTY + b" ").written == ["a.xml.gz"]


class TestFilesOfOthers:
    def test_all_that_is_in_the_way_is_reported_at_once_with_a_fix_and_nothing_is_written(
        self, tmp_path: Path
    ) -> None:
        outside = write(tmp_path / "outside", {})
        outside.mkdir()
        site = write(tmp_path / "site", {"theirs.xml": "<urlset/>", "file": "a page"})
        (site / "linked").symlink_to(outside)
        before = files_in(site)
        with Staging(str(site)) as staging:
            for path in (
                "new/sitemap.xml",
                "a%2Fb/sitemap.xml",
                "linked/s.xml",
                "theirs.xml",
                "file/sitemap.xml",
            ):
                staging.add(path, [EMPTY])
            with pytest.raises(OutputError) as raised:
                staging.commit()
        at_root = "set sitemap_placement: root, which puts all sitemaps next to the index."
        *found, last = ((each.where, each.problem, each.fix) for each in raised.value.findings)
        assert found == [
            (
                "a%2Fb/sitemap.xml",
                "no file can have this name.",
                f"Rename the directory, or {at_root}",
            ),
            (
                "linked/s.xml",
                (
                    f"its directory is a link to {os.path.realpath(outside)}, outside the output"
                    " directory."
                ),
                f"Replace the link with the directory itself, or {at_root}",
            ),
            (
                "theirs.xml",
                "another tool wrote this file. It is unchanged, and no sitemap was written.",
                "Rename or remove it, or, if it is the index, set another index_filename.",
            ),
        ]
        assert last[:2] == ("file/sitemap.xml", "it can't be written: File exists.")
        assert (files_in(site), [*outside.iterdir()]) == (before, [])

    @pytest.mark.parametrize("kind", ["directory", "link", "dangling link", "pipe"])
    def test_what_is_no_plain_file_is_not_ours(self, tmp_path: Path, kind: str) -> None:
        write(tmp_path, {"ours.xml": EMPTY, "a/page.html": ""})
        target = tmp_path / "a" / "sitemap.xml"
        if kind == "directory":
            target.mkdir()
        elif kind == "pipe":
            os.mkfifo(target)
        else:
            target.symlink_to(tmp_path / ("ours.xml" if kind == "link" else "nowhere"))
        with pytest.raises(OutputError, match="file-not-ours"):
            publish(tmp_path, {"a/sitemap.xml": sitemap("a")})
        assert not (tmp_path / INDEX).exists()

    @pytest.mark.parametrize("path", ["../sitemap.xml", "%2E%2E/sitemap.xml", "/etc/sitemap.xml"])
    def test_a_path_that_leaves_the_directory_is_refused(self, tmp_path: Path, path: str) -> None:
        with pytest.raises(OutputError, match="no file can have this name"):
            put(tmp_path, path, EMPTY)

    def test_links_inside_the_output_directory_and_to_it_are_followed(self, tmp_path: Path) -> None:
        (tmp_path / "real/b").mkdir(parents=True)
        (tmp_path / "real/a").symlink_to("b")
        (tmp_path / "site").symlink_to("real")
        publish(tmp_path / "site", {"a/sitemap.xml": sitemap("a")})
        assert (tmp_path / "real/b/sitemap.xml").is_file()
        assert publish(tmp_path / "site", {"c/sitemap.xml": sitemap("c")}).removed == [
            "a/sitemap.xml"
        ]

    def test_a_temporary_name_follows_no_link_out_of_the_directory(self, tmp_path: Path) -> None:
        site = write(tmp_path / "site", {})
        site.mkdir()
        (tmp_path / "mine").write_text("mine")
        for name in (".smindex.tmp", "a.xml.smindex.tmp", ".smindex.tmp.smindex.tmp"):
            (site / name).symlink_to(tmp_path / "mine")
        publish(site, {"a.xml": sitemap("a"), "b.xml": sitemap("b")})
        assert (tmp_path / "mine").read_text() == "mine"
        assert [*files_in(site)] == ["a.xml", "b.xml", INDEX]

    @pytest.mark.parametrize(
        ("content", "is_ours"),
        [
            (b" " * (200 - len(MARK)) + MARK, True),
            (b" " * (201 - len(MARK)) + MARK, False),
            (gzip.compress(b" " * (200 - len(MARK)) + MARK + b" " * 500), True),
            *(
                (content, False)
                for content in (b"", gzip.compress(b"<urlset/>"), gzip.compress(EMPTY)[:14])
            ),
        ],
    )
    def test_a_file_is_ours_by_the_mark_in_its_first_200_bytes(
        self,
        tmp_path: Path,
        content: bytes,
        is_ours: bool,  # noqa: FBT001 - a table's column
    ) -> None:
        write(tmp_path, {"a": content})
        assert output.is_ours(str(tmp_path / "a")) is is_ours


class TestStaleFiles:
    @pytest.mark.parametrize(
        ("base", "index_filename"),
        [(BASE, INDEX), ("https://new.example/deeper/still/", "index-of-sitemaps.xml")],
    )
    def test_the_sitemaps_of_an_earlier_index_are_removed(
        self, tmp_path: Path, base: str, index_filename: str
    ) -> None:
        """Also if the address or the name of the index has changed since."""
        publish(
            tmp_path,
            {name: sitemap("a") for name in ("old/s.xml", "%C3%BC/s.xml.gz", "kept/s.xml")},
        )
        changes = publish(
            tmp_path, {"kept/s.xml": sitemap("a")}, base=base, index_filename=index_filename
        )
        assert [*files_in(tmp_path)] == sorted(["kept/s.xml", index_filename])
        assert {*changes.removed} - {INDEX} == {"old/s.xml", "ü/s.xml.gz"}

    def test_only_what_an_index_of_ours_lists_of_its_own_build_is_stale(
        self, tmp_path: Path
    ) -> None:
        for name in ("a.xml", "b.xml", "c.xml"):
            put(tmp_path, name, EMPTY)
        whole = b"".join(index("a.xml", joined=("b.xml",)))
        write(tmp_path, {INDEX: whole})
        assert output.stale_files(str(tmp_path), BASE) == [INDEX, "a.xml"]
        write(tmp_path, {"a.xml": "<urlset/>"})  # which somebody else has written since
        assert output.stale_files(str(tmp_path), BASE) == [INDEX]
        for not_usable in (whole[:-40], whole.replace(MARK, b"")):
            write(tmp_path, {INDEX: not_usable})
            assert output.stale_files(str(tmp_path), BASE) == []

    @pytest.mark.parametrize(
        "listed", ["//{}", "/{}", "a/../../{}", "%2E%2E/{}", "link/sitemap.xml"]
    )
    def test_no_index_makes_a_file_outside_the_directory_stale(
        self, tmp_path: Path, listed: str
    ) -> None:
        outside = write(tmp_path / "outside", {"sitemap.xml": EMPTY})
        path = listed.format(str(outside / "sitemap.xml").lstrip("/"))
        site = write(tmp_path / "site", {INDEX: b"".join(index(path))})
        (site / "link").symlink_to(outside)
        for base in (BASE, "https://new.example/"):
            assert output.stale_files(str(site), base) == [INDEX]

    def test_a_stale_file_that_is_written_anew_stays_and_a_missing_one_keeps_no_other(
        self, tmp_path: Path
    ) -> None:
        for name in ("a.xml", "b.xml", "c.xml"):
            put(tmp_path, name, EMPTY)
        changes = put(
            tmp_path, "b.xml", EMPTY + b" ", stale=("a.xml", "b.xml", "none.xml", "c.xml")
        )
        assert (changes.written, changes.removed, changes.problems) == (
            ["b.xml"],
            ["a.xml", "c.xml"],
            [],
        )
        assert files_in(tmp_path) == {"b.xml": EMPTY + b" "}

    @pytest.mark.parametrize("stuck", ["i.xml", "b/sitemap.xml"])
    def test_what_cannot_be_removed_is_reported_and_goes_with_the_next_run(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, stuck: str
    ) -> None:
        """An index that stays keeps its sitemaps."""
        publish(tmp_path, {"b/sitemap.xml": sitemap("b")}, index_filename="i.xml")
        really = os.remove

        def remove(path: str) -> None:
            if path == str(tmp_path / stuck):
                raise PermissionError(errno.EPERM, "Operation not permitted")
            really(path)

        with monkeypatch.context() as patch:
            patch.setattr(os, "remove", remove)
            (finding,) = publish_site(tmp_path, pages_of(["c/1", "c/2"])).findings
        assert (
            str(finding)
            == f"{stuck}: an earlier run left it, and it can't be removed: Operation not"
            " permitted. "
            "Fix the problem, and build again. [cannot-write]"
        )
        assert (tmp_path / "b/sitemap.xml").exists()
        assert stuck in publish_site(tmp_path, pages_of(["c/1", "c/2"])).changes.removed
        assert [*files_in(tmp_path)] == ["c/sitemap.xml", INDEX]

    def test_no_file_of_the_user_is_removed_whatever_the_note_of_a_killed_run_says(
        self, tmp_path: Path
    ) -> None:
        write(tmp_path, {"outside/ours.xml": EMPTY, "site/mine.txt": "mine"})
        site = tmp_path / "site"
        (site / "linked").symlink_to(tmp_path / "outside")
        outside = str(tmp_path / "outside" / "ours.xml")
        noted = ["mine.txt", "linked/ours.xml", "../outside/ours.xml", outside, "", ".", "x"]
        write(site, {".smindex.tmp": "\0".join(noted)})
        assert publish(site, {"a/sitemap.xml": sitemap("a")}).removed == []
        assert [*files_in(site)] == ["a/sitemap.xml", "mine.txt", INDEX]
        assert (tmp_path / "outside" / "ours.xml").exists()

    def test_a_directory_that_cannot_be_read_is_an_error_and_a_missing_one_is_empty(
        self, tmp_path: Path
    ) -> None:
        write(tmp_path, {"file": ""})
        with pytest.raises(OutputError, match=r"file: .*cannot-write"):
            output.stale_files(str(tmp_path / "file"), BASE)
        assert output.stale_files(str(tmp_path / "none"), BASE) == []


class TestLock:
    """That a process which is killed holds no lock is part of law 5."""

    def test_a_run_waits_for_another_one(self, tmp_path: Path) -> None:
        with contextlib.ExitStack() as stack:
            stack.enter_context(output.only_writer(str(tmp_path)))
            timer = threading.Timer(0.3, stack.close)
            timer.start()
            assert not publish_site(tmp_path, pages_of("a")).findings
            timer.join()

    def test_a_run_that_waits_in_vain_says_so_and_writes_nothing(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(output, "LOCK_SECONDS", 0)  # nobody waits for a minute
        with output.only_writer(str(tmp_path)):
            (finding,) = publish_site(tmp_path, pages_of("a")).findings
        assert (finding.check, finding.where) == ("directory-in-use", str(tmp_path))
        assert not files_in(tmp_path)

    def test_a_directory_that_cannot_be_made_is_a_finding(self, tmp_path: Path) -> None:
        write(tmp_path, {"file": ""})
        assert [
            each.check for each in publish_site(tmp_path / "file/site", pages_of("a")).findings
        ] == ["cannot-write"]

    @pytest.mark.parametrize("number", [errno.ENOLCK, errno.ENOTSUP])
    def test_a_file_system_without_locks_stops_no_run(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: int
    ) -> None:
        """No file system of this machine is without locks, so what the system says is made up."""

        def refuse(*_: int) -> None:
            raise OSError(number, os.strerror(number))

        before = os.listdir("/proc/self/fd")
        monkeypatch.setattr(fcntl, "flock", refuse)
        assert not publish_site(tmp_path, pages_of("a")).findings
        assert os.listdir("/proc/self/fd") == before

    def test_on_windows_nothing_is_locked(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        with (
            output.lock(str(tmp_path), 0),
            pytest.raises(BlockingIOError),
            output.lock(str(tmp_path), 0),
        ):
            pass
        monkeypatch.setattr(sys, "platform", "win32")
        with output.lock(str(tmp_path), 0), output.lock(str(tmp_path), 0):
            pass
