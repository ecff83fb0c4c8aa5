"""Everything that reading a file can meet, and no check looks for: one kind a name."""

from smindex_plugins.catalogue import Kind

UNREADABLE_SITEMAP = Kind(
    "unreadable-sitemap",
    "error",
    "A file is well-formed XML and can be read to its end.",
    "Build the site again; if it was edited by hand, mend the XML.",
    "Parsing error",
)
UNSUPPORTED_FORMAT = Kind(
    "unsupported-format",
    "error",
    "A file is a urlset, a sitemap index, a list of URLs, or a feed, and no HTML page.",
    "Upload the sitemap; see that no error page stands in its place.",
    "Unsupported format",
)
WRONG_NAMESPACE = Kind(
    "wrong-namespace",
    "error",
    "The namespaces of sitemaps and of their extensions are written exactly.",
    "Declare the namespace that Google names for it.",
    "Incorrect namespace",
)
LEADING_WHITESPACE = Kind(
    "leading-whitespace", "error", "Nothing stands before the XML declaration.", "Remove it.", "Leading whitespace"
)
BYTE_ORDER_MARK = Kind(
    "byte-order-mark",
    "warning",
    "A file begins without a byte order mark.",
    "Save it as UTF-8 without one.",
    "Leading whitespace",
)
WRONG_ENCODING = Kind("wrong-encoding", "error", "A file is UTF-8.", "Save it as UTF-8.", "Parsing error")
DOCUMENT_TYPE = Kind(
    "document-type", "error", "A file declares no document type, and so no entities.", "Remove it.", "Parsing error"
)
COMPRESSION_ERROR = Kind(
    "compression-error",
    "error",
    "A file whose name ends in .gz is whole gzip, packed once, and no other file is.",
    "Compress it once, or rename it.",
    "Compression error",
)
MISSING_LOC = Kind(
    "missing-loc", "error", "Every entry has a URL in a <loc>.", "Write its URL, or remove it.", "Missing XML tag"
)
REPEATED_TAG = Kind(
    "repeated-tag", "error", "An entry has each element once.", "Keep one.", "Invalid XML: too many tags"
)
UNKNOWN_TAG = Kind(
    "unknown-tag",
    "error",
    "Only elements of the protocol and of its extensions are used, each where it belongs.",
    "Remove it.",
    "Invalid tag value",
)
MISSING_ATTRIBUTE = Kind(
    "missing-attribute",
    "error",
    "An element of an extension has the attributes that it needs.",
    "Add it.",
    "Missing XML attribute",
)
INVALID_ATTRIBUTE = Kind(
    "invalid-attribute",
    "error",
    "An attribute has one of the values that it may have.",
    "Write one of them.",
    "Invalid attribute value",
)
STRAY_TEXT = Kind(
    "stray-text",
    "error",
    "Text stands only in the elements whose value it is.",
    "Remove it; see that no program's message has got into the file.",
    "Parsing error",
)
UNKNOWN_ATTRIBUTE = Kind(
    "unknown-attribute", "warning", "The elements of the protocol itself have no attributes.", "Remove it."
)
WRONG_ORDER = Kind(
    "wrong-order",
    "warning",
    "In a <url>, loc comes first, then lastmod, changefreq and priority, then extensions, as the schema has it.",
    "Write loc, lastmod, then the rest.",
)
PADDED_VALUE = Kind("padded-value", "warning", "There is no space around a URL or a date.", "Write the value alone.")
INVALID_HINT = Kind(
    "invalid-hint",
    "error",
    "A changefreq is one of seven words, a priority a number from 0.0 to 1.0.",
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
    "The URLs of images, thumbnails, videos and players are absolute, of http or https.",
    "Write an absolute URL of http or https.",
    "Invalid URL",
)
RETIRED_IMAGE_TAG = Kind(
    "retired-image-tag", "notice", "Google reads nothing of an image but its URL.", "Leave it out.", is_advice=True
)
MISSING_VIDEO_TAG = Kind(
    "missing-video-tag",
    "error",
    "A video has a thumbnail, a title, a description, and its content or a player.",
    "Add it.",
    "Missing thumbnail URL; Missing video title; Missing XML tag",
)
INVALID_VIDEO_VALUE = Kind(
    "invalid-video-value",
    "error",
    "What is said of a video has the form it must have: a duration is from 1 to 28,800 seconds, a date is one.",
    "Correct the value, or leave it out.",
    "Invalid tag value; Invalid date",
)
VIDEO_OVER_LIMIT = Kind(
    "video-over-limit",
    "warning",
    "A video has at most 100 characters of title, 2,048 of description, and 32 tags.",
    "Shorten it.",
)
VIDEO_IS_ITS_PAGE = Kind(
    "video-is-its-page",
    "error",
    "The file and the player of a video have URLs of their own, and not that of their page.",
    "Write the URL of the video's file, or of something that plays it alone.",
    "Video location = play page; Video location looks like a play page",
)
MISSING_NEWS_TAG = Kind(
    "missing-news-tag",
    "error",
    "An article has the name and language of its publication, its date and its title.",
    "Add it.",
    "Missing <publication> tag; Missing XML tag",
)
INVALID_NEWS_VALUE = Kind(
    "invalid-news-value",
    "error",
    "An article's language is a code, and its date is one.",
    "Correct the value.",
    "Invalid tag value; Invalid date",
)

FAULTS: tuple[Kind, ...] = tuple(kind for kind in list(globals().values()) if isinstance(kind, Kind))
"""In the order in which they stand above."""
