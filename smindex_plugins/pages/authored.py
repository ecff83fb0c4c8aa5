"""How the front matter of a source file is read: YAML between lines of `---`, TOML between lines of `+++`."""

import re
import tomllib
from collections.abc import Mapping

from smindex_plugins import yamltext

_MOST_BYTES = 1 << 16
_FENCED = re.compile(
    r"\A(?P<fence>---|\+\+\+)[ \t]*\r?\n(?P<text>.*?)^(?:(?P=fence)|\.\.\.)[ \t]*\r?$", re.DOTALL | re.MULTILINE
)
_HUGO_SITEMAP_KEYS = frozenset({"changefreq", "disable", "filename", "priority"})


def front_matter(path: str) -> Mapping[str, object] | None:
    """Give what stands above the text of a source file, its keys in lower case, or None where there is nothing.

    What cannot be read counts as nothing, for so it does to the generators that ignore it; those that do not have said
    so when they built the page.
    """
    try:
        with open(path, "rb") as file:
            if file.read(6).removeprefix(b"\xef\xbb\xbf")[:3] not in {b"---", b"+++"}:
                return None
            file.seek(0)
            fenced = _FENCED.match(file.read(_MOST_BYTES).decode("utf-8-sig", "replace"))
    except OSError:
        return None
    return _read(fenced["fence"], fenced["text"]) if fenced else None


def _read(fence: str, text: str) -> Mapping[str, object] | None:
    try:
        said = yamltext.load(text) if fence == "---" else tomllib.loads(text)
    except (ValueError, RecursionError):
        return None
    return _in_our_words({str(key).lower(): value for key, value in said.items()}) if isinstance(said, dict) else None


def _in_our_words(said: dict[str, object]) -> dict[str, object]:
    """Take what Hugo lets its authors write below `sitemap` for what it means here."""
    sitemap = said.get("sitemap")
    if isinstance(sitemap, Mapping) and not _HUGO_SITEMAP_KEYS.isdisjoint(sitemap):
        own = {key: value for key, value in sitemap.items() if key not in _HUGO_SITEMAP_KEYS}
        return {**said, "sitemap": {**own, "exclude": sitemap["disable"]} if "disable" in sitemap else own}
    return said
