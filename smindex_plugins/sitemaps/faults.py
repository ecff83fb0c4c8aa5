"""The kinds of problems that the reader finds, without a check that looks for them."""

from smindex_plugins.catalogue import Kind

UNREADABLE_SITEMAP = Kind(
    "unreadable-sitemap",
    "error",
    "A sitemap is well-formed XML and can be read to its end.",
    "Build the site again. If you edited the file by hand, correct the XML.",
    "Parsing error",
)
UNSUPPORTED_FORMAT = Kind(
    "unsupported-format",
    "error",
    "A sitemap is a urlset, a sitemap index, a list of URLs, or a feed, but not an HTML page.",
    "Put the sitemap there. An error page may have taken its place.",
    "Unsupported format",
)
WRONG_NAMESPACE = Kind(
    "wrong-namespace",
    "error",
    "The namespaces of sitemaps and their extensions are written exactly.",
    "Declare the namespace that Google documents.",
    "Incorrect namespace",
)
LEADING_WHITESPACE = Kind(
    "leading-whitespace",
    "error",
    "Nothing comes before the XML declaration.",
    "Remove everything before it.",
    "Leading whitespace",
)
BYTE_ORDER_MARK = Kind(
    "byte-order-mark",
    "warning",
    "A sitemap does not begin with a byte order mark.",
    "Save it as UTF-8 without a byte order mark.",
    "Leading whitespace",
)
WRONG_ENCODING = Kind("wrong-encoding", "error", "A file is UTF-8.", "Save it as UTF-8.", "Parsing error")
DOCUMENT_TYPE = Kind(
    "document-type",
    "error",
    "A sitemap has no document type declaration, and so no entities.",
    "Remove <!DOCTYPE …>.",
    "Parsing error",
)
COMPRESSION_ERROR = Kind(
    "compression-error",
    "error",
    "A .gz file is complete and compressed once. A file with another name is not compressed.",
    "Compress it once, or rename it.",
    "Compression error",
)
MISSING_LOC = Kind(
    "missing-loc", "error", "Every entry has a URL in a <loc>.", "Add its URL, or remove the entry.", "Missing XML tag"
)
REPEATED_TAG = Kind(
    "repeated-tag", "error", "An entry has each element only once.", "Keep one.", "Invalid XML: too many tags"
)
UNKNOWN_TAG = Kind(
    "unknown-tag",
    "error",
    "A sitemap uses only elements of the protocol and its extensions, each in its place.",
    "Remove it.",
    "Invalid tag value",
)
MISSING_ATTRIBUTE = Kind(
    "missing-attribute",
    "error",
    "An element of an extension has all attributes that it needs.",
    "Add it.",
    "Missing XML attribute",
)
INVALID_ATTRIBUTE = Kind(
    "invalid-attribute",
    "error",
    "An attribute has one of its allowed values.",
    "Write one of the allowed values.",
    "Invalid attribute value",
)
STRAY_TEXT = Kind(
    "stray-text",
    "error",
    "Text appears only inside elements that hold a value.",
    "Remove it. Check that no message of a program got into the file.",
    "Parsing error",
)
UNKNOWN_ATTRIBUTE = Kind(
    "unknown-attribute", "warning", "The protocol's own elements have no attributes.", "Remove it."
)
WRONG_ORDER = Kind(
    "wrong-order",
    "warning",
    "In a <url>, loc comes first, then lastmod, changefreq and priority, then extensions, as the schema requires.",
    "Write loc, lastmod, then the rest.",
)
PADDED_VALUE = Kind("padded-value", "warning", "URLs and dates have no spaces around them.", "Remove the spaces.")
INVALID_HINT = Kind(
    "invalid-hint",
    "error",
    "A changefreq is one of seven words, and a priority is a number from 0.0 to 1.0.",
    "Leave it out.",
    "Invalid tag value",
)
EMPTY_DATE = Kind(
    "empty-date", "error", "A <lastmod> is not empty.", "Write a date, or leave the element out.", "Invalid date"
)
MISSING_IMAGE_TAG = Kind(
    "missing-image-tag", "error", "An image has its URL in an <image:loc>.", "Write its URL there.", "Missing XML tag"
)
INVALID_MEDIA_URL = Kind(
    "invalid-media-url",
    "error",
    "The URLs of images, thumbnails, videos and players are absolute http or https URLs.",
    "Write an absolute http or https URL.",
    "Invalid URL",
)
RETIRED_IMAGE_TAG = Kind(
    "retired-image-tag", "notice", "Google reads only the URL of an image.", "Leave it out.", is_advice=True
)
MISSING_VIDEO_TAG = Kind(
    "missing-video-tag",
    "error",
    "A video has a thumbnail, a title, a description, and a file or a player.",
    "Add it.",
    "Missing thumbnail URL; Missing video title; Missing XML tag",
)
INVALID_VIDEO_VALUE = Kind(
    "invalid-video-value",
    "error",
    "The values of a video are valid, such as a duration of 1 to 28,800 seconds.",
    "Correct the value, or leave it out.",
    "Invalid tag value; Invalid date",
)
VIDEO_OVER_LIMIT = Kind(
    "video-over-limit",
    "warning",
    "A video has a title of at most 100 characters, a description of at most 2,048, and at most 32 tags.",
    "Shorten it.",
)
VIDEO_IS_ITS_PAGE = Kind(
    "video-is-its-page",
    "error",
    "The file and the player of a video have their own URLs, not the URL of their page.",
    "Write the URL of the video's file, or of a player that shows only the video.",
    "Video location = play page; Video location looks like a play page",
)
MISSING_NEWS_TAG = Kind(
    "missing-news-tag",
    "error",
    "An article has a date, a title, and the name and language of its publication.",
    "Add it.",
    "Missing <publication> tag; Missing XML tag",
)
INVALID_NEWS_VALUE = Kind(
    "invalid-news-value",
    "error",
    "The language and the date of an article are valid.",
    "Correct the value.",
    "Invalid tag value; Invalid date",
)

FAULTS: tuple[Kind, ...] = tuple(kind for kind in list(globals().values()) if isinstance(kind, Kind))
"""All kinds, in the order in which they are defined above."""
