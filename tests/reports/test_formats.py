import io
import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from smindex_plugins import home
from smindex_plugins.catalogue import CATALOGUE
from smindex_plugins.cli.main import main
from smindex_plugins.model import Finding, Level
from smindex_plugins.reports import EXAMPLES, Tally, write_github, write_json, write_text
from smindex_plugins.sites import Totals
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
        f"error: invalid-url (13 findings; Search Console: {CATALOGUE['invalid-url'].console})",
        "notice: ignored-hints (1 finding)",
        "13 errors, 1 notice in 1 index, 1 sitemap, 14 URLs",
        "not looked at: the pages (there is no HTML in this directory)",
    ]
    assert "  … and 3 more; -v shows them\n" in text
    _, everything = run(site, capsys, "-v")
    assert everything.count("[invalid-url]") == 13
    assert [line for line in everything.splitlines() if line and "[" not in line] == headings


def test_nothing_that_a_file_holds_commands_the_terminal() -> None:
    hostile = Finding(check="too-large", level="error", where="\033[2J", problem="\r\n\u202e", fix=".")
    for show_all in (False, True):
        out = io.StringIO()
        write_text([finding(line=3), hostile], TOTALS, out, show_all=show_all)
        assert "too-large" in out.getvalue()
        assert "\033" not in out.getvalue()
        assert "\u202e" not in out.getvalue()


def test_colours_and_links_are_for_terminals_whose_user_did_not_refuse_them(
    site: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert "\033" not in run(site, capsys)[1]
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.delenv("NO_COLOR", raising=False)
    text = run(site, capsys)[1]
    assert "\033[1;31merror: \033[0m" in text
    link = rf"\033\]8;id=\d+;{CATALOGUE['invalid-url'].fix_url}\033\\\033\[1;31minvalid-url\033\[0m\033\]8;;\033\\"
    assert re.search(link, text)
    monkeypatch.setenv("NO_COLOR", "1")
    assert "\033" not in run(site, capsys)[1]


def test_json_is_one_object_with_every_finding(site: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, text = run(site, capsys, "--format", "json")
    assert code == 1
    result = json.loads(text)
    assert set(result) == {"version", "findings", "summary"}
    assert result["version"] == 1
    assert len(result["findings"]) == 14
    assert next(each for each in result["findings"] if each["check"] == "invalid-url") == {
        "check": "invalid-url",
        "level": "error",
        "where": "s.xml, line 3",
        "problem": "'/0' is not an absolute http or https URL.",
        "fix": "List absolute URLs, with a scheme and a host.",
        "file": str(site / "s.xml"),
        "line": 3,
        "url": None,
        "source": str(site / "s.xml"),
        "fix_url": f"{home.MANUAL}checks/invalid-url/",
    }
    assert result["summary"] == {
        "errors": 13,
        "warnings": 0,
        "notices": 1,
        "indexes": 1,
        "sitemaps": 1,
        "urls": 14,
        "pages": 0,
        "links": None,
        "dates_compared": None,
        "not_looked_at": ["the pages (there is no HTML in this directory)"],
        "checks": {"invalid-url": 13, "ignored-hints": 1},
    }


def test_github_gets_annotations_with_file_and_line(
    site: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(site.parent)
    code, text = run(site, capsys, "--format", "github")
    assert code == 1
    first, *_, summary, unseen = text.splitlines()
    assert first.startswith(f"::error file={site.name}/s.xml,line=3,title=invalid-url::s.xml, line 3: '/0' is not")
    assert summary == "13 errors, 1 notice in 1 index, 1 sitemap, 14 URLs"
    assert unseen.startswith("not looked at: the pages")
    assert [line for line in text.splitlines()[:-2] if not line.startswith(("::error file=", "::notice file="))] == []


def test_an_annotation_cannot_be_forged() -> None:
    out = io.StringIO()
    forged = Finding(check="x", level="error", where="a", problem="b\n::error::c", fix="d", source="e,f:g\n")
    write_github([forged], TOTALS, out)
    assert len(out.getvalue().splitlines()) == 2
    assert "e%2Cf%3Ag%0A" in out.getvalue()


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        ([], 1),
        (["--ignore", "invalid-url"], 0),
        (["--ignore", "invalid-url", "--fail-on", "notice"], 1),
        (["--ignore", "invalid-url", "--fail-on", "warning"], 0),
        (["--only", "ignored-hints"], 0),
    ],
)
def test_the_exit_code_follows_what_is_asked_and_quiet_never_changes_it(
    site: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], code: int
) -> None:
    assert run(site, capsys, *arguments)[0] == code
    assert run(site, capsys, *arguments, "--quiet") == (code, "")


def test_quiet_leaves_a_form_for_programs_and_nothing_else(site: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert json.loads(run(site, capsys, "--quiet", "--format", "json")[1])["findings"]
    lines = run(site, capsys, "--quiet", "--format", "github")[1].splitlines()
    assert lines == [line for line in lines if line.startswith("::")] != []


def test_a_check_that_does_not_exist_is_exit_code_2(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", ".", "--ignore", "invalid_url"]) == 2
    assert "there is no check 'invalid_url'; did you mean 'invalid-url'?" in capsys.readouterr().err


def test_every_check_is_listed_with_its_meaning(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", "--list"]) == 0
    printed = capsys.readouterr().out
    for kind in CATALOGUE.values():
        assert f"{kind.name} [{kind.level}" in printed
        assert f"    {kind.rule}" in printed
        assert f"    {kind.fix}\n" in printed


def test_all_findings_are_printed_as_they_come_and_few_are_kept() -> None:
    out = io.StringIO()
    printed = []

    def found() -> Iterator[Finding]:
        for line in range(1, 2_501):
            yield finding(line=line)
            printed.append(out.getvalue().count("is wrong"))

    tally = write_json(found(), TOTALS, out)
    assert printed == list(range(1, 2_501))
    assert len(json.loads(out.getvalue())["findings"]) == 2_500
    assert [each.line for each in tally.first["invalid-url"]] == list(range(1, EXAMPLES + 1))
    assert tally.counts == {"invalid-url": 2_500}


def test_what_finds_nothing_is_a_list_of_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, text = run(write(tmp_path, {"sitemap.xml": urlset(SITE + "a")}), capsys, "--format", "json")
    assert code == 0
    assert json.loads(text)["findings"] == []


def test_a_run_that_fails_prints_no_half_of_an_object(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", str(tmp_path), "--format", "json"]) == 2
    assert not capsys.readouterr().out


def test_checks_are_counted_worst_first_then_by_number() -> None:
    tally = Tally([finding("ignored-hints", "notice"), finding("too-large"), finding(), finding()])
    assert tally.checks() == ["invalid-url", "too-large", "ignored-hints"]
