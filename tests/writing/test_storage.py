"""A directory here and one in object storage do the same: what is written is whole, and nothing
outside is touched.
"""

import gzip
import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from fsspec.implementations.memory import MemoryFileSystem

from smindex_plugins.writing.storage import Storage, open_storage
from tests.support.listed import files_in
from tests.support.planted import write

FILES = {"a/b.xml": b"b", "a/c/d.xml": b"d", "a.xml": b"a", ".hidden/e.xml": b"e"}
VISIBLE = {path: content for path, content in FILES.items() if not path.startswith(".")}


@pytest.fixture(params=["disk", "memory"])
def storage(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Storage]:
    MemoryFileSystem.store.clear()
    MemoryFileSystem.pseudo_dirs[:] = [""]
    made = open_storage(
        str(tmp_path / "out") if request.param == "disk" else "memory://bucket/out", may_be_new=True
    )
    for path, content in FILES.items():
        made.write(path, content)
    yield made
    MemoryFileSystem.store.clear()


def everything(storage: Storage, path: str = "") -> dict[str, bytes | OSError]:
    folder = storage.folder(path)
    found = dict(storage.read_each((f"{path}/{name}".lstrip("/") for name in folder.files), 99))
    for below in folder.below:
        found |= everything(storage, below)
    return found


def test_what_is_written_is_there_and_what_is_removed_is_gone(storage: Storage) -> None:
    assert everything(storage) == VISIBLE
    dry = Storage(storage.url, is_dry=True)
    dry.write("a.xml", b"other")
    assert dry.remove("a/b.xml") is None
    assert everything(storage) == VISIBLE
    storage.write("a.xml", b"other")
    assert [storage.remove("a/b.xml") for _ in range(2)] == [None, None]
    assert everything(storage) == {"a/c/d.xml": b"d", "a.xml": b"other"}
    assert [storage.is_there(path) for path in ("a.xml", "a/b.xml", "a", "x/y", "a.xml/b")] == [
        True
    ] + [False] * 4


def test_names_begin_with_a_text_and_no_more_is_read_than_is_wanted(storage: Storage) -> None:
    storage.write("a/bb.xml", b"0123456789")
    assert storage.names("a", "b") == ["b.xml", "bb.xml"]
    assert storage.names("a", "c") == storage.names("none", "c") == []
    assert storage.read("a/bb.xml", 4) == b"01234"
    assert isinstance(storage.read("none.xml", 4), FileNotFoundError)


def test_a_file_is_the_same_by_its_bytes_and_a_compressed_one_by_what_is_in_it(
    storage: Storage,
) -> None:
    packed = [gzip.compress(b"packed" * 99, level, mtime=level) for level in (1, 9)]
    storage.write("p.xml.gz", packed[0])
    given = {"a.xml": b"a", "p.xml.gz": packed[1], "a/b.xml": b"c", "none.xml": b"", "a": b""}
    assert [path for path, content in given.items() if storage.is_same(path, content)] == [
        "a.xml",
        "p.xml.gz",
    ]


def test_nothing_is_written_or_removed_through_a_link(tmp_path: Path) -> None:
    outside = write(tmp_path / "outside", {"f.xml": "theirs"})
    root = write(tmp_path / "root", {".releases/2/a.xml": ""})
    for name, target in {
        "link": "../outside",
        "f.xml": "../outside/f.xml",
        "web": ".releases/2",
    }.items():
        (root / name).symlink_to(target)
    os.mkfifo(root / "pipe.xml")
    storage = Storage(str(root))
    for path in ("link/f.xml", "link/new.xml", "f.xml"):
        with pytest.raises(OSError, match="link"):
            storage.write(path, b"ours")
        assert "can't be removed: it is a link" in str(storage.remove(path))
    assert files_in(outside) == {"f.xml": b"theirs"}
    folder = storage.folder("")
    assert (sorted(folder.files), *folder.below, *folder.outside) == (
        ["f.xml"],
        "web",
        "link",
    ), "and no pipe"
    assert [storage.folder(path).target for path in ("", "web", ".releases/2")] == [
        "",
        ".releases/2",
        ".releases/2",
    ]


def test_a_write_that_fails_leaves_the_file_and_nothing_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(tmp_path, {"a.xml": b"a", "old.xml.123.smindex.tmp": b"half", "theirs.tmp": b""})
    storage = Storage(str(tmp_path))
    storage.tidy(["", "none"])
    with monkeypatch.context() as patched:
        patched.setattr(os, "replace", lambda *_: (_ for _ in ()).throw(OSError("no room")))
        with pytest.raises(OSError, match="no room"):
            storage.write("a.xml", b"b")
    assert files_in(tmp_path) == {"a.xml": b"a", "theirs.tmp": b""}
