"""The sections of a site, derived from the names of its sitemaps."""

import re
from collections.abc import Iterable, Mapping

from smindex_plugins.base.model import NamedSection
from smindex_plugins.writing import sections

_PART = re.compile(rf"(.+){sections.PART}", re.DOTALL)


def section_names(
    sitemaps: Mapping[str, bool],
    address: str,
    named: Iterable[NamedSection],
) -> dict[str, str]:
    """Return the section of each sitemap.

    ``sitemaps`` maps paths or URLs to whether this tool wrote them. Parts of a large section share
    the stem of its first file. Each sitemap of another generator is a section.
    """
    stems = {}
    for file in sitemaps:
        path = file.removeprefix(address)
        stems[file] = path.removesuffix(".gz").removesuffix(".xml")
    existing = set(stems.values())
    reserved = {f"sitemap-{section.name}" for section in named}
    names = {}
    for file, stem in stems.items():
        own_stem = stem
        if sitemaps[file] and stem.rpartition("/")[2] not in reserved:
            part = _PART.fullmatch(stem)
            if part and part[1] in existing:
                own_stem = part[1]
        names[file] = _section_name(own_stem)
    return names


def _section_name(stem: str) -> str:
    directory, _, name = stem.rpartition("/")
    if name != "sitemap":
        return name.removeprefix("sitemap-")
    if directory:
        return f"{directory}/"
    return "root"
