"""Which files are a table, and which of its columns are read. The command shows what is refused."""

from pathlib import Path

import pytest

from smindex_plugins.tables.inputs import choose_columns, find_files, format_of, read_columns

NAMES = [
    *("a.parquet", "b/day=1/part-0.PQ", "b/rest.csv.gz", "c.tsv", "d.jsonl.zst"),
    *("_SUCCESS", ".a.parquet.crc", "b/_metadata.parquet", "notes.txt"),
]


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        (
            "{}",
            {
                "parquet": ["a.parquet", "b/day=1/part-0.PQ"],
                "csv": ["b/rest.csv.gz", "c.tsv"],
                "json": ["d.jsonl.zst"],
            },
        ),
        ("file://{}/b", {"parquet": ["b/day=1/part-0.PQ"], "csv": ["b/rest.csv.gz"]}),
        ("{}/*.parquet", {"parquet": ["a.parquet"]}),
        ("{}/c.tsv", {"csv": ["c.tsv"]}),
    ],
)
def test_a_table_is_a_file_a_pattern_or_a_directory_without_the_files_of_engines(
    tmp_path: Path, given: str, expected: dict[str, list[str]]
) -> None:
    for name in NAMES:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).touch()
    found, systems = find_files([given.format(tmp_path)] * 2)
    relative = {
        form: [Path(file).relative_to(tmp_path).as_posix() for file in files]
        for form, files in found.items()
    }
    assert (relative, systems) == (expected, [])


def test_a_password_in_the_address_of_a_table_is_not_printed() -> None:
    with pytest.raises(ValueError, match="its name doesn't show") as caught:
        format_of("s3://me:secret@bucket/pages")
    assert "secret" not in str(caught.value)


def test_columns_are_found_by_other_names_and_capitals() -> None:
    found = choose_columns(["LASTMOD", "loc of page", "x"], read_columns(["url=Loc of page"]))
    assert found == {"url": "loc of page", "lastmod": "LASTMOD", "alternates": "", "images": ""}
