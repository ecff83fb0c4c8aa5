import json

import pytest

from smindex_plugins.sites.versions import Version, Versions, leads_to, read_versions

MIKE: list[dict[str, object]] = [
    {"version": "dev", "title": "dev", "aliases": []},
    {"version": "3.0rc1", "title": "3.0", "aliases": [], "properties": {"hidden": True}},
    {"version": "2.1", "title": "2.1 (LTS)", "aliases": ["stable", "lts"]},
    {"version": "v1", "title": "v1", "aliases": []},
]


def versions(*given: object, default: str = "") -> Versions:
    found = read_versions(json.dumps(given).encode())
    assert found is not None
    return Versions(versions=found.versions, default=default)


def test_versions_are_found_by_names_and_aliases() -> None:
    found = versions(*MIKE)
    assert found.names == {"dev", "3.0rc1", "2.1", "stable", "lts", "v1"}
    assert found.find("lts") == Version(name="2.1", aliases=frozenset({"stable", "lts"}))
    assert found.find("2.0") is None


def test_a_number_may_have_any_number_of_digits() -> None:
    content = '[{"version": "1", "title": "1", "aliases": [], "properties": {"x": %s}}]' % ("9" * 5_000)
    assert read_versions(content.encode()) == versions({"version": "1", "aliases": []})


@pytest.mark.parametrize(
    ("given", "default", "shown"),
    [
        (MIKE, "v1", "v1"),
        (MIKE, "lts", "2.1"),
        (MIKE, "gone", "2.1"),
        (MIKE[:2] + MIKE[3:], "", "v1"),
        (MIKE[:1], "", "dev"),
        ([MIKE[0] | {"aliases": ["latest"]}, *MIKE[1:]], "", "dev"),
    ],
)
def test_visitors_are_shown_the_default_a_usual_alias_or_the_newest_release(
    given: list[dict[str, object]], default: str, shown: str
) -> None:
    assert versions(*given, default=default).shown().name == shown


def test_all_are_those_that_are_not_hidden_unless_named() -> None:
    found = versions(*MIKE)
    assert [version.name for version in found.choose(["all"])] == ["dev", "2.1", "v1"]
    assert [version.name for version in found.choose(["3.0rc1", "stable"])] == ["3.0rc1", "2.1"]
    assert found.choose([]) == []


@pytest.mark.parametrize(
    "given",
    [
        ["1.0", "2.0"],  # Docusaurus
        {"1.0": {}},
        [],
        [{"version": "../.."}],
        [{"version": "a/b"}],
        [{"version": ""}],
        [{"version": 1}],
        [{"version": "1", "aliases": [".."]}],
        [{"version": "1", "aliases": "latest"}],
        [{"version": "1"}, "2"],
    ],
)
def test_a_file_of_another_tool_or_with_names_that_are_no_directories_is_none_of_mikes(given: object) -> None:
    assert read_versions(json.dumps(given).encode()) is None


@pytest.mark.parametrize("given", [b"{", b"[" * 100_000, b"\xff"])
def test_what_is_no_json_is_an_error(given: bytes) -> None:
    with pytest.raises(ValueError, match=r"."):
        read_versions(given)


@pytest.mark.parametrize(
    ("page", "directory"),
    [
        ('<meta http-equiv="refresh" content="1; url=latest/" />', "latest"),
        ("<meta http-equiv=refresh content='0;URL=./2.0/'>", "2.0"),
        ('<script>window.location.replace(\n  "dev/" + window.location.search);</script>', "dev"),
        ('<script>location.href = "dev/";</script>', "dev"),
        ("<h1>Welcome</h1>", ""),
        ("url=" * 20_000 + "location" * 20_000, ""),  # in no time
        ('<meta http-equiv="refresh" content="1; url=https://e.org/" />', ""),
    ],
)
def test_the_page_of_the_root_names_the_default(page: str, directory: str) -> None:
    assert leads_to(page.encode()) == directory
