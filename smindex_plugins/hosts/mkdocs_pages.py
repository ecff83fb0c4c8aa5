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
    """Yield the listable files that MkDocs copies unchanged, then the pages, which MkDocs writes
    after them.
    """
    copied = (
        file for file in files if file.inclusion.is_included() and not file.is_documentation_page()
    )
    yield from (
        file for file in copied if is_html(file.dest_uri) or is_included(file.dest_uri, settings)
    )
    yield from files.documentation_pages()


def page_of(file: "File", site_url: str, config: "MkDocsConfig", documented: Documented) -> Page:
    """Return the page for a file, with what it documents.

    A page that a script generates has no date if the script may write text that is not in a module.
    """
    page, sources = file.page, sources_of(file, config)
    if page is None:
        kind: Literal["copied", "file"] = "copied" if is_html(file.dest_uri) else "file"
        url = urls.resolve(site_url, file.url)
        return Page(
            url=url, file=file.abs_dest_path, sources=sources, source_name=file.src_uri, kind=kind
        )
    views = getattr(page, "pages", [])  # all pages of a paginated blog list
    # A `--dirty` build does not read unchanged pages.
    given = page.meta or (meta.get_data(file.content_string)[1] if page.content is None else None)
    above = (
        front_matter.FrontMatter(given)
        if given
        else front_matter.read_skipped_by_mkdocs(file.abs_src_path or "")
    )
    return Page(
        url=url_of(page, site_url),
        file=file.abs_dest_path,
        sources=sources,
        source_name=file.src_uri,
        meta=above.meta,
        meta_error=above.problem,
        depends=documented.files if sources or documented.is_all else (),
        unknown=documented.unknown,
        lists=tuple(
            url_of(listed, site_url)
            for listed in [*getattr(page, "posts", []), *tagged(page, config)]
        ),
        number=views.index(page) + 1 if page in views else 1,
        alternates=_alternates(file, site_url),
    )


def tagged(page: "MkDocsPage", config: "MkDocsConfig") -> Iterator["MkDocsPage"]:
    """Return the pages that the tags plugins of Material and MaterialX list on a page."""
    for name, plugin in config.plugins.items():
        if name.partition(" ")[0] in _TAGS_PLUGINS:
            for listing in getattr(plugin, "listings", None) or ():
                if listing.page is page:
                    listed = (mapping.item for tree in listing for mapping in tree.mappings)
                    # not a link to another site
                    yield from (item for item in listed if item.is_page)


def url_of(page: "MkDocsPage", site_url: str) -> str:
    """Return the canonical URL of a page, or its default URL if another plugin set an invalid
    one.
    """
    return urls.normal(urljoin(site_url, page.canonical_url or page.file.url)) or urls.resolve(
        site_url, page.file.url
    )


def _alternates(file: "File", site_url: str) -> tuple[tuple[str, str], ...]:
    """Return the language variants from mkdocs-static-i18n, without the copies for missing
    translations.
    """
    variants: dict[str, File] = getattr(file, "alternates", None) or {}
    translated = {
        code: variant
        for code, variant in variants.items()
        if getattr(variant, "locale", code) == code
    }
    if file not in translated.values():  # a copy for a missing translation
        translated = {code: variant for code, variant in variants.items() if variant is file}
    return tuple(
        sorted((code, urls.resolve(site_url, variant.url)) for code, variant in translated.items())
    )


def sources_of(file: "File", config: "MkDocsConfig") -> tuple[str, ...]:
    """Return the source file of a page.

    For a generated page, this is the file that it extends or the file in its edit link, if there is
    one.
    """
    if getattr(file, "generated_by", None) is None and file.abs_src_path is not None:
        return (file.abs_src_path,)
    edited = None
    if config.repo_url and file.page is not None and file.page.edit_url:
        top = urlsplit(urljoin(config.repo_url.rstrip("/") + "/", config.edit_uri or ""))
        link = urlsplit(file.page.edit_url)
        edited = posixpath.relpath(link.path, top.path) if link.netloc == top.netloc else None
    paths = (
        os.path.normpath(os.path.join(config.docs_dir, it))
        for it in (file.src_uri, file.edit_uri, edited)
        if it
    )
    return tuple(path for path in paths if os.path.isfile(path))[:1]
