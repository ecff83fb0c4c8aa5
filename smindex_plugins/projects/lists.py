"""Finds which pages of a built site list others, and what they list.

A page has the newest date of the pages that it lists, if these are known. If its source shows other
pages or data that are not known, it has no date from git.
"""

import os
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import cached_property
from typing import NamedTuple

from smindex_plugins.base import urls
from smindex_plugins.base.files import read
from smindex_plugins.base.limits import MAX_PAGE_READ
from smindex_plugins.base.model import Page
from smindex_plugins.base.proof import NoDate, Unknown
from smindex_plugins.history.places import find_repository
from smindex_plugins.html.page import parse_main_links, parse_tag_links
from smindex_plugins.projects._templates import ANY, Drawn, TemplateReader
from smindex_plugins.projects.pages import BuiltSite

_LANGUAGE = re.compile(r"\.([a-z]{2}(?:-[a-z]{2,4})?)\.\w+$", re.IGNORECASE)


def with_lists(pages: Sequence[Page], site: BuiltSite) -> list[Page]:
    """Return all pages of a built site with what they list, or with why git can't date them."""
    if not site.configuration:
        return list(pages)
    reader = TemplateReader(site.configuration, site.sources.front_matter)
    return _Lists(pages, site, reader).all()


class _Made(NamedTuple):
    """What a page shows besides its own text."""

    drawn: Drawn
    may_list: set[str]
    """The directories of pages that it lists if it links to them."""

    @property
    def is_list(self) -> bool:
        return bool(self.drawn.lists or self.may_list)


class _Lists:
    """The lists among the pages of one site. Each source is read once."""

    def __init__(self, pages: Sequence[Page], site: BuiltSite, reader: TemplateReader) -> None:
        self._pages = pages
        self._site = site
        self._reader = reader
        self._by_url: dict[str, Page] = {}
        self._by_file: dict[str, Page] = {}
        made: dict[str, tuple[str, str]] = {}
        for page in pages:
            self._by_url[page.url] = page
            path = self._path(page)
            self._by_file[path] = page
            if _is_made(page):
                source = page.sources[0]
                made[page.url] = source, reader.layout_of(source)
        self._users = Counter(layout for _, layout in made.values())
        self._made: dict[str, _Made] = {}
        for url, (source, layout) in made.items():
            self._made[url] = self._shown(source, layout)

    def _path(self, page: Page) -> str:
        """Return the path of a page's file in the built directory."""
        return os.path.relpath(page.file or "", self._site.directory).replace(os.sep, "/")

    def _shown(self, source: str, layout: str) -> _Made:
        """Return what a page shows besides its own text, in its source and in its layout.

        A layout that several pages share shows the same on all of them, so it counts only for a
        page without text.
        """
        drawn = self._reader.drawn_by(source)
        is_text = not self._reader.leaves_all_to_others(source)
        of_layout = Drawn()
        if layout and (not is_text or self._users[layout] == 1):
            of_layout = self._reader.drawn_by_layout(layout)
        if is_text:
            return _Made(drawn, of_layout.lists)
        drawn.files |= of_layout.files
        drawn.is_unknown |= of_layout.is_unknown
        return _Made(drawn, of_layout.lists or {ANY})

    def all(self) -> list[Page]:
        """Return all pages with what they list."""
        return [self._dated(page) for page in self._pages]

    def _dated(self, page: Page) -> Page:
        """Return a page with the pages and data that it shows, or with why it has no date."""
        if page.number > 1 or page.kind == "file":
            return page
        if self._reader.generator == "Hugo":
            below = tuple(self._below(page))
            if below:
                return replace(page, lists=below)
        posts = self._posts_on(page)
        made = self._made.get(page.url)
        if not made and not posts:
            return page
        for post in posts:
            if post not in self._by_source:
                directory = os.path.relpath(os.path.dirname(post), self._reader.root)
                return replace(page, unknown=self._unknown(Drawn(lists={directory})))
        lists = [self._by_source[post].url for post in posts]
        if not made:
            return replace(page, lists=tuple(lists))
        return self._with_shown(page, made, lists)

    def _with_shown(self, page: Page, made: _Made, lists: list[str]) -> Page:
        """Return a page with what its source and its layout show, besides these pages."""
        drawn = made.drawn
        linked: list[str] = []
        if made.is_list:
            linked = list(self._linked(page, drawn.lists or made.may_list))
        tagged: list[str] = []
        if drawn.tags:
            tagged = list(self._tagged(page, drawn.tags))
        lacks_linked = drawn.lists and not linked
        lacks_tagged = drawn.tags and not tagged and self._has_tags
        if drawn.is_unknown or lacks_linked or lacks_tagged:
            return replace(page, unknown=self._unknown(drawn))
        shown = (*lists, *linked, *tagged)
        return replace(page, lists=shown, depends=(*page.depends, *sorted(drawn.files)))

    def _posts_on(self, page: Page) -> tuple[str, ...]:
        """Return the files of the posts that a page shows in a blog of Material or Zensical."""
        path = self._path(page)
        blog_page = self._site.sources.blog_page(path)
        return blog_page.posts if blog_page else ()

    @cached_property
    def _has_tags(self) -> bool:
        """Whether the source of a page sets tags. If none does, a list of tags is empty."""
        return any((page.meta or {}).get("tags") for page in self._pages)

    @cached_property
    def _by_source(self) -> Mapping[str, Page]:
        """The pages by their first source."""
        return {page.sources[0]: page for page in self._pages if page.sources}

    def _below(self, page: Page) -> Iterator[str]:
        """Yield the pages below a section of Hugo, whose own `.Lastmod` is the newest of these."""
        if not page.sources:
            path = os.path.dirname(self._path(page))
            directory = os.path.normpath(os.path.join(self._reader.content, path))
            if not os.path.isdir(directory):  # a list of a taxonomy
                yield from self._linked(page, {ANY})
                return
            for entry in self._entries_of.get(directory, ()):
                yield entry.url
        elif _is_section(page.sources[0]):
            language = _language(page.sources[0])
            directory = os.path.dirname(page.sources[0])
            for entry in self._entries_of.get(directory, ()):
                if _language(entry.sources[0]) == language:
                    yield entry.url

    @cached_property
    def _entries_of(self) -> Mapping[str, Sequence[Page]]:
        """The pages below each directory of sources, without sections."""
        found = defaultdict[str, list[Page]](list)
        for page in self._pages:
            if not page.sources or _is_section(page.sources[0]):
                continue
            directory = os.path.dirname(page.sources[0])
            while len(directory) > len(self._reader.root):
                found[directory].append(page)
                directory = os.path.dirname(directory)
        return found

    def _linked(self, page: Page, directories: set[str]) -> Iterator[str]:
        """Yield the pages from these directories to which the main content of a list links."""
        links: frozenset[str] = frozenset()
        with suppress(OSError):
            content = read(page.file or "", MAX_PAGE_READ)
            links = parse_main_links(content, page.url)
        for other in self._pages_at(links):
            if not self._is_entry(other, page):
                continue
            source = other.sources[0]
            if any(_is_in(source, directory) for directory in directories):
                yield other.url

    def _tagged(self, page: Page, headings: set[str]) -> Iterator[str]:
        """Yield the pages that a list of tags shows.

        Those on other sites have no date that counts.
        """
        links: frozenset[str] = frozenset()
        with suppress(OSError):
            content = read(page.file or "", MAX_PAGE_READ)
            links = parse_tag_links(content, page.url, headings)
        for other in self._pages_at(links):
            yield other.url

    def _pages_at(self, links: Iterable[str]) -> Iterator[Page]:
        """Yield the pages of the site to which links lead."""
        for url in sorted(links):
            page = self._by_url.get(url) or self._answering(url)
            if page:
                yield page

    def _answering(self, url: str) -> Page | None:
        """Return the page that a server shows at another form of its URL."""
        if not urls.is_within(url, self._site.url):
            return None
        path = urls.file_path(urls.relative_path(url, self._site.url))
        if path is None:
            return None
        for name in urls.answering_files(path):
            if name in self._by_file:
                return self._by_file[name]
        return None

    def _is_entry(self, other: Page, page: Page) -> bool:
        """Whether a linked page can be an entry of a list: not one above it, and no list itself."""
        if not other.sources or other.number != 1 or other.url == self._site.url:
            return False
        if page.url.startswith(other.url):
            return False
        made = self._made.get(other.url)
        return made is None or not made.is_list

    def _unknown(self, drawn: Drawn) -> Unknown:
        """Return why a page has no date, with the files to list for it."""
        directories = sorted(drawn.lists - {ANY})
        files = [f'"{self._pattern(directory)}"' for directory in directories]
        shown = ", ".join(files) or '"path/of/what/it/shows/*"'
        return Unknown(NoDate.TEMPLATE, detail=shown)

    def _pattern(self, directory: str) -> str:
        """Return the pattern of the files of listed pages, relative to their repository's root."""
        for page in self._pages:
            if page.sources and _is_in(page.sources[0], directory):
                place, _, _ = page.sources[0].partition(f"{os.sep}{directory}{os.sep}")
                root, _ = find_repository(place, {})
                absolute = os.path.join(place, directory)
                path = os.path.relpath(absolute, root or ".").replace(os.sep, "/")
                return f"{path}/*"
        return f"{directory}/*"


def _is_made(page: Page) -> bool:
    """Whether a page is made from a source, and is not the file itself."""
    return page.kind != "file" and page.number == 1 and page.sources not in {(), (page.file,)}


def _is_section(source: str) -> bool:
    """Whether a file of Hugo describes a section."""
    return os.path.basename(source).startswith("_index.")


def _is_in(source: str, directory: str) -> bool:
    return not directory or f"{os.sep}{directory}{os.sep}" in source


def _language(source: str) -> str:
    """Return the language in the name of a file, such as that of `_index.de.md`."""
    found = _LANGUAGE.search(source)
    return found[1].lower() if found else ""
