"""Lost pages that were renamed: what git shows of their sources, and the redirects that bring their
URLs back.
"""

import json
import shutil
from pathlib import Path

import pytest

from smindex_plugins.cli.main import main
from smindex_plugins.projects.find import find_site
from smindex_plugins.projects.renames import renames
from smindex_plugins.record.find import Record, find_record
from tests.support.command import PAGE
from tests.support.history import Repo
from tests.support.planted import write
from tests.support.project import BASE, FIRST, SECOND, THIRD, Project

TEXT = "".join(f"Line {number} of the page about this and that.\n" for number in range(40))
OTHER = "".join(f"{number} things are said here of something else.\n" for number in range(40))
NAMES = (
    "index",
    "guide/plain",
    "guide/edited",
    "guide/two/README",
    "Case",
    "a b/ü",
    "deleted",
    "2024-01-02-day",
)


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Project:
    """Give a site that was built before pages are moved."""
    project = Project(tmp_path)
    project.config()
    project.write(".gitignore", "site*/\n")
    for name in NAMES:
        project.write(f"docs/{name}.md", f"# {name}\n\n{TEXT.replace('page', name)}")
    project.write("docs/split.md", f"# Split\n\n{TEXT}{OTHER}")
    project.commit(FIRST)
    project.build(site="site.before")
    monkeypatch.chdir(tmp_path)
    return project


def move(project: Project, names: dict[str, str]) -> None:
    for old, new in names.items():
        path = project.root / "docs" / new
        path.parent.mkdir(exist_ok=True)
        shutil.move(project.root / "docs" / old, path)


def test_the_redirects_of_renamed_pages_bring_their_urls_back(
    project: Project, capsys: pytest.CaptureFixture[str]
) -> None:
    once = {"guide/edited.md": "howto/edited.md", "Case.md": "case.md", "a b/ü.md": "a b/it's ö.md"}
    move(project, {**once, "guide/plain.md": "guide/middle.md", "guide/two": "two"})
    edited = project.root / "docs/howto/edited.md"
    edited.write_text(
        edited.read_text(encoding="utf-8").replace("Line 1", "Another line 1"), encoding="utf-8"
    )
    for name, text in {"split-1": TEXT, "split-2": OTHER}.items():
        project.write(f"docs/{name}.md", f"# Split\n\n{text}")
    for name in ("split", "deleted"):
        (project.root / f"docs/{name}.md").unlink()
    project.commit(SECOND)
    move(project, {"guide/middle.md": "reference/plain.md"})
    project.commit(THIRD)
    project.build()

    assert main(["diff", "site.before", "site", "--fail-on", "lost", "--redirects", "lines"]) == 1
    printed = capsys.readouterr().out.partition("\n\nadded")[0].replace(BASE, "")
    lines = [line.partition(" (")[0] for line in printed.splitlines()]
    assert lines == [
        *("lost", "  - deleted/", "  - split/", "", "renamed"),
        "  - Case/ → case/",
        "  - a%20b/%C3%BC/ → a%20b/it%27s%20%C3%B6/",
        "  - guide/edited/ → howto/edited/",
        "  - guide/plain/ → reference/plain/",
        "  - guide/two/ → two/",
    ]
    text = (
        "(docs/Case.md is now docs/case.md; add to redirect_maps in mkdocs.yml: 'Case.md':"
        " 'case.md')"
    )
    assert text in printed

    shutil.copy(project.root / "lines", project.root / "site/_redirects")
    maps = [line.partition("mkdocs.yml: ")[2].removesuffix(")") for line in printed.splitlines()]
    maps = [f"        {line}\n" for line in maps if line]
    project.config("sitemap-index", f"redirects:\n      redirect_maps:\n{''.join(maps)}")
    project.build(site="site.after")
    for site in ("site", "site.after"):
        assert main(["diff", "site.before", site, "--max-lost", "2"]) == 0
        assert "redirected (5)" in capsys.readouterr().out


def test_all_pages_of_a_renamed_directory_are_renamed(project: Project) -> None:
    move(project, {"guide": "howto", "2024-01-02-day.md": "blog/2024-01-02-day.md"})
    project.commit(SECOND)
    project.build()
    assert main(["diff", "site.before", "site", "--redirects", "lines", "-q"]) == 0
    assert (project.root / "lines").read_text(encoding="utf-8").splitlines() == [
        "/docs/2024-01-02-day/ /docs/blog/2024-01-02-day/ 301",
        "/docs/guide/edited/ /docs/howto/edited/ 301",
        "/docs/guide/plain/ /docs/howto/plain/ 301",
        "/docs/guide/two/ /docs/howto/two/ 301",
    ]


def test_the_project_of_an_index_file_is_used_and_a_wrong_one_is_a_note(
    project: Project, capsys: pytest.CaptureFixture[str]
) -> None:
    move(project, {"Case.md": "howto/case.md"})
    project.commit(SECOND)
    project.build()
    assert (
        main(["diff", "site.before", "site/sitemap_index.xml", "--redirects", "lines", "-q"]) == 0
    )
    assert (project.root / "lines").read_text(
        encoding="utf-8"
    ) == "/docs/Case/ /docs/howto/case/ 301\n"
    assert (
        main(["report", "site/sitemap_index.xml", "--since", "site.before", "--format", "json"])
        == 0
    )
    assert json.loads(capsys.readouterr().out)["changes"]["gone"][0]["fate"] == "renamed"
    project.write("pyproject.toml", "[tool.smindex]\nexclud = []\n")
    assert main(["diff", "site.before", "site"]) == 0
    note = (
        "not compared: information about removed pages from the project (pyproject.toml:"
        " [tool.smindex] exclud: "
    )
    assert note in capsys.readouterr().out


def test_the_redirects_of_the_author_stay_through_a_rename_and_its_deployment(
    project: Project, capsys: pytest.CaptureFixture[str]
) -> None:
    own = (
        "# by hand\r\n/docs/old/  /docs/Case/   302  # kept\r\n/docs/deleted/* /docs/:splat 410\r\n"
    )
    file = project.root / "docs/_redirects"
    file.write_bytes(own.encode())
    move(project, {"Case.md": "howto/case.md"})
    (project.root / "docs/deleted.md").unlink()
    project.commit(SECOND)
    project.build()
    diff = ["diff", "site.before", "site", "--redirects", "docs/_redirects", "-q"]
    assert main([*diff, "--fail-on", "lost"]) == 1
    added = f"{own}/docs/Case/ /docs/howto/case/ 301\r\n".encode()
    assert file.read_bytes() == added

    project.build()
    assert main([*diff, "--fail-on", "lost"]) == 0
    assert file.read_bytes() == (project.root / "site/_redirects").read_bytes() == added
    assert not capsys.readouterr().err.count("Case/ redirect")

    move(project, {"howto/case.md": "Case.md"})
    project.commit(THIRD)
    project.build()
    assert main(["diff", "site.before", "site", "--redirects", "new", "-q"]) == 0
    assert not (project.root / "new").exists()


SITE = "https://e.org/"
GENERATORS = {
    "hugo.toml": (
        "baseURL = 'https://e.org/'\n",
        "content/{}.md",
        "public/{}/index.html",
        'aliases: ["/old/"]',
    ),
    "pelicanconf.py": (
        "SITEURL = 'https://e.org'\nPATH = '.'\n",
        "pages/{}.md",
        "output/{}.html",
        "Alias: /old.html",
    ),
    "conf.py": (
        "html_baseurl = 'https://e.org/'\n",
        "{}.rst",
        "_build/html/{}.html",
        '"old.rst": "new.rst"',
    ),
    "docs/conf.py": (
        *(
            "project = 'A'\nrediraffe_redirects = 'redirects.txt'\n",
            "docs/{}.rst",
            "docs/_build/html/{}.html",
        ),
        'docs/redirects.txt: "old.rst" "new.rst"',
    ),
    "_config.yml": (
        *("url: https://e.org\n", "_posts/2024-01-02-{}.md", "_site/{}.html"),
        "/old.html /new.html 301",
    ),
    "zensical.toml": (
        "project.site_name = 'A'\n",
        "docs/{}.md",
        "site/{}/index.html",
        '"old.md" = "new.md"',
    ),
}


@pytest.mark.parametrize("name", GENERATORS)
def test_each_generator_has_a_format(
    repo: Repo, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    text, source, output, line = GENERATORS[name]
    repo.commit(0, {name: text, source.format("old"): TEXT})
    repo.move(source.format("old"), source.format("new"))
    repo.commit(1)
    directory = output.partition("/{}")[0]
    write(repo.path, {f"{directory}/index.html": PAGE, output.format("new"): PAGE})
    monkeypatch.chdir(repo.path)
    path = output.partition("/{}")[2].replace("index.html", "")
    found, notes = renames(find_site(directory), None, [f"{SITE}old{path}"], SITE)
    to, why = found[f"{SITE}old{path}"]
    assert to == f"{SITE}new{path}"
    assert why.endswith(f" {line}")
    assert notes == []


def test_a_date_before_a_name_and_its_case_are_no_part_of_the_url(
    repo: Repo, monkeypatch: pytest.MonkeyPatch
) -> None:
    options = "[tool.smindex]\ndirectory = 'site'\nsources = ['posts/{path}.md']\n"
    repo.commit(0, {"pyproject.toml": options, "posts/2024-01-02-Old.md": TEXT})
    repo.move("posts/2024-01-02-Old.md", "posts/new.md")
    repo.commit(1)
    write(repo.path, {"site/index.html": PAGE, "site/new.html": PAGE})
    monkeypatch.chdir(repo.path)
    assert (
        renames(find_site("site"), None, [f"{SITE}old.html"], SITE)[0][f"{SITE}old.html"][0]
        == f"{SITE}new.html"
    )


def test_a_page_can_have_had_several_sources_one_after_the_other(
    repo: Repo, monkeypatch: pytest.MonkeyPatch
) -> None:
    options = "[tool.smindex]\ndirectory = 'site'\nsources = ['{path}.rst', '{path}.md']\n"
    repo.commit(0, {"pyproject.toml": options, "old.rst": TEXT})
    repo.move("old.rst", "old.md")
    repo.commit(1)
    repo.move("old.md", "new.md")
    repo.commit(2)
    write(repo.path, {"site/index.html": PAGE, "site/new.html": PAGE})
    monkeypatch.chdir(repo.path)
    to, why = renames(find_site("site"), None, [f"{SITE}old.html"], SITE)[0][f"{SITE}old.html"]
    assert (to, why.partition(";")[0]) == (f"{SITE}new.html", "old.md is now new.md")


def test_the_record_of_the_build_has_the_new_url(
    repo: Repo, monkeypatch: pytest.MonkeyPatch
) -> None:
    options = (
        f"[tool.smindex]\ndirectory = 'site'\nsite_url = '{SITE}'\nsources = ['docs/{{path}}.md']\n"
    )
    texts: dict[str, str | None] = {
        "docs/old.md": TEXT,
        "docs/public.md": f"---\nsitemap: false\n---\n{OTHER}",
    }
    repo.commit(0, {"pyproject.toml": options, **texts})
    repo.move("docs/old.md", "docs/new.md")
    repo.move("docs/public.md", "docs/secret.md")
    repo.commit(1)
    write(repo.path, {f"site/{name}.html": PAGE for name in ("index", "new", "secret")})
    monkeypatch.chdir(repo.path)
    assert main(["build", "-q", "--clean-urls"]) == 0
    site, lost = find_site("site"), [f"{SITE}old.html", f"{SITE}public.html"]

    def found(record: Record | None) -> dict[str, str]:
        return {url: to for url, (to, _) in renames(site, record, lost, SITE)[0].items()}

    assert found(None) == {lost[0]: f"{SITE}new.html", lost[1]: f"{SITE}secret.html"}, "a guess"
    assert found(find_record("site", site.project)) == {lost[0]: f"{SITE}new"}, (
        "the other is in no sitemap"
    )


def test_pages_without_sources_are_their_own(repo: Repo, monkeypatch: pytest.MonkeyPatch) -> None:
    repo.commit(
        0, {"index.html": PAGE, "old.html": PAGE.replace("Text", TEXT), "both/index.html": PAGE}
    )
    repo.move("old.html", "new/index.html")
    repo.commit(1)
    monkeypatch.chdir(repo.path)
    lost = [
        f"{SITE}{path}"
        for path in ("old.html", "old", "missing", "old.html?page=2", "%2e%2e%2fold.html")
    ]
    found, _ = renames(find_site("."), None, [*lost, "https://other.org/old.html"], SITE)
    redirect = "old.html is now new/index.html; add to _redirects: {} /new/ 301"
    assert found == {
        lost[0]: (f"{SITE}new/", redirect.format("/old.html")),
        lost[1]: (f"{SITE}new/", redirect.format("/old")),
    }
