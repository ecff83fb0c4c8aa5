"""The pages of the manual that are files at the top of the repository, and its links into the
repository: nothing stands twice.
"""

import os
import re
from pathlib import Path

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

from smindex_plugins import __version__
from smindex_plugins.base import release

TOP = Path(__file__).parents[2]
PAGES = {
    "CHANGELOG.md": "project/changelog.md",
    "CONTRIBUTING.md": "project/contributing.md",
    "CODE_OF_CONDUCT.md": "project/conduct.md",
    "SECURITY.md": "project/security.md",
}
DOCS = "sample_sites/mkdocs/docs/"


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    """Show the version, and once the repository has a URL, links to it and to edit each page."""
    config.copyright = f"smindex-plugins {__version__}"
    if release.REPOSITORY:
        config.repo_url = release.REPOSITORY
        config.repo_name = "/".join(release.REPOSITORY.rsplit("/", 2)[1:])
        config.edit_uri = f"edit/main/{DOCS}"
        config.theme["features"].append("content.action.edit")
    else:
        config.copyright += " (not released yet)"
    return config


def on_files(files: Files, config: MkDocsConfig) -> None:
    """Add the pages, each with the file that it is made from as its source, which dates it."""
    for name, page in PAGES.items():
        file = File.generated(
            config, page, content=with_links_of_the_manual((TOP / name).read_text(encoding="utf-8"))
        )
        file.edit_uri = os.path.relpath(TOP / name, config.docs_dir)
        files.append(file)


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:  # noqa: ARG001 - by name
    """Wrap long lines of what a program prints. Lines of code and of tables are scrolled."""
    return re.sub(r"^( *)```text\n(.*?)^ *```$", _wrapped, markdown, flags=re.MULTILINE | re.DOTALL)


def _wrapped(found: re.Match[str]) -> str:
    indent, lines = found.groups()
    is_table = len(re.findall(r"^(?:.*?\S {2,}(?=\S)){3}", lines, re.MULTILINE)) > 1
    return found[0] if is_table else f"{indent}```{{ .text .wrap }}\n{lines}{indent}```"


def with_links_of_the_manual(text: str) -> str:
    """Return a text whose links lead to pages of the manual, and are plain text where it has no
    such page.
    """
    return re.sub(r"\[([^]]+)\]\((?!https?:|#)([^)#]+)(#[^)]*)?\)", _link, text)


def _link(found: re.Match[str]) -> str:
    text, path, anchor = found.groups(default="")
    page = PAGES.get(path) or (path.removeprefix(DOCS) if path.startswith(DOCS) else "")
    return f"[{text}]({os.path.relpath(page, 'project')}{anchor})" if page else text
