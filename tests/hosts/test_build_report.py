"""The option `report`: each host writes a report of its build, with what only the build knows, and asks no server."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
from lxml import html

from smindex_plugins.cli.main import main
from tests.support.blog import PLUGIN, SITEURL, Blog, Output
from tests.support.command import PAGE
from tests.support.gitrepo import Repo
from tests.support.project import Project
from tests.support.worlds import blog

NO_NETWORK = """
import socket
def refuse(*_):
    raise AssertionError("asked a server")
socket.socket.connect = refuse
open("guarded", "w").close()
"""


def numbers(path: Path) -> dict[str, str]:
    page = html.document_fromstring(path.read_text(encoding="utf-8"))
    return {card.findtext("dt") or "": card.findtext("dd") or "" for card in page.xpath("//dl/div")}


def test_mkdocs_writes_the_report_beside_its_configuration(tmp_path: Path) -> None:
    project = Project(tmp_path)
    project.small("sitemap-index: {report: reports/sitemaps.html}")
    (tmp_path / "sitecustomize.py").write_text(NO_NETWORK)
    built = project.build(PYTHONPATH=f"{tmp_path}:{Path(__file__).parents[2]}")
    assert built.code == 0, built.log
    assert (tmp_path / "guarded").exists()
    shown = numbers(tmp_path / "reports/sitemaps.html")
    assert (shown["pages"], shown["without a date"], shown["left out"]) == (str(len(built.pages)), "0", "1")
    assert not list(built.directory.rglob("sitemaps.html"))


def test_pelican_writes_the_report(tmp_path: Path) -> None:
    blog(tmp_path)
    with (tmp_path / "pelicanconf.py").open("a") as settings:
        settings.write('\nSITEMAP_INDEX = {"report": "report.json"}\n')
    command = [sys.executable, "-m", "pelican", "content", "-s", "pelicanconf.py"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True)
    result = json.loads((tmp_path / "report.json").read_text(encoding="utf-8"))
    assert f"{result['summary']['pages']} pages in" in done.stdout + done.stderr
    assert result["summary"]["left_out"] == len(result["left_out"])
    assert all(each["reason"] for each in result["left_out"])


def test_each_index_of_one_run_of_pelican_has_a_report_of_its_own(tmp_path: Path) -> None:
    site = Blog(tmp_path / "project")
    site.article("a-en.md", slug="a", lang="en")
    site.article("a-de.md", slug="a", lang="de")
    site.article("only-en.md", lang="en")
    german = {"de": {"SITEURL": "https://de.e.org"}}  # shorter than that of the main site
    options = {"report": "reports/report.json"}
    output = site.run_apart(PLUGIN, "i18n_subsites", I18N_SUBSITES=german, SITEMAP_INDEX=options)
    others = Output(output.directory / "de", "https://de.e.org/")
    written = {path.name: json.loads(path.read_text("utf-8")) for path in (site.root / "reports").iterdir()}
    assert {name: (each["site"], each["summary"]["pages"]) for name, each in written.items()} == {
        "report.json": (f"{SITEURL}/", len(output.pages)),
        "report-de.e.org.json": ("https://de.e.org/", len(others.pages)),
    }


def test_indexes_of_one_address_have_a_report_each_too(tmp_path: Path) -> None:
    site = Blog(tmp_path / "project")
    for language in ("en", "de", "fr"):
        site.article(f"a-{language}.md", slug="a", lang=language)
    elsewhere = {name: {"SITEURL": "https://e.org/a", "OUTPUT_PATH": str(tmp_path / name)} for name in ("de", "fr")}
    site.run_apart(PLUGIN, "i18n_subsites", I18N_SUBSITES=elsewhere, SITEMAP_INDEX={"report": "report.md"})
    names = {"report.md", "report-e.org-a.md", "report-e.org-a-2.md"}
    assert {path.name for path in site.root.glob("report*")} == names


def test_no_report_of_a_run_is_in_the_directory_of_any_of_its_sites(tmp_path: Path) -> None:
    site = Blog(tmp_path / "project")
    site.article("a-en.md", slug="a", lang="en")
    site.article("a-de.md", slug="a", lang="de")
    german = {"de": {"SITEURL": "https://de.example.org"}}
    output = site.run_apart(
        PLUGIN, "i18n_subsites", I18N_SUBSITES=german, SITEMAP_INDEX={"report": "output/report.html"}
    )
    assert output.log.count("[report-in-site]") == 2
    assert not list(site.root.rglob("report*"))


@pytest.fixture
def repo(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Repo:
    repo = Repo.create(tmp_path / "project")
    for number in range(30):
        repo.put(f"docs/{number}.md")
        repo.put(f"site/{number}.html", PAGE)
    repo.put("pyproject.toml", '[tool.smindex]\nsite_url = "https://e-docs.org/"\ndirectory = "site"\n')
    monkeypatch.chdir(repo.path)
    return repo


def build(*options: str) -> int:
    return main(["build", "--sources", "docs/{path}.md", *options])


def test_the_report_of_a_build_knows_the_commits_and_why_pages_have_no_date(repo: Repo) -> None:
    repo.commit(0, {".gitignore": "site/\n"}, message="Reformat everything")
    repo.put("docs/new.md")
    repo.put("site/new.html", PAGE)
    assert build("--report", "report.html") == 0
    said = html.document_fromstring((repo / "report.html").read_text(encoding="utf-8")).xpath("//p[@class='bulk']")
    assert [each.text.rpartition(": ")[2] for each in said if "without a date" in each.text] == ["not committed to git"]
    assert any("“Reformat everything”" in each.text for each in said)


def test_a_report_in_the_published_directory_has_to_be_allowed(repo: Repo, capsys: pytest.CaptureFixture[str]) -> None:
    repo.commit(0)
    assert build("--report", "site/report.html", "--fail-on", "warning") == 1
    assert "[report-in-site]" in capsys.readouterr().out
    assert not (repo / "site/report.html").exists()
    for _ in range(2):  # what the first run wrote is a page of the directory in the second
        assert build("--report", "site/report.html", "--report-public", "--fail-on", "warning") == 0
    assert (repo / "site/report.html").exists()
    assert "report.html" not in (repo / "site/sitemap-root.xml").read_text(encoding="utf-8")


def test_a_dry_run_writes_no_report_and_a_report_that_cannot_be_written_is_told(
    repo: Repo, capsys: pytest.CaptureFixture[str]
) -> None:
    repo.commit(0)
    assert build("--report", "report.html", "--dry-run") == 0
    assert not (repo / "report.html").exists()
    assert build("--report", "docs/0.md/report.html") == 1
    assert "[cannot-write]" in capsys.readouterr().out
    assert (repo / "site/sitemap_index.xml").exists()
