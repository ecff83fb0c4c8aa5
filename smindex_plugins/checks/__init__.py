"""All that can be wrong with sitemaps: one small function for each rule.

A new check is one more function under `@check`, in the module of its subject. A planted fault in the tests tries it.
"""

from smindex_plugins.checks.indexes import Child
from smindex_plugins.checks.linked import Linked
from smindex_plugins.checks.listed import Listed, has_nothing_wrong
from smindex_plugins.checks.published import Blockable, Proven, Surroundings
from smindex_plugins.checks.registry import WAIVED_BY_SUBMISSION, Selection
from smindex_plugins.checks.survey import Survey

__all__ = [
    "WAIVED_BY_SUBMISSION",
    "Blockable",
    "Child",
    "Linked",
    "Listed",
    "Proven",
    "Selection",
    "Surroundings",
    "Survey",
    "has_nothing_wrong",
]
