import ast
import gzip
import os
import socket
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

import smindex_plugins
from smindex_plugins.files import is_same, open_regular, read, read_text, unpacked, visible
from tests.support.command import PAGE, SITE
from tests.support.planted import write


def bind(path: Path) -> None:
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(os.path.relpath(path))  # the whole path may be longer than an address can be


KINDS: dict[str, Callable[[Path], None]] = {
    "pipe": os.mkfifo,
    "socket": bind,
    "directory": Path.mkdir,
    "link to a device": lambda path: path.symlink_to("/dev/zero"),
    "link to a terminal": lambda path: path.symlink_to("/dev/tty"),
    "link to a directory": lambda path: path.symlink_to("/"),
    "link to itself": lambda path: path.symlink_to(path.name),
}


@pytest.mark.parametrize("kind", KINDS)
def test_what_is_no_regular_file_is_refused_at_once(tmp_path: Path, kind: str) -> None:
    KINDS[kind](tmp_path / "file")
    for opened in (open_regular, read, read_text):
        with pytest.raises(OSError, match=r"not a regular file|directory|symbolic links"):
            opened(str(tmp_path / "file"))


def _opened(tree: ast.AST) -> list[int]:
    """Return the lines on which files are opened by their names to be read."""
    lines = []
    for call in (node for node in ast.walk(tree) if isinstance(node, ast.Call)):
        name, given = ast.unparse(call.func), set(map(ast.unparse, call.args))
        if not given & {"'xb'", "os.devnull", "os.O_RDONLY | os.O_DIRECTORY"} and (
            name == "open" or name.endswith((".read_text", ".read_bytes", "os.open", "gzip.open", "io.open"))
        ):
            lines.append(call.lineno)
    return lines


def test_one_module_alone_opens_files_by_their_names() -> None:
    package = Path(smindex_plugins.__file__).parent
    opened = {str(path.relative_to(package)): _opened(ast.parse(path.read_text())) for path in package.rglob("*.py")}
    assert {name for name, lines in opened.items() if lines} == {"files.py"}


PLACES = [
    "a.html",
    "sub/index.html",
    "robots.txt",
    "sub/robots.txt",
    "sitemap.xml",
    "sub/sitemap_index.xml",
    "sub/sitemap.xml.gz",
    "versions.json",
    "../mkdocs.yml",
    "../pelicanconf.py",
    "../hugo.toml",
    "../_config.yml",
    "../conf.py",
    "../pyproject.toml",
    "../content/a.md",
    "../docs/a.md",
    "../.git-blame-ignore-revs",
]


@pytest.mark.parametrize("kind", ["pipe", "socket", "directory", "link to a device"])
def test_no_command_waits_for_what_is_no_regular_file(tmp_path: Path, kind: str) -> None:
    site = tmp_path / "site"
    for path in PLACES:
        (site / path).parent.mkdir(parents=True, exist_ok=True)
        KINDS[kind](site / path)
    (site / "index.html").write_text(PAGE)
    (site / "b.html").write_text(PAGE)
    subprocess.run(["git", "init", "-q"], cwd=tmp_path, check=True)
    for command in ("build", "check"):
        arguments = [sys.executable, "-m", "smindex_plugins", command, str(site), "--site-url", SITE]
        ended = subprocess.run(arguments, cwd=tmp_path, capture_output=True, text=True, timeout=60, check=False)
        assert "Traceback" not in ended.stderr
        assert (site / "sitemap_index.xml").is_file(), ended.stderr
        assert "b.html" in (site / "sitemap-root.xml").read_text()


@pytest.mark.parametrize("most", [1, 9, 10, 11, 1 << 20])
def test_no_more_is_read_of_a_file_than_somebody_wants(tmp_path: Path, most: int) -> None:
    for content in (b"", b"0123456789"):
        (tmp_path / "file").write_bytes(content)
        assert read(str(tmp_path / "file"), most) == content[:most]


def test_a_file_that_has_no_size_is_read_to_its_end() -> None:
    """So are those in which Linux describes a process."""
    if not Path("/proc/self/cmdline").exists():
        pytest.skip("platform: there is no /proc")
    expected = Path("/proc/self/cmdline").read_bytes()
    assert read("/proc/self/cmdline", 1 << 20) == expected
    assert read("/proc/self/cmdline", 5) == expected[:5]


def test_of_a_directory_what_servers_show_is_found_in_order(tmp_path: Path) -> None:
    write(tmp_path, dict.fromkeys(("b/c/1", "b/2", "b/.3", ".d/4", "a/5", "6", ".7"), "x"))
    (tmp_path / "a/link").symlink_to(tmp_path / "6")
    (tmp_path / "a/nowhere").symlink_to("none")
    (tmp_path / "a/directory").symlink_to(tmp_path / "b")
    os.mkfifo(tmp_path / "b/pipe")
    errors: list[OSError] = []
    assert list(visible(str(tmp_path), errors.append)) == [
        ("", ["6"]),
        ("a/", ["5", "link"]),
        ("b/", ["2"]),
        ("b/c/", ["1"]),
    ]
    assert list(visible(str(tmp_path / "none"), errors.append)) == []
    assert [error.filename for error in errors] == [str(tmp_path / "none")]


@pytest.mark.parametrize(
    ("content", "other", "expected"),
    [
        (b"a", b"a", True),
        (b"a", b"b", False),
        (gzip.compress(b"a" * 99, 1, mtime=1), gzip.compress(b"a" * 99, 9, mtime=2), True),
        (gzip.compress(b"a", mtime=1), gzip.compress(b"b", mtime=1), False),
        (gzip.compress(b"a" * 99)[:-4], gzip.compress(b"a" * 99, mtime=2), False),
        (gzip.compress(b"a"), b"a", False),
        (b"\x1f\x8b", gzip.compress(b""), False),
    ],
)
def test_packed_files_are_the_same_by_what_is_in_them(content: bytes, other: bytes, *, expected: bool) -> None:
    assert is_same(content, other) is expected
    assert is_same(other, content) is expected


def test_the_beginning_of_a_packed_file_is_unpacked_as_far_as_it_can_be() -> None:
    packed = gzip.compress(b"a" * 9_000)
    assert unpacked(packed, 5) == unpacked(packed[:-9], 5) == b"a" * 5
    assert unpacked(b"plain", 9) == b"plain"
    assert unpacked(b"\x1f\x8bno gzip", 9) == b""
