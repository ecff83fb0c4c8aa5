"""What becomes of files at the edges: names that others write, previews, long files, marks, names of killed runs."""

import errno
import gzip
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from smindex_plugins.model import IndexEntry
from smindex_plugins.settings import Settings
from smindex_plugins.sitemaps import output, temporary
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


def test_a_packed_file_that_is_not_ours_is_compared_as_it_is_and_written_packed(tmp_path: Path) -> None:
    (tmp_path / "sitemap.xml.gz").write_bytes(gzip.compress(BYTES, compresslevel=1, mtime=5))
    for became in (["sitemap.xml.gz"], []):
        with Staging(str(tmp_path)) as staging:
            staging.amend("sitemap.xml.gz", BYTES)
            assert staging.commit().written == became
    assert gzip.decompress((tmp_path / "sitemap.xml.gz").read_bytes()) == BYTES


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


@pytest.mark.parametrize("content", [b"", b"no gzip", gzip.compress(BYTES)[:-12], gzip.compress(BYTES)[:14]])
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


def test_a_file_that_cannot_be_replaced_is_told_of_once_and_stays(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("a.xml", "b.xml"):
        publish(tmp_path, name, BYTES)
    refusing(monkeypatch, PermissionError(errno.EPERM, "it is fixed"), "b.xml")
    with Staging(str(tmp_path)) as staging:
        for name in ("a.xml", "b.xml"):
            staging.add(name, [BYTES, b" "])
        with pytest.raises(OutputError) as raised:
            staging.commit()
    assert [(found.where, found.problem) for found in raised.value.findings] == [
        ("b.xml", "it cannot be written: it is fixed.")
    ]
    assert files_in(tmp_path) == {"a.xml": BYTES, "b.xml": BYTES}


def wearing_out(monkeypatch: pytest.MonkeyPatch, fails: list[bool]) -> None:
    """Let the disk fail, or not, at each of the next replacements."""
    replace, calls = os.replace, iter(fails)

    def fail(source: str, target: str) -> None:
        if next(calls):
            raise OSError(errno.EIO, "worn out")
        replace(source, target)

    monkeypatch.setattr(os, "replace", fail)


def test_a_file_that_cannot_be_put_back_is_told_with_how_to_go_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    publish(tmp_path, "a.xml", BYTES)
    with Staging(str(tmp_path)) as staging:
        staging.add("a.xml", [BYTES, b" "])
        staging.add("b.xml", SITEMAP)
        wearing_out(monkeypatch, [False, True, True])
        with pytest.raises(OutputError) as raised:
            staging.commit()
    assert [(found.where, found.problem) for found in raised.value.findings] == [
        ("b.xml", "it cannot be written: worn out."),
        ("a.xml", "its earlier content cannot be restored: worn out."),
    ]
    assert raised.value.findings[1].fix == "Correct that, and build again."


def test_a_new_file_that_stays_beside_one_that_cannot_be_put_back_is_told_with_how_to_go_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    publish(tmp_path, "b.xml", BYTES)
    with Staging(str(tmp_path)) as staging:
        staging.add("a.xml", SITEMAP)
        for name in ("b.xml", "c.xml"):
            staging.add(name, [BYTES, b" "])
        wearing_out(monkeypatch, [False, False, True, True])
        with pytest.raises(OutputError) as raised:
            staging.commit()
    assert [found.where for found in raised.value.findings] == ["c.xml", "b.xml", "a.xml"]
    assert {found.fix for found in raised.value.findings[1:]} == {"Correct that, and build again."}


def test_an_interrupted_run_puts_back_what_was_there_and_ends(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    publish(tmp_path, "a.xml", BYTES)
    refusing(monkeypatch, KeyboardInterrupt(), "b.xml")
    with Staging(str(tmp_path)) as staging:
        staging.add("a.xml", [BYTES, b" "])
        staging.add("b.xml", SITEMAP)
        with pytest.raises(KeyboardInterrupt):
            staging.commit()
    assert files_in(tmp_path) == {"a.xml": BYTES}


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


def test_an_index_that_a_killed_run_left_is_the_last_to_go(tmp_path: Path) -> None:
    publish(tmp_path, "a.xml", BYTES)
    name = os.path.basename(temporary.new_name(""))
    (tmp_path / name).write_bytes(index_of("a.xml"))
    assert output.left_indexes(str(tmp_path)) == [name]
    assert output.stale_files(str(tmp_path), "https://e.org/") == ["a.xml", name]


def test_a_directory_that_cannot_be_read_is_an_error_and_one_that_is_not_there_holds_nothing(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(OutputError) as raised:
        output.stale_files(str(tmp_path / "file"), "https://e.org/")
    (finding,) = raised.value.findings
    assert (finding.check, finding.where) == ("cannot-write", str(tmp_path / "file"))
    assert output.left_indexes(str(tmp_path / "file")) == []
    assert output.stale_files(str(tmp_path / "none"), "https://e.org/") == []


@pytest.mark.parametrize("has_owners", [True, False])
def test_where_no_owner_can_be_set_the_mode_is(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    has_owners: bool,  # noqa: FBT001 - a parameter of a test
) -> None:
    def refuse(*_: object) -> None:
        raise PermissionError(errno.EPERM, "not yours")

    publish(tmp_path, "a.xml", BYTES)
    (tmp_path / "a.xml").chmod(0o604)
    if has_owners:
        monkeypatch.setattr(os, "chown", refuse)
    else:
        monkeypatch.delattr(os, "chown")
    assert publish(tmp_path, "a.xml", BYTES + b" ").written == ["a.xml"]
    assert (tmp_path / "a.xml").stat().st_mode & 0o777 == 0o604


def test_an_error_without_words_of_the_system_is_told_in_its_own() -> None:
    assert output.cannot_write("a", OSError("out of reach")).problem == "it cannot be written: out of reach."
    assert output.cannot_write("a", OSError(errno.EIO, "worn out")).problem == "it cannot be written: worn out."


# Names of files that are not in place


def test_the_names_that_earlier_versions_gave_are_known_for_ever(tmp_path: Path) -> None:
    name = ".smindex-0123456789abcdef-e9a4d4144a6bd7cf.tmp"
    others = {name.replace(".tmp", "0.tmp"), name[1:], name.upper()}
    for each in (name, *others):
        (tmp_path / each).touch()
    temporary.remove_left(str(tmp_path))
    assert set(files_in(tmp_path)) == others
    assert temporary.is_name(os.path.basename(temporary.new_name("")))
    assert len({temporary.new_name("a") for _ in range(9)}) == 9


def left(directory: Path) -> Path:
    directory.mkdir(parents=True, exist_ok=True)
    path = Path(temporary.new_name(str(directory)))
    path.touch()
    return path


def test_what_is_left_is_removed_below_a_directory_but_not_of_other_sites_and_hidden_directories(
    tmp_path: Path,
) -> None:
    (tmp_path / INDEX).touch()
    (tmp_path / "de").mkdir()
    (tmp_path / "de" / INDEX).touch()
    gone = [left(tmp_path / directory) for directory in (".", "a", "a/b/c", "z", "deep/er")]
    kept = [left(tmp_path / directory) for directory in ("de", "de/a", ".git", "a/.cache/b")]
    spared = left(tmp_path)
    temporary.remove_left(str(tmp_path), spared=[spared.name])
    assert [path for path in gone if path.exists()] == []
    assert [path for path in [*kept, spared] if not path.exists()] == []


def test_one_file_that_cannot_be_removed_keeps_no_other(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    files = [left(tmp_path) for _ in range(3)]
    remove = os.remove

    def refuse(path: str) -> None:
        if Path(path) == files[1]:
            raise PermissionError(errno.EPERM, "not yours")
        remove(path)

    monkeypatch.setattr(os, "remove", refuse)
    temporary.remove_left(str(tmp_path))
    assert [path.exists() for path in files] == [False, True, False]


@pytest.mark.parametrize(
    ("content", "target", "is_left"),
    [
        (b"", None, True),
        (BYTES[:-3], None, True),
        (b" " * (200 - len(MARK)) + MARK, None, True),
        (b" " * (201 - len(MARK)) + MARK, None, False),
        (b"User-agent: *", b"User-agent: *", True),
        (b"User-agent: *", b"User-agent: *\n", False),
        (b"User-agent: *\n", b"User-agent: *", False),
        (b"User-agent: *", None, False),
        (b"a" * (1 << 20), b"a" * (1 << 20), True),
        (b"a" * ((1 << 20) + 1), b"a" * ((1 << 20) + 1), False),  # nothing so long was staged under such a name
        (b"a" * ((1 << 20) + 1), b"a" * (1 << 20), False),
    ],
)
def test_a_file_under_a_former_name_is_left_if_it_was_ours(
    tmp_path: Path,
    content: bytes,
    target: bytes | None,
    is_left: bool,  # noqa: FBT001 - a table's column
) -> None:
    (tmp_path / ".robots.txt.smindex").write_bytes(content)
    if target is not None:
        (tmp_path / "robots.txt").write_bytes(target)
    temporary.remove_left(str(tmp_path))
    assert (tmp_path / ".robots.txt.smindex").exists() is not is_left


@pytest.mark.parametrize(
    ("content", "is_left"),
    [
        (gzip.compress(BYTES), True),
        (gzip.compress(BYTES)[:-9], True),
        (gzip.compress(b" " * (201 - len(MARK)) + MARK), False),
        (gzip.compress(b"<urlset/>"), False),
        (b"no gzip", False),
    ],
)
def test_a_packed_file_under_a_former_name_is_left_if_it_was_ours(
    tmp_path: Path,
    content: bytes,
    is_left: bool,  # noqa: FBT001 - a table's column
) -> None:
    (tmp_path / ".a.xml.gz.smindex").write_bytes(content)
    temporary.remove_left(str(tmp_path))
    assert (tmp_path / ".a.xml.gz.smindex").exists() is not is_left


@pytest.mark.parametrize("has_links", [True, False])
def test_what_is_kept_of_a_file_is_all_of_it(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    has_links: bool,  # noqa: FBT001 - a parameter of a test
) -> None:
    def refuse(*_: str) -> None:
        raise PermissionError(errno.EPERM, "no links")

    if not has_links:
        monkeypatch.setattr(os, "link", refuse)
    path = tmp_path / "a.xml"
    assert temporary.keep(str(path)) == ""
    path.write_bytes(BYTES)
    path.chmod(0o640)
    os.utime(path, (1_000_000_000, 1_000_000_000))
    kept = Path(temporary.keep(str(path)))
    assert (kept.parent, temporary.is_name(kept.name)) == (tmp_path, True)
    assert (kept.read_bytes(), kept.stat().st_mode & 0o777, kept.stat().st_mtime) == (BYTES, 0o640, 1_000_000_000)
    assert path.exists()
    assert (kept.stat().st_ino == path.stat().st_ino) is has_links
