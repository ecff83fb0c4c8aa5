"""What the sitemaps of a directory list."""

from pathlib import Path

from smindex_plugins.sitemaps import output
from tests.support.builds import BASE


def listed(directory: Path, base: str = BASE) -> dict[str, str | None]:
    """Give the pages of all sitemaps, by their paths, with their dates."""
    site = output.read_site(str(directory), base, "sitemap_index.xml")
    sitemaps = [sitemap for sitemap in site.sitemaps if not hasattr(sitemap, "check")]
    return {page.url.removeprefix(base): page.lastmod for sitemap in sitemaps for page in sitemap.pages}
