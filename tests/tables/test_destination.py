"""What a run over a table writes, on disk and in object storage: its own files and nothing of
others.

That the index is true wherever a run ends is law 5.
"""

import gzip
import pickle
from collections.abc import Iterator
from multiprocessing import get_context
from pathlib import Path

import pytest
from fsspec.implementations import memory

from smindex_plugins.base.settings import Settings
from smindex_plugins.tables._destination import Destination, open_destination
from smindex_plugins.writing.rendering import OutputError
from tests.support.listed import INDEX
from tests.tables.destinations import (
    SITE,
    Place,
    begun,
    directory,
    index,
    run,
    sitemap,
    storage,
    whole,
)

FILES = {
    "guide/sitemap.xml": sitemap("guide/a", "guide/b"),
    "shop/caf%C3%A9/sitemap.xml": sitemap("shop/caf%C3%A9/a"),
    "sitemap-root.xml": sitemap(""),
}
GUIDE = {"guide/sitemap.xml": FILES["guide/sitemap.xml"]}
ROOT = {"sitemap-root.xml": FILES["sitemap-root.xml"]}


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


def test_a_run_leaves_its_files_and_the_next_one_writes_only_what_differs(place: Place) -> None:
    written, changes = run(place, FILES)
    assert place.files() == named(whole(FILES))
    assert (written, changes.written, changes.removed) == ([*FILES], [INDEX], [])
    written, changes = run(place, FILES)
    assert (written, changes.written, changes.unchanged) == ([], [], [INDEX])
    same_length = {**FILES, "sitemap-root.xml": sitemap("", day="2026-02-01")}
    assert run(place, same_length)[0] == ["sitemap-root.xml"]
    assert place.files() == named(whole(same_length))
    assert sorted(run(place, GUIDE)[1].removed) == ["shop/café/sitemap.xml", "sitemap-root.xml"]
    assert place.files() == whole(GUIDE)


def test_several_indexes_take_the_place_of_one_and_one_of_several(place: Place) -> None:
    several = {f"sitemap_index-{number}.xml": index(path) for number, path in enumerate(FILES, 1)}
    for indexes in (None, several, None):
        run(place, FILES, indexes)
        assert place.files() == named(whole(FILES, indexes))


def test_compressed_sitemaps_replace_those_that_are_not_and_stay_as_another_zlib_made_them(
    place: Place,
) -> None:
    run(place, GUIDE)
    path, content = "guide/sitemap.xml.gz", GUIDE["guide/sitemap.xml"]
    for is_written in (True, False):
        with begun(place, "guide/sitemap", settings=Settings(gzip=True)) as destination:
            assert destination.put(path, content) == is_written
            destination.finish([(INDEX, index(path))], [path])
        assert set(place.files()) == {INDEX, path}
        assert gzip.decompress(place.files()[path]) == b"".join(content)
        place.plant(path, gzip.compress(b"".join(content), 1))


@pytest.mark.parametrize("theirs", ["guide/sitemap.xml", INDEX])
def test_a_file_of_others_under_a_name_that_is_needed_ends_the_run_before_anything_is_written(
    place: Place, theirs: str
) -> None:
    place.plant(theirs, b"<urlset/>")
    with (
        pytest.raises(OutputError, match=f"{theirs}.*another tool.*file-not-ours"),
        begun(place, "guide/sitemap"),
    ):
        pass
    assert place.files() == {theirs: b"<urlset/>"}


def test_a_file_of_others_that_comes_later_is_not_overwritten_and_a_worker_tells_the_run(
    place: Place,
) -> None:
    with begun(place, "guide/sitemap") as destination:
        place.plant("guide/sitemap.xml", b"<urlset/>")
        with pytest.raises(OutputError, match="another tool wrote") as caught:
            destination.put("guide/sitemap.xml", FILES["guide/sitemap.xml"])
    assert place.files()["guide/sitemap.xml"] == b"<urlset/>"
    again = pickle.loads(pickle.dumps(caught.value))  # noqa: S301 - its own
    assert (again.findings, str(again)) == (caught.value.findings, str(caught.value))


def test_files_of_others_stay(place: Place) -> None:
    others = {
        "sitemap.xml": b"<urlset/>",
        "guide/sitemap.xml.gz": b"?",
        "guide/sitemap-news.xml": b"",
        "a.html": b"A",
        # another site below, with files of this tool
        f"guide/{INDEX}": b"".join(index("guide/sitemap-cafe.xml")),
        "guide/sitemap-cafe.xml": b"".join(sitemap("guide/x")),
    }
    for path, content in others.items():
        place.plant(path, content)
    run(place, FILES)
    place.plant("guide/sitemap.xml", b"<urlset/>")  # which somebody else has replaced since
    run(place, ROOT)
    assert place.files() == {**whole(ROOT), **others, "guide/sitemap.xml": b"<urlset/>"}


def test_what_is_no_directory_and_what_no_file_can_be_are_refused(
    tmp_path: Path, place: Place
) -> None:
    (tmp_path / "file").write_bytes(b"")
    with pytest.raises(ValueError, match="it is a file, not a directory"):
        open_destination(str(tmp_path / "file"), site_url=SITE)
    with pytest.raises(ValueError, match="can't write over HTTP"):
        open_destination("https://e.org/", site_url=SITE)
    with (
        pytest.raises(OutputError, match="no file can have this name"),
        begun(place, "guide/sitemap") as destination,
    ):
        destination.put("a%2Fb/sitemap.xml", sitemap("a%2Fb/"))


def test_a_directory_stays_the_same_wherever_the_process_goes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
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
        with pytest.raises(
            OutputError, match=r"guide/sitemap\.xml: .* missing here. .*a shared directory"
        ):
            destination.finish([(INDEX, index(*FILES))], ["guide/sitemap.xml", "sitemap-root.xml"])
    assert INDEX not in here.files()


SAME = sitemap(*map(str, range(500)))


def _put(destination: Destination, number: int) -> list[bool]:
    return [destination.put(f"a/b{each % 7}/sitemap.xml", SAME) for each in range(number)]


def test_processes_put_the_same_files_at_the_same_time(tmp_path: Path) -> None:
    with (
        get_context("spawn").Pool(2) as pool,
        begun(directory(tmp_path), "a/sitemap") as destination,
    ):
        written = pool.starmap(_put, [(destination, 70)] * 2)
    assert 7 <= sum(map(sum, written)) <= 14
    assert list(directory(tmp_path).files().values()) == [b"".join(SAME)] * 7
