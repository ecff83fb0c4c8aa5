"""Versions that the real mike deploys into a real branch become one root index."""

import json
import os
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from smindex_plugins.cli.main import main
from tests.support.command import findings, listed
from tests.support.history import ISOLATED, Repo, day
from tests.support.listed import listed as pages

BASE = "https://e.org/docs/"
INDEX = "sitemap_index.xml"
PAGES = {"docs/index.md": "# Home", "docs/guide/a.md": "# A", "docs/guide/b.md": "# B"}
EVERY = ("guide/sitemap.xml", "sitemap-root.xml")


class Versioned:
    """A repository whose documentation mike deploys, and a clone of the branch to which it does."""

    def __init__(self, path: Path, **mike: object) -> None:
        self.repo = Repo.create(path / "repo")
        self.root = path / "gh-pages"
        self._days = 0
        # mike leaves its prefix out of the address
        site_url = BASE + str(mike.get("deploy_prefix", ""))
        plugins = [{"mike": mike}, "sitemap-index"]
        config = {
            "site_name": "S",
            "site_url": f"{site_url.rstrip('/')}/",
            "theme": "mkdocs",
            "plugins": plugins,
        }
        self.repo.commit(0, {"mkdocs.yml": json.dumps(config), **PAGES})

    def edit(self, page: str) -> None:
        self._days += 1
        self.repo.commit(self._days, {page: f"# Edited on day {self._days}"})

    def mike(self, *arguments: str) -> None:
        """Run mike, and check out what it made."""
        dates = {
            "GIT_COMMITTER_DATE": f"{day(self._days)} +0000",
            "GIT_AUTHOR_DATE": f"{day(self._days)} +0000",
        }
        done = subprocess.run(
            ["mike", *arguments],
            cwd=self.repo.path,
            env={**os.environ, **ISOLATED, **dates},
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        shutil.rmtree(self.root, ignore_errors=True)
        self.repo.git(
            "clone", "--quiet", "--branch", "gh-pages", str(self.repo.path), str(self.root)
        )

    def deploy(self, version: str, *aliases: str) -> None:
        self.mike("deploy", "--update-aliases", version, *aliases)

    def join(self, *arguments: str) -> dict[str, str | None]:
        assert main(["join", str(self.root), "--site-url", BASE, *arguments]) == 0
        return listed(self.root / INDEX)

    def check(self, capsys: pytest.CaptureFixture[str]) -> None:
        assert findings(capsys, str(self.root), "--site-url", BASE) == []


def deployed(path: Path, *versions: str, **mike: object) -> Versioned:
    """Deploy versions, and an alias that goes to the last."""
    site = Versioned(path, **mike)
    for version in versions or ("2.0", "3.0"):
        site.edit("docs/guide/a.md")
        site.deploy(version, "latest")
    return site


def sitemaps(*versions: str) -> list[str]:
    return [f"{version}/{name}" for version in versions for name in EVERY]


def test_the_canonical_version_is_joined_or_all_also_after_one_is_deployed_again_or_deleted(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    site = deployed(tmp_path, "1.0", "2.0", "3.0")
    for number, version in enumerate(("1.0", "2.0", "3.0"), start=1):
        dates = pages(site.root / version, f"{BASE}{version}/")
        first, changed = (f"2020-09-{13 + day}T12:26:40Z" for day in (0, number))
        assert dates == {
            "": first,
            "guide/a/": changed,
            "guide/b/": first,
        }, "those of its own sources"
    assert list(site.join("-v")) == sitemaps("3.0")
    assert "1.0: not joined; of these versions, only 3.0 was selected" in capsys.readouterr().out
    site.check(capsys)
    before = site.join("--versions", "all")
    assert list(before) == sitemaps("1.0", "2.0", "3.0")
    # as a workflow does
    for command in ("add -A", "commit --quiet -m Join", "push --quiet origin gh-pages"):
        site.repo.git("-C", str(site.root), *command.split())
    site.edit("docs/guide/b.md")
    site.deploy("2.0")
    assert listed(site.root / INDEX) == before, "mike leaves the index alone"
    after = site.join("--versions", "all")
    assert after.keys() == before.keys()
    assert [path for path in after if after[path] != before[path]] == ["2.0/guide/sitemap.xml"]
    site.check(capsys)
    site.mike("delete", "2.0")
    assert list(site.join("--versions", "all")) == sitemaps("1.0", "3.0")


@pytest.mark.parametrize(
    ("mike", "canonical", "every"),
    [
        # Every version calls itself `latest`, and only one of them is served there.
        ({"canonical_version": "latest", "alias_type": "symlink"}, "latest", ["latest"]),
        ({"canonical_version": "latest", "alias_type": "copy"}, "latest", ["latest"]),
        # An alias that is no link is not listed twice.
        ({"alias_type": "copy"}, "3.0", ["2.0", "3.0"]),
        ({"alias_type": "redirect"}, "3.0", ["2.0", "3.0"]),
        ({"deploy_prefix": "api/v"}, "api/v/3.0", ["api/v/2.0", "api/v/3.0"]),
    ],
)
def test_each_page_is_listed_once_where_its_url_is_whatever_mike_makes_of_aliases(
    tmp_path: Path,
    mike: dict[str, Any],
    canonical: str,
    every: list[str],
    capsys: pytest.CaptureFixture[str],
) -> None:
    site = deployed(tmp_path, **mike)
    assert list(site.join()) == sitemaps(canonical)
    site.check(capsys)
    assert list(site.join("--versions", "all")) == sitemaps(*every)
    site.check(capsys)


def test_a_canonical_alias_that_only_redirects_is_a_finding(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    site = deployed(tmp_path, canonical_version="latest", alias_type="redirect")
    assert main(["join", str(site.root), "--site-url", BASE]) == 1
    assert (
        f"lists {BASE}latest/guide/sitemap.xml, which is outside {BASE}3.0/"
        in capsys.readouterr().out
    )
