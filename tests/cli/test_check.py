"""What `smindex check` looks at: the target that is named or found, and which options mean anything there."""

from pathlib import Path

import pytest

from smindex_plugins.cli.main import main
from tests.support.command import PAGE, SITE
from tests.support.planted import index, urlset, write

GOOD = {
    "site/sitemap_index.xml": index(SITE + "s.xml"),
    "site/s.xml": urlset(SITE, SITE + "a/"),
    "site/index.html": PAGE,
    "site/a/index.html": PAGE,
}
SUMMARY = "nothing wrong in 1 index, 1 sitemap, 2 URLs, 2 pages\n"
CONFIGURATION = {"mkdocs.yml": f"site_name: A\nsite_url: {SITE}\n", "docs/a.md": "A"}


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Give the root of a project whose site has been built, in which the command is run."""
    write(tmp_path / "project", {".git/a": "", **CONFIGURATION, **GOOD})
    monkeypatch.chdir(tmp_path / "project")
    return tmp_path / "project"


def refused(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    assert main(["check", *arguments]) == 2
    printed = capsys.readouterr()
    assert not printed.out
    return printed.err


@pytest.mark.parametrize("target", [[], ["."], ["../project"]])
def test_the_site_of_a_project_is_found_and_named(
    project: Path, capsys: pytest.CaptureFixture[str], target: list[str]
) -> None:
    assert main(["check", *target]) == 0
    assert capsys.readouterr().out == f"site: site (mkdocs.yml)\n{SUMMARY}"
    assert main(["check", str(project / "site")]) == 0
    assert capsys.readouterr().out == SUMMARY


@pytest.mark.parametrize("form", ["json", "github"])
@pytest.mark.usefixtures("project")
def test_what_machines_read_begins_with_no_sentence(capsys: pytest.CaptureFixture[str], form: str) -> None:
    assert main(["check", "--format", form]) == 0
    assert "mkdocs.yml" not in capsys.readouterr().out


def test_a_project_without_a_site_says_what_to_do(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (project / "site").rename(project / "moved")
    assert "site: there is no such directory, where mkdocs.yml says that the site is built." in refused(capsys)
    (project / "mkdocs.yml").unlink()
    assert "no directory is named, and no configuration" in refused(capsys)
    assert "there is no sitemap in it, and no HTML" in refused(capsys, "docs")


def test_the_source_directory_of_the_project_is_refused(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert project.is_dir()
    assert "docs: it is the source directory of mkdocs.yml, whose site is built into site." in refused(capsys, "docs")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["site", "--pages"], "--pages has no effect on a built directory. Leave it out."),
        (["--timeout", "3"], "--timeout has no effect on a built directory. Leave it out."),
        (["site/s.xml", "--sources", "."], "--sources has no effect on a single file. Leave it out."),
        (["site/s.xml", "--index-filename", "s.xml"], "--index-filename has no effect on a single file. Leave it out."),
        (["https://127.0.0.1:1/", "--links"], "--links has no effect on a live site. Leave it out."),
        (["https://127.0.0.1:1/", "--site-url", SITE], "--site-url has no effect on a live site. Leave it out."),
        (["site", "--only", "page-error"], "--only page-error: this check is only for a live site with --pages"),
        (
            ["site", "--only", "false-date"],
            "--only false-date: this check is only for a built directory with --sources",
        ),
        (["site/s.xml", "--only", "missing-page"], "--only missing-page: this check is only for a built directory"),
        (["https://127.0.0.1:1/", "--only", "noindex-page"], "only for a built directory or a live site with --pages"),
        (
            ["site", "--only", "twin-url", "--ignore", "twin-url"],
            "--ignore leaves none of the checks that --only names",
        ),
    ],
)
@pytest.mark.usefixtures("project")
def test_what_could_do_nothing_is_refused(capsys: pytest.CaptureFixture[str], arguments: list[str], words: str) -> None:
    assert words in refused(capsys, *arguments)


@pytest.mark.usefixtures("project")
def test_checks_that_are_not_made_are_named_at_the_end(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", "site", "--only", "twin-url"]) == 0
    assert capsys.readouterr().out == f"{SUMMARY}not looked at: anything but twin-url (--only)\n"
    assert main(["check", "site", "--ignore", "twin-url", "--ignore", "page-error"]) == 0
    printed = capsys.readouterr()
    assert printed.out == f"{SUMMARY}not looked at: page-error, twin-url (--ignore)\n"
    assert printed.err.startswith("smindex: --ignore page-error: this check is only for a live site with --pages")


def test_files_that_cannot_be_read_are_counted_where_their_checks_are_not_made(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write(project, {"site/sitemap_index.xml": index(SITE + "s.xml", SITE + "gone.xml", SITE + "torn.xml")})
    write(project, {"site/torn.xml": urlset(SITE + "b")[:-12]})
    assert main(["check", "site", "--only", "twin-url"]) == 0
    assert "; 2 files that cannot be read\n" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "name"),
    [(["--sources", ""], "--sources"), ([""], "[DIRECTORY|FILE|URL]"), (["--cross-site", ""], "")],
)
@pytest.mark.usefixtures("project")
def test_an_empty_value_is_refused(capsys: pytest.CaptureFixture[str], arguments: list[str], name: str) -> None:
    """It is usually that of a variable that is not set."""
    assert f"Invalid value for '{name}" in refused(capsys, *arguments)


@pytest.mark.parametrize("name", ["undated-pages", "file-not-ours"])
def test_a_name_that_only_a_build_reports_is_refused(capsys: pytest.CaptureFixture[str], name: str) -> None:
    for flag in ("--only", "--ignore"):
        assert f"{name!r} is found only by a build or a join, not by a check" in refused(capsys, "site", flag, name)


@pytest.mark.parametrize("arguments", [["check", "--onl", "twin-url"], ["join", ".", "--dry"]])
def test_no_command_takes_abbreviated_flags(arguments: list[str]) -> None:
    assert main(arguments) == 2


@pytest.mark.parametrize(
    ("target", "fix"),
    [
        ("www.e.org", "there is no such directory. If you mean a live site, write https://www.e.org."),
        ("e.org/docs/", "there is no such directory. If you mean a live site, write https://e.org/docs/."),
        ("htp://e.org/", "a live site is not requested over htp. Write https://e.org/."),
        ("ftp://me:pw@e.org/", "a live site is not requested over ftp. Write https://***@e.org/."),
        ("public", "there is no such directory. Build the site first, or name the directory it is built into."),
        ("../public", "there is no such directory. Build the site first, or name the directory it is built into."),
    ],
)
def test_a_live_site_is_written_with_its_scheme(
    project: Path, capsys: pytest.CaptureFixture[str], target: str, fix: str
) -> None:
    assert project.is_dir()
    assert refused(capsys, target).endswith(f": {fix}\n")
