"""DuckDB with too little room. What it writes with enough is law 4."""

import subprocess
import sys
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from smindex_plugins.tables import write_sitemaps
from tests.support.listed import sitemaps

RUN = """
import resource, sys
from smindex_plugins.tables import Bounds, write_sitemaps

top, size = sys.argv[1], int(sys.argv[2])
import duckdb, pyarrow.compute  # which write files of their own when they are imported
resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))
bounds = Bounds(memory="200MB", threads=2, temp=f"{top}/temp")
write_sitemaps([f"{top}/pages.parquet"], site_url="https://e.org/", out=f"{top}/out", bounds=bounds)
"""


def test_binary_urls_are_read_as_utf_8(tmp_path: Path) -> None:
    urls = [f"https://e.org/{name}/".encode() for name in ("café", "b")]
    table = pa.table({"url": pa.array([*urls, b"https://e.org/caf\xe9/"], pa.binary())})
    outcome = write_sitemaps(table, site_url="https://e.org/", out=str(tmp_path))
    (sitemap,) = sitemaps(tmp_path, "https://e.org/")
    assert [page.url for page in sitemap.pages] == ["https://e.org/b/", "https://e.org/caf%C3%A9/"]
    assert outcome.faults == {"that can't be read": 1}
    assert "such as https://e.org/caf\\xE9/." in str(outcome.findings[0])


def test_without_room_for_temporary_files_a_run_says_so_and_changes_nothing(tmp_path: Path) -> None:
    table = pa.table({"url": [f"https://e.org/a/{number}" for number in range(12_000)]})
    pq.write_table(table, tmp_path / "pages.parquet")
    for size, problem in ((200_000, "make sure that --temp"), (2**40, "")):
        command = [sys.executable, "-c", RUN, str(tmp_path), str(size)]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        assert problem in done.stderr
        assert (tmp_path / "out/sitemap_index.xml").exists() == (not problem)
    assert sum(len(each.pages) for each in sitemaps(tmp_path / "out", "https://e.org/")) == 12_000
    assert list((tmp_path / "temp").iterdir()) == []
