"""What a report says of a run: its summary, its messages, and that no index was written."""

from pathlib import Path

import pytest

from smindex_plugins.base.catalogue import SHARED_URL
from smindex_plugins.report import EXAMPLES, Report
from tests.support.listed import BASE, INDEX, pages_of, publish

DAY = "2026-05-10"


def test_the_summary_is_one_line_with_the_counts(tmp_path: Path) -> None:
    report = publish(
        tmp_path, pages_of(dict.fromkeys(["a/1", "a/2", "b", "404.html"], DAY)), exclude=["b"]
    )
    assert (
        report.summary(0.25) == f"2 pages in 1 section, 1 sitemap listed in {BASE}{INDEX}; "
        "omitted: 1 error page, 1 excluded by `b`; all pages have dates; 0.25 s"
    )
    report.undated["not committed to git"] += 2
    report.omitted.clear()
    assert "; 2 without a date (" in report.summary(0.25)


def test_if_dates_are_switched_off_the_summary_says_so_and_praises_none(tmp_path: Path) -> None:
    summary = publish(tmp_path, pages_of("ab"), lastmod="off").summary(0)
    assert "; dates switched off (lastmod: off); " in summary
    assert "have dates" not in summary


@pytest.mark.parametrize(
    ("paths", "why"),
    [
        ([], "0 pages: the build produced no page."),
        (
            ["404.html", "a", "b/c"],
            "3 pages: every page was omitted: 1 error page, 2 excluded by `**`.",
        ),
    ],
)
def test_no_index_is_one_warning_with_the_reason(
    tmp_path: Path, paths: list[str], why: str
) -> None:
    report = publish(tmp_path, pages_of(dict.fromkeys(paths, DAY)), exclude=["**"])
    (finding,) = report.findings
    assert (finding.check, finding.level) == ("nothing-listed", "warning")
    assert str(finding).startswith(why)
    assert report.summary(0).startswith("no sitemaps are written, because no page is listed")
    assert "date" not in report.summary(0)
    assert not list(tmp_path.iterdir())


def test_the_first_findings_of_a_kind_are_messages_and_the_others_a_count_and_details() -> None:
    findings = [SHARED_URL.at(f"{number}.md", "it is there.") for number in range(EXAMPLES + 3)]
    report = Report(findings=findings, next_steps="One.\nTwo.")
    *shown, more, one, two = report.messages()
    levels = ["notice"] * EXAMPLES + ["debug"] * 3
    assert shown == [(level, str(each)) for level, each in zip(levels, findings, strict=True)]
    assert (more, one, two) == (
        ("notice", "… and 3 more of [shared-url]. The log at level DEBUG shows them."),
        ("notice", "One."),
        ("notice", "Two."),
    )
    assert report.summary(0, "-v shows them").endswith("; 0.00 s; 6 notices: -v shows them")
