"""The JSON schemas of the outputs are those of their types, and every output is valid."""

import io
import json
import os
import re
import sys
from collections.abc import Iterator
from contextlib import redirect_stdout
from dataclasses import is_dataclass
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest
from pydantic import TypeAdapter

from smindex_plugins.announcing.console import SitemapStatus
from smindex_plugins.announcing.console_output import ConsoleOutput, write_console
from smindex_plugins.base.difference import Change, Difference
from smindex_plugins.checks.applying import DirectoryCheck
from smindex_plugins.checks.audit import Audit
from smindex_plugins.cli.build_output import BuildOutput
from smindex_plugins.cli.findings import Findings, write_json
from smindex_plugins.cli.main import main
from smindex_plugins.compare.output import DiffOutput, write_difference
from smindex_plugins.explain.output import Explanations
from smindex_plugins.joining.output import JoinOutput
from smindex_plugins.overview.output import write_report
from smindex_plugins.overview.overview import Overview, look
from smindex_plugins.reading.directory import Directory
from smindex_plugins.tables.outcome import TableOutcome
from smindex_plugins.tables.output import PagesOutput, write_outcome
from tests.support.command import PAGE, SITE
from tests.support.planted import SEVENTEEN, index, urlset, write
from tests.support.schema import mistakes

SCHEMAS = files("smindex_plugins") / "schemas"
OUTPUTS: dict[str, Any] = {
    "findings": Findings,
    "overview": Overview,
    "diff": DiffOutput,
    "explanation": Explanations,
    "pages": PagesOutput,
    "build": BuildOutput,
    "join": JoinOutput,
    "console": ConsoleOutput,
}
SITES: dict[str, dict[str, str | bytes]] = {
    "wrong": {name: content for name, content in SEVENTEEN.items() if "many" not in name},
    "right": {"sitemap.xml": urlset(SITE), "index.html": PAGE},
    "odd": {
        "sitemap.xml": urlset(
            SITE + "größe", "<loc> https://e.org/a b </loc><priority>9</priority>", "<x/>", "日本"
        ),
        "a: 100%#?.html": PAGE,
        "robots.txt": b"Sitemap: \xff\xfe\n",
        "deep/robots.txt": "",
        "\udcff/index.html": PAGE,
    },
    "unreadable": {"sitemap_index.xml": index(SITE + "s.xml"), "s.xml": "<urlset><url>\n<loc>"},
}


@pytest.fixture(autouse=True)
def docstrings_are_descriptions() -> Iterator[None]:
    """Let pydantic describe each field by the docstring under it."""
    ours = [
        value
        for name, module in list(sys.modules.items())
        if name.startswith("smindex_plugins.")
        for value in vars(module).values()
        if isinstance(value, type) and is_dataclass(value)
    ]
    config = {"use_attribute_docstrings": True, "json_schema_serialization_defaults_required": True}
    with pytest.MonkeyPatch.context() as patch:
        for each in ours:
            patch.setattr(each, "__pydantic_config__", config, raising=False)
        yield


def _unwrapped(schema: object) -> object:
    """Join the lines of descriptions, which docstrings wrap."""
    if isinstance(schema, dict):
        return {key: _unwrapped(value) for key, value in schema.items()}
    if isinstance(schema, list):
        return [_unwrapped(value) for value in schema]
    return re.sub(r"(?<!\n)\n(?!\n)", " ", schema) if isinstance(schema, str) else schema


@pytest.mark.parametrize("name", OUTPUTS)
def test_a_schema_is_that_of_the_type(name: str) -> None:
    """UPDATE_MANUAL=1 writes it anew."""
    schema = TypeAdapter(OUTPUTS[name]).json_schema(mode="serialization")
    schema = {"$schema": "https://json-schema.org/draft/2020-12/schema", **schema}
    text = json.dumps(_unwrapped(schema), indent=2, ensure_ascii=False) + "\n"
    path = Path(str(SCHEMAS / f"{name}.json"))
    if os.environ.get("UPDATE_MANUAL"):
        path.write_text(text, encoding="utf-8")
    assert path.read_text(encoding="utf-8") == text


def valid(name: str, out: io.StringIO) -> Any:  # noqa: ANN401 - what JSON holds
    """Return what was printed, which must be valid and have all fields."""
    printed = json.loads(out.getvalue())
    schema = json.loads((SCHEMAS / f"{name}.json").read_text(encoding="utf-8"))
    assert mistakes(printed, schema) == []
    assert set(printed) == set(schema["properties"])
    assert out.getvalue().isascii()
    out.getvalue().encode()
    json.dumps(printed, ensure_ascii=False).encode()  # no half of a character
    return printed


@pytest.mark.parametrize("name", SITES)
def test_findings_and_an_overview_of_a_directory_are_valid(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    built = Directory(path=str(write(tmp_path / "a site", SITES[name])), site_url=SITE)
    site = DirectoryCheck(directory=built)
    for directory in (tmp_path, tmp_path / "a site", "/"):
        monkeypatch.chdir(directory)
        findings, overview, audit = io.StringIO(), io.StringIO(), Audit()
        write_json(site.findings(audit), audit.totals, findings)
        write_report(look(site), "json", overview)
        checked, seen = valid("findings", findings), valid("overview", overview)
        assert checked["summary"]["checks"] == seen["summary"]["checks"]
        assert len(checked["findings"]) == sum(checked["summary"]["checks"].values())


def test_changes_are_valid() -> None:
    out, difference = io.StringIO(), Difference(old="a", new="b", live={f"{SITE}s.xml": "0" * 64})
    difference.changed.append(Change(f"{SITE}b", None, "2024-01-01", ("de",)))
    write_difference(difference, "json", out)
    printed = valid("diff", out)
    assert printed["changed"] == [
        {"url": f"{SITE}b", "before": None, "after": "2024-01-01", "variants": ["de"]}
    ]


def test_an_outcome_and_the_state_of_a_console_are_valid() -> None:
    out = io.StringIO()
    write_outcome(TableOutcome(rows=3, pages=2, faults={"invalid-url": 1}), 1.5, out)  # type: ignore[arg-type] # counts
    assert valid("pages", out)["rows"] == 3
    out = io.StringIO()
    statuses = [
        SitemapStatus(url=f"{SITE}i.xml", errors=2),
        SitemapStatus(url=f"{SITE}s.xml", known=False),
    ]
    write_console("sc-domain:e.org", statuses, "json", out)
    assert valid("console", out)["summary"] == {
        "errors": 2,
        "warnings": 0,
        "pending": 0,
        "unknown": 1,
    }


@pytest.mark.parametrize("name", SITES)
def test_what_a_build_and_a_join_write_is_valid(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    files = {path: text for path, text in SITES[name].items() if not path.endswith(".xml")}
    noindex = PAGE.replace("<title>", '<meta name="robots" content="noindex"><title>')
    site = {"b.html": PAGE, "c.html": noindex, **files}
    write(tmp_path / "builds/one", site)
    monkeypatch.chdir(tmp_path)

    built = run("build", "build", "builds/one", "--site-url", f"{SITE}one/")
    assert built["index_urls"] == [f"{SITE}one/sitemap_index.xml"]
    assert built["pages"] == sum(built["undated"].values())
    assert built["files"]["written"] == built["sitemaps"] + 1
    omitted = {page["file"]: page["reason"] for page in built["omitted"]}
    assert omitted["c.html"].startswith("marked noindex")

    rehearsed = run("join", "join", "builds", "--site-url", SITE, "--dry-run")
    assert not Path("builds/sitemap_index.xml").exists()
    joined = run("join", "join", "builds", "--site-url", SITE)
    assert joined == rehearsed
    assert joined["builds"] == joined["files"]["written"] == 1
    assert joined["sitemaps"] == len(joined["added"]) == built["sitemaps"]


def run(name: str, *arguments: str) -> Any:  # noqa: ANN401 - what JSON holds
    """Run a command that prints JSON, which must be valid."""
    out = io.StringIO()
    with redirect_stdout(out):
        assert main([*arguments, "--format", "json"]) == 0
    return valid(name, out)
