"""A directory that can't be read: what is in it is unknown, and that is an error.

The tests may run as a user who may do everything, so that the refusal of the operating system is
played.
"""

import os
from pathlib import Path

import pytest

from smindex_plugins.base.model import Page
from smindex_plugins.base.settings import Settings
from smindex_plugins.base.site import Site
from smindex_plugins.build import Host, publish
from tests.support.command import PAGE, SITE, findings
from tests.support.planted import urlset, write


@pytest.mark.parametrize("mode", ["not entered (0600)", "not read (0300)"])
def test_a_directory_that_cannot_be_read_is_found_by_a_check_and_by_a_host_beside_its_own_pages(
    mode: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    write(
        tmp_path,
        {**dict.fromkeys(("index.html", "team/docs/a.html"), PAGE), "sitemap.xml": urlset(SITE)},
    )
    closed, scandir = str(tmp_path / "team/docs"), os.scandir

    def refuse(path: str) -> object:
        if path == closed:
            raise PermissionError(13, "Permission denied", path)
        return scandir(path)

    if mode.startswith("not read"):
        monkeypatch.setattr(os, "scandir", refuse)
    else:
        monkeypatch.setattr(os, "access", lambda path, _: path != closed)
    (finding,) = findings(capsys, str(tmp_path), "--site-url", SITE, code=1)
    assert (finding["check"], finding["where"]) == ("unreadable-directory", "team/docs")
    assert "Permission denied" in finding["problem"]
    target = Site(url=SITE, directory=str(tmp_path), settings=Settings.load({"lastmod": "off"}))
    report = publish([Page(url=SITE, file=str(tmp_path / "index.html"))], target, Host(others=[]))
    assert report.pages == 1
    (found,) = (str(each) for each in report.findings if each.check == "unreadable-directory")
    assert found.startswith("team/docs/: it can't be read: Permission denied.")
