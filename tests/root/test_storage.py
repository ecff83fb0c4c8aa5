"""A directory here and one in object storage do the same: what is written is whole, and nothing outside is touched."""

import gzip
import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from fsspec.implementations.memory import MemoryFileSystem

from smindex_plugins.storage import Storage, open_storage

FILES = {"a/b.xml": b"b", "a/c/d.xml": b"d", "a.xml": b"a", ".hidden/e.xml": b"e"}


@pytest.fixture(params=["disk", "memory"])
def storage(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Storage]:
    MemoryFileSystem.store.clear()
    MemoryFileSystem.pseudo_dirs[:] = [""]
    made = open_storage(str(tmp_path / "out") if request.param == "disk" else "memory://bucket/out", may_be_new=True)
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
    assert everything(storage) == {path: content for path, content in FILES.items() if not path.startswith(".")}
    storage.write("a.xml", b"other")
    assert storage.remove("a/b.xml") is None
    assert storage.remove("a/b.xml") is None
    assert everything(storage) == {"a/c/d.xml": b"d", "a.xml": b"other"}
    assert [storage.is_there(path) for path in ("a.xml", "a/b.xml", "a", "x/y", "a.xml/b")] == [True] + [False] * 4


def test_names_are_those_of_files_that_begin_with_a_text(storage: Storage) -> None:
    storage.write("a/bb.xml", b"")
    assert storage.names("a", "b") == ["b.xml", "bb.xml"]
    assert storage.names("a", "c") == storage.names("none", "c") == []


def test_a_file_is_the_same_by_its_bytes_and_a_packed_one_by_what_is_in_it(storage: Storage) -> None:
    packed = [gzip.compress(b"packed" * 99, level, mtime=level) for level in (1, 9)]
    storage.write("p.xml.gz", packed[0])
    same = {"a.xml": b"a", "p.xml.gz": packed[1]}
    others = {"a.xml": b"b", "a/b.xml": b"bb", "none.xml": b"", "a": b"", "p.xml.gz": gzip.compress(b"x")}
    assert all(storage.is_same(path, content) for path, content in same.items())
    assert not any(storage.is_same(path, content) for path, content in others.items())


def test_no_more_is_read_than_is_wanted(storage: Storage) -> None:
    storage.write("long.xml", b"0123456789")
    assert storage.read("long.xml", 4) == b"01234"
    assert isinstance(storage.read("none.xml", 4), FileNotFoundError)


def test_a_dry_one_changes_nothing(storage: Storage) -> None:
    dry = Storage(storage.url, is_dry=True)
    dry.write("a.xml", b"other")
    dry.write("new/f.xml", b"f")
    assert dry.remove("a/b.xml") is None
    assert everything(storage) == {path: content for path, content in FILES.items() if not path.startswith(".")}


def test_nothing_is_written_or_removed_through_a_link(tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "f.xml").write_bytes(b"theirs")
    root = tmp_path / "root"
    root.mkdir()
    (root / "link").symlink_to(outside)
    (root / "f.xml").symlink_to(outside / "f.xml")
    storage = Storage(str(root))
    for path in ("link/f.xml", "link/new.xml", "f.xml"):
        with pytest.raises(OSError, match="link"):
            storage.write(path, b"ours")
        assert "cannot be removed: it is a link" in str(storage.remove(path))
    assert {path.name: path.read_bytes() for path in outside.iterdir()} == {"f.xml": b"theirs"}
    assert storage.folder("").outside == ("link",)


def test_a_link_to_a_directory_of_the_root_is_a_directory_whose_target_is_known(tmp_path: Path) -> None:
    (tmp_path / ".releases" / "2").mkdir(parents=True)
    (tmp_path / "web").symlink_to(".releases/2")
    storage = Storage(str(tmp_path))
    assert storage.folder("").below == ("web",)
    assert [storage.folder(path).target for path in ("", "web", ".releases/2")] == ["", ".releases/2", ".releases/2"]


def test_a_write_that_fails_leaves_the_file_and_nothing_else(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    storage = Storage(str(tmp_path))
    storage.write("a.xml", b"a")
    os.chmod(tmp_path / "a.xml", 0o604)
    with monkeypatch.context() as patched:
        patched.setattr(os, "replace", lambda *_: (_ for _ in ()).throw(OSError("no room")))
        with pytest.raises(OSError, match="no room"):
            storage.write("a.xml", b"b")
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == {"a.xml": b"a"}
    storage.write("a.xml", b"b")
    assert (tmp_path / "a.xml").stat().st_mode & 0o777 == 0o604


def test_temporary_files_of_killed_runs_are_removed(tmp_path: Path) -> None:
    (tmp_path / "a.xml.123.smindex.tmp").write_bytes(b"half")
    (tmp_path / "a.tmp").write_bytes(b"theirs")
    Storage(str(tmp_path)).tidy(["", "none"])
    assert os.listdir(tmp_path) == ["a.tmp"]


def test_a_pipe_is_no_file(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "sitemap.xml")
    assert not Storage(str(tmp_path)).folder("").files
