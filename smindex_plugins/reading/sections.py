"""The sections of a site, derived from the names of its sitemaps."""

import re
from collections.abc import Iterable, Mapping

from smindex_plugins.base.model import NamedSection
from smindex_plugins.writing import sections

_PART = re.compile(rf"(.+){sections.PART}", re.DOTALL)


def section_names(
    sitemaps: Mapping[str, bool], address: str, named: Iterable[NamedSection]
) -> dict[str, str]:
    """Return the section of each sitemap.

    ``sitemaps`` maps paths or URLs to whether this tool wrote them. Parts of a large section share
    the stem of its first file. Each sitemap of another generator is a section.
    """
    stems = {
        file: file.removeprefix(address).removesuffix(".gz").removesuffix(".xml")
        for file in sitemaps
    }
    existing = set(stems.values())
    reserved = {f"sitemap-{section.name}" for section in named}
    names = {}
    for file, stem in stems.items():
        part = _PART.fullmatch(stem) if sitemaps[file] else None
        is_part = part and part[1] in existing and stem.rpartition("/")[2] not in reserved
        directory, _, name = (part[1] if part and is_part else stem).rpartition("/")
        by_directory = f"{directory}/" if directory else "root"
        names[file] = by_directory if name == "sitemap" else name.removeprefix("sitemap-")
    return names
