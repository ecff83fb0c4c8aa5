"""What the README shows is what happens."""

import os
import re
import subprocess
from pathlib import Path

import pytest

from smindex_plugins.cli.main import main
from tests.support.planted import index, urlset, write
from tests.support.project import Project

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")
BUILD, TESTS = re.findall(r"```sh\n(python3 -m venv .+?)\n```", README)
"""The commands for a fresh machine: one builds a sample site, and one runs the tests."""


DATE = r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ"


def test_it_is_a_page_that_is_read_to_its_end() -> None:
    assert 150 <= len(README.splitlines()) <= 200
    assert "sitemap-index" in "".join(README.splitlines()[:12])
    assert " -m pytest " in TESTS


def test_every_link_leads_somewhere() -> None:
    links = re.findall(r"\]\(([^)#]+)", README)
    assert len(links) > 10
    assert [link for link in links if not (ROOT / link).is_file()] == []


FAULTY = {
    "sitemap_index.xml": index("https://e.org/sitemap-root.xml", "https://e.org/guide/sitemap.xml"),
    "sitemap-root.xml": urlset(
        "https://e.org/", "<loc>https://e.org/about/</loc><lastmod>2026-02-30</lastmod>"
    ),
    "guide/sitemap.xml": urlset("https://e.org/guide/install/", "https://e.org/blog/hello/"),
    "robots.txt": "Sitemap: https://e.org/sitemap_index.xml\n",
}


def test_the_findings_that_it_shows_are_those_of_a_run(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """To write them anew, print what this compares.

    The address of what is run is not a placeholder.
    """
    write(tmp_path / "public", FAULTY)
    assert main(["check", str(tmp_path / "public")]) == 1
    shown = README.partition("<!-- check -->\n```text\n")[2].partition("```\n<!-- /check -->")[0]
    assert shown == capsys.readouterr().out.replace("https://e.org/", "https://example.org/")


def test_the_lost_urls_that_it_shows_begin_the_output(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """To write them anew, print what this compares."""
    home, page = "https://example.org/", "<!doctype html><title>A</title>{}<body>Text</body>"
    known = [home + path for path in ("", "faq/", "guide/install/", "news/")]
    write(tmp_path / "live", {"sitemap.xml": urlset(*known)})
    new = {path: page.format("") for path in ("index.html", "help/index.html", "blog/index.html")}
    new["faq/index.html"] = page.format(f'<meta http-equiv="refresh" content="0; url={home}help/">')
    new["sitemap.xml"] = urlset(home, home + "help/", home + "blog/")
    write(tmp_path / "site", new | {"_redirects": "/news/* /blog/:splat\n"})
    assert main(["diff", str(tmp_path / "live"), str(tmp_path / "site"), "--fail-on", "lost"]) == 1
    shown = README.partition("<!-- lost -->\n```text\n")[2].partition("```\n<!-- /lost -->")[0]
    printed = capsys.readouterr().out
    assert shown, printed
    assert printed.startswith(shown)


def test_the_exit_codes_are_those_that_it_names(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert (
        "If there are errors, the exit code is 1; with `--fail-on warning`, warnings count too."
        in README
    )
    warned = FAULTY | {
        "sitemap-root.xml": urlset("https://e.org/"),
        "robots.txt": "Sitemap: /sitemap_index.xml",
    }
    write(tmp_path, warned | {"guide/sitemap.xml": urlset("https://e.org/guide/")})
    codes = [main(["check", str(tmp_path), *more]) for more in ([], ["--fail-on", "warning"])]
    assert codes == [0, 1], capsys.readouterr().out


def test_the_dates_of_a_pull_request_and_of_a_deployment_are_as_it_says(tmp_path: Path) -> None:
    project = Project(tmp_path / "whole")
    project.small()
    project.git("clone", "-q", "--depth=1", f"file://{project.root}", str(tmp_path / "shallow"))
    shallow = Project(tmp_path / "shallow")
    request = {
        "GITHUB_ACTIONS": "true",
        "GITHUB_EVENT_NAME": "pull_request",
        "GITHUB_REF": "refs/pull/1/merge",
    }
    deployed = dict.fromkeys(request, "")
    assert "with `--strict`. Set `undated: fail` where you deploy" in README
    assert shallow.build("--strict", **request).code == 0
    assert shallow.build("--strict", **deployed).code == 1
    project.small("sitemap-index: {undated: fail}")
    assert project.build("--strict", **deployed).code == 0


def test_a_build_with_its_configuration_says_what_it_shows(tmp_path: Path) -> None:
    project = Project(tmp_path)
    (configuration,) = re.findall(r"```yaml\n(# mkdocs.yml\n.+?)```", README, re.DOTALL)
    project.write("mkdocs.yml", f"site_name: Test\n{configuration}")
    project.pages("index.md", "guide/a.md", "guide/b.md")
    project.commit("2024-01-01T00:00:00Z")
    (line,) = re.findall(r"^INFO .+", README, re.MULTILINE)
    assert re.search(re.escape(line).replace(r"0\.02", r"\d+\.\d+"), project.build().log)


def test_its_command_builds_a_sample_and_shows_the_index_that_it_shows(tmp_path: Path) -> None:
    """In a fresh clone, as printed.

    The dates that it shows were in the history, whatever was changed since then.
    """
    subprocess.run(["git", "clone", "-q", ROOT, tmp_path / "clone"], check=True)
    done = subprocess.run(
        ["bash", "-c", BUILD], cwd=tmp_path / "clone", capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    (shown,) = re.findall(r"```xml\n(.+?)```", README, re.DOTALL)
    assert _without_dates(done.stdout) == _without_dates(shown)
    log = [
        "git",
        "log",
        "--format=%cd",
        "--date=format-local:%Y-%m-%dT%H:%M:%SZ",
        "--",
        "sample_sites/garden",
    ]
    dates = subprocess.run(
        log, cwd=ROOT, env={**os.environ, "TZ": "UTC"}, capture_output=True, text=True, check=True
    )
    shown_dates = set(re.findall(DATE, shown))
    assert len(shown_dates) >= 3
    assert len(set(re.findall(DATE, done.stdout))) >= 3
    assert shown_dates <= set(dates.stdout.split())


def _without_dates(text: str) -> str:
    return re.sub(DATE, "DATE", text)
