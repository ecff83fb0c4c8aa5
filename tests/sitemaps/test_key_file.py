"""The key file of IndexNow: written beside the index, never over a file of somebody else's, and in no sitemap."""

from pathlib import Path

import pytest

from smindex_plugins.cli.main import main
from smindex_plugins.model import Page
from smindex_plugins.settings import Settings, Target
from tests.support.command import PAGE, SITE, findings
from tests.support.dated import publish_as_given
from tests.support.planted import write
from tests.support.project import Project

KEY = "abcdef-0123456789"
NAME = f"{KEY}.txt"


def published(root: Path) -> list[tuple[str, str]]:
    settings = Settings.load({"indexnow_key": KEY})
    report = publish_as_given(
        [Page(url=SITE), Page(url=SITE + "a")], Target(site_url=SITE, directory=str(root), settings=settings)
    )
    assert report.pages == 2
    assert (root / "sitemap_index.xml").exists()
    return [(finding.check, finding.where) for finding in report.findings if "key" in finding.check]


def test_the_file_holds_the_key_and_nothing_else(tmp_path: Path) -> None:
    assert published(tmp_path) == []
    assert (tmp_path / NAME).read_bytes() == KEY.encode()
    before = (tmp_path / NAME).stat()
    assert published(tmp_path) == []
    assert (tmp_path / NAME).stat() == before, "a file that did not change is not touched"


@pytest.mark.parametrize("content", [KEY, KEY + "\n", "\ufeff" + KEY + "\r\n"])
def test_a_file_of_yours_that_holds_the_key_stays_as_it_is(tmp_path: Path, content: str) -> None:
    (tmp_path / NAME).write_bytes(content.encode())
    assert published(tmp_path) == []
    assert (tmp_path / NAME).read_bytes() == content.encode()


def test_a_file_that_does_not_hold_it_stays_and_is_told(tmp_path: Path) -> None:
    (tmp_path / NAME).write_text("mine")
    assert published(tmp_path) == [("key-not-written", NAME)]
    assert (tmp_path / NAME).read_text() == "mine"


def test_a_link_that_leads_nowhere_and_a_directory_are_told(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / NAME).symlink_to("nowhere")
    (tmp_path / "b" / NAME).mkdir(parents=True)
    assert published(tmp_path / "a") == published(tmp_path / "b") == [("key-not-written", NAME)]


def test_the_command_writes_it_and_shows_it_in_a_dry_run(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(tmp_path, {"index.html": PAGE, "a.html": PAGE})
    arguments = ["build", str(tmp_path), "--site-url", SITE, "--indexnow-key", KEY, "--lastmod", "off"]
    assert main([*arguments, "--dry-run"]) == 0
    assert f"would be written: {NAME}" in capsys.readouterr().out
    assert not (tmp_path / NAME).exists()
    assert main(arguments) == 0
    assert (tmp_path / NAME).read_text() == KEY
    assert findings(capsys, str(tmp_path), "--site-url", SITE, "--fail-on=warning", code=0) is not None
    assert KEY not in "".join(path.read_text() for path in tmp_path.glob("*.xml"))


def test_mkdocs_writes_it_at_the_root_of_the_site(tmp_path: Path) -> None:
    project = Project(tmp_path)
    project.config(f"sitemap-index: {{indexnow_key: {KEY}}}")
    project.pages("index.md", "guide/a.md", "guide/b.md")
    project.commit("2024-01-01T00:00:00Z")
    built = project.build("--strict")
    assert built.code == 0, built.log
    assert (tmp_path / "site" / NAME).read_text() == KEY
    assert KEY not in "".join(path.read_text() for path in (tmp_path / "site").rglob("*.xml"))
