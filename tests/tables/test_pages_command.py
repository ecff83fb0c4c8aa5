"""`smindex pages` reads tables as people keep them, and says what it did and what is wrong with
rows.
"""

import gzip
import json
import os
import sys
from collections.abc import Callable
from datetime import UTC, date, datetime
from importlib.resources import files
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet as pq
import pytest

from smindex_plugins.base import release
from smindex_plugins.cli.main import main
from smindex_plugins.tables import Bounds, write_sitemaps
from tests.support.schema import mistakes
from tests.tables.rows import BROKEN

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
Pages = Callable[..., str]


@pytest.fixture
def pages(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Pages:
    """Run the command in an empty directory, and give what it prints."""
    monkeypatch.chdir(tmp_path)

    def run(*arguments: str, code: int = 0) -> str:
        command = [
            "pages",
            "--site-url",
            SITE,
            "--out",
            "out",
            "--temp",
            "temp",
            "--memory",
            "200MB",
        ]
        assert main([*command, *arguments]) == code
        printed = capsys.readouterr()
        return printed.err if code == 2 else printed.out

    return run


def parquet(name: str = "pages.parquet", **columns: Any) -> str:  # noqa: ANN401 - what Arrow takes
    Path(name).parent.mkdir(parents=True, exist_ok=True)
    pq.write_table(pa.table(columns), name)
    return name


def written(name: str = "sitemap_index.xml") -> str:
    return (Path("out") / name).read_text()


def test_parquet_becomes_sitemaps_and_an_index(pages: Pages) -> None:
    said = pages(parquet(url=URLS, lastmod=[WHEN] * 4))
    assert written() == INDEX
    assert (
        written("sitemap-root.xml").count(
            f"<loc>{SITE}b/%C3%BC</loc><lastmod>2024-05-06T07:08:09Z</lastmod>"
        )
        == 1
    )
    assert (
        f"4 pages in 2 sections, 2 sitemaps listed in {SITE}sitemap_index.xml; 4 rows in " in said
    )
    assert "3 files written, 0 unchanged, 0 removed" in said
    assert "0 files written, 3 unchanged, 0 removed" in pages("pages.parquet")
    assert os.listdir("temp") == []


@pytest.mark.parametrize("name", ["p.csv.gz", "p.tsv", "p.jsonl", "p.json"])
def test_csv_and_json_lines_come_to_the_same(pages: Pages, name: str) -> None:
    rows = [{"url": url, "lastmod": "2024-05-06T09:08:09+02:00", "more": "1"} for url in URLS]
    if "json" in name:
        lines = [json.dumps({**row, "more": {"x": 1}}) for row in rows]
    else:
        lines = [",".join(row) for row in (rows[0], *(row.values() for row in rows))]
    content = "\n".join(lines).encode()
    Path(name).write_bytes(gzip.compress(content) if name.endswith(".gz") else content)
    pages(name)
    assert written() == INDEX


def test_files_patterns_directories_and_object_storage_are_one_table(pages: Pages) -> None:
    """Columns may have other names and capitals, and dates other types."""
    import fsspec  # noqa: PLC0415 - this test alone needs it

    parquet("lake/day=1/part-0.parquet", **{"Loc of page": URLS[:1]}, LASTMOD=[WHEN])
    tokyo = pa.array([WHEN]).cast(pa.timestamp("ns", "Asia/Tokyo"))
    stored = parquet("1.parquet", **{"Loc of page": URLS[1:2]}, lastmod=tokyo, x=[1])
    fsspec.filesystem("memory").pipe("/lake/pages/1.parquet", Path(stored).read_bytes())
    parquet("more-1.parquet", **{"Loc of page": URLS[2:3]}, lastmod=["2024-05-06T07:08:09Z"])
    Path("rest.jsonl").write_text(
        json.dumps({"Loc of page": URLS[3], "lastmod": "2024-05-06T07:08:09Z"})
    )
    given = ["lake", "more-*.parquet", "rest.jsonl", "memory://lake/pages/*.parquet"]
    pages(*given, "--column", "url=Loc of page")
    assert written() == INDEX


@pytest.mark.parametrize(
    ("dates", "listed"),
    [
        ({}, 0),
        ({"lastmod": [date(2024, 5, 6)] * 4}, 2),
        ({"lastmod": [WHEN.replace(tzinfo=None)] * 4}, 2),
    ],
    ids=["none", "days", "times without a zone"],
)
def test_dates_may_lack_and_have_any_type(pages: Pages, dates: dict[str, Any], listed: int) -> None:
    pages(parquet(url=URLS, **dates))
    assert (
        written().count("<lastmod>2024-05-06</lastmod>") == written().count("<lastmod>") == listed
    )


def test_what_is_wrong_with_rows_is_counted_with_examples_and_kept(pages: Pages) -> None:
    urls = [
        *URLS,
        URLS[1],
        None,
        "no url",
        "https://other.example.org/",
        SITE + "x" * 3_000,
        f"{SITE}404.html",
    ]
    dates = ["2024-05-06", "never", "2999-01-01", None, "2024-05-07", *["2024-05-06"] * 5]
    variants = ['{"de": "nonsense"}', *[None] * 9]
    said = pages(parquet(url=urls, lastmod=dates, alternates=variants), "--rejected", "wrong.csv")
    for line in (
        "1 row with an invalid URL: it is not listed, such as no url.",
        "1 row without a URL: it is not listed.",
        "1 row with a date in the future: it is listed without it, such as 2999-01-01.",
        (
            "1 row at the URL of another row: it is omitted, because another row takes"
            f" precedence, such as {URLS[1]}."
        ),
        "1 error page",
    ):
        assert line in said
    assert "<lastmod>2024-05-07</lastmod>" in written("a/sitemap.xml")
    table = pyarrow.csv.read_csv("wrong.csv").to_pylist()
    assert len(table) == 9
    assert {"fault": "with a date that can't be read", "url": URLS[1], "value": "never"} in table
    assert pages("pages.parquet", "--fail-on", "warning", "-q", code=1) == ""


@pytest.mark.parametrize("name", ["wrong.jsonl", "wrong.parquet"])
def test_wrong_rows_are_kept_in_the_form_that_the_name_says(pages: Pages, name: str) -> None:
    pages(parquet(url=[*URLS, "no url"]), "--rejected", name)
    found = (
        pq.read_table(name).to_pylist()
        if name.endswith("t")
        else [json.loads(Path(name).read_text())]
    )
    assert found == [{"fault": "with an invalid URL", "url": "no url", "value": None}]


def test_json_has_the_form_of_its_schema(pages: Pages) -> None:
    schema = json.loads((files("smindex_plugins") / "schemas" / "pages.json").read_text("utf-8"))
    result = json.loads(pages(parquet(url=[*URLS, "no url"]), "--format", "json"))
    assert mistakes(result, schema) == []
    assert (result["rows"], result["pages"], result["sitemaps"]) == (5, 4, 2)
    assert result["files"] == {"written": 3, "unchanged": 0, "removed": 0}


@pytest.mark.parametrize("end", [".xml", ".xml.gz"])
def test_a_dry_run_says_what_the_next_run_does(pages: Pages, end: str) -> None:
    more = ["--set", "gzip=true"] * end.endswith("gz")
    before = parquet("before.parquet", url=[*URLS, f"{SITE}c/1", f"{SITE}c/2"], lastmod=[WHEN] * 6)
    after = parquet("after.parquet", url=[*URLS, f"{SITE}a/3"], lastmod=[WHEN] * 5)
    assert "Nothing was written: 6 pages in 3 sections" in pages(before, "--dry-run")
    assert not Path("out").exists()
    pages(before, *more)
    kept = sorted((path, path.stat().st_mtime_ns) for path in Path("out").rglob("*"))
    told = pages(after, *more, "--dry-run", "--verbose")
    for line in (
        f"written: a/sitemap{end}",
        "written: sitemap_index.xml",
        f"removed: c/sitemap{end}",
    ):
        assert f"would be {line}\n" in told
    assert "2 files would be written, 1 unchanged, 1 would be removed" in told
    assert sorted((path, path.stat().st_mtime_ns) for path in Path("out").rglob("*")) == kept
    assert "2 files written, 1 unchanged, 1 removed" in pages(after, *more)


def test_without_a_page_earlier_files_stay(pages: Pages) -> None:
    pages(parquet(url=URLS))
    before = written()
    assert "Earlier files are unchanged" in pages(parquet(url=["no url"]), code=1)
    assert "the table has no rows" in pages(parquet(url=pa.array([], pa.string())), code=1)
    assert written() == before


def test_patterns_that_no_row_meets_are_named(pages: Pages) -> None:
    patterns = ["--set", "exclude=drafts/", "--set", "sections=[{name: api, urls: [api/]}]"]
    said = pages(parquet(url=URLS), *patterns)
    assert "exclude: no table URL matches 'drafts/'" in said
    assert "sections, api: no table URL matches any of its patterns" in said


def test_a_file_of_others_stops_the_run(pages: Pages) -> None:
    Path("out/a").mkdir(parents=True)
    Path("out/a/sitemap.xml").write_text("mine")
    assert "(file-not-ours)" in pages(parquet(url=URLS), code=1)
    assert written("a/sitemap.xml") == "mine"


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["missing.parquet"], "missing.parquet: there is no such file; check the path"),
        (["pages.xlsx"], "pages.xlsx: its name doesn't show its format; accepted: .parquet, .csv"),
        (
            ["other.parquet"],
            "the table has no column url; it has loc, n. Set the column of URLs: --column url=NAME",
        ),
        (
            ["pages.parquet", "--column", "lastmod=changed"],
            "the table has no column changed; it has url",
        ),
        *(
            (
                ["pages.parquet", "--column", pair],
                "write url, lastmod, alternates or images, and the name in the table, such as url=loc",
            )
            for pair in ("loc", "loc=url", "url=")
        ),
        (
            ["pages.parquet", "--memory", "much"],
            "Invalid value for '--memory': much is not a size, such as 4GB or 1500MB",
        ),
        (
            ["pages.parquet", "--memory", "0GB"],
            "Invalid value for '--memory': 0GB is not a size, such as 4GB or 1500MB",
        ),
        (
            ["pages.parquet", "--memory", "512"],
            "Invalid value for '--memory': 512 is not a size, such as 4GB or 1500MB",
        ),
        (
            ["pages.parquet", "--threads", "0"],
            "Invalid value for '--threads': 0 is not in the range",
        ),
        (
            ["pages.parquet", "--set", "section_depth=99"],
            "--set section_depth: got 99; accepted: a whole number",
        ),
        (
            ["pages.parquet", "--rejected", "wrong.txt"],
            "wrong.txt: its name doesn't show its format",
        ),
        (
            ["torn.parquet"],
            "torn.parquet: it is damaged, or not in the Parquet format. Copy or write it again",
        ),
        (["middle.parquet"], "middle.parquet: it is damaged, or not"),
        (
            ["latin.parquet"],
            (
                "latin.parquet: a text column contains bytes that are not UTF-8: caf\\xE9. Write"
                " the column"
            ),
        ),
        *(
            (
                [name],
                (
                    f"{name}: it is damaged or incomplete, or not compressed with {kind}. Copy or"
                    " write it again"
                ),
            )
            for name, kind in (
                ("cut.csv.gz", "gzip"),
                ("cut.jsonl.zst", "zstd"),
                ("plain.jsonl.gz", "gzip"),
            )
        ),
        (["~/a.csv"], "~/a.csv: no shell expanded the ~"),
        (["pages.parquet", "--out", "~/a"], "~/a: no shell expanded the ~"),
        (
            ["pages.parquet", "--out", "memory://a"],
            "memory://a ends with the command. Pass a directory",
        ),
        (["late.parquet"], "a date is out of range. Correct it, or write the dates as text"),
        (["number.parquet"], "the date column, lastmod, contains BIGINT[]"),
        (["empty.csv"], "empty.csv, line 1: it is empty. Write the column names into it"),
        (
            ["wide.csv"],
            (
                "wide.csv, line 1: it is not UTF-8. Convert the file: iconv -f ENCODING -t UTF-8"
                " wide.csv"
            ),
        ),
        (["title.csv"], "title.csv, line 1: a quote is not closed"),
        (
            ["quote.csv"],
            (
                "quote.csv, line 2: a quote is not closed, so the rows after it can't be read."
                " Close it"
            ),
        ),
    ],
)
def test_what_cannot_be_read_is_said_with_what_to_do(
    pages: Pages, arguments: list[str], words: str
) -> None:
    content = Path(parquet(url=URLS)).read_bytes()
    parquet("other.parquet", loc=URLS, n=[1] * 4)
    parquet("number.parquet", url=URLS, lastmod=[[1]] * 4)
    parquet("late.parquet", url=URLS, lastmod=pa.array([2**62] * 4, pa.timestamp("ms", "UTC")))
    Path("pages.xlsx").touch()
    Path("torn.parquet").write_bytes(content[:100])
    Path("middle.parquet").write_bytes(content[:4] + bytes(40) + content[44:])
    latin = pa.Array.from_buffers(pa.string(), 1, pa.array([b"caf\xe9"]).buffers())
    pq.write_table(pa.table({"url": latin}), "latin.parquet")
    rows = b'{"url": "https://e.org/"}\n' * 9
    Path("plain.jsonl.gz").write_bytes(rows)
    for name in ("cut.csv.gz", "cut.jsonl.zst"):
        with pa.CompressedOutputStream(name, "gzip" if name.endswith("gz") else "zstd") as file:
            file.write(rows)
        Path(name).write_bytes(Path(name).read_bytes()[:-6])
    Path("empty.csv").touch()
    Path("wide.csv").write_text(f"url\n{SITE}a\n", encoding="utf-16")
    Path("title.csv").write_text(f'"url\n{SITE}a\n')
    Path("quote.csv").write_text(f'"url","lastmod"\n"{SITE}a,2026-01-01\n{SITE}b,\n')
    assert words in pages(*arguments, code=2)
    assert not Path("out/sitemap_index.xml").exists()


@pytest.mark.parametrize("name", BROKEN)
def test_a_row_that_cannot_be_read_is_rejected_like_every_bad_row(pages: Pages, name: str) -> None:
    content, unread = BROKEN[name]
    Path(name).write_bytes(content)
    said = pages(name, "--rejected", "wrong.jsonl")
    assert f"2 pages in 1 section, 1 sitemap listed in {SITE}sitemap_index.xml" in said
    found = [
        json.loads(line) for line in Path("wrong.jsonl").read_text(encoding="utf-8").splitlines()
    ]
    assert [each["url"] for each in found if each["fault"] == "that can't be read"] == unread


def test_a_dry_run_writes_no_rejected_rows(pages: Pages) -> None:
    assert "1 row with an invalid URL" in pages(
        parquet(url=[*URLS, "no url"]), "--rejected", "wrong.csv", "--dry-run"
    )
    assert not Path("wrong.csv").exists()


def test_rejected_rows_replace_only_rejected_rows(pages: Pages) -> None:
    parquet(url=[*URLS, "no url"])
    pq.write_table(pa.table({"mine": [1]}), "mine.parquet")
    Path("mine.csv").write_text("url,fault\n")
    Path("mine.jsonl").write_text('{"url": 1}\n')
    for suffix in ("csv", "jsonl", "parquet"):
        for _ in range(2):
            pages("pages.parquet", "--rejected", f"wrong.{suffix}")
        before = Path(f"mine.{suffix}").read_bytes()
        said = pages("pages.parquet", "--rejected", f"mine.{suffix}", code=2)
        assert f"mine.{suffix}: smindex did not write this file" in said
        assert Path(f"mine.{suffix}").read_bytes() == before


def test_a_relation_a_reader_and_a_table_are_taken_as_they_are(tmp_path: Path) -> None:
    import duckdb  # noqa: PLC0415 - this test alone needs it

    table = pa.table({"loc": URLS, "lastmod": [WHEN] * 4})
    session = duckdb.connect()
    for number, source in enumerate((table, table.to_reader(), session.from_arrow(table))):
        out = tmp_path / str(number)
        outcome = write_sitemaps(
            source,
            site_url=SITE,
            out=str(out),
            columns={"url": "loc"},
            bounds=Bounds(memory="200MB", threads=1),
        )
        assert (out / "sitemap_index.xml").read_text() == INDEX
        assert [entry.url for entry in outcome.entries] == [
            f"{SITE}a/sitemap.xml",
            f"{SITE}sitemap-root.xml",
        ]
        assert (outcome.rows, outcome.pages, outcome.sections) == (4, 4, 2)
    session.close()
    with pytest.raises(TypeError, match="a table must be files, or rows that Arrow"):
        write_sitemaps(1, site_url=SITE, out=str(tmp_path))


def test_progress_says_the_step(tmp_path: Path) -> None:
    told: list[str] = []
    write_sitemaps(
        pa.table({"url": URLS}), site_url=SITE, out=str(tmp_path / "out"), tell=told.append
    )
    assert told == [
        "1 of 5, normalize rows",
        "2 of 5, remove duplicates",
        "3 of 5, sections and shards",
        "4 of 5, sitemaps: 2 of 4 pages",
        "4 of 5, sitemaps: 4 of 4 pages",
        "5 of 5, the index",
    ]


def test_without_the_extra_the_command_says_what_to_install(
    pages: Pages, monkeypatch: pytest.MonkeyPatch
) -> None:
    parquet(url=URLS)
    monkeypatch.delitem(sys.modules, "smindex_plugins.tables._on_duckdb", raising=False)
    monkeypatch.delattr("smindex_plugins.tables._on_duckdb", raising=False)
    for engine, package, extra in (("duckdb", "duckdb", "tables"), ("spark", "pyspark", "spark")):
        monkeypatch.setitem(sys.modules, package, None)
        said = pages("pages.parquet", "--engine", engine, code=2)
        assert release.install_command(extra) in said
