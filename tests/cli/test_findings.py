"""Findings are counted, grouped and streamed, and nothing in them is a command to a terminal or a
CI service.
"""

import io
import json
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from smindex_plugins.base.catalogue import CATALOGUE, UNMATCHED_PATTERN
from smindex_plugins.base.limits import MAX_LINE
from smindex_plugins.base.model import Finding, Level, Spot
from smindex_plugins.checks.tally import Tally
from smindex_plugins.cli.findings import write_findings, write_github, write_json, write_text
from smindex_plugins.printing.terminal import console
from smindex_plugins.reading.walking import Totals
from smindex_plugins.report import EXAMPLES
from tests.overview.reports import HOSTILE, Terminal, commands, strings

TOTALS = Totals(indexes=1, sitemaps=2, urls=3, undated=1, unseen=["the pages"])
FOUND = [
    *(
        CATALOGUE["invalid-url"].at(Spot("s.xml", "s.xml", line=line), f"'/{line}' is not a URL.")
        for line in range(13)
    ),
    CATALOGUE["ignored-hints"].at("s.xml", "it has 3 hints."),
]


def finding(
    check: str = "invalid-url",
    level: Level = "error",
    **more: Any,  # noqa: ANN401 - any field of a finding
) -> Finding:
    fields = {"fix": "Mend it.", **more}
    return Finding(check=check, level=level, where="a.xml", problem="It is wrong.", **fields)


def printed(
    form: Callable[..., Tally], *findings: Finding, totals: Totals = TOTALS, **options: bool
) -> str:
    out = io.StringIO()
    place = console(out) if form is write_text else out
    form(iter(findings), totals, place, **options)
    return out.getvalue()


def test_text_is_grouped_by_check_and_fix_the_worst_first_with_three_examples() -> None:
    text = printed(write_text, *reversed(FOUND))
    headings = [line for line in text.splitlines() if line and not line.startswith(" ")]
    assert headings == [
        (
            "error: invalid URL (invalid-url), 13 findings; Search Console:"
            f" {CATALOGUE['invalid-url'].console}"
        ),
        "notice: ignored changefreq or priority (ignored-hints)",
        "For an explanation with an example: smindex explain invalid-url",
        "13 errors, 1 notice in 1 index, 2 sitemaps, 3 URLs (1 without a date)",
        "not checked: the pages",
    ]
    fix = CATALOGUE["invalid-url"].fix
    assert text.count("is not a URL.\n") == 3
    assert f"  … and 10 more; -v shows them\n  fix: {fix}\n\n" in text
    assert text.count("invalid-url") == 2
    others = (replace(each, fix=f"Write {number // 4}.") for number, each in enumerate(FOUND[:-1]))
    several = printed(
        write_text, *others, *(finding(fix=f"Write {number}.") for number in range(3, 14))
    )
    assert [line for line in several.splitlines() if "more" in line or "fix:" in line] == [
        "  … and 1 more; -v shows them",
        "  fix: Write 0.",
        "  … and 1 more; -v shows them",
        "  fix: Write 1.",
        "  … and 1 more; -v shows them",
        "  fix: Write 2.",
        *(f"  fix: Write {number}." for number in range(3, 10)),
        "  … and 4 more with other fixes; -v shows them",
    ]
    everything = printed(write_text, *FOUND, show_all=True)
    assert everything.count("[invalid-url]") == 13
    assert [line for line in everything.splitlines() if line and "[" not in line] == headings


def test_text_of_all_findings_is_printed_as_they_come_and_few_are_kept() -> None:
    out, counts = io.StringIO(), []

    def found() -> Iterator[Finding]:
        for line in range(1, 2_501):
            yield finding(line=line)
            counts.append(out.getvalue().count("is wrong"))

    tally = write_findings(found(), console(out), show_all=True)
    assert counts == list(range(1, 2_501))
    assert [each.line for each in tally.first["invalid-url"]] == list(range(1, EXAMPLES + 1))
    assert tally.counts == {"invalid-url": 2_500}


def test_checks_are_counted_worst_first_then_by_number() -> None:
    tally = Tally([finding("ignored-hints", "notice"), finding("too-large"), finding(), finding()])
    assert list(tally.checks) == ["invalid-url", "too-large", "ignored-hints"]
    assert [tally.reaches(level) for level in ("error", "warning", "notice")] == [True, True, True]
    assert [Tally(FOUND[-1:]).reaches(level) for level in ("error", "warning", "notice")] == [
        False,
        False,
        True,
    ]


def test_json_has_every_finding_and_the_summary(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    elsewhere = finding(file="/elsewhere/s.xml", source=str(tmp_path / "docs/a.md"))
    result = json.loads(printed(write_json, *FOUND, elsewhere))
    assert len(result["findings"]) == 15
    assert result["findings"][1] == {
        "check": "invalid-url",
        "level": "error",
        "where": "s.xml, line 1",
        "problem": "'/1' is not a URL.",
        "fix": "Use absolute URLs, with a scheme and a host.",
        "file": "s.xml",
        "line": 1,
        "url": None,
        "source": None,
    }
    assert (result["findings"][-1]["file"], result["findings"][-1]["source"]) == (
        "/elsewhere/s.xml",
        "docs/a.md",
    )
    assert result["summary"] == {
        "errors": 14,
        "warnings": 0,
        "notices": 1,
        "indexes": 1,
        "sitemaps": 2,
        "urls": 3,
        "undated": 1,
        "pages": 0,
        "required": None,
        "links": None,
        "dates_compared": None,
        "not_checked": ["the pages"],
        "checks": {"invalid-url": 14, "ignored-hints": 1},
    }
    assert json.loads(printed(write_json))["findings"] == []


def test_a_run_that_fails_prints_no_half_of_an_object() -> None:
    def found() -> Iterator[Finding]:
        yield finding()
        raise ConnectionError

    out = io.StringIO()
    with pytest.raises(ConnectionError):
        write_json(found(), TOTALS, out)
    assert not out.getvalue()


def test_github_gets_annotations_with_the_source_and_its_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("GITHUB_WORKSPACE", raising=False)
    here = str(tmp_path / "docs/a.md")
    found = [
        *(
            finding(file=here, source=here, line=3),
            finding(source=here, line=3),
            finding(source="/elsewhere/a"),
        ),
        replace(finding(source="e,f:g\n::error::h"), fix="Mend that."),
    ]
    assert printed(write_github, *found).splitlines() == [
        (
            "::error file=docs/a.md,line=3,title=invalid-url::a.xml, line 3: It is wrong. Mend it."
            " [invalid-url]"
        ),
        (
            "::error file=docs/a.md,title=invalid-url::a.xml, line 3: It is wrong. Mend it."
            " [invalid-url]"
        ),
        "::error title=invalid-url::a.xml: It is wrong. Mend it. [invalid-url]",
        (
            "::error file=e%2Cf%3Ag%0A%3A%3Aerror%3A%3Ah,title=invalid-url::a.xml: It is wrong."
            " Mend that. [invalid-url]"
        ),
        "4 errors in 1 index, 2 sitemaps, 3 URLs (1 without a date)",
        "not checked: the pages",
    ]
    monkeypatch.setenv("GITHUB_WORKSPACE", str(tmp_path.parent))
    (line,) = printed(write_github, found[0], with_summary=False).splitlines()
    assert line.startswith(f"::error file={tmp_path.name}/docs/a.md,line=3")


@pytest.mark.parametrize("hostile", HOSTILE)
@pytest.mark.parametrize("form", [write_text, write_github, write_json])
def test_a_finding_is_no_command_in_any_form(form: Callable[..., Tally], hostile: str) -> None:
    spot = Spot(hostile, file=hostile, source=hostile)
    found = [UNMATCHED_PATTERN.at(place, hostile, hostile) for place in (spot, hostile)]
    for options in ({}, {"show_all": True}) if form is not write_json else ({},):
        text = printed(form, *found, totals=Totals(unseen=[hostile]), **options)
        annotations = [line for line in text.splitlines() if line.startswith("::warning ")]
        assert len(annotations) == (2 if form is write_github else 0)
        lines = [
            line.split("::", 2)[2] if line in annotations else line for line in text.splitlines()
        ]
        assert not commands("\n".join(lines))
        if form is write_json:
            assert not [each for each in strings(json.loads(text)) if commands(each)]
        else:
            assert max(map(len, lines)) < 2 * MAX_LINE


@pytest.mark.parametrize(
    ("out", "environment", "has_colours"),
    [
        (Terminal, {"TERM": "xterm-256color"}, True),
        (Terminal, {"TERM": "xterm-256color", "NO_COLOR": "1"}, False),
        (Terminal, {"TERM": "dumb"}, False),
        (io.StringIO, {"TERM": "xterm-256color"}, False),
        (io.StringIO, {"TERM": "xterm-256color", "FORCE_COLOR": "1"}, True),
        (io.StringIO, {"TERM": "dumb", "FORCE_COLOR": "1"}, False),
        (io.StringIO, {"TERM": "xterm-256color", "FORCE_COLOR": "1", "NO_COLOR": "1"}, False),
    ],
)
def test_colours_are_for_terminals_and_for_those_who_force_them(
    monkeypatch: pytest.MonkeyPatch,
    out: type[io.StringIO],
    environment: dict[str, str],
    *,
    has_colours: bool,
) -> None:
    for name in ("NO_COLOR", "FORCE_COLOR"):
        monkeypatch.delenv(name, raising=False)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    printed = out()
    write_text(FOUND, TOTALS, console(printed))
    text = printed.getvalue()
    assert ("\033[1;31merror: invalid URL\033[0m" in text) == has_colours
    assert ("\033[1;31m" in text) == has_colours
    for form in (write_json, write_github):
        printed = out()
        form(FOUND, TOTALS, printed)
        assert "\033" not in printed.getvalue()
