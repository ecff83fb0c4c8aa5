"""The address of the project is filled in once, under `[project.urls]`; all other places have it from there."""

import json
import os
import subprocess
import tomllib
from pathlib import Path

import yaml

from smindex_plugins import home
from smindex_plugins.catalogue import CATALOGUE
from tests.support.schema import schema_url

ROOT = Path(__file__).parents[2]
URLS: dict[str, str] = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["urls"]


def test_every_place_has_the_address_that_pyproject_gives() -> None:
    """UPDATE_ADDRESS=1 writes it into every file that git tracks."""
    given = {home.SOURCE: URLS["Source"], home.MANUAL: URLS["Documentation"]}
    if not os.environ.get("UPDATE_ADDRESS"):
        assert [*given] == [*given.values()]
        return
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, check=True, capture_output=True, text=True).stdout
    for path in [ROOT / name for name in listed.split("\0") if (ROOT / name).is_file()]:
        after = path.read_bytes()
        for old, new in given.items():
            after = after.replace(old.encode(), new.encode())
        path.write_bytes(after)


def test_the_other_addresses_of_the_project_are_made_of_the_two() -> None:
    assert home.MANUAL.endswith("/")
    assert not home.SOURCE.endswith("/")
    assert {
        "Homepage": home.MANUAL,
        "Documentation": home.MANUAL,
        "Changelog": f"{home.SOURCE}/blob/main/CHANGELOG.md",
        "Issues": f"{home.SOURCE}/issues",
        "Source": home.SOURCE,
    } == URLS
    site = yaml.safe_load((ROOT / "sample_sites/mkdocs/mkdocs.yml").read_text("utf-8"))
    assert site["site_url"] == home.MANUAL
    assert all(kind.fix_url.startswith(home.MANUAL) for kind in CATALOGUE.values())
    links = yaml.safe_load((ROOT / ".github/ISSUE_TEMPLATE/config.yml").read_text("utf-8"))["contact_links"]
    assert [link["url"] for link in links] == [f"{home.SOURCE}/security/advisories/new", home.MANUAL]


def test_the_manual_has_the_lines_that_lead_editors_to_the_schemas() -> None:
    page = (ROOT / "sample_sites/mkdocs/docs/guide/editors.md").read_text("utf-8")
    for line, name in (("# yaml-language-server: $schema=", "mkdocs"), ("#:schema ", "pyproject")):
        assert f"\n{line}{schema_url(name)}\n" in page
        path = schema_url(name).removeprefix(f"{home.SOURCE}/raw/main/")
        assert json.loads((ROOT / path).read_text("utf-8"))["$id"] == schema_url(name)
