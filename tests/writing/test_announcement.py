"""How search engines find the indexes: the lines of robots.txt, what to do once, and what Read the
Docs serves.
"""

import os
from pathlib import Path

import pytest

from smindex_plugins.base.limits import MAX_ROBOTS
from smindex_plugins.base.model import Finding, Page
from smindex_plugins.base.settings import Settings
from smindex_plugins.base.site import Site
from smindex_plugins.report import Report
from smindex_plugins.writing.announcement import service_findings
from tests.support.history import publish_as_given
from tests.support.listed import files_in
from tests.support.planted import write

ROOT = "https://e.org/"
INDEX = f"{ROOT}sitemap_index.xml"
LINE = f"Sitemap: {INDEX}".encode()
TOO_LONG = "crawlers read only 512,000 bytes of it, and it would be larger."
ELSEWHERE = (
    "robots_txt is 'write', but crawlers read only https://e.org/robots.txt, which is not in this"
    " directory."
)
LOCAL = "its URLs start with http://localhost:8000/, which only this machine can reach."
OTHERS = "The same applies to 2 other URLs."  # the pages in a/


def publish(directory: Path, base: str = ROOT, preview: str = "", **settings: object) -> Report:
    pages = [Page(url=f"{base}{name}/{number}") for name in "abc" for number in "12"]
    options = Settings.load({"robots_txt": "write", **settings})
    return publish_as_given(
        pages, Site(url=base, directory=str(directory), settings=options, preview=preview)
    )


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (None, LINE + b"\n"),
        (b"\xef\xbb\xbf", b"\xef\xbb\xbf" + LINE + b"\n"),
        (b"User-agent: *\r\nDisallow:\r\n", b"User-agent: *\r\nDisallow:\r\n" + LINE + b"\r\n"),
        (b"User-agent: *\rDisallow:\r", b"User-agent: *\rDisallow:\r\n" + LINE),
        (b"User-agent: *", b"User-agent: *\n" + LINE),
        (b"a: b\r\n# \xff\xfe c", b"a: b\r\n# \xff\xfe c\r\n" + LINE),
        (
            b"Sitemap: https://e.org/other.xml\n",
            b"Sitemap: https://e.org/other.xml\n" + LINE + b"\n",
        ),
    ],
)
def test_the_line_is_added_once_and_every_other_byte_stays(
    tmp_path: Path, before: bytes | None, after: bytes
) -> None:
    robots = tmp_path / "robots.txt"
    if before is not None:
        robots.write_bytes(before)
    report = publish(tmp_path)
    assert not report.findings
    assert report.changes.written[-1] == "robots.txt", "after the index that it names"
    assert robots.read_bytes() == after
    stamp = robots.stat().st_mtime_ns
    assert "robots.txt" not in publish(tmp_path).changes.written
    assert (robots.read_bytes(), robots.stat().st_mtime_ns) == (after, stamp)


@pytest.mark.parametrize(
    "line",
    [
        b"sitemap:" + INDEX.encode(),
        b" SITEMAP : HTTPS://E.org:443/sitemap%5Findex.xml # here",
        LINE + b"\r\n",
    ],
)
def test_a_line_that_names_the_index_is_enough_however_it_is_written(
    tmp_path: Path, line: bytes
) -> None:
    write(tmp_path, {"robots.txt": line})
    for mode in ("write", "check"):
        report = publish(tmp_path, robots_txt=mode)
        assert (report.findings, report.next_steps) == ([], "")
        assert (tmp_path / "robots.txt").read_bytes() == line


def test_every_index_has_its_line(tmp_path: Path) -> None:
    write(tmp_path, {"robots.txt": "# A finding about this file has only the first.\n"})
    report = publish(tmp_path, robots_txt="check", max_urls=2)
    first, *lines = report.next_steps.splitlines()
    assert first.endswith(
        f"add these lines to {ROOT}robots.txt (or set `robots_txt: write`); submit each of them in"
        " Search Console."
    )
    assert lines == [f"Sitemap: {url}" for url in report.index_urls]
    report = publish(tmp_path, max_urls=2)
    assert (tmp_path / "robots.txt").read_text().splitlines()[1:] == lines
    assert (len(lines), report.next_steps, [*report.messages()]) == (2, "", [])


@pytest.mark.parametrize(
    ("base", "way", "expected"),
    [(ROOT, " (or set `robots_txt: write`)", "notice"), (f"{ROOT}docs/", "", "debug")],
)
def test_if_nothing_tells_search_engines_of_the_index_one_line_says_what_to_do(
    tmp_path: Path, base: str, way: str, expected: str
) -> None:
    """Below a path, no build can see that it was done, so the line does not come at every build."""
    index = f"{base}sitemap_index.xml"
    ((level, message),) = publish(tmp_path, base, robots_txt="check").messages()
    assert level == expected
    assert (
        message
        == "To let search engines find the index, do two things once: add the line `Sitemap:"
        f" {index}` to {ROOT}robots.txt{way}; submit {index} in Search Console."
    )


def test_the_line_comes_again_only_if_the_index_changed_its_name(tmp_path: Path) -> None:
    def levels(**settings: object) -> list[str]:
        report = publish(tmp_path, ROOT, "", robots_txt="check", **settings)
        return [level for level, text in report.messages() if "do two things once" in text]

    assert levels() == ["notice"]
    assert levels() == ["debug"]
    assert levels(section_depth=0) == ["debug"], "the index has other content"
    assert levels(index_filename="other.xml") == ["notice"]
    assert levels(index_filename="other.xml") == ["debug"]
    assert levels(index_filename="other.xml", max_urls=2) == ["notice"], "numbered indexes"
    assert levels(index_filename="other.xml", max_urls=2) == ["debug"]
    (tmp_path / "robots.txt").write_text(f"Sitemap: {ROOT}third.xml\n")
    assert levels(index_filename="third.xml") == []


@pytest.mark.parametrize(
    ("base", "content", "mode", "found"),
    [
        (ROOT, LINE, "check", []),
        (
            ROOT,
            b"User-agent: *\n",
            "check",
            [("robots-without-sitemap", "it has no Sitemap line.")],
        ),
        (
            ROOT,
            b"Sitemap: /a.xml\n",
            "check",
            [("robots-without-sitemap", "its Sitemap line '/a.xml' is not a full URL.")],
        ),
        (
            ROOT,
            b"<!doctype html><p>Not found",
            "check",
            [("robots-without-sitemap", "it is an HTML page.")],
        ),
        (
            ROOT,
            b"<!doctype html><p>Not found",
            "write",
            [("robots-not-written", "it is an HTML page.")],
        ),
        (
            ROOT,
            "User-agent: *".encode("utf-16"),
            "write",
            [("robots-not-written", "it is not UTF-8 text.")],
        ),
        (ROOT, b"#" * (MAX_ROBOTS - len(LINE)), "write", [("robots-not-written", TOO_LONG)]),
        (f"{ROOT}docs/", b"User-agent: *\n", "write", [("robots-in-subdirectory", ELSEWHERE)]),
        ("http://localhost:8000/", None, "check", [("private-address", LOCAL)]),
    ],
)
def test_a_file_that_does_not_name_the_index_and_stays_as_it_is_is_one_finding_and_no_other_advice(
    tmp_path: Path, base: str, content: bytes | None, mode: str, found: list[tuple[str, str]]
) -> None:
    write(tmp_path, {"robots.txt": content} if content else {})
    report = publish(tmp_path, base, robots_txt=mode)
    assert [(finding.check, finding.problem) for finding in report.findings] == found
    assert (report.sitemaps, report.next_steps) == (3, "")
    assert files_in(tmp_path).get("robots.txt") == content


def test_by_default_the_file_is_checked_and_that_it_lacks_the_line_fails_no_strict_build(
    tmp_path: Path,
) -> None:
    """The index may be submitted in Search Console."""
    write(tmp_path, {"robots.txt": b"User-agent: *\n"})
    (finding,) = publish(tmp_path, robots_txt=Settings().robots_txt).findings
    assert (finding.level, finding.fix) == (
        "notice",
        f"Add `Sitemap: {INDEX}`, or set `robots_txt: write`.",
    )


@pytest.mark.parametrize(
    ("base", "rules", "problems"),
    [
        (
            ROOT,
            "Disallow: /a/\nDisallow: /*.xml$",
            [f"it blocks {INDEX} for Googlebot with '/*.xml$'. {OTHERS}"],
        ),
        (ROOT, "Disallow: /a/1", [f"it blocks {ROOT}a/1 for Googlebot with '/a/1'."]),
        (ROOT, "Disallow: /\nUser-agent: Googlebot\nAllow: /", []),
        (f"{ROOT}docs/", "Disallow: /", []),  # which no crawler reads
    ],
)
def test_a_robots_txt_that_blocks_what_is_listed_is_one_finding(
    tmp_path: Path, base: str, rules: str, problems: list[str]
) -> None:
    write(tmp_path, {"robots.txt": f"User-agent: *\n{rules}\nSitemap: {base}sitemap_index.xml\n"})
    found = publish(tmp_path, base, robots_txt="check").findings
    assert [each.problem for each in found if each.check == "robots-blocks-page"] == problems


@pytest.mark.parametrize("kind", ["link", "directory", "pipe"])
def test_what_is_no_file_is_left_as_it_is(tmp_path: Path, kind: str) -> None:
    write(tmp_path, {"outside.txt": "User-agent: *\n", "site/index.html": ""})
    robots = tmp_path / "site" / "robots.txt"
    if kind == "link":
        robots.symlink_to("../outside.txt")
    elif kind == "directory":
        robots.mkdir()
    else:
        os.mkfifo(robots)
    (finding,) = publish(tmp_path / "site").findings
    assert finding.problem == "it can't be read: it is a link, or not a regular file."
    assert (tmp_path / "outside.txt").read_text() == "User-agent: *\n"


def test_neither_a_build_that_fails_nor_a_preview_changes_the_file(tmp_path: Path) -> None:
    write(tmp_path, {"site/robots.txt": b"User-agent: *\n"})
    site, preview = tmp_path / "site", tmp_path / "preview"
    report = publish(site, preview=str(preview))
    assert report.changes.written[-2:] == ["sitemap_index.xml", "robots.txt"]
    assert (os.listdir(site), report.next_steps) == (["robots.txt"], "")
    write(site, {"sitemap_index.xml": b"<mine/>"})
    assert [finding.check for finding in publish(site).findings] == ["file-not-ours"]
    assert (site / "robots.txt").read_bytes() == b"User-agent: *\n"


class TestReadTheDocs:
    """It serves the robots.txt and the sitemap.xml of the default version at the root of the
    domain.
    """

    SITE = "https://docs.example.org/en/stable/"
    THERE = {"READTHEDOCS": "True", "READTHEDOCS_CANONICAL_URL": SITE}  # noqa: RUF012 - a constant

    def found(
        self, directory: Path, name: str = "sitemap_index.xml", **environment: str
    ) -> list[Finding]:
        target = Site(
            url=self.SITE, directory=str(directory), settings=Settings(index_filename=name)
        )
        return list(service_findings(target, [self.SITE + name], {**self.THERE, **environment}))

    def test_a_notice_has_the_line_for_the_robots_txt_that_it_serves(self, tmp_path: Path) -> None:
        (finding,) = self.found(tmp_path)
        assert (finding.check, finding.level) == ("read-the-docs-sitemap", "notice")
        assert f"`Sitemap: {self.SITE}sitemap_index.xml`" in finding.fix
        assert "Its /sitemap.xml is its own list of versions, not pages" in finding.problem
        assert finding.fix.endswith(", or name it sitemap.xml (`index_filename: sitemap.xml`).")
        write(tmp_path, {"sitemap.xml": ""})
        (finding,) = self.found(tmp_path)
        assert "Its /sitemap.xml is a list of the same pages" in finding.problem
        assert "index_filename" not in finding.fix

    @pytest.mark.parametrize(
        ("name", "robots", "count"),
        [
            (
                "sitemap_index.xml",
                "sitemap: HTTPS://Docs.example.org/en/stable/sitemap_index.xml # ours",
                0,
            ),
            ("sitemap_index.xml", "Sitemap: https://docs.example.org/sitemap.xml", 1),
            ("sitemap.xml", "Sitemap: https://docs.example.org/sitemap.xml", 0),
        ],
    )
    def test_a_robots_txt_that_names_the_index_is_enough(
        self, tmp_path: Path, name: str, robots: str, count: int
    ) -> None:
        write(tmp_path, {"robots.txt": robots})
        found = self.found(tmp_path, name)
        assert [finding.check for finding in found] == ["read-the-docs-sitemap"] * count

    def test_a_robots_txt_that_leads_elsewhere_has_the_reason(self, tmp_path: Path) -> None:
        write(tmp_path, {"robots.txt": "Sitemap: https://old.org/sitemap.xml"})
        (finding,) = self.found(tmp_path)
        reason = (
            "Of the robots.txt of this build: its only Sitemap line is for another host:"
            " https://old.org/sitemap.xml."
        )
        assert finding.problem.endswith(f"doesn't list the index. {reason}")

    def test_at_the_root_of_a_domain_the_build_has_judged_the_file(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("READTHEDOCS", "True")
        write(tmp_path, {"robots.txt": "User-agent: *"})
        assert [each.check for each in publish(tmp_path, robots_txt="check").findings] == [
            "robots-without-sitemap"
        ]

    def test_an_index_at_the_name_that_it_serves_needs_no_line_without_a_robots_txt(
        self, tmp_path: Path
    ) -> None:
        assert self.found(tmp_path, "sitemap.xml") == []
        write(tmp_path, {"robots.txt": "User-agent: *"})
        (finding,) = self.found(tmp_path, "sitemap.xml")
        assert (
            "Its /sitemap.xml is the index, and its /robots.txt doesn't list the index."
            in finding.problem
        )
        assert "`Sitemap: https://docs.example.org/sitemap.xml`" in finding.fix

    def test_elsewhere_and_in_previews_of_pull_requests_nothing_is_said(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        assert self.found(tmp_path, READTHEDOCS="") == []
        assert self.found(tmp_path, READTHEDOCS_VERSION_TYPE="external") == []
        monkeypatch.setenv("READTHEDOCS", "True")
        monkeypatch.setenv("READTHEDOCS_VERSION_TYPE", "external")
        assert not publish(tmp_path, robots_txt="check").next_steps
