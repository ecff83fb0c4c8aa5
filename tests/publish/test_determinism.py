"""The same pages give the same bytes, wherever and whenever."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

PUBLISH = """
import random, sys, time

directory, seed, clock = sys.argv[1], int(sys.argv[2]), float(sys.argv[3])
time.time = lambda: clock
time.time_ns = lambda: int(clock * 1e9)

import locale
locale.setlocale(locale.LC_ALL, "")
from smindex_plugins.pipeline import publish
from smindex_plugins.model import Page
from smindex_plugins.settings import Settings, Site

base = "https://e.org/"
variants = (("de", base + "a/de/"), ("en", base + "a/en/"))
names = ("a", "I", "i", "%C3%A4")
pages = [Page(url=f"{base}{name}/{number}/", lastmod="2026-05-10") for name in names for number in range(90)]
pages += [Page(url=url, lastmod="2026-05-10", alternates=variants) for _, url in variants]
random.Random(seed).shuffle(pages)
settings = Settings(max_urls=40, gzip=seed % 2 == 1)
report = publish(pages, Site(url=base, directory=directory, settings=settings))
print(report.findings)
"""


def published(directory: Path, seed: int, clock: float, **environment: str) -> dict[str, bytes]:
    command = [sys.executable, "-c", PUBLISH, str(directory), str(seed), str(clock)]
    done = subprocess.run(command, env=os.environ | environment, capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"
    files = {str(path.relative_to(directory)): path.read_bytes() for path in directory.rglob("*") if path.is_file()}
    assert len(files) > 10
    return files


@pytest.mark.parametrize("compressed", [0, 1])
def test_order_hash_seed_locale_time_zone_and_clock_change_no_byte(tmp_path: Path, compressed: int) -> None:
    one = published(tmp_path / "one", 2 + compressed, 1e9, PYTHONHASHSEED="1", TZ="Asia/Tokyo", LC_ALL="C.UTF-8")
    other = published(tmp_path / "other", 4 + compressed, 2e9, PYTHONHASHSEED="2", TZ="America/Lima", LC_ALL="C")
    assert one == other
