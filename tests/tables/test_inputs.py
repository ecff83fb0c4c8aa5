"""Which files are a table, and which of its columns are read."""

from pathlib import Path

import pytest

from smindex_plugins.tables.inputs import choose_columns, find_files, format_of, read_columns

_CSV = ["b/rest.csv.gz", "c.tsv"]
NAMES = [
    *("a.parquet", "b/day=1/part-0.PQ", "b/rest.csv.gz", "c.tsv", "d.jsonl.zst"),
    *("_SUCCESS", ".a.parquet.crc", "b/_metadata.parquet", "notes.txt"),
]


@pytest.fixture
def lake(tmp_path: Path) -> Path:
    for name in NAMES:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).touch()
    return tmp_path


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        (
            "{}",
            {"parquet": ["a.parquet", "b/day=1/part-0.PQ"], "csv": ["b/rest.csv.gz", "c.tsv"], "json": ["d.jsonl.zst"]},
        ),
        ("file://{}/b", {"parquet": ["b/day=1/part-0.PQ"], "csv": ["b/rest.csv.gz"]}),
        ("{}/*.parquet", {"parquet": ["a.parquet"]}),
        ("{}/c.tsv", {"csv": ["c.tsv"]}),
    ],
)
def test_a_table_is_a_file_a_pattern_or_a_directory_without_the_files_of_engines(
    lake: Path, given: str, expected: dict[str, list[str]]
) -> None:
    found, systems = find_files([given.format(lake), given.format(lake)])
    relative = {form: [Path(file).relative_to(lake).as_posix() for file in files] for form, files in found.items()}
    assert (relative, systems) == (expected, [])


@pytest.mark.parametrize(
    ("name", "words"), [("nowhere", "there is no table here"), ("notes.txt", "its name does not say")]
)
def test_what_is_no_table_is_named(lake: Path, name: str, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        find_files([str(lake / name)])


def test_a_password_in_the_address_of_a_table_is_not_printed() -> None:
    with pytest.raises(ValueError, match="its name does not say") as caught:
        format_of("s3://me:secret@bucket/pages")
    assert "secret" not in str(caught.value)


def test_columns_are_found_by_other_names_and_capitals() -> None:
    names = read_columns(["url=Loc of page"])
    found = choose_columns(["LASTMOD", "loc of page", "x"], names)
    assert found == {"url": "loc of page", "lastmod": "LASTMOD", "alternates": "", "images": ""}
    with pytest.raises(ValueError, match="the table has no column url; it has loc"):
        choose_columns(["loc"], read_columns([]))
    with pytest.raises(ValueError, match="the table has no column changed; it has url"):
        choose_columns(["url"], read_columns(["lastmod=changed"]))


@pytest.mark.parametrize("given", ["loc", "loc=url", "url=", "=url"])
def test_what_is_no_pair_of_names_is_refused(given: str) -> None:
    with pytest.raises(ValueError, match="accepted: url, lastmod, alternates or images, with a column: url=loc"):
        read_columns([given])
