"""Finds the pages that sources claim in their front matter, by the rules of each generator.

What only code of a project could tell isn't a claim.
"""

import fnmatch
import os
import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from datetime import date, datetime, timedelta
from functools import cache, cached_property
from typing import NamedTuple
from urllib.parse import unquote

from smindex_plugins.base import urls
from smindex_plugins.base.files import read_text
from smindex_plugins.html import front_matter
from smindex_plugins.html.front_matter import FrontMatter, switch
from smindex_plugins.pages.candidates import LANGUAGE
from smindex_plugins.projects import _pelican_texts
from smindex_plugins.projects._blog_posts import post_directories
from smindex_plugins.projects._blogs import BlogPage
from smindex_plugins.projects._configuration import Configuration
from smindex_plugins.projects._mkdocs_texts import MkDocsTexts

_SUFFIXES = frozenset(
    (".md", ".markdown", ".mdx", ".html", ".njk", ".liquid", ".rst", ".adoc", ".org")
)
"""The suffixes of files that can have front matter."""
_SKIPPED = re.compile(
    r"\.|(?:node_modules|vendor|_layouts|_includes|_sass|_data|_plugins|_drafts|_site)$"
)
"""Directories that never contain sources of pages."""
_IN_CODE = re.compile(r"\{\{|\{%|://")
"""Occurs in URLs that templates compute, and in those of another site."""
_PLACEHOLDER = re.compile(r":([a-z_]+)")
_POST = re.compile(r"(?:^|/)_posts/(?:.*/)?(\d{4}-\d\d?-\d\d?)-([^/]+)$")
"""The path of a post of Jekyll, without its suffix."""
_WRITTEN_DAY = re.compile(r"(\d{4})-(\d\d?)-(\d\d?)(.*)", re.DOTALL)
_NUMBER = re.compile(r"\d+\s*[-_.]+\s*")
"""The order of a file of Docusaurus, before its name. No part of its URL."""

# https://jekyllrb.com/docs/permalinks/#built-in-formats
_STYLES = {
    "date": "/:categories/:year/:month/:day/:title.html",
    "pretty": "/:categories/:year/:month/:day/:title/",
    "ordinal": "/:categories/:year/:y_day/:title.html",
    "weekdate": "/:categories/:year/W:week/:short_day/:title.html",
    "none": "/:categories/:title.html",
}
# https://jekyllrb.com/docs/configuration/options/
_EXCLUDED_BY_JEKYLL = (
    "node_modules/",
    "vendor/bundle/",
    "vendor/cache/",
    "vendor/gems/",
    "vendor/ruby/",
    "gemfiles/",
)
# https://hexo.io/docs/configuration
_HEXO_PERMALINK = ":year/:month/:day/:title/"
_README_PLUGINS = re.compile(r"github-pages|jekyll-readme-index")
_KEEP_ORIGINALS = re.compile("jekyll-(?:optional-front-matter|readme-index)")
"""The plugins of Jekyll that render files without front matter, and copy them as well."""


class Claim(NamedTuple):
    """What a source says about its page. Without a path, it has no page."""

    paths: tuple[str, ...] = ()
    """The folded paths that the page can have, without optional parts. The likeliest is first."""
    is_end: bool = False
    """Whether they are only the ends of paths, because the start is set in code."""
    is_default: bool = False
    """Whether the project's rule for all its pages gives them, which plugins can change."""

    def fits(self, path: str) -> bool:
        """Whether the folded path of a page is one of the paths, in any language."""
        language, _, rest = path.partition("/")
        if path in self.paths or (LANGUAGE.fullmatch(language) and rest in self.paths):
            return True
        return self.is_end and any(f"/{path}".endswith(f"/{end}") for end in self.paths)


NOT_RENDERED = Claim()


class Source(NamedTuple):
    """A source with the text of its front matter."""

    path: str
    """Its path below the directory of the sources, with ``/`` separators."""
    meta: Mapping[str, object]
    options: Mapping[str, object]
    """The options in the configuration of the generator. Empty if that is code."""
    project: str
    """The directory of the project."""

    @property
    def stem(self) -> str:
        """Its path without its suffix."""
        return os.path.splitext(self.path)[0]

    @property
    def directory(self) -> str:
        """Its directory, with a final slash if there is one."""
        directory, slash, _ = self.path.rpartition("/")
        return directory + slash

    def text(self, key: str) -> str:
        """Return the text or number under a key, or an empty string."""
        value = self.meta.get(key)
        if isinstance(value, bool) or not isinstance(value, str | int):
            return ""
        return str(value)


class Claims:
    """The claims of the sources of one site, and those of the posts and lists of its blogs."""

    def __init__(
        self,
        configuration: Configuration,
        output: str,
        pages: Iterable[str],
        *,
        read: Callable[[str], FrontMatter],
        is_redirect: Callable[[str], bool],
        blog_pages: Mapping[str, BlogPage],
    ) -> None:
        self._configuration = configuration
        self._generator = configuration.generator.name
        self._root = configuration.source_directory
        self._output = output
        self._read = read
        self._rule = _RULES.get(self._generator)
        self._blog_pages = blog_pages
        self._post_directories = post_directories(configuration)
        self._claim_of = cache(self._read_claim)
        self._pages: dict[str, str] = {}
        """The pages by their folded paths. Of `about.html` and `about/index.html`, neither is
        certain."""
        same_path = defaultdict[str, list[str]](list)
        for page in pages:
            same_path[urls.folded(page)].append(page)
        for path, alike in same_path.items():
            shown = alike
            if len(alike) > 1:
                shown = [page for page in alike if not is_redirect(page)]
            self._pages[path] = shown[0] if len(shown) == 1 else ""

    @cached_property
    def sources(self) -> Mapping[str, Sequence[str]]:
        """The sources that claim each page. Several sources prove nothing."""
        found = defaultdict[str, list[str]](list)
        for source in self._files():
            page = self._page(source)
            if page:
                found[page].append(source)
        for page, sources in found.items():
            published = [source for source in sources if not self._is_draft(source)]
            if published:
                found[page] = published
        for path, blog_page in self._blog_pages.items():
            page = self._pages.get(path, "")
            if page:
                found[page] = [blog_page.source] if blog_page.source else []
        return found

    def _is_draft(self, source: str) -> bool:
        meta = self._read(source).meta or {}
        return switch(meta.get("draft")) is True

    @cached_property
    def _page_of(self) -> Mapping[str, str]:
        pages = {}
        for page, sources in self.sources.items():
            pages.update(dict.fromkeys(sources, page))
        return pages

    def allow(self, source: str, page: str) -> bool:
        """Whether a file can be the source of a page that its path fits."""
        if not self._is_rendered(source):
            return False
        if _is_readme(source) and not self._is_readme_shown(source, page):
            return False
        if source.startswith(self._post_directories):
            return self._page_of.get(source) == page
        claim = self._claim_of(source)
        if not claim:
            return self._rule is not None or agrees(self._read(source), page)
        claimed = self._page_of.get(source)
        if claimed:
            language = page.removesuffix(f"/{claimed}")
            return page == claimed or LANGUAGE.fullmatch(language) is not None
        return claim.is_default or claim.fits(urls.folded(page))

    def _files(self) -> Iterator[str]:
        """Yield the files that can be sources, if the generator has a rule for claims."""
        if not self._rule:
            return
        suffixes = _SUFFIXES.intersection(self._configuration.generator.suffixes)
        output = os.path.realpath(self._output)
        for place, directories, names in os.walk(self._root):
            below = []
            for name in sorted(directories):
                path = os.path.join(place, name)
                if not _SKIPPED.match(name) and os.path.realpath(path) != output:
                    below.append(name)
            directories[:] = below
            for name in sorted(names):
                _, suffix = os.path.splitext(name)
                source = os.path.join(place, name)
                if suffix in suffixes and self._is_rendered(source):
                    yield source

    def _read_claim(self, source: str) -> Claim | None:
        """Return what a source claims, or None."""
        _, suffix = os.path.splitext(source)
        if not self._rule or suffix not in _SUFFIXES:
            return None
        meta = self._read(source).meta or {}
        if switch(meta.get("published")) is False:
            return NOT_RENDERED
        path = os.path.relpath(source, self._root).replace(os.sep, "/")
        options = self._configuration.values
        return self._rule(Source(path, meta, options, self._configuration.project))

    def _page(self, source: str) -> str:
        """Return the page that a source claims, if it is rendered."""
        claim = self._claim_of(source)
        if not claim:
            return ""
        for path in claim.paths:
            if path in self._pages:
                return self._pages[path]
        alike: set[str] = set()
        if claim.is_end:
            for path in claim.paths:
                alike.update(self._by_end.get(path, ()))
        return alike.pop() if len(alike) == 1 else ""

    @cached_property
    def _by_end(self) -> Mapping[str, Sequence[str]]:
        """The pages by each end of their paths."""
        found = defaultdict[str, list[str]](list)
        for key, page in self._pages.items():
            parts = key.split("/")
            for at in range(len(parts)):
                found["/".join(parts[at:])].append(page)
        return found

    def _is_rendered(self, source: str) -> bool:
        """Whether the project neither excludes a file nor copies it as it is."""
        if self._generator not in {"Jekyll", "Hexo"}:
            return True
        path = os.path.relpath(source, self._root).replace(os.sep, "/")
        if self._generator == "Jekyll" and _is_excluded(path, self._configuration.values):
            return False
        if path.endswith(".html") or _KEEP_ORIGINALS.search(self._plugins):
            return True
        return not os.path.isfile(os.path.join(self._output, path))

    @property
    def _plugins(self) -> str:
        """The plugins of Jekyll in its configuration, in one text."""
        values = self._configuration.values
        return str([values.get("plugins"), values.get("gems")])

    def _is_readme_shown(self, source: str, page: str) -> bool:
        """Whether README.md is the index of its directory, as with a plugin of GitHub Pages.

        The plugin renders only one without front matter:
            https://github.com/benbalter/jekyll-readme-index
        """
        _, _, name = urls.folded(page).rpartition("/")
        if self._generator != "Jekyll" or name == "readme":
            return True
        options = self._configuration.values.get("readme_index")
        if not isinstance(options, dict):
            options = {}
        if switch(options.get("enabled")) is False:
            return False
        gemfile = ""
        with suppress(OSError):
            gemfile = read_text(os.path.join(self._configuration.project, "Gemfile"), "replace")
        if gemfile and not _README_PLUGINS.search(gemfile + self._plugins):
            return False
        return self._read(source).meta is None or switch(options.get("with_frontmatter")) is True


def reader(configuration: Configuration | None) -> Callable[[str], FrontMatter]:
    """Return the function that reads what authors write above their texts for a generator."""
    if configuration and configuration.generator.name == "Pelican":
        return lambda path: _pelican_texts.read(path, configuration.values)
    if configuration and configuration.plugin_entries:
        return MkDocsTexts(configuration).read
    return front_matter.read


def _is_readme(source: str) -> bool:
    name = os.path.basename(source)
    stem, _ = os.path.splitext(name)
    return stem.casefold() == "readme"


def agrees(found: FrontMatter, page: str) -> bool:
    """Whether front matter of a generator without a rule sets no URL other than the page's."""
    meta = found.meta or {}
    path = f"/{urls.folded(page)}"
    for key in ("permalink", "slug", "url"):
        value = meta.get(key)
        if not value:
            continue
        url = str(value).strip("/")
        is_computed = re.search("[:{]", url)
        if not is_computed and not path.endswith(f"/{urls.folded(url)}"):
            return False
    return True


def _claim(*given: str, is_end: bool = False, is_default: bool = False) -> Claim | None:
    """Return a claim of URLs, unless a template or another site gives them."""
    paths: dict[str, None] = {}
    for url in given:
        if _IN_CODE.search(url):
            return None
        path = urls.folded(unquote(url))
        paths[path] = None
    return Claim(tuple(paths), is_end=is_end, is_default=is_default)


# --- Jekyll: https://jekyllrb.com/docs/permalinks/ ---


def _jekyll(source: Source) -> Claim | None:
    own = source.text("permalink")
    post = _POST.search(source.stem)
    template = own or _jekyll_template(source, is_post=post is not None)
    if not template or own in _STYLES:
        return None
    _, _, name = source.stem.rpartition("/")
    slug = source.text("slug") or (post[2] if post else name)
    titles = {"slug": _slug(slug).lower(), "title": _slug(slug, r"[^\w.~!$&'()+,;=@]+")}
    days: Sequence[date] = ()
    if post:
        fields = titles
        days = _days(source.meta.get("date") or post[1])
        categories = _categories(source)
        if categories is not None:
            fields["categories"] = categories
    elif source.path.startswith("_"):
        collection, _, path = source.stem.partition("/")
        fields = {**titles, "collection": collection[1:], "path": path, "name": _slug(name).lower()}
    else:
        fields = {"path": source.directory, "basename": name}
    fields["output_ext"] = ".html"
    return _filled(template, fields, days, is_default=not own)


def _jekyll_template(source: Source, *, is_post: bool) -> str:
    """Return the permalink that the configuration gives a source.

    It does so by path and type, by collection, or for all posts.
    """
    kind = "pages"
    if is_post:
        kind = "posts"
    elif source.path.startswith("_"):
        directory, _, _ = source.path.partition("/")
        kind = directory[1:] or kind
    template = _default_permalink(source, kind)
    collections = source.options.get("collections")
    if not template and isinstance(collections, dict):
        collection = collections.get(kind)
        if isinstance(collection, dict):
            template = str(collection.get("permalink") or "")
    if not template and is_post:
        template = str(source.options.get("permalink") or "date")
    return _STYLES.get(template, template)


def _default_permalink(source: Source, kind: str) -> str:
    """Return the permalink of the most precise of Jekyll's defaults that are for a source."""
    defaults = source.options.get("defaults")
    if not isinstance(defaults, list):
        return ""
    template = ""
    best = (-1, False)
    for entry in defaults:
        if not isinstance(entry, dict):
            continue
        scope = entry.get("scope")
        values = entry.get("values")
        if not isinstance(scope, dict) or not isinstance(values, dict) or "permalink" not in values:
            continue
        written = str(scope.get("path") or "")
        precision = (len(written), "type" in scope)
        is_for_kind = scope.get("type", kind) == kind
        if is_for_kind and precision >= best and _is_below(source.path, written.strip("/")):
            best = precision
            template = str(values["permalink"])
    return template


def _is_below(path: str, scope: str) -> bool:
    """Whether the path of one of Jekyll's defaults, which can be a pattern, contains a source."""
    if not scope or f"{path}/".startswith(f"{scope}/"):
        return True
    return fnmatch.fnmatchcase(path, f"{scope}*")


def _categories(source: Source) -> str | None:
    """Return the categories of a post as in its URL, or None if their order is not certain."""
    one = source.meta.get("category")
    several = source.meta.get("categories")
    if one and several:
        return None
    given = several or one or []
    if isinstance(several, str):
        given = several.split()
    if not isinstance(given, list):
        given = [given]
    directories, _, _ = source.path.partition("_posts/")
    categories: dict[str, None] = {}
    for name in (*directories.split("/"), *given):
        if name:
            category = str(name).lower()
            categories[category] = None
    return "/".join(categories)


def _is_excluded(path: str, options: Mapping[str, object]) -> bool:
    """Whether Jekyll leaves a file or one of its directories out."""
    excluded = options.get("exclude") or []
    if not isinstance(excluded, list):
        excluded = [excluded]
    included = options.get("include")
    if not isinstance(included, list):
        included = []
    return _is_matched(path, [*excluded, *_EXCLUDED_BY_JEKYLL]) and not _is_matched(path, included)


def _is_matched(path: str, patterns: Iterable[object]) -> bool:
    """Whether a pattern is the start of a path, or fits the path or a directory above it."""
    starts = [path[: part.end()] for part in re.finditer("[^/]+", path)]
    for given in patterns:
        pattern = str(given).removeprefix("./").lstrip("/")
        if not pattern:
            continue
        if path.startswith(pattern) or any(fnmatch.fnmatchcase(s, pattern) for s in starts):
            return True
    return False


# --- Hexo: https://hexo.io/docs/permalinks ---


def _hexo(source: Source) -> Claim | None:
    if re.search(r"(?:^|/)_(?!posts/)", source.path):
        return NOT_RENDERED
    own = source.text("permalink")
    if own:
        return _claim(own)
    if not source.path.startswith("_posts/"):
        return None
    form = str(source.options.get("new_post_name") or ":title.md")
    named = _named_by_hexo(source.stem.removeprefix("_posts/"), form)
    title = named["title"]
    fields = {"title": title, "name": title.rpartition("/")[2]}
    given = source.meta.get("categories") or source.meta.get("category")
    given = given or source.options.get("default_category")
    if not isinstance(given, list):
        given = [given or "uncategorized"]
    categories = "/".join(map(str, given))
    # other names are written in another way
    if all(re.fullmatch(r"[\w-]+", str(each)) for each in given):
        fields["category"] = categories
    of_name = "-".join(named.get(key, "") for key in ("year", "month", "day"))
    days = _days(source.meta.get("date") or of_name)
    template = str(source.options.get("permalink") or _HEXO_PERMALINK)
    return _filled(template, fields, days, is_default=True)


def _named_by_hexo(path: str, template: str) -> Mapping[str, str]:
    """Return the parts of a post's path, which Hexo gives to the names of new posts."""
    forms = {
        "title": "(?P<title>.+)",
        "year": r"(?P<year>\d{4})",
        "month": r"(?P<month>\d\d)",
        "day": r"(?P<day>\d\d)",
    }
    stem, _ = os.path.splitext(template)
    pattern = ""
    for at, part in enumerate(_PLACEHOLDER.split(stem)):
        is_placeholder = at % 2 == 1
        pattern += forms.get(part, ".+?") if is_placeholder else re.escape(part)
    named = {"title": path}
    with suppress(re.error):  # a part occurs twice
        found = re.fullmatch(pattern, path)
        if found:
            named.update(found.groupdict())
    return named


# --- Eleventy, Astro, Hugo and Docusaurus ---


def _eleventy(source: Source) -> Claim | None:
    """Return the claim by https://www.11ty.dev/docs/permalinks/."""
    if source.meta.get("permalink") is False:
        return NOT_RENDERED
    own = source.text("permalink")
    return _claim(own) if own else None


def _astro(source: Source) -> Claim | None:
    """Return the claim by https://starlight.astro.build/reference/frontmatter/#slug."""
    own = source.text("slug")
    return _claim(own, is_end=True) if own else None


def _hugo(source: Source) -> Claim | None:
    """Return the claim by https://gohugo.io/content-management/urls/."""
    _, dot, language = source.stem.rpartition(".")
    if dot and LANGUAGE.fullmatch(language):
        return None
    own = source.text("url")
    if own:
        return None if _PLACEHOLDER.search(own) else _claim(own)
    slug = source.text("slug")
    _, _, name = source.stem.rpartition("/")
    if not slug or name == "_index" or source.options.get("permalinks"):
        return None
    place = source.directory
    if name == "index":  # the directory is that of a page
        above, _, _ = place.rstrip("/").rpartition("/")
        place = f"{above}/"
    return _claim(place + slug)


def _docusaurus(source: Source) -> Claim | None:
    """Return the claim by
    https://docusaurus.io/docs/api/plugins/@docusaurus/plugin-content-docs#markdown-front-matter.

    The sites' base for them is usually the name of their directory. Texts with versions or
    translations are copies.
    """
    top, slash, _ = source.path.partition("/")
    is_copy = top in {"i18n", "src", "static"} or "versioned_docs" in top
    is_blog = top == "blog"
    _, _, name = source.stem.rpartition("/")
    given = source.text("slug")
    if not given and not is_blog and name not in {"index", "README"}:
        given = source.text("id")
    if not given or not slash or is_copy:
        return None
    if not is_blog and os.path.isfile(os.path.join(source.project, "versions.json")):
        return None
    if is_blog or given.startswith("/"):
        given = given.strip("/")
        if is_blog and not given:
            return _claim(f"{top}/")
        return _claim(f"{top}/{given}", given, is_end=bool(given))
    directories = source.directory.split("/")[1:-1]
    places = [_NUMBER.sub("", directory, count=1) for directory in directories]
    path = "/".join((*places, given.strip("/")))
    return _claim(f"{top}/{path}", path, is_end=True)


# --- Parts of rules ---


def _filled(
    template: str, fields: Mapping[str, str], days: Sequence[date], *, is_default: bool
) -> Claim | None:
    """Return the claim of a template with placeholders, unless one of them is not known."""
    alternatives = [{**fields, **_of_day(day)} for day in days] or [dict(fields)]
    used = _PLACEHOLDER.findall(template)
    if not alternatives[0].keys() >= set(used):
        return None
    used.sort(key=len, reverse=True)
    given = []
    for values in alternatives:
        url = template
        for name in used:
            url = url.replace(f":{name}", values[name])
        given.append(url)
    return _claim(*given, is_default=is_default)


def _of_day(day: date) -> Mapping[str, str]:
    """Return the values of placeholders for a date. Jekyll and Hexo give these the same names."""
    week = day.isocalendar().week
    names = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")
    return {
        "year": f"{day:%Y}",
        "month": f"{day:%m}",
        "day": f"{day:%d}",
        "short_year": f"{day:%y}",
        "y_day": f"{day:%j}",
        "week": f"{week:02}",
        "short_day": names[day.weekday()],
        "i_month": str(day.month),
        "i_day": str(day.day),
    }


def _days(value: object) -> Sequence[date]:
    """Return the day of a date.

    The day of a time depends on the time zone of the build, so that others follow.
    """
    found = _WRITTEN_DAY.match(str(value))
    if not found:
        return ()
    year, month, number, time = found.groups()
    try:
        day = date(int(year), int(month), int(number))
    except ValueError:
        return ()
    if not isinstance(value, datetime) and not time.strip():
        return [day]
    one = timedelta(days=1)
    return [day, day - one, day + one]


def _slug(text: str, replaced: str = r"[\W_]+") -> str:
    return re.sub(replaced, "-", text).strip("-")


def _pelican(source: Source) -> Claim | None:
    path = _pelican_texts.save_as(source.path, source.meta, source.options)
    if path == "":
        return NOT_RENDERED
    return None if path is None else _claim(path, is_default="save_as" not in source.meta)


_RULES: Mapping[str, Callable[[Source], Claim | None]] = {
    "Jekyll": _jekyll,
    "Hexo": _hexo,
    "Eleventy": _eleventy,
    "Docusaurus": _docusaurus,
    "Hugo": _hugo,
    "Astro": _astro,
    "Pelican": _pelican,
}
"""What the front matter of a source claims, by generator."""
