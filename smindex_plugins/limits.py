"""The limits of the protocol and of the search engines, each with its source, and limits on what input may cost."""

# "no more than 50,000 URLs and must be no larger than 50MB (52,428,800 bytes)", uncompressed, for sitemaps and
# indexes alike: https://www.sitemaps.org/protocol.html#index
MAX_URLS = 50_000
MAX_BYTES = 52_428_800

# "This value must be less than 2,048 characters": https://www.sitemaps.org/protocol.html#locdef
MAX_URL_LENGTH = 2_047

MAX_URL_READ = 32_768
"""Characters of a URL that anything looks at, as it is written and in its normal form; a longer one is no URL.

The normal form of a URL that the protocol allows is shorter: it has twelve characters for one at most. So is that of a
file: a path has 4,096 bytes at most, and three characters for one at most.
"""

MAX_PATH = 2_048
"""The most directories in a path: as many as Linux allows, where a path has at most 4,096 bytes."""

MAX_URL_SHOWN = 80
"""How many characters of an invalid URL a message shows."""

MAX_HOST = 253
"""Of a name in the DNS, in characters: https://www.rfc-editor.org/rfc/rfc1035#section-2.3.4"""

MAX_PAGE_READ = 1 << 21
"""How many bytes of a page are read. Googlebot reads no more. https://developers.google.com/crawling/docs/crawlers-fetchers/overview-google-crawlers

https://developers.google.com/crawling/docs/crawlers-fetchers/overview-google-crawlers
"""

# "You can list up to 1,000 images for each page":
# https://developers.google.com/search/docs/crawling-indexing/sitemaps/image-sitemaps
MAX_IMAGES = 1_000

# Of a video: https://developers.google.com/search/docs/crawling-indexing/sitemaps/video-sitemaps, and for its title
# https://www.google.com/schemas/sitemap-video/1.1/sitemap-video.xsd
MAX_VIDEO_TITLE = 100
MAX_VIDEO_DESCRIPTION = 2_048
MAX_VIDEO_SECONDS = 28_800
MAX_VIDEO_TAGS = 32

MAX_VIDEO_URLS = 100
"""Values among which structured data are searched for one URL of a video: videos may be in one another."""

# "up to 1,000 news:news tags", for "articles created in the last two days":
# https://developers.google.com/search/docs/crawling-indexing/sitemaps/news-sitemap
MAX_NEWS = 1_000
NEWS_DAYS = 2

# "You can submit up to 500 sitemap index files for each site in your Search Console account":
# https://developers.google.com/search/docs/crawling-indexing/sitemaps/large-sitemaps
MAX_INDEXES = 500

LOCK_SECONDS = 60.0
"""How many seconds a run waits for another one that writes into its directory. A million pages take less."""

# What a live site may cost, whoever answers there. A public server that works answers in a few seconds.
ANSWER_SECONDS = 30.0
"""Seconds for one answer, from the connection to the last byte: `--timeout`."""
RUN_SECONDS = 600.0
"""Seconds for all requests of a run: `--deadline`. CI services often stop jobs after an hour, without a word."""
MAX_HEAD = 1 << 20
"""Bytes of one answer that are no content: its headers, those of a proxy, of `100 Continue`, and the ends of chunks.
Browsers take 256 KiB of headers, and servers send less than 16."""
MAX_FILES = 50_000
"""Sitemaps that one run asks for, or lets wait. A full index lists as many; only indexes of indexes have more."""
MAX_WAITING = 1 << 24
"""How many characters the URLs of these files may have in total: more than 300 for each."""
MAX_AT_ONCE = MAX_BYTES // 16
"""Bytes of a sitemap that is fetched while others are; a larger one is fetched again alone, which saves 150 MB."""

MIN_URL_LENGTH = 12
"""Of the schema: https://www.sitemaps.org/schemas/sitemap/0.9/sitemap.xsd"""

YANDEX_URL_LENGTH = 1_024
"""https://yandex.com/support/webmaster/en/indexing-options/sitemap"""

# "Crawlers MUST parse at least 500 kibibytes": https://www.rfc-editor.org/rfc/rfc9309#section-2.5
MAX_ROBOTS = 512_000

# Characters of the rules with `*` or `$` in one group of a robots.txt: about a thousand rules. Crawlers state no bound
# but that of the file. Every character of a URL is compared with all of these at once, which takes two microseconds.
MAX_WILDCARD_RULES = 20_000

# What front matter and configurations of others may cost: far more than people write, and less than 100 MB of memory.
MAX_CONFIGURATION = 1 << 20
"""Characters of a configuration file."""
MAX_FRONT_MATTER = 1 << 14
"""The most characters of front matter. libyaml crashes the process where 60,000 brackets are open."""
MAX_PYTHON = 1 << 18
"""Characters of one in Python, of which every one can become half a kilobyte of syntax."""
MAX_TOML = 1 << 18
"""The most characters of a TOML document. Every second one can be a table."""
MAX_NODES = 100_000
"""Values of a YAML document, with every alias replaced by what it repeats."""
MAX_LEVELS = 100
"""The deepest nesting of a document. A loader in C crashes the process if a document is nested too deeply."""
MAX_KEY_PARTS = 64
"""The most parts of a dotted key in TOML. Reading takes time and memory that grow with their square."""
MAX_NUMBER = 64
"""The most characters of a number or a date. A longer text is neither."""
MAX_FILE_PATTERN = 4_096
"""The most characters of one of these patterns. A path has at most as many bytes."""
MAX_LOOKED_AT = 5_000_000
"""How many file names all these patterns look at in a run, and how many files the pages may depend on in total."""
MAX_SHOWN = 200
"""How many characters of a foreign value a message repeats."""

MAX_REPORT = 1 << 28
"""Bytes of an earlier report in JSON, in which a page takes 150: those of more than a million pages."""

GIT_SILENCE = 60.0
"""Seconds without a word from git after which it counts as hung, once its answer is waited for."""

GIT_SECONDS = 600.0
"""For the history of a repository as a whole; those of 100,000 commits take seconds."""

GIT_MEMORY = 256 << 20
"""Bytes that one git may take for itself, beside the size of the repository's packs; real ones take 9 to 60 million.

Linux alone lets us bound it.
"""

GIT_RECORD = 32 << 20
"""Bytes that git says of one commit, or in an answer read as a whole: 200,000 names with their hashes."""

GIT_ERRORS = 1 << 20
"""Bytes that git may say of errors; the first line is shown."""

MAX_REVISIONS = 1 << 20
"""Bytes of a list of commits, one a line: 25,000 of them."""

# Characters of one part of a message: the longest URL that a sitemap can list, and the words around it.
MAX_PART = 2_500

# Characters of a printed line: where something is, what is wrong, and how to fix it.
MAX_LINE = 4 * MAX_PART

# "up to 10,000 URLs per post": https://www.indexnow.org/documentation
MAX_POSTED = 10_000

MAX_KEY_FILE = 1_024
"""Bytes of the file of a key, which has 128 characters at most."""

MAX_CHANGES = 1 << 29
"""Bytes of a file of changes: more than those of a site of a million pages, all of which changed."""

# What is kept in memory of two versions of a site that are compared; all else waits in temporary files.
MAX_KEPT_LINES = 200_000
"""Entries of sitemaps."""
MAX_KEPT_TEXT = 1 << 25
"""Characters of these."""
