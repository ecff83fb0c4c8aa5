"""Output for people and programs: findings, the overview of a site, explanations of pages, and differences."""

from smindex_plugins.reports.checks import explanation, write_checks
from smindex_plugins.reports.console import write_console
from smindex_plugins.reports.difference import (
    FORMS,
    Form,
    counted_changes,
    diff_with_project,
    difference_summary,
    page_lines,
    write_difference,
)
from smindex_plugins.reports.explaining import Explainer, Explanation
from smindex_plugins.reports.explanations import write_explanations
from smindex_plugins.reports.findings import (
    LEVELS,
    Tally,
    counted_findings,
    write_findings,
    write_github,
    write_json,
    write_text,
)
from smindex_plugins.reports.outcome import write_outcome
from smindex_plugins.reports.overview import Overview, look
from smindex_plugins.reports.report import REPORT_FORMS, ReportForm, report_form, write_report
from smindex_plugins.reports.terminal import console

__all__ = [
    "FORMS",
    "LEVELS",
    "REPORT_FORMS",
    "Explainer",
    "Explanation",
    "Form",
    "Overview",
    "ReportForm",
    "Tally",
    "console",
    "counted_changes",
    "counted_findings",
    "diff_with_project",
    "difference_summary",
    "explanation",
    "look",
    "page_lines",
    "report_form",
    "write_checks",
    "write_console",
    "write_difference",
    "write_explanations",
    "write_findings",
    "write_github",
    "write_json",
    "write_outcome",
    "write_report",
    "write_text",
]
