"""One constant decides what messages, pages and metadata say about where the package comes from."""

import os
import re
import shutil
from pathlib import Path
from typing import Any

import pytest
from mkdocs.config import load_config
from mkdocs.structure.files import get_files
from mkdocs.structure.pages import Page

from hatch_build import Metadata, absolute
from smindex_plugins import __version__
from smindex_plugins.base import release
from tests.release import ROOT, pages, released

URL = "https://code.example/you/smindex-plugins"
INSTALLED = re.compile(
    r"""(?:pip3? install |```text\n)(?:-\S+ )*["']?(smindex-plugins[^"'\n]*?)["'\n]"""
)
UNRELEASED = ("git+", "on PyPI yet", "OWNER/", "unreleased -->")


def test_every_page_installs_with_the_line_of_today() -> None:
    """UPDATE_MANUAL=1 writes those of the first release, once the constant is set."""
    number = 0
    for path in pages():
        text = path.read_text("utf-8")
        number += len(INSTALLED.findall(text))
        if not release.REPOSITORY:
            lines = INSTALLED.findall(text)
            assert [line for line in lines if not line.endswith(" @ git+URL")] == [], path
            assert not lines or "<!-- unreleased -->" in text, path
        elif os.environ.get("UPDATE_MANUAL"):
            path.write_text(released(text, release.REPOSITORY, __version__), "utf-8")
        else:
            assert text == released(text, release.REPOSITORY, __version__)
    assert number > 15


def test_the_readme_shows_whether_the_tests_pass_from_the_first_release_on() -> None:
    readme = released((ROOT / "README.md").read_text("utf-8"), URL, "1.2.3")
    assert f"]({URL}/actions/workflows/ci.yml)\n\nSitemaps for" in readme


def test_the_first_release_changes_every_page() -> None:
    changed = 0
    for path in pages():
        text = path.read_text("utf-8")
        after = released(text, URL, "1.2.3")
        assert [word for word in UNRELEASED if word in after] == [], path
        assert len(INSTALLED.findall(after)) == len(INSTALLED.findall(text))
        assert all(
            re.fullmatch(r"smindex-plugins(\[\w+\])?", line) for line in INSTALLED.findall(after)
        )
        assert released(after, URL, "1.2.3") == after
        changed += after != text
    if not release.REPOSITORY:
        assert changed > 15


@pytest.mark.parametrize("repository", ["", URL])
def test_messages_install_with_the_same_line(
    monkeypatch: pytest.MonkeyPatch, repository: str
) -> None:
    monkeypatch.setattr(release, "REPOSITORY", repository)
    words = "'smindex-plugins[console]'" if repository else "[console] @ git+URL'. Replace git+URL"
    assert words in release.install_command("console")


def test_no_message_names_a_requirement_of_its_own() -> None:
    """Messages take it from the constant."""
    modules = {
        path.name: path.read_text("utf-8") for path in (ROOT / "smindex_plugins").rglob("*.py")
    }
    del modules["release.py"]
    assert [name for name, text in modules.items() if "install 'smindex-plugins" in text] == []


@pytest.mark.parametrize("repository", ["", URL])
def test_the_manual_shows_the_version_and_links_to_edit_its_pages(
    monkeypatch: pytest.MonkeyPatch, repository: str
) -> None:
    monkeypatch.setattr(release, "REPOSITORY", repository)
    config = load_config(str(ROOT / "sample_sites/mkdocs/mkdocs.yml"))
    config.plugins.on_startup(command="build", dirty=False)
    config = config.plugins.on_config(config)
    assert f"smindex-plugins {__version__}" in (config.copyright or "")
    files = config.plugins.on_files(get_files(config), config=config)
    urls = {}
    for name in ("index.md", "project/changelog.md"):
        file = files.get_file_from_path(name)
        assert file
        urls[name] = Page(None, file, config).edit_url
    if not repository:
        assert config.repo_url is None
        assert set(urls.values()) == {None}
        return
    assert (config.repo_url, config.repo_name) == (URL, "you/smindex-plugins")
    assert urls == {
        "index.md": f"{URL}/edit/main/sample_sites/mkdocs/docs/index.md",
        "project/changelog.md": f"{URL}/edit/main/CHANGELOG.md",
    }


@pytest.mark.parametrize("repository", ["", URL])
def test_the_metadata_has_links_once_the_repository_has_a_url(
    tmp_path: Path, repository: str
) -> None:
    module = (ROOT / "smindex_plugins/base/release.py").read_text("utf-8")
    (tmp_path / "smindex_plugins/base").mkdir(parents=True)
    text = re.sub(
        r'^REPOSITORY = ".*"$', f'REPOSITORY = "{repository}"', module, flags=re.MULTILINE
    )
    (tmp_path / "smindex_plugins/base/release.py").write_text(text, "utf-8")
    shutil.copy(ROOT / "README.md", tmp_path)
    metadata: dict[str, Any] = {}
    Metadata(str(tmp_path), {}).update(metadata)
    readme = (ROOT / "README.md").read_text("utf-8")
    if repository:
        assert metadata["urls"]["Source"] == URL
        assert metadata["readme"]["text"] == absolute(readme, URL)
    else:
        assert metadata == {
            "urls": {},
            "readme": {"content-type": "text/markdown", "text": readme},
        }
