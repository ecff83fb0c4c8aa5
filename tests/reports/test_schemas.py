"""The machine forms are what their schemas say, and what those who read them ask for."""

import json
import re
from importlib.resources import files
from pathlib import Path
from typing import Any
from urllib.parse import quote, unquote, urlsplit

import pytest

from smindex_plugins.catalogue import CATALOGUE
from smindex_plugins.cli.main import main
from tests.support.command import PAGE, SITE
from tests.support.planted import SEVENTEEN, index, urlset, write
from tests.support.schema import mistakes
from tests.support.server import Server

SCHEMAS = {
    "json": files("smindex_plugins") / "schemas" / "findings.json",
    "sarif": Path(__file__).parents[1] / "schemas" / "sarif.json",
}
WRONG = {name: content for name, content in SEVENTEEN.items() if "many" not in name}
SITES: dict[str, dict[str, str | bytes]] = {
    "wrong": WRONG,
    "right": {"sitemap.xml": urlset(SITE), "index.html": PAGE},
    "odd": {
        "sitemap.xml": urlset(SITE + "größe", "<loc> https://e.org/a b </loc><priority>9</priority>", "<x/>", "日本"),
        "a: 100%#?.html": PAGE,
        "robots.txt": b"Sitemap: \xff\xfe\n",
        "deep/robots.txt": "",
        "\udcff/index.html": PAGE,
    },
    "unreadable": {"sitemap_index.xml": index(SITE + "s.xml"), "s.xml": "<urlset><url>\n<loc>"},
}


def printed(site: Path, form: str, capsys: pytest.CaptureFixture[str]) -> Any:  # noqa: ANN401 - what JSON holds
    assert main(["check", str(site), "--site-url", SITE, "--format", form]) in {0, 1}
    return json.loads(capsys.readouterr().out)


@pytest.mark.parametrize("form", SCHEMAS)
@pytest.mark.parametrize("name", SITES)
def test_what_is_printed_is_of_its_schema(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, name: str, form: str
) -> None:
    schema = json.loads(SCHEMAS[form].read_text(encoding="utf-8"))
    write(tmp_path / "a site", SITES[name])
    for directory in (tmp_path, tmp_path / "a site", "/"):
        monkeypatch.chdir(directory)
        assert mistakes(printed(tmp_path / "a site", form, capsys), schema) == []


@pytest.mark.parametrize("form", SCHEMAS)
def test_what_is_printed_of_a_live_site_is_too(server: Server, capsys: pytest.CaptureFixture[str], form: str) -> None:
    schema = json.loads(SCHEMAS[form].read_text(encoding="utf-8"))
    server.serve("/a%20b/gr%C3%B6%C3%9Fe.xml", urlset(server.base + "a b/a", server.base + "gone"))
    assert main(["check", server.base + "a b/größe.xml", "--pages", "--format", form]) == 1
    result = json.loads(capsys.readouterr().out)
    assert mistakes(result, schema) == []
    host = server.base.removeprefix("http://").rstrip("/")
    if form == "json":
        assert {found["url"] for found in result["findings"]} >= {server.base + "gone"}
        assert {found["file"] for found in result["findings"]} == {None}
    else:
        places = [found["locations"][0]["physicalLocation"] for found in result["runs"][0]["results"]]
        uris = {place["artifactLocation"]["uri"] for place in places}
        assert quote(host, safe="") + "/a%2520b/gr%25C3%25B6%25C3%259Fe.xml" in uris, "as if it were a file"


@pytest.mark.parametrize("form", SCHEMAS)
def test_what_is_not_of_its_schema_is_noticed(form: str) -> None:
    schema = json.loads(SCHEMAS[form].read_text(encoding="utf-8"))
    assert mistakes({}, schema)
    assert mistakes({"version": True, "findings": [{"line": 0}], "summary": [], "runs": []}, schema)


def test_the_schema_names_every_field_and_nothing_else(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    schema = json.loads(SCHEMAS["json"].read_text(encoding="utf-8"))
    result = printed(write(tmp_path, SITES["odd"]), "json", capsys)
    assert set(result) == set(schema["properties"])
    assert set(result["summary"]) == set(schema["$defs"]["summary"]["properties"])
    for finding in result["findings"]:
        assert set(finding) == set(schema["$defs"]["finding"]["properties"])


def results(site: Path, capsys: pytest.CaptureFixture[str]) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = printed(site, "sarif", capsys)["runs"][0]["results"]
    return found


def fingerprints(site: Path, capsys: pytest.CaptureFixture[str]) -> list[str]:
    return [result["partialFingerprints"]["smindex/v1"] for result in results(site, capsys)]


def test_a_fingerprint_is_of_one_finding_on_every_machine_and_in_every_run(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    first = fingerprints(write(tmp_path / "here", WRONG), capsys)
    assert len(first) > 20
    assert len(set(first)) == len(first)
    monkeypatch.chdir(write(tmp_path / "elsewhere" / "deeper", WRONG))
    assert fingerprints(Path(), capsys) == first


def test_a_fingerprint_stays_when_lines_move_and_other_findings_go(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    entries = [f"<loc>{SITE}{name}</loc><lastmod>never</lastmod>" for name in "abc"]
    entries += [f"<loc> {SITE}{name}</loc>" for name in "de"]
    before = fingerprints(write(tmp_path, {"sitemap.xml": urlset(*entries)}), capsys)
    moved = urlset(SITE + "new", *entries[:1], *entries[2:]).replace("<url>", "\n\n<url>")
    after = fingerprints(write(tmp_path, {"sitemap.xml": moved}), capsys)
    assert len(before) == 5
    assert set(after) < set(before)
    assert len(after) == 4


def test_no_place_is_what_makes_github_refuse_a_whole_log(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """It takes no URL of another scheme than that of a checkout, and no result without a place and a line."""
    for name in ("wrong", "odd"):
        for result in results(write(tmp_path / name, SITES[name]), capsys):
            (location,) = result["locations"]
            uri = location["physicalLocation"]["artifactLocation"]["uri"]
            assert urlsplit(uri).scheme in {"", "file"}
            assert re.fullmatch(r"(?:[A-Za-z0-9\-._~/:]|%[0-9A-F]{2})+", uri)
            assert location["physicalLocation"]["region"]["startLine"] >= 1


def test_a_name_of_any_characters_is_found_again_from_its_uri(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(write(tmp_path, SITES["odd"]))
    uris = [result["locations"][0]["physicalLocation"]["artifactLocation"] for result in results(Path(), capsys)]
    assert {each["uriBaseId"] for each in uris} == {"%SRCROOT%"}
    assert all(Path(unquote(each["uri"], errors="surrogateescape")).is_file() for each in uris)


def test_a_rule_says_what_it_means_and_how_to_fix_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (run,) = printed(write(tmp_path, WRONG), "sarif", capsys)["runs"]
    rules = run["tool"]["driver"]["rules"]
    assert len({rule["name"] for rule in rules}) == len(rules) > 10
    for result in run["results"]:
        assert rules[result["ruleIndex"]]["id"] == result["ruleId"]
    for rule in rules:
        kind = CATALOGUE[rule["id"]]
        assert kind.rule in rule["fullDescription"]["text"]
        assert kind.fix in rule["help"]["text"]
        assert kind.fix in rule["help"]["markdown"]
        assert rule["helpUri"] == kind.fix_url
