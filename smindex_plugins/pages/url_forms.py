"""Listed URLs of which the host prefers another form: with or without a slash or a suffix."""

from collections.abc import Sequence
from typing import Literal, NamedTuple

from smindex_plugins.base import urls
from smindex_plugins.base.catalogue import HOST_REDIRECTS
from smindex_plugins.base.model import Findings, Spot

Way = Literal[
    "adds a slash", "removes the slash", "removes the suffix", "has another form", "is missing"
]
"""How the URL that the host shows differs from the listed one."""

_OPTIONS: dict[str, dict[Way, str]] = {
    "Docusaurus": {
        "adds a slash": "Set `trailingSlash: true` in docusaurus.config.js.",
        "removes the slash": "Set `trailingSlash: false` in docusaurus.config.js.",
        "removes the suffix": "Set `trailingSlash: true` in docusaurus.config.js.",
    },
    "Next.js": {
        "adds a slash": "Set `trailingSlash: true` in next.config.js.",
        "removes the slash": "Set `trailingSlash: false` in next.config.js.",
    },
    "Astro": {
        "adds a slash": (
            "Set `trailingSlash: 'always'` in astro.config.mjs, with `build.format: 'directory'`."
        ),
        "removes the slash": (
            "Set `trailingSlash: 'never'` in astro.config.mjs, with `build.format: 'file'`."
        ),
        "removes the suffix": "Set `build.format: 'directory'` in astro.config.mjs.",
    },
    "Nuxt": {
        "adds a slash": "Set `site.trailingSlash: true` in nuxt.config.ts.",
        "removes the slash": "Set `site.trailingSlash: false` in nuxt.config.ts.",
    },
    "Gatsby": {
        "adds a slash": 'Set `trailingSlash: "always"` in gatsby-config.js.',
        "removes the slash": 'Set `trailingSlash: "never"` in gatsby-config.js.',
    },
    "VitePress": {"removes the suffix": "Set `cleanUrls: true` in the configuration of VitePress."},
    "Hugo": {"removes the suffix": "Set `uglyURLs = false` in the configuration of Hugo."},
    "Jekyll": {
        "adds a slash": "End `permalink` with a slash in _config.yml.",
        "removes the suffix": "Set `permalink: pretty` in _config.yml.",
    },
    "MkDocs": {"removes the suffix": "Set `use_directory_urls: true` in mkdocs.yml."},
    "ProperDocs": {"removes the suffix": "Set `use_directory_urls: true` in properdocs.yml."},
    "Zensical": {
        "removes the suffix": "Set `use_directory_urls: true` in the configuration of Zensical."
    },
    "Sphinx": {"removes the suffix": "Build with the builder `dirhtml` instead of `html`."},
    "Pelican": {
        "adds a slash": "End the settings of URLs, such as `ARTICLE_URL`, with a slash.",
        "removes the suffix": (
            "Set `ARTICLE_URL = '{slug}/'` and `ARTICLE_SAVE_AS = '{slug}/index.html'`, and the "
            "same for other pages."
        ),
    },
    "Eleventy": {
        "adds a slash": "End `permalink` with a slash.",
        "removes the suffix": "End `permalink` with a slash instead of .html.",
    },
}
"""What to change in each generator, so that it links to and lists the URLs that the host shows.

The options: https://docusaurus.io/docs/api/docusaurus-config#trailingSlash,
https://nextjs.org/docs/app/api-reference/config/next-config-js/trailingSlash,
https://docs.astro.build/en/reference/configuration-reference/#trailingslash,
https://nuxtseo.com/docs/site-config,
https://www.gatsbyjs.com/docs/reference/config-files/gatsby-config/#trailingslash,
https://vitepress.dev/reference/site-config#cleanurls, https://gohugo.io/configuration/ugly-urls/,
https://jekyllrb.com/docs/permalinks/,
https://www.mkdocs.org/user-guide/configuration/#use_directory_urls,
https://docs.getpelican.com/en/latest/settings.html#url-settings and
https://www.11ty.dev/docs/permalinks/
"""
_ANY = (
    "Set the generator's option for the ends of URLs, or change the settings of the host, so that"
    " both agree"
)


class Misserved(NamedTuple):
    """A listed URL at which the host does not show its page."""

    spot: Spot
    url: str
    to: str
    """The URL that it redirects to. Empty if the host returns an error."""
    by: str
    """The host, and what shows that it serves the site. Empty for a server that answered."""
    generator: str | None = None
    """The generator of the page, as far as it is known."""

    @property
    def way(self) -> Way:
        """How its target differs."""
        if not self.to:
            return "is missing"
        if self.to == f"{self.url}/":
            return "adds a slash"
        if self.url == f"{self.to}/":
            return "removes the slash"
        if self.to.rstrip("/") == urls.bare(self.url):
            return "removes the suffix"
        return "has another form"


def are_twins(url: str, other: str) -> bool:
    """Whether two normalized URLs differ only in the parts that hosts add and remove: slash, .html
    and index.html.
    """
    return url != other and urls.bare(url) == urls.bare(other)


def misserved(found: Sequence[Misserved]) -> Findings:
    """Yield one finding for each way in which listed URLs differ from the URLs that the host
    shows.
    """
    groups: dict[Way, list[Misserved]] = {}
    for each in found:
        groups.setdefault(each.way, []).append(each)
    for way, group in groups.items():
        first = group[0]
        who = first.by or "the server"
        which = first.url
        if len(group) > 1:
            which = f"{len(group):,} listed URLs, such as {first.url}"
        problem = f"{who} redirects {which} to {first.to}."
        if way == "is missing":
            problem = f"{who} returns an error for {which}, although the page has a file."
        yield HOST_REDIRECTS.at(first.spot, problem, _fix(way, first))


def _fix(way: Way, first: Misserved) -> str:
    generator = first.generator or ""
    for name, options in _OPTIONS.items():
        if generator.lower().startswith(name.lower()) and way in options:
            return options[way]
    return f"{_ANY}."
