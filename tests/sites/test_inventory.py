"""A directory that cannot be read: what is in it is unknown, and that is an error.

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
    pages = ("index.html", "team/docs/a.html", "team/docs/b.html", "team/c.html")
    write(tmp_path, {**dict.fromkeys(pages, PAGE), "sitemap.xml": urlset(SITE, SITE + "team/c.html")})
    closed, access = str(tmp_path / "team/docs"), os.access
    is_entered = request.param.startswith("not read")

    def refusing(function: Callable[..., Any]) -> Callable[..., Any]:
        def refuse(path: Any, *rest: Any, **options: Any) -> Any:  # noqa: ANN401 - whatever the function takes
            if str(path).startswith(closed if is_entered else closed + "/"):
                raise PermissionError(13, "Permission denied", path)
            return function(path, *rest, **options)

        return refuse

    monkeypatch.setattr(os, "access", lambda path, mode: access(path, mode) and (is_entered or str(path) != closed))
    for name in CLOSED[request.param]:
        monkeypatch.setattr(os, name, refusing(getattr(os, name)))
    return tmp_path


def test_a_directory_that_cannot_be_read_ends_a_build_and_is_found_by_a_check(
    site: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (finding,) = findings(capsys, str(site), "--site-url", SITE, code=1)
    assert (finding["check"], finding["where"]) == ("unreadable-directory", "team/docs")
    assert "Permission denied" in finding["problem"]
    assert main(["build", str(site), "--site-url", SITE]) == 2
    assert f"{site}/team/docs" in capsys.readouterr().err
    assert not (site / "sitemap_index.xml").exists()


@pytest.mark.parametrize("site", ["not read (0300)"], indirect=True)
def test_a_host_gets_it_as_a_finding_beside_its_own_pages(site: Path) -> None:
    target = Site(url=SITE, directory=str(site), settings=Settings.load({"lastmod": "off"}))
    report = publish([Page(url=SITE, file=str(site / "index.html"))], target, Host(others=[]))
    assert report.pages == 1
    (finding,) = (finding for finding in report.findings if finding.check == "unreadable-directory")
    assert str(finding).startswith("team/docs/: it cannot be read: Permission denied.")
