"""What a build recorded is what it wrote, for every host, and no build reads it."""

import gzip
import json
import re
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from smindex_plugins.cli.main import main
from tests.hosts.sites import BASE, HOSTS, Options, Site
from tests.support.command import findings
from tests.support.listed import files_in
from tests.support.planted import write

OPTIONS: Options = {
    "exclude": ["drafts/"],
    "filter": "hooks:keep",
    "section_depth": 2,
    "depends": {"guide/a.html": ["data.yml"]},
    "ignore_commits": ["^Reformat"],
}


@pytest.fixture(params=HOSTS)
def site(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Site:
    """Make a site of each host, with a page that git does not know and one that its author keeps
    private.
    """
    site = Site(HOSTS[request.param], tmp_path)
    site.write("new")
    site.write("api/s", sitemap="false")
    monkeypatch.chdir(site.repo.path)
    return site


def records(site: Site) -> list[Path]:
    return list(site.repo.path.rglob(".smindex_cache/*.gz"))


def explained(capsys: pytest.CaptureFixture[str], *names: str) -> list[Any]:
    capsys.readouterr()
    main(["explain", "site", *names, "--format", "json"])
    pages: list[Any] = json.loads(capsys.readouterr().out)["pages"]
    return pages


def test_every_page_has_the_date_of_the_xml_and_the_reason_of_the_log(
    site: Site, capsys: pytest.CaptureFixture[str]
) -> None:
    code, log = site.build(OPTIONS)
    assert code == 0, log
    dates = {
        BASE + path: date for dates in site.sitemaps().values() for path, date in dates.items()
    }
    pages = explained(
        capsys, *(f"site/{path}" for path in files_in(site.output) if path.endswith(".html"))
    )
    listed = {page["url"].replace("index.html", ""): page for page in pages if page["listed"]}
    assert {url: page["date"]["lastmod"] for url, page in listed.items()} == dates
    assert {url: page["listed"]["lastmod"] for url, page in listed.items()} == dates
    for url, page in listed.items():
        date = page["date"]
        if date["rests_on"] == "git":
            commit = site.repo.git(
                "log", "-1", "--format=%H", "--invert-grep", "--grep=^Reformat", "--", date["file"]
            )
            assert date["commit"]["hash"] == commit.strip(), url
    rests_on = {url.removeprefix(BASE): page["date"]["rests_on"] for url, page in listed.items()}
    assert rests_on["guide/b.html"] == "git"
    assert rests_on["dated.html"] == "filter"
    assert listed[f"{BASE}guide/a.html"]["date"]["file"].endswith("data.yml")
    omitted = {page["url"]: page["not_listed"]["reason"] for page in pages if page["not_listed"]}
    assert omitted[f"{BASE}private.html"] == "excluded by filter"
    assert omitted[f"{BASE}api/s.html"] == "excluded by its front matter"
    assert omitted[f"{BASE}drafts/d.html"] == "excluded by `drafts/`"
    assert len(pages) == len(listed) + len(omitted), "each page is listed, or has a reason"
    reasons = {reason.removeprefix("an ") for reason in omitted.values()}
    assert [reason for reason in reasons if f" {reason}" not in log] == []
    assert "unlisted-page" not in {finding["check"] for finding in findings(capsys, "site")}


def test_a_file_that_counts_leads_to_all_pages_it_counts_for(
    site: Site, capsys: pytest.CaptureFixture[str]
) -> None:
    site.build(OPTIONS)
    (page,) = explained(capsys, "data.yml")
    assert page["url"] == f"{BASE}guide/a.html"
    assert page["date"]["files"][-1] == "data.yml"
    source = page["sources"][0]
    assert [each["url"] for each in explained(capsys, source)] == [page["url"]]


def tampered(path: Path) -> None:
    """Make a record claim other dates, sources and reasons."""
    lines = gzip.decompress(path.read_bytes()).decode().splitlines()
    wrong = re.sub(r'"lastmod":"[^"]*"', '"lastmod":"1999-01-01"', "\n".join(lines[1:]))
    wrong = wrong.replace('"sources":[', '"reason":"marked draft","sources":["/etc/passwd",')
    path.write_bytes(gzip.compress(f"{lines[0]}\n{wrong}\n".encode()))


@pytest.mark.parametrize(
    "change", [tampered, Path.unlink, lambda path: path.write_bytes(b"\x1f\x8bdamaged")]
)
def test_no_build_reads_it(site: Site, change: Callable[[Path], object]) -> None:
    site.build(OPTIONS)
    (record,) = records(site)
    written, content = files_in(site.output), record.read_bytes()
    assert not {name for name in written if "smindex" in name}, "the output has none"
    change(record)
    # Sphinx 8.1 generates no pages if nothing changed
    shutil.rmtree(site.output.parent / "trees", ignore_errors=True)
    site.build(OPTIONS)
    xml = {name: text for name, text in written.items() if name.endswith(".xml")}
    assert {
        name: text for name, text in files_in(site.output).items() if name.endswith(".xml")
    } == xml
    assert record.read_bytes() == content, "the same build has the same record"


def test_a_project_that_cannot_be_written_to_builds_as_before(site: Site) -> None:
    write(site.repo.path, {".smindex_cache": "a file in the place of the directory"})
    code, log = site.build({}, strict=True)
    assert code == 0, log
    assert (site.output / "sitemap_index.xml").exists()
    assert records(site) == []
