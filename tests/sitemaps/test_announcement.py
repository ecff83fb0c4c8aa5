"""The lines of robots.txt that name the indexes."""

import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from smindex_plugins.limits import MAX_ROBOTS
from smindex_plugins.model import Page
from smindex_plugins.report import Report
from smindex_plugins.settings import Settings, Site
from smindex_plugins.sitemaps.announcement import with_lines
from smindex_plugins.sitemaps.robots import parse
from tests.support.dated import publish_as_given

ROOT = "https://e.org/"
INDEX = f"{ROOT}sitemap_index.xml"
LINE = f"Sitemap: {INDEX}".encode()


def publish(directory: Path, base: str = ROOT, preview: str = "", **settings: object) -> Report:
    pages = [Page(url=f"{base}{name}/{number}") for name in "abc" for number in "12"]
    target = Site(
        url=base,
        directory=str(directory),
        settings=Settings.load({"robots_txt": "write", **settings}),
        preview=preview,
    )
    return publish_as_given(pages, target)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (None, LINE + b"\n"),
        (b"", LINE + b"\n"),
        (b"\xef\xbb\xbf", b"\xef\xbb\xbf" + LINE + b"\n"),
        (b"User-agent: *\nDisallow:\n", b"User-agent: *\nDisallow:\n" + LINE + b"\n"),
        (b"User-agent: *\r\nDisallow:\r\n", b"User-agent: *\r\nDisallow:\r\n" + LINE + b"\r\n"),
        (b"User-agent: *\rDisallow:\r", b"User-agent: *\rDisallow:\r\n" + LINE),
        (b"User-agent: *", b"User-agent: *\n" + LINE),
        (b"a: b\r\n# \xff\xfe c", b"a: b\r\n# \xff\xfe c\r\n" + LINE),
        (b"Sitemap: https://e.org/other.xml\n", b"Sitemap: https://e.org/other.xml\n" + LINE + b"\n"),
        (b"# " + LINE + b"\n", b"# " + LINE + b"\n" + LINE + b"\n"),
    ],
)
def test_the_line_is_added_once_and_every_other_byte_stays(tmp_path: Path, before: bytes | None, after: bytes) -> None:
    robots = tmp_path / "robots.txt"
    if before is not None:
        robots.write_bytes(before)
        robots.chmod(0o604)
    report = publish(tmp_path)
    assert not report.findings
    assert report.changes.written[-1] == "robots.txt"
    assert robots.read_bytes() == after
    if before is not None:
        assert robots.stat().st_mode & 0o777 == 0o604
    stamp = robots.stat().st_mtime_ns
    assert "robots.txt" not in publish(tmp_path).changes.written
    assert (robots.read_bytes(), robots.stat().st_mtime_ns) == (after, stamp)


@pytest.mark.parametrize(
    "line", [b"sitemap:" + INDEX.encode(), b" SITEMAP : HTTPS://E.org:443/sitemap%5Findex.xml # here", LINE + b"\r\n"]
)
def test_a_line_that_names_the_index_is_enough_however_it_is_written(tmp_path: Path, line: bytes) -> None:
    (tmp_path / "robots.txt").write_bytes(line)
    for mode in ("write", "check"):
        report = publish(tmp_path, robots_txt=mode)
        assert not report.findings
        assert (tmp_path / "robots.txt").read_bytes() == line


@given(st.binary(max_size=60) | st.text(alphabet="aS:/#\r\n \ufeff", max_size=40).map(str.encode))
def test_what_was_added_is_all_that_changed_and_is_read_by_crawlers(content: bytes) -> None:
    lines = [f"Sitemap: {ROOT}{number}.xml" for number in (1, 2)]
    after = with_lines(content, lines)
    assert after.startswith(content)
    assert [line.url for line in parse(after).sitemaps][-2:] == [f"{ROOT}1.xml", f"{ROOT}2.xml"]


def test_every_index_has_its_line_and_then_nobody_is_told_to_write_them(tmp_path: Path) -> None:
    report = publish(tmp_path, robots_txt="check", max_urls=2)
    first, *lines = report.next_steps.splitlines()
    assert first.endswith(
        f"add these lines to {ROOT}robots.txt (`robots_txt: write` does so); submit each of them in Search Console."
    )
    assert lines == [f"Sitemap: {url}" for url in report.index_urls]
    report = publish(tmp_path, max_urls=2)
    assert len(report.index_urls) == 2
    assert (tmp_path / "robots.txt").read_text().splitlines() == [f"Sitemap: {url}" for url in report.index_urls]
    assert not report.next_steps
    assert not [message for _, message in report.messages()]
    assert not publish(tmp_path, robots_txt="check", max_urls=2).next_steps


@pytest.mark.parametrize(("base", "way"), [(ROOT, " (`robots_txt: write` does so)"), (f"{ROOT}docs/", "")])
def test_where_nothing_tells_search_engines_of_the_index_one_line_says_what_to_do(
    tmp_path: Path, base: str, way: str
) -> None:
    report = publish(tmp_path, base, robots_txt="check")
    index = f"{base}sitemap_index.xml"
    ((level, message),) = report.messages()
    assert level == "notice"
    assert message == (
        f"So that search engines find the index, do two things once: add the line `Sitemap: {index}` to "
        f"{ROOT}robots.txt{way}; submit {index} in Search Console."
    )


@pytest.mark.parametrize(
    ("base", "robots", "mode"),
    [
        (ROOT, LINE, "check"),
        (ROOT, None, "write"),
        (ROOT, b"User-agent: *\n", "check"),  # which a finding says
        (ROOT, b"Sitemap: https://e.org/other.xml\n", "check"),
        (f"{ROOT}docs/", None, "write"),
        ("http://localhost:8000/", None, "check"),
    ],
)
def test_what_is_done_or_told_already_is_not_told_again(
    tmp_path: Path, base: str, robots: bytes | None, mode: str
) -> None:
    if robots:
        (tmp_path / "robots.txt").write_bytes(robots)
    assert not publish(tmp_path, base, robots_txt=mode).next_steps


def test_a_preview_is_for_no_search_engine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert not publish(tmp_path, preview=str(tmp_path / "preview"), robots_txt="check").next_steps
    monkeypatch.setenv("READTHEDOCS", "True")
    monkeypatch.setenv("READTHEDOCS_VERSION_TYPE", "external")
    assert not publish(tmp_path, robots_txt="check").next_steps


@pytest.mark.parametrize("mode", ["check", "write"])
def test_a_robots_txt_that_forbids_what_is_listed_is_seen_by_the_build(tmp_path: Path, mode: str) -> None:
    rules = b"User-agent: *\nDisallow: /a/\nDisallow: /*.xml$\n"
    (tmp_path / "robots.txt").write_bytes(rules + LINE + b"\n")
    (finding,) = publish(tmp_path, robots_txt=mode).findings
    assert (finding.check, finding.where) == ("robots-blocks-page", "robots.txt")
    others = "The same is true of 2 other URLs."  # the pages in a/
    assert finding.problem == f"it blocks {INDEX} for Googlebot with '/*.xml$'. {others}"


@pytest.mark.parametrize(
    ("base", "rules"),
    [
        (ROOT, b"User-agent: *\nDisallow:\n"),
        (ROOT, b"User-agent: *\nDisallow: /search/\n"),
        (ROOT, b"User-agent: GPTBot\nDisallow: /\n"),
        (ROOT, b"User-agent: *\nDisallow: /\nUser-agent: Googlebot\nAllow: /\n"),
        (f"{ROOT}docs/", b"User-agent: *\nDisallow: /\n"),  # which no crawler reads
    ],
)
def test_a_robots_txt_that_forbids_nothing_that_is_listed_is_right(tmp_path: Path, base: str, rules: bytes) -> None:
    (tmp_path / "robots.txt").write_bytes(rules + f"Sitemap: {base}sitemap_index.xml\n".encode())
    assert not publish(tmp_path, base, robots_txt="check").findings


def test_in_a_subdirectory_writing_is_refused_with_what_to_do(tmp_path: Path) -> None:
    (tmp_path / "robots.txt").write_bytes(b"User-agent: *\n")
    report = publish(tmp_path, "https://e.org/docs/")
    assert [str(finding) for finding in report.findings] == [
        (
            "robots.txt: robots_txt is 'write', but crawlers read only https://e.org/robots.txt, which is not in this "
            "directory. Nothing was written there. Add `Sitemap: https://e.org/docs/sitemap_index.xml` to that file, "
            "and remove the setting. [robots-in-subdirectory]"
        )
    ]
    assert report.findings[0].level == "warning"
    assert (tmp_path / "robots.txt").read_bytes() == b"User-agent: *\n"
    assert not publish(tmp_path, "https://e.org/docs/", robots_txt="check").findings


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        (b"User-agent: *\n", "it has no Sitemap line."),
        (b"Sitemap: https://e.org/sitemap.xml\n", "its Sitemap lines do not name the index."),
    ],
)
def test_by_default_a_file_without_the_line_is_told_of_and_left_alone(
    tmp_path: Path, content: bytes, problem: str
) -> None:
    assert Settings().robots_txt == "check"
    assert not publish(tmp_path, robots_txt="check").findings  # without a file there is nothing to say
    (tmp_path / "robots.txt").write_bytes(content)
    (finding,) = publish(tmp_path, robots_txt="check").findings
    # The index may be submitted in Search Console, so that a strict build of a site that is right passes.
    assert (finding.check, finding.level, finding.problem) == ("robots-without-index", "notice", problem)
    assert f"Add `Sitemap: {INDEX}`, or set robots_txt: write." in str(finding)
    assert (tmp_path / "robots.txt").read_bytes() == content


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        (b"<!doctype html><p>Not found", "it is an HTML page."),
        ("User-agent: *".encode("utf-16"), "it is not text in UTF-8."),
        ("User-agent: *".encode("utf-16-le"), "it is not text in UTF-8."),
        (b"#" * (MAX_ROBOTS - len(LINE)), "crawlers read 512,000 bytes of it, and it would have more."),
        (b"#" * (MAX_ROBOTS + 9), "crawlers read 512,000 bytes of it, and it would have more."),
    ],
)
def test_what_cannot_have_a_line_is_left_as_it_is(tmp_path: Path, content: bytes, problem: str) -> None:
    (tmp_path / "robots.txt").write_bytes(content)
    report = publish(tmp_path)
    assert [(finding.check, finding.problem) for finding in report.findings] == [("robots-not-written", problem)]
    assert report.sitemaps == 3
    assert (tmp_path / "robots.txt").read_bytes() == content


def test_what_is_no_file_is_left_as_it_is(tmp_path: Path) -> None:
    outside = tmp_path / "outside.txt"
    outside.write_bytes(b"User-agent: *\n")
    site = tmp_path / "site"
    site.mkdir()
    for make in (lambda path: path.symlink_to(outside), lambda path: path.mkdir(), os.mkfifo):
        make(site / "robots.txt")
        (finding,) = publish(site).findings
        assert finding.problem == "it cannot be read: it is a link, or not a regular file."
        assert outside.read_bytes() == b"User-agent: *\n"
        (site / "robots.txt").rmdir() if (site / "robots.txt").is_dir() else (site / "robots.txt").unlink()


@pytest.mark.parametrize("mode", ["write", "check"])
def test_without_an_index_there_is_nothing_to_say_about_the_file(tmp_path: Path, mode: str) -> None:
    (tmp_path / "robots.txt").symlink_to(tmp_path / "nowhere")
    target = Site(url=ROOT, directory=str(tmp_path), settings=Settings.load({"robots_txt": mode}))
    assert [finding.check for finding in publish_as_given([], target).findings] == ["nothing-listed"]


def test_a_build_that_fails_leaves_the_file_as_it_is(tmp_path: Path) -> None:
    (tmp_path / "robots.txt").write_bytes(b"User-agent: *\n")
    (tmp_path / "sitemap_index.xml").write_bytes(b"<mine/>")
    assert [finding.check for finding in publish(tmp_path).findings] == ["file-not-ours"]
    assert (tmp_path / "robots.txt").read_bytes() == b"User-agent: *\n"


def test_a_preview_touches_nothing(tmp_path: Path) -> None:
    site, preview = tmp_path / "site", tmp_path / "preview"
    site.mkdir()
    preview.mkdir()
    (site / "robots.txt").write_bytes(b"User-agent: *\n")
    report = publish(site, preview=str(preview))
    assert report.changes.written[-2:] == ["sitemap_index.xml", "robots.txt"]
    assert os.listdir(site) == ["robots.txt"]
    assert (site / "robots.txt").read_bytes() == b"User-agent: *\n"
