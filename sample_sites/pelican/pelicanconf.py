SITENAME = "Found"
SITESUBTITLE = "Notes on how pages are found"
SITEURL = "https://example.org/blog"
PATH = "content"
OUTPUT_PATH = "output"
TIMEZONE = "UTC"
DEFAULT_LANG = "en"
THEME = "simple"

PLUGINS = ["sitemap_index"]

ARTICLE_URL = "{category}/{slug}/"
ARTICLE_SAVE_AS = "{category}/{slug}/index.html"
ARTICLE_LANG_URL = "{lang}/{category}/{slug}/"
ARTICLE_LANG_SAVE_AS = "{lang}/{category}/{slug}/index.html"
PAGE_URL = "{slug}/"
PAGE_SAVE_AS = "{slug}/index.html"
PAGE_LANG_URL = "{lang}/{slug}/"
PAGE_LANG_SAVE_AS = "{lang}/{slug}/index.html"
CATEGORY_URL = "{slug}/"
CATEGORY_SAVE_AS = "{slug}/index.html"

# content/pages/home.md is the home page; the list of articles is at news/.
INDEX_URL = "news/"
INDEX_SAVE_AS = "news/index.html"
DEFAULT_PAGINATION = 5
DIRECT_TEMPLATES = ["index", "tags", "archives"]

FEED_ALL_ATOM = CATEGORY_FEED_ATOM = TRANSLATION_FEED_ATOM = None
