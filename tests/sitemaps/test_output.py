import builtins
import contextlib
import errno
import gzip
import itertools
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from smindex_plugins.files import TEMPORARY
from smindex_plugins.model import IndexEntry, Page
from smindex_plugins.sitemaps import output, rendering
from smindex_plugins.sitemaps.output import Changes, Staging
from smindex_plugins.sitemaps.rendering import OutputError
from tests.support.listed import read_entries, sitemaps

BASE = "https://e.org/docs/"
INDEX = "sitemap_index.xml"


def sitemap(*names: str) -> list[bytes]:
    return list(rendering.urlset([rendering.render_url(Page(url=BASE + name)) for name in names]))


def index(paths: list[str], base: str = BASE) -> list[bytes]:
    return list(rendering.sitemapindex(rendering.render_entry(IndexEntry(url=base + path)) for path in paths))


def publish(
    directory: Path, files: dict[str, list[bytes]], *, base: str = BASE, index_filename: str = INDEX
) -> Changes:
    with output.only_writer(str(directory)):
        stale = output.stale_files(str(directory), base)
        with Staging(str(directory)) as staging:
            for path, content in files.items():
                staging.add(path, content)
            if files:
                staging.add(index_filename, index(list(files), base))
            return staging.commit(stale)


def files_in(directory: Path) -> dict[str, bytes]:
    return {
        str(path.relative_to(directory)): path.read_bytes() for path in sorted(directory.rglob("*")) if path.is_file()
    }


def test_files_appear_under_their_url_paths(tmp_path: Path) -> None:
    changes = publish(tmp_path, {"sitemap-root.xml": sitemap("a"), "gr%C3%B6%C3%9Fe/b/sitemap.xml": sitemap("b")})
    assert sorted(files_in(tmp_path)) == ["größe/b/sitemap.xml", "sitemap-root.xml", INDEX]
    assert changes.written == ["sitemap-root.xml", "größe/b/sitemap.xml", INDEX]


def test_without_a_commit_nothing_is_left(tmp_path: Path) -> None:
    with Staging(str(tmp_path)) as staging:
        staging.add("a/b/sitemap.xml", sitemap("a"))
        assert list(tmp_path.rglob("*.smindex.tmp"))
    assert not list(tmp_path.iterdir())


def test_content_that_fails_on_the_way_leaves_the_earlier_file(tmp_path: Path) -> None:
    def broken() -> Iterator[bytes]:
        yield b"<urlset>"
        raise RuntimeError

    publish(tmp_path, {"a/sitemap.xml": sitemap("a")})
    before = files_in(tmp_path)
    with contextlib.suppress(RuntimeError), Staging(str(tmp_path)) as staging:
        staging.add("a/sitemap.xml", broken())
    assert files_in(tmp_path) == before


@pytest.mark.parametrize("suffix", [".xml", ".xml.gz"])
def test_an_unchanged_file_keeps_its_time_and_its_inode(tmp_path: Path, suffix: str) -> None:
    files = {f"a/sitemap{suffix}": sitemap("a"), f"sitemap-root{suffix}": sitemap("b")}
    publish(tmp_path, files)
    for path in tmp_path.rglob("*.xml*"):
        os.utime(path, (1_000_000_000, 1_000_000_000))
    before = {path: path.stat() for path in tmp_path.rglob("*.xml*")}
    changes = publish(tmp_path, files | {f"a/sitemap{suffix}": sitemap("a", "changed")})
    assert changes.written == [f"a/sitemap{suffix}"]
    assert changes.unchanged == [f"sitemap-root{suffix}", INDEX]
    for path in (tmp_path / f"sitemap-root{suffix}", tmp_path / INDEX):
        assert (path.stat().st_ino, path.stat().st_mtime_ns) == (before[path].st_ino, before[path].st_mtime_ns)


def test_a_changed_file_is_replaced_whole_and_never_written_in_place(tmp_path: Path) -> None:
    publish(tmp_path, {"sitemap.xml": sitemap("a")})
    with (tmp_path / "sitemap.xml").open("rb") as reader:
        publish(tmp_path, {"sitemap.xml": sitemap("b")})
        assert reader.read() == b"".join(sitemap("a"))
    assert (tmp_path / "sitemap.xml").read_bytes() == b"".join(sitemap("b"))


def test_every_file_that_is_not_ours_is_named_and_nothing_is_written(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "sitemap.xml").write_text("<urlset/>")
    (tmp_path / "sitemap-root.xml").write_text("")
    before = files_in(tmp_path)
    with pytest.raises(OutputError) as error:
        publish(tmp_path, {name: sitemap("a") for name in ("a/sitemap.xml", "b/sitemap.xml", "sitemap-root.xml")})
    assert [finding.where for finding in error.value.findings] == ["a/sitemap.xml", "sitemap-root.xml"]
    assert {finding.check for finding in error.value.findings} == {"file-not-ours"}
    assert "a/sitemap.xml: this tool did not write the file of this name" in str(error.value)
    assert files_in(tmp_path) == before
    assert not (tmp_path / "b").exists()


def in_the_way(tmp_path: Path, kind: str) -> None:
    target = tmp_path / "a" / "sitemap.xml"
    target.parent.mkdir()
    if kind == "directory":
        target.mkdir()
    elif kind == "link":
        (tmp_path / "ours.xml").write_bytes(b"".join(sitemap("x")))
        target.symlink_to(tmp_path / "ours.xml")
    elif kind == "dangling link":
        target.symlink_to(tmp_path / "nowhere")
    else:
        os.mkfifo(target)


@pytest.mark.parametrize("kind", ["directory", "link", "dangling link", "pipe"])
def test_what_is_no_plain_file_is_not_ours(tmp_path: Path, kind: str) -> None:
    in_the_way(tmp_path, kind)
    with pytest.raises(OutputError, match="file-not-ours"):
        publish(tmp_path, {"a/sitemap.xml": sitemap("a")})
    assert not (tmp_path / INDEX).exists()


def test_a_file_in_the_place_of_a_directory_is_left_as_it_is(tmp_path: Path) -> None:
    (tmp_path / "a").write_text("a page")
    with pytest.raises(OutputError, match="cannot-write"):
        publish(tmp_path, {"a/b/sitemap.xml": sitemap("a")})
    assert files_in(tmp_path) == {"a": b"a page"}


@pytest.mark.parametrize("path", ["a%2Fb/sitemap.xml", "../sitemap.xml", "%2E%2E/sitemap.xml", "/etc/sitemap.xml"])
def test_a_path_that_leaves_the_directory_is_refused(tmp_path: Path, path: str) -> None:
    with pytest.raises(OutputError, match="no file can have this name"):
        publish(tmp_path, {path: sitemap("a")})


def test_a_section_directory_that_links_outside_is_refused(tmp_path: Path) -> None:
    (tmp_path / "outside").mkdir()
    site = tmp_path / "site"
    site.mkdir()
    (site / "a").symlink_to(tmp_path / "outside")
    with pytest.raises(OutputError, match="outside the output directory"):
        publish(site, {"a/sitemap.xml": sitemap("a")})
    assert not list((tmp_path / "outside").iterdir())


def test_a_section_directory_that_links_inside_is_written_through(tmp_path: Path) -> None:
    (tmp_path / "b").mkdir()
    (tmp_path / "a").symlink_to("b")
    publish(tmp_path, {"a/sitemap.xml": sitemap("a")})
    assert (tmp_path / "b" / "sitemap.xml").exists()


def test_an_output_directory_that_is_a_link_itself_is_written(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "site").symlink_to("real")
    publish(tmp_path / "site", {"a/sitemap.xml": sitemap("a")})
    assert publish(tmp_path / "site", {"b/sitemap.xml": sitemap("b")}).removed == ["a/sitemap.xml"]


@pytest.mark.parametrize(
    ("base", "index_filename"),
    [
        (BASE, INDEX),
        (BASE, "index-of-sitemaps.xml"),
        ("https://new.example/", INDEX),
        ("https://new.example/deeper/still/", "index-of-sitemaps.xml"),
        ("http://localhost:8000/", INDEX),
    ],
)
def test_the_sitemaps_of_an_earlier_index_are_removed(tmp_path: Path, base: str, index_filename: str) -> None:
    publish(tmp_path, {name: sitemap("a") for name in ("old/sitemap.xml", "%C3%BC/sitemap.xml.gz", "kept/sitemap.xml")})
    changes = publish(tmp_path, {"kept/sitemap.xml": sitemap("a")}, base=base, index_filename=index_filename)
    assert sorted(files_in(tmp_path)) == sorted(["kept/sitemap.xml", index_filename])
    assert set(changes.removed) >= {"old/sitemap.xml", "ü/sitemap.xml.gz"}


def test_without_pages_the_earlier_index_goes_and_its_sitemaps_after_it(tmp_path: Path) -> None:
    publish(tmp_path, {"a/sitemap.xml": sitemap("a"), "b/sitemap.xml": sitemap("b")})
    assert publish(tmp_path, {}).removed == [INDEX, "a/sitemap.xml", "b/sitemap.xml"]
    assert not files_in(tmp_path)


def test_a_stale_sitemap_that_somebody_else_has_written_since_is_left(tmp_path: Path) -> None:
    publish(tmp_path, {"a/sitemap.xml": sitemap("a")})
    (tmp_path / "a" / "sitemap.xml").write_text("<urlset/>")
    assert publish(tmp_path, {"b/sitemap.xml": sitemap("b")}).removed == []
    assert (tmp_path / "a" / "sitemap.xml").read_text() == "<urlset/>"


def test_an_index_that_is_not_ours_removes_nothing(tmp_path: Path) -> None:
    publish(tmp_path, {"a/sitemap.xml": sitemap("a")})
    own = b"".join(index(["a/sitemap.xml"])).replace(rendering.MARK, b"")
    (tmp_path / INDEX).write_bytes(own)
    assert output.stale_files(str(tmp_path), BASE) == []


@pytest.mark.parametrize("listed", ["//{}", "/{}", "a/../../{}", "%2E%2E/{}", "link/sitemap.xml"])
def test_no_index_makes_a_file_outside_the_directory_stale(tmp_path: Path, listed: str) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "sitemap.xml").write_bytes(b"".join(sitemap("a")))
    site = tmp_path / "site"
    site.mkdir()
    (site / "link").symlink_to(outside)
    (site / INDEX).write_bytes(b"".join(index([listed.format(str(outside / "sitemap.xml").lstrip("/"))])))
    for base in (BASE, "https://new.example/"):
        assert output.stale_files(str(site), base) == [INDEX]


def test_what_a_killed_run_left_goes_where_the_next_one_writes(tmp_path: Path) -> None:
    publish(tmp_path, {"a/sitemap.xml": sitemap("a"), "b/sitemap.xml": sitemap("b")})
    for path in ("a/sitemap.xml", "b/sitemap.xml", INDEX, "c/sitemap.xml"):
        (tmp_path / "c").mkdir(exist_ok=True)
        (tmp_path / f"{path}{TEMPORARY}").write_bytes(b"half a sit")
    publish(tmp_path, {"a/sitemap.xml": sitemap("a"), "c/sitemap.xml": sitemap("c")})
    assert sorted(files_in(tmp_path)) == ["a/sitemap.xml", f"b/sitemap.xml{TEMPORARY}", "c/sitemap.xml", INDEX]


def test_no_file_of_the_user_is_removed_whatever_the_note_of_a_killed_run_says(tmp_path: Path) -> None:
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside" / "ours.xml").write_bytes(b"".join(sitemap("a")))
    site = tmp_path / "site"
    site.mkdir()
    (site / "linked").symlink_to(tmp_path / "outside")
    (site / "mine.txt").write_text("mine")
    noted = ["mine.txt", "linked/ours.xml", "../outside/ours.xml", str(tmp_path / "outside" / "ours.xml"), "", ".", "x"]
    (site / ".smindex.tmp").write_text("\0".join(noted))
    assert publish(site, {"a/sitemap.xml": sitemap("a")}).removed == []
    assert sorted(files_in(site)) == ["a/sitemap.xml", "mine.txt", INDEX]
    assert (tmp_path / "outside" / "ours.xml").exists()


def test_what_another_site_below_is_just_writing_is_left_to_it(tmp_path: Path) -> None:
    publish(tmp_path / "de", {"sitemap.xml": sitemap("a")})
    with Staging(str(tmp_path / "de")) as staging:
        staging.add("sitemap.xml", sitemap("b"))
        publish(tmp_path, {"sitemap.xml": sitemap("a")})
        assert staging.commit().written == ["sitemap.xml"]


@pytest.mark.parametrize("mode", [0o640, 0o600, 0o664, 0o444])
def test_a_file_that_is_replaced_keeps_its_mode(tmp_path: Path, mode: int) -> None:
    publish(tmp_path, {"sitemap.xml": sitemap("a")})
    (tmp_path / "robots.txt").write_text("a")
    for name in ("sitemap.xml", "robots.txt"):
        (tmp_path / name).chmod(mode)
    with Staging(str(tmp_path)) as staging:
        staging.add("sitemap.xml", sitemap("b"))
        staging.amend("robots.txt", b"b")
        staging.commit()
    assert (tmp_path / "robots.txt").read_text() == "b"
    assert [(tmp_path / name).stat().st_mode & 0o7777 for name in ("sitemap.xml", "robots.txt")] == [mode, mode]


def test_another_name_of_a_file_that_is_replaced_keeps_its_content(tmp_path: Path) -> None:
    (tmp_path / "source.txt").write_text("a")
    os.link(tmp_path / "source.txt", tmp_path / "robots.txt")
    with Staging(str(tmp_path)) as staging:
        staging.amend("robots.txt", b"b")
        staging.commit()
    assert files_in(tmp_path) == {"source.txt": b"a", "robots.txt": b"b"}


class Fault:
    """Makes the operating system fail at the n-th call that changes the disk."""

    def __init__(self, at: int) -> None:
        self.at = at
        self.calls = 0
        self.replaced = 0

    def around(self, function: Callable[..., Any]) -> Callable[..., Any]:
        def guarded(*arguments: Any, **options: Any) -> Any:  # noqa: ANN401 - whatever the function takes
            self.calls += 1
            if self.calls == self.at:
                raise OSError(errno.ENOSPC, "No space left on device")
            self.replaced += function.__name__ == "replace"
            return function(*arguments, **options)

        return guarded


@contextlib.contextmanager
def failing(at: int) -> Iterator[Fault]:
    fault = Fault(at)
    with pytest.MonkeyPatch.context() as patch:
        for name in ("replace", "remove", "mkdir"):
            patch.setattr(os, name, fault.around(getattr(os, name)))
        patch.setattr(builtins, "open", fault.around(builtins.open))
        yield fault


def assert_consistent(directory: Path) -> None:
    """Every index of ours lists only files that are there and can be read, and nothing half written lies about."""
    for path in directory.glob("*.xml"):
        if path.read_bytes().count(b"<sitemapindex"):
            listed = len(read_entries(path.read_bytes()))
            assert len(sitemaps(directory, BASE, [path.name])) == listed


STEPS = {
    "first build": ({}, {"a/sitemap.xml": sitemap("a"), "b/sitemap.xml": sitemap("b")}, INDEX),
    "changed page": ({"a/sitemap.xml": sitemap("a")}, {"a/sitemap.xml": sitemap("b")}, INDEX),
    "section gone": (
        {"a/sitemap.xml": sitemap("a"), "b/sitemap.xml": sitemap("b")},
        {"b/sitemap.xml": sitemap("b")},
        INDEX,
    ),
    "to gzip": ({"a/sitemap.xml": sitemap("a")}, {"a/sitemap.xml.gz": sitemap("a")}, INDEX),
    "no pages": ({"a/sitemap.xml": sitemap("a"), "b/sitemap.xml": sitemap("b")}, {}, INDEX),
    "index renamed": (
        {"a/sitemap.xml": sitemap("a"), "b/sitemap.xml": sitemap("b")},
        {"c/sitemap.xml": sitemap("c")},
        "i.xml",
    ),
}


@pytest.mark.parametrize("step", STEPS)
def test_a_failure_at_any_step_leaves_every_index_true_and_the_next_run_mends_it(
    tmp_path_factory: pytest.TempPathFactory, step: str
) -> None:
    before, after, index_filename = STEPS[step]
    for at in range(1, 100):
        directory = tmp_path_factory.mktemp("site")
        publish(directory, before)
        kept = files_in(directory)
        with failing(at) as fault:
            try:
                publish(directory, after, index_filename=index_filename)
            except OutputError:
                assert fault.replaced or files_in(directory) == kept
        assert_consistent(directory)
        assert (directory / INDEX).exists() or not before or index_filename != INDEX or not after
        if fault.calls < at:
            break
        publish(directory, after, index_filename=index_filename)
        assert set(files_in(directory)) >= set(after)
    else:
        pytest.fail("the run never ended")
    assert set(files_in(directory)) == ({*after, index_filename} if after else set())


@pytest.mark.parametrize("step", STEPS)
def test_a_failure_before_the_first_replacement_leaves_every_file_as_it_was(
    tmp_path_factory: pytest.TempPathFactory, step: str
) -> None:
    before, after, index_filename = STEPS[step]
    directory = tmp_path_factory.mktemp("site")
    publish(directory, before)
    kept = files_in(directory)
    with Staging(str(directory)) as staging, failing(1):
        for path, content in after.items():
            staging.add(path, content)
        staging.add(index_filename, index(list(after)))
        with pytest.raises(OutputError):
            staging.commit()
    assert files_in(directory) == kept


@pytest.mark.parametrize("stuck", ["i-2.xml", "b/sitemap.xml"])
def test_what_was_to_go_and_cannot_is_told_and_goes_with_the_next_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, stuck: str
) -> None:
    publish(tmp_path, {"a/sitemap.xml": sitemap("a")}, index_filename="i-1.xml")
    publish(tmp_path / "other", {"b/sitemap.xml": sitemap("b")}, index_filename="i-2.xml")
    for name in ("b", "i-2.xml"):
        (tmp_path / "other" / name).rename(tmp_path / name)
    really = os.remove

    def remove(path: str) -> None:
        if path == str(tmp_path / stuck):
            raise PermissionError(errno.EPERM, "Operation not permitted")
        really(path)

    with monkeypatch.context() as patch:
        patch.setattr(os, "remove", remove)
        (problem,) = publish(tmp_path, {"c/sitemap.xml": sitemap("a")}).problems
    assert str(problem) == (
        f"{stuck}: an earlier run left it, and it cannot be removed: Operation not permitted. "
        "Correct that, and build again. [cannot-write]"
    )
    assert_consistent(tmp_path)
    assert stuck in publish(tmp_path, {"c/sitemap.xml": sitemap("a")}).removed
    assert sorted(files_in(tmp_path)) == ["c/sitemap.xml", INDEX]


class Cut(BaseException):
    """Ends a run where it is, as a signal does."""


def cut_short(patch: pytest.MonkeyPatch, at: int, cut: type[BaseException]) -> None:
    """End a run right after a call that moves or removes a file."""
    calls = itertools.count(1)

    def around(function: Callable[..., Any]) -> Callable[..., Any]:
        def cutting(*arguments: str) -> None:
            function(*arguments)
            if next(calls) == at:
                raise cut

        return cutting

    for name in ("replace", "remove"):
        patch.setattr(os, name, around(getattr(os, name)))


@pytest.mark.parametrize("step", STEPS)
def test_what_a_killed_run_put_in_place_or_was_to_remove_is_gone_after_the_next_one(
    tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch, step: str
) -> None:
    before, after, index_filename = STEPS[step]
    for at in range(1, 20):
        directory = tmp_path_factory.mktemp("site")
        publish(directory, before)
        for again in range(2):
            with monkeypatch.context() as patch:
                patch.setattr(Staging, "__exit__", lambda *_: None)
                cut_short(patch, at + again, Cut)
                with contextlib.suppress(Cut):
                    publish(directory, after, index_filename=index_filename)
            assert_consistent(directory)
        other = {"other/sitemap.xml": sitemap("a")}
        publish(directory, other, index_filename=index_filename)
        assert set(files_in(directory)) == {*other, index_filename}


def test_a_full_disk_is_a_finding_that_says_so(tmp_path: Path) -> None:
    with failing(2), pytest.raises(OutputError, match=r"sitemap\.xml: .*No space left on device.*\[cannot-write\]"):
        publish(tmp_path, {"sitemap.xml": sitemap("a")})


def test_gzip_bytes_have_neither_name_nor_time(tmp_path: Path) -> None:
    (tmp_path / "other").mkdir()
    publish(tmp_path, {"a/sitemap.xml.gz": sitemap("a")})
    publish(tmp_path / "other", {"b/c.xml.gz": sitemap("a")})
    content = (tmp_path / "a" / "sitemap.xml.gz").read_bytes()
    assert content == (tmp_path / "other" / "b" / "c.xml.gz").read_bytes()
    assert content[:2] == b"\x1f\x8b"
    assert content[3:8] == b"\0\0\0\0\0"
    assert gzip.decompress(content) == b"".join(sitemap("a"))


def test_gzip_of_another_zlib_with_the_same_content_is_left_as_it_is(tmp_path: Path) -> None:
    publish(tmp_path, {"sitemap.xml.gz": sitemap("a")})
    (tmp_path / "sitemap.xml.gz").write_bytes(gzip.compress(b"".join(sitemap("a")), compresslevel=1, mtime=5))
    assert publish(tmp_path, {"sitemap.xml.gz": sitemap("a")}).unchanged == ["sitemap.xml.gz", INDEX]
