"""Only regular files are opened, and directories are walked as servers show them."""

import gzip
import os
import re
import socket
from collections.abc import Callable
from pathlib import Path

import pytest

from smindex_plugins.base import files
from tests.support.planted import write


def bind(path: Path) -> None:
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(os.path.relpath(path))  # the whole path may be longer than an address can be


KINDS: dict[str, Callable[[Path], None]] = {
    "pipe": os.mkfifo,
    "socket": bind,
    "directory": Path.mkdir,
    "link to a device": lambda path: path.symlink_to("/dev/zero"),
    "link to itself": lambda path: path.symlink_to(path.name),
}


@pytest.mark.parametrize("kind", KINDS)
def test_what_is_not_a_regular_file_is_refused_at_once(tmp_path: Path, kind: str) -> None:
    KINDS[kind](tmp_path / "file")
    for opened in (files.open_regular, files.read, files.read_text):
        with pytest.raises(OSError, match=r"not a regular file|directory|symbolic links"):
            opened(str(tmp_path / "file"))


@pytest.mark.parametrize(
    ("place", "path"),
    [
        *(
            (place, "/a b/c")
            for place in ("/a b/c", "file:/a b/c", "FILE:///a b/c", "file://localhost/a b/c")
        ),
        *(
            (place, place)
            for place in ("a", "./~", "s3://bucket/a", "C:\\a", "a b:c", "2024-01-01T00:00")
        ),
    ],
)
def test_a_place_is_a_path_or_storage(place: str, path: str) -> None:
    assert files.local_path(place) == path


@pytest.mark.parametrize(
    ("place", "problem"),
    [
        ("~/a", "no shell expanded the ~"),
        ("~user", "no shell expanded the ~"),
        ("file:a", "it is not a file URL of this machine"),
        ("file://host/a", "it is not a file URL of this machine"),
        ("s3:bucket", "write s3:// for object storage, or ./s3:bucket for a path"),
    ],
)
def test_a_place_that_nobody_means_is_refused(place: str, problem: str) -> None:
    with pytest.raises(ValueError, match=f"{re.escape(place)}: {re.escape(problem)}"):
        files.local_path(place)


def test_no_more_is_read_than_the_limit(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"0123456789")
    assert [len(files.read(str(tmp_path / "file"), most)) for most in (9, 10, 11)] == [9, 10, 10]
    (tmp_path / "file").write_bytes(b"")
    assert files.read(str(tmp_path / "file"), 9) == b""


def test_a_directory_is_walked_as_servers_show_it(tmp_path: Path) -> None:
    write(tmp_path, dict.fromkeys(("b/c/1", "b/2", "b/.3", ".d/4", "a/5", "6", ".7"), "x"))
    for name, target in {
        "a/link": "../6",
        "a/nowhere": "none",
        "a/directory": "../b",
        "a/loop": ".",
    }.items():
        (tmp_path / name).symlink_to(target)
    os.mkfifo(tmp_path / "b/pipe")
    errors: list[OSError] = []
    found = list(files.visible(str(tmp_path), errors.append))
    assert found == [("", ["6"]), ("a/", ["5", "link"]), ("b/", ["2"]), ("b/c/", ["1"])]
    assert list(files.visible(str(tmp_path / "none"), errors.append)) == []
    assert [error.filename for error in errors] == [str(tmp_path / "none")]


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("", True),
        ("a", True),
        ("link", False),
        ("link/b", False),
        ("../site2", False),
    ],
)
def test_a_path_is_inside_only_with_its_links_followed(
    tmp_path: Path, path: str, *, expected: bool
) -> None:
    (tmp_path / "site").mkdir()
    (tmp_path / "site/link").symlink_to(tmp_path)
    assert files.is_inside(str(tmp_path / "site" / path), str(tmp_path / "site")) is expected


def test_compressed_files_are_compared_by_what_is_in_them() -> None:
    one, same = (gzip.compress(b"a" * 99, level, mtime=level) for level in (1, 9))
    assert files.is_same(one, same)
    for different in (gzip.compress(b"b"), one[:-4], b"a" * 99, one[:2]):
        assert not files.is_same(one, different)
        assert not files.is_same(different, one)


def test_of_a_compressed_file_the_beginning_is_decompressed_as_far_as_it_goes() -> None:
    packed = gzip.compress(b"a" * 9_000)
    assert files.unpacked(packed, 5) == files.unpacked(packed[:-9], 5) == b"a" * 5
    assert files.unpacked(b"plain", 9) == b"plain"
    assert files.unpacked(b"\x1f\x8bnot gzip", 9) == b""
