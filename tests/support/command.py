"""The command, run in this process: what `smindex check` finds, and what `smindex join` lists."""

import json
from pathlib import Path
from typing import Any

import pytest

from smindex_plugins.base.model import Page
from smindex_plugins.base.settings import Settings
from smindex_plugins.base.site import Site
from smindex_plugins.cli.main import main
from smindex_plugins.joining.root_index import join_builds
from tests.support.history import publish_as_given
from tests.support.listed import read_entries


def findings(
    capsys: pytest.CaptureFixture[str], *arguments: str, code: int | None = None
) -> list[dict[str, str]]:
    capsys.readouterr()
    exit_code = main(["check", *arguments, "--format", "json"])
    printed = capsys.readouterr()
    assert not printed.err
    if code is not None:
        assert exit_code == code
    found: list[dict[str, str]] = json.loads(printed.out)["findings"]
    assert all(
        finding[key] for finding in found for key in ("check", "level", "where", "problem", "fix")
    )
    return found


def refused(capsys: pytest.CaptureFixture[str], *arguments: str) -> list[str]:
    """Run a command that can't run, and give its messages."""
    capsys.readouterr()
    assert main([*arguments]) == 2
    printed = capsys.readouterr()
    assert not printed.out
    lines = printed.err.splitlines()
    assert all(line.startswith("smindex: ") for line in lines)
    return [line.removeprefix("smindex: ") for line in lines]


SITE = "https://e.org/"
PAGE = "<!doctype html><title>A</title><body>Text</body>"

BASE = "https://e.org/docs/"
INDEX = "sitemap_index.xml"
DAY = "2026-01-01"


def make(
    root: Path,
    path: str = "",
    *pages: str,
    at: str | None = None,
    day: str = DAY,
    **settings: object,
) -> None:
    """Build a site as the plugins do, served where it lies or elsewhere."""
    directory = root / path
    site_url = (BASE + path if at is None else at).rstrip("/") + "/"
    listed = [
        Page(url=site_url + page, lastmod=day) for page in pages or ("", "guide/a", "guide/b")
    ]
    target = Site(url=site_url, directory=str(directory), settings=Settings.load(settings))
    found = {finding.check for finding in publish_as_given(listed, target).findings}
    assert found <= {"private-address"}  # that of the servers of these tests


def joined(root: Path, *checks: str, **options: Any) -> list[str]:  # noqa: ANN401 - those of `join_builds`
    """Join, with findings of some kinds, and give the paths of the sitemaps that the index lists,
    in its order.
    """
    result = join_builds(str(root), **options)
    found = {finding.check for finding in result.report.findings}
    assert found == {*checks}, found
    return [
        path for url in result.report.index_urls for path in listed(root / url.removeprefix(BASE))
    ]


def listed(path: Path) -> dict[str, str | None]:
    return {
        entry.url.removeprefix(BASE): entry.lastmod for entry in read_entries(path.read_bytes())
    }


def every(*paths: str) -> list[str]:
    """Name the sitemaps of builds with the usual pages."""
    return sorted(
        f"{path}{name}" for path in paths for name in ("guide/sitemap.xml", "sitemap-root.xml")
    )
