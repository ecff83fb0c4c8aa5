"""What people and machines read: an overview of a site, what two versions differ in, and findings in several forms.

Findings are printed as they come, and none is kept that need not be.
"""

from smindex_plugins.report import EXAMPLES
from smindex_plugins.reports.console import write_console
from smindex_plugins.reports.difference import (
    FORMS,
    Form,
    counted_changes,
    difference_summary,
    page_lines,
    write_difference,
)
from smindex_plugins.reports.explained import write_explanations
from smindex_plugins.reports.explaining import Explainer
from smindex_plugins.reports.github import write_github
from smindex_plugins.reports.json_form import write_json
from smindex_plugins.reports.outcome_json import write_outcome
from smindex_plugins.reports.report import REPORT_FORMS, ReportForm, look, report_form, write_report
from smindex_plugins.reports.sarif import write_sarif
from smindex_plugins.reports.seen import Seen as Overview
from smindex_plugins.reports.tally import LEVELS, Tally
from smindex_plugins.reports.terminal import console, takes_codes
from smindex_plugins.reports.text import counted_findings, write_findings, write_text

__all__ = [
    "EXAMPLES",
    "FORMS",
    "LEVELS",
    "REPORT_FORMS",
    "Explainer",
    "Form",
    "Overview",
    "ReportForm",
    "Tally",
    "console",
    "counted_changes",
    "counted_findings",
    "difference_summary",
    "look",
    "page_lines",
    "report_form",
    "takes_codes",
    "write_console",
    "write_difference",
    "write_explanations",
    "write_findings",
    "write_github",
    "write_json",
    "write_outcome",
    "write_report",
    "write_sarif",
    "write_text",
]
