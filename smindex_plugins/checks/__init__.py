"""All that can be wrong: one small function a rule, and one catalogue of what a check, a build or a join can report.

A new check is one more function under `@check`, in the module of its subject; a planted fault in the tests tries it.
"""

from smindex_plugins.checks.indexes import Child
from smindex_plugins.checks.published import Blockable, Listed, Proven, Surroundings
from smindex_plugins.checks.readback import check_written
from smindex_plugins.checks.registry import CATALOGUE, CHECKED, WAIVED_BY_SUBMISSION, Selection
from smindex_plugins.checks.rule import Spot
from smindex_plugins.checks.survey import Survey

__all__ = [
    "CATALOGUE",
    "CHECKED",
    "WAIVED_BY_SUBMISSION",
    "Blockable",
    "Child",
    "Listed",
    "Proven",
    "Selection",
    "Spot",
    "Surroundings",
    "Survey",
    "check_written",
]
