"""The built site that `smindex build` and `smindex check` work on."""

from pathlib import Path

import pytest

from smindex_plugins.projects import WrongOptionsError, find_site
from tests.support.planted import write

PAGE = "<!doctype html><p>Text"


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Give the directory of a project in which the command is run."""
    write(tmp_path, {".git/a": "", "mkdocs.yml": "site_url: https://e.org/docs\n", "site/index.html": PAGE})
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize("target", [None, ".", "site"])
def test_a_project_leads_to_its_built_site_and_address(here: Path, target: str | None) -> None:
    site = find_site(target)
    assert site.directory == str(here / "site")
    assert (site.url, site.url_from) == ("https://e.org/docs/", "mkdocs.yml: site_url")
    assert site.directory_from == ("as given" if target == "site" else "mkdocs.yml")


def test_a_directory_with_sitemaps_alone_is_a_built_site(here: Path) -> None:
    write(here, {"sitemap_index.xml": "<sitemapindex/>"})
    assert find_site(".").directory == str(here)


def test_a_site_whose_address_no_file_names_is_found_without_one(here: Path) -> None:
    write(here, {"mkdocs.yml": "site_name: A\n"})
    site = find_site()
    assert (site.url, site.url_from) == ("", "")


def test_the_address_that_a_table_names_is_that_of_its_own_directory_alone(here: Path) -> None:
    table = "[tool.smindex]\ndirectory = 'site'\nsite_url = 'https://table.example/'\n"
    write(here, {"pyproject.toml": table, "other/index.html": PAGE})
    assert find_site().url == find_site("site").url == "https://table.example/"
    assert find_site("other").url == ""


def test_without_a_project_and_a_directory_the_command_asks_for_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(tmp_path, {".git/a": ""})
    monkeypatch.chdir(tmp_path)
    with pytest.raises(WrongOptionsError, match=r"no directory is named, and no configuration"):
        find_site()
