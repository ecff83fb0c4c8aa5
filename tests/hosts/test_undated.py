"""The option `undated`: what becomes of a build of a shallow clone, by what the user or the CI service says of it."""

from pathlib import Path

import pytest

from smindex_plugins.cli.main import main
from tests.support.blog import Blog
from tests.support.gitrepo import Repo
from tests.support.project import Project

DEPLOYED = dict.fromkeys(
    ["READTHEDOCS_VERSION_TYPE", "NETLIFY", "VERCEL_ENV", "GITHUB_REF", "GITHUB_EVENT_NAME", "CI_MERGE_REQUEST_ID"], ""
)
"""A build that no CI service says anything of."""


def shallow(project: Project, undated: str = "") -> Project:
    """Give a shallow clone of a small site, in which all pages but one have no date."""
    options = f": {{undated: {undated}}}" if undated else ""
    project.small(f"sitemap-index{options}")
    project.git("clone", "-q", "--depth=1", f"file://{project.root}", "clone")
    clone = Project(project.root / "clone")
    clone.write("docs/guide/b.md", "# Changed again\n")
    clone.commit("2024-03-03T12:00:00Z")
    return clone


def test_a_strict_build_of_a_shallow_clone_fails_with_what_to_do(project: Project) -> None:
    built = shallow(project).build("--strict", **DEPLOYED)
    assert built.code == 1
    assert "WARNING -  sitemap-index: 2 of 3 pages: no reliable date was found" in built.log
    assert "2 older than this shallow clone reaches" in built.log
    assert "git fetch --unshallow" in built.log
    assert "`undated: ignore`" in built.log
    assert "; 2 without a date; " in built.log


@pytest.mark.parametrize(
    "environment",
    [
        {"READTHEDOCS": "True", "READTHEDOCS_VERSION_TYPE": "external"},
        {"GITHUB_ACTIONS": "true", "GITHUB_EVENT_NAME": "pull_request", "GITHUB_REF": "refs/pull/1/merge"},
    ],
)
def test_a_strict_build_of_a_pull_request_keeps_the_dates_it_can_prove_and_passes(
    project: Project, environment: dict[str, str]
) -> None:
    built = shallow(project).build("--strict", **DEPLOYED | environment)
    assert built.code == 0, built.log
    assert list(built.pages.values()).count("2024-03-03T12:00:00Z") == 1
    assert "INFO    -  sitemap-index: 2 of 3 pages: no reliable date was found" in built.log
    assert "builds a pull request here, which is never deployed" in built.log


def test_a_user_who_ignores_pages_without_a_date_is_told_of_them_in_a_notice(project: Project) -> None:
    built = shallow(project, "ignore").build("--strict", **DEPLOYED)
    assert built.code == 0, built.log
    assert "INFO    -  sitemap-index: 2 of 3 pages: no reliable date was found" in built.log
    assert "; 2 without a date; " in built.log


def test_a_user_who_insists_on_dates_fails_the_build_when_all_is_written_and_said(project: Project) -> None:
    built = shallow(project, "fail").build(**DEPLOYED)
    assert built.code == 1
    assert len(built.pages) == 3
    assert "ERROR   -  sitemap-index: 2 of 3 pages: no reliable date was found" in built.log
    assert "git fetch --unshallow" in built.log
    assert "undated is 'fail', but there is no reliable date for 2 of 3 pages" in built.log
    project.small("sitemap-index: {undated: fail}")
    assert project.build("--strict", **DEPLOYED).code == 0


def test_the_environment_can_say_which_builds_insist_on_dates(project: Project) -> None:
    clone = shallow(project, "!ENV [UNDATED, warn]")
    assert clone.build("--strict", **DEPLOYED, UNDATED="ignore").code == 0
    assert clone.build(**DEPLOYED, UNDATED="fail").code == 1
    assert clone.build(**DEPLOYED).code == 0


@pytest.mark.parametrize(("option", "code"), [("warn", 0), ("ignore", 0), ("fail", 1)])
def test_pelican_ends_as_the_option_says(tmp_path: Path, option: str, code: int) -> None:
    blog = Blog(tmp_path / "blog")
    blog.article("a.md")
    blog.configure(SITEMAP_INDEX={"undated": option})
    blog.commit("2024-01-01T00:00:00Z")
    blog.git("clone", "-q", "--depth=1", f"file://{blog.root}", str(tmp_path / "clone"))
    clone = Blog(tmp_path / "clone")
    clone.article("b.md")
    clone.commit("2024-02-02T00:00:00Z")
    done = clone.command(check=False)
    assert done.returncode == code, done.stdout + done.stderr
    assert (clone.root / "output" / "sitemap_index.xml").is_file()
    assert ("undated is 'fail'" in " ".join((done.stdout + done.stderr).split())) == (code == 1)


@pytest.mark.parametrize(("option", "code"), [("warn", 0), ("ignore", 0), ("fail", 1)])
def test_the_command_ends_as_the_option_says(
    tmp_path: Path, option: str, code: int, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for variable in DEPLOYED:
        monkeypatch.delenv(variable, raising=False)
    page = "<!doctype html><title>A</title><p>Text"
    repo = Repo.create(tmp_path / "repo")
    repo.commit(1, {"index.html": page, "about.html": page})
    clone = repo.clone(tmp_path / "clone", "--depth=1")
    command = ["build", str(clone.path), "--site-url", "https://example.org/", "--set", f"undated={option}"]
    assert main(command) == code
    assert (clone / "sitemap_index.xml").is_file()
    level = {"warn": "warning", "ignore": "notice", "fail": "error"}[option]
    assert f"{level}: undated-pages" in capsys.readouterr().out
