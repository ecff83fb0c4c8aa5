"""The sources of pages: what a person edits to change what a finding is about."""

from pathlib import Path

import pytest

from smindex_plugins.cli.main import main
from tests.support.command import PAGE, SITE, findings
from tests.support.history import Repo
from tests.support.planted import index, urlset, write

MKDOCS = f"site_name: A\nsite_url: {SITE}\n"
PAGES = ("index.html", "guide/index.html", "guide/a/index.html", "made/index.html", "größe.html")
SOURCES = ("index.md", "guide/README.md", "guide/a.md", "größe.md", "guide/sitemap.md")


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Write a project of MkDocs, whose robots.txt is copied, and whose listed dates are all wrong."""
    listed = [f"<loc>{SITE}{page.removesuffix('index.html')}</loc><lastmod>never</lastmod>" for page in PAGES]
    write(tmp_path / "site", dict.fromkeys(PAGES, PAGE))
    write(tmp_path / "site", {"sitemap_index.xml": index(SITE + "s.xml", SITE + "gone.xml"), "s.xml": urlset(*listed)})
    write(tmp_path / "docs", {**dict.fromkeys(SOURCES, "# A\n"), "robots.txt": ""})
    write(
        tmp_path, {"mkdocs.yml": MKDOCS, "site/robots.txt": "Disallow:\n", "site/guide/sitemap.xml": urlset(SITE + "x")}
    )
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize("target", [[], ["site"], ["."], ["site/s.xml"], ["./site/"]])
def test_a_page_leads_to_its_source_and_what_is_copied_to_its_original(
    project: Path, capsys: pytest.CaptureFixture[str], target: list[str]
) -> None:
    del project
    found = findings(capsys, *target, code=1)
    assert {each["url"]: each["source"] for each in found if each["check"] == "invalid-date"} == {
        SITE: "docs/index.md",
        SITE + "guide/": "docs/guide/README.md",
        SITE + "guide/a/": "docs/guide/a.md",
        SITE + "made/": None,
        SITE + "gr%C3%B6%C3%9Fe.html": "docs/größe.md",
    }
    if "site/s.xml" not in target:
        others = {each["check"]: each["source"] for each in found}
        assert others["robots-without-sitemap"] == "docs/robots.txt"
        assert others["missing-sitemap"] is None
        assert others["unlisted-sitemap"] is None, "a page that is called sitemap is another thing"


def test_what_hugo_copies_is_beside_its_content(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    write(tmp_path, {"hugo.toml": f'baseURL = "{SITE}"', "content/_index.md": "", "static/robots.txt": ""})
    write(tmp_path / "public", {"index.html": PAGE, "sitemap.xml": urlset(SITE), "robots.txt": "User-agent: *\n"})
    monkeypatch.chdir(tmp_path)
    (found,) = findings(capsys)
    assert (found["check"], found["source"]) == ("robots-without-sitemap", "static/robots.txt")


@pytest.mark.parametrize(("checkout", "prefix"), [(".", ""), ("..", "{}/"), ("elsewhere", "")])
def test_an_annotation_is_relative_to_the_checkout_and_never_points_into_what_is_built(
    project: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    checkout: str,
    prefix: str,
) -> None:
    monkeypatch.setenv("GITHUB_WORKSPACE", str(project / checkout))
    main(["check", "site", "--format", "github"])
    printed = capsys.readouterr().out
    place = prefix.format(project.name)
    assert f"::error file={place}docs/guide/a.md,title=invalid-date::s.xml, line 5: " in printed
    assert "::error title=missing-sitemap::sitemap_index.xml, line 4: " in printed
    assert f"file={place}site" not in printed


def test_sources_are_where_the_project_says(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (project / "docs").rename(project / "text")
    (project / "pyproject.toml").write_text('[tool.smindex]\nsources = "text/{path}.md"\n')
    found = findings(capsys, "site")
    assert {each["source"] for each in found if each["url"] == SITE + "guide/a/"} == {"text/guide/a.md"}


def test_what_git_ignores_is_built_by_something(
    repo: Repo, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A generator that is not known."""
    repo.commit(1, {".gitignore": "_site/\n", "index.md": ""})
    write(repo.path / "_site", {"index.html": PAGE, "deep/sitemap.xml": urlset(SITE + "deep/a", SITE + "deep/a")})
    monkeypatch.chdir(repo.path)
    (found,) = (each for each in findings(capsys, "_site", "--site-url", SITE) if each["check"] == "duplicate-url")
    assert found["file"] == "_site/deep/sitemap.xml"
    assert not found["source"]
    repo.commit(2, {".gitignore": ""})
    (found,) = (each for each in findings(capsys, "_site", "--site-url", SITE) if each["check"] == "duplicate-url")
    assert found["source"] == "_site/deep/sitemap.xml"


def test_where_nothing_is_built_a_file_is_its_own_source(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    write(tmp_path, {"index.html": PAGE, "a.html": PAGE, "sitemap.xml": urlset(SITE, SITE)})
    found = {each["check"]: each["source"] for each in findings(capsys, ".", "--site-url", SITE)}
    assert found == {"duplicate-url": "sitemap.xml", "unlisted-page": "a.html"}
    main(["check", ".", "--site-url", SITE, "--format", "github"])
    assert "::error file=sitemap.xml,line=4,title=duplicate-url::" in capsys.readouterr().out
