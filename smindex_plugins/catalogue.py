"""All kinds of findings: of builds, joins and runs over tables, of the reader of sitemaps, and of checks."""

from dataclasses import dataclass
from typing import Literal

from smindex_plugins import urls
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
    """A slug. `smindex explain` and `--ignore` take it."""
    level: Level
    title: str
    """What is wrong, as a heading without a capital letter."""
    why: str
    """Why it matters."""
    fix: str
    """How to fix it. A finding can have a more precise fix."""
    console: str = ""
    """The name of the problem in Search Console, or an empty string if Search Console does not report it."""
    needs: Need = ""
    """What has to be checked to find it. ``build`` means that only builds, joins and runs over tables report it."""

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


# A kind has its title on the first line, then why it matters, then its fix.
# fmt: off

# Sitemap files

UNREADABLE_SITEMAP = Kind("unreadable-sitemap", "error", "sitemap is not well-formed XML",
    "Search engines read a broken file only up to the error, or not at all.",
    "Build the site again. If you edited the file by hand, correct the XML.", "Parsing error")
UNSUPPORTED_FORMAT = Kind("unsupported-format", "error", "not a sitemap",
    "Search engines accept a urlset, a sitemap index, a list of URLs, or a feed. They reject everything else, such as "
    "an HTML page.",
    "Put the sitemap there. Often, an error page has taken its place.", "Unsupported format")
WRONG_NAMESPACE = Kind("wrong-namespace", "error", "wrong XML namespace",
    "Search engines recognize the tags of sitemaps and their extensions only in the exact namespaces.",
    "Declare the namespace that the documentation of the protocol or of Google gives.", "Incorrect namespace")
LEADING_WHITESPACE = Kind("leading-whitespace", "error", "text before the XML declaration",
    "XML allows nothing before its declaration, not even a byte order mark. Parsers stop there.",
    "Remove everything before the XML declaration.", "Leading whitespace")
WRONG_ENCODING = Kind("wrong-encoding", "error", "sitemap is not UTF-8",
    "The protocol allows only UTF-8. Search engines may misread the URLs, or stop at the first wrong byte.",
    "Save it as UTF-8.", "Parsing error")
DOCUMENT_TYPE = Kind("document-type", "error", "document type declaration",
    "The protocol has no document types, and many parsers refuse them for security.",
    "Remove <!DOCTYPE …>.", "Parsing error")
COMPRESSION_ERROR = Kind("compression-error", "error", "wrong compression",
    "A .gz file must be complete and compressed once. A file with another name must not be compressed.",
    "Compress the file once, or rename it.", "Compression error")
EMPTY_SITEMAP = Kind("empty-sitemap", "error", "empty sitemap",
    "Search Console reports an error for a sitemap without URLs, and for an index without sitemaps. Only a news "
    "sitemap may be empty.",
    "Check why the build lists nothing there. If that is intended, remove the file, and its line in the index or in "
    "robots.txt.", "Empty sitemap")
TOO_LARGE = Kind("too-large", "error", "sitemap too large",
    "Search engines read at most 52,428,800 bytes of a sitemap, counted before compression.",
    "Split it into several sitemaps that an index lists.", "Sitemap file size error")
TOO_MANY_URLS = Kind("too-many-urls", "error", "too many URLs in a sitemap",
    "Search engines reject a sitemap with more than 50,000 URLs.",
    "Split it into several sitemaps that an index lists.", "Too many URLs")
FEED_AS_SITEMAP = Kind("feed-as-sitemap", "notice", "feed used as a sitemap",
    "Search engines accept a feed, but it lists only the newest pages.",
    "List every page in a sitemap too.")
UNFETCHED_SITEMAP = Kind("unfetched-sitemap", "error", "sitemap cannot be fetched",
    "Search engines see nothing of a sitemap that the server does not send.",
    "Make sure that the server sends the file.", "Couldn't fetch", needs="live")
SITEMAP_REDIRECTS = Kind("sitemap-redirects", "warning", "sitemap URL redirects",
    "Search Console expects the file at the listed URL, and may not follow a redirect.",
    "List the URL it redirects to, or serve the file without a redirect.", "URLs not followed", needs="live")
WRONG_CONTENT_TYPE = Kind("wrong-content-type", "warning", "sitemap served as HTML",
    "Search engines can take a file that is sent as an HTML page for an error page.",
    "Serve it as application/xml, or as text/plain if it is a text file.", "Unsupported format", needs="live")

# Tags

MISSING_LOC = Kind("missing-loc", "error", "entry without a URL",
    "An entry without a <loc> lists nothing, and Search Console reports it.",
    "Add its URL, or remove the entry.", "Missing XML tag")
REPEATED_TAG = Kind("repeated-tag", "error", "repeated tag",
    "An entry may contain each of these tags once. Search engines ignore the entry, or choose one of the tags.",
    "Keep one of them.", "Invalid XML: too many tags")
UNKNOWN_TAG = Kind("unknown-tag", "error", "unknown tag",
    "Search engines ignore tags that are not part of the protocol or its extensions, or that are in the wrong place.",
    "Remove the tag.", "Invalid tag value")
MISSING_TAG = Kind("missing-tag", "error", "missing tag",
    "An image, a video and an article each have required tags. Search engines ignore those that lack one.",
    "Add the tag.", "Missing XML tag; Missing thumbnail URL; Missing video title; Missing <publication> tag")
INVALID_ATTRIBUTE = Kind("invalid-attribute", "error", "missing or invalid attribute",
    "Search engines ignore a tag without a required attribute, or with a value that is not allowed.",
    "Write one of the allowed values.", "Missing XML attribute; Invalid attribute value")
INVALID_VALUE = Kind("invalid-value", "error", "invalid value",
    "Search engines ignore a changefreq, a priority, or a detail of a video or an article whose value is not allowed.",
    "Correct the value, or leave it out.", "Invalid tag value; Invalid date")
STRAY_TEXT = Kind("stray-text", "error", "stray text",
    "Text outside a tag that holds a value is not part of the protocol. Usually a program printed it into the file.",
    "Remove the text. Check whether a program printed a message into the file.", "Parsing error")
PADDED_VALUE = Kind("padded-value", "warning", "spaces around a value",
    "Some readers take the spaces for a part of the URL or the date.",
    "Remove the spaces.")
IGNORED_HINTS = Kind("ignored-hints", "notice", "changefreq or priority",
    "Google and Bing ignore both tags.",
    "Leave them out to save bytes.")
RETIRED_TAG = Kind("retired-tag", "notice", "retired tag or attribute",
    "Google no longer reads it.",
    "Leave it out to save bytes.")

# URLs

INVALID_URL = Kind("invalid-url", "error", "invalid URL",
    "Search engines need an absolute http or https URL with a host, and without a user name. They ignore everything "
    "else.",
    "List absolute URLs, with a scheme and a host.", "Invalid URL; Invalid URL in sitemap index file: incomplete URL")
UNESCAPED_URL = Kind("unescaped-url", "error", "unescaped URL",
    "RFC 3986 allows only some characters in a URL. All others, such as spaces, have to be percent-encoded.",
    "Percent-encode it.", "Invalid URL")
TWICE_ESCAPED_URL = Kind("twice-escaped-url", "error", "URL escaped twice",
    "An & is written as &amp; in XML. Escaped again as &amp;amp;, it gives a URL that does not exist.",
    "Escape it only once.", "Invalid URL")
DOUBLED_SLASH = Kind("doubled-slash", "warning", "double slash in a path",
    "The URL with // is another one than the URL that pages link to. Usually the site's address ends with a slash and "
    "the path begins with one.",
    "Write one slash.")
PRIVATE_HOST = Kind("private-host", "error", "URL on a private host",
    "Search engines cannot reach this machine or a private network. Usually a development build was published.",
    "Build the site with its public address.", "URLs not accessible", needs="files")
URL_WITH_FRAGMENT = Kind("url-with-fragment", "error", "URL with a fragment",
    "Browsers and crawlers do not send the part after #, so the URL is that of another page.",
    "Remove the # and everything after it.", "Invalid URL")
URL_TOO_LONG = Kind("url-too-long", "error", "URL too long",
    "The protocol allows fewer than 2,048 characters.",
    "Shorten its path.", "Invalid URL")
WWW_MISMATCH = Kind("www-mismatch", "error", "www. mismatch",
    "A sitemap may list only URLs of its own host. With and without www. are two hosts.",
    "Use www. in the site's address and all URLs, or in none. Choose the form that the server does not redirect.",
    "Path mismatch: Missing www; Path mismatch: Includes www")
OUTSIDE_SCOPE = Kind("outside-scope", "error", "URL outside the scope of its sitemap",
    "Search engines ignore URLs that are not on the scheme, host and port of the sitemap, and under its directory.",
    "List the page in a sitemap of its own directory or above.", "URL not allowed")
DUPLICATE_URL = Kind("duplicate-url", "error", "URL listed twice",
    "A URL belongs in one sitemap, and a sitemap in the index once. Otherwise their dates can contradict "
    "each other.",
    "Keep one of the two.")
TWIN_URL = Kind("twin-url", "warning", "nearly identical URLs",
    "The URLs differ only in a trailing slash, index.html, letter case or escaping. Usually they lead to one page, "
    "and only one of them is canonical.",
    "Keep the canonical one.")
UNLISTABLE_URL = Kind("unlistable-url", "warning", "page URL too long",
    "The protocol allows fewer than 2,048 characters.",
    "The page is not listed. Shorten its path.", needs="build")
ENTRY_TOO_LARGE = Kind("entry-too-large", "error", "page too large for a sitemap",
    "The entry of the page alone exceeds 52,428,800 bytes.",
    "The page is not listed. Give it fewer language variants or images.", needs="build")
SHARED_URL = Kind("shared-url", "notice", "several pages with one URL",
    "Readers and search engines see only one of these pages.",
    "This URL is listed once. Give each of the pages its own URL.", needs="build")
CANONICAL_MISSING = Kind("canonical-missing", "warning", "canonical URL of a missing page",
    "The canonical URL leads to no page of the site, so search engines may drop this page.",
    "The page is not listed. Correct the canonical URL.", needs="build")
CANONICAL_OUTSIDE = Kind("canonical-outside", "warning", "canonical URL outside the site",
    "Search engines index the canonical URL, which a sitemap of this site cannot list.",
    "The page is not listed. Correct the canonical URL, or list the page in the sitemap of the other site.",
    needs="build")

# Sitemap index

SITEMAP_OUTSIDE_INDEX = Kind("sitemap-outside-index", "error", "sitemap outside the scope of its index",
    "Search engines accept only sitemaps on the scheme, host and port of the index, in its directory or deeper.",
    "Put the index into a directory above everything that it lists.", "URL not allowed")
MISSING_SITEMAP = Kind("missing-sitemap", "error", "listed sitemap is missing",
    "Search engines cannot see the pages of a sitemap that does not exist.",
    "Build the site again, or remove the entry from the index.", "HTTP error 404")
NESTED_INDEX = Kind("nested-index", "error", "index lists an index",
    "Search engines read only sitemaps from an index, not other indexes.",
    "List the sitemaps of that index instead.", "Incorrect sitemap index format: Nested sitemap indexes")
TOO_MANY_SITEMAPS = Kind("too-many-sitemaps", "error", "too many sitemaps",
    "An index may list at most 50,000 sitemaps. Search Console accepts at most 500 indexes per site.",
    "Lower section_depth or raise section_min_pages.", "Too many sitemaps")
UNLISTED_SITEMAP = Kind("unlisted-sitemap", "warning", "sitemap listed nowhere",
    "Search engines do not find a sitemap that neither the index nor robots.txt lists.",
    "List the sitemap in the index. If an earlier build left it, remove it.", needs="directory")
REDUNDANT_SITEMAP = Kind("redundant-sitemap", "notice", "second sitemap or index of the same pages",
    "Search engines then fetch the same URLs twice.",
    "Remove its line in robots.txt, because the index is enough. The file itself can stay if a theme reads it.")
LISTED_BESIDE_INDEX = Kind("listed-beside-index", "warning", "sitemap lists pages that the index leaves out",
    "Search engines that find the flat sitemap also find pages that were left out on purpose.",
    "List these pages in the index, or leave them out of that file: see the settings of the generator. If nothing "
    "reads the file, remove it.")
UNPROVEN_CROSS_SITE = Kind("unproven-cross-site", "error", "other site does not allow its URLs here",
    "An index may list another site only if the robots.txt of that site names the index.",
    "Add the `Sitemap:` line to the robots.txt of that site.")

# Dates

INVALID_DATE = Kind("invalid-date", "error", "invalid date",
    "Search engines ignore a <lastmod> that is not a W3C date. A time needs a time zone.",
    "Write YYYY-MM-DD or YYYY-MM-DDThh:mm:ssZ, or leave it out.", "Invalid date")
FUTURE_DATE = Kind("future-date", "warning", "date in the future",
    "No page can have changed in the future. Search engines may stop trusting the dates of the site.",
    "Write the date of the last change.")
STALE_INDEX_DATE = Kind("stale-index-date", "warning", "index older than its pages",
    "Search engines may not fetch the sitemap again if its date in the index is older than its newest page.",
    "In the index, give the sitemap the date of its newest change.")
BUILD_STAMP = Kind("build-stamp", "warning", "time of the build as the date of pages",
    "The date is that of the build, not of the last change. Google uses dates only if they consistently match reality.",
    "Write the date of each page's last change, or write no dates.")
FALSE_DATE = Kind("false-date", "warning", "date contradicts git",
    "Git shows another date for the source. Google uses dates only if they consistently match reality.",
    "Build again in a clone with the whole history, or write no dates.", needs="sources")
UNCOMPARED_DATES = Kind("uncompared-dates", "warning", "no date could be compared with git",
    "With --sources, every date should be compared with the history of its source. Nothing was checked.",
    "Pass the root of the project that contains the sources. It must be a clone with the whole history, and git must "
    "be installed.", needs="sources")
UNDATED_PAGES = Kind("undated-pages", "warning", "pages without a date",
    "Git has no reliable date for these pages, although their sources are committed. Search engines then cannot know "
    "what changed. The option `undated` sets the level.",
    "Build with git installed, in a clone with the whole history. Or add `lastmod:` to the front matter of these "
    "pages.", needs="build")
UNDATED_BY_NATURE = Kind("undated-by-nature", "notice", "generated or uncommitted pages without a date",
    "Git cannot know when such a page changed, so it has no <lastmod>.",
    "Commit new files. A script that generates Markdown can write `lastmod:` or `depends:` into its front matter. "
    "Other generated pages need no date.", needs="build")
SOURCES_NOT_FOUND = Kind("sources-not-found", "warning", "pattern of `sources` finds no file",
    "The history of its source gives a page its date.",
    "Pages without a source have no date. Correct the pattern: {path} is the path of a page, and {name} is its last "
    "part.", needs="build")
BULK_COMMIT = Kind("bulk-commit", "notice", "one commit dates many pages",
    "A commit that only reformats files dates all of them anew, although their content is old.",
    "If this commit changed no content, list it in .git-blame-ignore-revs at the root of the repository.",
    needs="build")
UNCOMMITTED_EDITS = Kind("uncommitted-edits", "notice", "uncommitted edits",
    "The dates come from commits, so they do not include these edits.",
    "Commit the edits before you publish the site.", needs="build")

# Pages

MISSING_PAGE = Kind("missing-page", "warning", "listed page is missing",
    "The directory has no file for a listed URL, so visitors and search engines get an error.",
    "Build the page, or build the sitemaps again without it.", "Not found (404)", needs="directory")
PAGE_ERROR = Kind("page-error", "error", "listed page returns an error",
    "Search engines drop a page when the server answers with an error, or with a redirect to nowhere.",
    "Publish the page, or leave it out of the sitemap.", needs="answers")
PAGE_UNREACHABLE = Kind("page-unreachable", "error", "listed page cannot be fetched",
    "Search engines cannot index a page when the server does not answer.",
    "Make sure that the server sends the page.", "URLs not accessible", needs="answers")
EMPTY_PAGE = Kind("empty-page", "warning", "listed page is empty",
    "Google reports a page without visible content as a soft 404, which is an error.",
    "Add content to it, or leave it out of the sitemap.", "Soft 404", needs="pages")
PAGE_REDIRECTS = Kind("page-redirects", "warning", "listed page redirects",
    "A sitemap should list the URL of the page itself. Search engines index the target.",
    "List the URL it redirects to.", "URLs not followed", needs="pages")
NOINDEX_PAGE = Kind("noindex-page", "warning", "listed page is marked noindex",
    "The sitemap asks search engines to index the page, and the page forbids it.",
    "If search engines should show the page, remove the noindex. If not, leave it out of the sitemap.",
    "Excluded by 'noindex' tag", needs="pages")
NOINDEX_IN_BODY = Kind("noindex-in-body", "warning", "robots meta outside the head",
    "Not all search engines read a robots meta in the body.",
    "If search engines should not show the page, move the meta into the head. If they should, remove it.",
    needs="pages")
CANONICAL_ELSEWHERE = Kind("canonical-elsewhere", "warning", "listed page has another canonical URL",
    "Search engines index the canonical URL in place of the listed one.",
    "List the canonical URL.", "Alternate page with proper canonical tag", needs="pages")
LISTED_ERROR_PAGE = Kind("listed-error-page", "warning", "error page is listed",
    "An error page is not for search results.",
    "Leave it out of the sitemap.", "Soft 404", needs="pages")
UNLISTED_PAGE = Kind("unlisted-page", "notice", "page in no sitemap",
    "Search engines may not find the page. Neither the page (noindex, redirect) nor a setting (`exclude`) says why it "
    "is left out.",
    "If the page is new, build the site again. If an earlier build left it, remove it. To leave it out on purpose, "
    "mark it noindex or exclude it in the settings.", needs="directory")
ORPHAN_PAGE = Kind("orphan-page", "notice", "no page links to a listed page",
    "With --links: readers cannot find the page, and search engines may consider it unimportant.",
    "Link to it from a page that readers find. If nobody should find it, leave it out of the sitemap.", needs="links")
UNLISTED_BUT_LINKED = Kind("unlisted-but-linked", "notice", "linked page in no sitemap",
    "With --links: readers can find the page, but no sitemap lists it, and neither the page nor a setting says why.",
    "List the page. If search engines should not show it, mark it noindex, or exclude it in the settings.",
    needs="links")
UNREADABLE_DIRECTORY = Kind("unreadable-directory", "error", "directory cannot be read",
    "Pages in that directory are neither listed nor checked.",
    "Let the user who runs the command read and enter the directory: chmod u+rx.", needs="directory")
UNREADABLE_RULE = Kind("unreadable-rule", "warning", "invalid rule in `_redirects` or `_headers`",
    "Hosts skip the rule, so redirects or headers are missing.",
    "Correct the rule.", needs="directory")
NOTHING_LISTED = Kind("nothing-listed", "warning", "no page is listed",
    "Search engines learn about no page of the site.",
    "Check whether a setting, the theme or front matter leaves out every page by mistake.", needs="directory")
NOINDEX_NOT_RENDERED = Kind("noindex-not-rendered", "notice", "noindex is missing in the HTML",
    "Front matter marks the page as noindex or private, but its HTML does not say so. Search engines that find it by "
    "a link will index it.",
    'Let the theme write <meta name="robots" content="noindex"> into the head of such pages, or let the server send '
    "X-Robots-Tag: noindex.", needs="directory")
STRAY_PAGES = Kind("stray-pages", "notice", "HTML files that belong to no page",
    "The build did not make these files, so it does not know whether they are for search engines.",
    "No sitemap lists them. To list them, run `smindex build`, which lists every HTML file. If an earlier run left "
    "files, delete them. Add the others to `exclude`.", needs="build")
FAILED_FILTER = Kind("failed-filter", "error", "the `filter` function failed",
    "The function returns each page, a changed copy, or None, and raises nothing.",
    "The page is listed as it would be without `filter`. Correct the function.", needs="build")

# robots.txt

ROBOTS_BLOCKS_PAGE = Kind("robots-blocks-page", "warning", "robots.txt blocks listed pages",
    "Googlebot does not fetch these pages, although the sitemap lists them.",
    "Remove or narrow the rule, or leave the pages out of the sitemap.",
    "Sitemap contains URLs which are blocked by robots.txt", needs="site")
ROBOTS_BLOCKS_SITEMAP = Kind("robots-blocks-sitemap", "warning", "robots.txt blocks a sitemap",
    "Googlebot does not fetch the sitemap or the index.",
    "Add an `Allow:` line for it to robots.txt.", "Blocked by robots.txt", needs="site")
ROBOTS_BLOCKS_IMAGE = Kind("robots-blocks-image", "warning", "robots.txt blocks listed images",
    "Googlebot does not fetch these images, although the sitemap lists them.",
    "Remove or narrow the rule, or leave the images out of the sitemap.", needs="site")
ROBOTS_UNREACHABLE = Kind("robots-unreachable", "error", "robots.txt cannot be fetched",
    "If the server fails to answer, crawlers treat the whole site as blocked. 404 is fine.",
    "Make the server send the file, or 404 if there is none.", "URLs not accessible", needs="live")
ROBOTS_WITHOUT_SITEMAP = Kind("robots-without-sitemap", "notice", "robots.txt does not list the sitemap",
    "Search engines find the sitemap only if robots.txt lists it, or if you submit it to each of them.",
    "Add a `Sitemap:` line with the full URL of the index, or set `robots_txt: write`. If you submit the index in "
    "Search Console, Google does not need the line.", needs="site")
ROBOTS_NAMES_OTHER_ADDRESS = Kind("robots-names-other-address", "warning", "wrong address in robots.txt",
    "The `Sitemap:` line has another scheme than the site, or differs in www. Search engines look in the wrong place.",
    "Use the site's address there, or build the site with that address.", needs="site")
ROBOTS_NAMES_MISSING_SITEMAP = Kind("robots-names-missing-sitemap", "error", "robots.txt lists a missing sitemap",
    "The `Sitemap:` line leads to a file that does not exist.",
    "Correct the URL, build the sitemap, or remove the line.", "HTTP error 404", needs="site")
ROBOTS_RELATIVE_SITEMAP = Kind("robots-relative-sitemap", "warning", "relative URL in robots.txt",
    "Search engines ignore a `Sitemap:` line without a full URL.",
    "Write the full URL, with https:// and the host.", needs="site")
ROBOTS_IS_HTML = Kind("robots-is-html", "warning", "robots.txt is an HTML page",
    "Crawlers find no rules and no `Sitemap:` line in it. Usually it is an error page.",
    "Serve a text file, or answer 404.", needs="site")
ROBOTS_UNREAD_LINE = Kind("robots-unread-line", "notice", "ignored line in robots.txt",
    "Some or all crawlers do not read this line.",
    "Correct the spelling, move rules below a `User-agent` line, and use a robots meta in place of `Noindex`.",
    needs="site")
ROBOTS_IN_SUBDIRECTORY = Kind("robots-in-subdirectory", "warning", "robots.txt in a subdirectory",
    "Crawlers read only the robots.txt at the root of the host.",
    "Move its lines to the robots.txt at the root of the host.", needs="directory")
ROBOTS_NOT_WRITTEN = Kind("robots-not-written", "warning", "robots.txt was not changed",
    "With `robots_txt: write`, the build adds the `Sitemap:` line to robots.txt. It could not read or change this "
    "file.",
    "The file is unchanged. Correct it, and add the `Sitemap:` line.", needs="build")

# Languages

INVALID_HREFLANG = Kind("invalid-hreflang", "warning", "invalid language variant",
    "Search engines ignore a variant without an absolute URL, or without a valid language tag or x-default.",
    "Write a language, with a script or a region if needed (de, zh-Hant, en-GB), or x-default.")
HREFLANG_WITHOUT_SELF = Kind("hreflang-without-self", "warning", "language variants without the page itself",
    "Google expects each page to list all variants including itself.",
    "Add a link to the page itself, with its own hreflang.")
HREFLANG_CONTRADICTION = Kind("hreflang-contradiction", "warning", "two variants in one language",
    "Search engines cannot know which of the pages to show in that language.",
    "Keep one page per language.")
HREFLANG_NOT_MUTUAL = Kind("hreflang-not-mutual", "warning", "one-sided language variant",
    "If page A lists page B as its variant, B has to list A too. Search engines ignore a link in one direction only.",
    "Let both pages list each other.")
MISSING_VARIANT = Kind("missing-variant", "warning", "language variant is missing",
    "The link to the variant leads to no page of the site, or not to its own URL.",
    "Correct the link, or build that page.", needs="build")
ACCIDENTAL_TRANSLATION = Kind("accidental-translation", "notice", "pages in one language linked as translations",
    "Language variants are for different languages. Pelican treats articles with the same slug as translations.",
    "No variants are written for them. Give each article its own slug or its own `lang`, or set "
    "ARTICLE_TRANSLATION_ID = None.", needs="build")

# Images, videos and news

INVALID_MEDIA_URL = Kind("invalid-media-url", "error", "invalid URL of an image or video",
    "Search engines need absolute http or https URLs of images, thumbnails, videos and players.",
    "Write an absolute http or https URL.", "Invalid URL")
TOO_MANY_IMAGES = Kind("too-many-images", "warning", "too many images in an entry",
    "Google reads at most 1,000 images per page.",
    "List the most important ones under sitemap.images in the page's front matter.")
VIDEO_IS_ITS_PAGE = Kind("video-is-its-page", "error", "video URL is the URL of its page",
    "Google needs the URL of the video file, or of a player.",
    "Write the URL of the video file, or of a player that shows only the video.",
    "Video location = play page; Video location looks like a play page")
OLD_NEWS = Kind("old-news", "warning", "old article in a news sitemap",
    "Google News reads only articles of the last two days.",
    "Remove the article from the news sitemap.")
TOO_MANY_NEWS = Kind("too-many-news", "error", "too many articles in a news sitemap",
    "Google reads at most 1,000 articles in a news sitemap.",
    "Split the sitemap, or remove articles older than two days.", "Too many News URLs")

# Options and front matter

UNMATCHED_PATTERN = Kind("unmatched-pattern", "warning", "option without effect",
    "A pattern or path in the options matches nothing in the site. Usually it has a typing error.",
    "Correct it, or remove it.", needs="build")
UNREAD_OPTIONS = Kind("unread-options", "warning", "options cannot be read",
    "`smindex build` uses the options in the configuration of the generator.",
    "This command ran without them. Correct them, or write them as plain values. Or pass them with --set, or write "
    "them into [tool.smindex] of pyproject.toml.", needs="build")
INVALID_FRONT_MATTER = Kind("invalid-front-matter", "warning", "invalid front matter",
    "A date, `depends`, or a value under `sitemap` has no effect if it is invalid.",
    "Correct the front matter. The page is listed without the wrong value.", needs="build")
UNKNOWN_DEPENDENCY = Kind("unknown-dependency", "warning", "dependency not found",
    "The date of a page is that of the newest file it depends on, so all of them must be known.",
    "Pages that depend on it have no date. Correct the path. It is relative to the root of the git repository.",
    needs="build")
PRIVATE_ADDRESS = Kind("private-address", "warning", "private site address",
    "Search engines cannot reach a private machine or network, so they ignore every URL.",
    "Set the site's public URL.", needs="build")
DOUBTFUL_ADDRESS = Kind("doubtful-address", "notice", "doubtful site address",
    "The address is an example, or its host has no dot. Search engines cannot reach it.",
    "Set the site's public URL, unless visitors do use this address.", needs="build")

# Tables, writing and joining

INVALID_ROWS = Kind("invalid-rows", "warning", "invalid rows",
    "A row without the URL of a page of the site is not listed. A row with an invalid date, language variant or image "
    "is listed without it.",
    "Correct these rows, or leave them out of the table. --rejected FILE writes all of them to a file.", needs="build")
REPEATED_ROWS = Kind("repeated-rows", "notice", "rows with the same URL",
    "Only one row counts for each URL.",
    "If other rows should count, make the table distinct. --rejected FILE writes the rows that do not count to a file.",
    needs="build")
FILE_NOT_OURS = Kind("file-not-ours", "error", "file of another tool in the way",
    "A file that we did not write has the name of a sitemap. It is never overwritten.",
    "Rename or remove the file.", needs="build")
CANNOT_WRITE = Kind("cannot-write", "error", "output cannot be written",
    "The sitemaps are written together or not at all.",
    "The earlier index is unchanged. Make the output directory writable, and check that the disk is not full.",
    needs="build")
DIRECTORY_IN_USE = Kind("directory-in-use", "error", "directory in use",
    "Another run is writing sitemaps into the directory.",
    "Wait until it ends, or stop it, and try again.", needs="build")
UNREADABLE_VERSIONS = Kind("unreadable-versions", "error", "versions.json cannot be read",
    "The versions to join are unknown, because the file does not have the form that mike writes.",
    "Deploy with mike again, or correct the JSON.", needs="build")
VERSION_WITHOUT_SITEMAP = Kind("version-without-sitemap", "error", "version without a sitemap",
    "The version cannot be joined, because it has neither an index nor a sitemap.",
    "Deploy it again with a site_url, or choose other versions with --versions.", needs="build")
NOTHING_TO_LIST = Kind("nothing-to-list", "error", "nothing to list",
    "The index may list none of the sitemaps that were found.",
    "Nothing was written. Correct the other findings first.", needs="build")
READ_THE_DOCS_ADDRESS = Kind("read-the-docs-address", "notice", "address differs from Read the Docs",
    "Read the Docs serves this version at another address than `site_url`, so the sitemap lists wrong URLs.",
    "Take the address from the environment variable READTHEDOCS_CANONICAL_URL.", needs="build")
READ_THE_DOCS_SITEMAP = Kind("read-the-docs-sitemap", "notice", "Read the Docs does not announce the index",
    "Search engines find the index there only if it is called sitemap.xml, or if robots.txt lists it.",
    "List the index in the robots.txt at the root of the documentation.", needs="build")

# fmt: on

CATALOGUE = {kind.name: kind for kind in list(globals().values()) if isinstance(kind, Kind)}
"""All kinds, by name, in the order in which they are defined above."""

CHECKED = {name: kind for name, kind in CATALOGUE.items() if kind.needs != "build"}
"""The kinds that `smindex check` can find."""
