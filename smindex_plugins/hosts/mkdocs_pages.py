"""Turns the files of a MkDocs build into pages with URLs, sources, front matter and language
variants.
"""

import os
import posixpath
from collections.abc import Iterator
from typing import TYPE_CHECKING, Literal
from urllib.parse import urljoin, urlsplit

from mkdocs.utils import meta

from smindex_plugins.base import urls
from smindex_plugins.base.files import is_html
from smindex_plugins.base.model import Page
from smindex_plugins.base.settings import Settings
from smindex_plugins.html import front_matter
from smindex_plugins.html.documented import Documented
from smindex_plugins.pages.others import is_included

if TYPE_CHECKING:
    from mkdocs.config.defaults import MkDocsConfig
    from mkdocs.structure.files import File, Files
    from mkdocs.structure.pages import Page as MkDocsPage

_TAGS_PLUGINS = ("material/tags", "materialx/tags")


def published(files: "Files", settings: Settings) -> Iterator["File"]:
    """Yield the listable files that MkDocs copies, then the pages, which it writes after them."""
    for file in files:
        if not file.inclusion.is_included() or file.is_documentation_page():
            continue
        if is_html(file.dest_uri) or is_included(file.dest_uri, settings):
            yield file
    yield from files.documentation_pages()


def page_of(file: "File", site_url: str, config: "MkDocsConfig", documented: Documented) -> Page:
    """Return the page for a file, with what it documents.

    A page that a script generates has no date if the script may write text that is not in a module.
    """
    page = file.page
    sources = sources_of(file, config)
    if page is None:
        return _copied(file, site_url, sources)
    above = _front_matter(file, page)
    depends = documented.files if sources or documented.is_all else ()
    listed = [*getattr(page, "posts", []), *tagged(page, config)]
    views = getattr(page, "pages", [])  # all pages of a paginated blog list
    number = 1
    if page in views:
        number = views.index(page) + 1
    return Page(
        url=url_of(page, site_url),
        file=file.abs_dest_path,
        sources=sources,
        source_name=file.src_uri,
        meta=above.meta,
        meta_error=above.problem,
        depends=depends,
        unknown=documented.unknown,
        lists=tuple(url_of(each, site_url) for each in listed),
        number=number,
        alternates=_alternates(file, site_url),
    )


def _copied(file: "File", site_url: str, sources: tuple[str, ...]) -> Page:
    kind: Literal["copied", "file"] = "copied" if is_html(file.dest_uri) else "file"
    return Page(
        url=urls.resolve(site_url, file.url),
        file=file.abs_dest_path,
        sources=sources,
        source_name=file.src_uri,
        kind=kind,
    )


def _front_matter(file: "File", page: "MkDocsPage") -> front_matter.FrontMatter:
    given = page.meta
    if not given and page.content is None:  # a `--dirty` build does not read unchanged pages
        _, given = meta.get_data(file.content_string)
    if given:
        return front_matter.FrontMatter(given)
    return front_matter.read_skipped_by_mkdocs(file.abs_src_path or "")


def tagged(page: "MkDocsPage", config: "MkDocsConfig") -> Iterator["MkDocsPage"]:
    """Return the pages that the tags plugins of Material and MaterialX list on a page."""
    for name, plugin in config.plugins.items():
        if name.partition(" ")[0] not in _TAGS_PLUGINS:
            continue
        for listing in getattr(plugin, "listings", None) or ():
            if listing.page is not page:
                continue
            for tree in listing:
                for mapping in tree.mappings:
                    if mapping.item.is_page:  # not a link to another site
                        yield mapping.item


def url_of(page: "MkDocsPage", site_url: str) -> str:
    """Return the canonical URL of a page, or its default URL if another plugin's is invalid."""
    own = page.file.url
    canonical = urljoin(site_url, page.canonical_url or own)
    return urls.normal(canonical) or urls.resolve(site_url, own)


def _alternates(file: "File", site_url: str) -> tuple[tuple[str, str], ...]:
    """Return the language variants from mkdocs-static-i18n, but no copies for missing ones."""
    variants: dict[str, File] = getattr(file, "alternates", None) or {}
    shown = {}
    for code, variant in variants.items():
        if getattr(variant, "locale", code) == code:
            shown[code] = variant
    if file not in shown.values():  # a copy for a missing translation
        shown = {code: variant for code, variant in variants.items() if variant is file}
    addresses = ((code, urls.resolve(site_url, variant.url)) for code, variant in shown.items())
    return tuple(sorted(addresses))


def sources_of(file: "File", config: "MkDocsConfig") -> tuple[str, ...]:
    """Return the source file of a page.

    For a generated page, this is the file that it extends or the file in its edit link, if any.
    """
    if getattr(file, "generated_by", None) is None and file.abs_src_path is not None:
        return (file.abs_src_path,)
    for name in (file.src_uri, file.edit_uri, _edited(file, config)):
        if not name:
            continue
        path = os.path.normpath(os.path.join(config.docs_dir, name))
        if os.path.isfile(path):
            return (path,)
    return ()


def _edited(file: "File", config: "MkDocsConfig") -> str | None:
    """Return the file in the edit link of a page, relative to the directory of the sources."""
    if not config.repo_url or file.page is None or not file.page.edit_url:
        return None
    repository = config.repo_url.rstrip("/") + "/"
    top = urlsplit(urljoin(repository, config.edit_uri or ""))
    link = urlsplit(file.page.edit_url)
    if link.netloc != top.netloc:
        return None
    return posixpath.relpath(link.path, top.path)
