"""What `smindex check` looks at: the target that is named or found, and which options mean anything
there.
"""

import json
from pathlib import Path

import pytest

from smindex_plugins.cli.main import main
from tests.support.command import INDEX, PAGE, SITE, findings, refused
from tests.support.planted import index, urlset, write

GOOD = {
    "site/sitemap_index.xml": index(SITE + "s.xml"),
    "site/s.xml": urlset(SITE, SITE + "a/"),
    "site/index.html": PAGE,
    "site/a/index.html": PAGE,
}
CLEAN = "nothing wrong in 1 index, 1 sitemap, 2 URLs (2 without a date), 2 pages\n"
SUMMARY = f"{CLEAN}not checked: robots.txt (there is none)\n"
CONFIGURATION = {"mkdocs.yml": f"site_name: A\nsite_url: {SITE}\n", "docs/a.md": "A"}


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Give the root of a project whose site has been built, in which the command is run."""
    write(tmp_path / "project", {".git/a": "", **CONFIGURATION, **GOOD})
    monkeypatch.chdir(tmp_path / "project")
    return tmp_path / "project"


@pytest.mark.parametrize("target", [[], ["."], ["../project"]])
def test_the_site_of_a_project_is_found_and_named(
    project: Path, capsys: pytest.CaptureFixture[str], target: list[str]
) -> None:
    assert main(["check", *target]) == 0
    assert capsys.readouterr().out == f"site: site (mkdocs.yml)\n{SUMMARY}"
    assert main(["check", str(project / "site")]) == 0
    assert capsys.readouterr().out == SUMMARY


def test_a_single_file_is_checked_by_itself(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Its address is found from the pages beside it; what is around it is not judged."""
    write(project, {"site/a/b.html": PAGE})
    alone = "not checked: the rest of the site (the target is a single file)\n"
    for file, counts in (("site/s.xml", "1 sitemap"), (f"site/{INDEX}", "1 index, 1 sitemap")):
        assert main(["check", file]) == 0
        assert (
            capsys.readouterr().out
            == f"nothing wrong in {counts}, 2 URLs (2 without a date)\n{alone}"
        )


def test_undated_pages_fail_the_check_only_if_the_user_wants_that(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["check", "site", "--fail-on", "notice"]) == 0
    assert main(["check", "site", "--fail-on", "undated"]) == 1
    assert "2 of 2 listed pages without a date (--fail-on undated)" in capsys.readouterr().err
    write(
        project,
        {
            "site/s.xml": (
                urlset(SITE, SITE + "a/").replace("</loc>", "</loc><lastmod>2024-01-01</lastmod>")
            )
        },
    )
    assert main(["check", "site", "--fail-on", "undated"]) == 0
    write(
        project,
        {
            "site/s.xml": (
                urlset(SITE + "gone/").replace("</loc>", "</loc><lastmod>2024-01-01</lastmod>")
            )
        },
    )
    assert main(["check", "site", "--fail-on", "undated"]) == 0, "warnings do not count"
    assert main(["check", "site", "--fail-on", "warning"]) == 1


def test_the_index_can_be_named(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(project, {"site/i.xml": index(SITE + "gone.xml")})
    assert main(["check", "site", "--index-filename", "i.xml"]) == 1
    assert "i.xml, line 3: lists https://e.org/gone.xml" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("files", "arguments", "problem"),
    [
        ({}, ["new"], "new: there is no sitemap in it, and no HTML. Pass"),
        ({"new/a.html": PAGE}, ["new"], "new: there is no sitemap in it. Add the plugin"),
        ({"new/a.html": PAGE}, ["new/a.html"], "new/a.html: it is not a sitemap. Pass a sitemap"),
        (
            {"new/robots.txt": ""},
            ["new/robots.txt"],
            "new/robots.txt: it is not a sitemap. Pass a sitemap",
        ),
        ({f"new/{INDEX}/a": ""}, ["new"], f"new/{INDEX}: Is a directory."),
        ({f"new/{INDEX}": index(SITE + "a/s.xml")}, ["new"], "pass --site-url"),
        (
            # one of several indexes has such a name
            {f"new/{INDEX.replace('.', '-1.')}": urlset(SITE)},
            ["new", "--index-filename", INDEX],
            f"new: there is no {INDEX} in it; there is sitemap_index-1.xml.",
        ),
        ({}, ["site", "--index-filename", "i.xml"], "site: there is no i.xml in it"),
        (
            {"mkdocs.yml": CONFIGURATION["mkdocs.yml"] + "site_dir: b\n"},
            [],
            "b: there is no such directory, the output according to mkdocs.yml.",
        ),
        (
            {},
            ["docs"],
            "docs: it is the source directory of mkdocs.yml, whose site is built into site.",
        ),
    ],
)
def test_what_cannot_be_checked_is_refused_with_what_to_do(
    project: Path,
    capsys: pytest.CaptureFixture[str],
    files: dict[str, str | bytes],
    arguments: list[str],
    problem: str,
) -> None:
    (project / "new").mkdir()
    write(project, files)
    (found,) = refused(capsys, "check", *arguments)
    assert problem in found


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["site", "--pages"], "--pages has no effect on a built directory. Remove it."),
        (["--timeout", "3"], "--timeout has no effect on a built directory. Remove it."),
        (["site/s.xml", "--dates"], "--dates has no effect on a single file. Remove it."),
        (
            ["site/s.xml", "--index-filename", "s.xml"],
            "--index-filename has no effect on a single file. Remove it.",
        ),
        (["https://127.0.0.1:1/", "--links"], "--links has no effect on a live site. Remove it."),
        (
            ["https://127.0.0.1:1/", "--site-url", SITE],
            "--site-url has no effect on a live site. Remove it.",
        ),
        (
            ["site", "--only", "page-error"],
            "--only page-error: this check requires a live site with --pages",
        ),
        (
            ["site", "--only", "false-date"],
            "--only false-date: this check requires a built directory with --dates",
        ),
        (
            ["site/s.xml", "--only", "missing-page"],
            "--only missing-page: this check requires a built directory",
        ),
        (
            ["https://127.0.0.1:1/", "--only", "noindex-page"],
            "requires a built directory or a live site with --pages",
        ),
        (
            ["site", "--only", "twin-url", "--ignore", "twin-url"],
            "--ignore excludes every check that --only selects",
        ),
    ],
)
@pytest.mark.usefixtures("project")
def test_what_could_do_nothing_is_refused(
    capsys: pytest.CaptureFixture[str], arguments: list[str], words: str
) -> None:
    (found,) = refused(capsys, "check", *arguments)
    assert words in found


@pytest.mark.usefixtures("project")
def test_checks_that_are_not_made_are_named_at_the_end(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", "site", "--only", "twin-url"]) == 0
    assert (
        capsys.readouterr().out
        == f"{CLEAN}not checked: all checks except twin-url (--only); robots.txt (there is none)\n"
    )
    assert main(["check", "site", "--ignore", "twin-url", "--ignore", "page-error"]) == 0
    printed = capsys.readouterr()
    assert (
        printed.out
        == f"{CLEAN}not checked: page-error, twin-url (--ignore); robots.txt (there is none)\n"
    )
    assert printed.err.startswith(
        "smindex: --ignore page-error: this check requires a live site with --pages"
    )


def test_files_that_cannot_be_read_are_counted_where_their_checks_are_not_made(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write(
        project,
        {"site/sitemap_index.xml": index(SITE + "s.xml", SITE + "gone.xml", SITE + "torn.xml")},
    )
    write(project, {"site/torn.xml": urlset(SITE + "b")[:-12]})
    assert main(["check", "site", "--only", "twin-url"]) == 0
    assert "; 2 files that can't be read\n" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("target", "fix"),
    [
        (
            "www.e.org",
            "there is no such directory. If you mean a live site, write https://www.e.org.",
        ),
        (
            "e.org/docs/",
            "there is no such directory. If you mean a live site, write https://e.org/docs/.",
        ),
        ("htp://e.org/", "live sites can't be requested over htp. Write https://e.org/."),
        ("ftp://me:pw@e.org/", "live sites can't be requested over ftp. Write https://***@e.org/."),
        (
            "public",
            (
                "there is no such directory. Build the site first, or name the directory it is"
                " built into."
            ),
        ),
        (
            "../public",
            (
                "there is no such directory. Build the site first, or name the directory it is"
                " built into."
            ),
        ),
        ("public/sitemap.xml", "there is no such file."),
    ],
)
@pytest.mark.usefixtures("project")
def test_a_target_that_is_not_there_is_refused_with_what_to_write(
    capsys: pytest.CaptureFixture[str], target: str, fix: str
) -> None:
    (found,) = refused(capsys, "check", target)
    assert found.endswith(f": {fix}")


def test_the_address_and_the_options_of_the_build_count_and_not_those_of_the_project_now(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    write(
        tmp_path,
        {
            ".git/a": "",
            "mkdocs.yml": "site_url: https://other.example.org/\n",
            "site/index.html": PAGE,
        },
    )
    write(tmp_path, {"site/x/a.html": PAGE, "site/page/2/index.html": PAGE})
    monkeypatch.chdir(tmp_path)
    flags = (
        "--set",
        "exclude=[x/]",
        "--set",
        "pagination=false",
        "--set",
        "index_filename=all.xml",
    )
    assert main(["build", "-q", "--site-url", "https://flag.e.net/docs/", *flags]) == 0
    assert findings(capsys, code=0) == []
    assert main(["explain", "site/x/a.html", "site/index.html"]) == 0
    printed = capsys.readouterr().out
    assert "not listed  excluded by `x/`" in printed
    assert "listed in   sitemap-root.xml" in printed
    assert main(["report", "--format", "json"]) == 0
    assert json.loads(capsys.readouterr().out)["site"] == "https://flag.e.net/docs/"
