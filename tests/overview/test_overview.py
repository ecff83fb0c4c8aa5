"""An overview has what the XML holds: sections, pages, dates, what was omitted, and what
changed.
"""

import io
import json
from pathlib import Path
from typing import Any

import pytest

from smindex_plugins.base.formats import ReportForm
from smindex_plugins.base.model import NamedSection
from smindex_plugins.base.settings import Settings
from smindex_plugins.checks.applying import DirectoryCheck, LiveCheck
from smindex_plugins.cli.report import compose
from smindex_plugins.overview.output import write_report
from smindex_plugins.overview.overview import Overview, describe_bulks
from smindex_plugins.reading.directory import Directory
from smindex_plugins.reading.live import Live
from smindex_plugins.reading.walking import PartlyReadError
from smindex_plugins.record.fact import Fact
from smindex_plugins.record.find import Record
from tests.support.command import PAGE, SITE
from tests.support.history import Repo
from tests.support.planted import index, urlset, write
from tests.support.servers import Server

MARK = "<!-- Written by smindex-plugins -->"


def entries(*dated: tuple[str, str]) -> str:
    listed = (
        f"<loc>{SITE}{url}</loc>" + (f"<lastmod>{day}</lastmod>" if day else "")
        for url, day in dated
    )
    return urlset(*listed).replace("?>\n", f"?>\n{MARK}\n", 1)


@pytest.fixture
def site(tmp_path: Path) -> Path:
    """Write a site of three sections, one of which was split into two files."""
    names = ("sitemap-root.xml", "a/sitemap.xml", "a/sitemap-1.xml", "sitemap-api.xml")
    files: dict[str, str | bytes] = {
        "sitemap_index.xml": index(*(SITE + name for name in names)),
        "sitemap-root.xml": entries(("", "2024-05-01"), ("b.html", "")),
        "a/sitemap.xml": entries(("a/1.html", "2020-01-01T00:00:01Z")),
        "a/sitemap-1.xml": entries(
            ("a/2.html", "2022-01-01T01:00:00+01:00"), ("a/3.html", "nonsense")
        ),
        "sitemap-api.xml": entries(("c.html", "2021-01-01")),
        **dict.fromkeys(
            ("index.html", "b.html", "c.html", *(f"a/{number}.html" for number in (1, 2, 3))), PAGE
        ),
        "no.html": PAGE.replace("<title>", '<meta name="robots" content="noindex"><title>'),
    }
    return write(tmp_path / "site", files)


def of(site: Path, since: Path | str = "", record: Record | None = None) -> Overview:
    return compose(
        DirectoryCheck(directory=Directory(path=str(site)), record=record), since=str(since)
    )


def recorded(
    *facts: Fact, project: Path = Path(), sections: tuple[NamedSection, ...] = ()
) -> Record:
    settings, site = Settings(sections=sections), str(project / "site")
    return Record(
        project=str(project),
        directory=site,
        url=SITE,
        settings=settings,
        settings_file="",
        facts=facts,
    )


def in_json(overview: Overview) -> Any:  # noqa: ANN401 - what JSON holds
    out = io.StringIO()
    write_report(overview, "json", out)
    return json.loads(out.getvalue())


def test_it_has_every_page_section_and_file_of_the_xml(site: Path) -> None:
    overview = of(site)
    assert {
        page.url.removeprefix(SITE): (page.lastmod, page.section) for page in overview.pages
    } == {
        "": ("2024-05-01", "root"),
        "b.html": (None, "root"),
        "a/1.html": ("2020-01-01T00:00:01Z", "a/"),
        "a/2.html": ("2022-01-01T00:00:00Z", "a/"),
        "a/3.html": (None, "a/"),
        "c.html": ("2021-01-01", "api"),
    }
    root, part, api = overview.sections
    assert (root.name, part.name, api.name) == ("root", "a/", "api")
    assert (part.pages, part.undated) == (3, 1)
    assert (part.newest, part.oldest) == ("2022-01-01T00:00:00Z", "2020-01-01T00:00:01Z")
    assert part.files == ["a/sitemap.xml", "a/sitemap-1.xml"]
    sizes = [(site / name).stat().st_size for name in part.files]
    assert part.bytes == sum(sizes)
    assert (part.share_of_urls, part.share_of_bytes) == (
        2 / 50_000,
        round(max(sizes) / 52_428_800, 6),
    )
    total, summary = overview.total, overview.summary
    assert (total.pages, total.newest, total.oldest) == (6, "2024-05-01", "2020-01-01T00:00:01Z")
    assert (overview.site, summary.pages, summary.undated) == (SITE, 6, 2)
    assert (summary.indexes, summary.sitemaps, summary.sections) == (1, 4, 3)
    assert overview.files[0].file == "sitemap_index.xml"


def test_a_named_section_is_no_part_of_another_and_neither_are_files_of_other_generators(
    tmp_path: Path,
) -> None:
    files = {
        f"sitemap-api{end}.xml": entries((f"{number}", "")) for number, end in enumerate(("", "-1"))
    }
    write(tmp_path, {"sitemap_index.xml": index(*(SITE + name for name in files)), **files})
    assert [section.name for section in of(tmp_path).sections] == ["api"]
    named = of(tmp_path, record=recorded(sections=(NamedSection(name="api-1", urls=("1",)),)))
    assert [section.name for section in named.sections] == ["api", "api-1"]
    write(tmp_path, {name: text.replace(MARK, "") for name, text in files.items()})
    assert [section.name for section in of(tmp_path).sections] == ["api", "api-1"]


def test_what_is_left_out_has_its_reason(site: Path) -> None:
    overview = of(site)
    (page,) = overview.omitted
    assert (page.url, page.file, page.reason) == (SITE + "no.html", "no.html", "marked noindex")
    assert overview.omitted_by_reason == {"marked noindex": [page]}
    assert overview.summary.omitted == 1


def test_what_the_build_left_out_has_its_reason_and_cause_and_what_it_listed_has_none(
    site: Path,
) -> None:
    write(site, {"sitemap-root.xml": entries(("", "2024-05-01"))})
    facts = (
        Fact(
            url=f"{SITE}no.html", file="no.html", reason="excluded by filter", by="`hooks:choose`"
        ),
        Fact(url=f"{SITE}b.html", file="b.html", rests_on="nothing"),
    )
    omitted = {page.file: page.reason for page in of(site, record=recorded(*facts)).omitted}
    assert omitted == {
        "no.html": "excluded by filter (`hooks:choose`)",
        "b.html": "not listed for an unknown reason",
    }


def test_the_reason_of_each_date_is_that_of_the_record(site: Path) -> None:
    facts = (
        Fact(
            url=SITE,
            lastmod="2024-05-01",
            rests_on="author",
            key="updated",
            dated_by="docs/index.md",
        ),
        Fact(url=f"{SITE}b.html", rests_on="nothing", undated="not committed to git"),
        Fact(
            url=f"{SITE}a/1.html",
            lastmod="2020-01-01T00:00:01Z",
            rests_on="git",
            dated_by="docs/\x1b1.md",
        ),
        Fact(
            url=f"{SITE}a/2.html",
            lastmod="2022-01-02T00:00:00Z",
            rests_on="git",
            dated_by="docs/2.md",
        ),
        Fact(url=f"{SITE}c.html", lastmod="2021-01-01", rests_on="list", page=f"{SITE}a/1.html"),
    )
    why = {
        page.url.removeprefix(SITE): page.why for page in of(site, record=recorded(*facts)).pages
    }
    assert why == {
        "": "front matter: updated",
        "b.html": "not committed to git",
        "a/1.html": "git: docs/\\x1b1.md",
        "a/2.html": "not the date of the recorded build",
        "a/3.html": None,
        "c.html": f"the newest page that it lists: {SITE}a/1.html",
    }
    assert {page.why for page in of(site).pages} == {None}
    others = (
        Fact(url=SITE, lastmod="2024-05-01", rests_on="filter"),
        Fact(url=f"{SITE}c.html", lastmod="2021-01-01", rests_on="publication"),
        Fact(url=f"{SITE}b.html"),
        Fact(url=f"{SITE}a/3.html", lastmod="2023-01-01", rests_on="git", dated_by="docs/3.md"),
    )
    why = {
        page.url.removeprefix(SITE): page.why for page in of(site, record=recorded(*others)).pages
    }
    assert (why[""], why["c.html"], why["b.html"]) == (
        "filter",
        "front matter: date of publication",
        "dates are turned off",
    )
    assert why["a/3.html"] == "not the date of the recorded build", (
        "its date there is invalid, and the build gave it one"
    )


def test_a_live_site_is_as_its_files_are_and_read_once(site: Path, server: Server) -> None:
    server.serve("/sitemap_index.xml", index(server.base + "a/sitemap.xml"))
    server.serve(
        "/a/sitemap.xml",
        urlset(server.base + "a/b", f"<loc>{server.base}a/c</loc><lastmod>2024</lastmod>"),
    )
    overview = compose(LiveCheck(live=Live(url=server.base)), since=str(site))
    assert [(each.name, each.pages, each.undated) for each in overview.sections] == [("a/", 2, 1)]
    assert overview.summary.omitted is None
    assert server.paths.count("/a/sitemap.xml") == 1


@pytest.mark.parametrize("earlier", ["r.json", "before"])
def test_what_changed_since_an_earlier_report_or_build(site: Path, earlier: str) -> None:
    with (site.parent / "r.json").open("w") as out:
        write_report(of(site), "json", out)
    xml = {path.relative_to(site).as_posix(): path.read_bytes() for path in site.rglob("*.xml")}
    write(site.parent / "before", xml)
    write(site, {"sitemap-root.xml": entries(("", "2024-05-31"), ("new.html", ""))})
    changes = in_json(of(site, site.parent / earlier))["changes"]
    assert (changes["old"], changes["new"]) == (str(site.parent / earlier), str(site))
    assert (changes["added"], changes["removed"]) == ([f"{SITE}new.html"], [f"{SITE}b.html"])
    assert changes["changed"][0] == {
        "url": SITE,
        "before": "2024-05-01",
        "after": "2024-05-31",
        "variants": [],
    }
    assert (changes["summary"]["urls_before"], changes["summary"]["urls_after"]) == (6, 6)
    assert any("sitemaps" in each for each in changes["summary"]["not_compared"]) == (
        earlier == "r.json"
    )
    assert in_json(of(site))["changes"] is None


@pytest.mark.parametrize("form", ["html", "markdown"])
def test_what_changed_begins_with_lost_renamed_and_redirected_pages(
    repo: Repo, form: ReportForm
) -> None:
    repo.commit(0, {"b.html": PAGE})
    repo.move("b.html", "new.html")
    repo.commit(1)
    write(
        repo.path, {"before/sitemap.xml": urlset(SITE, *(f"{SITE}{name}.html" for name in "abcd"))}
    )
    after = urlset(SITE, f"{SITE}new.html")
    write(repo.path, {"sitemap.xml": after, "index.html": PAGE, "_redirects": "/a.html / 301"})
    out = io.StringIO()
    write_report(of(repo.path, repo.path / "before"), form, out)
    text = out.getvalue()
    text = text[text.index({"html": "Lost: ", "markdown": "# Changes"}[form]) :]
    places = [text.index(f"{SITE}{name}.html") for name in "cdba"]
    assert places == sorted(places)


def test_a_comparison_needs_every_sitemap(site: Path) -> None:
    write(site.parent / "before", {"sitemap.xml": urlset(SITE)})
    (site / "sitemap-api.xml").unlink()
    assert of(site).summary.errors
    with pytest.raises(PartlyReadError):
        of(site, site.parent / "before")


def test_an_earlier_report_that_is_none_is_refused(site: Path) -> None:
    for text in ("{}", "[1]", "nonsense", '{"pages": [1]}'):
        write(site.parent, {"r.json": text})
        with pytest.raises(
            ValueError, match=r"it is not a report\. Write one with `smindex report"
        ):
            of(site, site.parent / "r.json")


def test_a_date_that_many_pages_share_is_named_with_a_reason(tmp_path: Path) -> None:
    pages = [(f"{number:02}.html", "2024-03-03T10:00:00Z") for number in range(30)]
    overview = of(
        write(tmp_path, {"sitemap.xml": entries(*pages, ("e.html", "2019-01-01"), ("f.html", ""))})
    )
    (note,) = overview.bulk
    assert note.startswith(
        "2024-03-03T10:00:00Z: 30 pages (96.8 % of all dates) have this date. One commit changed"
    )
    (note,) = describe_bulks(overview.pages, ("build-stamp",), None)
    assert note.endswith("It is the time of a build, as the finding build-stamp reports.")
    (note,) = describe_bulks(overview.pages, ("build-stamp",), recorded())
    assert note.endswith("It is the time of a build, as the finding build-stamp reports.")


def test_a_date_that_many_pages_share_names_the_commit_of_most_of_them(repo: Repo) -> None:
    commits = [repo.commit(1, {f"{name}.md": name}, message=f"Change {name}") for name in "ab"]
    moment = "2020-09-14T12:26:40Z"
    pages = [(f"{number:02}.html", moment) for number in range(30)]
    site = write(repo.path / "site", {"sitemap.xml": entries(*pages, ("e.html", "2019-01-01"))})

    def note(*counts: int) -> str:
        """Give the note if so many pages are by each of the commits, and the others by none."""
        dated = [
            (name, commit)
            for name, commit, count in zip("ab", commits, counts, strict=True)
            for _ in range(count)
        ]
        facts = [
            Fact(
                url=SITE + page,
                lastmod=moment,
                rests_on="git",
                dated_by=f"{name}.md",
                commit=commit,
            )
            for (page, _), (name, commit) in zip(pages, dated, strict=False)
        ]
        (text,) = of(site, record=recorded(*facts, project=repo.path)).bulk
        start = f"{moment}: 30 pages (96.8 % of all dates) have this date. "
        assert text.startswith(start)
        return text.removeprefix(start)

    assert note(0, 30) == f"They come from commit {commits[1][:12]} “Change b”."
    assert note(12, 18) == f"18 of them come from commit {commits[1][:12]} “Change b”."
    assert note(18, 0) == f"18 of them come from commit {commits[0][:12]} “Change a”."
    assert note(0, 0) == "One commit changed many pages, or it is the time of a build."
