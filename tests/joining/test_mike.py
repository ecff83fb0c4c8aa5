"""Which of mike's versions are joined. `tests/hosts/test_mike.py` deploys real ones."""

import json
from pathlib import Path

import pytest

from tests.support.command import BASE, every, joined, make
from tests.support.planted import write


def deploy(root: Path, *versions: tuple[str, ...]) -> None:
    """Make builds of versions with aliases, newest first, as mike lists them."""
    for version, *_ in versions:
        make(root, version)
    listed = [
        {"version": version, "title": version, "aliases": aliases} for version, *aliases in versions
    ]
    write(root, {"versions.json": json.dumps(listed)})


@pytest.mark.parametrize(
    ("versions", "canonical"),
    [
        ([("2.0",), ("1.0", "latest")], "1.0/"),
        ([("2.0",), ("1.0", "stable")], "1.0/"),
        ([("dev",), ("2.0",), ("1.0",)], "2.0/"),
        ([("dev",), ("next",)], "dev/"),
    ],
)
def test_the_version_that_search_engines_should_find_is_joined(
    tmp_path: Path, versions: list[tuple[str, ...]], canonical: str
) -> None:
    deploy(tmp_path, *versions)
    make(tmp_path, "blog")
    assert joined(tmp_path) == sorted([*every(canonical), *every("blog/")])


def test_other_versions_are_joined_if_they_are_named(tmp_path: Path) -> None:
    deploy(tmp_path, ("2.0", "latest"), ("1.0", "lts"))
    assert joined(tmp_path, versions=["1.0"]) == joined(tmp_path, versions=["lts"]) == every("1.0/")
    assert joined(tmp_path, versions=["all"]) == every("1.0/", "2.0/")
    with pytest.raises(ValueError, match=r"unknown version: 3\.0; known: 1\.0, 2\.0, latest, lts"):
        joined(tmp_path, versions=["3.0"])


def test_a_version_with_the_urls_of_another_is_left_out_only_if_that_is_joined(
    tmp_path: Path,
) -> None:
    """As mike deploys with canonical_version: each version calls itself `latest`."""
    for path in ("1.0", "2.0", "latest"):
        make(tmp_path, path, at=f"{BASE}latest/")
    versions = [{"version": "2.0", "aliases": ["latest"]}, {"version": "1.0", "aliases": []}]
    write(tmp_path, {"versions.json": json.dumps(versions)})
    for chosen in ([], ["all"]):
        assert joined(tmp_path, versions=chosen) == every("latest/")
    assert (
        joined(
            tmp_path, "sitemap-outside-index", "nothing-to-list", versions=["1.0"], site_url=BASE
        )
        == []
    )
