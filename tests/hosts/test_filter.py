"""The user's own function in real builds: with MkDocs, ProperDocs, Pelican and `smindex build`."""

from pathlib import Path
from typing import Any

import pytest

from smindex_plugins.cli.main import main
from smindex_plugins.model import Page
from tests.support.blog import Blog
from tests.support.command import findings
from tests.support.listed import listed
from tests.support.planted import write
from tests.support.project import BASE, FIRST, SECOND, Project

HOOKS = """
from dataclasses import replace

def keep(page):
    if page.meta and page.meta.get("layout") == "print":
        return None
    return replace(page, lastmod="2020-02-02") if page.url.endswith("/b/") else page

def fail(page):
    return page.meta["layout"]
"""


@pytest.mark.parametrize("host", ["mkdocs", "properdocs"])
def test_mkdocs_finds_the_function_beside_its_configuration(project: Project, host: str) -> None:
    project.small("sitemap-index: {filter: 'tools/hooks:keep'}")
    project.write("tools/hooks.py", HOOKS)
    project.write("docs/guide/c.md", "---\nlayout: print\n---\nText\n")
    project.commit(SECOND)
    built = project.build("--strict", "-v", host=host)
    assert built.code == 0, built.log
    assert built.pages == {BASE: FIRST, f"{BASE}guide/a/": FIRST, f"{BASE}guide/b/": "2020-02-02"}
    assert built.flat.keys() == built.pages.keys()
    assert "left out: 1 left out by filter" in built.log
    assert "guide/c.md is in no sitemap, because it is left out by filter (`tools/hooks:keep`)." in built.log


def test_mkdocs_takes_a_file_that_is_also_a_hook_of_its_own_from_any_directory(
    project: Project, tmp_path: Path
) -> None:
    project.small("sitemap-index: {filter: 'hooks.py:keep'}", hooks="[hooks.py]")
    project.write("hooks.py", HOOKS + "\ndef on_pre_build(config):\n    print('the hook runs')\n")
    (tmp_path / "elsewhere").mkdir()
    built = project.build("-f", str(tmp_path / "mkdocs.yml"))
    assert built.pages[f"{BASE}guide/b/"] == "2020-02-02", built.log


def test_a_function_that_is_not_there_stops_mkdocs_before_anything_is_written(project: Project) -> None:
    project.small("sitemap-index: {filter: 'hooks:kep'}")
    project.write("hooks.py", HOOKS)
    built = project.build()
    assert built.code == 1
    assert "hooks has no function 'kep'; did you mean 'keep'?" in built.log
    assert not built.directory.exists()


def test_an_exception_is_one_error_and_every_page_is_listed_as_it_was(project: Project) -> None:
    project.small("sitemap-index: {filter: 'hooks:fail'}")
    project.write("hooks.py", HOOKS)
    built = project.build()
    assert built.code == 0
    assert len(built.pages) == 3
    assert built.log.count("[failed-filter]") == 1
    (line,) = [line for line in built.log.splitlines() if "[failed-filter]" in line]
    assert line.startswith("ERROR   -  sitemap-index: index.md: `hooks:fail` raised ")
    assert "(hooks.py, line 10). It fails for 2 other pages too. The page is listed" in line
    assert project.build("--strict").code == 1


@pytest.fixture
def blog(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Blog:
    blog = Blog(tmp_path)
    blog.article("kept.md")
    blog.article("printed.md", layout="print")
    blog.write("hooks.py", HOOKS)
    monkeypatch.chdir(tmp_path)
    return blog


def kept(page: Page) -> Page | None:
    return None if (page.meta or {}).get("layout") == "print" else page


@pytest.mark.parametrize("given", [kept, "hooks:keep"])
def test_pelican_takes_the_function_itself_or_its_name(blog: Blog, given: Any) -> None:  # noqa: ANN401 - one of both
    output = blog.run(SITEMAP_INDEX={"filter": given})
    assert "kept.html" in output.pages
    assert "printed.html" not in output.pages
    assert "printed.html" in output.html


def test_a_function_that_is_not_there_stops_pelican_before_it_begins(blog: Blog) -> None:
    with pytest.raises(
        SystemExit, match=r"SITEMAP_INDEX\['filter'\]: got 'missing:keep', but there is no file .*missing"
    ):
        blog.run(SITEMAP_INDEX={"filter": "missing:keep"})
    assert not (blog.root / "output").exists()


PAGE = "<!doctype html><title>A</title><p>Text"
SITE: dict[str, str | bytes] = {
    "site/index.html": PAGE,
    "site/guide/a.html": PAGE,
    "site/guide/b/index.html": PAGE,
    "site/print.html": PAGE,
}
ONLY = 'def keep(page):\n    return None if page.url.endswith("print.html") else page\n'


@pytest.mark.parametrize("who", ["flag", "table", "mkdocs.yml"])
def test_smindex_build_finds_the_function_beside_the_file_that_names_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], who: str
) -> None:
    project = tmp_path / "project"
    write(project, {**SITE, "hooks.py": ONLY, "inside/hooks.py": "def keep(page): 1 / 0\n"})
    address = "site_url: https://e.org/\n"
    options = "plugins:\n  - sitemap-index: {filter: 'hooks:keep'}\n" if who == "mkdocs.yml" else ""
    write(project, {"mkdocs.yml": address + options, "docs/index.md": "Text"})
    if who == "table":
        write(project, {"pyproject.toml": '[tool.smindex]\nfilter = "hooks:keep"\n'})
    monkeypatch.chdir(project if who == "flag" else project / "inside")
    place = "site" if who == "flag" else "../site"
    assert main(["build", place, *(["--set", "filter=hooks:keep"] if who == "flag" else [])]) == 0, capsys.readouterr()
    assert sorted(listed(project / "site")) == [f"https://e.org/{path}" for path in ("", "guide/a.html", "guide/b/")]
    if who == "mkdocs.yml":
        monkeypatch.chdir(project)
        (project / "hooks.py").write_text("raise SystemExit", encoding="utf-8")  # for a check runs nothing of it
        (only,) = [each for each in findings(capsys) if each["check"] == "unlisted-page"]
        assert "A check does not call `filter`, which may know." in only["problem"]
        assert main(["explain", "https://e.org/print.html"]) == 0
        assert "perhaps the function of `filter`, which only a build calls" in capsys.readouterr().out


def test_smindex_build_names_who_named_a_function_that_is_not_there_and_writes_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    write(tmp_path, {**SITE, "pyproject.toml": '[tool.smindex]\nfilter = "hooks:keep"\n'})
    monkeypatch.chdir(tmp_path)
    assert main(["build", "site", "--site-url", "https://e.org/"]) == 2
    assert (
        f"pyproject.toml: [tool.smindex] filter: got 'hooks:keep', but there is no file {tmp_path / 'hooks.py'}"
        in capsys.readouterr().err
    )
    assert main(["build", "site", "--site-url", "https://e.org/", "--set", "filter=other:keep"]) == 2
    assert f"--set filter: got 'other:keep', but there is no file {tmp_path / 'other.py'}" in capsys.readouterr().err
    assert not list((tmp_path / "site").rglob("*.xml"))
