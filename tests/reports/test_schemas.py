"""The machine forms are what their schemas say, and what those who read them ask for."""

import json
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest

from smindex_plugins.cli.main import main
from tests.support.command import PAGE, SITE
from tests.support.planted import SEVENTEEN, index, urlset, write
from tests.support.schema import mistakes
from tests.support.server import Server

SCHEMAS = {
    "json": files("smindex_plugins") / "schemas" / "findings.json",
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
    assert {found["url"] for found in result["findings"]} >= {server.base + "gone"}
    assert {found["file"] for found in result["findings"]} == {None}


@pytest.mark.parametrize("form", SCHEMAS)
def test_what_is_not_of_its_schema_is_noticed(form: str) -> None:
    schema = json.loads(SCHEMAS[form].read_text(encoding="utf-8"))
    assert mistakes({}, schema)
    assert mistakes({"version": True, "findings": [{"line": 0}], "summary": [], "runs": []}, schema)
    assert mistakes("", {"unheard-of": 1})


def test_the_schema_names_every_field_and_nothing_else(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    schema = json.loads(SCHEMAS["json"].read_text(encoding="utf-8"))
    result = printed(write(tmp_path, SITES["odd"]), "json", capsys)
    assert set(result) == set(schema["properties"])
    assert set(result["summary"]) == set(schema["$defs"]["summary"]["properties"])
    for finding in result["findings"]:
        assert set(finding) == set(schema["$defs"]["finding"]["properties"])
