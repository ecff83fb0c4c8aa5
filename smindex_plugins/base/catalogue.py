"""All kinds of findings: of builds, joins and runs over tables, of the reader of sitemaps, and of
checks.
"""

from dataclasses import dataclass
from typing import Literal

from smindex_plugins.base import urls
from smindex_plugins.base.model import Finding, Level, Spot
from smindex_plugins.base.text import printable

Need = Literal[
    "",
    "build",
    "files",
    "site",
    "directory",
    "live",
    "pages",
    "answers",
    "links",
    "dates",
    "required",
]
NEEDS: dict[Need, str] = {
    "": "a directory, a file, or a live site",
    "files": "a built directory or a single file",
    "site": "a built directory or a live site",
    "directory": "a built directory",
    "dates": "a built directory with --dates",
    "links": "a built directory with --links",
    "required": "a directory, a file, or a live site, with --require",
    "live": "a live site",
    "pages": "a built directory or a live site with --pages",
    "answers": "a live site with --pages",
}
"""What `smindex check` must look at to find something. It never finds what only a build, a join or
a table needs."""


@dataclass(frozen=True, slots=True)
class Kind:
    """One kind of finding. Each name has exactly one kind."""

    name: str
    """A slug. `smindex explain` and `--ignore` take it."""
    level: Level
    title: str
    """What is wrong, as a heading without a capital letter."""
    why: str
    """Why it matters."""
    fix: str
    """How to fix it. A finding can have a more precise fix."""
    console: str = ""
    """The name of the problem in Search Console, or an empty string if Search Console does not
    report it."""
    needs: Need = ""
    """What has to be checked to find it. ``build`` means that only builds, joins and runs over
    tables report it."""

    def at(
        self, place: str | Spot, problem: str, fix: str = "", line: int | None = None
    ) -> Finding:
        """Return a finding of this kind.

        Lines are counted from 1. Without one, it is about the line of its place, if that has one.
        """
        spot = place
        if isinstance(spot, str):
            spot = Spot(spot, url=spot if spot.startswith(("https://", "http://")) else None)
        url = None
        if spot.url is not None and not spot.url.startswith(urls.NO_ADDRESS):
            url = urls.normal(spot.url) or None
        return Finding(
            check=self.name,
            level=self.level,
            where=_clean(spot.where),
            problem=_clean(problem),
            fix=_clean(fix or self.fix),
            file=spot.file,
            line=spot.line if line is None else line,
            url=url,
            source=spot.source,
        )


def _clean(text: str) -> str:
    """Return a part of a finding that is safe to show.

    Everything that a site contains passes through here.
    """
    return printable(text)


# Sitemap files

UNREADABLE_SITEMAP = Kind(
    "unreadable-sitemap",
    "error",
    "sitemap is not well-formed XML",
    "Search engines read an invalid file only up to the error, or not at all.",
    "Build the site again. If you edit the file by hand, correct the XML.",
    "Parsing error",
)
UNSUPPORTED_FORMAT = Kind(
    "unsupported-format",
    "error",
    "not a sitemap",
    "Search engines accept a urlset, a sitemap index, a text file of URLs, or a feed. They reject"
    " everything else, such as an HTML page.",
    "Replace the file with a valid sitemap. Often, the server returns an error page instead.",
    "Unsupported format",
)
WRONG_NAMESPACE = Kind(
    "wrong-namespace",
    "error",
    "wrong XML namespace",
    "Search engines recognize tags only in the exact namespaces of the protocol and its"
    " extensions.",
    "Use the namespace given in the protocol or by Google.",
    "Incorrect namespace",
)
LEADING_WHITESPACE = Kind(
    "leading-whitespace",
    "error",
    "text before the XML declaration",
    "XML allows nothing but a byte order mark before its declaration. Parsers stop at this error.",
    "Remove everything before the XML declaration.",
    "Leading whitespace",
)
BYTE_ORDER_MARK = Kind(
    "byte-order-mark",
    "notice",
    "byte order mark",
    "XML allows a byte order mark at the start of a UTF-8 file (XML 1.0, section 4.3.3), so parsers"
    " read the file. Scripts that read it as plain text can stumble over the mark.",
    "You can keep it. To remove it, save the file as UTF-8 without a byte order mark.",
)
WRONG_ENCODING = Kind(
    "wrong-encoding",
    "error",
    "sitemap is not UTF-8",
    "The protocol requires UTF-8. Search engines may misread the URLs, or stop at the first invalid"
    " byte.",
    "Save the file as UTF-8.",
    "Parsing error",
)
DOCUMENT_TYPE = Kind(
    "document-type",
    "error",
    "document type declaration",
    "Sitemaps don't have a document type, and many parsers reject one for security.",
    "Remove <!DOCTYPE …>.",
    "Parsing error",
)
COMPRESSION_ERROR = Kind(
    "compression-error",
    "error",
    "invalid compression",
    "A .gz file must be complete and compressed only once. Other files must not be compressed.",
    "Compress the file once, or rename it.",
    "Compression error",
)
EMPTY_SITEMAP = Kind(
    "empty-sitemap",
    "error",
    "empty sitemap",
    "Search Console reports an error for a sitemap without URLs, and for an index without sitemaps."
    " Only a news sitemap may be empty.",
    "Check why the build lists nothing in this file. If that is intended, delete the file, and"
    " remove its entry from the index or robots.txt.",
    "Empty sitemap",
)
TOO_LARGE = Kind(
    "too-large",
    "error",
    "sitemap too large",
    "Search engines read at most 52,428,800 bytes of a sitemap, measured uncompressed.",
    "Split it into several sitemaps, and list them in an index.",
    "Sitemap file size error",
)
TOO_MANY_URLS = Kind(
    "too-many-urls",
    "error",
    "too many URLs in a sitemap",
    "Search engines reject a sitemap with more than 50,000 URLs.",
    "Split it into several sitemaps, and list them in an index.",
    "Too many URLs",
)
FEED_AS_SITEMAP = Kind(
    "feed-as-sitemap",
    "notice",
    "feed used as a sitemap",
    "Search engines accept a feed, but it lists only the newest pages.",
    "List all pages in a sitemap as well.",
)
UNFETCHED_SITEMAP = Kind(
    "unfetched-sitemap",
    "error",
    "sitemap can't be fetched",
    "Search engines can't find the pages of a sitemap that they can't fetch.",
    "Make sure that the server returns the file.",
    "Couldn't fetch",
    needs="live",
)
SITEMAP_REDIRECTS = Kind(
    "sitemap-redirects",
    "warning",
    "sitemap URL redirects",
    "Search Console expects the file at the listed URL, and may not follow redirects.",
    "List the target URL, or serve the file without a redirect.",
    "URLs not followed",
    needs="live",
)
WRONG_CONTENT_TYPE = Kind(
    "wrong-content-type",
    "warning",
    "sitemap served as HTML",
    "Search engines may mistake a file that is served as HTML for an error page.",
    "Serve it as application/xml, or as text/plain if it is a text file.",
    "Unsupported format",
    needs="live",
)

# Tags

MISSING_LOC = Kind(
    "missing-loc",
    "error",
    "entry without a URL",
    "An entry without <loc> lists no URL, and Search Console reports it.",
    "Add the URL, or remove the entry.",
    "Missing XML tag",
)
REPEATED_TAG = Kind(
    "repeated-tag",
    "error",
    "repeated tag",
    "This tag may appear only once in an entry. Search engines ignore the entry, or choose one of"
    " the tags.",
    "Keep only one.",
    "Invalid XML: too many tags",
)
UNKNOWN_TAG = Kind(
    "unknown-tag",
    "error",
    "unknown tag",
    "Search engines ignore misplaced tags, and tags that aren't part of the protocol or its"
    " extensions.",
    "Remove the tag.",
    "Invalid tag value",
)
MISSING_TAG = Kind(
    "missing-tag",
    "error",
    "missing tag",
    "Images, videos and articles have required tags. If one is missing, search engines ignore the"
    " item.",
    "Add the tag.",
    "Missing XML tag; Missing thumbnail URL; Missing video title; Missing <publication> tag",
)
INVALID_ATTRIBUTE = Kind(
    "invalid-attribute",
    "error",
    "missing or invalid attribute",
    "Search engines ignore a tag if a required attribute is missing or its value isn't allowed.",
    "Use one of the allowed values.",
    "Missing XML attribute; Invalid attribute value",
)
INVALID_VALUE = Kind(
    "invalid-value",
    "error",
    "invalid value",
    "Search engines ignore invalid values of changefreq, priority, and the details of videos and"
    " articles.",
    "Correct the value, or remove the tag.",
    "Invalid tag value; Invalid date",
)
STRAY_TEXT = Kind(
    "stray-text",
    "error",
    "stray text",
    "The protocol allows text only as the value of a tag. Usually, a program has printed the text"
    " into the file.",
    "Remove the text, and check whether a program prints messages into the file.",
    "Parsing error",
)
PADDED_VALUE = Kind(
    "padded-value",
    "warning",
    "spaces around a value",
    "Some readers treat the spaces as part of the URL or date.",
    "Remove the spaces.",
)
IGNORED_HINTS = Kind(
    "ignored-hints",
    "notice",
    "ignored changefreq or priority",
    "Google and Bing ignore both tags.",
    "Omit them to save bytes.",
)
RETIRED_TAG = Kind(
    "retired-tag",
    "notice",
    "retired tag or attribute",
    "Google no longer uses it.",
    "Omit it to save bytes.",
)

# URLs

INVALID_URL = Kind(
    "invalid-url",
    "error",
    "invalid URL",
    "Search engines accept only absolute http or https URLs that have a host and no username. They"
    " ignore all others.",
    "Use absolute URLs, with a scheme and a host.",
    "Invalid URL; Invalid URL in sitemap index file: incomplete URL",
)
UNESCAPED_URL = Kind(
    "unescaped-url",
    "error",
    "unescaped URL",
    "RFC 3986 allows only certain characters in a URL. All others, such as spaces, must be"
    " percent-encoded.",
    "Percent-encode the URL.",
    "Invalid URL",
)
TWICE_ESCAPED_URL = Kind(
    "twice-escaped-url",
    "error",
    "URL escaped twice",
    "In XML, & is written as &amp;. If it is escaped again as &amp;amp;, the URL doesn't exist.",
    "Escape the URL only once.",
    "Invalid URL",
)
DOUBLED_SLASH = Kind(
    "doubled-slash",
    "warning",
    "double slash in a path",
    "A URL with // differs from the URL that pages link to. Usually, the site's address ends with a"
    " slash and the path starts with one.",
    "Use a single slash.",
)
PRIVATE_HOST = Kind(
    "private-host",
    "error",
    "URL on a private host",
    "Search engines can't access this machine or a private network. Usually, a development build"
    " was published.",
    "Build the site with its public URL.",
    "URLs not accessible",
    needs="files",
)
URL_WITH_FRAGMENT = Kind(
    "url-with-fragment",
    "error",
    "URL with a fragment",
    "Crawlers drop the part after #, so the entry refers to the page without it.",
    "Remove the # and everything after it.",
    "Invalid URL",
)
CONTROL_CHARACTER = Kind(
    "control-character",
    "warning",
    "control character in a URL",
    "It is almost always a mistake, such as a line break in a title from which the path was made."
    " Some servers reject such URLs.",
    "Rename the page.",
)
URL_TOO_LONG = Kind(
    "url-too-long",
    "error",
    "URL too long",
    "The protocol allows URLs of fewer than 2,048 characters.",
    "Shorten the path.",
    "Invalid URL",
)
WWW_MISMATCH = Kind(
    "www-mismatch",
    "error",
    "www. mismatch",
    "A sitemap may list only URLs on its own host. Addresses with and without www. are different"
    " hosts.",
    "Use the same host in the site's address and in all URLs, either with or without www. Choose"
    " the one that doesn't redirect.",
    "Path mismatch: Missing www; Path mismatch: Includes www",
)
OUTSIDE_SCOPE = Kind(
    "outside-scope",
    "error",
    "URL outside the scope of its sitemap",
    "A sitemap may list only URLs under its own directory, with the same scheme, host and port."
    " Search engines ignore all others.",
    "List the page in a sitemap in its own directory or above.",
    "URL not allowed",
)
DUPLICATE_URL = Kind(
    "duplicate-url",
    "warning",
    "URL listed twice",
    "Each URL should be listed only once. Otherwise, the dates of its entries can contradict each"
    " other.",
    "Keep one of the entries.",
)
TWIN_URL = Kind(
    "twin-url",
    "warning",
    "nearly identical URLs",
    "The URLs differ only in a trailing slash, index.html, letter case, escaping or a fragment."
    " Usually, they lead to the same page, and only one of them is canonical.",
    "Keep the canonical URL.",
)
UNLISTABLE_URL = Kind(
    "unlistable-url",
    "warning",
    "page URL too long",
    "The protocol allows URLs of fewer than 2,048 characters.",
    "Shorten the path. Until then, the page is not listed.",
    needs="build",
)
ENTRY_TOO_LARGE = Kind(
    "entry-too-large",
    "error",
    "page too large for a sitemap",
    "The entry of the page alone exceeds 52,428,800 bytes, the limit for a whole sitemap.",
    "Reduce the page's language variants or images. Until then, the page is not listed.",
    needs="build",
)
SHARED_URL = Kind(
    "shared-url",
    "notice",
    "several pages with one URL",
    "Visitors and search engines see only one of these pages.",
    "Give each page its own URL. Until then, this URL is listed once.",
    needs="build",
)
CANONICAL_MISSING = Kind(
    "canonical-missing",
    "warning",
    "canonical URL of a missing page",
    "The canonical URL doesn't lead to a page of the site, so search engines may drop this page.",
    "Correct the canonical URL. Until then, the page is not listed.",
    needs="directory",
)
CANONICAL_OUTSIDE = Kind(
    "canonical-outside",
    "warning",
    "canonical URL outside the site",
    "Search engines index the canonical URL, which this site's sitemap can't list.",
    "Correct the canonical URL, or list the page in the other site's sitemap. Until then, the page"
    " is not listed.",
    needs="build",
)

# Sitemap index

SITEMAP_OUTSIDE_INDEX = Kind(
    "sitemap-outside-index",
    "error",
    "sitemap outside the scope of its index",
    "Search engines accept only sitemaps in the directory of the index or below, with the same"
    " scheme, host and port.",
    "Move the index to a directory above all sitemaps that it lists.",
    "URL not allowed",
)
MISSING_SITEMAP = Kind(
    "missing-sitemap",
    "error",
    "listed sitemap is missing",
    "Search engines can't find the pages of a sitemap that doesn't exist.",
    "Build the site again, or remove the entry from the index.",
    "HTTP error 404",
)
NESTED_INDEX = Kind(
    "nested-index",
    "error",
    "index lists an index",
    "Search engines read only sitemaps from an index, not other indexes.",
    "List the sitemaps of that index instead.",
    "Incorrect sitemap index format: Nested sitemap indexes",
)
TOO_MANY_SITEMAPS = Kind(
    "too-many-sitemaps",
    "error",
    "too many sitemaps",
    "An index may list at most 50,000 sitemaps. Search Console accepts at most 500 indexes per"
    " site.",
    "Lower section_depth or raise section_min_pages.",
    "Too many sitemaps",
)
UNLISTED_SITEMAP = Kind(
    "unlisted-sitemap",
    "warning",
    "unlisted sitemap",
    "Search engines don't find a sitemap unless the index or robots.txt lists it.",
    "List the sitemap in the index. If it is left over from an earlier build, delete it.",
    needs="directory",
)
REDUNDANT_SITEMAP = Kind(
    "redundant-sitemap",
    "notice",
    "second sitemap or index for the same pages",
    "Search engines fetch the same URLs twice.",
    "Remove its line from robots.txt, because the index is enough. Keep the file itself if a theme"
    " reads it.",
)
LISTED_BESIDE_INDEX = Kind(
    "listed-beside-index",
    "warning",
    "sitemap lists pages that the index omits",
    "Search engines that find the flat sitemap also find pages that were omitted on purpose.",
    "List these pages in the index, or exclude them from this sitemap in the settings of the"
    " generator. If nothing reads the file, delete it.",
)
UNPROVEN_CROSS_SITE = Kind(
    "unproven-cross-site",
    "error",
    "other site doesn't authorize the index",
    "An index may list URLs of another site only if that site's robots.txt lists the index.",
    "Add the `Sitemap:` line to that site's robots.txt.",
)

# Dates

INVALID_DATE = Kind(
    "invalid-date",
    "error",
    "invalid date",
    "Search engines ignore a <lastmod> that isn't a valid W3C date. A time requires a time zone.",
    "Use YYYY-MM-DD or YYYY-MM-DDThh:mm:ssZ, or omit the date.",
    "Invalid date",
)
FUTURE_DATE = Kind(
    "future-date",
    "warning",
    "date in the future",
    "A page can't have changed in the future. Search engines may stop trusting the site's dates.",
    "Use the date of the last change.",
)
ZERO_DATE = Kind(
    "zero-date",
    "warning",
    "date that stands for no date",
    "Programs write dates such as 0001-01-01 or 1970-01-01 if they know none. Google uses dates"
    " only if they are consistently accurate.",
    "Omit <lastmod> if the date of the last change is not known.",
)
STALE_INDEX_DATE = Kind(
    "stale-index-date",
    "warning",
    "index older than its pages",
    "Search engines may not fetch a sitemap again if its date in the index is older than its newest"
    " page.",
    "In the index, set the sitemap's date to the date of its newest page.",
)
BUILD_STAMP = Kind(
    "build-stamp",
    "warning",
    "build time used as page date",
    "The date is the time of the build, not of the last change. Google uses dates only if they are"
    " consistently accurate.",
    "Use the date of each page's last change, or omit dates.",
)
FALSE_DATE = Kind(
    "false-date",
    "warning",
    "date contradicts git",
    "Git has a different date for the source. Google uses dates only if they are consistently"
    " accurate.",
    "Build again in a clone with the full history, or omit dates.",
    needs="dates",
)
CONTRADICTED_DATE = Kind(
    "contradicted-date",
    "notice",
    "date contradicts the page",
    "The sitemap has a different date than the page itself in its `article:modified_time` or"
    " `dateModified`. Google uses dates only if they are consistently accurate.",
    "Write the date of the last change into both, and omit it where it is not known. Themes can"
    " show the dates of the sitemap.",
    needs="pages",
)
UNCOMPARED_DATES = Kind(
    "uncompared-dates",
    "warning",
    "no date could be compared with git",
    "With --dates, each date is compared with the history of the files that counted in the build."
    " No date could be compared.",
    "Run the command in a clone of the project with its full history. Git must be installed.",
    needs="dates",
)
OUTDATED_DATE = Kind(
    "outdated-date",
    "notice",
    "date in front matter older than the file",
    "The author's date takes precedence over git. More than a year later, a commit changed only a"
    " few pages, among them this one. Search engines may not fetch it again.",
    "Update the date in the front matter, or remove it. The page then has the date of its last"
    " commit. If the commit changed nothing that readers see, list it in .git-blame-ignore-revs.",
    needs="build",
)
UNDATED_PAGES = Kind(
    "undated-pages",
    "warning",
    "pages without a date",
    "Git has no reliable date for these pages, although their sources are committed. Without dates,"
    " search engines can't tell what changed. The option `undated` sets the level.",
    "Install git and build in a clone with the full history, or add `lastmod:` to the front matter"
    " of these pages.",
    needs="build",
)
UNDATABLE_PAGES = Kind(
    "undatable-pages",
    "notice",
    "generated or uncommitted pages without a date",
    "Git can't tell when such a page changed, so it has no <lastmod>.",
    "Commit new files. Scripts that generate Markdown can write `lastmod:` or `depends:` into its"
    " front matter. Other generated pages don't need a date.",
    needs="build",
)
SOURCES_NOT_FOUND = Kind(
    "sources-not-found",
    "warning",
    "sources of pages not found",
    "A page gets its date from the history of its source.",
    "Correct the pattern: {path} is the path of a page, and {name} is its last part. Pages without"
    " a source have no date.",
    needs="build",
)
FOREIGN_EDIT_LINKS = Kind(
    "foreign-edit-links",
    "notice",
    "edit links lead to another repository",
    "An edit link shows the source of a page only if it leads to the repository of the site."
    " Another repository can have a different file with the same path.",
    "Correct the edit URL in the settings of the generator, or set the location of the sources with"
    " `--sources`, or `sources` in [tool.smindex].",
    needs="build",
)
BULK_COMMIT = Kind(
    "bulk-commit",
    "notice",
    "one commit dates many pages",
    "A commit that only reformats files gives all of them a new date, although their content is"
    " old.",
    "If this commit changed no content, list it in .git-blame-ignore-revs at the root of the"
    " repository.",
    needs="build",
)
UNCOMMITTED_EDITS = Kind(
    "uncommitted-edits",
    "notice",
    "uncommitted edits",
    "Dates come from commits, so they don't reflect these edits.",
    "Commit the edits before you publish the site.",
    needs="build",
)

# Pages

MISSING_PAGE = Kind(
    "missing-page",
    "warning",
    "listed page is missing",
    "The directory has no file for a listed URL, so visitors and search engines get an error.",
    "Build the page, or rebuild the sitemaps without it.",
    "Not found (404)",
    needs="directory",
)
PAGE_ERROR = Kind(
    "page-error",
    "error",
    "listed page returns an error",
    "Search engines drop a page if the server returns an error, or a redirect without a target.",
    "Publish the page, or remove it from the sitemap.",
    needs="answers",
)
PAGE_UNREACHABLE = Kind(
    "page-unreachable",
    "error",
    "listed page can't be fetched",
    "Search engines can't index a page if the server doesn't respond.",
    "Make sure that the server returns the page.",
    "URLs not accessible",
    needs="answers",
)
EMPTY_PAGE = Kind(
    "empty-page",
    "warning",
    "listed page is empty",
    "Google treats a page without visible content as an error, a soft 404.",
    "Add content, or remove the page from the sitemap.",
    "Soft 404",
    needs="pages",
)
PAGE_REDIRECTS = Kind(
    "page-redirects",
    "warning",
    "listed page redirects",
    "Search engines index the target of the redirect, not the listed URL.",
    "List the target URL.",
    "URLs not followed",
    needs="pages",
)
HOST_REDIRECTS = Kind(
    "host-redirects",
    "warning",
    "host does not show pages at their listed URLs",
    "Most hosts serve a page at only one URL. They redirect the same URL with or without a slash or"
    " .html, or return an error. Search engines index the target of a redirect, not the listed"
    " URL.",
    "Set the generator's option for the ends of URLs, so that it links to the URLs that the host"
    " shows.",
    "URLs not followed; Page with redirect",
    needs="pages",
)
NOINDEX_PAGE = Kind(
    "noindex-page",
    "warning",
    "listed page is marked noindex",
    "The sitemap asks search engines to index the page, but the page forbids it.",
    "If the page should appear in search results, remove the noindex. Otherwise, remove the page"
    " from the sitemap.",
    "Excluded by 'noindex' tag",
    needs="pages",
)
NOINDEX_IN_BODY = Kind(
    "noindex-in-body",
    "warning",
    "robots meta tag outside the head",
    "Not all search engines read a robots meta tag in the body.",
    "To keep the page out of search results, move the tag into the head. Otherwise, remove the"
    " tag.",
    needs="pages",
)
CANONICAL_ELSEWHERE = Kind(
    "canonical-elsewhere",
    "warning",
    "listed page has a different canonical URL",
    "Search engines index the canonical URL instead of the listed URL.",
    "List the canonical URL.",
    "Alternate page with proper canonical tag",
    needs="pages",
)
SHARED_CANONICAL = Kind(
    "shared-canonical",
    "warning",
    "canonical links that remove pages",
    "A canonical link says that a page is a copy of another one, so search engines drop the page. A"
    " theme that writes the same link into every page removes the site from search results.",
    "Make each page declare its own URL as canonical. If these pages are copies, change nothing.",
    needs="pages",
)
HOME_CANONICAL = Kind(
    "home-canonical",
    "warning",
    "home page with a different canonical URL",
    "Search engines show the canonical URL instead of the home page.",
    "Make the home page declare its own URL as canonical.",
    needs="pages",
)
LISTED_ERROR_PAGE = Kind(
    "listed-error-page",
    "warning",
    "error page is listed",
    "Error pages don't belong in search results.",
    "Remove the page from the sitemap.",
    "Soft 404",
    needs="pages",
)
REQUIRED_URL = Kind(
    "required-url",
    "error",
    "required URL is not listed",
    "You asked with `--require` for this URL to be in a sitemap.",
    "Remove what omits the page, or don't require its URL.",
    needs="required",
)
UNLISTED_PAGE = Kind(
    "unlisted-page",
    "notice",
    "page in no sitemap",
    "Search engines may not find the page. Neither the page (noindex, redirect) nor the record of"
    " the build explains why it is omitted.",
    "If the page is new, build the site again. If it is left over from an earlier build, delete it."
    " To omit it on purpose, mark it noindex or exclude it in the settings.",
    needs="directory",
)
ORPHAN_PAGE = Kind(
    "orphan-page",
    "notice",
    "no page links to a listed page",
    "Visitors can't find the page through links, and search engines may consider it unimportant.",
    "Link to the page from a page that visitors find. If nobody should find it, remove it from the"
    " sitemap.",
    needs="links",
)
UNLISTED_BUT_LINKED = Kind(
    "unlisted-but-linked",
    "notice",
    "linked page in no sitemap",
    "Visitors can find the page, but no sitemap lists it, and neither the page nor the build"
    " explains why.",
    "List the page. To keep it out of search results, mark it noindex or exclude it in the"
    " settings.",
    needs="links",
)
UNREADABLE_DIRECTORY = Kind(
    "unreadable-directory",
    "error",
    "directory can't be read",
    "Pages in this directory are neither listed nor checked.",
    "Give the user who runs the command permission to read and enter the directory: chmod u+rx.",
    needs="directory",
)
UNREADABLE_RULE = Kind(
    "unreadable-rule",
    "warning",
    "invalid rule for redirects or headers",
    "Hosts skip an invalid rule, so its redirect or header has no effect.",
    "Correct the rule.",
    needs="directory",
)
DEAD_REDIRECT = Kind(
    "dead-redirect",
    "warning",
    "redirect to a missing page",
    "Visitors of the old URL get an error, and search engines drop it.",
    "Correct the target of the rule, or remove the rule.",
    needs="directory",
)
NOTHING_LISTED = Kind(
    "nothing-listed",
    "warning",
    "no page is listed",
    "Search engines don't learn about any page of the site.",
    "Check whether a setting, the theme or front matter excludes every page by mistake.",
    needs="directory",
)
NOINDEX_NOT_RENDERED = Kind(
    "noindex-not-rendered",
    "notice",
    "noindex missing from the HTML",
    "Front matter marks the page as noindex or private, but its HTML doesn't. Search engines that"
    " find the page through a link will index it.",
    'Make the theme write <meta name="robots" content="noindex"> into the head of such pages, or'
    " make the server send X-Robots-Tag: noindex.",
    needs="directory",
)
STRAY_PAGES = Kind(
    "stray-pages",
    "notice",
    "HTML files not created by the build",
    "The build can't tell whether these files are meant for search engines, so no sitemap lists"
    " them.",
    "To list these files, run `smindex build`, which lists every HTML file. Delete files that are"
    " left over from an earlier run. Add the others to `exclude`.",
    needs="build",
)
FAILED_FILTER = Kind(
    "failed-filter",
    "error",
    "the `filter` function failed",
    "The function must return the page, a changed copy, or None. It must not raise an exception.",
    "Correct the function. Until then, the page is listed as it would be without `filter`.",
    needs="build",
)

# robots.txt

ROBOTS_BLOCKS_PAGE = Kind(
    "robots-blocks-page",
    "warning",
    "robots.txt blocks listed pages",
    "Googlebot doesn't fetch these pages, although the sitemap lists them.",
    "Remove or narrow the rule, or remove the pages from the sitemap.",
    "Sitemap contains URLs which are blocked by robots.txt",
    needs="site",
)
ROBOTS_BLOCKS_SITEMAP = Kind(
    "robots-blocks-sitemap",
    "warning",
    "robots.txt blocks a sitemap",
    "Googlebot doesn't fetch the sitemap or the index.",
    "Add an `Allow:` line for it to robots.txt.",
    "Blocked by robots.txt",
    needs="site",
)
ROBOTS_BLOCKS_IMAGE = Kind(
    "robots-blocks-image",
    "warning",
    "robots.txt blocks listed images",
    "Googlebot doesn't fetch these images, although the sitemap lists them.",
    "Remove or narrow the rule, or remove the images from the sitemap.",
    needs="site",
)
ROBOTS_UNREACHABLE = Kind(
    "robots-unreachable",
    "error",
    "robots.txt can't be fetched",
    "If the server fails to return robots.txt, crawlers treat the whole site as blocked. Status 404"
    " is fine.",
    "Make the server return the file, or 404 if there is none.",
    "URLs not accessible",
    needs="live",
)
ROBOTS_WITHOUT_SITEMAP = Kind(
    "robots-without-sitemap",
    "notice",
    "robots.txt does not list the sitemap",
    "Search engines find the sitemap only if robots.txt lists it, or if you submit it to each of"
    " them.",
    "Add a `Sitemap:` line with the full URL of the index, or set `robots_txt: write`. If you"
    " submit the index in Search Console, Google doesn't need the line.",
    needs="site",
)
ROBOTS_NAMES_OTHER_ADDRESS = Kind(
    "robots-names-other-address",
    "warning",
    "wrong address in robots.txt",
    "The `Sitemap:` line has a different scheme than the site, or differs in www. Search engines"
    " look in the wrong place.",
    "Use the site's address in the line, or build the site with the address in the line.",
    needs="site",
)
ROBOTS_NAMES_MISSING_SITEMAP = Kind(
    "robots-names-missing-sitemap",
    "error",
    "robots.txt lists a missing sitemap",
    "The `Sitemap:` line points to a file that doesn't exist.",
    "Correct the URL, build the sitemap, or remove the line.",
    "HTTP error 404",
    needs="site",
)
ROBOTS_NAMES_NO_SITEMAP = Kind(
    "robots-names-no-sitemap",
    "error",
    "robots.txt lists something else than a sitemap",
    "The `Sitemap:` line leads to a page, to a directory, or to robots.txt itself. Search engines"
    " find no URLs there.",
    "Remove the line if another one lists the index. Otherwise, list the index in it.",
    "Unsupported format",
    needs="site",
)
ROBOTS_RELATIVE_SITEMAP = Kind(
    "robots-relative-sitemap",
    "warning",
    "relative URL in robots.txt",
    "Search engines ignore a `Sitemap:` line without a full URL.",
    "Use the full URL, with https:// and the host.",
    needs="site",
)
ROBOTS_IS_HTML = Kind(
    "robots-is-html",
    "warning",
    "robots.txt is an HTML page",
    "Crawlers find no rules and no `Sitemap:` line in an HTML page. Usually, it is an error page.",
    "Serve a text file, or return 404.",
    needs="site",
)
ROBOTS_TOO_LARGE = Kind(
    "robots-too-large",
    "warning",
    "robots.txt too large",
    "Crawlers need to read only 500 KiB (512,000 bytes) of robots.txt. Rules and `Sitemap:` lines"
    " after that have no effect.",
    "Shorten the file. Put the `Sitemap:` line at its start.",
    needs="site",
)
ROBOTS_UNREAD_LINE = Kind(
    "robots-unread-line",
    "notice",
    "ignored line in robots.txt",
    "Some or all crawlers ignore this line.",
    "Correct the spelling, move rules below a `User-agent` line, and replace `Noindex` with a"
    " robots meta tag.",
    needs="site",
)
ROBOTS_IN_SUBDIRECTORY = Kind(
    "robots-in-subdirectory",
    "warning",
    "robots.txt in a subdirectory",
    "Crawlers read only the robots.txt at the root of the host.",
    "Move its lines to the robots.txt at the root of the host.",
    needs="directory",
)
ROBOTS_NOT_WRITTEN = Kind(
    "robots-not-written",
    "warning",
    "robots.txt not updated",
    "With `robots_txt: write`, the build adds the `Sitemap:` line to robots.txt. It could not read"
    " or change this file.",
    "Correct the file, and add the `Sitemap:` line. The file is unchanged.",
    needs="build",
)

# Languages

INVALID_HREFLANG = Kind(
    "invalid-hreflang",
    "warning",
    "invalid language variant",
    "Search engines ignore a variant that doesn't have an absolute URL and a valid language tag or"
    " x-default.",
    "Use a language, with a script or a region if needed (de, zh-Hant, en-GB), or x-default.",
)
HREFLANG_WITHOUT_SELF = Kind(
    "hreflang-without-self",
    "warning",
    "language variants omit the page itself",
    "Google expects each page to list all its variants, including itself.",
    "Add a link to the page itself, with its own hreflang.",
)
HREFLANG_CONTRADICTION = Kind(
    "hreflang-contradiction",
    "warning",
    "two variants for one language",
    "Search engines can't tell which page to show in that language.",
    "Keep one page per language.",
)
HREFLANG_NOT_MUTUAL = Kind(
    "hreflang-not-mutual",
    "warning",
    "one-sided language variant",
    "If page A lists page B as a variant, B must list A too. Search engines ignore one-way links.",
    "Make both pages list each other.",
)
MISSING_VARIANT = Kind(
    "missing-variant",
    "warning",
    "language variant is missing",
    "The link to the variant doesn't lead to a page of the site, or the page has a different URL.",
    "Correct the link, or build the missing page.",
    needs="build",
)
ACCIDENTAL_TRANSLATION = Kind(
    "accidental-translation",
    "notice",
    "pages in one language linked as translations",
    "Language variants must be in different languages. Pelican treats articles with the same slug"
    " as translations.",
    "Give each article its own slug or its own `lang`, or set ARTICLE_TRANSLATION_ID = None. Until"
    " then, no variants are written for them.",
    needs="build",
)

# Images, videos and news

INVALID_MEDIA_URL = Kind(
    "invalid-media-url",
    "error",
    "invalid URL of an image or video",
    "Images, thumbnails, videos and players require absolute http or https URLs.",
    "Use an absolute http or https URL.",
    "Invalid URL",
)
TOO_MANY_IMAGES = Kind(
    "too-many-images",
    "warning",
    "too many images in an entry",
    "Google reads at most 1,000 images per page.",
    "List the most important images under sitemap.images in the page's front matter.",
)
VIDEO_IS_ITS_PAGE = Kind(
    "video-is-its-page",
    "error",
    "video URL is the URL of its page",
    "Google requires the URL of the video file or of a player.",
    "Use the URL of the video file, or of a player that shows only the video.",
    "Video location = play page; Video location looks like a play page",
)
OLD_NEWS = Kind(
    "old-news",
    "warning",
    "old article in a news sitemap",
    "Google News uses only articles from the last two days.",
    "Remove the article from the news sitemap.",
)
TOO_MANY_NEWS = Kind(
    "too-many-news",
    "error",
    "too many articles in a news sitemap",
    "Google reads at most 1,000 articles in a news sitemap.",
    "Split the sitemap, or remove articles older than two days.",
    "Too many News URLs",
)

# Options and front matter

UNMATCHED_PATTERN = Kind(
    "unmatched-pattern",
    "warning",
    "option without effect",
    "A pattern or path in the options matches nothing in the site. Usually, it is misspelled.",
    "Correct or remove it.",
    needs="build",
)
UNREAD_SETTING = Kind(
    "unread-setting",
    "warning",
    "setting without effect",
    "Nothing reads this setting, so the site is built as if it weren't there. Usually, its name is"
    " misspelled, or another tool read it before.",
    "Correct or remove it.",
    needs="build",
)
OTHER_SITEMAP_TOOL = Kind(
    "other-sitemap-tool",
    "warning",
    "two tools for sitemaps",
    "Another plugin writes or changes a sitemap of the same site. It has other pages and dates, and"
    " search engines may read either.",
    "Remove the other plugin from the configuration, and delete its sitemap from the output.",
    needs="build",
)
UNREAD_OPTIONS = Kind(
    "unread-options",
    "warning",
    "options can't be read",
    "`smindex build` uses the options in the generator's configuration. It ran without them or"
    " without the unknown one.",
    "Correct the options, or write them as plain values. You can also pass them with --set, or set"
    " them in [tool.smindex] in pyproject.toml.",
    needs="build",
)
INVALID_FRONT_MATTER = Kind(
    "invalid-front-matter",
    "warning",
    "invalid front matter",
    "An invalid date, `depends` or value under `sitemap` has no effect.",
    "Correct the front matter. Until then, the invalid value has no effect.",
    needs="build",
)
UNKNOWN_DEPENDENCY = Kind(
    "unknown-dependency",
    "warning",
    "dependency not found",
    "A page gets the date of the newest file that it depends on, so every file must be found.",
    "Correct the path, which is relative to the root of the git repository. Until then, pages that"
    " depend on it have no date.",
    needs="build",
)
PRIVATE_ADDRESS = Kind(
    "private-address",
    "warning",
    "private site address",
    "Search engines can't access a private machine or network, so they ignore every URL.",
    "Set the site's public URL.",
    needs="build",
)
TEMPLATE_ADDRESS = Kind(
    "template-address",
    "warning",
    "address from a template",
    "The address was copied from a template or a manual and not changed, so every URL of the site"
    " is wrong.",
    "Set the site's public URL.",
)
DOUBTFUL_ADDRESS = Kind(
    "doubtful-address",
    "notice",
    "doubtful site address",
    "The address is an example, or its host has no dot. Search engines can't access it.",
    "Set the site's public URL, unless visitors really use this address.",
)
CONTRADICTED_ADDRESS = Kind(
    "contradicted-address",
    "warning",
    "site names another address",
    "A CNAME file or the canonical links of the pages name a different address than the sitemap:"
    " another host, another scheme, or the same host with or without www. If that address is right,"
    " search engines ignore every URL of the sitemap.",
    "Set the address that visitors get, or correct the CNAME file and the canonical links.",
    needs="pages",
)

# Tables, writing and joining

INVALID_ROWS = Kind(
    "invalid-rows",
    "warning",
    "invalid rows",
    "Rows without a URL of the site are skipped. In other rows, an invalid date, language variant"
    " or image is omitted.",
    "Correct these rows, or remove them from the table. --rejected FILE writes all of them to a"
    " file.",
    needs="build",
)
REPEATED_ROWS = Kind(
    "repeated-rows",
    "notice",
    "rows with the same URL",
    "Only one row is used for each URL.",
    "To use other rows, remove the duplicates from the table. --rejected FILE writes the unused"
    " rows to a file.",
    needs="build",
)
FILE_NOT_OURS = Kind(
    "file-not-ours",
    "error",
    "another tool's file in the way",
    "A file from another tool has the name of a sitemap. It is never overwritten.",
    "Rename or delete the file.",
    needs="build",
)
CANNOT_WRITE = Kind(
    "cannot-write",
    "error",
    "output can't be written",
    "The sitemaps are written together or not at all.",
    "Make the output directory writable, and check that the disk isn't full. The earlier index is"
    " unchanged.",
    needs="build",
)
DIRECTORY_IN_USE = Kind(
    "directory-in-use",
    "error",
    "directory in use",
    "Another run is writing sitemaps to the directory.",
    "Wait until it finishes or stop it, then try again.",
    needs="build",
)
UNREADABLE_VERSIONS = Kind(
    "unreadable-versions",
    "error",
    "versions.json can't be read",
    "The file doesn't have the format that mike writes, so the versions to join are unknown.",
    "Deploy with mike again, or correct the JSON.",
    needs="build",
)
VERSION_WITHOUT_SITEMAP = Kind(
    "version-without-sitemap",
    "error",
    "version without a sitemap",
    "The version can't be joined, because it has neither an index nor a sitemap.",
    "Deploy it again with site_url, or choose other versions with --versions.",
    needs="build",
)
NOTHING_TO_LIST = Kind(
    "nothing-to-list",
    "error",
    "nothing to list",
    "The index can't list any of the sitemaps that were found.",
    "Correct the other findings first. Nothing was written.",
    needs="build",
)
READ_THE_DOCS_ADDRESS = Kind(
    "read-the-docs-address",
    "notice",
    "address differs from Read the Docs",
    "Read the Docs serves this version at a different address than `site_url`, so the sitemap lists"
    " wrong URLs.",
    "Read the address from the environment variable READTHEDOCS_CANONICAL_URL.",
    needs="build",
)
READ_THE_DOCS_SITEMAP = Kind(
    "read-the-docs-sitemap",
    "notice",
    "Read the Docs does not announce the index",
    "On Read the Docs, search engines find the index only if its name is sitemap.xml or if"
    " robots.txt lists it.",
    "List the index in the robots.txt at the root of the documentation.",
    needs="build",
)


CATALOGUE = {kind.name: kind for kind in list(globals().values()) if isinstance(kind, Kind)}
"""All kinds, by name, in the order in which they are defined above."""

CHECKED = {name: kind for name, kind in CATALOGUE.items() if kind.needs != "build"}
"""The kinds that `smindex check` can find."""
