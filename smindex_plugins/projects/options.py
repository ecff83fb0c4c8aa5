"""The options of the plugin in a generator's configuration, read without running anything."""

import ast
import os
import warnings
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

import yaml

from smindex_plugins import yamltext
from smindex_plugins.projects.configuration import Configuration, read_text, resolved
from smindex_plugins.settings import OPTIONS, Settings, SettingsError

_PLUGIN = ("sitemap-index", "sitemap_index")
"""The names of the plugin, of which the first that stands there counts."""
_SETTING = "SITEMAP_INDEX"
_SPHINX = ("smindex_plugins.sphinx", "sitemap_index")
"""The extension of Sphinx, and its dict of options."""
_PAGES_OF_PLUGINS = {"print-site": ["print_page/index.html", "print_page.html"]}
"""Pages that MkDocs plugins write in addition, and that repeat those of the site."""
_PAGES_OF_SPHINX = (
    *("_downloads/", "_images/", "_modules/", "_sources/", "_static/"),
    *(
        f"{name}{end}"
        for name in ("genindex", "genindex-?", "genindex-all", "*-modindex", "search")
        for end in (".html", "/")
    ),
)
"""The patterns of what Sphinx makes itself, which its extension leaves out."""
_PELICANS_KEY, _SPHINX_KEY = "SITEURL", "html_baseurl"


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """What a configuration says about the sitemaps. Without the plugin it says nothing."""

    settings: Settings | None = None
    given: Mapping[str, object] = field(default_factory=dict)
    """The options of `Settings` as they are written, and what the host has in place of a default."""
    templates: tuple[str, ...] = ()
    """Patterns of pages that a theme, a plugin or the host renders in addition to those of the site."""
    drafts: tuple[str, ...] = ("drafts/",)
    """The directories of drafts, by Pelican's settings."""
    problem: str = ""
    """Why the options are not known, if so."""


def is_pelicans(configuration: Configuration | None) -> bool:
    """Whether a configuration is Pelican's."""
    return configuration is not None and configuration.key == _PELICANS_KEY


def read_options(configuration: Configuration) -> Options:
    """Return what a configuration says about the sitemaps."""
    try:
        if is_pelicans(configuration):
            return _pelicans(configuration.file)
        if configuration.key == _SPHINX_KEY:
            return _sphinxs(configuration.file)
        return _mkdocs(configuration.file) if configuration.file.endswith((".yml", ".yaml")) else Options()
    except (OSError, ValueError, TypeError, SyntaxError, RecursionError, MemoryError, SettingsError) as error:
        settings = Settings(pagination=False) if is_pelicans(configuration) else None
        return Options(settings=settings, problem=str(error).partition("\n")[0] or type(error).__name__)


def _mkdocs(file: str) -> Options:
    said = _inherited(file)
    theme = said.get("theme")
    given = theme.get("static_templates") if isinstance(theme, dict) else None
    templates = [name for name in given if isinstance(name, str)] if isinstance(given, list) else []
    options = dict(_plugins(said.get("plugins")))
    templates += _PAGES_OF_PLUGINS["print-site"] if "print-site" in options else []
    templates = ["search.html", *templates]
    plugin = next((name for name in options if name in _PLUGIN), "")
    if not plugin:
        return Options(templates=tuple(templates))
    given = _known(options[plugin])
    return Options(settings=Settings.load(given), given=given, templates=tuple(templates))


def _inherited(file: str) -> dict[str, object]:
    """Return the plugins and the theme of a file, or of the file that it inherits from."""
    values: dict[str, object] = {}
    seen: set[str] = set()
    while file not in seen and len(seen) < 10:  # noqa: PLR2004 - more files than anybody inherits from
        seen.add(file)
        own = yamltext.entries(yamltext.compose(read_text(file)))
        values = {key: yamltext.plain(own[key], resolved) for key in ("plugins", "theme") if key in own} | values
        parent = own.get("INHERIT")
        if not isinstance(parent, yaml.ScalarNode):
            break
        file = os.path.normpath(os.path.join(os.path.dirname(file), parent.value))
    return values


def _plugins(given: object) -> Iterator[tuple[str, object]]:
    """Yield the names of plugins with their options. MkDocs allows a list or a mapping."""
    for each in given if isinstance(given, list) else [given]:
        if isinstance(each, dict):
            yield from each.items()
        elif isinstance(each, str):
            yield each, None


def _known(given: object) -> Mapping[str, object]:
    known = {option.name for option in OPTIONS}
    options = given if isinstance(given, Mapping) else {}
    return {key: value for key, value in options.items() if key in known and value is not None}


def _pelicans(file: str) -> Options:
    assigned: dict[str, ast.expr] = {}
    for name in ("pelicanconf.py", os.path.basename(file)):
        path = os.path.join(os.path.dirname(file), name)
        if os.path.isfile(path):
            assigned |= _assignments(path)
    drafts = [_text(assigned.get(name)) for name in ("DRAFT_SAVE_AS", "DRAFT_PAGE_SAVE_AS", "DRAFT_LANG_SAVE_AS")]
    places = tuple(place for draft in drafts if (place := draft.partition("{")[0]).endswith("/"))
    given = {"pagination": False, **_known(_literal(assigned, _SETTING))}
    written = given if _SETTING in assigned else {}  # without it, the plugin may not run at all
    return Options(settings=Settings.load(given), given=written, drafts=(*places, "drafts/"))


def _sphinxs(file: str) -> Options:
    extension, setting = _SPHINX
    if extension not in read_text(file):
        return Options()
    given = _known(_literal(_assignments(file), setting))
    return Options(settings=Settings.load(given), given=given, templates=_PAGES_OF_SPHINX)


def _assignments(path: str) -> dict[str, ast.expr]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of what is wrong in there, its own generator tells
        body = ast.parse(read_text(path)).body
    return {
        target.id: statement.value
        for statement in body
        if isinstance(statement, ast.Assign)
        for target in statement.targets
        if isinstance(target, ast.Name)
    }


def _literal(assigned: Mapping[str, ast.expr], name: str) -> Mapping[str, object]:
    """Return a dict of literals, or an empty one if nothing has that name.

    Raises:
        TypeError: it is not a dict.
        ValueError: it has anything but literals in it.
    """
    node = assigned.get(name)
    try:
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "dict" and not node.args:
            return {word.arg: ast.literal_eval(word.value) for word in node.keywords if word.arg}
        value = {} if node is None else ast.literal_eval(node)
    except ValueError:
        message = f"{name} has a value that is computed"
        raise ValueError(message) from None
    if not isinstance(value, dict):
        message = f"{name} is no dict"
        raise TypeError(message)
    return value


def _text(node: ast.expr | None) -> str:
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else ""
