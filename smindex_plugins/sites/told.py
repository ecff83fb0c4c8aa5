"""What is intentionally in no sitemap, if the caller has the options of the site."""

import os
from dataclasses import dataclass

from smindex_plugins import urls
from smindex_plugins.model import Page
from smindex_plugins.pages import Omission, judge
from smindex_plugins.settings import Settings, Site


@dataclass(frozen=True, slots=True)
class Told:
    """The options that a directory's sitemaps were written with."""

    directory: str
    settings: Settings
    settings_file: str = "Settings"
    problem: str = ""

    def why(self, file: str, site_url: str) -> str:
        """Return why the page in a file is left out on purpose, in words, or an empty string."""
        path = os.path.join(self.directory, file)
        page = Page(url=site_url + urls.page_path(file), file=path, source_name=file, kind="copied")
        site = Site(url=site_url, directory=self.directory, settings=self.settings)
        judged = judge(page, site, frozenset(), [])
        return judged.why if isinstance(judged, Omission) else ""
