"""What a run over a table puts into a bucket, as a server of S3 sees it, also one that fails,
dawdles or refuses.
"""

import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import replace

import pytest

from smindex_plugins.joining.root_index import join
from smindex_plugins.writing.rendering import OutputError
from tests.support.listed import INDEX, read_entries
from tests.tables.destinations import (
    SITE,
    Bucket,
    Place,
    begun,
    failing,
    index,
    run,
    served,
    sitemap,
    storage,
    whole,
)

pytestmark = pytest.mark.apart
FILES = {f"s{number}/sitemap.xml": sitemap(f"s{number}/a") for number in range(20)}
FEW = {path: FILES[path] for path in list(FILES)[:3]}
KEY = "/bucket/site/"


@pytest.fixture(scope="module")
def server() -> Iterator[Bucket]:
    with served() as bucket:
        yield bucket


@pytest.fixture
def place(server: Bucket, monkeypatch: pytest.MonkeyPatch) -> Iterator[Place]:
    import s3fs  # noqa: PLC0415 - it is in no other environment

    for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"):
        monkeypatch.setenv(name, "testing")
    monkeypatch.setenv("AWS_DEFAULT_REGION", "us-east-1")
    monkeypatch.setenv("AWS_ENDPOINT_URL", server.address)
    monkeypatch.setenv("AWS_MAX_ATTEMPTS", "2")
    monkeypatch.setattr(s3fs.S3FileSystem, "retries", 1)
    reached = s3fs.S3FileSystem(use_listings_cache=False, skip_instance_cache=True)
    server.answer = lambda _: None
    reached.mkdir("bucket")
    yield storage("s3://bucket/site", reached)
    server.answer = lambda _: None
    reached.rm("bucket", recursive=True)


def puts(server: Bucket) -> list[str]:
    return [
        path.removeprefix(KEY)
        for path in server.done("PUT")
        if not path.rpartition("/")[2].startswith(".")
    ]


def test_sitemaps_and_index_are_objects_of_xml_and_nothing_else_stays(place: Place) -> None:
    import s3fs  # noqa: PLC0415 - as above

    run(place, FILES)
    assert place.files() == whole(FILES)
    packed = "s0/sitemap.xml.gz"
    with begun(place, "s0/sitemap") as destination:
        destination.put(packed, FILES["s0/sitemap.xml"])
        destination.finish([(INDEX, index(packed))], [packed])
    assert set(place.files()) == {INDEX, packed}
    kinds = {
        path: s3fs.S3FileSystem().info(f"bucket/site/{path}")["ContentType"]
        for path in (INDEX, packed)
    }
    assert kinds == {INDEX: "application/xml", packed: "application/gzip"}


def test_one_page_more_puts_its_sitemap_and_the_index_and_reads_no_object(
    server: Bucket, place: Place
) -> None:
    run(place, FILES)
    more = {**FILES, "s7/sitemap.xml": sitemap("s7/a", "s7/b"), "t/sitemap.xml": sitemap("t/a")}
    for files, expected in ((FILES, []), (more, ["s7/sitemap.xml", INDEX, "t/sitemap.xml"])):
        server.asked.clear()
        run(place, files)
        assert sorted(puts(server)) == expected
        read = {path.removeprefix(KEY) for path in server.done("GET") if path.startswith(f"{KEY}s")}
        assert read <= {"s7/sitemap.xml", INDEX}
    assert place.files() == whole(more)


def test_a_server_that_fails_now_and_then_is_asked_again(server: Bucket, place: Place) -> None:
    server.answer = failing(503, "SlowDown", "PUT", times=1, path="s1/")
    run(place, FEW)
    assert place.files() == whole(FEW)


@pytest.mark.parametrize(
    ("failure", "path", "words"),
    [
        ((500, "InternalError", "PUT"), "s1/", "InternalError.*The earlier index is unchanged"),
        (
            (503, "ServiceUnavailable", "PUT"),
            INDEX,
            "ServiceUnavailable.*The earlier index is unchanged",
        ),
        *(
            (
                (403, "AccessDenied", method),
                path,
                "s3:ListBucket, s3:GetObject, s3:PutObject and s3:DeleteObject",
            )
            for method, path in (("GET", ""), ("HEAD", "s1/"), ("PUT", "s1/"), ("PUT", INDEX))
        ),
    ],
)
def test_what_fails_for_good_or_is_forbidden_is_told_of_and_the_next_run_finishes(
    server: Bucket, place: Place, failure: tuple[int, str, str], path: str, words: str
) -> None:
    run(place, {"old/sitemap.xml": sitemap("old/")})
    before = place.files()
    server.answer = failing(*failure, path=path)
    with pytest.raises(OutputError, match=f"can't be written: .*{words}"):
        run(place, FEW)
    server.answer = lambda _: None
    assert {name: place.files()[name] for name in before} == before
    run(place, FEW)
    assert place.files() == whole(FEW)


def test_credentials_that_may_not_delete_leave_what_is_stale_and_say_so(
    server: Bucket, place: Place
) -> None:
    run(place, {"old/sitemap.xml": sitemap("old/")})
    server.answer = failing(403, "AccessDenied", "DELETE", "POST")
    with begun(place, "s0/sitemap") as destination:
        destination.put("s0/sitemap.xml", FILES["s0/sitemap.xml"])
        changes = destination.finish([(INDEX, index("s0/sitemap.xml"))], ["s0/sitemap.xml"])
    assert "old/sitemap.xml: an earlier run left it, and it can't be removed" in str(
        changes.problems[0]
    )
    assert b"s0/sitemap.xml" in place.files()[INDEX]


def test_a_bucket_that_is_not_there_is_told_of(place: Place) -> None:
    nowhere = replace(place, out="s3://nowhere/site")
    with (
        pytest.raises(OutputError, match=r"can't be written: .*bucket does not exist"),
        begun(nowhere) as destination,
    ):
        destination.put("s0/sitemap.xml", FILES["s0/sitemap.xml"])


_RUN = """
from tests.tables.destinations import begun, index, run, sitemap, storage
import s3fs
place = storage("s3://bucket/site", s3fs.S3FileSystem())
run(place, {f"s{number}/sitemap.xml": sitemap(f"s{number}/b") for number in range(10, 40)})
"""


@pytest.mark.parametrize("after", [3, 20, 60, 75])
def test_a_run_that_is_killed_leaves_an_index_that_is_true_and_the_next_finishes(
    server: Bucket, place: Place, after: int
) -> None:
    run(place, FILES)
    server.asked.clear()
    left = iter(range(after))
    with subprocess.Popen([sys.executable, "-c", _RUN]) as process:

        def kill(request: object) -> None:
            del request
            if next(left, None) is None:
                process.send_signal(signal.SIGKILL)

        server.answer = kill
        process.wait()
    assert process.returncode == -signal.SIGKILL
    server.answer = lambda _: None
    there = place.files()
    listed = {entry.url.removeprefix(SITE) for entry in read_entries(there[INDEX])}
    assert listed
    assert listed <= set(there)
    ends = b"</urlset>\n", b"</sitemapindex>\n"
    assert [(path, content) for path, content in there.items() if not content.endswith(ends)] == []
    after_it = {path: content for path, content in FILES.items() if path > "s5"}
    run(place, after_it)
    assert {**place.files(), **whole(after_it)} == place.files()


def test_builds_in_a_bucket_are_read_at_the_same_time(server: Bucket, place: Place) -> None:
    builds = [f"b{number}" for number in range(40)]
    for build in builds:
        place.plant(f"{build}/{INDEX}", b"".join(index(f"{build}/sitemap.xml")))
        place.plant(f"{build}/sitemap.xml", b"".join(sitemap(f"{build}/a")))
    place.plant("empty/sitemap.xml", b"")
    server.answer = lambda _: time.sleep(0.2)
    started = time.monotonic()
    report = join("s3://bucket/site", site_url=SITE)
    assert [finding.where for finding in report.findings] == ["empty/sitemap.xml"]
    assert time.monotonic() - started < 0.2 * 3 * len(builds) / 2
    assert report.sitemaps == len(builds)
    server.answer = lambda _: None
    server.asked.clear()
    assert join("s3://bucket/site", site_url=SITE).changes.unchanged == [INDEX]
    assert not server.done("PUT")
