"""The numbers of the protocol and of the search engines, each with its source."""

# "no more than 50,000 URLs and must be no larger than 50MB (52,428,800 bytes)", uncompressed, for sitemaps and
# indexes alike: https://www.sitemaps.org/protocol.html#index
MAX_URLS = 50_000
MAX_BYTES = 52_428_800

# "This value must be less than 2,048 characters": https://www.sitemaps.org/protocol.html#locdef
MAX_URL_LENGTH = 2_047

# "You can list up to 1,000 images for each page":
# https://developers.google.com/search/docs/crawling-indexing/sitemaps/image-sitemaps
MAX_IMAGES = 1_000

# Of a video: https://developers.google.com/search/docs/crawling-indexing/sitemaps/video-sitemaps, and for its title
# https://www.google.com/schemas/sitemap-video/1.1/sitemap-video.xsd
MAX_VIDEO_TITLE = 100
MAX_VIDEO_DESCRIPTION = 2_048
MAX_VIDEO_SECONDS = 28_800
MAX_VIDEO_TAGS = 32

# "up to 1,000 news:news tags", for "articles created in the last two days":
# https://developers.google.com/search/docs/crawling-indexing/sitemaps/news-sitemap
MAX_NEWS = 1_000
NEWS_DAYS = 2

# "You can submit up to 500 sitemap index files for each site in your Search Console account":
# https://developers.google.com/search/docs/crawling-indexing/sitemaps/large-sitemaps
MAX_INDEXES = 500

MIN_URL_LENGTH = 12
"""Of the schema: https://www.sitemaps.org/schemas/sitemap/0.9/sitemap.xsd"""

YANDEX_URL_LENGTH = 1_024
"""https://yandex.com/support/webmaster/en/indexing-options/sitemap"""

# "Crawlers MUST parse at least 500 kibibytes": https://www.rfc-editor.org/rfc/rfc9309#section-2.5
MAX_ROBOTS = 512_000
