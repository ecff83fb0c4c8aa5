"""What people and machines read: an overview of a site, what two versions differ in, and findings in several forms.

Findings are printed as they come, and none is kept that need not be.
"""

from smindex_plugins.report import EXAMPLES
from smindex_plugins.reports.console import console_table, write_console
from smindex_plugins.reports.difference import (
    FORMS,
    Form,
    counted_changes,
    difference_summary,
    page_lines,
    write_difference,
)
from smindex_plugins.reports.explained import write_explanations, write_explanations_json
from smindex_plugins.reports.explaining import Explainer
from smindex_plugins.reports.github import write_github
from smindex_plugins.reports.json_form import write_json
from smindex_plugins.reports.outcome_json import write_outcome
from smindex_plugins.reports.overview import Overview, look
from smindex_plugins.reports.overview_json import write_overview
from smindex_plugins.reports.report import REPORTS, report_form, write_report
from smindex_plugins.reports.sarif import write_sarif
from smindex_plugins.reports.seen import Seen, describe_bulks
from smindex_plugins.reports.tables import overview_tables
from smindex_plugins.reports.tally import LEVELS, Tally
from smindex_plugins.reports.terminal import takes_codes, write_tables
from smindex_plugins.reports.text import counted_findings, write_findings, write_text

__all__ = [
    "EXAMPLES",
    "FORMS",
    "LEVELS",
    "REPORTS",
    "Explainer",
    "Form",
    "Overview",
    "Seen",
    "Tally",
    "console_table",
    "counted_changes",
    "counted_findings",
    "describe_bulks",
    "difference_summary",
    "look",
    "overview_tables",
    "page_lines",
    "report_form",
    "takes_codes",
    "write_console",
    "write_difference",
    "write_explanations",
    "write_explanations_json",
    "write_findings",
    "write_github",
    "write_json",
    "write_outcome",
    "write_overview",
    "write_report",
    "write_sarif",
    "write_tables",
    "write_text",
]
