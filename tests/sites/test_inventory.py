"""Directories that this user may not enter or not read: what is in them is unknown, and that is said.

The tests may run as a user who may do everything, so that the refusal of the operating system is played.
"""

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from smindex_plugins.cli.main import main
from smindex_plugins.model import Page
from smindex_plugins.pipeline import Host, publish
from smindex_plugins.settings import Settings, Site
from tests.support.command import PAGE, SITE, findings
from tests.support.planted import urlset, write

CLOSED = {"not entered (0600)": ("stat", "lstat", "open"), "not read (0300)": ("scandir",)}


@pytest.fixture(params=CLOSED)
def site(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a site with a directory `team/docs` that is closed in one way."""
    write(tmp_path, {"index.html": PAGE, "team/docs/a.html": PAGE, "team/docs/b.html": PAGE, "team/c.html": PAGE})
    closed = str(tmp_path / "team/docs")
    is_entered = request.param.startswith("not entered")

    def refusing(function: Callable[..., Any]) -> Callable[..., Any]:
        def refuse(path: Any, *rest: Any, **options: Any) -> Any:  # noqa: ANN401 - whatever the function takes
            if str(path).startswith(closed + "/" if is_entered else closed):
                raise PermissionError(13, "Permission denied", path)
            return function(path, *rest, **options)

        return refuse

    def access(path: Any, mode: int, **options: Any) -> bool:  # noqa: ANN401 - as above
        return not (is_entered and str(path) == closed) and ask(path, mode, **options)

    ask = os.access
    monkeypatch.setattr(os, "access", access)
    for name in CLOSED[request.param]:
        monkeypatch.setattr(os, name, refusing(getattr(os, name)))
    return tmp_path


def test_a_build_ends_and_names_it(site: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["build", str(site), "--site-url", SITE]) == 2
    assert f"{site}/team/docs" in capsys.readouterr().err
    assert not (site / "sitemap_index.xml").exists()


def test_a_check_finds_it(site: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(site, {"sitemap.xml": urlset(SITE, SITE + "team/c.html")})
    (finding,) = findings(capsys, str(site), "--site-url", SITE, code=1)
    assert (finding["check"], finding["level"], finding["where"]) == ("unreadable-directory", "error", "team/docs")
    assert "Permission denied" in finding["problem"]


@pytest.mark.parametrize("site", ["not read (0300)"], indirect=True)
def test_a_host_is_told_of_it_beside_its_own_pages(site: Path) -> None:
    report = publish(
        [Page(url=SITE, file=str(site / "index.html"))],
        Site(url=SITE, directory=str(site), settings=Settings.load({"lastmod": "off"})),
        Host(others=[]),
    )
    assert report.pages == 1
    (finding,) = (finding for finding in report.findings if finding.check == "unreadable-directory")
    assert str(finding).startswith("team/docs/: it cannot be read: Permission denied.")
