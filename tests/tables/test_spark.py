"""On Spark come the bytes that `publish` writes, whatever its cores and machines, and whichever of
them die.
"""

import csv
import gzip
import json
import os
import random
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from smindex_plugins import publish
from smindex_plugins.base.settings import Settings
from smindex_plugins.base.site import Site
from smindex_plugins.cli.main import main
from smindex_plugins.tables import Bounds, write_sitemaps
from smindex_plugins.tables.outcome import TableOutcome
from smindex_plugins.writing.rendering import OutputError
from tests.support.listed import files_in
from tests.tables.rows import (
    BROKEN,
    DEATHS,
    NOW,
    SITE,
    Row,
    grouped,
    options,
    pages_as_listed,
    skewed,
    table_of,
)

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

pytestmark = pytest.mark.apart
ROOT = Path(__file__).parents[2]
Open = Callable[[str], "SparkSession"]


@pytest.fixture(scope="module")
def deaths(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("deaths")


@pytest.fixture(scope="module")
def session(deaths: Path) -> Iterator[Open]:
    """Open a session with a master, in place of the one before, in the same Java; it takes seconds
    to start that.
    """
    from pyspark.sql import SparkSession  # noqa: PLC0415 - Spark is in no other environment

    os.environ.update(
        {"PYSPARK_PYTHON": sys.executable, "PYTHONPATH": str(ROOT), DEATHS: str(deaths)}
    )
    opened: list[SparkSession] = []

    def with_master(master: str) -> SparkSession:
        if not opened or opened[-1].sparkContext.master != master:
            for each in opened[-1:]:
                each.stop()
            builder = SparkSession.builder.master(master)
            for name, value in {
                "ui.enabled": "false",
                "ui.showConsoleProgress": "false",
                "sql.shuffle.partitions": "4",
                "log.level": "OFF",
                "driver.extraJavaOptions": "-XX:TieredStopAtLevel=1",
                "python.daemon.module": "tests.tables.rows",
                f"executorEnv.{DEATHS}": str(deaths),
                "executorEnv.PYTHONPATH": str(ROOT),
            }.items():
                builder = builder.config(f"spark.{name}", value)
            opened.append(builder.getOrCreate())
        return opened[-1]

    yield with_master
    for each in opened[-1:]:
        each.stop()


def on_spark(
    session: "SparkSession", rows: list[Row], out: Path, settings: Settings
) -> TableOutcome:
    frame = session.createDataFrame(table_of(rows)).repartition(5)
    bounds = Bounds(temp=str(out.parent / "temp"))
    return write_sitemaps(
        frame, site_url=SITE, out=str(out), settings=settings, bounds=bounds, now=NOW
    )


def assert_as_published(
    rows: list[Row], place: Path, settings: Settings, outcome: TableOutcome
) -> None:
    """Whether the files are those of `publish`, and all that is said is what is said on DuckDB."""
    report = publish(
        pages_as_listed(rows, settings),
        Site(url=SITE, directory=str(place / "b"), settings=settings),
        now=NOW,
    )
    assert report.index_urls == outcome.index_urls
    # What a killed executor was just writing stays until the next run.
    written = {
        path: content
        for path, content in files_in(place / "spark").items()
        if not path.endswith(".tmp")
    }
    assert written == files_in(place / "b")
    here = write_sitemaps(
        table_of(rows), site_url=SITE, out=str(place / "duckdb"), settings=settings, now=NOW
    )
    assert replace(here, changes=outcome.changes) == outcome
    assert list((place / "temp").iterdir()) == []


@pytest.mark.parametrize(("master", "seed"), [("local[2]", 1), ("local[4]", 8)])
def test_spark_writes_what_publish_writes_and_finds_what_duckdb_finds(
    master: str, seed: int, session: Open, tmp_path: Path
) -> None:
    chance = random.Random(seed)  # noqa: S311 - so that a failure can be repeated
    rows = [*skewed(chance), *grouped(chance)]
    settings = Settings.load(options(chance))
    outcome = on_spark(session(master), rows, tmp_path / "spark", settings)
    assert outcome.entries
    assert_as_published(rows, tmp_path, settings, outcome)


@pytest.mark.parametrize(
    ("master", "who"),
    [
        ("local[2,4]", ["reading-worker", "writing-worker-1", "writing-worker-2"]),
        ("local-cluster[2,1,1024]", ["reading-executor", "writing-executor"]),
    ],
)
def test_workers_and_executors_that_are_killed_while_they_read_or_write_change_no_byte(
    master: str, who: list[str], session: Open, deaths: Path, tmp_path: Path
) -> None:
    chance = random.Random(5)  # noqa: S311 - as above
    rows = [row for _ in range(6) for row in skewed(chance)]
    settings = Settings(max_urls=10)
    spark = session(master)
    for name in who:
        (deaths / name).touch()
    outcome = on_spark(spark, rows, tmp_path / "spark", settings)
    assert list(deaths.iterdir()) == []
    assert len(outcome.entries) > 50
    assert_as_published(rows, tmp_path, settings, outcome)


def test_what_stands_in_the_way_of_a_worker_is_told_and_the_earlier_index_stays(
    session: Open, tmp_path: Path
) -> None:
    spark, out = session("local[2]"), tmp_path / "spark"
    rows = [Row(f"{SITE}{section}/{number}") for section in "ab" for number in range(9)]
    on_spark(spark, rows, out, Settings())
    before = (out / "sitemap_index.xml").read_bytes()
    (out / "b/sitemap.xml").unlink()
    (out / "b/sitemap.xml").mkdir()
    with pytest.raises(OutputError, match=r"b/sitemap\.xml"):
        on_spark(spark, [*rows, Row(f"{SITE}a/10")], out, Settings())
    assert (out / "sitemap_index.xml").read_bytes() == before


@pytest.mark.parametrize("name", ["pages.csv", "pages[1].jsonl"])
def test_the_command_reads_the_same_from_files_with_both_engines(
    name: str, session: Open, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    session("local[2]")
    monkeypatch.chdir(tmp_path)
    variants = json.dumps({"de": f"{SITE}s/1", "en": f"{SITE}s/2"})
    rows = [
        {"loc": f"{SITE}s/{number}", "lastmod": "2025-01-02", "alternates": variants}
        for number in range(1, 3)
    ]
    rows += [{"loc": f"{SITE}s/3 \u00fc,\n", "images": '["https://i.example.org/1"]'}, {"loc": ""}]
    with open(name, "w", encoding="utf-8", newline="") as file:
        if name.endswith("csv"):
            writer = csv.DictWriter(file, ("loc", "lastmod", "alternates", "images"))
            writer.writeheader()
            writer.writerows(rows)
        else:
            file.writelines(json.dumps(row) + "\n" for row in rows)
    for engine in ("duckdb", "spark"):
        command = [
            "pages",
            name,
            "--column",
            "url=loc",
            "--site-url",
            SITE,
            "--temp",
            "temp",
            "--engine",
            engine,
        ]
        assert main([*command, "--out", engine, "--rejected", f"{engine}.jsonl"]) == 0
    assert files_in(Path("spark")) == files_in(Path("duckdb"))
    assert any(b'hreflang="en"' in content for content in files_in(Path("spark")).values())
    (part,) = Path("spark.jsonl").glob("part-*")
    rejected = [
        json.loads(line)
        for file in (part, Path("duckdb.jsonl"))
        for line in file.read_text().splitlines()
    ]
    assert {each["fault"] for each in rejected} == {"without a URL"}
    assert len(rejected) == 2


@pytest.mark.parametrize("name", BROKEN)
def test_the_rows_that_cannot_be_read_are_those_of_duckdb(
    name: str, session: Open, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    session("local[2]")
    monkeypatch.chdir(tmp_path)
    content, unread = BROKEN[name]
    Path(name).write_bytes(content)
    for engine in ("duckdb", "spark"):
        command = [
            "pages",
            name,
            "--site-url",
            SITE,
            "--temp",
            "temp",
            "--engine",
            engine,
            "--out",
            engine,
        ]
        assert main([*command, "--rejected", f"{engine}.jsonl"]) == 0
        assert main([*command, "--rejected", f"{engine}.jsonl"]) == 0  # they replace their own
    assert files_in(Path("spark")) == files_in(Path("duckdb"))
    lines = [
        line
        for part in Path("spark.jsonl").glob("part-*")
        for line in part.read_text("utf-8").splitlines()
    ]
    rejected = [json.loads(line) for line in lines]
    assert [each["fault"] for each in rejected] == ["that can't be read"] * len(unread)
    Path("quote.csv").write_text(f'url,n\n{SITE}a,1\n"{SITE}b,1\n{SITE}c,1\n')
    assert (
        main(["pages", "quote.csv", "--site-url", SITE, "--out", "out", "--engine", "spark"]) == 2
    )
    Path("spark.jsonl/notes.txt").write_text("mine")
    assert main([*command, "--rejected", "spark.jsonl"]) == 2
    assert Path("spark.jsonl/notes.txt").read_text() == "mine"


def test_files_with_commas_and_with_tabs_are_one_table(
    session: Open, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    session("local[2]")
    monkeypatch.chdir(tmp_path)
    Path("a.csv").write_text(f"url,n\n{SITE}a,1\n")
    Path("b.tsv").write_text(f"n\turl\n1\t{SITE}b\n")
    for engine in ("duckdb", "spark"):
        command = ["pages", "a.csv", "b.tsv", "--site-url", SITE, "--temp", "temp"]
        assert main([*command, "--engine", engine, "--out", engine]) == 0
    assert files_in(Path("spark")) == files_in(Path("duckdb"))


def test_a_damaged_file_is_named_and_a_text_that_is_not_utf_8_is_rejected(
    session: Open,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    session("local[2]")
    monkeypatch.chdir(tmp_path)
    urls = pa.array([f"{SITE}caf\xe9".encode("latin-1"), f"{SITE}tea".encode()])
    pq.write_table(
        pa.table({"url": pa.Array.from_buffers(pa.string(), 2, urls.buffers())}), "pages.parquet"
    )
    command = ["--site-url", SITE, "--temp", "temp", "--engine", "spark", "--out", "out"]
    assert main(["pages", "pages.parquet", *command]) == 0
    assert "1 page in 1 section" in capsys.readouterr().out
    content = Path("pages.parquet").read_bytes()
    Path("cut.parquet").write_bytes(content[:60])
    Path("middle.parquet").write_bytes(content[:4] + bytes(40) + content[44:])
    Path("cut.csv.gz").write_bytes(gzip.compress(b"url\n" + SITE.encode())[:-6])
    for name in ("cut.parquet", "middle.parquet", "cut.csv.gz"):
        assert main(["pages", name, *command]) == 2
        problem = "it is damaged or incomplete, or not in the format that its name says"
        assert (
            f"smindex: {tmp_path / name}: {problem}. Copy or write it again.\n"
            in capsys.readouterr().err
        )


def test_a_worker_that_lacks_a_package_is_told_of_in_one_line(
    session: Open, tmp_path: Path
) -> None:
    spark = session("local[2]")

    def failing(batches: Any) -> Any:  # noqa: ANN401 - it is never given any
        import no_such_package  # type: ignore[import-not-found]  # noqa: PLC0415 - in a worker

        yield from no_such_package.of(batches)

    frame = spark.createDataFrame([(SITE,)], "url string").mapInArrow(failing, "url string")
    with pytest.raises(
        ValueError,
        match=r"^ModuleNotFoundError: No module named 'no_such_package'; every machine needs",
    ):
        write_sitemaps(frame, site_url=SITE, out=str(tmp_path / "out"))


def test_a_frame_without_the_column_or_with_numbers_for_dates_is_refused(
    session: Open, tmp_path: Path
) -> None:
    frame = session("local[2]").createDataFrame([(SITE, 5)], "loc string, lastmod int")
    with pytest.raises(ValueError, match="the table has no column url; it has loc, lastmod"):
        write_sitemaps(frame, site_url=SITE, out=str(tmp_path / "out"))
    with pytest.raises(ValueError, match="the date column, lastmod, contains int"):
        write_sitemaps(frame, site_url=SITE, out=str(tmp_path / "out"), columns={"url": "loc"})


def test_spark_submit_starts_the_file_of_the_manual(tmp_path: Path) -> None:
    page = (ROOT / "sample_sites/mkdocs/docs/commands/pages.md").read_text(encoding="utf-8")
    (tmp_path / "run.py").write_text(
        page.partition("# run.py\n")[2].partition("```")[0], encoding="utf-8"
    )
    (tmp_path / "pages.csv").write_text(f"url\n{SITE}a/1\n{SITE}a/2\n", encoding="utf-8")
    submit = Path(sys.executable).with_name("spark-submit")
    command = [
        "pages",
        "pages.csv",
        "--site-url",
        SITE,
        "--out",
        "out",
        "--temp",
        "temp",
        "--engine",
        "spark",
    ]
    done = subprocess.run(
        [str(submit), "--conf", "spark.sql.shuffle.partitions=2", "run.py", *command],
        cwd=tmp_path,
        env=os.environ | {"PYTHONPATH": str(ROOT), "PYSPARK_PYTHON": sys.executable},
        check=False,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    assert "2 pages in 1 section" in done.stdout
    assert any(
        f"<loc>{SITE}a/2</loc>".encode() in content
        for content in files_in(tmp_path / "out").values()
    )
