"""The command `smindex report`: which sections it shows, and where it writes them."""

import json
from pathlib import Path

import pytest

from smindex_plugins.cli.main import main
from tests.support.command import SITE, refused
from tests.support.planted import index, urlset, write
from tests.support.servers import Server


@pytest.fixture(autouse=True)
def _site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Run the command in a site of two sections."""
    listed = {name: urlset(f"{SITE}{name}") for name in ("a/sitemap.xml", "b/sitemap.xml")}
    write(tmp_path, {"sitemap_index.xml": index(*(SITE + name for name in listed)), **listed})
    monkeypatch.chdir(tmp_path)


def test_a_section_is_shown_alone_and_one_that_is_not_there_is_refused_with_the_nearest(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["report", ".", "--format", "json", "--section", "a/"]) == 0
    assert [section["name"] for section in json.loads(capsys.readouterr().out)["sections"]] == [
        "a/"
    ]
    assert refused(capsys, "report", ".", "--section", "a") == [
        "--section a: no such section; did you mean 'a/'?"
    ]
    assert refused(capsys, "report", ".", "--section", "guide") == [
        "--section guide: no such section; the sections are a/, b/."
    ]


def test_files_have_the_format_of_their_suffix(capsys: pytest.CaptureFixture[str]) -> None:
    files = ("-o", "r.html", "-o", "r.md", "-o", "r.json")
    assert main(["report", ".", *files]) == 0
    assert capsys.readouterr().out == "".join(
        f"{name}: 2 pages in 2 sections\n" for name in files[1::2]
    )
    assert Path("r.html").read_text().lower().startswith("<!doctype html>")
    assert Path("r.md").read_text().startswith("<!-- smindex report -->")
    assert json.loads(Path("r.json").read_text())["summary"]["pages"] == 2
    assert main(["report", ".", *files, "-q"]) == 0
    assert capsys.readouterr().out == ""
    no_effect = "has no effect {}. Remove it."
    assert refused(capsys, "report", ".", *files, "--section", "a/") == [
        f"--section {no_effect.format('in HTML and Markdown')}"
    ]
    assert refused(capsys, "report", ".", "-q") == [
        "-q leaves nothing to print. Remove it, or write files: -o report.html."
    ]
    assert refused(capsys, "report", ".", "-o", "r.md", "--format", "html") == [
        f"--format {no_effect.format('with -o')}"
    ]


def test_changes_since_an_earlier_version_on_the_web_are_shown(
    server: Server, capsys: pytest.CaptureFixture[str]
) -> None:
    server.serve("/sitemap.xml", urlset(server.base + "a"))
    waiting = ("report", ".", "--timeout", "5", "--format", "json")
    assert refused(capsys, *waiting) == ["--timeout has no effect on a built directory. Remove it."]
    assert refused(capsys, "report", ".", "--since", server.base) == [
        (
            "--since is not available as text. Use -o report.html or --format markdown, or `smindex"
            " diff`."
        )
    ]
    assert refused(capsys, "report", ".", "--since", "nowhere") == [
        "nowhere: there is no such directory or file."
    ]
    assert main([*waiting, "--since", server.base]) == 0
    assert json.loads(capsys.readouterr().out)["changes"]["removed"] == [server.base + "a"]
