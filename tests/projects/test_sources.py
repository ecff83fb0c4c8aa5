"""The sources of pages: what a person edits to change what a finding is about."""

import os
import re
from pathlib import Path

import pytest

from smindex_plugins.cli.main import main
from smindex_plugins.projects.find import find_site
from tests.support.command import PAGE, SITE, findings
from tests.support.history import Repo
from tests.support.planted import urlset, write

PAGES = ("index.html", "guide/index.html", "guide/a/index.html", "made/index.html", "größe.html")
SOURCES = ("index.md", "guide/README.md", "guide/a.md", "größe.md", "guide/sitemap.md")


def build(root: Path) -> None:
    """Write a single sitemap, and make all its dates wrong."""
    assert main(["build", "-q", "--set", "sitemap_placement=root", "--set", "section_depth=0"]) == 0
    sitemap = root / "site/sitemap-root.xml"
    text = re.sub("<lastmod>.*?</lastmod>", "", sitemap.read_text())
    sitemap.write_text(text.replace("</loc>", "</loc><lastmod>never</lastmod>"))


@pytest.fixture
def project(repo: Repo, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Build a project of MkDocs, make all its dates wrong, and add files that its build has not
    written.
    """
    write(repo.path, {f"site/{page}": PAGE for page in PAGES})
    texts: dict[str, str | None] = {f"docs/{name}": "# A\n" for name in SOURCES}
    repo.commit(
        1, {".gitignore": "site/\n", "mkdocs.yml": f"site_name: A\nsite_url: {SITE}\n", **texts}
    )
    monkeypatch.chdir(repo.path)
    build(repo.path)
    write(repo / "site", {"robots.txt": "Disallow:\n", "guide/sitemap.xml": urlset(SITE + "x")})
    return repo.path


@pytest.mark.parametrize("target", [[], ["site"], ["."], ["./site/"]])
def test_a_page_leads_to_its_source_in_the_record_of_the_build(
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
    others = {each["check"]: each["source"] for each in found if each["check"] != "invalid-date"}
    assert others["robots-without-sitemap"] is None
    assert others["unlisted-sitemap"] is None, "a page that is called sitemap is another thing"


def test_what_hugo_copies_is_beside_its_content(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(
        tmp_path,
        {"hugo.toml": f'baseURL = "{SITE}"', "content/_index.md": "", "static/data.pdf": ""},
    )
    write(tmp_path / "public", {"index.html": PAGE, "data.pdf": "", "made.pdf": ""})
    monkeypatch.chdir(tmp_path)
    site = find_site()
    assert [*map(os.path.relpath, site.file("data.pdf").sources)] == ["static/data.pdf"]
    assert site.file("made.pdf").sources == ()


@pytest.mark.parametrize(("checkout", "prefix"), [(".", ""), ("..", "{}/"), ("elsewhere", "")])
def test_an_annotation_is_relative_to_the_checkout_and_never_points_into_what_is_built(
    project: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    checkout: str,
    prefix: str,
) -> None:
    monkeypatch.setenv("GITHUB_WORKSPACE", str(project / checkout))
    main(["check", "site", "--format", "github", "-v"])
    printed = capsys.readouterr().out
    place = prefix.format(project.name)
    assert (
        f"::error file={place}docs/guide/a.md,title=invalid-date::sitemap-root.xml, line 7: "
        in printed
    )
    assert "::error title=invalid-date::sitemap-root.xml, line " in printed, (
        "one page has no source"
    )
    assert "::notice title=robots-without-sitemap::robots.txt: " in printed
    assert f"file={place}site" not in printed


def test_sources_are_where_the_project_says(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (project / "docs").rename(project / "text")
    (project / "pyproject.toml").write_text('[tool.smindex]\nsources = "text/{path}.md"\n')
    build(project)
    (project / "pyproject.toml").unlink()
    write(project, {"site/new.html": PAGE, "text/new.md": "# New\n"})
    found = {each["url"]: each["source"] for each in findings(capsys, "site")}
    assert found[SITE + "guide/a/"] == "text/guide/a.md", "the record has what counted in the build"
    assert found[SITE + "new.html"] is None, "a page that the build has not seen"


def test_a_file_that_git_tracks_is_its_own_source(
    repo: Repo, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing is known about who wrote it."""
    repo.commit(1, {".gitignore": "_site/\n", "index.md": ""})
    write(
        repo.path / "_site", {"index.html": PAGE, "a.html": PAGE, "sitemap.xml": urlset(SITE, SITE)}
    )
    monkeypatch.chdir(repo.path)
    check = ("_site", "--site-url", SITE)
    assert {each["source"] for each in findings(capsys, *check)} == {None}
    repo.git("add", "-f", "_site")
    repo.git("commit", "-q", "-m", "Publish")
    found = {each["check"]: each["source"] for each in findings(capsys, *check)}
    assert found == {"duplicate-url": "_site/sitemap.xml", "unlisted-page": "_site/a.html"}
    main(["check", *check, "--format", "github"])
    assert (
        "::warning file=_site/sitemap.xml,line=4,title=duplicate-url::" in capsys.readouterr().out
    )


POSTS = [(1, "a", "published: true"), (2, "b", "published: false"), (3, "c", "draft: true")]
EDIT = (
    '<!doctype html><title>A</title><a class="edit-link"'
    ' href="https://git.example/a/b/edit/main/{}">Edit</a>'
)


def sources(repo: Repo, pages: dict[str, str], *patterns: str) -> dict[str, list[str]]:
    """Render pages, and give the sources that are found for each."""
    table = f"[tool.smindex]\ndirectory = 'out'\nsources = {list(patterns)}\n"
    write(repo.path, {"pyproject.toml": table if patterns else "", ".gitignore": "out/\ndist/\n"})
    write(repo / ("out" if patterns else "dist"), {**pages})
    files = find_site(str(repo.path) if patterns else str(repo / "dist")).files()
    return {
        file.path: [str(Path(each).relative_to(repo.path)) for each in file.sources]
        for file in files
    }


def test_an_asterisk_is_any_text_if_a_single_file_and_a_single_page_fit(repo: Repo) -> None:
    files = ("2020-01-02-one.md", "2020-01-03-two.md", "2021-01-03-two.md", "2020-02-02-three.md")
    repo.commit(1, {f"posts/{name}": "" for name in files})
    repo.commit(1, {"data/one.yml": ""})
    pages = dict.fromkeys(["one.html", "two.html", "a/three.html", "b/three.html", "x.html"], PAGE)
    found = sources(repo, pages, "data/{path}.yml", "posts/*-{name}.md")
    assert {page: each for page, each in found.items() if each} == {
        "one.html": ["data/one.yml", "posts/2020-01-02-one.md"]
    }


def test_front_matter_that_gives_a_guessed_source_another_url_excludes_it(repo: Repo) -> None:
    repo.commit(1, {"posts/2020-01-02-docs.md": "---\npermalink: /announcing-docs/\n---\n"})
    repo.commit(
        1,
        {"posts/2020-01-02-one.md": "---\nslug: /one\n---\n", "posts/A.md": "---\nurl: /b/\n---\n"},
    )
    repo.commit(1, {"posts/2020-01-02-two.md": "---\npermalink: /:title/\n---\n"})
    pages = dict.fromkeys(["docs/index.html", "blog/one.html", "a.html", "two/index.html"], PAGE)
    found = sources(repo, pages, "posts/*-{name}.md", "posts/{path}.md")
    assert {page: each for page, each in found.items() if each} == {
        "blog/one.html": ["posts/2020-01-02-one.md"],
        "two/index.html": ["posts/2020-01-02-two.md"],
    }


def test_a_post_that_is_not_published_is_not_the_source_of_a_page_with_its_name(
    repo: Repo, monkeypatch: pytest.MonkeyPatch
) -> None:
    repo.commit(
        1, {f"_posts/2020-01-0{day}-{name}.md": f"---\n{meta}\n---\n" for day, name, meta in POSTS}
    )
    repo.commit(2, {"_config.yml": "", ".gitignore": "_site/\n", "d.md": "---\ndraft: true\n---\n"})
    write(repo / "_site", {f"{name}/index.html": PAGE for name in "abcd"})
    monkeypatch.chdir(repo.path)
    found = {file.path[0]: [*map(os.path.relpath, file.sources)] for file in find_site().files()}
    assert found == {"a": ["_posts/2020-01-01-a.md"], "b": [], "c": [], "d": ["d.md"]}


def test_the_day_in_a_url_tells_posts_of_one_name_apart(repo: Repo) -> None:
    repo.commit(1, {"posts/2020-01-02-one.md": "", "posts/2021-01-02-one.md": ""})
    pages = dict.fromkeys(["2020/01/02/one.html", "2021/01/02/one.html", "tags/one.html"], PAGE)
    found = sources(repo, pages, "posts/????-??-??-{name}.md")
    assert found["2020/01/02/one.html"] == ["posts/2020-01-02-one.md"]
    assert found["2021/01/02/one.html"] == ["posts/2021-01-02-one.md"]
    assert found["tags/one.html"] == []


def test_a_source_with_the_exact_name_stays_certain_if_another_pattern_fits_it_too(
    repo: Repo,
) -> None:
    repo.commit(1, {"x/a.md": "", "data/A.yml": ""})
    patterns = ("{path}.md", "x*/{name}.md", "data/{name}.yml")
    assert sources(repo, {"x/a.html": PAGE}, *patterns) == {"x/a.html": ["x/a.md", "data/A.yml"]}
    found = sources(repo, {"y/a.html": PAGE}, *patterns)
    assert found == {"x/a.html": ["x/a.md"], "y/a.html": []}, "two pages fit what is not exact"


def test_the_case_of_a_name_does_not_matter_if_a_single_file_fits(repo: Repo) -> None:
    repo.commit(
        1,
        {
            "text/Method/Abs.md": "",
            "text/A.md": "",
            "text/a/index.md": "",
            "text/B.md": "",
            "text/b.MD": "",
        },
    )
    pages = dict.fromkeys(["method/abs/index.html", "a/index.html", "b/index.html"], PAGE)
    found = sources(repo, pages, "text/{path}.md")
    assert found == {
        "a/index.html": ["text/a/index.md"],
        "b/index.html": [],
        "method/abs/index.html": ["text/Method/Abs.md"],
    }


def test_a_page_without_another_source_has_the_one_that_readers_can_edit(repo: Repo) -> None:
    repo.commit(1, {"README.md": "", "text/a.md": "", "text/b.md": "", "text/c.md": "", "b.md": ""})
    pages = {
        "a.html": EDIT.format("docs/text/a.md"),
        "b.html": EDIT.format("b.md"),
        "c.html": EDIT.format("text/b.md"),
        "made.html": EDIT.format("text/index.md"),
        "one.html": EDIT.format("README.md"),
        "two.html": EDIT.format("README.md"),
        "three.html": EDIT.format("text/c.md") + EDIT.format("text/a.md"),
        "far.html": EDIT.format("other/b.md"),
    }
    found = sources(repo, pages)
    assert {page: each for page, each in found.items() if each} == {
        "a.html": ["text/a.md"],
        "b.html": ["b.md"],
        "c.html": ["text/b.md"],
    }
    assert sources(repo, {"c.html": pages["c.html"]}, "text/{path}.md")["c.html"] == ["text/c.md"]
    repo.git("remote", "add", "origin", "git@git.example:a/other.git")
    assert not any(sources(repo, {}).values())


def test_a_source_that_pages_of_other_languages_share_is_that_of_the_page_without_a_language(
    repo: Repo,
) -> None:
    repo.commit(1, {"text/a.md": ""})
    pages = ["a/index.html", "de/a/index.html", "pt-br/a/index.html"]
    found = sources(repo, dict.fromkeys(pages, EDIT.format("text/a.md")))
    assert found == {"a/index.html": ["text/a.md"], "de/a/index.html": [], "pt-br/a/index.html": []}


def test_a_site_outside_the_repository_is_its_own_source(
    repo: Repo, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    repo.commit(1, {"text/a.md": ""})
    monkeypatch.chdir(repo.path)
    write(tmp_path / "far", {"a.html": EDIT.format("text/a.md")})
    (file,) = find_site(str(tmp_path / "far")).files()
    assert file.sources == (str(tmp_path / "far/a.html"),)


def test_what_is_usual_is_a_guess_that_a_page_can_correct(
    repo: Repo, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of two files, or of a README.md at the root of the project, nobody knows whether they are the
    source.
    """
    names = (
        "README.md",
        "CHANGES.md",
        "about.md",
        "src/about.md",
        "src/guide/guide.md",
        "content/b.md",
    )
    repo.commit(1, {**dict.fromkeys(names, ""), "eleventy.config.js": "", ".gitignore": "_site/\n"})
    pages = dict.fromkeys(
        ["index.html", "about/index.html", "guide/index.html", "changes/index.html"], PAGE
    )
    write(repo / "_site", {**pages, "b/index.html": EDIT.format("src/about.md")})
    monkeypatch.chdir(repo.path)
    found = {file.path: [*map(os.path.relpath, file.sources)] for file in find_site().files()}
    assert {page: each for page, each in found.items() if each} == {
        "guide/index.html": ["src/guide/guide.md"],
        "b/index.html": ["src/about.md"],
    }


def test_an_empty_path_is_that_of_the_home_page(repo: Repo) -> None:
    repo.commit(1, {"app/page.tsx": "", "app/about/page.tsx": ""})
    found = sources(repo, {"index.html": PAGE, "about.html": PAGE}, "app/{path}/page.tsx")
    assert found == {"index.html": ["app/page.tsx"], "about.html": ["app/about/page.tsx"]}


def test_of_files_that_describe_a_project_jekyll_renders_its_readme_only(
    repo: Repo, monkeypatch: pytest.MonkeyPatch
) -> None:
    repo.commit(1, {"_config.yml": "", "README.md": "", "LICENSE.md": "", ".gitignore": "_site/\n"})
    write(repo / "_site", {"index.html": PAGE, "license/index.html": PAGE})
    monkeypatch.chdir(repo.path)
    found = {file.path: [*map(os.path.relpath, file.sources)] for file in find_site().files()}
    assert found == {"index.html": ["README.md"], "license/index.html": []}
