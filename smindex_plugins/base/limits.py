"""The limits of the protocol and of search engines, with their sources, and limits on the cost of
requests.
"""

# "no more than 50,000 URLs and must be no larger than 50MB (52,428,800 bytes)", uncompressed, for
# sitemaps and indexes alike: https://www.sitemaps.org/protocol.html#index
MAX_URLS = 50_000
MAX_BYTES = 52_428_800

# "This value must be less than 2,048 characters": https://www.sitemaps.org/protocol.html#locdef
MAX_URL_LENGTH = 2_047
# The length of a DNS name: https://www.rfc-editor.org/rfc/rfc1035#section-2.3.4
MAX_HOST = 253

# "You can submit up to 500 sitemap index files for each site in your Search Console account":
# https://developers.google.com/search/docs/crawling-indexing/sitemaps/large-sitemaps
MAX_INDEXES = 500

# Googlebot reads the first 2 MB of a page:
# https://developers.google.com/crawling/docs/crawlers-fetchers/overview-google-crawlers
MAX_PAGE_READ = 1 << 21

# "Crawlers MUST parse at least 500 kibibytes": https://www.rfc-editor.org/rfc/rfc9309#section-2.5
MAX_ROBOTS = 512_000

# "You can list up to 1,000 images for each page":
# https://developers.google.com/search/docs/crawling-indexing/sitemaps/image-sitemaps
MAX_IMAGES = 1_000

# The duration of a video:
# https://developers.google.com/search/docs/crawling-indexing/sitemaps/video-sitemaps
MAX_VIDEO_SECONDS = 28_800

# "up to 1,000 news:news tags", for "articles created in the last two days":
# https://developers.google.com/search/docs/crawling-indexing/sitemaps/news-sitemap
MAX_NEWS = 1_000
NEWS_DAYS = 2

# "up to 10,000 URLs per post": https://www.indexnow.org/documentation
MAX_POSTED = 10_000
# The size of a key file in bytes. A key has at most 128 characters.
MAX_KEY_FILE = 1_024


# Limits for requests to live sites. A working public server responds in a few seconds.

ANSWER_SECONDS = 30.0
"""Seconds for one response, from the connection to its last block: `--timeout`."""
RUN_SECONDS = 600.0
"""Seconds for all requests of a run: `--deadline`. CI services often stop jobs after an hour
without a message."""
MAX_FILES = 50_000
"""The maximum number of sitemaps that one run requests or queues. A full index lists as many."""


MAX_FRONT_MATTER = 1 << 14
"""The maximum length of front matter. libyaml crashes the process if 60,000 brackets are open."""

# The length in messages of a value, of a part, and of a line: the location, the problem and the
# fix.
MAX_SHOWN = 200
MAX_PART = 2_500
MAX_LINE = 4 * MAX_PART

GIT_SECONDS = 300.0
"""Time limit for one git command. The history of 100,000 commits takes seconds."""

LOCK_SECONDS = 60.0
"""How many seconds a run waits for another run in the same directory. A million pages take less."""
