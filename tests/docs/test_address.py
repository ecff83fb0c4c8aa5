"""The address of the project is filled in once, under `[project.urls]`; all other places have it from there."""

import json
import os
import subprocess
import tomllib
from pathlib import Path

import yaml

from smindex_plugins import home
from smindex_plugins.catalogue import CATALOGUE
from tests.support.editors import schema_url

ROOT = Path(__file__).parents[2]
PLACEHOLDER = "https://example.org/"
"""With what both addresses begin as long as the project has none. No release is made with it."""


def urls() -> dict[str, str]:
    given: dict[str, str] = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["urls"]
    return given


def tracked() -> list[Path]:
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, check=True, capture_output=True, text=True).stdout
    return [path for name in listed.split("\0") if name and (path := ROOT / name).is_file()]


def test_every_place_has_the_address_that_pyproject_gives() -> None:
    """UPDATE_ADDRESS=1 writes it anew, into whatever git tracks."""
    given = {home.SOURCE: urls()["Source"], home.MANUAL: urls()["Documentation"]}
    if os.environ.get("UPDATE_ADDRESS"):
        for path in tracked():
            before = after = path.read_bytes()
            for old, new in given.items():
                after = after.replace(old.encode(), new.encode())
            if after != before:
                path.write_bytes(after)
    else:
        assert given == {home.SOURCE: home.SOURCE, home.MANUAL: home.MANUAL}


def test_the_other_addresses_of_the_project_are_made_of_the_two() -> None:
    assert urls() == {
        "Homepage": home.MANUAL,
        "Documentation": home.MANUAL,
        "Changelog": f"{home.SOURCE}/blob/main/CHANGELOG.md",
        "Issues": f"{home.SOURCE}/issues",
        "Source": home.SOURCE,
    }


def test_an_address_is_filled_in_as_it_is_joined_with_paths() -> None:
    assert home.MANUAL.endswith("/")
    assert not home.SOURCE.endswith("/")
    assert home.MANUAL.startswith(PLACEHOLDER) == home.SOURCE.startswith(PLACEHOLDER)


def test_findings_lead_to_the_manual_that_is_built_for_this_address() -> None:
    site = yaml.safe_load((ROOT / "sample_sites/mkdocs/mkdocs.yml").read_text("utf-8"))
    assert site["site_url"] == home.MANUAL
    assert all(kind.fix_url.startswith(home.MANUAL) for kind in CATALOGUE.values())


def test_the_manual_has_the_lines_that_lead_editors_to_the_schemas() -> None:
    page = (ROOT / "sample_sites/mkdocs/docs/manual/editors.md").read_text("utf-8")
    for line, name in (("# yaml-language-server: $schema=", "mkdocs"), ("#:schema ", "pyproject")):
        assert f"\n{line}{schema_url(name)}\n" in page
        path = schema_url(name).removeprefix(f"{home.SOURCE}/raw/main/")
        assert json.loads((ROOT / path).read_text("utf-8"))["$id"] == schema_url(name)
