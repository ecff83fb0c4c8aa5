"""The tools that make the pages of a site from Markdown, as MkDocs, ProperDocs or Zensical are
configured.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True, kw_only=True)
class MarkdownSite:
    """The plugins and Markdown extensions of a site with their options, and the directories of
    their paths.
    """

    docs_dir: str
    config_file: str = ""
    """Empty if there is none."""
    base: str
    """The directory to which paths are relative that the tools do not look for elsewhere: that
    of the build."""
    plugins: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    """The options of the plugins in use, in the order in which they run."""
    extensions: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    extra: Mapping[str, Any] = field(default_factory=dict)
    """The values of the site for templates."""
