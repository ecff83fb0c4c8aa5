"""All that can be wrong: one small function for each rule, and one catalogue of all kinds of findings.

A new check is one more function under `@check`, in the module of its subject. A planted fault in the tests tries it.
"""

from smindex_plugins.checks.indexes import Child
from smindex_plugins.checks.linked import Linked
from smindex_plugins.checks.listed import Listed, has_nothing_wrong
from smindex_plugins.checks.published import Blockable, Moved, Proven, Surroundings
from smindex_plugins.checks.registry import CATALOGUE, CHECKED, WAIVED_BY_SUBMISSION, Selection, runs_of
from smindex_plugins.checks.rule import RUNS, Run
from smindex_plugins.checks.survey import Survey

__all__ = [
    "CATALOGUE",
    "CHECKED",
    "RUNS",
    "WAIVED_BY_SUBMISSION",
    "Blockable",
    "Child",
    "Linked",
    "Listed",
    "Moved",
    "Proven",
    "Run",
    "Selection",
    "Surroundings",
    "Survey",
    "has_nothing_wrong",
    "runs_of",
]
