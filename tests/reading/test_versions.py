import json

import pytest

from smindex_plugins.reading.versions import Version, read_versions


def test_versions_are_read_with_their_aliases() -> None:
    given = [
        {"version": "dev", "title": "dev", "aliases": []},
        {"version": "3.0rc1", "title": "3.0", "aliases": [], "properties": {"hidden": True}},
        {
            "version": "2.1",
            "title": "2.1 (LTS)",
            "aliases": ["stable", "lts"],
            "properties": ["hidden"],
        },
    ]
    found = read_versions(json.dumps(given).encode())
    assert found is not None
    assert found.versions == (
        Version("dev", frozenset()),
        Version("3.0rc1", frozenset(), is_hidden=True),
        Version("2.1", frozenset({"stable", "lts"})),
    )
    assert found.names == {"dev", "3.0rc1", "2.1", "stable", "lts"}


@pytest.mark.parametrize(
    "given",
    [
        ["1.0", "2.0"],  # Docusaurus
        *({"1.0": {}}, [], 1, [{"version": "1"}], [{"version": "1", "aliases": None}]),
        [{"version": "1", "aliases": []}, "2"],
    ],
)
def test_a_file_of_another_tool_has_no_versions(given: object) -> None:
    assert read_versions(json.dumps(given).encode()) is None


@pytest.mark.parametrize("given", [b"{", b"[" * 100_000, b"\xff"])
def test_what_is_not_json_is_an_error(given: bytes) -> None:
    with pytest.raises(ValueError, match=r"."):
        read_versions(given)
