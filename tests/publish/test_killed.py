"""A real process that publishes a large set over an older one, killed or starved at every kind of moment."""

import os
import resource
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from lxml import etree

from smindex_plugins.sitemaps.rendering import NAMESPACE

PUBLISH = """
import os, signal, sys
from smindex_plugins.pipeline import publish
from smindex_plugins.model import Page
from smindex_plugins.settings import Settings, Site

directory, version, call, at = sys.argv[1], sys.argv[2], sys.argv[3], int(sys.argv[4])
calls = 0

def killing(function):
    def counted(*arguments, **options):
        global calls
        calls += 1
        if calls == at:
            os.kill(os.getpid(), signal.SIGKILL)
        return function(*arguments, **options)
    return counted

base = "https://e.org/"
first, last = {"old": (0, 100), "new": (20, 120)}[version]
names = [f"section-{section:03}/{version}-{page}/" for section in range(first, last) for page in "ab"]
pages = [Page(url=base + name, lastmod="2026-01-01") for name in names]
if at:
    setattr(os, call, killing(getattr(os, call)))
report = publish(pages, Site(url=base, directory=directory, settings=Settings(max_urls=70)))
for finding in report.findings:
    print(finding)
print(calls, "calls;", report.sitemaps, "sitemaps")
"""


def publish(directory: Path, version: str, call: str = "", at: int = 0) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", PUBLISH, str(directory), version, call, str(at)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def indexes(directory: Path) -> list[Path]:
    return sorted(directory.glob("sitemap_index*.xml"))


def locs(file: Path) -> list[str]:
    """Parse a file whole; this raises where it is not."""
    return [str(loc.text) for loc in etree.parse(file).iter(f"{{{NAMESPACE}}}loc")]


def assert_true(directory: Path) -> set[str]:
    """Every index lists only files that are there, and whole; gives the versions of the pages in them."""
    versions = set()
    assert indexes(directory)
    for index in indexes(directory):
        for sitemap in locs(index):
            pages = locs(directory / sitemap.removeprefix("https://e.org/"))
            assert pages
            versions |= {page.rsplit("/", 2)[1].split("-")[0] for page in pages}
    return versions


@pytest.mark.parametrize(("call", "step"), [("replace", 11), ("remove", 31), ("mkdir", 9)])
def test_killed_at_any_call_the_directory_holds_a_set_that_is_true(tmp_path: Path, call: str, step: int) -> None:
    killed = 0
    for at in range(1, 1_000, step):
        assert publish(tmp_path, "old").returncode == 0
        done = publish(tmp_path, "new", call, at)
        versions = assert_true(tmp_path)
        if done.returncode == 0:
            break
        assert done.returncode == -signal.SIGKILL
        killed += 1
    assert killed > 1
    assert versions == {"new"}
    assert len(list(tmp_path.rglob("sitemap.xml"))) == 100
    assert not list(tmp_path.rglob("*.smindex.tmp"))


def test_killed_after_any_time_the_directory_holds_a_set_that_is_true(tmp_path: Path) -> None:
    publish(tmp_path, "old")
    publish(tmp_path, "new")
    for milliseconds in range(60, 360, 15):
        command = [sys.executable, "-c", PUBLISH, str(tmp_path), "old" if milliseconds % 2 else "new", "", "0"]
        with subprocess.Popen(command, stdout=subprocess.DEVNULL) as process:
            try:
                process.wait(milliseconds / 1_000)
            except subprocess.TimeoutExpired:
                process.kill()
        assert_true(tmp_path)
    assert publish(tmp_path, "new").returncode == 0
    assert assert_true(tmp_path) == {"new"}
    assert not list(tmp_path.rglob("*.smindex.tmp"))


def test_without_room_for_a_file_the_earlier_ones_stay_and_the_reason_is_told(tmp_path: Path) -> None:
    publish(tmp_path, "old")
    before = {path: path.read_bytes() for path in tmp_path.rglob("*.xml")}
    command = [sys.executable, "-c", PUBLISH, str(tmp_path), "new", "", "0"]

    def starve() -> None:
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)  # the write fails instead, as on a full disk
        resource.setrlimit(resource.RLIMIT_FSIZE, (250, 250))

    done = subprocess.run(command, capture_output=True, text=True, check=False, preexec_fn=starve)
    assert "[cannot-write]" in done.stdout
    assert "File too large" in done.stdout
    assert "section-020/sitemap.xml: it cannot be written" in done.stdout
    assert {path: path.read_bytes() for path in tmp_path.rglob("*.xml*")} == before
    assert not (tmp_path / "section-119").exists()


def test_a_read_only_directory_is_told_of_and_left_as_it_is(tmp_path: Path) -> None:
    publish(tmp_path, "old")
    before = {path: path.read_bytes() for path in tmp_path.rglob("*.xml")}
    (tmp_path / "section-050").chmod(0o555)
    if os.access(tmp_path / "section-050", os.W_OK):
        pytest.skip("platform: this user is root, whom no permission stops")
    done = publish(tmp_path, "new")
    (tmp_path / "section-050").chmod(0o755)
    assert "section-050/sitemap.xml: it cannot be written" in done.stdout
    assert {path: path.read_bytes() for path in tmp_path.rglob("*.xml")} == before


def test_a_directory_in_the_place_of_a_sitemap_is_told_of_and_nothing_changes(tmp_path: Path) -> None:
    publish(tmp_path, "old")
    (tmp_path / "section-110" / "sitemap.xml").mkdir(parents=True)
    before = {path: path.read_bytes() for path in tmp_path.rglob("*.xml") if path.is_file()}
    done = publish(tmp_path, "new")
    assert "section-110/sitemap.xml: this tool did not write the file of this name" in done.stdout
    assert {path: path.read_bytes() for path in tmp_path.rglob("*.xml") if path.is_file()} == before
