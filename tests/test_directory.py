"""What a built site's own files tell of it: where it is served, and which file answers for which URL."""

from pathlib import Path

import pytest

from smindex_plugins.audit import Audit
from smindex_plugins.directory import Directory, UnknownAddressError
from tests.planted import index, urlset, write

BASE = "https://e.org/docs/"
INDEX = "sitemap_index.xml"


def base(root: Path) -> str:
    directory = Directory(path=str(root))
    list(directory.findings(Audit()))
    return directory.base


def test_the_address_is_found_from_the_files_that_are_there(tmp_path: Path) -> None:
    listed = {"a/sitemap.xml": urlset(BASE + "a/"), "ü/sitemap.xml": urlset(BASE + "%C3%BC/")}
    write(tmp_path, {INDEX: index(BASE + "a/sitemap.xml", BASE + "%C3%BC/sitemap.xml"), **listed})
    assert base(tmp_path) == BASE


def test_a_missing_sitemap_whose_name_another_file_bears_does_not_mislead(tmp_path: Path) -> None:
    listed = {f"{name}/sitemap.xml": urlset(f"{BASE}{name}/") for name in "bc"}
    write(tmp_path, {INDEX: index(*(f"{BASE}{name}/sitemap.xml" for name in "abc")), **listed})
    write(tmp_path, {"sitemap.xml": urlset(BASE)})
    assert base(tmp_path) == BASE


def test_an_address_that_no_file_proves_is_asked_for(tmp_path: Path) -> None:
    write(tmp_path, {INDEX: index(BASE + "a/sitemap.xml")})
    with pytest.raises(UnknownAddressError, match="--site-url"):
        base(tmp_path)
