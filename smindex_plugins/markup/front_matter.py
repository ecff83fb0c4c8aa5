"""What an author says about a page in its front matter, and the mistakes in it."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from smindex_plugins import tomltext, yamltext
from smindex_plugins.catalogue import INVALID_DEPENDS, INVALID_FRONT_MATTER, UNUSED_FRONT_MATTER
from smindex_plugins.dates import w3c_date
from smindex_plugins.files import open_regular
from smindex_plugins.limits import MAX_CONFIGURATION, MAX_DEPENDS, MAX_FRONT_MATTER, MAX_IMAGES
from smindex_plugins.model import Finding, Page
from smindex_plugins.patterns import is_file_pattern
from smindex_plugins.text import brief, counted, quoted

_FENCED = re.compile(
    r"\A(?P<fence>---|\+\+\+)[ \t]*\r?\n(?P<text>.*?)^(?:(?P=fence)|\.\.\.)[ \t]*\r?$", re.DOTALL | re.MULTILINE
)
_ENTRY = re.compile(r"\s*[\w.-]+[ \t]*[:=]")
"""How front matter begins, and hardly ever a text between two lines across the page."""
_HUGO_SITEMAP_KEYS = frozenset({"changefreq", "disable", "filename", "priority"})

DATE_KEYS = ("sitemap.lastmod", "lastmod", "updated", "modified", "date.updated")
"""Where an author's date is looked for. The first match counts; blog plugins use `date.updated`."""
_SITEMAP_KEYS = {
    "exclude": "true or false",
    "images": "true, false, or a list of image URLs",
    "lastmod": "a date",
}
_OF_OTHERS = frozenset({"priority", "changefreq"})
"""Keys that most sitemap plugins accept, and that search engines ignore."""
_MEANT = {"disable": "exclude", "hide": "exclude", "ignore": "exclude", "noindex": "exclude"}
"""The names of keys in other plugins, and their names here."""
_MARKDOWN = (".md", ".markdown", ".mkdn", ".mkd")
"""The suffixes of sources from which MkDocs makes pages."""
_SWITCHES = {"true": True, "yes": True, "on": True, "false": False, "no": False, "off": False}


@dataclass(frozen=True, slots=True)
class Above:
    """The front matter of a source file."""

    said: Mapping[str, object] | None = None
    """Its content, with keys in lower case. None if there is nothing."""
    problem: str = ""
    """Why it was not read, if its size or form was the reason."""


def read(path: str) -> Above:
    """Return the front matter of a source file.

    It is YAML between lines of ``---``, or TOML between lines of ``+++``. Anything else counts as nothing, as it
    does to the generators that ignore it, unless it was meant as front matter.
    """
    try:
        with open_regular(path) as file:
            if file.read(6).removeprefix(b"\xef\xbb\xbf")[:3] not in {b"---", b"+++"}:
                return Above()
            file.seek(0)
            content = file.read(MAX_CONFIGURATION)
    except OSError:
        return Above()
    fenced = _FENCED.match(content.decode("utf-8-sig", "replace"))
    if fenced is None and len(content) < MAX_CONFIGURATION:
        return Above()
    if fenced is None or len(fenced["text"]) > MAX_FRONT_MATTER:
        return Above(problem=f"it has more than {MAX_FRONT_MATTER:,} characters")
    return _understood(fenced["text"], is_yaml=fenced["fence"] == "---")


def _understood(text: str, *, is_yaml: bool) -> Above:
    try:
        said = (yamltext if is_yaml else tomltext).load(text)
    except yamltext.ExcessError as error:
        return Above(problem=str(error))
    except ValueError:
        problem = f"it is no valid {'YAML' if is_yaml else 'TOML'}"
        return Above(problem=problem if _ENTRY.match(text) else "")
    is_table = isinstance(said, dict)
    return Above(_in_our_words({key.lower(): value for key, value in said.items()}) if is_table else None)


def read_what_mkdocs_did_not(path: str) -> Above:
    """Return what stands above a text where MkDocs found nothing, for it is silent about what it cannot read."""
    above = read(path) if path.endswith(_MARKDOWN) else Above()
    return replace(above, problem="MkDocs cannot read it, and shows it as text") if above.said else above


def _in_our_words(said: dict[str, object]) -> dict[str, object]:
    """Return Hugo's keys under `sitemap` in the words of this package."""
    sitemap = said.get("sitemap")
    if isinstance(sitemap, Mapping) and not _HUGO_SITEMAP_KEYS.isdisjoint(sitemap):
        own = {key: value for key, value in sitemap.items() if key not in _HUGO_SITEMAP_KEYS}
        return {**said, "sitemap": {**own, "exclude": sitemap["disable"]} if "disable" in sitemap else own}
    return said


def author_date(page: Page, findings: list[Finding]) -> str | None:
    """Return the author's date, if it is a date."""
    for key in DATE_KEYS if page.details.meta else ():
        said = author_value(page, key)
        if said is None or said == "":
            continue
        lastmod = w3c_date(said)
        if lastmod is None:
            problem = f"its front matter says {key}: {brief(said)}, which is not a date."
            fix = "Write YYYY-MM-DD, or YYYY-MM-DDThh:mm:ss with a zone (Z or +hh:mm)."
            findings.append(INVALID_FRONT_MATTER.at(page.spot, problem, fix))
        return lastmod
    return None


def author_key(page: Page) -> str:
    """Return the key under which the author wrote a date, or nothing."""
    return next((key for key in DATE_KEYS if author_value(page, key) not in (None, "")), "")


def author_publication(page: Page) -> str | None:
    """Return the W3C date of publication by the author: ``date``, or what blogs write under it."""
    return w3c_date(author_value(page, "date.created")) or w3c_date(author_value(page, "date"))


def author_images(page: Page) -> bool | tuple[str, ...] | None:
    """Whether the author wants the page's images listed, or the wanted ones. None if the author does not say."""
    said = author_value(page, "sitemap.images")
    if not isinstance(said, list):
        return switch(said)
    return tuple(image for image in said[: MAX_IMAGES + 1] if isinstance(image, str))


def find_mistakes(page: Page, findings: list[Finding]) -> None:
    """Yield what is wrong with a page's front matter or its ``sitemap`` key. Wrong values have their defaults."""
    if problem := page.details.unread:
        findings.append(INVALID_FRONT_MATTER.at(page.spot, f"its front matter cannot be used: {problem}."))
    said = page.details.meta.get("sitemap") if page.details.meta else None
    if said is None or switch(said) is not None:
        return
    if not isinstance(said, Mapping):
        fix = "Write true, false, or a mapping of " + ", ".join(_SITEMAP_KEYS) + "."
        findings.append(INVALID_FRONT_MATTER.at(page.spot, f"its front matter says sitemap: {brief(said)}.", fix))
        return
    for key, value in ((_name(key), value) for key, value in said.items()):
        if key.lower() not in _OF_OTHERS and (fix := _mistake(key, value)):
            what = f"sitemap.{key}: {brief(value)}." if key in _SITEMAP_KEYS else f"sitemap.{key}, which is not a key."
            findings.append(INVALID_FRONT_MATTER.at(page.spot, f"its front matter says {what}", fix))


def find_unused(pages: Sequence[Page]) -> Iterator[Finding]:
    """Yield how many pages have keys under ``sitemap`` that only other plugins use."""
    said = [meta["sitemap"] for page in pages if (meta := page.details.meta) and "sitemap" in meta]
    found = [_OF_OTHERS & {_name(key).lower() for key in keys} for keys in said if isinstance(keys, Mapping)]
    if count := sum(map(bool, found)):
        keys = " and ".join(f"sitemap.{key}" for key in sorted(frozenset().union(*found)))
        problem = f"front matter says {keys}, which these sitemaps do not have."
        yield UNUSED_FRONT_MATTER.at(f"{count:,} of {counted(len(pages), 'page')}", problem)


def _name(key: object) -> str:
    """Return the name of a key for messages. Some hosts have keys that are not texts."""
    return quoted(key) if isinstance(key, str) else brief(key)


def _mistake(key: str, value: object) -> str:
    """Return how to correct a key under ``sitemap``, or an empty string if it is right."""
    if key not in _SITEMAP_KEYS:
        import difflib  # noqa: PLC0415 - only a mistake needs it

        key = _MEANT.get(key, key)
        nearest = difflib.get_close_matches(key, _SITEMAP_KEYS, n=1)
        return f"Did you mean {nearest[0]}?" if nearest else f"Known are {', '.join(_SITEMAP_KEYS)}."
    if key == "images" and isinstance(value, list):
        is_right = all(isinstance(image, str) and image.strip() for image in value)
    else:
        is_right = key == "lastmod" or switch(value) is not None
    return "" if is_right else f"Write {_SITEMAP_KEYS[key]}."


def depends(page: Page, findings: list[Finding]) -> tuple[str, ...]:
    """Return the file patterns that the author wrote under ``depends``: one, or a list."""
    value = page.details.meta.get("depends") if page.details.meta else None
    if value is None:
        return ()
    given = [value] if isinstance(value, str) else value
    if isinstance(given, list | tuple) and len(given) > MAX_DEPENDS:
        problem = f"its front matter names {len(given):,} patterns under depends; {MAX_DEPENDS:,} are allowed."
    elif isinstance(given, list | tuple) and all(is_file_pattern(pattern) for pattern in given):
        return tuple(given)
    else:
        problem = f"its front matter says depends: {brief(value)}, which does not name files."
    findings.append(INVALID_DEPENDS.at(page.spot, problem))
    return ()


def switch(value: object) -> bool | None:
    """Whether a value means yes or no, or None for others. The metadata of some hosts are always texts."""
    if isinstance(value, str):
        return _SWITCHES.get(value.strip().lower())
    return value if isinstance(value, bool) else None


def author_value(page: Page, key: str) -> object:
    """Return the author's value of a key, or of a key under it such as ``sitemap.lastmod``, or None."""
    outer, _, inner = key.partition(".")
    said = page.details.meta.get(outer) if page.details.meta else None
    if inner:
        return said.get(inner) if isinstance(said, Mapping) else None
    return said
