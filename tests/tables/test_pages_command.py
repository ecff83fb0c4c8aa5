"""`smindex pages` reads tables as people keep them, and says what it did and what is wrong with rows."""

import gzip
import json
import os
import sys
from datetime import UTC, date, datetime
from importlib.resources import files
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet as pq
import pytest

from smindex_plugins.cli.main import main
from smindex_plugins.tables import Bounds, write_sitemaps
from tests.support.schema import mistakes

SITE = "https://shop.example.org/"
WHEN = datetime(2024, 5, 6, 7, 8, 9, tzinfo=UTC)
URLS = [SITE, f"{SITE}a/1", f"{SITE}a/2", f"{SITE}b/ü"]
INDEX = """\
<?xml version="1.0" encoding="UTF-8"?>
<!-- Written by smindex-plugins -->
<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
<sitemap><loc>https://shop.example.org/a/sitemap.xml</loc><lastmod>2024-05-06T07:08:09Z</lastmod></sitemap>
<sitemap><loc>https://shop.example.org/sitemap-root.xml</loc><lastmod>2024-05-06T07:08:09Z</lastmod></sitemap>
</sitemapindex>
"""


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def pages(*arguments: str) -> int:
    return main(["pages", "--site-url", SITE, "--out", "out", "--temp", "temp", "--memory", "200MB", *arguments])


def parquet(name: str, **columns: Any) -> str:  # noqa: ANN401 - what Arrow takes
    Path(name).parent.mkdir(parents=True, exist_ok=True)
    pq.write_table(pa.table(columns), name)
    return name


def written() -> dict[str, str]:
    return {str(path.relative_to("out")): path.read_text() for path in Path("out").rglob("*.xml")}


def test_parquet_becomes_sitemaps_and_an_index(capsys: pytest.CaptureFixture[str]) -> None:
    assert pages(parquet("pages.parquet", url=URLS, lastmod=[WHEN] * 4)) == 0
    assert written()["sitemap_index.xml"] == INDEX
    assert written()["sitemap-root.xml"].count(f"<loc>{SITE}b/%C3%BC</loc><lastmod>2024-05-06T07:08:09Z</lastmod>") == 1
    said = capsys.readouterr().out
    assert f"4 pages in 2 sections, 2 sitemaps listed in {SITE}sitemap_index.xml; 4 rows in " in said
    assert "3 files written, 0 unchanged, 0 removed" in said
    assert pages("pages.parquet") == 0
    assert "0 files written, 3 unchanged, 0 removed" in capsys.readouterr().out
    assert os.listdir("temp") == []


def as_csv(name: str) -> None:
    lines = ["url,lastmod", *(f"{url},2024-05-06T09:08:09+02:00" for url in URLS)]
    content = "\n".join(lines).encode()
    Path(name).write_bytes(gzip.compress(content) if name.endswith(".gz") else content)


def as_json(name: str) -> None:
    lines = [json.dumps({"url": url, "lastmod": "2024-05-06T07:08:09Z", "more": {"x": 1}}) for url in URLS]
    Path(name).write_text("\n".join(lines))


@pytest.mark.parametrize(
    ("name", "write"),
    [("p.csv", as_csv), ("p.csv.gz", as_csv), ("p.tsv", as_csv), ("p.jsonl", as_json), ("p.json", as_json)],
)
def test_csv_and_json_lines_come_to_the_same(name: str, write: Any) -> None:  # noqa: ANN401 - one of the two above
    write(name)
    assert pages(name) == 0
    assert written()["sitemap_index.xml"] == INDEX


def test_files_patterns_and_directories_are_one_table() -> None:
    parquet("lake/day=1/part-0.parquet", url=URLS[:1], lastmod=[WHEN])
    parquet("lake/day=2/part-0.parquet", url=URLS[1:2], lastmod=pa.array([WHEN]).cast(pa.timestamp("ns", "Asia/Tokyo")))
    Path("lake/day=2/_SUCCESS").touch()
    Path("lake/.part-0.parquet.crc").write_bytes(b"crc")
    parquet("more-1.parquet", url=URLS[2:3], lastmod=["2024-05-06T07:08:09Z"])
    Path("rest.jsonl").write_text(json.dumps({"url": URLS[3], "lastmod": "2024-05-06T07:08:09Z"}))
    assert pages("lake", "more-*.parquet", "rest.jsonl") == 0
    assert written()["sitemap_index.xml"] == INDEX


def test_a_table_in_object_storage_is_read_where_it_is() -> None:
    import fsspec  # noqa: PLC0415 - this test alone needs it

    storage = fsspec.filesystem("memory")
    storage.pipe("/lake/pages/1.parquet", Path(parquet("1.parquet", url=URLS, lastmod=[WHEN] * 4)).read_bytes())
    assert pages("memory://lake/pages/*.parquet") == 0
    assert written()["sitemap_index.xml"] == INDEX


def test_columns_may_have_other_names_and_case() -> None:
    parquet("pages.parquet", **{"Loc of page": URLS, "LASTMOD": [WHEN] * 4, "x": [1] * 4})
    assert pages("pages.parquet", "--column", "url=Loc of page") == 0
    assert written()["sitemap_index.xml"] == INDEX


def test_dates_may_lack_and_have_any_type() -> None:
    assert pages(parquet("pages.parquet", url=URLS)) == 0
    assert "lastmod" not in written()["sitemap_index.xml"]
    assert pages(parquet("pages.parquet", url=URLS, lastmod=[date(2024, 5, 6)] * 4)) == 0
    assert "<lastmod>2024-05-06</lastmod>" in written()["sitemap_index.xml"]
    assert pages(parquet("pages.parquet", url=URLS, lastmod=[WHEN.replace(tzinfo=None)] * 4)) == 0
    assert "<lastmod>2024-05-06</lastmod>" in written()["sitemap_index.xml"]


def test_what_is_wrong_with_rows_is_counted_with_examples_and_kept(capsys: pytest.CaptureFixture[str]) -> None:
    urls = [*URLS, URLS[1], None, "no url", "https://other.example.org/", SITE + "x" * 3_000, f"{SITE}404.html"]
    dates = ["2024-05-06", "never", "2999-01-01", None, "2024-05-07", *["2024-05-06"] * 5]
    variants = ['{"de": "nonsense"}', *[None] * 9]
    parquet("pages.parquet", url=urls, lastmod=dates, alternates=variants)
    assert pages("pages.parquet", "--rejected", "wrong.csv") == 0
    said = capsys.readouterr().out
    for line in (
        "1 row with something that is no URL of a page: it is in no sitemap, such as no url.",
        "1 row outside the directory scope: it is in no sitemap, such as https://other.example.org/.",
        "1 row with a URL that is too long",
        "1 row without a URL: it is in no sitemap.",
        "1 row with a date that cannot be read: it is listed without it, such as never.",
        "1 row with a date in the future: it is listed without it, such as 2999-01-01.",
        f"1 row at the URL of another row: it is left out, because another one counts, such as {URLS[1]}.",
        "1 row with a wrong language variant or image",
        "1 shown for errors",
    ):
        assert line in said
    assert "<lastmod>2024-05-07</lastmod>" in written()["a/sitemap.xml"]
    table = pyarrow.csv.read_csv("wrong.csv").to_pylist()
    assert len(table) == 9
    assert {"fault": "with a date that cannot be read", "url": URLS[1], "value": "never"} in table
    assert pages("pages.parquet", "--fail-on", "warning", "-q") == 1
    assert capsys.readouterr().out == ""


@pytest.mark.parametrize("name", ["wrong.jsonl", "wrong.parquet"])
def test_wrong_rows_are_kept_in_the_form_that_the_name_says(name: str) -> None:
    parquet("pages.parquet", url=[*URLS, "no url"])
    assert pages("pages.parquet", "--rejected", name) == 0
    found = pq.read_table(name).to_pylist() if name.endswith("t") else [json.loads(Path(name).read_text())]
    assert found == [{"fault": "with something that is no URL of a page", "url": "no url", "value": None}]


def test_json_has_the_form_of_its_schema(capsys: pytest.CaptureFixture[str]) -> None:
    schema = json.loads((files("smindex_plugins") / "schemas" / "pages.json").read_text("utf-8"))
    parquet("pages.parquet", url=[*URLS, "no url"])
    for arguments in (["--format", "json", "--dry-run"], ["--format", "json"]):
        assert pages("pages.parquet", *arguments) == 0
        result = json.loads(capsys.readouterr().out)
        assert mistakes(result, schema) == []
        assert (result["rows"], result["pages"], result["sitemaps"]) == (5, 4, 2)
        assert result["files"] == {"written": 3, "unchanged": 0, "removed": 0}


def test_a_dry_run_writes_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    assert pages(parquet("pages.parquet", url=URLS), "--dry-run") == 0
    assert "Nothing was written: 4 pages in 2 sections" in capsys.readouterr().out
    assert not Path("out").exists()


@pytest.mark.parametrize("more", [[], ["--set", "gzip=true"]])
def test_a_dry_run_says_what_the_next_run_does(more: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    parquet("before.parquet", url=[*URLS, f"{SITE}c/1", f"{SITE}c/2"], lastmod=[WHEN] * 6)
    parquet("after.parquet", url=[*URLS, f"{SITE}a/3"], lastmod=[WHEN] * 5)
    assert pages("before.parquet", *more) == 0
    before = sorted((path, path.stat().st_mtime_ns) for path in Path("out").rglob("*"))
    capsys.readouterr()
    assert pages("after.parquet", *more, "--dry-run", "--verbose") == 0
    end = ".xml.gz" if more else ".xml"
    told = capsys.readouterr().out
    for line in (f"written: a/sitemap{end}", "written: sitemap_index.xml", f"removed: c/sitemap{end}"):
        assert f"would be {line}\n" in told
    assert "2 files would be written, 1 unchanged, 1 would be removed" in told
    assert sorted((path, path.stat().st_mtime_ns) for path in Path("out").rglob("*")) == before
    assert pages("after.parquet", *more) == 0
    assert "2 files written, 1 unchanged, 1 removed" in capsys.readouterr().out


def test_without_a_page_earlier_files_stay(capsys: pytest.CaptureFixture[str]) -> None:
    assert pages(parquet("pages.parquet", url=URLS)) == 0
    before = written()
    assert pages(parquet("pages.parquet", url=["no url"])) == 1
    assert "Earlier files were left as they are" in capsys.readouterr().out
    assert pages(parquet("pages.parquet", url=pa.array([], pa.string()))) == 1
    assert "the table has no rows" in capsys.readouterr().out
    assert written() == before


def test_patterns_that_no_row_meets_are_named(capsys: pytest.CaptureFixture[str]) -> None:
    parquet("pages.parquet", url=URLS)
    assert pages("pages.parquet", "--set", "exclude=drafts/", "--set", "sections=[{name: api, urls: [api/]}]") == 0
    said = capsys.readouterr().out
    assert "exclude: no URL of the table meets 'drafts/'" in said
    assert "sections, api: no URL of the table meets one of its patterns" in said


def test_a_file_of_others_stops_the_run(capsys: pytest.CaptureFixture[str]) -> None:
    Path("out/a").mkdir(parents=True)
    Path("out/a/sitemap.xml").write_text("mine")
    assert pages(parquet("pages.parquet", url=URLS)) == 1
    assert "[file-not-ours]" in capsys.readouterr().out
    assert Path("out/a/sitemap.xml").read_text() == "mine"


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["missing.parquet"], "missing.parquet: there is no such file; check the path"),
        (["pages.xlsx"], "pages.xlsx: its name does not say what is in it; accepted: .parquet, .csv"),
        (["other.parquet"], "the table has no column url; it has loc, n. Name the column of URLs: --column url=NAME"),
        (["pages.parquet", "--column", "lastmod=changed"], "the table has no column changed; it has url"),
        (["pages.parquet", "--column", "loc"], "accepted: url, lastmod, alternates or images, with a column: url=loc"),
        (["pages.parquet", "--memory", "much"], "Memory must have a number"),
        (["pages.parquet", "--set", "section_depth=99"], "--set section_depth: got 99; accepted: a whole number"),
        (["pages.parquet", "--rejected", "wrong.txt"], "wrong.txt: its name does not say what is in it"),
        (["torn.parquet"], "torn.parquet"),
        (["number.parquet"], "the column of dates, lastmod, holds BIGINT[]"),
    ],
)
def test_what_cannot_be_read_is_said_with_what_to_do(
    arguments: list[str], words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    parquet("pages.parquet", url=URLS)
    parquet("other.parquet", loc=URLS, n=[1] * 4)
    parquet("number.parquet", url=URLS, lastmod=[[1]] * 4)
    Path("pages.xlsx").touch()
    Path("torn.parquet").write_bytes(Path("pages.parquet").read_bytes()[:100])
    assert pages(*arguments) == 2
    assert words in capsys.readouterr().err
    assert not Path("out/sitemap_index.xml").exists()


def test_a_relation_a_reader_and_a_table_are_taken_as_they_are(tmp_path: Path) -> None:
    import duckdb  # noqa: PLC0415 - this test alone needs it

    table = pa.table({"loc": URLS, "lastmod": [WHEN] * 4})
    session = duckdb.connect()
    for number, source in enumerate((table, table.to_reader(), session.from_arrow(table))):
        out = tmp_path / str(number)
        outcome = write_sitemaps(
            source, site_url=SITE, out=str(out), columns={"url": "loc"}, bounds=Bounds(memory="200MB", threads=1)
        )
        assert (out / "sitemap_index.xml").read_text() == INDEX
        assert [entry.url for entry in outcome.entries] == [f"{SITE}a/sitemap.xml", f"{SITE}sitemap-root.xml"]
        assert (outcome.rows, outcome.pages, outcome.sections) == (4, 4, 2)
    session.close()
    with pytest.raises(TypeError, match="a table is files, or what Arrow reads"):
        write_sitemaps(1, site_url=SITE, out=str(tmp_path))


def test_progress_says_the_step(tmp_path: Path) -> None:
    told: list[str] = []
    table = pa.table({"url": URLS})
    write_sitemaps(table, site_url=SITE, out=str(tmp_path / "out"), tell=told.append)
    assert told == [
        "1 of 5, normal rows",
        "2 of 5, pages, each once",
        "3 of 5, sections and shards",
        "4 of 5, sitemaps: 2 of 4 pages",
        "4 of 5, sitemaps: 4 of 4 pages",
        "5 of 5, the index",
    ]


def test_without_the_extra_the_command_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    parquet("pages.parquet", url=URLS)
    monkeypatch.setitem(sys.modules, "duckdb", None)
    monkeypatch.delitem(sys.modules, "smindex_plugins.tables.on_duckdb", raising=False)
    monkeypatch.delattr("smindex_plugins.tables.on_duckdb", raising=False)
    assert pages("pages.parquet") == 2
    assert "pip install 'smindex-plugins[tables]'" in capsys.readouterr().err
    monkeypatch.setitem(sys.modules, "pyspark", None)
    assert pages("pages.parquet", "--engine", "spark") == 2
    assert "pip install 'smindex-plugins[spark]'" in capsys.readouterr().err


def test_memory_is_an_amount_that_java_takes() -> None:
    given = ("4GB", "1500 MiB", "2g")
    assert [Bounds(memory=memory).memory_of_java() for memory in given] == ["4g", "1500m", "2g"]
    with pytest.raises(ValueError, match=r"got 1\.5GB of memory; Spark takes a whole number"):
        Bounds(memory="1.5GB").memory_of_java()
