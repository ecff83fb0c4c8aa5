"""A small handbook with the reference of a module, built with `sphinx-build docs
docs/_build/html`.
"""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))

project = "Bees in a city"
language = "en"
html_baseurl = "https://example.org/bees/"
html_theme = "alabaster"
exclude_patterns = ["_build", "shared"]

extensions = ["sphinx.ext.autodoc", "sphinx.ext.viewcode", "smindex_plugins.sphinx"]
sitemap_index = {"exclude": ["journal/plans.html"]}
