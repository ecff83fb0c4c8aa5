"""A file of changes is read as it was written, and anything else is refused."""

from pathlib import Path

import pytest

from smindex_plugins.announcing import read_changes
from smindex_plugins.cli.main import main
from tests.support.command import SITE
from tests.support.planted import index, urlset, write


@pytest.fixture
def changes(tmp_path: Path) -> Path:
    """Write the changes between a site without a page and a site with one."""
    write(tmp_path, {"old/sitemap_index.xml": index(), "new/sitemap_index.xml": index(SITE + "s.xml")})
    write(tmp_path, {"new/s.xml": urlset(SITE + "new")})
    file = tmp_path / "changes.json"
    assert main(["diff", str(tmp_path / "old"), str(tmp_path / "new"), "-q", "-o", str(file)]) == 0
    return file


def refused(path: Path, capsys: pytest.CaptureFixture[str]) -> str:
    assert main(["announce", str(path), "--key", "0123456789"]) == 2
    error = capsys.readouterr().err
    assert error.startswith(f"smindex: {path}: ")
    return error


def test_a_file_of_changes_is_read(changes: Path) -> None:
    assert read_changes(str(changes)).added == [SITE + "new"]


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("", "it is no file of changes ("),
        ("[" * 100_000, "it is no file of changes ("),
        ("[]", "it is no file of changes ("),
        ("{}", "'version' is missing"),
        ('{"version": 2}', "its version is 2, and this command reads 1"),
        ('{"version": 1, "summary": {}, "sitemaps": {}, "changed": 5}', "it is no file of changes ("),
    ],
    ids=["nothing", "deep", "a list", "an empty object", "another version", "a wrong field"],
)
def test_another_file_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str], content: str, words: str) -> None:
    (tmp_path / "changes.json").write_text(content)
    assert words in refused(tmp_path / "changes.json", capsys)


@pytest.mark.parametrize("wrong", ["file:///etc/passwd", "not a URL", "https://u:secret@e.org/"])
def test_a_url_in_a_file_of_changes_is_one(changes: Path, capsys: pytest.CaptureFixture[str], wrong: str) -> None:
    changes.write_text(changes.read_text().replace(f"{SITE}new", wrong))
    error = refused(changes, capsys)
    assert "it is no file of changes (" in error
    assert "secret" not in error


def test_what_to_announce_must_be_named_and_there(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["announce"]) == 2
    capsys.readouterr()
    assert "there is no such " in refused(tmp_path / "nowhere.json", capsys)
