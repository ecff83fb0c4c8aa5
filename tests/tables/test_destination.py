"""What a run over a table writes is whole at every moment, and touches nothing of others: on disk and in memory."""

import gzip
import pickle
import signal
import subprocess
import sys
from collections.abc import Iterator
from multiprocessing import get_context
from pathlib import Path

import pytest
from fsspec.implementations import memory

from smindex_plugins.settings import Settings
from smindex_plugins.sitemaps import OutputError, output
from smindex_plugins.storage import Storage
from smindex_plugins.tables import Destination, open_destination
from tests.support.destinations import INDEX, SITE, Place, begun, directory, index, run, sitemap, storage, whole
from tests.support.locked import holder

FILES = {
    "guide/sitemap.xml": sitemap("guide/a", "guide/b"),
    "shop/caf%C3%A9/sitemap.xml": sitemap("shop/caf%C3%A9/a"),
    "sitemap-root.xml": sitemap(""),
}


@pytest.fixture(params=["disk", "memory"])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Place]:
    if request.param == "disk":
        yield directory(tmp_path / "out")
        return
    memory.MemoryFileSystem.store.clear()
    memory.MemoryFileSystem.pseudo_dirs[:] = [""]
    yield storage("memory://bucket/site", memory.MemoryFileSystem())
    memory.MemoryFileSystem.store.clear()


def named(files: dict[str, bytes]) -> dict[str, bytes]:
    return {path.replace("%C3%A9", "é"): content for path, content in files.items()}


def test_a_run_leaves_its_sitemaps_and_its_index_and_nothing_else(place: Place) -> None:
    written, changes = run(place, FILES)
    assert place.files() == named(whole(FILES))
    assert (written, changes.written, changes.removed) == ([*FILES], [INDEX], [])


def test_a_second_run_over_the_same_pages_writes_nothing(place: Place) -> None:
    run(place, FILES)
    written, changes = run(place, FILES)
    assert (written, changes.written, changes.unchanged) == ([], [], [INDEX])


def test_one_page_more_writes_its_sitemap_and_no_other(place: Place) -> None:
    run(place, FILES)
    more = {**FILES, "guide/sitemap.xml": sitemap("guide/a", "guide/b", "guide/c")}
    written, changes = run(place, more)
    assert (written, changes.unchanged) == (["guide/sitemap.xml"], [INDEX])
    assert place.files() == named(whole(more))


def test_another_date_of_the_same_length_is_written(place: Place) -> None:
    run(place, FILES)
    written, _ = run(place, {**FILES, "sitemap-root.xml": sitemap("", day="2026-02-01")})
    assert written == ["sitemap-root.xml"]


def test_sitemaps_that_are_not_listed_any_more_go_after_the_index(place: Place) -> None:
    run(place, FILES)
    fewer = {"guide/sitemap.xml": FILES["guide/sitemap.xml"]}
    _, changes = run(place, fewer)
    assert place.files() == whole(fewer)
    assert sorted(changes.removed) == ["shop/café/sitemap.xml", "sitemap-root.xml"]


def test_several_indexes_take_the_place_of_one_and_one_of_several(place: Place) -> None:
    several = {f"sitemap_index-{number}.xml": index(path) for number, path in enumerate(FILES, 1)}
    for indexes in (None, several, None):
        run(place, FILES, indexes)
        assert place.files() == named(whole(FILES, indexes))


def test_packed_sitemaps_replace_those_that_are_not_and_stay_as_another_packer_made_them(place: Place) -> None:
    run(place, {"guide/sitemap.xml": FILES["guide/sitemap.xml"]})
    packed = {"guide/sitemap.xml.gz": FILES["guide/sitemap.xml"]}
    settings = Settings(gzip=True)
    for expected in (["guide/sitemap.xml.gz"], []):
        with begun(place, "guide/sitemap", settings=settings) as destination:
            assert [path for path, content in packed.items() if destination.put(path, content)] == expected
            destination.finish([(INDEX, index(*packed))], packed)
        assert set(place.files()) == {INDEX, *packed}
        content = gzip.decompress(place.files()["guide/sitemap.xml.gz"])
        assert content == b"".join(packed["guide/sitemap.xml.gz"])
        place.plant("guide/sitemap.xml.gz", gzip.compress(content, 1))


@pytest.mark.parametrize("theirs", ["guide/sitemap.xml", INDEX])
def test_a_file_of_others_under_a_name_that_is_needed_ends_the_run_before_anything_is_written(
    place: Place, theirs: str
) -> None:
    place.plant(theirs, b"<urlset/>")
    with pytest.raises(OutputError, match=f"{theirs}.*did not write.*file-not-ours"), begun(place, "guide/sitemap"):
        pass
    assert place.files() == {theirs: b"<urlset/>"}


def test_a_file_of_others_that_comes_later_is_not_overwritten_either(place: Place) -> None:
    with begun(place, "guide/sitemap") as destination:
        place.plant("guide/sitemap.xml", b"<urlset/>")
        with pytest.raises(OutputError, match="did not write"):
            destination.put("guide/sitemap.xml", FILES["guide/sitemap.xml"])
    assert place.files()["guide/sitemap.xml"] == b"<urlset/>"


def test_files_of_others_that_are_in_nobodys_way_stay(place: Place) -> None:
    others = {"sitemap.xml": b"<urlset/>", "guide/sitemap.xml.gz": b"?", "guide/sitemap-news.xml": b"", "a.html": b"A"}
    for path, content in others.items():
        place.plant(path, content)
    run(place, FILES)
    run(place, {"sitemap-root.xml": FILES["sitemap-root.xml"]})
    assert {**place.files(), **others} == place.files()


def test_a_stale_sitemap_that_somebody_else_has_replaced_stays(place: Place) -> None:
    run(place, FILES)
    place.plant("guide/sitemap.xml", b"<urlset/>")
    run(place, {"sitemap-root.xml": FILES["sitemap-root.xml"]})
    assert place.files()["guide/sitemap.xml"] == b"<urlset/>"


def test_the_sitemaps_of_another_site_in_a_directory_below_stay(place: Place) -> None:
    theirs = {f"guide/{INDEX}": index("guide/sitemap-cafe.xml"), "guide/sitemap-cafe.xml": sitemap("guide/x")}
    for path, content in theirs.items():
        place.plant(path, b"".join(content))
    run(place, FILES)
    assert set(theirs) <= set(place.files())


def test_an_index_lists_only_what_is_there_wherever_a_run_ends(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    paths = "guide/sitemap.xml", "new/sitemap.xml", "z/sitemap.xml"
    after = {path: sitemap(path.removesuffix("sitemap.xml")) for path in paths}
    most = 6  # three sitemaps, the index, and two old sitemaps
    for step in range(most + 1):
        for path in place.files():
            place.remove(path)
        run(place, FILES)
        left = iter(range(step))
        with monkeypatch.context() as patched:
            for name in ("write", "remove"):
                real = getattr(Storage, name)
                patched.setattr(Storage, name, lambda *given, real=real, left=left: _or_end(left, real, given))
            try:
                run(place, after)
                ended = True
            except KeyboardInterrupt:
                ended = False
        there = place.files()
        listed = [part.partition(b"</loc>")[0] for part in there[INDEX].split(b"<loc>")[1:]]
        assert {url.decode().removeprefix(SITE).replace("%C3%A9", "é") for url in listed} <= set(there)
        run(place, after)
        assert {**place.files(), **whole(after)} == place.files()
        assert not ended or place.files() == whole(after)
        assert ended == (step == most)


def _or_end(left: Iterator[int], real: object, given: tuple[object, ...]) -> object:
    if next(left, None) is None:
        raise KeyboardInterrupt
    assert callable(real)
    return real(*given)


def test_what_is_no_directory_and_what_no_file_can_be_are_told(tmp_path: Path, place: Place) -> None:
    (tmp_path / "file").write_bytes(b"")
    with pytest.raises(ValueError, match="it is a file, and no directory"):
        open_destination(str(tmp_path / "file"), site_url=SITE)
    with pytest.raises(ValueError, match="nothing can be written over HTTP"):
        open_destination("https://e.org/", site_url=SITE)
    with pytest.raises(OutputError, match="no file can have this name"), begun(place, "guide/sitemap") as destination:
        destination.put("a%2Fb/sitemap.xml", sitemap("a%2Fb/"))


def test_a_failure_goes_from_a_worker_to_the_run_with_its_findings(place: Place) -> None:
    place.plant("guide/sitemap.xml", b"<urlset/>")
    with pytest.raises(OutputError) as caught:
        place.open().put("guide/sitemap.xml", sitemap("guide/a"))
    again = pickle.loads(pickle.dumps(caught.value))  # noqa: S301 - its own
    assert again.findings == caught.value.findings
    assert str(again) == str(caught.value)


def _put(destination: Destination, number: int) -> list[bool]:
    return [destination.put(f"a/b{each % 7}/sitemap.xml", sitemap(*map(str, range(500)))) for each in range(number)]


def test_a_dry_destination_tells_what_a_run_would_do_and_changes_nothing(place: Place) -> None:
    run(place, {**FILES, "old/sitemap.xml": sitemap("old/a")})
    before = place.files()
    destination = pickle.loads(pickle.dumps(open_destination(place.out, site_url=SITE, is_dry=True)))  # noqa: S301 - its own
    with destination.only_run():
        destination.prepare(["guide/sitemap", "new/sitemap", "sitemap-root"])
        changed = {path: sitemap(path) for path in ("guide/sitemap.xml", "new/sitemap.xml")}
        paths = ["sitemap-root.xml", *changed]
        told = [destination.put(path, changed.get(path) or FILES[path]) for path in paths]
        changes = destination.finish([(INDEX, index(*paths))], paths)
    assert told == [False, True, True]
    assert (changes.written, sorted(changes.removed)) == ([INDEX], ["old/sitemap.xml", "shop/café/sitemap.xml"])
    assert place.files() == before


def test_a_directory_stays_the_same_wherever_the_process_goes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    destination = open_destination("out", site_url=SITE)
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir("elsewhere")
    pickle.loads(pickle.dumps(destination)).put("sitemap-root.xml", FILES["sitemap-root.xml"])  # noqa: S301 - its own
    assert (tmp_path / "out/sitemap-root.xml").is_file()


def test_no_index_lists_what_a_worker_wrote_to_a_disk_of_its_own(tmp_path: Path) -> None:
    here = directory(tmp_path / "out")
    with begun(here, "guide/sitemap", "sitemap-root") as destination:
        destination.put("sitemap-root.xml", FILES["sitemap-root.xml"])
        with pytest.raises(OutputError, match=r"guide/sitemap\.xml: .* not there; .*a directory that they share"):
            destination.finish([(INDEX, index(*FILES))], ["guide/sitemap.xml", "sitemap-root.xml"])
    assert INDEX not in here.files()


def test_processes_put_the_same_files_at_the_same_time(tmp_path: Path) -> None:
    with get_context("spawn").Pool(3) as pool, begun(directory(tmp_path), "a/sitemap") as destination:
        written = pool.starmap(_put, [(destination, 70)] * 3)
    assert 7 <= sum(map(sum, written)) <= 21
    left = directory(tmp_path).files()
    assert set(left.values()) == {b"".join(sitemap(*map(str, range(500))))}
    assert len(left) == 7


_WRITER = """
import sys
from tests.support.destinations import SITE, sitemap
from smindex_plugins.tables import open_destination
destination = open_destination(sys.argv[1], site_url=SITE)
for number in range(10_000):
    destination.put("guide/sitemap.xml", sitemap(*(f"guide/{each}-{number}" for each in range(2_000))))
    print(number, flush=True)
"""


def test_a_worker_that_is_killed_while_it_writes_leaves_no_torn_file(tmp_path: Path) -> None:
    place = directory(tmp_path / "out")
    with begun(place, "guide/sitemap") as destination:
        for wait in range(4):
            command = [sys.executable, "-c", _WRITER, place.out]
            with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as worker:
                assert worker.stdout
                for _ in range(wait + 1):
                    worker.stdout.readline()
                worker.send_signal(signal.SIGKILL)
            content = place.files()["guide/sitemap.xml"]
            assert content.startswith(b"<?xml")
            assert content.endswith(b"</urlset>\n")
        destination.put("guide/sitemap.xml", FILES["guide/sitemap.xml"])
        destination.finish([(INDEX, index("guide/sitemap.xml"))], ["guide/sitemap.xml"])
    with begun(place, "guide/sitemap") as destination:  # after the next run, what the killed workers left is gone
        destination.put("guide/sitemap.xml", FILES["guide/sitemap.xml"])
        destination.finish([(INDEX, index("guide/sitemap.xml"))], ["guide/sitemap.xml"])
    assert place.files() == whole({"guide/sitemap.xml": FILES["guide/sitemap.xml"]})


def test_two_runs_into_one_directory_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(output, "LOCK_SECONDS", 0.1)
    with holder(tmp_path), pytest.raises(OutputError, match="directory-in-use"), begun(directory(tmp_path)):
        pass
