"""Versions that the real mike deploys into a real branch become one root index."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from smindex_plugins.cli.main import main
from tests.support.command import listed
from tests.support.gitrepo import ISOLATED, Repo, day
from tests.support.listed import listed as pages

BASE = "https://e.org/docs/"
INDEX = "sitemap_index.xml"
PAGES = {"docs/index.md": "# Home", "docs/guide/a.md": "# A", "docs/guide/b.md": "# B"}
EVERY = ("guide/sitemap.xml", "sitemap-root.xml")


class Versioned:
    """A repository whose documentation mike deploys, and a clone of the branch to which it does."""

    def __init__(self, path: Path, **mike: object) -> None:
        self.repo = Repo(path / "repo")
        self.root = path / "gh-pages"
        self._mike = mike
        self._days = 0

    def create(self, *, with_plugin: bool) -> None:
        Repo.create(self.repo.path)
        site_url = BASE + str(self._mike.get("deploy_prefix", ""))  # mike leaves its prefix out of the address
        plugins: list[object] = [{"mike": self._mike}, *(["sitemap-index"] if with_plugin else [])]
        config = {"site_name": "S", "site_url": f"{site_url.rstrip('/')}/", "theme": "mkdocs", "plugins": plugins}
        self.repo.commit(0, {"mkdocs.yml": json.dumps(config), **PAGES})

    def copy(self, path: Path) -> "Versioned":
        copied = Versioned(path)
        shutil.copytree(self.repo.path, copied.repo.path)
        copied._days = self._days
        copied.check_out()
        return copied

    def check_out(self) -> None:
        shutil.rmtree(self.root, ignore_errors=True)
        self.repo.git("clone", "--quiet", "--branch", "gh-pages", str(self.repo.path), str(self.root))

    def commit_joined(self) -> None:
        """Commit what was joined to the branch, and push it, as a workflow does."""
        for arguments in (
            ["add", "-A"],
            ["commit", "--quiet", "-m", "Join"],
            ["push", "--quiet", "origin", "gh-pages"],
        ):
            self.repo.git("-C", str(self.root), *arguments)

    def edit(self, page: str) -> None:
        self._days += 1
        self.repo.commit(self._days, {page: f"# Edited on day {self._days}"})

    def mike(self, *arguments: str) -> None:
        """Run mike, and check out what it made."""
        program = str(Path(sys.executable).with_name("mike"))
        dates = {"GIT_COMMITTER_DATE": f"{day(self._days)} +0000", "GIT_AUTHOR_DATE": f"{day(self._days)} +0000"}
        paths = os.pathsep.join([os.path.dirname(sys.executable), os.environ["PATH"]])
        done = subprocess.run(
            [program, *arguments],
            cwd=self.repo.path,
            env={**os.environ, **ISOLATED, **dates, "PATH": paths},
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        self.check_out()

    def deploy(self, version: str, *aliases: str) -> None:
        self.mike("deploy", "--update-aliases", version, *aliases)

    def join(self, *arguments: str) -> dict[str, str | None]:
        assert main(["join", str(self.root), "--site-url", BASE, *arguments]) == 0
        return listed(self.root / INDEX)

    def check(self, capsys: pytest.CaptureFixture[str], level: str = "notice") -> None:
        capsys.readouterr()
        code = main(["check", str(self.root), "--site-url", BASE, "--fail-on", level])
        assert code == 0, capsys.readouterr().out


def deployed(path: Path, *versions: str, with_plugin: bool = True, **mike: object) -> Versioned:
    """Deploy versions, and an alias that goes to the last."""
    site = Versioned(path, **mike)
    site.create(with_plugin=with_plugin)
    for version in versions or ("2.0", "3.0"):
        site.edit("docs/guide/a.md")
        site.deploy(version, "latest")
    return site


@pytest.fixture(scope="module")
def three(tmp_path_factory: pytest.TempPathFactory) -> Versioned:
    return deployed(tmp_path_factory.mktemp("mike"), "1.0", "2.0", "3.0")


def sitemaps(*versions: str) -> list[str]:
    return [f"{version}/{name}" for version in versions for name in EVERY]


def test_each_version_has_an_index_of_its_own_with_the_dates_of_its_own_sources(three: Versioned) -> None:
    for number, version in enumerate(("1.0", "2.0", "3.0"), start=1):
        dates = pages(three.root / version, f"{BASE}{version}/")
        first, changed = (f"2020-09-{13 + day}T12:26:40Z" for day in (0, number))
        assert dates == {"": first, "guide/a/": changed, "guide/b/": first}


def test_only_the_canonical_version_is_joined(three: Versioned, capsys: pytest.CaptureFixture[str]) -> None:
    assert list(three.join("-v")) == sitemaps("3.0")
    assert "1.0: not joined; of these versions, only 3.0" in capsys.readouterr().out
    assert (three.root / "latest").is_symlink()
    three.check(capsys)


def test_others_are_joined_by_their_names_aliases_or_all(three: Versioned, capsys: pytest.CaptureFixture[str]) -> None:
    assert list(three.join("--versions", "1.0,latest")) == sitemaps("1.0", "3.0")
    three.check(capsys)
    found = three.join("--versions", "all")
    assert list(found) == sitemaps("1.0", "2.0", "3.0")
    three.check(capsys)
    assert main(["join", str(three.root), "--versions", "4.0"]) == 2
    assert "there is no version 4.0; known: 1.0, 2.0, 3.0, latest" in capsys.readouterr().err


def test_deploying_one_version_again_changes_one_entry(
    three: Versioned, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The index is on the branch, where mike leaves it alone."""
    site = three.copy(tmp_path)
    before = site.join("--versions", "all")
    site.commit_joined()
    site.edit("docs/guide/b.md")
    site.deploy("2.0")
    assert listed(site.root / INDEX) == before
    after = site.join("--versions", "all")
    assert after.keys() == before.keys()
    assert [path for path in after if after[path] != before[path]] == ["2.0/guide/sitemap.xml"]
    site.check(capsys)


def test_a_version_that_is_deleted_leaves_the_index(three: Versioned, tmp_path: Path) -> None:
    site = three.copy(tmp_path)
    site.join("--versions", "all")
    site.commit_joined()
    site.mike("delete", "2.0")
    assert list(site.join("--versions", "all")) == sitemaps("1.0", "3.0")


def test_the_alias_stable_decides_where_there_is_no_latest(
    three: Versioned, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    site = three.copy(tmp_path)
    site.mike("delete", "latest")
    assert list(site.join()) == sitemaps("3.0")
    site.mike("alias", "2.0", "stable")
    assert list(site.join()) == sitemaps("2.0")
    site.check(capsys)


@pytest.mark.parametrize("alias_type", ["symlink", "copy"])
def test_a_canonical_alias_is_joined_where_its_urls_are(
    tmp_path: Path, alias_type: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """Every version calls itself `latest`, and only one of them is served there."""
    site = deployed(tmp_path, canonical_version="latest", alias_type=alias_type)
    for arguments in ([], ["--versions", "all"]):
        assert list(site.join(*arguments, "-v")) == sitemaps("latest")
        site.check(capsys)


def test_a_canonical_alias_that_only_redirects_is_a_finding(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    site = deployed(tmp_path, canonical_version="latest", alias_type="redirect")
    assert main(["join", str(site.root), "--site-url", BASE]) == 1
    assert f"lists {BASE}latest/guide/sitemap.xml, which is outside {BASE}3.0/" in capsys.readouterr().out


@pytest.mark.parametrize("alias_type", ["copy", "redirect"])
def test_an_alias_that_is_no_link_is_not_listed_twice(
    tmp_path: Path, alias_type: str, capsys: pytest.CaptureFixture[str]
) -> None:
    site = deployed(tmp_path, alias_type=alias_type)
    for arguments, versions in (([], ["3.0"]), (["--versions", "all"], ["2.0", "3.0"])):
        assert list(site.join(*arguments)) == sitemaps(*versions)
        site.check(capsys)


def test_versions_below_the_root_are_joined_there(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    site = deployed(tmp_path, deploy_prefix="api/v")
    assert (site.root / "api" / "v" / "versions.json").exists()
    assert list(site.join()) == sitemaps("api/v/3.0")
    site.check(capsys)


def test_versions_without_the_plugin_are_joined_by_their_own_sitemaps(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    site = deployed(tmp_path, with_plugin=False)
    assert list(site.join()) == ["3.0/sitemap.xml"]
    site.check(capsys, "warning")  # older hosts write a changefreq, which is a notice
