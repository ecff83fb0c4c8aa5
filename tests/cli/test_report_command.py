"""What `smindex report` prints of real sites is what their XML holds."""

import json
import os
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest
from lxml import etree

from smindex_plugins.cli.main import main
from tests.support.command import PAGE, SITE
from tests.support.planted import index, urlset, write
from tests.support.schema import mistakes
from tests.support.servers import Server

SCHEMA = json.loads((files("smindex_plugins") / "schemas/overview.json").read_text(encoding="utf-8"))
MARK = "<!-- Written by smindex-plugins -->"


def dated(url: str, date: str) -> str:
    return f"<loc>{SITE}{url}</loc><lastmod>{date}</lastmod>"


@pytest.fixture
def site(tmp_path: Path) -> Path:
    """Write a site of three sections, one of which was split into two files."""
    files: dict[str, str | bytes] = {
        "sitemap_index.xml": index(
            SITE + "sitemap-root.xml", SITE + "a/sitemap.xml", SITE + "a/sitemap-1.xml", SITE + "sitemap-abc.xml"
        ),
        "sitemap-root.xml": urlset(dated("", "2024-05-01"), SITE + "b.html"),
        "a/sitemap.xml": urlset(dated("a/1.html", "2020-01-01T00:00:01Z")),
        "a/sitemap-1.xml": urlset(dated("a/2.html", "2022-01-01T01:00:00+01:00"), dated("a/3.html", "nonsense")),
        "sitemap-abc.xml": urlset(dated("c.html", "2021-01-01")),
        "index.html": PAGE,
        "no.html": PAGE.replace("<title>", '<meta name="robots" content="noindex"><title>'),
        **{f"a/{number}.html": PAGE for number in (1, 2, 3)},
        "b.html": PAGE,
        "c.html": PAGE,
    }
    files = {name: _marked(text) if name.endswith(".xml") else text for name, text in files.items()}
    return write(tmp_path, files)


def _marked(text: str | bytes) -> str | bytes:
    assert isinstance(text, str)
    return text.replace("?>\n", f"?>\n{MARK}\n", 1)


def shown(site: Path | str, capsys: pytest.CaptureFixture[str], *options: str) -> Any:  # noqa: ANN401 - what JSON holds
    assert main(["report", str(site), "--format", "json", *options]) == 0
    result = json.loads(capsys.readouterr().out)
    assert mistakes(result, SCHEMA) == []
    return result


def test_a_section_has_the_numbers_of_its_xml(site: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found = {section["name"]: section for section in shown(site, capsys)["sections"]}
    assert list(found) == ["root", "a/", "abc"]
    part = found["a/"]
    paths = [site / name for name in part["files"]]
    assert [path.name for path in paths] == ["sitemap.xml", "sitemap-1.xml"]
    assert part["pages"] == sum(len(etree.parse(path).getroot()) for path in paths)
    assert part["bytes"] == sum(path.stat().st_size for path in paths)
    assert (part["newest"], part["oldest"], part["undated"]) == ("2022-01-01T00:00:00Z", "2020-01-01T00:00:01Z", 1)
    assert part["share_of_urls"] == 2 / 50_000
    assert part["share_of_bytes"] == round(max(path.stat().st_size for path in paths) / 52_428_800, 6)


def test_what_is_in_no_sitemap_has_its_reason(site: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (left_out,) = shown(site, capsys)["left_out"]
    assert (left_out["url"], left_out["reason"]) == (SITE + "no.html", "marked noindex")


def test_of_another_generator_each_sitemap_is_a_section(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    sitemaps = {f"post-sitemap-{number}.xml": urlset(SITE + str(number)) for number in (1, 2)}
    write(tmp_path, {"sitemap_index.xml": index(*(SITE + name for name in sitemaps)), **sitemaps})
    assert [section["name"] for section in shown(tmp_path, capsys)["sections"]] == [
        "post-sitemap-1",
        "post-sitemap-2",
    ]


def test_a_section_is_shown_alone_and_one_that_is_not_there_is_refused_with_the_nearest(
    site: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert [section["name"] for section in shown(site, capsys, "--section", "a/")["sections"]] == ["a/"]
    assert main(["report", str(site), "--section", "a"]) == 2
    assert "there is no such section; did you mean 'a/'?" in capsys.readouterr().err


def test_a_live_site_is_shown_as_its_files_are(server: Server, capsys: pytest.CaptureFixture[str]) -> None:
    server.serve("/sitemap_index.xml", index(server.base + "a/sitemap.xml"))
    server.serve("/a/sitemap.xml", urlset(server.base + "a/b", f"<loc>{server.base}a/c</loc><lastmod>2024</lastmod>"))
    result = shown(server.base, capsys)
    assert [(each["name"], each["pages"], each["undated"]) for each in result["sections"]] == [("a/", 2, 1)]
    assert result["summary"]["left_out"] is None
    assert main(["report", server.base]) == 0
    assert ", because the pages themselves were not looked at" in capsys.readouterr().out


def test_text_is_a_plain_table_that_nothing_is_cut_off_from(site: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["report", str(site)]) == 0
    printed = capsys.readouterr().out
    assert "\033" not in printed
    assert all(line == line.rstrip() for line in printed.splitlines())


def test_a_directory_that_is_not_there_is_an_error(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["report", os.path.join(tmp_path, "nowhere")]) == 2
    assert capsys.readouterr().err.startswith("smindex: ")


def test_files_have_the_format_of_their_suffix(
    site: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(site)
    assert main(["report", ".", "-o", "r.html", "-o", "r.md", "-o", "r.json", "--section", "a/"]) == 2
    assert capsys.readouterr().err == "smindex: --section has no effect on HTML and Markdown. Leave it out.\n"
    assert main(["report", ".", "-o", "r.html", "-o", "r.md", "-o", "r.json"]) == 0
    assert capsys.readouterr().out.startswith("r.html: 6 pages in 3 sections\nr.md: 6 pages")
    assert Path("r.html").read_text().lower().startswith("<!doctype html>")
    assert Path("r.md").read_text().startswith("<!-- smindex report -->")
    assert mistakes(json.loads(Path("r.json").read_text()), SCHEMA) == []
    assert main(["report", ".", "-o", "r.md", "--format", "html"]) == 2
    assert capsys.readouterr().err == "smindex: --format has no effect with -o. Leave it out.\n"


def test_the_time_for_an_earlier_version_on_the_web_can_be_limited(
    site: Path, server: Server, capsys: pytest.CaptureFixture[str]
) -> None:
    server.serve("/sitemap.xml", urlset(server.base + "a"))
    arguments = ["report", str(site), "--timeout", "5", "--format", "json"]
    assert main(arguments) == 2
    assert "--timeout has no effect on a built directory" in capsys.readouterr().err
    assert main(["report", str(site), "--since", server.base]) == 2
    assert "--since is not shown as text. Add -o report.html" in capsys.readouterr().err
    assert main([*arguments, "--since", server.base]) == 0
    assert json.loads(capsys.readouterr().out)["changes"]["removed"] == [server.base + "a"]
