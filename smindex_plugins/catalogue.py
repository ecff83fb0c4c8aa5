"""The kinds of findings of builds and joins, one kind for each name.

The kinds that only `smindex check` finds are beside their rules, in `checks`. The kinds that the reader of a file finds
are in `sitemaps.faults`. `checks.CATALOGUE` has all of them.
"""

from dataclasses import dataclass
from typing import Protocol

from smindex_plugins import home, urls
from smindex_plugins.model import Finding, Level, Spot
from smindex_plugins.text import masked, printable


class Place(Protocol):
    """What a finding can be about: its name in messages, its path on this machine, and its URL, if it has them."""

    @property
    def where(self) -> str: ...  # noqa: D102
    @property
    def file(self) -> str: ...  # noqa: D102
    @property
    def url(self) -> str: ...  # noqa: D102


@dataclass(frozen=True, slots=True)
class Kind:
    """One kind of finding. Each name has exactly one kind."""

    name: str
    """A slug. Messages end with it, and `--ignore` takes it."""
    level: Level
    meaning: str
    """The rule, in one sentence."""
    fix: str
    """How to fix it. A finding can have a more precise fix."""
    console: str = ""
    """The name of the problem in Search Console, or an empty string if Search Console does not report it."""
    is_advice: bool = False
    """Whether many healthy sites have such findings. If so, only `--advice` looks for them."""

    @property
    def fix_url(self) -> str:
        """The address of its page in the manual, which explains the rule and the fix."""
        return f"{home.MANUAL}checks/{self.name}/"

    def at(self, place: str | Spot | Place, problem: str, fix: str = "", line: int = 0) -> Finding:
        """Return a finding of this kind. Lines are counted from 1; 0 means that the finding is not about a line."""
        if isinstance(place, str):
            spot = Spot(place, url=place if place.startswith(("https://", "http://")) else "")
        else:
            spot = place if isinstance(place, Spot) else Spot(place.where, place.file, place.url)
        return Finding(
            check=self.name,
            level=self.level,
            where=_clean(spot.where),
            problem=_clean(problem),
            fix=_clean(fix or self.fix),
            file=spot.file,
            line=line or spot.line,
            url="" if spot.url.startswith(urls.NO_ADDRESS) else urls.normal(spot.url),
            source=spot.source,
        )


def _clean(text: str) -> str:
    """Return a part of a finding that is safe to show. Everything that a site contains passes through here."""
    return masked(printable(text))


# Dates

UNDATED_PAGES = Kind(
    "undated-pages",
    "warning",
    "Git has a date for every page with a source in git. The option `undated` sets the level.",
    "Build with git installed, in a clone with the whole history. Or add `lastmod:` to these pages' front matter.",
)
UNDATED_BY_NATURE = Kind(
    "undated-by-nature",
    "notice",
    "A page that is generated or not yet committed has a date only if its author writes one.",
    "Commit new files. Generated pages can have a `lastmod:` or `depends:` in their front matter.",
)
SOURCES_NOT_FOUND = Kind(
    "sources-not-found",
    "warning",
    "Every pattern of `sources` finds the source of at least one page.",
    "Pages without a source have no date. Correct the pattern: {path} is a page's path, and {name} is its last part.",
)
BULK_COMMIT = Kind(
    "bulk-commit",
    "notice",
    "No commit that only reformats files gives its date to many pages.",
    "If this commit changed no content, list it in .git-blame-ignore-revs at the root of the repository.",
)
UNCOMMITTED_EDITS = Kind(
    "uncommitted-edits",
    "notice",
    "All edits are committed before they are published, so that the dates include them.",
    "Commit the edits before you publish the site.",
)
FUTURE_DATE = Kind("future-date", "warning", "No <lastmod> is in the future.", "Write the date of the last change.")

# Front matter

INVALID_FRONT_MATTER = Kind(
    "invalid-front-matter",
    "warning",
    "The dates in front matter, and the values under `sitemap`, are valid.",
    "Correct the front matter. The page is listed without the wrong value.",
)
INVALID_DEPENDS = Kind(
    "invalid-depends",
    "warning",
    "`depends` in front matter names files or patterns of files.",
    "Write files or patterns relative to the root of the git repository, such as [snippets/*.md, data/x.yml].",
)
UNKNOWN_DEPENDENCY = Kind(
    "unknown-dependency",
    "warning",
    "Every file that a page depends on is in the repository.",
    "Pages that depend on it have no date. Correct the name. It is relative to the root of the git repository.",
)
INVALID_IMAGE = Kind(
    "invalid-image",
    "warning",
    "Every image in front matter is an http or https URL.",
    "This image is not listed. Write an absolute URL, or one relative to the page's URL.",
)
TOO_MANY_IMAGES = Kind(
    "too-many-images",
    "warning",
    "An entry has at most 1,000 images.",
    "Name the most important ones under sitemap.images in the page's front matter.",
)
# Which pages are listed

NOTHING_LISTED = Kind(
    "nothing-listed",
    "warning",
    "At least one page of the site is listed.",
    "No sitemap is written. Check whether a setting, the theme or front matter leaves out every page by mistake.",
)
FAILED_FILTER = Kind(
    "failed-filter",
    "error",
    "The function that `filter` names returns each page, a changed one, or None, and raises nothing.",
    "The page is listed as it would be without `filter`. Correct the function.",
)
NOINDEX_NOT_RENDERED = Kind(
    "noindex-not-rendered",
    "notice",
    "If front matter marks a page as noindex or private, its HTML says noindex too.",
    'Let the theme write <meta name="robots" content="noindex"> into the head of such pages, or let the server '
    "send X-Robots-Tag: noindex.",
)
STRAY_PAGES = Kind(
    "stray-pages",
    "notice",
    "Every HTML file in the output belongs to a page of the build, or is not meant for search engines.",
    "No sitemap lists them. To list them, run `smindex build`, which lists every HTML file. If an earlier run "
    "left files, delete them. Name the others under `exclude`.",
)
UNMATCHED_PATTERN = Kind(
    "unmatched-pattern",
    "warning",
    "Every pattern and path in the options matches something in the site.",
    "Correct it, or remove it.",
)
UNREAD_OPTIONS = Kind(
    "unread-options",
    "warning",
    "`smindex build` can read the options that the configuration of the generator has for the plugin.",
    "This command ran without them. Correct them, or write them as plain values. Or give them as flags or in "
    "[tool.smindex] of pyproject.toml.",
)
OUTSIDE_SCOPE = Kind(
    "outside-scope",
    "error",
    "A sitemap lists only URLs on its own scheme, host and port, under its own directory.",
    "List the page in a sitemap of its own directory or above.",
    "URL not allowed",
)
ROBOTS_BLOCKS_PAGE = Kind(
    "robots-blocks-page",
    "warning",
    "robots.txt does not block listed URLs for Googlebot.",
    "Remove or narrow that rule, or leave the page out of the sitemap.",
    "Sitemap contains URLs which are blocked by robots.txt",
)
SHARED_URL = Kind(
    "shared-url",
    "notice",
    "Every page of a build has its own URL.",
    "This URL is listed once. Give one of the pages another URL.",
)
CANONICAL_OUTSIDE = Kind(
    "canonical-outside",
    "warning",
    "The canonical URL of a page is inside the site's directory.",
    "The page is not listed. Correct the canonical URL, or list the page in the sitemap of that site.",
)
UNLISTABLE_URL = Kind(
    "unlistable-url",
    "warning",
    "The URL of a page is short enough for a sitemap.",
    "The page is not listed. Shorten its path.",
)
ENTRY_TOO_LARGE = Kind(
    "entry-too-large",
    "error",
    "The entry of each page fits into a sitemap.",
    "The page is not listed. Give it fewer language variants or images.",
)

# Language variants

INVALID_HREFLANG = Kind(
    "invalid-hreflang",
    "warning",
    "Every language variant has a valid language tag, or x-default.",
    "Write a language, with a script or a region if needed (de, zh-Hant, en-GB), or x-default.",
)
ACCIDENTAL_TRANSLATION = Kind(
    "accidental-translation",
    "notice",
    "Pages that are translations of each other are in different languages.",
    "No variants are written for them. Pelican treats articles with the same slug as translations. Give each "
    "article its own slug or its own `lang`, or set ARTICLE_TRANSLATION_ID = None.",
)
MISSING_VARIANT = Kind(
    "missing-variant",
    "warning",
    "Every language variant below the site's address is a page of the site, named by its own URL.",
    "Correct the link, or build that page.",
)
HREFLANG_NOT_MUTUAL = Kind(
    "hreflang-not-mutual",
    "warning",
    "If page A names page B as its language variant, B names A too.",
    "Let both pages name each other. Search engines ignore a link in one direction only.",
)
HREFLANG_CONTRADICTION = Kind(
    "hreflang-contradiction",
    "warning",
    "A page has only one variant in each language.",
    "Keep one page for each language.",
)
HREFLANG_WITHOUT_SELF = Kind(
    "hreflang-without-self",
    "warning",
    "A page that names language variants also names itself.",
    "Add a link to the page itself, with its own hreflang.",
)

# Files

FILE_NOT_OURS = Kind(
    "file-not-ours",
    "error",
    "No file of another tool has the name of a sitemap.",
    "Rename or remove it.",
)
CANNOT_WRITE = Kind(
    "cannot-write",
    "error",
    "The output directory is writable.",
    "Make the output directory writable, and check that the disk is not full. The earlier index is unchanged.",
)
DIRECTORY_IN_USE = Kind(
    "directory-in-use",
    "error",
    "Only one run at a time writes sitemaps into a directory.",
    "Wait until it ends, or stop it, and try again.",
)
UNREADABLE_DIRECTORY = Kind(
    "unreadable-directory",
    "error",
    "Every directory of the site is readable.",
    "Its pages are unknown. Let the user who runs this command read and enter it: chmod u+rx.",
)
TOO_MANY_SITEMAPS = Kind(
    "too-many-sitemaps",
    "error",
    "An index lists at most 50,000 sitemaps, and a site has at most 500 indexes.",
    "Lower section_depth or raise section_min_pages.",
    "Too many sitemaps",
)
MISSING_SITEMAP = Kind(
    "missing-sitemap",
    "error",
    "Every sitemap that an index lists exists.",
    "Build the site again, or remove the entry from the index.",
    "HTTP error 404",
)
NESTED_INDEX = Kind(
    "nested-index",
    "error",
    "An index lists only sitemaps, not other indexes.",
    "List the sitemaps of that index here instead.",
    "Incorrect sitemap index format: Nested sitemap indexes",
)
UNLISTED_SITEMAP = Kind(
    "unlisted-sitemap",
    "warning",
    "The index or robots.txt lists every sitemap in the directory.",
    "Remove it if an earlier build left it, or list it in the index.",
)
SITEMAP_OUTSIDE_INDEX = Kind(
    "sitemap-outside-index",
    "error",
    "An index lists only sitemaps on its own scheme, host and port, in its own directory or deeper.",
    "Put the index into a directory above everything that it lists.",
    "URL not allowed",
)

# robots.txt

ROBOTS_WITHOUT_SITEMAP = Kind(
    "robots-without-sitemap",
    "warning",
    "robots.txt names the sitemap or the index.",
    "Add a `Sitemap:` line with the full URL of the index, or set `robots_txt: write`.",
)
ROBOTS_WITHOUT_INDEX = Kind(
    "robots-without-index",
    "notice",
    "robots.txt names the index of this build, unless you submit the index to search engines.",
    "Add a `Sitemap:` line with the full URL of the index, or set `robots_txt: write`.",
)
ROBOTS_IN_SUBDIRECTORY = Kind(
    "robots-in-subdirectory",
    "warning",
    "robots.txt is at the root of the host, because crawlers read no other robots.txt.",
    "Move its lines to the robots.txt at the root of the host.",
)
ROBOTS_NOT_WRITTEN = Kind(
    "robots-not-written",
    "warning",
    "With `robots_txt: write`, the build can read and change robots.txt.",
    "The file is unchanged. Correct it, and add the `Sitemap:` line.",
)
REDUNDANT_SITEMAP = Kind(
    "redundant-sitemap",
    "notice",
    "robots.txt and indexes do not name a second sitemap of the pages that the index lists.",
    "Remove that line. The index is enough. The file itself can stay if a theme reads it.",
)
UNPROVEN_CROSS_SITE = Kind(
    "unproven-cross-site",
    "error",
    "If the index lists another site, the robots.txt of that site names the index.",
    "Add the `Sitemap:` line to the robots.txt of that site.",
)

# The address of the site

PRIVATE_ADDRESS = Kind(
    "private-address",
    "warning",
    "The site's address is public, not on a private machine or network.",
    "Give the address that visitors use: `site_url`, in Pelican `SITEURL` in publishconf.py, in Sphinx `html_baseurl`, "
    "or --site-url.",
)
DOUBTFUL_ADDRESS = Kind(
    "doubtful-address",
    "notice",
    "The site's address is not an example, and its host has a dot.",
    "If visitors use another address, give that one: `site_url`, in Pelican `SITEURL`, in Sphinx `html_baseurl`, or "
    "--site-url.",
)

# Services and other generators

READ_THE_DOCS_ADDRESS = Kind(
    "read-the-docs-address",
    "notice",
    "On Read the Docs, site_url is the address at which this version is served.",
    "Take the address from the environment variable READTHEDOCS_CANONICAL_URL.",
)
READ_THE_DOCS_SITEMAP = Kind(
    "read-the-docs-sitemap",
    "notice",
    "On Read the Docs, search engines find the index: it is called sitemap.xml, or robots.txt names it.",
    "Name the index in the robots.txt at the root of the documentation.",
)

# Joining

LINK_OUTSIDE = Kind(
    "link-outside",
    "warning",
    "Every build to join is in the directory itself, not behind a link out of it.",
    "Put the build itself there.",
)
UNREADABLE_VERSIONS = Kind(
    "unreadable-versions",
    "error",
    "versions.json has the form that mike writes.",
    "Deploy with mike again, or correct the JSON.",
)
VERSION_WITHOUT_SITEMAP = Kind(
    "version-without-sitemap",
    "error",
    "Every version to join has an index or a sitemap.",
    "Deploy it again with a site_url, or choose other versions with --versions.",
)
NOTHING_TO_LIST = Kind(
    "nothing-to-list",
    "error",
    "The index may list at least one of the sitemaps that were found.",
    "Nothing was written. Correct the other findings first.",
)

# Tables

UNLISTABLE_ROWS = Kind(
    "unlistable-rows",
    "warning",
    "Every row of a table has the URL of a page below the site's address, short enough for a sitemap.",
    "Correct these rows, or leave them out of the table. --rejected FILE writes all of them to a file.",
)
REPEATED_ROWS = Kind(
    "repeated-rows",
    "notice",
    "Every row of a table has a URL of its own.",
    "If other rows should count, make the table distinct. --rejected FILE writes the rows that do not count to a file.",
)
UNDATED_ROWS = Kind(
    "undated-rows",
    "warning",
    "Every date in a table can be read, and does not lie in the future.",
    "Write YYYY-MM-DD or YYYY-MM-DDThh:mm:ssZ, or use a column of dates. --rejected FILE writes these rows to a file.",
)
INCOMPLETE_ROWS = Kind(
    "incomplete-rows",
    "warning",
    "The language variants in a table are language tags with absolute URLs, and its images are absolute URLs.",
    "Correct these rows. --rejected FILE writes all of them to a file.",
)

KINDS: tuple[Kind, ...] = tuple(kind for kind in list(globals().values()) if isinstance(kind, Kind))
"""All kinds, in the order in which they are defined above."""
