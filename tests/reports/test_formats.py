import io
import json
import os
from pathlib import Path

import pytest

from smindex_plugins.checks import registry as checks
from smindex_plugins.cli.main import main
from smindex_plugins.cli.progress import Progress
from smindex_plugins.model import Finding, Level
from smindex_plugins.reports import formats
from smindex_plugins.reports.results import Results
from smindex_plugins.sites.audit import Totals
from tests.support.command import SITE
from tests.support.planted import index, urlset, write

TOTALS = Totals(indexes=1, sitemaps=2, urls=3)


def finding(check: str = "invalid-url", level: Level = "error", **more: object) -> Finding:
    return Finding(check=check, level=level, where="a.xml", problem="It is wrong.", fix="Mend it.", **more)  # type: ignore[arg-type]


@pytest.fixture
def site(tmp_path: Path) -> Path:
    entries = [f"/{number}" for number in range(12)]
    hint = f"<loc>{SITE}a</loc><priority>1.0</priority>"
    files = {"sitemap_index.xml": index(SITE + "s.xml"), "s.xml": urlset(*entries, "ftp://\x7f%0A::error::", hint)}
    return write(tmp_path, files)


def run(site: Path, capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str]:
    code = main(["check", str(site), "--site-url", SITE, *arguments])
    printed = capsys.readouterr()
    assert not printed.err
    return code, printed.out


def test_text_is_grouped_by_check_the_worst_first_with_ten_examples(
    site: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code, text = run(site, capsys)
    assert code == 1
    headings = [line for line in text.splitlines() if line and not line.startswith(" ")]
    assert headings == [
        f"error: invalid-url (13 findings; Search Console: {checks.CATALOGUE['invalid-url'].console})",
        "notice: ignored-hints (1 finding)",
        "13 errors, 1 notice in 1 index, 1 sitemap, 14 URLs",
    ]
    assert "  … and 3 more; -v shows them\n" in text
    _, everything = run(site, capsys, "-v")
    assert everything.count("[invalid-url]") == 13


def test_nothing_that_a_file_holds_commands_the_terminal() -> None:
    hostile = Finding(check="x", level="error", where="\033[2J", problem="\r\n\u202e", fix=".")
    results, out = Results([finding(line=3), hostile]), io.StringIO()
    formats.write_text(results, TOTALS, out, show_all=False, colour=False)
    assert "\033" not in out.getvalue()
    assert "\u202e" not in out.getvalue()


def test_colour_is_for_terminals_whose_user_did_not_refuse_it(
    site: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert "\033[" not in run(site, capsys)[1]
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    assert "\033[1;31merror: invalid-url\033[0m" in run(site, capsys)[1]
    monkeypatch.setenv("NO_COLOR", "1")
    assert "\033[" not in run(site, capsys)[1]


def test_json_is_one_object_with_every_finding(site: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, text = run(site, capsys, "--format", "json")
    assert code == 1
    result = json.loads(text)
    assert set(result) == {"version", "findings", "summary"}
    assert result["version"] == 1
    assert len(result["findings"]) == 14
    assert result["findings"][0] == {
        "check": "invalid-url",
        "level": "error",
        "where": "s.xml, line 3",
        "problem": "'/0' is not an absolute http or https URL.",
        "fix": "List absolute URLs, with scheme and host.",
    }
    assert result["summary"] == {
        "errors": 13,
        "warnings": 0,
        "notices": 1,
        "indexes": 1,
        "sitemaps": 1,
        "urls": 14,
        "pages": 0,
        "checks": {"invalid-url": 13, "ignored-hints": 1},
    }


def test_github_gets_annotations_with_file_and_line(
    site: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(site.parent)
    code, text = run(site, capsys, "--format", "github")
    assert code == 1
    first, *_, summary = text.splitlines()
    assert first.startswith(f"::error file={site.name}/s.xml,line=3,title=invalid-url::s.xml, line 3: '/0' is not")
    assert summary == "13 errors, 1 notice in 1 index, 1 sitemap, 14 URLs"
    assert [line for line in text.splitlines()[:-1] if not line.startswith(("::error file=", "::notice file="))] == []


def test_an_annotation_cannot_be_forged() -> None:
    forged = Finding(check="x", level="error", where="a", problem="b\n::error::c", fix="d", file="e,f:g\n")
    results, out = Results([forged]), io.StringIO()
    formats.write_github(results, TOTALS, out, show_all=False)
    assert len(out.getvalue().splitlines()) == 2
    assert "e%2Cf%3Ag%0A" in out.getvalue()


def test_sarif_names_every_rule_that_a_result_refers_to(site: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, text = run(site, capsys, "--format", "sarif")
    assert code == 1
    log = json.loads(text)
    (sarif_run,) = log["runs"]
    assert log["version"] == "2.1.0"
    rules = {rule["id"]: rule for rule in sarif_run["tool"]["driver"]["rules"]}
    assert {result["ruleId"] for result in sarif_run["results"]} == set(rules)
    location = sarif_run["results"][0]["locations"][0]["physicalLocation"]
    assert location["region"] == {"startLine": 3}
    assert location["artifactLocation"]["uri"] == os.path.relpath(site / "s.xml")
    assert rules["ignored-hints"]["defaultConfiguration"] == {"level": "note"}


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        ([], 1),
        (["--ignore", "invalid-url"], 0),
        (["--ignore", "invalid-url", "--fail-on", "notice"], 1),
        (["--ignore", "invalid-url", "--fail-on", "warning"], 0),
        (["--only", "ignored-hints"], 0),
        (["--only", "ignored-hints", "--only", "index-of-one", "--fail-on", "notice"], 1),
        (["--advice", "--ignore", "invalid-url"], 0),
    ],
)
def test_the_exit_code_follows_what_is_asked_and_quiet_never_changes_it(
    site: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], code: int
) -> None:
    assert run(site, capsys, *arguments)[0] == code
    assert run(site, capsys, *arguments, "--quiet") == (code, "")


def test_a_check_that_does_not_exist_is_exit_code_2(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stopped:
        main(["check", ".", "--ignore", "invalid_url"])
    assert stopped.value.code == 2
    assert "`smindex checks` lists them" in capsys.readouterr().err


def test_advice_is_given_on_demand(site: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert "[index-of-one]" not in run(site, capsys)[1]
    assert "[index-of-one]" in run(site, capsys, "--advice")[1]
    assert "[index-not-for-baidu]" in run(site, capsys, "--only", "index-not-for-baidu")[1]


def test_every_check_is_listed_with_its_meaning(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["checks"]) == 0
    printed = capsys.readouterr().out
    for kind in checks.CATALOGUE.values():
        assert f"{kind.name} [{kind.level}" in printed
        assert kind.meaning in printed


def test_findings_beyond_those_that_are_shown_are_counted_and_not_kept() -> None:
    found = [*(finding(line=line) for line in range(1, 2_501)), finding("b", "notice")]
    assert [each.line for each in Results(found).of("invalid-url")] == list(range(1, 2_501))
    assert [each.line for each in Results(found).of("invalid-url", 3)] == [1, 2, 3]
    few = Results(found, most=10)
    assert [each.line for each in few.of("invalid-url")] == list(range(1, 11))
    assert few.counts == {"invalid-url": 2_500, "b": 1}
    assert len(list(few)) == 11


def test_progress_is_one_line_on_a_terminal(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    moments = iter(range(100))
    monkeypatch.setattr("smindex_plugins.cli.progress.time.monotonic", lambda: float(next(moments)))
    monkeypatch.setattr("smindex_plugins.cli.progress.shutil.get_terminal_size", lambda: os.terminal_size((20, 5)))
    with Progress(is_shown=True) as progress:
        progress("not a terminal")
    assert not capsys.readouterr().err
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    with Progress(is_shown=True) as progress:
        progress("a" * 50 + "\033")
    assert capsys.readouterr().err == f"\r\033[K{'a' * 19}\r\033[K"
