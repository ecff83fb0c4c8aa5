from pathlib import Path

import pytest

from smindex_plugins.address import configured_address


@pytest.mark.parametrize(
    ("name", "text", "address"),
    [
        ("mkdocs.yml", "site_name: A\nsite_url: https://e.org/docs\n", "https://e.org/docs/"),
        ("mkdocs.yml", "site_url: 'https://e.org/' # here\nx: !!python/name:a.b\n", "https://e.org/"),
        ("mkdocs.yml", "site_url: https://e.org/a # here\n", "https://e.org/a/"),
        ("mkdocs.yml", "extra:\n  site_url: https://e.org/\n", None),
        ("mkdocs.yml", "site_url: !ENV [URL, 'https://e.org/']\n", None),
        ("mkdocs.yml", "site_url:\n", None),
        ("properdocs.yml", 'site_url: "https://e.org/b/"\n', "https://e.org/b/"),
        ("zensical.toml", '[project]\nsite_url = "https://e.org/z/"\n', "https://e.org/z/"),
        ("zensical.toml", "not = [toml", None),
        ("pelicanconf.py", "SITEURL = 'https://e.org/p'\n", "https://e.org/p/"),
        ("pelicanconf.py", "SITEURL = ''\n", None),
        ("pelicanconf.py", "import os\nSITEURL = os.environ['A']\nraise SystemExit\n", None),
        ("pelicanconf.py", "def broken(:\n", None),
    ],
)
def test_the_address_in_a_configuration(tmp_path: Path, name: str, text: str, address: str | None) -> None:
    (tmp_path / name).write_text(text, encoding="utf-8")
    (tmp_path / "build/site").mkdir(parents=True)
    assert configured_address(str(tmp_path)) == address
    assert configured_address(str(tmp_path / "build/site")) == address


def test_what_is_published_counts_before_what_is_for_writing(tmp_path: Path) -> None:
    (tmp_path / "pelicanconf.py").write_text("SITEURL = 'http://localhost:8000'\n")
    (tmp_path / "publishconf.py").write_text("from pelicanconf import *\nSITEURL = 'https://e.org'\n")
    assert configured_address(str(tmp_path)) == "https://e.org/"


def test_a_configuration_outside_the_repository_is_of_something_else(tmp_path: Path) -> None:
    (tmp_path / "mkdocs.yml").write_text("site_url: https://e.org/\n")
    (tmp_path / "other/.git").mkdir(parents=True)
    (tmp_path / "other/site").mkdir()
    assert configured_address(str(tmp_path / "other/site")) is None
