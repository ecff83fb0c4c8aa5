"""All kinds of findings: of builds, joins and runs over tables, of the reader of sitemaps, and of checks."""

from dataclasses import dataclass
from typing import Literal

from smindex_plugins import home, urls
from smindex_plugins.model import Finding, Level, Spot
from smindex_plugins.text import printable

Need = Literal["", "build", "files", "site", "directory", "live", "pages", "answers", "links", "sources"]
NEEDS: dict[Need, str] = {
    "": "a directory, a file, or a live site",
    "files": "a built directory or a single file",
    "site": "a built directory or a live site",
    "directory": "a built directory",
    "sources": "a built directory with --sources",
    "links": "a built directory with --links",
    "live": "a live site",
    "pages": "a built directory or a live site with --pages",
    "answers": "a live site with --pages",
}
"""What `smindex check` must look at to find something. It never finds what only a build, a join or a table needs."""


@dataclass(frozen=True, slots=True)
class Kind:
    """One kind of finding. Each name has exactly one kind."""

    name: str
    """A slug. Messages end with it, and `--ignore` takes it."""
    level: Level
    rule: str
    """What must be so, in one sentence."""
    fix: str
    """How to fix it. A finding can have a more precise fix."""
    console: str = ""
    """The name of the problem in Search Console, or an empty string if Search Console does not report it."""
    needs: Need = ""
    """What has to be checked to find it. ``build`` means that only builds, joins and runs over tables report it."""

    @property
    def fix_url(self) -> str:
        """The address of its page in the manual, which explains the rule and the fix."""
        return f"{home.MANUAL}checks/{self.name}/"

    def at(self, place: str | Spot, problem: str, fix: str = "", line: int = 0) -> Finding:
        """Return a finding of this kind. Lines are counted from 1; 0 means that the finding is not about a line."""
        spot = place
        if isinstance(spot, str):
            spot = Spot(spot, url=spot if spot.startswith(("https://", "http://")) else "")
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
    return printable(text)


# A kind has its rule on one line and its fix on the next.
# fmt: off

# The file of a sitemap

UNREADABLE_SITEMAP = Kind("unreadable-sitemap", "error",
    "A sitemap is well-formed XML and can be read to its end.",
    "Build the site again. If you edited the file by hand, correct the XML.", "Parsing error")
UNSUPPORTED_FORMAT = Kind("unsupported-format", "error",
    "A sitemap is a urlset, a sitemap index, a list of URLs, or a feed, but not an HTML page.",
    "Put the sitemap there. An error page may have taken its place.", "Unsupported format")
WRONG_NAMESPACE = Kind("wrong-namespace", "error",
    "The namespaces of sitemaps and their extensions are written exactly.",
    "Declare the namespace that Google documents.", "Incorrect namespace")
LEADING_WHITESPACE = Kind("leading-whitespace", "error",
    "Nothing comes before the XML declaration, not even a byte order mark.",
    "Remove everything before it.", "Leading whitespace")
WRONG_ENCODING = Kind("wrong-encoding", "error",
    "A file is UTF-8.",
    "Save it as UTF-8.", "Parsing error")
DOCUMENT_TYPE = Kind("document-type", "error",
    "A sitemap has no document type declaration, and so no entities.",
    "Remove <!DOCTYPE …>.", "Parsing error")
COMPRESSION_ERROR = Kind("compression-error", "error",
    "A .gz file is complete and compressed once. A file with another name is not compressed.",
    "Compress it once, or rename it.", "Compression error")
EMPTY_SITEMAP = Kind("empty-sitemap", "error",
    "A sitemap lists at least one URL, and an index at least one sitemap. Only a news sitemap may be empty.",
    "Build the site so that this file lists something. Or remove it, and its line in the index or in robots.txt.",
    "Empty sitemap")
TOO_LARGE = Kind("too-large", "error",
    "A file has at most 52,428,800 bytes before compression.",
    "Split it into several sitemaps that an index lists.", "Sitemap file size error")
TOO_MANY_URLS = Kind("too-many-urls", "error",
    "A sitemap lists at most 50,000 URLs.",
    "Split it into several sitemaps that an index lists.", "Too many URLs")
FEED_AS_SITEMAP = Kind("feed-as-sitemap", "notice",
    "A feed is accepted as a sitemap, but it lists only the newest pages.",
    "List every page in a sitemap too.")
UNFETCHED_SITEMAP = Kind("unfetched-sitemap", "error",
    "Every listed sitemap can be fetched.",
    "Make sure that the server sends the file.", "Couldn't fetch", needs="live")
SITEMAP_REDIRECTS = Kind("sitemap-redirects", "warning",
    "The listed URL of a sitemap does not redirect.",
    "List the URL that it leads to, or serve the file without a redirect.", "URLs not followed", needs="live")
WRONG_CONTENT_TYPE = Kind("wrong-content-type", "warning",
    "A sitemap is not served as an HTML page.",
    "Serve it as application/xml, or as text/plain if it is a text file.", "Unsupported format", needs="live")

# Tags

MISSING_LOC = Kind("missing-loc", "error",
    "Every entry has a URL in a <loc>.",
    "Add its URL, or remove the entry.", "Missing XML tag")
REPEATED_TAG = Kind("repeated-tag", "error",
    "An entry has each element only once.",
    "Keep one.", "Invalid XML: too many tags")
UNKNOWN_TAG = Kind("unknown-tag", "error",
    "A sitemap uses only elements of the protocol and its extensions, each in its place.",
    "Remove it.", "Invalid tag value")
MISSING_TAG = Kind("missing-tag", "error",
    "An image, a video and an article have all elements that they need.",
    "Add it.", "Missing XML tag; Missing thumbnail URL; Missing video title; Missing <publication> tag")
INVALID_ATTRIBUTE = Kind("invalid-attribute", "error",
    "An element has all attributes that it needs, each with an allowed value.",
    "Write one of the allowed values.", "Missing XML attribute; Invalid attribute value")
INVALID_VALUE = Kind("invalid-value", "error",
    "A changefreq, a priority, and the values of videos and articles are valid.",
    "Correct the value, or leave it out.", "Invalid tag value; Invalid date")
STRAY_TEXT = Kind("stray-text", "error",
    "Text appears only inside elements that hold a value.",
    "Remove it. Check that no message of a program got into the file.", "Parsing error")
PADDED_VALUE = Kind("padded-value", "warning",
    "URLs and dates have no spaces around them.",
    "Remove the spaces.")
IGNORED_HINTS = Kind("ignored-hints", "notice",
    "Google and Bing ignore changefreq and priority.",
    "Leave them out to save bytes.")
RETIRED_TAG = Kind("retired-tag", "notice",
    "Images, videos and articles have no tags and attributes that Google no longer reads.",
    "Leave them out to save bytes.")

# URLs

INVALID_URL = Kind("invalid-url", "error",
    "A URL is an absolute http or https URL, with a host and without a user name.",
    "List absolute URLs, with a scheme and a host.", "Invalid URL; Invalid URL in sitemap index file: incomplete URL")
UNESCAPED_URL = Kind("unescaped-url", "error",
    "A URL has only characters that RFC 3986 allows. All others, such as spaces, are percent-encoded.",
    "Percent-encode it.", "Invalid URL")
TWICE_ESCAPED_URL = Kind("twice-escaped-url", "error",
    "A URL is escaped for XML only once: & becomes &amp;, not &amp;amp;.",
    "Escape it only once.", "Invalid URL")
DOUBLED_SLASH = Kind("doubled-slash", "warning",
    "URL paths contain no // (usually the site's address ends in a slash and the path begins with one).",
    "Write one slash.")
PRIVATE_HOST = Kind("private-host", "error",
    "No listed URL points to this machine or a private network, as in a published development build.",
    "Build the site with its public address.", "URLs not accessible", needs="files")
URL_WITH_FRAGMENT = Kind("url-with-fragment", "error",
    "A URL has no fragment, because nobody requests the part after a #.",
    "Remove the # and what follows it.", "Invalid URL")
URL_TOO_LONG = Kind("url-too-long", "error",
    "A URL has fewer than 2,048 characters.",
    "Shorten its path.", "Invalid URL")
WWW_MISMATCH = Kind("www-mismatch", "error",
    "URLs use www. exactly when their sitemap's own address does.",
    "Use www. in the site's address and all URLs, or in none. Choose the form that the server does not redirect.",
    "Path mismatch: Missing www; Path mismatch: Includes www")
OUTSIDE_SCOPE = Kind("outside-scope", "error",
    "A sitemap lists only URLs on its own scheme, host and port, under its own directory.",
    "List the page in a sitemap of its own directory or above.", "URL not allowed")
DUPLICATE_URL = Kind("duplicate-url", "error",
    "A URL is listed only once, in one sitemap. An index lists each sitemap only once.",
    "Keep one of the two.")
TWIN_URL = Kind("twin-url", "warning",
    "No two URLs differ only in a trailing slash, index.html, letter case, or escaping.",
    "Keep the canonical one.")
UNLISTABLE_URL = Kind("unlistable-url", "warning",
    "The URL of a page is short enough for a sitemap.",
    "The page is not listed. Shorten its path.", needs="build")
ENTRY_TOO_LARGE = Kind("entry-too-large", "error",
    "The entry of each page fits into a sitemap.",
    "The page is not listed. Give it fewer language variants or images.", needs="build")
SHARED_URL = Kind("shared-url", "notice",
    "Every page of a build has its own URL.",
    "This URL is listed once. Give one of the pages another URL.", needs="build")
CANONICAL_MISSING = Kind("canonical-missing", "warning",
    "The canonical URL of a page leads to a page of the site.",
    "The page is not listed, and search engines may drop it. Correct the canonical URL.", needs="build")
CANONICAL_OUTSIDE = Kind("canonical-outside", "warning",
    "The canonical URL of a page is inside the site's directory.",
    "The page is not listed. Correct the canonical URL, or list the page in the sitemap of that site.", needs="build")

# The index

SITEMAP_OUTSIDE_INDEX = Kind("sitemap-outside-index", "error",
    "An index lists only sitemaps on its own scheme, host and port, in its own directory or deeper.",
    "Put the index into a directory above everything that it lists.", "URL not allowed")
MISSING_SITEMAP = Kind("missing-sitemap", "error",
    "Every sitemap that an index lists exists.",
    "Build the site again, or remove the entry from the index.", "HTTP error 404")
NESTED_INDEX = Kind("nested-index", "error",
    "An index lists only sitemaps, neither other indexes nor itself.",
    "List the sitemaps of that index here instead.", "Incorrect sitemap index format: Nested sitemap indexes")
TOO_MANY_SITEMAPS = Kind("too-many-sitemaps", "error",
    "An index lists at most 50,000 sitemaps, and a site has at most 500 indexes.",
    "Lower section_depth or raise section_min_pages.", "Too many sitemaps")
UNLISTED_SITEMAP = Kind("unlisted-sitemap", "warning",
    "The index or robots.txt lists every sitemap in the directory.",
    "Remove it if an earlier build left it, or list it in the index.", needs="directory")
REDUNDANT_SITEMAP = Kind("redundant-sitemap", "notice",
    "No second sitemap repeats the index, except a flat sitemap.xml that robots.txt does not name.",
    "Remove that line. The index is enough. The file itself can stay if a theme reads it.")
LISTED_BESIDE_INDEX = Kind("listed-beside-index", "warning",
    "The index lists every page that a flat sitemap beside it lists.",
    "List these pages in the index, or leave them out of that file. The generator's own settings decide what it "
    "writes there. If nothing reads the file, remove it.")
UNPROVEN_CROSS_SITE = Kind("unproven-cross-site", "error",
    "If the index lists another site, the robots.txt of that site names the index.",
    "Add the `Sitemap:` line to the robots.txt of that site.")

# Dates

INVALID_DATE = Kind("invalid-date", "error",
    "A <lastmod> is a valid W3C date, and not empty. If it has a time, it has a time zone.",
    "Write YYYY-MM-DD or YYYY-MM-DDThh:mm:ssZ, or leave it out.", "Invalid date")
FUTURE_DATE = Kind("future-date", "warning",
    "No <lastmod> is in the future.",
    "Write the date of the last change.")
STALE_INDEX_DATE = Kind("stale-index-date", "warning",
    "No page is newer than the date of its sitemap in the index.",
    "In the index, give the sitemap the date of its newest change.")
BUILD_STAMP = Kind("build-stamp", "warning",
    "The pages of a site do not have the time of the build as their date.",
    "Write the date of each page's last change, or write no dates.")
FALSE_DATE = Kind("false-date", "warning",
    "With `--sources`: a page has the date of its source's last change in git.",
    "Build again in a clone with the whole history, or write no dates.", needs="sources")
UNCOMPARED_DATES = Kind("uncompared-dates", "warning",
    "With `--sources`: the date of at least one page can be compared with git.",
    "Name the root of the project that holds the pages' sources. It must be a clone with the whole history, and "
    "git must be installed.", needs="sources")
UNDATED_PAGES = Kind("undated-pages", "warning",
    "Git has a date for every page whose source is committed. The option `undated` sets the level.",
    "Build with git installed, in a clone with the whole history. Or add `lastmod:` to these pages' front matter.",
    needs="build")
UNDATED_BY_NATURE = Kind("undated-by-nature", "notice",
    "A page that is generated or not yet committed has a date only if its author writes one.",
    "Commit new files. Generated pages can have a `lastmod:` or `depends:` in their front matter.", needs="build")
SOURCES_NOT_FOUND = Kind("sources-not-found", "warning",
    "Every pattern of `sources` finds the source of at least one page.",
    "Pages without a source have no date. Correct the pattern: {path} is a page's path, and {name} is its last part.",
    needs="build")
BULK_COMMIT = Kind("bulk-commit", "notice",
    "No commit that only reformats files gives its date to many pages.",
    "If this commit changed no content, list it in .git-blame-ignore-revs at the root of the repository.",
    needs="build")
UNCOMMITTED_EDITS = Kind("uncommitted-edits", "notice",
    "All edits are committed before they are published, so that the dates include them.",
    "Commit the edits before you publish the site.", needs="build")

# Pages

MISSING_PAGE = Kind("missing-page", "warning",
    "The directory of the site has a file for every listed page.",
    "Build the page, or build the sitemaps again without it.", "Not found (404)", needs="directory")
PAGE_ERROR = Kind("page-error", "error",
    "The server sends a listed page. It does not answer with an error, or with a redirect to nowhere.",
    "Publish the page, or leave it out of the sitemap.", needs="answers")
PAGE_UNREACHABLE = Kind("page-unreachable", "error",
    "The server answers when a listed page is requested.",
    "Make sure that the server sends the page.", "URLs not accessible", needs="answers")
EMPTY_PAGE = Kind("empty-page", "warning",
    "A listed page has visible content.",
    "Add content to it, or leave it out of the sitemap.", "Soft 404", needs="pages")
PAGE_REDIRECTS = Kind("page-redirects", "warning",
    "A listed page does not redirect.",
    "List the URL that it leads to.", "URLs not followed", needs="pages")
NOINDEX_PAGE = Kind("noindex-page", "warning",
    "A listed page is not marked noindex.",
    "If search engines should find the page, remove the noindex. If not, leave it out of the sitemap.",
    "Excluded by 'noindex' tag", needs="pages")
NOINDEX_IN_BODY = Kind("noindex-in-body", "warning",
    "A robots meta is in the head of a page, where all search engines read it.",
    "If search engines should not show the page, let the theme write the meta into the head. If not, remove it.",
    needs="pages")
CANONICAL_ELSEWHERE = Kind("canonical-elsewhere", "warning",
    "A listed page has no canonical URL other than its own.",
    "List the canonical URL.", "Alternate page with proper canonical tag", needs="pages")
LISTED_ERROR_PAGE = Kind("listed-error-page", "warning",
    "No sitemap lists an error page.",
    "Leave it out of the sitemap.", "Soft 404", needs="pages")
UNLISTED_PAGE = Kind("unlisted-page", "notice",
    "Every page in the directory is in a sitemap, unless the page or a setting says why not (noindex, `exclude`).",
    "If the page is new, build the site again. If an earlier build left it, remove it. To leave it out on purpose, "
    "mark it noindex or exclude it in the settings.", needs="directory")
ORPHAN_PAGE = Kind("orphan-page", "notice",
    "With `--links`: another listed page links to every listed page except the home page.",
    "Link to it from a page that readers find. If nobody should find it, leave it out of the sitemap.", needs="links")
UNLISTED_BUT_LINKED = Kind("unlisted-but-linked", "notice",
    "With `--links`: a page that a listed page links to is listed, unless the page or a setting says why not.",
    "List it. If search engines should not show it, mark it noindex, or exclude it in the settings.", needs="links")
UNREADABLE_DIRECTORY = Kind("unreadable-directory", "error",
    "Every directory of the site is readable.",
    "Its pages are unknown. Let the user who runs this command read and enter it: chmod u+rx.", needs="directory")
UNREADABLE_RULE = Kind("unreadable-rule", "warning",
    "Hosts can read every rule in `_redirects` and `_headers`.",
    "Correct the rule. Hosts skip it.", needs="directory")
NOTHING_LISTED = Kind("nothing-listed", "warning",
    "At least one page of the site is listed.",
    "No sitemap is written. Check whether a setting, the theme or front matter leaves out every page by mistake.",
    needs="build")
NOINDEX_NOT_RENDERED = Kind("noindex-not-rendered", "notice",
    "If front matter marks a page as noindex or private, its HTML says noindex too.",
    'Let the theme write <meta name="robots" content="noindex"> into the head of such pages, or let the server '
    "send X-Robots-Tag: noindex.", needs="directory")
STRAY_PAGES = Kind("stray-pages", "notice",
    "Every HTML file in the output belongs to a page of the build, or is not meant for search engines.",
    "No sitemap lists them. To list them, run `smindex build`, which lists every HTML file. If an earlier run left "
    "files, delete them. Name the others under `exclude`.", needs="build")
FAILED_FILTER = Kind("failed-filter", "error",
    "The function that `filter` names returns each page, a changed one, or None, and raises nothing.",
    "The page is listed as it would be without `filter`. Correct the function.", needs="build")

# robots.txt

ROBOTS_BLOCKS_PAGE = Kind("robots-blocks-page", "warning",
    "robots.txt does not block listed URLs for Googlebot.",
    "Remove or narrow that rule, or leave the page out of the sitemap.",
    "Sitemap contains URLs which are blocked by robots.txt", needs="site")
ROBOTS_BLOCKS_SITEMAP = Kind("robots-blocks-sitemap", "warning",
    "robots.txt does not block sitemaps or indexes for Googlebot.",
    "Add an `Allow:` line for it to robots.txt.", "Blocked by robots.txt", needs="site")
ROBOTS_BLOCKS_IMAGE = Kind("robots-blocks-image", "warning",
    "robots.txt does not block listed images for Googlebot.",
    "Remove or narrow that rule, or leave the image out of the sitemap.", needs="site")
ROBOTS_UNREACHABLE = Kind("robots-unreachable", "error",
    "The server answers requests for robots.txt (404 is fine). If it fails, crawlers treat the site as blocked.",
    "Make the server send the file, or 404 if there is none.", "URLs not accessible", needs="live")
ROBOTS_WITHOUT_SITEMAP = Kind("robots-without-sitemap", "warning",
    "robots.txt names the sitemap or the index.",
    "Add a `Sitemap:` line with the full URL of the index, or set `robots_txt: write`.", needs="site")
ROBOTS_WITHOUT_INDEX = Kind("robots-without-index", "notice",
    "robots.txt names the index of this build, unless you submit the index to search engines.",
    "Add a `Sitemap:` line with the full URL of the index, or set `robots_txt: write`.", needs="build")
ROBOTS_NAMES_OTHER_ADDRESS = Kind("robots-names-other-address", "warning",
    "`Sitemap:` lines in robots.txt have the site's scheme, and use www. exactly when the site does.",
    "Use the site's address there, or build the site with that address.", needs="site")
ROBOTS_NAMES_MISSING_SITEMAP = Kind("robots-names-missing-sitemap", "error",
    "Every `Sitemap:` line in robots.txt names a file that exists.",
    "Correct the URL, build the sitemap, or remove the line.", "HTTP error 404", needs="site")
ROBOTS_RELATIVE_SITEMAP = Kind("robots-relative-sitemap", "warning",
    "`Sitemap:` lines in robots.txt have full URLs.",
    "Write the full URL, with https:// and the host.", needs="site")
ROBOTS_IS_HTML = Kind("robots-is-html", "warning",
    "robots.txt is a text file, not an error page.",
    "Serve a text file, or answer 404.", needs="site")
ROBOTS_UNREAD_LINE = Kind("robots-unread-line", "notice",
    "Crawlers read every line of robots.txt.",
    "Correct the spelling, put rules below a `User-agent` line, and use a robots meta in place of `Noindex`.",
    needs="site")
ROBOTS_IN_SUBDIRECTORY = Kind("robots-in-subdirectory", "warning",
    "robots.txt is at the root of the host, because crawlers read no other robots.txt.",
    "Move its lines to the robots.txt at the root of the host.", needs="directory")
ROBOTS_NOT_WRITTEN = Kind("robots-not-written", "warning",
    "With `robots_txt: write`, the build can read and change robots.txt.",
    "The file is unchanged. Correct it, and add the `Sitemap:` line.", needs="build")

# Languages

INVALID_HREFLANG = Kind("invalid-hreflang", "warning",
    "Every language variant has an absolute URL, and a valid language tag or x-default.",
    "Write a language, with a script or a region if needed (de, zh-Hant, en-GB), or x-default.")
HREFLANG_WITHOUT_SELF = Kind("hreflang-without-self", "warning",
    "A page that names language variants also names itself.",
    "Add a link to the page itself, with its own hreflang.")
HREFLANG_CONTRADICTION = Kind("hreflang-contradiction", "warning",
    "A page has only one variant in each language.",
    "Keep one page for each language.")
HREFLANG_NOT_MUTUAL = Kind("hreflang-not-mutual", "warning",
    "If page A names page B as its language variant, B names A too.",
    "Let both pages name each other. Search engines ignore a link in one direction only.")
MISSING_VARIANT = Kind("missing-variant", "warning",
    "Every language variant below the site's address is a page of the site, named by its own URL.",
    "Correct the link, or build that page.", needs="build")
ACCIDENTAL_TRANSLATION = Kind("accidental-translation", "notice",
    "Pages that are translations of each other are in different languages.",
    "No variants are written for them. Pelican treats articles with the same slug as translations. Give each "
    "article its own slug or its own `lang`, or set ARTICLE_TRANSLATION_ID = None.", needs="build")

# Images, videos and news

INVALID_MEDIA_URL = Kind("invalid-media-url", "error",
    "The URLs of images, thumbnails, videos and players are absolute http or https URLs.",
    "Write an absolute http or https URL.", "Invalid URL")
TOO_MANY_IMAGES = Kind("too-many-images", "warning",
    "An entry has at most 1,000 images.",
    "Name the most important ones under sitemap.images in the page's front matter.")
VIDEO_IS_ITS_PAGE = Kind("video-is-its-page", "error",
    "The file and the player of a video have their own URLs, not the URL of their page.",
    "Write the URL of the video's file, or of a player that shows only the video.",
    "Video location = play page; Video location looks like a play page")
OLD_NEWS = Kind("old-news", "warning",
    "An article in a news sitemap is at most two days old.",
    "Remove it from the news sitemap.")
TOO_MANY_NEWS = Kind("too-many-news", "error",
    "A news sitemap has at most 1,000 articles.",
    "Split it, or remove articles older than two days.", "Too many News URLs")

# Options and front matter

UNMATCHED_PATTERN = Kind("unmatched-pattern", "warning",
    "Every pattern and path in the options matches something in the site.",
    "Correct it, or remove it.", needs="build")
UNREAD_OPTIONS = Kind("unread-options", "warning",
    "`smindex build` can read the options that the configuration of the generator has for the plugin.",
    "This command ran without them. Correct them, or write them as plain values. Or give them with --set or in "
    "[tool.smindex] of pyproject.toml.", needs="build")
INVALID_FRONT_MATTER = Kind("invalid-front-matter", "warning",
    "The dates in front matter, `depends`, and the values under `sitemap`, are valid.",
    "Correct the front matter. The page is listed without the wrong value.", needs="build")
UNKNOWN_DEPENDENCY = Kind("unknown-dependency", "warning",
    "Every file that a page depends on is in the repository.",
    "Pages that depend on it have no date. Correct the name. It is relative to the root of the git repository.",
    needs="build")
PRIVATE_ADDRESS = Kind("private-address", "warning",
    "The site's address is public, not on a private machine or network.",
    "Give the address that visitors use: `site_url`, in Pelican `SITEURL` in publishconf.py, in Sphinx "
    "`html_baseurl`, or --site-url.", needs="build")
DOUBTFUL_ADDRESS = Kind("doubtful-address", "notice",
    "The site's address is not an example, and its host has a dot.",
    "If visitors use another address, give that one: `site_url`, in Pelican `SITEURL`, in Sphinx `html_baseurl`, "
    "or --site-url.", needs="build")

# Tables

INVALID_ROWS = Kind("invalid-rows", "warning",
    "Every row of a table has the URL of a page of the site. Its date, language variants and images are valid.",
    "Correct these rows, or leave them out of the table. --rejected FILE writes all of them to a file.", needs="build")
REPEATED_ROWS = Kind("repeated-rows", "notice",
    "Every row of a table has a URL of its own.",
    "If other rows should count, make the table distinct. --rejected FILE writes the rows that do not count to a file.",
    needs="build")

# Writing, joining, and other tools

FILE_NOT_OURS = Kind("file-not-ours", "error",
    "No file of another tool has the name of a sitemap.",
    "Rename or remove it.", needs="build")
CANNOT_WRITE = Kind("cannot-write", "error",
    "The output directory is writable.",
    "Make the output directory writable, and check that the disk is not full. The earlier index is unchanged.",
    needs="build")
DIRECTORY_IN_USE = Kind("directory-in-use", "error",
    "Only one run at a time writes sitemaps into a directory.",
    "Wait until it ends, or stop it, and try again.", needs="build")
UNREADABLE_VERSIONS = Kind("unreadable-versions", "error",
    "versions.json has the form that mike writes.",
    "Deploy with mike again, or correct the JSON.", needs="build")
VERSION_WITHOUT_SITEMAP = Kind("version-without-sitemap", "error",
    "Every version to join has an index or a sitemap.",
    "Deploy it again with a site_url, or choose other versions with --versions.", needs="build")
NOTHING_TO_LIST = Kind("nothing-to-list", "error",
    "The index may list at least one of the sitemaps that were found.",
    "Nothing was written. Correct the other findings first.", needs="build")
READ_THE_DOCS_ADDRESS = Kind("read-the-docs-address", "notice",
    "On Read the Docs, site_url is the address at which this version is served.",
    "Take the address from the environment variable READTHEDOCS_CANONICAL_URL.", needs="build")
READ_THE_DOCS_SITEMAP = Kind("read-the-docs-sitemap", "notice",
    "On Read the Docs, search engines find the index: it is called sitemap.xml, or robots.txt names it.",
    "Name the index in the robots.txt at the root of the documentation.", needs="build")

# fmt: on

CATALOGUE = {kind.name: kind for kind in list(globals().values()) if isinstance(kind, Kind)}
"""All kinds, by name, in the order in which they are defined above."""

CHECKED = {name: kind for name, kind in CATALOGUE.items() if kind.needs != "build"}
"""The kinds that `smindex check` can find."""
