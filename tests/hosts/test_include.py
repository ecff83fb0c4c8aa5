"""Files that are no pages, in real builds: with MkDocs, Pelican and `smindex build`."""

from pathlib import Path

import pytest

from smindex_plugins.cli.main import main
from tests.support.blog import Blog
from tests.support.command import findings
from tests.support.gitrepo import Repo
from tests.support.listed import listed
from tests.support.project import BASE, FIRST, SECOND, SMALL, THIRD, Project

PDF = "%PDF-1.4\n"


@pytest.mark.parametrize("host", ["mkdocs", "properdocs"])
def test_mkdocs_lists_a_file_with_its_own_date_beside_a_page_of_its_name(project: Project, host: str) -> None:
    project.small("sitemap-index: {include: ['**/*.pdf'], exclude: ['private/*.pdf']}")
    for path in ("guide/b.pdf", "top.pdf", "private/c.pdf"):
        project.write(f"docs/{path}", PDF)
    project.write("docs/guide/data.csv", "a,b\n")
    project.commit(THIRD)
    built = project.build("--strict", host=host)
    assert built.code == 0, built.log
    assert built.pages == SMALL | {f"{BASE}guide/b.pdf": THIRD, f"{BASE}top.pdf": THIRD}
    assert built.files == ["guide/sitemap.xml", "sitemap-root.xml"]
    assert "left out: 1 excluded by `private/*.pdf`" in built.log
    assert built.flat.keys() == SMALL.keys()
    assert project.build("--strict", host=host).ours == built.ours


def test_a_file_that_a_hook_writes_has_no_date_unless_depends_says_what_it_is_made_of(project: Project) -> None:
    hook = (
        "import pathlib\ndef on_post_build(config):\n    pathlib.Path(config.site_dir, 'all.pdf').write_text('%PDF')\n"
    )
    project.small("sitemap-index: {include: all.pdf}", hooks="[hook.py]")
    project.write("hook.py", hook)
    built = project.build()
    assert built.pages == SMALL | {f"{BASE}all.pdf": None}
    assert "1 of 4 pages: no reliable date was found, so <lastmod> is left out: 1 generated" in built.log
    project.small("sitemap-index: {include: all.pdf, depends: {all.pdf: ['docs/**']}}", hooks="[hook.py]")
    assert project.build("--strict").pages[f"{BASE}all.pdf"] == SECOND


def test_a_pattern_without_a_file_is_a_warning_with_the_nearest_one(project: Project) -> None:
    project.small("sitemap-index: {include: ['guides/', 'guide/']}")
    project.write("docs/guide/b.pdf", PDF)
    built = project.build()
    assert "include[0]: `guides/` matches no file of the output that is no page. Did you mean `guide/`?" in built.log
    assert f"{BASE}guide/b.pdf" in built.pages


def test_pelican_lists_static_files_with_the_dates_of_their_sources(tmp_path: Path) -> None:
    blog = Blog(tmp_path)
    blog.article("plan.md", modified="2021-01-01")
    blog.write("content/files/plan.pdf", PDF)
    blog.write("content/extra/moved.pdf", PDF)
    blog.commit(FIRST)
    blog.write("content/linked.txt", "text")
    blog.write("content/b.md", "Title: b\nDate: 2020-01-01\n\n[t]({attach}linked.txt)\n")
    blog.commit(SECOND)
    output = blog.run(
        STATIC_PATHS=["files", "extra"],
        EXTRA_PATH_METADATA={"extra/moved.pdf": {"path": "plan.pdf"}},
        SITEMAP_INDEX={"include": ["**/*.pdf", "linked.txt"]},
    )
    assert output.pages["plan.html"] == "2021-01-01"
    found = {path: date for path, date in output.pages.items() if not path.endswith(".html") and path}
    assert found == {"files/plan.pdf": FIRST, "plan.pdf": FIRST, "linked.txt": SECOND}


PAGE = "<!doctype html><title>A</title><p>Text"


def test_smindex_build_dates_a_file_by_the_file_it_was_copied_from(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    repo = Repo.create(tmp_path / "project")
    repo.commit(1, {".gitignore": "site/\n", "docs/a.md": "Text", "docs/a.pdf": PDF})
    repo.commit(2, {"docs/a.md": "Changed", "static/b.pdf": PDF})
    for path in ("site/index.html", "site/a/index.html"):
        repo.put(path, PAGE)
    for path in ("site/a.pdf", "site/b.pdf", "site/c.pdf"):
        repo.put(path, PDF)
    monkeypatch.chdir(tmp_path / "project")
    arguments = ["--site-url", "https://e.org/", "--sources", "docs/{path}.md", "--set", "include=*.pdf"]
    assert main(["build", "site", *arguments]) == 0
    dates = listed(Path("site"))
    assert dates["https://e.org/a.pdf"] != dates["https://e.org/a/"]
    assert dates["https://e.org/b.pdf"] == dates["https://e.org/a/"]
    assert dates["https://e.org/c.pdf"] is None
    assert findings(capsys, "site", "--sources", ".") == []
    repo.put(
        "pyproject.toml",
        '[tool.smindex]\ndirectory = "site"\nsite_url = "https://e.org/"\nsources = "docs/{path}.md"\n',
    )
    assert main(["explain", "https://e.org/a.pdf"]) == 0
    assert "docs/a.pdf got its present content in commit" in capsys.readouterr().out


def test_without_sources_a_file_of_the_output_is_its_own_source(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    repo = Repo.create(tmp_path / "project")
    repo.commit(1, {"index.html": PAGE})
    repo.commit(2, {"a.pdf": PDF})
    monkeypatch.chdir(tmp_path / "project")
    for _ in range(2):  # the second time, there are sitemaps
        assert main(["build", ".", "--site-url", "https://e.org/", "--set", "include=**"]) == 0
        dates = listed(Path())
        assert dates.keys() == {"https://e.org/", "https://e.org/a.pdf"}
        assert dates["https://e.org/a.pdf"] != dates["https://e.org/"]
