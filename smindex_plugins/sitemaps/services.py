"""Where sitemaps cannot do their work as they are written, how that is recognised, and what to do instead."""

import os
from collections.abc import Iterator, Mapping, Sequence
from importlib.metadata import PackageNotFoundError, version

from smindex_plugins import catalogue, urls
from smindex_plugins.model import Finding
from smindex_plugins.settings import Target
from smindex_plugins.sitemaps import robots
from smindex_plugins.sitemaps.robots import Robots


def service_findings(
    target: Target, index_urls: Sequence[str], environment: Mapping[str, str] | None = None
) -> Iterator[Finding]:
    """Find what the service that builds this site, and will serve it, does otherwise than other servers.

    The preview of a pull request is for no search engine, so it has no findings.
    """
    environment = os.environ if environment is None else environment
    if environment.get("READTHEDOCS") and environment.get("READTHEDOCS_VERSION_TYPE") != "external":
        yield from _read_the_docs(target, index_urls, environment.get("READTHEDOCS_CANONICAL_URL", ""))


def _read_the_docs(target: Target, index_urls: Sequence[str], served_at: str) -> Iterator[Finding]:
    if served_at and not _is_same(served_at, target.site_url):
        yield catalogue.READ_THE_DOCS_ADDRESS.at(
            target.settings.index_filename,
            f"its URLs begin with {target.site_url}, but Read the Docs serves this version at {served_at}.",
            "Take the address from the environment variable READTHEDOCS_CANONICAL_URL; "
            f"in mkdocs.yml: `site_url: !ENV [READTHEDOCS_CANONICAL_URL, '{target.site_url}']`.",
        )
    file = os.path.join(target.directory, robots.NAME)
    known = robots.read(file) if os.path.isfile(file) else Robots()
    if missing := known.lacks(index_urls):
        # https://docs.readthedocs.com/platform/stable/reference/sitemaps.html and robots.html
        yield catalogue.READ_THE_DOCS_SITEMAP.at(
            target.settings.index_filename,
            "Read the Docs answers /sitemap.xml with a file of its own, which lists versions and not pages, "
            "and /robots.txt with that of the default version.",
            "Name the index in the robots.txt at the top of the documentation: "
            + ", ".join(f"`Sitemap: {url}`" for url in missing)
            + ".",
        )


def _is_same(given: str, site_url: str) -> bool:
    try:
        return urls.site_url(given) == site_url
    except ValueError:
        return False


def zensical_beside(directory: str) -> Finding | None:
    """Return what to tell those who build with MkDocs and have Zensical's configuration in the same directory."""
    if not os.path.isfile(os.path.join(directory, "zensical.toml")):
        return None
    return catalogue.ZENSICAL_BESIDE.at(
        "zensical.toml",
        "Zensical runs no plugins, and removes from the site what it did not write: this build has an index, "
        "and one by Zensical has none.",
    )


def no_mkdocs(error: ImportError) -> str:
    """Return why what a plugin of MkDocs needs cannot be imported."""
    try:
        found = version("mkdocs")
    except PackageNotFoundError:
        return (
            "smindex-plugins: neither MkDocs nor ProperDocs is running this plugin. Install MkDocs with "
            "`pip install 'smindex-plugins[mkdocs]'`, or run ProperDocs by its command `properdocs`."
        )
    if found.startswith(("0.", "1.")):
        return f"smindex-plugins: MkDocs {found} is installed, but cannot be imported: {error}."
    return (
        f"smindex-plugins: MkDocs {found} has no plugins; MkDocs 1.6 has. Install it with "
        "`pip install 'mkdocs>=1.6,<2'`, or build with ProperDocs, which goes on with it; "
        "or run `smindex build` after any other build."
    )
