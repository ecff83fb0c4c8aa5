"""A file of changes is read as it was written, and anything else is refused."""

from collections.abc import Callable
from pathlib import Path

import pytest

from smindex_plugins.cli.main import main
from smindex_plugins.compare.changes import read_changes
from tests.support.command import SITE
from tests.support.planted import index, urlset, write

Refused = Callable[..., str]


@pytest.fixture
def refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Refused:
    """Announce a file that cannot be announced, and return why."""

    def announced(content: str | None) -> str:
        path = tmp_path / "changes.json"
        if content is not None:
            path.write_text(content)
        assert main(["announce", str(path), "--key", "0123456789"]) == 2
        error = capsys.readouterr().err
        assert error.startswith(f"smindex: {path}: ")
        return error

    return announced


def test_a_file_of_changes_is_read_and_its_urls_are_urls(tmp_path: Path, refused: Refused) -> None:
    write(tmp_path, {"old/sitemap_index.xml": index(), "new/sitemap_index.xml": index(SITE + "s.xml")})
    write(tmp_path, {"new/s.xml": urlset(SITE + "new")})
    file = tmp_path / "written.json"
    assert main(["diff", str(tmp_path / "old"), str(tmp_path / "new"), "-q", "-o", str(file)]) == 0
    assert read_changes(str(file)).added == [SITE + "new"]
    for wrong in ("file:///etc/passwd", "not a URL", "https://u:secret@e.org/"):
        error = refused(file.read_text().replace(f"{SITE}new", wrong))
        assert "it is not a file of changes (" in error
        assert "secret" not in error


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (None, "there is no such "),
        ("", "it is not a file of changes ("),
        ("[" * 100_000, "it is not a file of changes ("),
        ("[]", "it is not a file of changes ("),
        ("{}", "'version' is missing"),
        ('{"version": 2}', "its version is 2, but this command reads version 1"),
        ('{"version": 1, "summary": {}, "sitemaps": {}, "changed": 5}', "it is not a file of changes ("),
    ],
    ids=["no file", "nothing", "deep", "a list", "an empty object", "another version", "a wrong field"],
)
def test_another_file_is_refused(refused: Refused, content: str | None, words: str) -> None:
    assert words in refused(content)
