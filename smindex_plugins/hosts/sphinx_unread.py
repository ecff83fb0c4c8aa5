"""Finds settings of Sphinx without effect, and other extensions that write sitemaps."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from smindex_plugins.base.model import Finding
from smindex_plugins.hosts._unread import left_over, misnamed, other_tool

if TYPE_CHECKING:
    from sphinx.application import Sphinx

_OTHERS = ("simple_sphinx_xml_sitemap", "sphinx_gp_sitemap", "sphinx_sitemap")
_REPLACED = {
    "sitemap_excludes": "exclude",
    "sitemap_filename": "index_filename",
    "sitemap_indent": "",
    "sitemap_locales": "Languages are read from the alternate links in the pages.",
    "sitemap_show_lastmod": "Dates come from git, unless `lastmod` is 'off'.",
    "sitemap_url_scheme": (
        "The URLs begin with html_baseurl, so it must include the language and the version, if any."
    ),
}
"""The settings of sphinx-sitemap with our options, or with what users must know instead."""


def unread_settings(app: "Sphinx", name: str) -> Iterator[Finding]:
    """Yield what no extension reads, and the extensions that write another sitemap."""
    config, options = app.config, app.config[name]
    # Sphinx keeps the names in conf.py only there
    written: dict[str, object] = getattr(config, "_raw_config", {})
    unread = {key: value for key, value in written.items() if key not in config}
    yield from misnamed(name, unread, options)
    for extension in _OTHERS:
        if extension in app.extensions:
            yield other_tool(
                extension,
                "extensions",
                f"Remove '{extension}', and delete its sitemap from the output.",
            )
    left = [key for key in unread if key in _REPLACED]
    yield from left_over("sphinx-sitemap", "conf.py", left, _REPLACED, name=name, options=options)
