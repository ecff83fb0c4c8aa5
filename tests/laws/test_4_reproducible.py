"""Law 4, reproducible: the same commit gives the same bytes, whichever engine wrote them.

Neither the order of pages, nor the machine, nor the clock, nor what an earlier build left change a
byte. Files whose content is unchanged are left untouched.
"""

import os
import random
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from smindex_plugins import publish as publish_with_dates
from smindex_plugins.base.settings import Settings
from smindex_plugins.base.site import Site
from smindex_plugins.tables import Bounds, write_sitemaps
from tests.support.listed import OPTIONS, SITES, files_in, pages_of, publish
from tests.tables.rows import NOW, SITE, Row, grouped, options, pages_as_listed, skewed, table_of

PUBLISH = """
import locale, random, sys, time

directory, seed, clock = sys.argv[1], int(sys.argv[2]), float(sys.argv[3])
time.time = lambda: clock
time.time_ns = lambda: int(clock * 1e9)
locale.setlocale(locale.LC_ALL, "")
from smindex_plugins import Page, Settings, Site, publish

base = "https://e.org/"
variants = (("de", base + "a/de/"), ("en", base + "a/en/"))
names = ("a", "I", "i", "%C3%A4")
pages = [Page(url=f"{base}{name}/{number}/", lastmod="2001-05-10") for name in names for number in range(90)]
pages += [Page(url=url, lastmod="2001-05-10", alternates=variants) for _, url in variants]
random.Random(seed).shuffle(pages)
report = publish(pages, Site(url=base, directory=directory, settings=Settings(max_urls=40, gzip=seed % 2 == 1)))
print(report.findings)
"""


def published(directory: Path, seed: int, clock: float, **environment: str) -> dict[str, bytes]:
    command = [sys.executable, "-c", PUBLISH, str(directory), str(seed), str(clock)]
    done = subprocess.run(
        command, env=os.environ | environment, capture_output=True, text=True, check=True
    )
    assert done.stdout == "[]\n"
    assert len(files_in(directory)) > 10
    return files_in(directory)


@pytest.mark.parametrize("gzip", [0, 1])
def test_hash_seed_locale_time_zone_and_clock_change_no_byte(tmp_path: Path, gzip: int) -> None:
    one = published(
        tmp_path / "one", 2 + gzip, 1e9, PYTHONHASHSEED="1", TZ="Asia/Tokyo", LC_ALL="C.UTF-8"
    )
    other = published(
        tmp_path / "other", 4 + gzip, 2e9, PYTHONHASHSEED="2", TZ="America/Lima", LC_ALL="C"
    )
    assert one == other


@given(before=SITES, after=SITES, options=OPTIONS, chance=st.randoms(use_true_random=False))
def test_neither_the_order_of_pages_nor_an_earlier_build_change_a_byte(
    tmp_path_factory: pytest.TempPathFactory,
    before: dict[str, str | None],
    after: dict[str, str | None],
    options: dict[str, object],
    chance: random.Random,
) -> None:
    used, fresh = tmp_path_factory.mktemp("site"), tmp_path_factory.mktemp("site")
    publish(used, pages_of(before))
    publish(used, pages_of(after), **options)
    publish(fresh, chance.sample(pages_of(after), len(after)), **options)
    assert files_in(used) == files_in(fresh)


@given(site=SITES, options=OPTIONS)
def test_a_second_build_of_the_same_pages_touches_no_file(
    tmp_path_factory: pytest.TempPathFactory,
    site: dict[str, str | None],
    options: dict[str, object],
) -> None:
    directory = tmp_path_factory.mktemp("site")
    first = publish(directory, pages_of(site), **options).changes
    before = {path: (path.stat().st_ino, path.stat().st_mtime_ns) for path in directory.rglob("*")}
    second = publish(directory, pages_of(site), **options).changes
    assert (second.written, second.unchanged, second.removed) == ([], first.written, [])
    assert before == {
        path: (path.stat().st_ino, path.stat().st_mtime_ns) for path in directory.rglob("*")
    }


# Seeds, and not hypothesis: rows that are skewed, in groups and of the right size come by chance
# alone, and to shrink three hundred of them takes minutes and loses the skew. A seed that failed is
# run again by its number.
@pytest.mark.parametrize("seed", range(16))
def test_a_table_and_a_build_write_the_same_bytes(seed: int, tmp_path: Path) -> None:
    chance = random.Random(seed)  # noqa: S311 - so that a failure can be repeated
    rows = [*skewed(chance), *(grouped(chance) if seed % 2 else [])]
    settings = Settings.load(options(chance))
    bounds = Bounds(memory="300MB", threads=1 + seed % 2, temp=str(tmp_path / "temp"))
    out, build = tmp_path / "table", tmp_path / "build"
    outcome = write_sitemaps(
        table_of(rows), site_url=SITE, out=str(out), settings=settings, bounds=bounds, now=NOW
    )
    if not outcome.pages:
        assert files_in(out) == {}
        return
    site = Site(url=SITE, directory=str(build), settings=settings)
    report = publish_with_dates(pages_as_listed(rows, settings), site, now=NOW)
    assert files_in(out) == files_in(build)
    assert (outcome.pages, len(outcome.entries), outcome.sections) == (
        report.pages,
        report.sitemaps,
        report.sections,
    )
    assert (outcome.index_urls, outcome.rows) == (report.index_urls, len(rows))


def test_neither_the_order_of_rows_nor_memory_nor_threads_change_a_byte(tmp_path: Path) -> None:
    chance = random.Random(7)  # noqa: S311 - as above
    rows: list[Row] = [*skewed(chance), *skewed(chance), *skewed(chance), *grouped(chance)]
    written = []
    for memory, threads in (("100MB", 1), ("1GB", 2), ("200MB", 4)):
        out = tmp_path / memory
        bounds = Bounds(memory=memory, threads=threads, temp=str(tmp_path / "temp"))
        table = table_of(chance.sample(rows, len(rows)))
        write_sitemaps(
            table,
            site_url=SITE,
            out=str(out),
            settings=Settings(max_urls=10, section_depth=2),
            bounds=bounds,
            now=NOW,
        )
        written.append(files_in(out))
    assert written[0] == written[1] == written[2]
    assert len(written[0]) > 20
