"""What is said where a part of a site's sitemaps cannot be read, so that nobody knows all that the site lists."""

from smindex_plugins.text import ExplainedError


class PartlyReadError(ExplainedError):
    """A sitemap of a site cannot be read to its end."""

    def __init__(self, where: str, why: str) -> None:
        super().__init__(f"{where}: {why.rstrip('.')}")
