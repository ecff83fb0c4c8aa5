"""Finds the pages that sources claim in their front matter, by the documented rules of each
generator.

What only code of a project could tell is no claim.
"""

import fnmatch
import os
import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from datetime import date, datetime, timedelta
from functools import cached_property
from typing import NamedTuple
from urllib.parse import unquote

from smindex_plugins.base import urls
from smindex_plugins.base.files import read_text
from smindex_plugins.html import front_matter
from smindex_plugins.html.front_matter import FrontMatter, switch
from smindex_plugins.pages.candidates import LANGUAGE
from smindex_plugins.projects import _pelican_texts
from smindex_plugins.projects._blog_posts import blogs
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


class Claim(NamedTuple):
    """What a source says about its page. Without a path, it has no page."""

    paths: tuple[str, ...] = ()
    """The folded paths that the page can have, without optional parts. The likeliest is first."""
    is_end: bool = False
    """Whether they are only the ends of paths, because the start is set in code."""
    is_default: bool = False
    """Whether the project's rule for all its pages gives them, which plugins can change."""


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
        return str(value) if isinstance(value, str | int) and not isinstance(value, bool) else ""


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
        self._post_directories = [
            os.path.join(self._root, blog.post_directory, "") for blog in blogs(configuration)
        ]
        self._claims: dict[str, Claim | None] = {}
        alike = defaultdict[str, list[str]](list)
        for page in pages:
            alike[urls.folded(page)].append(page)
        for key, several in alike.items():
            alike[key] = (
                several
                if len(several) == 1
                else [page for page in several if not is_redirect(page)]
            )
        self._pages = {
            key: several[0] if len(several) == 1 else "" for key, several in alike.items()
        }
        """The pages by their folded paths. Of `about.html` and `about/index.html`, neither is
        certain."""

    @cached_property
    def sources(self) -> Mapping[str, Sequence[str]]:
        """The sources that claim each page. Several sources prove nothing."""
        found = defaultdict[str, list[str]](list)
        for source in self._files() if self._rule else ():
            if page := self._page(source):
                found[page].append(source)
        for page, sources in found.items():
            found[page] = [each for each in sources if not self._is_draft(each)] or sources
        for path, made in self._blog_pages.items():
            if rendered := self._pages.get(path):
                found[rendered] = [made.source] if made.source else []
        return found

    def _is_draft(self, source: str) -> bool:
        return switch((self._read(source).meta or {}).get("draft")) is True

    @cached_property
    def _page_of(self) -> Mapping[str, str]:
        return {source: page for page, sources in self.sources.items() for source in sources}

    def allow(self, source: str, page: str) -> bool:
        """Whether a file can be the source of a page that its path fits."""
        if not self._is_rendered(source) or (
            _is_readme(source) and not self._is_readme_shown(source, page)
        ):
            return False
        if source.startswith(tuple(self._post_directories)):
            return self._page_of.get(source) == page
        claim = self._of(source)
        if not claim:
            return self._rule is not None or agrees(self._read(source), page)
        if claimed := self._page_of.get(source):
            return page == claimed or bool(LANGUAGE.fullmatch(page.removesuffix(f"/{claimed}")))
        path = urls.folded(page)
        language, _, rest = path.partition("/")
        forms = (path, rest) if LANGUAGE.fullmatch(language) else (path,)
        is_end = claim.is_end and any(f"/{path}".endswith(f"/{each}") for each in claim.paths)
        return claim.is_default or is_end or not set(claim.paths).isdisjoint(forms)

    def _files(self) -> Iterator[str]:
        """Yield the files that can be sources."""
        suffixes = _SUFFIXES.intersection(self._configuration.generator.suffixes)
        output = os.path.realpath(self._output)
        for place, directories, names in os.walk(self._root):
            kept = (name for name in directories if not _SKIPPED.match(name))
            directories[:] = sorted(
                name for name in kept if os.path.realpath(os.path.join(place, name)) != output
            )
            for name in sorted(names):
                source = os.path.join(place, name)
                if os.path.splitext(name)[1] in suffixes and self._is_rendered(source):
                    yield source

    def _of(self, source: str) -> Claim | None:
        """Return what a source claims, or None."""
        if source not in self._claims:
            self._claims[source] = None
            if self._rule and os.path.splitext(source)[1] in _SUFFIXES:
                meta, path = (
                    self._read(source).meta or {},
                    os.path.relpath(source, self._root).replace(os.sep, "/"),
                )
                given = Source(path, meta, self._configuration.values, self._configuration.project)
                self._claims[source] = (
                    NOT_RENDERED if switch(meta.get("published")) is False else self._rule(given)
                )
        return self._claims[source]

    def _page(self, source: str) -> str:
        """Return the page that a source claims, if it is rendered."""
        claim = self._of(source) or NOT_RENDERED
        if exact := [each for each in claim.paths if each in self._pages]:
            return self._pages[exact[0]]
        alike = {
            page for path in claim.paths if claim.is_end for page in self._by_end.get(path, ())
        }
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
        keeps_originals = any(
            name in self._plugins
            for name in ("jekyll-optional-front-matter", "jekyll-readme-index")
        )
        return (
            keeps_originals
            or path.endswith(".html")
            or not os.path.isfile(os.path.join(self._output, path))
        )

    @property
    def _plugins(self) -> str:
        """The plugins of Jekyll in its configuration, in one text."""
        return str([self._configuration.values.get(key) for key in ("plugins", "gems")])

    def _is_readme_shown(self, source: str, page: str) -> bool:
        """Whether README.md is the index of its directory, which it is with a plugin of GitHub
        Pages.

        The plugin renders only one without front matter:
            https://github.com/benbalter/jekyll-readme-index
        """
        if self._generator != "Jekyll" or urls.folded(page).rpartition("/")[2] == "readme":
            return True
        options = self._configuration.values.get("readme_index")
        options = options if isinstance(options, dict) else {}
        gemfile = ""
        with suppress(OSError):
            gemfile = read_text(os.path.join(self._configuration.project, "Gemfile"), "replace")
        is_used = not gemfile or _README_PLUGINS.search(gemfile + self._plugins)
        is_plain = (
            self._read(source).meta is None or switch(options.get("with_frontmatter")) is True
        )
        return bool(is_used) and is_plain and switch(options.get("enabled")) is not False


def reader(configuration: Configuration | None) -> Callable[[str], FrontMatter]:
    """Return the function that reads what authors write above their texts for a generator."""
    if configuration and configuration.generator.name == "Pelican":
        return lambda path: _pelican_texts.read(path, configuration.values)
    if configuration and configuration.plugin_entries:
        return MkDocsTexts(configuration).read
    return front_matter.read


def _is_readme(source: str) -> bool:
    return os.path.splitext(os.path.basename(source))[0].casefold() == "readme"


def agrees(found: FrontMatter, page: str) -> bool:
    """Whether front matter of a generator without a rule sets no URL other than the page's."""
    path = f"/{urls.folded(page)}"
    given = (
        str(value).strip("/")
        for key in ("permalink", "slug", "url")
        if (value := (found.meta or {}).get(key))
    )
    return all(re.search("[:{]", url) or path.endswith(f"/{urls.folded(url)}") for url in given)


def _claim(*given: str, is_end: bool = False, is_default: bool = False) -> Claim | None:
    """Return a claim of URLs, unless a template or another site gives them."""
    if any(_IN_CODE.search(url) for url in given):
        return None
    paths = tuple(dict.fromkeys(urls.folded(unquote(url)) for url in given))
    return Claim(paths, is_end=is_end, is_default=is_default)


# --- Jekyll: https://jekyllrb.com/docs/permalinks/ ---


def _jekyll(source: Source) -> Claim | None:
    own, post = source.text("permalink"), _POST.search(source.stem)
    template = own or _jekyll_template(source, is_post=post is not None)
    if not template or own in _STYLES:
        return None
    name = source.stem.rpartition("/")[2]
    fields = {"output_ext": ".html", "path": source.directory, "basename": name}
    days: Sequence[date] = ()
    if post or source.path.startswith("_"):
        slug = source.text("slug") or (post[2] if post else name)
        fields = {
            "output_ext": ".html",
            "slug": _slug(slug).lower(),
            "title": _slug(slug, r"[^\w.~!$&'()+,;=@]+"),
        }
    if post:
        days = _days(source.meta.get("date") or post[1])
        categories = _categories(source)
        fields |= {"categories": categories} if categories is not None else {}
    elif source.path.startswith("_"):
        collection, _, path = source.stem.partition("/")
        fields |= {"collection": collection[1:], "path": path, "name": _slug(name).lower()}
    return _filled(template, fields, days, is_default=not own)


def _jekyll_template(source: Source, *, is_post: bool) -> str:
    """Return the permalink that the configuration gives a source: by path and type, by collection,
    or for all posts.
    """
    collection = source.path.partition("/")[0][1:] if source.path.startswith("_") else ""
    kind = "posts" if is_post else collection or "pages"
    best, template = (-1, False), ""
    defaults = source.options.get("defaults")
    for each in defaults if isinstance(defaults, list) else ():
        scope, values = (
            (each.get(key) for key in ("scope", "values"))
            if isinstance(each, dict)
            else (None, None)
        )
        if not isinstance(scope, dict) or not isinstance(values, dict) or "permalink" not in values:
            continue
        path, rank = (
            str(scope.get("path") or "").strip("/"),
            (
                len(str(scope.get("path") or "")),
                "type" in scope,
            ),
        )
        is_in = (
            not path
            or f"{source.path}/".startswith(f"{path}/")
            or fnmatch.fnmatchcase(source.path, f"{path}*")
        )
        if is_in and scope.get("type", kind) == kind and rank >= best:
            best, template = rank, str(values["permalink"])
    collections = source.options.get("collections")
    of_kind = collections.get(kind) if isinstance(collections, dict) else None
    if not template and isinstance(of_kind, dict):
        template = str(of_kind.get("permalink") or "")
    if not template and is_post:
        template = str(source.options.get("permalink") or "date")
    return _STYLES.get(template, template)


def _categories(source: Source) -> str | None:
    """Return the categories of a post as in its URL, or None if their order is not certain."""
    one, several = source.meta.get("category"), source.meta.get("categories")
    if one and several:
        return None
    given = several.split() if isinstance(several, str) else several or one or []
    names = [
        *source.path.partition("_posts/")[0].split("/"),
        *(given if isinstance(given, list) else [given]),
    ]
    return "/".join(dict.fromkeys(str(name).lower() for name in names if name))


def _is_excluded(path: str, options: Mapping[str, object]) -> bool:
    """Whether Jekyll leaves a file or one of its directories out: the start of a path, or a
    pattern, is enough.
    """

    def is_in(patterns: Iterable[object]) -> bool:
        starts = [path[: at + len(part)] for at, part in _parts(path)]
        given = [str(pattern).removeprefix("./").lstrip("/") for pattern in patterns]
        return any(
            each and (path.startswith(each) or any(fnmatch.fnmatchcase(s, each) for s in starts))
            for each in given
        )

    excluded, included = (options.get(key) for key in ("exclude", "include"))
    patterns = [
        *(excluded if isinstance(excluded, list) else [excluded] if excluded else []),
        *_EXCLUDED_BY_JEKYLL,
    ]
    return is_in(patterns) and not is_in(included if isinstance(included, list) else [])


def _parts(path: str) -> Iterator[tuple[int, str]]:
    """Yield the parts of a path with their positions."""
    return ((match.start(), match[0]) for match in re.finditer("[^/]+", path))


# --- Hexo: https://hexo.io/docs/permalinks ---


def _hexo(source: Source) -> Claim | None:
    if re.search(r"(?:^|/)_(?!posts/)", source.path):
        return NOT_RENDERED
    if own := source.text("permalink"):
        return _claim(own)
    if not source.path.startswith("_posts/"):
        return None
    named = _named_by_hexo(
        source.stem.removeprefix("_posts/"), str(source.options.get("new_post_name") or ":title.md")
    )
    of_name = "-".join(named.get(key, "") for key in ("year", "month", "day"))
    fields = {"title": named["title"], "name": named["title"].rpartition("/")[2]}
    given = (
        source.meta.get("categories")
        or source.meta.get("category")
        or source.options.get("default_category")
    )
    categories = [
        str(each) for each in (given if isinstance(given, list) else [given or "uncategorized"])
    ]
    # other names are written in another way
    if all(re.fullmatch(r"[\w-]+", each) for each in categories):
        fields["category"] = "/".join(categories)
    template = str(source.options.get("permalink") or _HEXO_PERMALINK)
    return _filled(template, fields, _days(source.meta.get("date") or of_name), is_default=True)


def _named_by_hexo(path: str, template: str) -> Mapping[str, str]:
    """Return the parts of a post's path, which are those of the names that Hexo gives to new
    posts.
    """
    forms = {
        "title": "(?P<title>.+)",
        "year": r"(?P<year>\d{4})",
        "month": r"(?P<month>\d\d)",
        "day": r"(?P<day>\d\d)",
    }
    escaped = re.split(_PLACEHOLDER, os.path.splitext(template)[0])
    pattern = "".join(
        forms.get(part, ".+?") if at % 2 else re.escape(part) for at, part in enumerate(escaped)
    )
    found = None
    with suppress(re.error):  # a part occurs twice
        found = re.fullmatch(pattern, path)
    return {"title": path, **(found.groupdict() if found else {})}


# --- Eleventy, Astro, Hugo and Docusaurus ---


def _eleventy(source: Source) -> Claim | None:
    """Return the claim by https://www.11ty.dev/docs/permalinks/."""
    if source.meta.get("permalink") is False:
        return NOT_RENDERED
    return _claim(own) if (own := source.text("permalink")) else None


def _astro(source: Source) -> Claim | None:
    """Return the claim by https://starlight.astro.build/reference/frontmatter/#slug."""
    return _claim(own, is_end=True) if (own := source.text("slug")) else None


def _hugo(source: Source) -> Claim | None:
    """Return the claim by https://gohugo.io/content-management/urls/."""
    if LANGUAGE.fullmatch(source.stem.rpartition(".")[2]) and "." in source.stem:
        return None
    if own := source.text("url"):
        return None if _PLACEHOLDER.search(own) else _claim(own)
    slug, name = source.text("slug"), source.stem.rpartition("/")[2]
    if not slug or name == "_index" or source.options.get("permalinks"):
        return None
    place = (
        source.directory
        if name != "index"
        else f"{source.directory.rstrip('/').rpartition('/')[0]}/"
    )
    return _claim(place + slug)


def _docusaurus(source: Source) -> Claim | None:
    """Return the claim by
    https://docusaurus.io/docs/api/plugins/@docusaurus/plugin-content-docs#markdown-front-matter.

    The sites' base for them is usually the name of their directory. Texts with versions or
    translations are copies.
    """
    top, _, _ = source.path.partition("/")
    is_blog, name = top == "blog", source.stem.rpartition("/")[2]
    given = source.text("slug") or (
        "" if is_blog or name in {"index", "README"} else source.text("id")
    )
    if (
        not given
        or "/" not in source.path
        or top in {"i18n", "src", "static"}
        or "versioned_docs" in top
    ):
        return None
    if not is_blog and os.path.isfile(os.path.join(source.project, "versions.json")):
        return None
    if given.startswith("/") or is_blog:
        given = given.strip("/")
        return _claim(
            f"{top}/{given}", *([given] if given or not is_blog else []), is_end=bool(given)
        )
    places = [_NUMBER.sub("", part, count=1) for part in source.directory.split("/")[1:-1]]
    path = "/".join((*places, given.strip("/")))
    return _claim(f"{top}/{path}", path, is_end=True)


# --- Parts of rules ---


def _filled(
    template: str, fields: Mapping[str, str], days: Sequence[date], *, is_default: bool
) -> Claim | None:
    """Return the claim of a template with placeholders, unless one of them is not known."""
    alternatives = [{**fields, **_of_day(day)} for day in days] or [dict(fields)]
    used = _PLACEHOLDER.findall(template)
    if any(name not in alternatives[0] for name in used):
        return None
    given = [template] * len(alternatives)
    for name in sorted(used, key=len, reverse=True):
        given = [
            url.replace(f":{name}", each[name])
            for url, each in zip(given, alternatives, strict=True)
        ]
    return _claim(*given, is_default=is_default)


def _of_day(day: date) -> Mapping[str, str]:
    """Return the values of placeholders for a date. Jekyll and Hexo give these the same names."""
    year, month, number = f"{day:%Y}", f"{day:%m}", f"{day:%d}"
    parts = {
        "year": year,
        "month": month,
        "day": number,
        "short_year": f"{day:%y}",
        "y_day": f"{day:%j}",
    }
    weekly = {
        "week": f"{day.isocalendar().week:02}",
        "short_day": ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")[day.weekday()],
    }
    return {**parts, **weekly, "i_month": str(day.month), "i_day": str(day.day)}


def _days(value: object) -> Sequence[date]:
    """Return the day of a date.

    The day of a time depends on the time zone of the build, so that others follow.
    """
    found = _WRITTEN_DAY.match(str(value))
    try:
        day = date(*map(int, found.groups()[:3])) if found else None
    except ValueError:
        day = None
    if not found or not day:
        return ()
    has_time = isinstance(value, datetime) or found[4].strip()
    return [day, day - timedelta(days=1), day + timedelta(days=1)] if has_time else [day]


def _slug(text: str, replaced: str = r"[\W_]+") -> str:
    return re.sub(replaced, "-", text).strip("-")


def _pelican(source: Source) -> Claim | None:
    path = _pelican_texts.save_as(source.path, source.meta, source.options)
    if path is None:
        return None
    return _claim(path, is_default="save_as" not in source.meta) if path else NOT_RENDERED


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
