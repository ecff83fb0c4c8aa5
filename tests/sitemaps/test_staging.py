"""What becomes of files at the edges: names that others write, previews, long files, marks, names of killed runs."""

import errno
import gzip
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from smindex_plugins.model import IndexEntry
from smindex_plugins.settings import Settings
from smindex_plugins.sitemaps import output
from smindex_plugins.sitemaps.output import Changes, Staging
from smindex_plugins.sitemaps.rendering import MARK, OutputError, render_indexes, urlset

SITEMAP = urlset([])
BYTES = b"".join(SITEMAP)
INDEX = "sitemap_index.xml"


def publish(directory: Path, path: str, content: bytes, *, preview: str = "", stale: tuple[str, ...] = ()) -> Changes:
    with Staging(str(directory), preview=preview) as staging:
        staging.add(path, [content])
        return staging.commit(stale)


def files_in(directory: Path) -> dict[str, bytes]:
    return {
        str(path.relative_to(directory)): path.read_bytes() for path in sorted(directory.rglob("*")) if path.is_file()
    }


def test_a_preview_makes_the_files_elsewhere_and_says_what_would_become_of_those_that_are_there(tmp_path: Path) -> None:
    site, preview = tmp_path / "site", tmp_path / "preview"
    site.mkdir()
    publish(site, "a.xml", BYTES)
    publish(site, "b.xml", BYTES)
    publish(site, "old.xml", BYTES)
    before = files_in(site)
    with Staging(str(site), preview=str(preview)) as staging:
        staging.add("a.xml", SITEMAP)
        staging.add("b.xml", [BYTES, b"\n"])
        staging.add("c/d.xml.gz", SITEMAP)
        changes = staging.commit(["old.xml", "b.xml"])
    assert (changes.unchanged, changes.written, changes.removed) == (["a.xml"], ["b.xml", "c/d.xml.gz"], ["old.xml"])
    assert files_in(site) == before
    made = files_in(preview)
    assert gzip.decompress(made.pop("c/d.xml.gz")) == BYTES
    assert made == {"a.xml": BYTES, "b.xml": BYTES + b"\n"}


@pytest.mark.parametrize(
    "change",
    [
        lambda content: content[:-1] + b" ",
        lambda content: content + b" ",
        lambda content: content[:-1],
        lambda content: content[:65_536] + b" " + content[65_537:],
        lambda content: content[:65_535] + b" " + content[65_536:],
    ],
)
@pytest.mark.parametrize("name", ["a.xml", "a.xml.gz"])
def test_a_long_file_is_replaced_where_one_byte_differs_and_left_where_none_does(
    tmp_path: Path, name: str, change: Callable[[bytes], bytes]
) -> None:
    content = (BYTES + b"\n" * 200_000)[:150_000]
    publish(tmp_path, name, content)
    assert publish(tmp_path, name, content).unchanged == [name]
    assert publish(tmp_path, name, change(content)).written == [name]
    assert publish(tmp_path, name, change(content)).unchanged == [name]


def test_a_packed_file_that_is_not_ours_is_compared_unpacked_and_written_packed(tmp_path: Path) -> None:
    for content, became in ((BYTES, []), (BYTES + b" ", ["sitemap.xml.gz"])):
        (tmp_path / "sitemap.xml.gz").write_bytes(gzip.compress(BYTES, compresslevel=1, mtime=5))
        with Staging(str(tmp_path)) as staging:
            staging.amend("sitemap.xml.gz", content)
            assert staging.commit().written == became
        assert gzip.decompress((tmp_path / "sitemap.xml.gz").read_bytes()) == content


@pytest.mark.parametrize("packed", [False, True])
@pytest.mark.parametrize(("before", "is_ours"), [(0, True), (200 - len(MARK), True), (201 - len(MARK), False)])
def test_a_file_is_ours_by_the_mark_in_its_first_200_bytes(
    tmp_path: Path,
    before: int,
    packed: bool,  # noqa: FBT001 - a parameter of a test
    is_ours: bool,  # noqa: FBT001 - a table's column
) -> None:
    content = b" " * before + MARK + b" " * 500
    path = tmp_path / ("a.xml.gz" if packed else "a.xml")
    path.write_bytes(gzip.compress(content) if packed else content)
    assert output.is_ours(str(path)) is is_ours


@pytest.mark.parametrize("content", [b"", b"no gzip", gzip.compress(BYTES)[:14]])
def test_a_packed_file_that_is_damaged_is_not_ours(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "a.xml.gz").write_bytes(content)
    assert not output.is_ours(str(tmp_path / "a.xml.gz"))


def test_a_stale_file_that_is_written_anew_stays(tmp_path: Path) -> None:
    for name in ("a.xml", "b.xml"):
        publish(tmp_path, name, BYTES)
    changes = publish(tmp_path, "b.xml", BYTES + b" ", stale=("a.xml", "b.xml"))
    assert (changes.written, changes.removed) == (["b.xml"], ["a.xml"])
    assert files_in(tmp_path) == {"b.xml": BYTES + b" "}
    assert publish(tmp_path, "b.xml", BYTES + b" ", stale=("b.xml",)).removed == []


def test_a_stale_file_that_somebody_else_has_removed_keeps_no_other(tmp_path: Path) -> None:
    for name in ("a.xml", "c.xml"):
        publish(tmp_path, name, BYTES)
    changes = publish(tmp_path, "new.xml", BYTES, stale=("a.xml", "none.xml", "c.xml"))
    assert (changes.removed, changes.problems) == (["a.xml", "c.xml"], [])
    assert sorted(files_in(tmp_path)) == ["new.xml"]


def test_all_that_stands_in_the_way_is_told_at_once_with_how_to_mend_it(tmp_path: Path) -> None:
    site = tmp_path / "site"
    site.mkdir()
    (tmp_path / "outside").mkdir()
    (site / "linked").symlink_to(tmp_path / "outside")
    (site / "theirs.xml").write_text("<urlset/>")
    (site / "file").write_text("")
    with Staging(str(site)) as staging:
        for path in ("a%2Fb/sitemap.xml", "linked/sitemap.xml", "theirs.xml", "file/sitemap.xml"):
            staging.add(path, SITEMAP)
        with pytest.raises(OutputError) as raised:
            staging.commit()
    at_root = "set sitemap_placement: root, which puts all sitemaps beside the index."
    assert [(finding.where, finding.problem, finding.fix) for finding in raised.value.findings[:3]] == [
        ("a%2Fb/sitemap.xml", "no file can have this name.", f"Give the directory another name, or {at_root}"),
        (
            "linked/sitemap.xml",
            f"its directory is a link to {os.path.realpath(tmp_path / 'outside')}, outside the output directory.",
            f"Put the directory itself there, or {at_root}",
        ),
        (
            "theirs.xml",
            "this tool did not write the file of this name. It is unchanged, and no sitemap was written.",
            "Rename or remove it, or set another index_filename if it is to be the index.",
        ),
    ]
    last = raised.value.findings[3]
    assert (last.where, last.check) == ("file/sitemap.xml", "cannot-write")
    assert last.problem == "it cannot be written: File exists."


def refusing(monkeypatch: pytest.MonkeyPatch, error: BaseException, *targets: str) -> None:
    """Let nothing be moved to some names, from the first call on."""
    replace = os.replace

    def guarded(source: str, target: str) -> None:
        if os.path.basename(target) in targets:
            raise error
        replace(source, target)

    monkeypatch.setattr(os, "replace", guarded)


def test_a_file_that_cannot_be_replaced_is_told_of_and_the_index_is_as_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("a.xml", "b.xml", INDEX):
        publish(tmp_path, name, BYTES)
    refusing(monkeypatch, PermissionError(errno.EPERM, "it is fixed"), "b.xml")
    with Staging(str(tmp_path)) as staging:
        for name in ("a.xml", "b.xml", INDEX):
            staging.add(name, [BYTES, b" "])
        with pytest.raises(OutputError) as raised:
            staging.commit()
    assert [(found.where, found.problem) for found in raised.value.findings] == [
        ("b.xml", "it cannot be written: it is fixed.")
    ]
    found = files_in(tmp_path)
    assert set(found.pop(".smindex.tmp").decode().split("\0")) == {"a.xml", "b.xml", INDEX}
    assert found == {"a.xml": BYTES + b" ", "b.xml": BYTES, INDEX: BYTES}


def test_what_is_not_in_place_follows_no_link_out_of_the_directory(tmp_path: Path) -> None:
    site, outside = tmp_path / "site", tmp_path / "outside"
    site.mkdir()
    outside.write_text("mine")
    for name in (".smindex.tmp", "a.xml.smindex.tmp", ".smindex.tmp.smindex.tmp"):
        (site / name).symlink_to(outside)
    with Staging(str(site)) as staging:
        for name in ("a.xml", "b.xml"):
            staging.add(name, SITEMAP)
        staging.commit()
    assert outside.read_text() == "mine"
    assert files_in(site) == {"a.xml": BYTES, "b.xml": BYTES}


def index_of(*names: str, joined: tuple[str, ...] = ()) -> bytes:
    own, others = ([IndexEntry(url=f"https://e.org/{name}") for name in part] for part in (names, joined))
    (content,) = render_indexes(own, Settings(), others)
    return b"".join(content)


def test_only_what_an_index_of_ours_lists_of_its_own_build_is_stale(tmp_path: Path) -> None:
    for name in ("a.xml", "b.xml", "c.xml"):
        publish(tmp_path, name, BYTES)
    (tmp_path / INDEX).write_bytes(index_of("a.xml", joined=("b.xml",)))
    assert output.stale_files(str(tmp_path), "https://e.org/") == [INDEX, "a.xml"]
    (tmp_path / INDEX).write_bytes(index_of("a.xml", "b.xml")[:-40])
    assert output.stale_files(str(tmp_path), "https://e.org/") == []


def test_a_directory_that_cannot_be_read_is_an_error_and_one_that_is_not_there_holds_nothing(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(OutputError) as raised:
        output.stale_files(str(tmp_path / "file"), "https://e.org/")
    (finding,) = raised.value.findings
    assert (finding.check, finding.where) == ("cannot-write", str(tmp_path / "file"))
    assert output.stale_files(str(tmp_path / "none"), "https://e.org/") == []


def test_an_error_without_words_of_the_system_is_told_in_its_own() -> None:
    assert output.cannot_write("a", OSError("out of reach")).problem == "it cannot be written: out of reach."
    assert output.cannot_write("a", OSError(errno.EIO, "worn out")).problem == "it cannot be written: worn out."
