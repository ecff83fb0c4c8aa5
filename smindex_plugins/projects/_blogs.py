"""Finds the pages of the blog plugin of Material for MkDocs and Zensical, and what lists show.

Which posts a list shows is computed as the generators compute it, because a list can also link to
other posts.
"""

import os
from collections import defaultdict
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import NamedTuple

from smindex_plugins.base import urls
from smindex_plugins.base.invalid_text import InvalidTextError
from smindex_plugins.html.front_matter import FrontMatter
from smindex_plugins.pages.candidates import candidates
from smindex_plugins.projects._blog_posts import Blog, Post, blogs, formatted, posts_of
from smindex_plugins.projects._configuration import Configuration, load


class BlogPage(NamedTuple):
    """A page that a blog plugin makes: of a post, or a list of posts."""

    source: str
    """Its file, as an absolute path. Empty if it has none, as most lists."""
    posts: tuple[str, ...] = ()
    """The files of the posts that a list shows, in order."""
    number: int = 1
    """The number of the page in its list."""
    is_list: bool = False


class _View(NamedTuple):
    """A list of posts before it is divided into pages."""

    kind: str
    """The prefix of its options, such as `archive_`. Empty for the list of all posts."""
    path: str
    """The path of its first page below the site's, which is also that of its file without the
    suffix."""
    posts: Sequence[str]


def rendered_blog_pages(
    configuration: Configuration,
    read: Callable[[str], FrontMatter],
    files: Iterable[str],
    is_redirect: Callable[[str], bool],
) -> Mapping[str, BlogPage]:
    """Return the pages of the blogs of a built site, given by its files, by their folded paths.

    A post without a page may be at a URL that can't be computed. It is one that the site excludes,
    such as with `exclude_docs`, if all pages below the directories of the blogs are known without
    it.
    """
    found = blog_pages(configuration, read)
    by_path = {urls.folded(file): file for file in files}
    absent = {page.source for page in found.values() if not page.is_list}
    for path, page in found.items():
        if path in by_path:
            absent.discard(page.source)
    if not absent:
        return found
    fewer = blog_pages(configuration, read, absent)
    starts = tuple(f"{urls.folded(blog.root)}/".lstrip("/") for blog in blogs(configuration))
    for path, file in by_path.items():
        if path in fewer or not f"{path}/".startswith(starts):
            continue
        if not _has_source(file, configuration) and not is_redirect(file):
            return found
    return fewer


def _has_source(file: str, configuration: Configuration) -> bool:
    """Whether there is a source at the path of a rendered file, or it is the error page."""
    if urls.is_error_page(file):
        return True
    for pattern in configuration.sources:
        if any(map(os.path.isfile, candidates(pattern, file))):
            return True
    return False


def blog_pages(
    configuration: Configuration, read: Callable[[str], FrontMatter], absent: Container[str] = ()
) -> Mapping[str, BlogPage]:
    """Return the pages that the blogs of a site have without some posts, by their folded paths.

    Two pages at one path prove nothing.
    """
    directory = configuration.source_directory
    claimed = defaultdict[str, list[BlogPage]](list)
    for blog in blogs(configuration):
        posts = posts_of(blog, configuration, read)
        shown = [post for post in posts if post.source not in absent]
        for post in shown:
            for path in post.paths:
                claimed[_key(path)].append(BlogPage(post.source))
        for view in _views(blog, shown, directory):
            for path, page in _pages(blog, view, directory):
                claimed[_key(path)].append(page)
    proven = {}
    for path, pages in claimed.items():
        if len(pages) == 1:
            proven[path] = pages[0]
    return proven


def _key(path: str) -> str:
    """Return a path without a suffix as paths are compared, whether URLs are directories or not."""
    return urls.folded(f"{_without_index(path)}/")


def _without_index(path: str) -> str:
    """Return the path of a directory for that of its index, and another path as it is."""
    directory, _, name = path.rpartition("/")
    return directory if name == "index" else path


def _views(blog: Blog, shown: Sequence[Post], directory: str) -> Iterator[_View]:
    """Yield the lists of a blog, each with its posts in order."""
    yield _View("", blog.below("index"), [post.source for post in shown])
    if blog.switch("archive"):
        yield from _views_by("archive_", shown, lambda post: [_archive(blog, post)])
    if blog.switch("categories") and blog.has_known_slugs("categories"):
        yield from _views_by(
            "categories_", shown, lambda post: [_category(blog, name) for name in post.categories]
        )
    if blog.switch("authors_profiles"):
        authors = _authors(os.path.join(directory, blog.authors_file))
        yield from _views_by(
            "authors_profiles_",
            shown,
            lambda post: [_profile(blog, name, authors) for name in post.authors],
        )


def _views_by(
    kind: str, shown: Sequence[Post], paths_of: Callable[[Post], list[str]]
) -> Iterator[_View]:
    """Yield the lists of a kind, by the paths of the lists that a post is in."""
    members = defaultdict[str, list[str]](list)
    for post in shown:
        for path in dict.fromkeys(paths_of(post)):
            members[path].append(post.source)
    for path, sources in members.items():
        yield _View(kind, path, sources)


def _archive(blog: Blog, post: Post) -> str:
    """Return the path of the list of the posts of a time."""
    form = blog.text("archive_url_date_format")
    return blog.path("archive_url_format", date=formatted(post.created, form))


def _category(blog: Blog, name: str) -> str:
    """Return the path of the list of the posts of a category."""
    slug = blog.slug(name, "categories")
    return blog.path("categories_url_format", slug=slug)


def _profile(blog: Blog, key: str, authors: Mapping[str, object]) -> str:
    """Return the path of the list of the posts of an author, by the key in the file of authors."""
    author = authors.get(key)
    if not isinstance(author, dict):
        author = {}
    slug = str(author.get("slug") or key)
    name = str(author.get("name") or "")
    return blog.path("authors_profiles_url_format", slug=slug, name=name)


def _authors(file: str) -> Mapping[str, object]:
    """Return the authors that a file describes, by their keys."""
    with suppress(OSError, InvalidTextError):
        authors = load(file).get("authors")
        if isinstance(authors, dict):
            return authors
    return {}


def _pages(blog: Blog, view: _View, directory: str) -> Iterator[tuple[str, BlogPage]]:
    """Yield the pages of a list, with their paths."""
    source = os.path.join(directory, f"{view.path}.md")
    if not os.path.isfile(source):
        source = ""
    count = len(view.posts)
    length = count
    if blog.switch("pagination", view.kind):
        length = blog.number("pagination_per_page", view.kind)
    length = max(1, length)
    yield view.path, BlogPage(source, tuple(view.posts[:length]), is_list=True)
    place = _without_index(view.path)
    form = blog.text("pagination_url_format")
    for start in range(length, count, length):
        number = start // length + 1
        later = form.replace("{page}", str(number)).strip("/")
        shown = tuple(view.posts[start : start + length])
        yield f"{place}/{later}", BlogPage("", shown, number, is_list=True)
