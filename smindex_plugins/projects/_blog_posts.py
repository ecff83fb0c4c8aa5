"""Reads the posts of the blogs of Material for MkDocs and Zensical, and the paths of their pages.

Neither generator says in its output which file a post is made from, so that its URL is computed as
they compute it: https://squidfunk.github.io/mkdocs-material/plugins/blog/
"""

import os
import posixpath
import re
import unicodedata
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime, time

from smindex_plugins.base.files import read_text
from smindex_plugins.html import front_matter
from smindex_plugins.html.front_matter import MARKDOWN, FrontMatter, switch
from smindex_plugins.projects._configuration import SLUGIFY, Configuration

_TEXTS = {
    "blog_dir": "blog",
    "post_dir": "{blog}/posts",
    "post_url_date_format": "yyyy/MM/dd",
    "post_url_format": "{date}/{slug}",
    "post_slugify_separator": "-",
    "archive_url_date_format": "yyyy",
    "archive_url_format": "archive/{date}",
    "categories_url_format": "category/{slug}",
    "categories_slugify_separator": "-",
    "authors_file": "{blog}/.authors.yml",
    "authors_profiles_url_format": "author/{slug}",
    "pagination_url_format": "page/{page}",
}
_NUMBERS = {"post_url_max_categories": 1, "pagination_per_page": 10}
_SWITCHES = {
    "archive": True,
    "categories": True,
    "authors_profiles": False,
    "pagination": True,
    "draft": False,
    "draft_if_future_date": False,
}
"""The options with their defaults."""
_SLUG_ARGUMENTS = {"case": "lower", "normalize": "NFC", "percent_encode": False}
"""The only arguments of `slugify` that Zensical takes."""
_TAG = re.compile(r"</?[^>]*>")
_PUNCTUATION = re.compile(r"[^\w\- ]")
_PART_OF_DATE = re.compile(
    r"''|'(?P<quoted>(?:[^']|'')*)'?|(?P<field>(?P<letter>[yMdEHhmsa])(?P=letter)*)"
)
"""A part of a date pattern of Unicode that isn't itself: https://unicode.org/reports/tr35/tr35-dates.html"""
_MONTHS = (
    *("January", "February", "March", "April", "May", "June", "July"),
    *("August", "September", "October", "November", "December"),
)
_DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
_NOON = 12
_SHORT = 3
"""How many letters the short names of months and days have, and the letters of a pattern that
ask for them."""


@dataclass(frozen=True)
class Blog:
    """One blog: its options, with their defaults. All paths are relative to the sources."""

    options: Mapping[str, object]

    @property
    def root(self) -> str:
        """Its directory, which is empty if the whole site is the blog."""
        return _normal(self.text("blog_dir"))

    @property
    def post_directory(self) -> str:
        """The directory of its posts."""
        return self._in_blog("post_dir")

    @property
    def authors_file(self) -> str:
        """The file that describes its authors."""
        return self._in_blog("authors_file")

    def text(self, name: str) -> str:
        """Return an option that is a text."""
        value = self.options.get(name)
        return value if isinstance(value, str) else _TEXTS[name]

    def number(self, name: str, of: str = "") -> int:
        """Return an option that is a number. That of a kind of list, such as ``archive_``, wins."""
        for value in (self.options.get(of + name), self.options.get(name)):
            if isinstance(value, int) and not isinstance(value, bool):
                return value
        return _NUMBERS[name]

    def switch(self, name: str, of: str = "") -> bool:
        """Return a switch. The option for one kind of list takes precedence."""
        for value in (self.options.get(of + name), self.options.get(name)):
            if isinstance(value, bool):
                return value
        return _SWITCHES[name]

    def path(self, option: str, **parts: str) -> str:
        """Return the path of a page that a URL format gives for its parts such as ``{date}``."""
        path = self.text(option)
        for name, part in parts.items():
            path = path.replace(f"{{{name}}}", part)
        return self.below(path)

    def below(self, path: str) -> str:
        """Return the path of a page of the blog, below the site's."""
        parts = (self.root, path.strip("/"))
        return "/".join(filter(None, parts))

    def slug(self, text: str, of: str) -> str:
        """Return a text in the form that URLs have: that of posts, or of categories."""
        return slugified(text, self.text(f"{of}_slugify_separator"))

    def has_known_slugs(self, of: str) -> bool:
        """Whether slugs are made as Zensical makes them, and MkDocs by default."""
        function = self.options.get(f"{of}_slugify")
        if function is None or function == SLUGIFY:
            return True
        if not isinstance(function, dict) or function.get("object") != SLUGIFY:
            return False
        arguments = function.get("kwds")
        if not isinstance(arguments, dict):
            return True
        return {**_SLUG_ARGUMENTS, **arguments} == _SLUG_ARGUMENTS

    def _in_blog(self, option: str) -> str:
        path = self.text(option).replace("{blog}", self.root)
        return _normal(path)


def _normal(path: str) -> str:
    """Return a path as it is below the directory of the sources. That directory itself is empty."""
    path = posixpath.normpath(path.strip("/"))
    return "" if path == "." else path


@dataclass(frozen=True, kw_only=True)
class Post:
    """A post that is rendered."""

    source: str
    """Its absolute path."""
    paths: tuple[str, ...]
    """The paths, below the site's, that its page can have. Empty if only MkDocs can tell."""
    created: datetime
    is_pinned: bool
    categories: tuple[str, ...]
    authors: tuple[str, ...]

    @property
    def rank(self) -> tuple[bool, float, str]:
        """What lists of posts are sorted by."""
        return not self.is_pinned, -self.created.timestamp(), self.source


def blogs(configuration: Configuration) -> Iterator[Blog]:
    """Yield the blogs of a site."""
    return map(Blog, configuration.instances("blog"))


def post_directories(configuration: Configuration) -> tuple[str, ...]:
    """Return the directories of the posts of all blogs of a site, each with its final slash."""
    content = configuration.source_directory
    return tuple(os.path.join(content, blog.post_directory, "") for blog in blogs(configuration))


def posts_of(
    blog: Blog, configuration: Configuration, read: Callable[[str], FrontMatter]
) -> list[Post]:
    """Return the posts that a blog shows, in the order of its lists.

    Without a date, a file isn't a post.
    """
    found = []
    for source in _files(blog, configuration):
        meta = read(source).meta or {}
        created = _created(meta.get("date"))
        if created and not _is_draft(blog, meta, created):
            post = Post(
                source=source,
                paths=tuple(_paths(blog, source, meta, created)),
                created=created,
                is_pinned=switch(meta.get("pin")) is True,
                categories=_texts(meta.get("categories")),
                authors=_texts(meta.get("authors")),
            )
            found.append(post)
    return sorted(found, key=lambda post: post.rank)


def _files(blog: Blog, configuration: Configuration) -> Iterator[str]:
    """Yield the files that can be posts: those in their directory and below, without hidden ones.

    For MkDocs, their paths start with its name, so that files in `posts-old` are posts too. If
    Zensical renders a site with its configuration, they have no pages of posts.
    """
    start = os.path.join(configuration.source_directory, blog.post_directory)
    suffixes: tuple[str, ...] = MARKDOWN
    if configuration.generator.name == "Zensical":
        start = os.path.join(start, "")
        suffixes = (".md",)  # it renders no others
    for place, directories, names in os.walk(os.path.dirname(start)):
        below = []
        for name in directories:
            path = os.path.join(place, name, "")
            if path.startswith(start) and not name.startswith("."):
                below.append(name)
        directories[:] = below
        for name in names:
            path = os.path.join(place, name)
            if path.startswith(start) and name.endswith(suffixes) and not name.startswith("."):
                yield path


def _is_draft(blog: Blog, meta: Mapping[str, object], created: datetime) -> bool:
    """Whether a post is not rendered. What its author says of it counts before its date."""
    if blog.switch("draft"):
        return False
    marked = switch(meta.get("draft"))
    if marked is not None:
        return marked
    return blog.switch("draft_if_future_date") and created > datetime.now(UTC)


def _created(value: object) -> datetime | None:
    """Return when a post was written, by the entry ``date`` of its front matter.

    Zensical also reads texts as dates.
    """
    if isinstance(value, dict):
        value = value.get("created")
    if isinstance(value, str):
        try:
            value = datetime.fromisoformat(value)
        except ValueError:
            return None
    if isinstance(value, date) and not isinstance(value, datetime):
        value = datetime.combine(value, time())
    if not isinstance(value, datetime):
        return None
    if not value.tzinfo:
        value = value.replace(tzinfo=UTC)
    return value


def _paths(blog: Blog, source: str, meta: Mapping[str, object], created: datetime) -> Iterator[str]:
    """Yield the paths that the page of a post can have, unless MkDocs calls a function for them."""
    url_format = blog.text("post_url_format")
    given = meta.get("slug")
    slugs = [] if given is None else [str(given)]
    if not given:  # an empty one counts for Zensical, but not for MkDocs
        title = _title(source, meta)
        slugs.append(blog.slug(title, "post"))
        if "{slug}" in url_format and not blog.has_known_slugs("post"):
            return
    if "{categories}" in url_format and not blog.has_known_slugs("categories"):
        return
    most = blog.number("post_url_max_categories")
    categories = [blog.slug(name, "categories") for name in _texts(meta.get("categories"))[:most]]
    name, _ = os.path.splitext(os.path.basename(source))
    day = formatted(created, blog.text("post_url_date_format"))
    for slug in slugs:
        yield blog.path(
            "post_url_format", categories="/".join(categories), date=day, file=name, slug=slug
        )


def _title(source: str, meta: Mapping[str, object]) -> str:
    """Return the title of a post.

    It is that of its front matter, its first line if that is a heading, or its file's name. The
    heading is not rendered for this: its Markdown becomes a part of the URL.
    """
    title = meta.get("title")
    if title is not None:
        return str(title)
    text = front_matter.body(read_text(source, "replace"))
    first_line = text.lstrip().partition("\n")[0].rstrip()
    if first_line.startswith("# "):
        return first_line.lstrip("# ")
    name, _ = os.path.splitext(os.path.basename(source))
    words = name.replace("-", " ").replace("_", " ")
    return words.capitalize() if words.islower() else words


def _texts(value: object) -> tuple[str, ...]:
    """Return the texts in a list, each once."""
    if not isinstance(value, list):
        return ()
    texts = (each for each in value if isinstance(each, str))
    return tuple(dict.fromkeys(texts))


def slugified(text: str, separator: str) -> str:
    """Return a text as `slugify` of pymdownx returns it in lower case, which is the default."""
    composed = unicodedata.normalize("NFC", text)
    plain = _TAG.sub("", composed).strip().lower()
    words = _PUNCTUATION.sub("", plain)
    return words.replace(" ", separator)


def formatted(moment: datetime, pattern: str) -> str:
    """Return a time in a date pattern, as it is in URLs.

    Zensical writes English names whatever the language of the site, and leaves the letters that it
    doesn't know as they are. At such a URL, MkDocs has no page.
    """

    def part(match: re.Match[str]) -> str:
        if match["field"]:
            return _field(moment, match["letter"], len(match["field"]))
        return (match["quoted"] or "'").replace("''", "'")

    return _PART_OF_DATE.sub(part, pattern)


def _field(moment: datetime, letter: str, length: int) -> str:
    """Return one part of a time, such as the year for ``yyyy``."""
    if letter == "a":
        return "AM" if moment.hour < _NOON else "PM"
    name = ""
    if letter == "E":
        name = _DAYS[moment.weekday()]
    elif letter == "M" and length >= _SHORT:
        name = _MONTHS[moment.month - 1]
    if name:
        return name[:_SHORT] if length <= _SHORT else name
    year = moment.year
    if length == len("yy"):
        year %= 100
    numbers = {
        "d": moment.day,
        "H": moment.hour,
        "h": moment.hour % 12 or 12,
        "m": moment.minute,
        "s": moment.second,
        "M": moment.month,
        "y": year,
    }
    return f"{numbers[letter]:0{length}}"
