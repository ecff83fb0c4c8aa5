"""A file of changes is read as it was written, and anything else is refused."""

import json
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
    """Announce a file that can't be announced, and return why."""

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
    write(
        tmp_path, {"old/sitemap_index.xml": index(), "new/sitemap_index.xml": index(SITE + "s.xml")}
    )
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
        (
            '{"version": 1, "summary": {}, "sitemaps": {}, "changed": 5}',
            "it is not a file of changes (",
        ),
        ('{"version": 1,}', "it is not valid JSON at line 1, column "),
    ],
    ids=[
        "no file",
        "nothing",
        "deep",
        "a list",
        "an empty object",
        "another version",
        "a wrong field",
        "a comma",
    ],
)
def test_another_file_is_refused(refused: Refused, content: str | None, words: str) -> None:
    assert words in refused(content)


@pytest.mark.parametrize(
    "value", [None, 5, "x", [5], {"a": 5}, [["x"]], [{"url": 5}], True, "https://e.org/"]
)
def test_a_value_of_another_type_is_refused(
    tmp_path: Path, refused: Refused, value: object
) -> None:
    write(
        tmp_path, {"old/sitemap_index.xml": index(), "new/sitemap_index.xml": index(SITE + "s.xml")}
    )
    write(tmp_path, {"new/s.xml": urlset(SITE + "new")})
    file = tmp_path / "written.json"
    assert main(["diff", str(tmp_path / "old"), str(tmp_path / "new"), "-q", "-o", str(file)]) == 0
    given = json.loads(file.read_text())
    for name in ("added", "removed", "changed", "sitemaps", "summary", "live"):
        error = refused(json.dumps({**given, name: value}))
        assert "it is not a file of changes (" in error
        assert "object" not in error


def test_changes_between_reports_can_not_be_announced(tmp_path: Path, refused: Refused) -> None:
    for name, pages in (("old", ("a",)), ("new", ("a", "b"))):
        write(tmp_path, {f"{name}/sitemap.xml": urlset(*(SITE + page for page in pages))})
        assert (
            main(
                [
                    "report",
                    str(tmp_path / name),
                    "--site-url",
                    SITE,
                    "-o",
                    str(tmp_path / f"{name}.json"),
                ]
            )
            == 0
        )
    arguments = ["diff", str(tmp_path / "old.json"), str(tmp_path / "new.json"), "-q", "-o"]
    assert main([*arguments, str(tmp_path / "written.json")]) == 0
    error = refused((tmp_path / "written.json").read_text())
    assert (
        "it names no sitemap whose new version must be live first, because NEW was a report."
        in error
    )
