"""The dates of a site are compared with the history of the files that counted in its build."""

import json
from collections.abc import Callable

import pytest

from smindex_plugins.cli.main import main
from tests.support.command import PAGE, SITE, findings
from tests.support.history import Repo

Summary = Callable[..., str]
CONFIGURATION = f"""[tool.smindex]
directory = "site"
site_url = "{SITE}"
sources = ["docs/{{path}}.md"]
depends = {{"d/" = ["data/*.yml"]}}
ignore_commits = ["^Reformat"]
"""


@pytest.fixture
def project(repo: Repo, monkeypatch: pytest.MonkeyPatch) -> Repo:
    """Make a project whose pages git, their author or nobody dates, and build it."""
    texts: dict[str, str | None] = {f"docs/{name}.md": name for name in "abd"}
    texts |= {"docs/c.md": "---\nlastmod: 2020-01-01\n---\n", "data/a.yml": "1"}
    repo.commit(3, {".gitignore": "site/\n", "pyproject.toml": CONFIGURATION, **texts})
    for name in ("a", "b", "c", "d", "generated"):
        repo.put(f"site/{name}/index.html", PAGE)
    monkeypatch.chdir(repo.path)
    assert main(["build", "-q"]) == 0
    return repo


@pytest.fixture
def summary(capsys: pytest.CaptureFixture[str]) -> Summary:
    """Check the site, and give the line that counts."""

    def checked(*arguments: str) -> str:
        capsys.readouterr()
        main(["check", *arguments])
        return next(line for line in capsys.readouterr().out.splitlines() if " in 1 index" in line)

    return checked


def test_dates_that_were_compared_are_counted_and_the_others_with_the_reason(
    project: Repo, summary: Summary, capsys: pytest.CaptureFixture[str]
) -> None:
    told = "compared dates of 3 of 5 pages (1 dated by the author, 1 without a date)"
    assert summary("--dates").endswith(told)
    assert "compared" not in summary()
    project.commit(4, {"docs/a.md": "Reformatted"}, message="Reformat")
    assert findings(capsys, "--dates", code=0) == [], "the build ignores such commits too"
    main(["check", "--dates", "--format", "json"])
    assert json.loads(capsys.readouterr().out)["summary"]["dates_compared"] == 3


@pytest.mark.parametrize(("changed", "page"), [("docs/b.md", "b/"), ("data/a.yml", "d/")])
def test_a_page_is_as_new_as_all_files_that_count(
    project: Repo, capsys: pytest.CaptureFixture[str], changed: str, page: str
) -> None:
    project.commit(4, {changed: "changed"})
    (found,) = findings(capsys, "--dates", code=0)
    assert (found["check"], found["url"]) == ("false-date", SITE + page)
    assert (
        found["problem"]
        == f"lists {SITE}{page} with the date 2020-09-16T12:26:40Z, but the date in git is"
        " 2020-09-17T12:26:40Z."
    )
    assert found["source"] == f"docs/{page[0]}.md"


def test_an_edited_date_is_false(project: Repo, capsys: pytest.CaptureFixture[str]) -> None:
    for path in (project / "site").rglob("sitemap-root.xml"):
        path.write_text(path.read_text().replace("2020-09-16T12", "2020-09-16T13", 1))
    assert "false-date" in {found["check"] for found in findings(capsys, "--dates", code=0)}


def test_without_a_record_dates_cannot_be_compared(
    project: Repo, capsys: pytest.CaptureFixture[str]
) -> None:
    for path in (project / ".smindex_cache").glob("*.gz"):
        path.write_bytes(b"")
    capsys.readouterr()
    assert main(["check", "--dates"]) == 2
    assert (
        capsys.readouterr().err
        == "smindex: --dates: site: its build is not recorded. Build the site again, and run the"
        " command in its project.\n"
    )
