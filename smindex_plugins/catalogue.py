"""Everything that a build, a join or a check can report and no check alone finds: one kind a name.

What only `smindex check` finds stands with the rule that finds it, in `checks`; what the reader of a file meets stands
with the reader, in `sitemaps.faults`. `checks.CATALOGUE` is all of them.
"""

from dataclasses import dataclass
from typing import Protocol

from smindex_plugins.model import Finding, Level


class Place(Protocol):
    """What a finding can be about: a file or a URL, as messages call it, and its path on this machine if it has one."""

    @property
    def where(self) -> str: ...  # noqa: D102
    @property
    def file(self) -> str: ...  # noqa: D102


@dataclass(frozen=True, slots=True)
class Kind:
    """One kind of finding, of which there is one of each name."""

    name: str
    """A slug, which messages end with, and which `--ignore` takes."""
    level: Level
    meaning: str
    """What must be so, in one sentence."""
    fix: str
    """What to do about it; a finding may know more precisely."""
    console: str = ""
    """What Search Console calls it, or nothing where it does not look."""
    is_advice: bool = False
    """It is true of many sites that are quite right, and looked for only when asked for."""

    def at(self, place: str | Place, problem: str, fix: str = "", line: int = 0) -> Finding:
        """Return a finding of this kind; the line is counted from 1, and 0 where it is about none."""
        where, file = (place, "") if isinstance(place, str) else (place.where, place.file)
        fix = fix or self.fix
        return Finding(check=self.name, level=self.level, where=where, problem=problem, fix=fix, file=file, line=line)


# Dates

UNDATED_PAGES = Kind(
    "undated-pages",
    "warning",
    "Every page that has a source in git has a date that git proves.",
    "Build where git and the whole history of the sources are, or write `lastmod:` into their front matter.",
)
UNDATED_BY_NATURE = Kind(
    "undated-by-nature",
    "notice",
    "Pages that are generated, or not yet committed, have a date only if their author writes one.",
    "Commit what is new; generated pages can have a `lastmod:` or `depends:` in their front matter.",
)
BULK_COMMIT = Kind(
    "bulk-commit",
    "notice",
    "No commit that only reformats dates many pages at once.",
    "If it changed no content, list it in .git-blame-ignore-revs at the root of the repository.",
)
UNCOMMITTED_EDITS = Kind(
    "uncommitted-edits",
    "notice",
    "What is published is committed, so that its dates are those of what is published.",
    "Commit the edits before the site is published.",
)
FUTURE_DATE = Kind(
    "future-date", "warning", "No <lastmod> is in the future.", "Write the day on which it last changed."
)

# Front matter

INVALID_FRONT_MATTER = Kind(
    "invalid-front-matter",
    "warning",
    "What front matter says under sitemap, and its dates, can be used.",
    "Correct the front matter; the page is listed without it.",
)
INVALID_DEPENDS = Kind(
    "invalid-depends",
    "warning",
    "Front matter names under depends files or patterns of files.",
    "Write files or patterns relative to the root of the git repository, such as [snippets/*.md, data/x.yml].",
)
UNKNOWN_DEPENDENCY = Kind(
    "unknown-dependency",
    "warning",
    "What pages depend on is a file of the repository.",
    "Pages that depend on it have no date. Correct the name; it is relative to the root of the git repository.",
)
INVALID_IMAGE = Kind(
    "invalid-image",
    "warning",
    "An image that front matter names is a URL of http or https.",
    "It is not listed. Write an absolute URL, or one relative to the page's.",
)
TOO_MANY_IMAGES = Kind(
    "too-many-images",
    "warning",
    "An entry has at most 1,000 images.",
    "Name the ones that matter under sitemap.images in its front matter.",
)
INVALID_VIDEO = Kind(
    "invalid-video",
    "notice",
    "What a VideoObject says beside what it must can be used.",
    "The video is listed without it. Correct the value.",
)
INCOMPLETE_VIDEO = Kind(
    "incomplete-video",
    "warning",
    "A VideoObject has a thumbnail, a title, a description, and a file or a player.",
    "The video is not listed. Add what is missing; URLs must be of http or https, and not the page's own.",
)
UNREADABLE_VIDEO = Kind(
    "unreadable-video",
    "warning",
    "The JSON-LD that speaks of a VideoObject is JSON.",
    "The video is not listed. Correct the JSON; a comma or a quotation mark too many is enough to break it.",
)
UNTITLED_NEWS = Kind(
    "untitled-news",
    "warning",
    "An article of the last two days has a title.",
    "It is not in the news sitemap. Give it a <title>, an og:title, or a headline in its JSON-LD.",
)
NEWS_LEFT_OUT = Kind(
    "news-left-out",
    "warning",
    "The articles of two days fit into one news sitemap.",
    "The newest are listed. A news sitemap holds 1,000 articles, within max_urls and max_bytes.",
)

# Which pages are listed

NOTHING_LISTED = Kind(
    "nothing-listed",
    "warning",
    "At least one page of the site is listed.",
    "No sitemap is written. See that the theme and the settings do not leave out all pages by mistake.",
)
SHARED_URL = Kind(
    "shared-url",
    "notice",
    "Two pages of a build do not have the same URL.",
    "It is listed once. Give one of them another URL.",
)
CANONICAL_OUTSIDE = Kind(
    "canonical-outside",
    "warning",
    "The canonical URL of a page is inside the directory of the site.",
    "It is not listed. Correct the canonical URL, or list the page in the sitemap of the site it belongs to.",
)
UNLISTABLE_URL = Kind(
    "unlistable-url",
    "warning",
    "The URL of a page is short enough for a sitemap.",
    "It is not listed. Shorten its path.",
)
ENTRY_TOO_LARGE = Kind(
    "entry-too-large",
    "error",
    "The entry of a page fits into a sitemap.",
    "It is not listed. Raise max_bytes, or shorten the URL.",
)

# Language variants

INVALID_HREFLANG = Kind(
    "invalid-hreflang",
    "warning",
    "A language variant has the tag of a language, or x-default.",
    "Write a language and, if need be, a script and a region: de, zh-Hant, en-GB, or x-default.",
)
MISSING_VARIANT = Kind(
    "missing-variant",
    "warning",
    "A language variant below the site's address is a page of the site.",
    "Correct the link, or build that page.",
)
HREFLANG_NOT_MUTUAL = Kind(
    "hreflang-not-mutual",
    "warning",
    "A page that another one names as its language variant names that page in return.",
    "Let both pages name each other; search engines ignore a link of one side.",
)
HREFLANG_CONTRADICTION = Kind(
    "hreflang-contradiction", "warning", "A page has one variant in each language.", "Give each language one page."
)
HREFLANG_WITHOUT_SELF = Kind(
    "hreflang-without-self",
    "warning",
    "A page that names language variants is one of them.",
    "Add a link to itself with its own hreflang.",
)

# Files

FILE_NOT_OURS = Kind(
    "file-not-ours",
    "error",
    "Where a sitemap belongs there is no file of somebody else.",
    "Rename or remove it, or set sitemap_placement: root or another index_filename.",
)
WRITTEN_TWICE = Kind(
    "written-twice",
    "error",
    "No other plugin writes a file that this one writes.",
    "Remove one of the two, or set another index_filename or sitemap_placement.",
)
CANNOT_WRITE = Kind(
    "cannot-write",
    "error",
    "The output directory can be written.",
    "Make the output directory writable and see that the disk is not full; the earlier index is untouched.",
)
TOO_MANY_SITEMAPS = Kind(
    "too-many-sitemaps",
    "error",
    "An index lists at most 50,000 sitemaps, and a site has at most 500 indexes.",
    "Lower section_depth or raise section_min_pages.",
    "Too many sitemaps",
)
INDEX_TOO_LARGE = Kind(
    "index-too-large", "error", "The entry of one sitemap fits into an index.", "Nothing was written. Raise max_bytes."
)
MISSING_SITEMAP = Kind(
    "missing-sitemap",
    "error",
    "A sitemap that an index lists is there.",
    "Build the site again, or remove the entry from the index.",
    "HTTP error 404",
)
NESTED_INDEX = Kind(
    "nested-index",
    "error",
    "An index lists sitemaps, and no index.",
    "List its sitemaps in the one index instead.",
    "Incorrect sitemap index format: Nested sitemap indexes",
)
UNLISTED_SITEMAP = Kind(
    "unlisted-sitemap",
    "warning",
    "A sitemap in the directory is listed by the index or by robots.txt.",
    "Remove it if an earlier build left it, or list it in the index.",
)
SITEMAP_OUTSIDE_INDEX = Kind(
    "sitemap-outside-index",
    "error",
    "An index lists only sitemaps on its own scheme, host and port, in its own directory or deeper.",
    "Put the index into a directory above all that it lists.",
    "URL not allowed",
)

# robots.txt

ROBOTS_WITHOUT_SITEMAP = Kind(
    "robots-without-sitemap",
    "warning",
    "A robots.txt names the sitemap or the index.",
    "Add a Sitemap line with the full URL of the index, or set robots_txt: write.",
)
ROBOTS_WITHOUT_INDEX = Kind(
    "robots-without-index",
    "notice",
    "A robots.txt that names sitemaps names the index of this build too.",
    "Add a Sitemap line with the full URL of the index, or set robots_txt: write.",
)
ROBOTS_IN_SUBDIRECTORY = Kind(
    "robots-in-subdirectory",
    "warning",
    "A robots.txt is at the root of its host, because crawlers read no other.",
    "Put its lines into the robots.txt at the root of the host.",
)
ROBOTS_NOT_WRITTEN = Kind(
    "robots-not-written",
    "warning",
    "A robots.txt that is to name the index can be read and written.",
    "It was left as it is. Correct it, and add the Sitemap line.",
)
UNPROVEN_CROSS_SITE = Kind(
    "unproven-cross-site",
    "error",
    "The robots.txt of another site names the index that is to list it.",
    "Add the Sitemap line to the robots.txt of that site.",
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
    "On Read the Docs, which answers /sitemap.xml itself, a robots.txt names the index.",
    "Name the index in the robots.txt at the top of the documentation.",
)
ZENSICAL_BESIDE = Kind(
    "zensical-beside",
    "notice",
    "A site that Zensical builds too gets its index from `smindex build`.",
    "Run `smindex build` after every `zensical build`.",
)

# Joining

LINK_OUTSIDE = Kind(
    "link-outside", "warning", "What is joined is in the directory itself.", "Put the build itself there."
)
UNREADABLE_VERSIONS = Kind(
    "unreadable-versions",
    "error",
    "A versions.json is what mike writes.",
    "Deploy with mike again, or correct the JSON.",
)
VERSION_WITHOUT_SITEMAP = Kind(
    "version-without-sitemap",
    "error",
    "A version that is to be joined has an index or a sitemap.",
    "Deploy it again with a site_url, or choose others with --versions.",
)
NOTHING_TO_LIST = Kind(
    "nothing-to-list",
    "error",
    "At least one sitemap that was found may be listed.",
    "Nothing was written. Correct what else was found.",
)

KINDS: tuple[Kind, ...] = tuple(kind for kind in list(globals().values()) if isinstance(kind, Kind))
"""In the order in which they stand above."""
