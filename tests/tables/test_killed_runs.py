"""A run that ends at any moment, or finds no room, leaves an index that lists only what is there."""

import os
import re
import resource
import subprocess
import sys
import textwrap
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from smindex_plugins.settings import Settings
from smindex_plugins.tables import Bounds, write_sitemaps

SITE = "https://shop.example.org/"
SETTINGS = Settings(max_urls=500, section_min_pages=1)
BOUNDS = Bounds(memory="200MB", threads=2)
ROOT = Path(__file__).parents[2]
CHILD = """
import os, signal, sys
from smindex_plugins.settings import Settings
from smindex_plugins.tables import Bounds, Destination, write_sitemaps

when, files = sys.argv[1], int(sys.argv[2])

def end():
    os.kill(os.getpid(), signal.SIGKILL)

put = Destination.put
def counted(self, path, content, left=[files]):
    left[0] -= 1
    if left[0] < 0:
        end()
    return put(self, path, content)
Destination.put = counted
write_sitemaps("pages.parquet", site_url="https://shop.example.org/", out="out",
    settings=Settings(max_urls=500, section_min_pages=1), bounds=Bounds(memory="200MB", threads=2, temp="temp"),
    tell=lambda line: end() if line == when else None)
"""


def table(name: str, rows: int) -> None:
    places = (f"a/deep/{number}" if number % 10 < 6 else f"s{number % 7}/{number}" for number in range(rows))
    pq.write_table(pa.table({"url": [SITE + place for place in places]}), name)


def run(when: str, files: int = 1_000_000) -> int:
    code = textwrap.dedent(CHILD)
    done = subprocess.run([sys.executable, "-c", code, when, str(files)], env=_env(), check=False, capture_output=True)
    return done.returncode


def _env() -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": str(ROOT)}


def contents(root: str) -> dict[str, bytes]:
    return {str(path.relative_to(root)): path.read_bytes() for path in Path(root).rglob("*.xml")}


def assert_index_is_true(root: str) -> None:
    """Whether all that the index lists is there, if there is one."""
    index = Path(root, "sitemap_index.xml")
    listed = re.findall(rf"<loc>{SITE}(.*?)</loc>", index.read_text()) if index.exists() else []
    assert [path for path in listed if not Path(root, path).is_file()] == []


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize(
    ("when", "files"),
    [
        ("1 of 5, normal rows", 0),
        ("2 of 5, pages, each once", 0),
        ("3 of 5, sections and shards", 0),
        ("never", 3),
        ("never", 15),
        ("5 of 5, the index", 1_000_000),
    ],
)
def test_a_run_that_is_killed_is_finished_by_the_next(when: str, files: int) -> None:
    table("pages.parquet", 3_000)
    write_sitemaps("pages.parquet", site_url=SITE, out="out", settings=SETTINGS, bounds=BOUNDS)
    table("pages.parquet", 12_000)
    write_sitemaps("pages.parquet", site_url=SITE, out="expected", settings=SETTINGS, bounds=BOUNDS)
    assert run(when, files) == -9
    assert_index_is_true("out")
    assert run("never") == 0
    assert {**contents("out"), **contents("expected")} == contents("out")


def test_a_first_run_that_is_killed_leaves_no_index() -> None:
    table("pages.parquet", 12_000)
    assert run("never", 7) == -9
    assert 0 < len(contents("out")) <= 7
    assert "sitemap_index.xml" not in contents("out")


def test_without_room_for_temporary_files_the_run_says_so_and_changes_nothing() -> None:
    table("pages.parquet", 3_000)
    command = [sys.executable, "-m", "smindex_plugins", "pages", "pages.parquet", "--site-url", SITE, "--out", "out"]

    def limited() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (200_000, 200_000))

    command += ["--temp", "temp", "--memory", "200MB"]
    done = subprocess.run(command, env=_env(), check=False, capture_output=True, text=True, preexec_fn=limited)
    assert done.returncode == 2
    assert "make sure that --temp" in done.stderr
    assert "Traceback" not in done.stderr
    assert not Path("out/sitemap_index.xml").exists()
    assert subprocess.run(command, env=_env(), check=False, capture_output=True).returncode == 0
    assert_index_is_true("out")
