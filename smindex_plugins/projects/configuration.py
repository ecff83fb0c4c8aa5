"""What the configuration of a site generator says, without running it: where the site is served, built, and written."""

import ast
import json
import os
import tomllib
import warnings
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace

import yaml

from smindex_plugins import urls, yamltext

_MOST_LEVELS = 4
"""Directories above the built one that are looked into: a configuration further away is that of something else."""
_MOST_BYTES = 1 << 20
_SPHINX_DIRECTORIES = ("source", "docs", "docs/source", "doc", "doc/source")
"""Where a Sphinx project keeps its conf.py, below the directory in which `make html` is run."""

_HUGO_KEYS = {"baseurl": "baseURL"}
"""Keys that may be written in any case, as they are written."""

_Values = Mapping[str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Configuration:
    """A configuration file, and what it says of its site; all paths are absolute."""

    file: str
    key: str
    """What its generator calls the address of a site."""
    given: str = ""
    """The address as it is written."""
    output: str = ""
    sources: tuple[str, ...] = ()
    """Patterns of the source files, where `{path}` is the path of a page."""
    problem: str = ""
    """Why it cannot be read."""

    @property
    def site_url(self) -> str | None:
        """The normalised URL of the site, with its slash, or None where it has none."""
        try:
            return urls.site_url(self.given)
        except ValueError:
            return None


def configured_address(directory: str) -> str | None:
    """Give the URL that a configuration beside a built directory or above it names for its site, or None."""
    return next(filter(None, (found.site_url for found in above(directory))), None)


def above(directory: str) -> Iterator[Configuration]:
    """Read the configurations in a built directory and those above it, nearest first."""
    built_in = os.path.dirname(os.path.realpath(directory))
    for place in places(directory):
        yield from _in(place, _KINDS)
        yield from (found for found in _sphinx_below(place) if os.path.dirname(found.output) == built_in)


def beside(directory: str) -> Configuration | None:
    """Read the configuration of the project in a directory; of several, that whose site has been built."""
    found = [*_in(directory, _KINDS), *_sphinx_below(directory)]
    built = (configuration for configuration in found if os.path.isdir(configuration.output))
    return next(built, found[0] if found else None)


def places(directory: str) -> Iterator[str]:
    """Give a directory and those above it, up to the root of its repository: where what belongs to it is looked for."""
    directory = os.path.realpath(directory)
    for _ in range(_MOST_LEVELS):
        yield directory
        if os.path.exists(os.path.join(directory, ".git")):
            return
        directory = os.path.dirname(directory)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Kind:
    """How one kind of configuration says things: the keys, and what holds without them."""

    read: Callable[[str], _Values]
    site_url: str
    output: str = ""
    outputs: tuple[str, ...]
    """The default, or the ones of which the first that exists is taken."""
    content: str = ""
    default_content: str = ""
    suffixes: tuple[str, ...]
    inherits: Callable[[_Values], str | None] = lambda _: None
    """Names another file that says what this one does not."""
    signs: frozenset[str] = field(default_factory=frozenset)
    """Keys one of which must be there, where the name of the file alone proves nothing."""


def _in(directory: str, kinds: Mapping[str, _Kind]) -> Iterator[Configuration]:
    directory = os.path.realpath(directory)
    for name, kind in kinds.items():
        path = os.path.join(directory, name)
        if os.path.isfile(path) and (found := _configuration(path, directory, kind)):
            yield found


def _sphinx_below(directory: str) -> Iterator[Configuration]:
    for place in _SPHINX_DIRECTORIES:
        yield from _in(os.path.join(directory, place), {"conf.py": _SPHINX})


def _configuration(path: str, directory: str, kind: _Kind) -> Configuration | None:
    try:
        values = _values(path, kind)
    except (OSError, ValueError, SyntaxError, RecursionError, MemoryError) as error:
        problem = str(error).partition("\n")[0] or type(error).__name__
        unreadable = Configuration(file=path, key=kind.site_url, problem=problem)
        return None if kind.signs else unreadable
    if kind.signs and kind.signs.isdisjoint(values):
        return None
    named = values.get(kind.output)
    outputs = [os.path.normpath(os.path.join(directory, name)) for name in ([named] if named else kind.outputs)]
    content = os.path.normpath(os.path.join(directory, values.get(kind.content) or kind.default_content))
    return Configuration(
        file=path,
        key=_HUGO_KEYS.get(kind.site_url, kind.site_url),
        given=values.get(kind.site_url, ""),
        output=next(filter(os.path.isdir, outputs), outputs[0]),
        sources=tuple(os.path.join(content, "{path}" + suffix) for suffix in kind.suffixes),
    )


def _values(path: str, kind: _Kind) -> _Values:
    """Read a file, and what it says nothing of from the one that it inherits from."""
    values = kind.read(_text(path))
    parent = kind.inherits(values)
    inherited = os.path.join(os.path.dirname(path), parent) if parent else ""
    return {**kind.read(_text(inherited)), **values} if os.path.isfile(inherited) else values


def _text(path: str) -> str:
    with open(path, encoding="utf-8-sig") as file:
        return file.read(_MOST_BYTES)


def _from_yaml(text: str) -> _Values:
    """Read the texts at the top of a document, of which nothing is constructed, so that no tag does anything."""
    root = yamltext.compose(text)
    entries = root.value if isinstance(root, yaml.MappingNode) else []
    read = {str(key.value): _scalar(node) for key, node in entries}
    return {key: text for key, text in read.items() if text is not None}


def _scalar(node: yaml.Node) -> str | None:
    if node.tag == "!ENV":
        return _environment(node)
    return str(node.value) if isinstance(node, yaml.ScalarNode) else None


def _environment(node: yaml.Node) -> str:
    """Give what `!ENV NAME` or `!ENV [NAME, ..., default]` stands for, as the generators that know it do."""
    given = [str(item.value) for item in node.value] if isinstance(node, yaml.SequenceNode) else [str(node.value)]
    names, default = (given[:-1], given[-1]) if len(given) > 1 else (given, "")
    return next(filter(None, map(os.environ.get, names)), default)


def _from_toml(text: str) -> _Values:
    return _texts(tomllib.loads(text))


def _from_project_table(text: str) -> _Values:
    settings = tomllib.loads(text)
    project = settings.get("project")
    return _texts(project if isinstance(project, dict) else settings)


def _from_json(text: str) -> _Values:
    settings = json.loads(text)
    return _texts(settings) if isinstance(settings, dict) else {}


def _texts(settings: Mapping[str, object]) -> _Values:
    return {key: value for key, value in settings.items() if isinstance(value, str)}


def _lower(read: Callable[[str], _Values]) -> Callable[[str], _Values]:
    """Read keys that may be written in any case."""
    return lambda text: {key.lower(): value for key, value in read(text).items()}


def _from_python(text: str) -> _Values:
    """Read the texts that are assigned to names, without running anything."""
    values: dict[str, str] = {}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of what is wrong in there, its own generator tells
        body = ast.parse(text).body
    for statement in body:
        targets = statement.targets if isinstance(statement, ast.Assign) else []
        if isinstance(statement, ast.AnnAssign):
            targets = [statement.target]
        for name in (target.id for target in targets if isinstance(target, ast.Name)):
            values.pop(name, None)
            if (literal := _literal(getattr(statement, "value", None))) is not None:
                values[name] = literal
    return values


def _literal(node: ast.AST | None) -> str | None:
    """Give the text that an expression is: a literal, or a variable of the environment."""
    match node:
        case ast.Constant(value=str(text)):
            return text
        case ast.Subscript(value=ast.Attribute(attr="environ"), slice=ast.Constant(value=str(name))):
            return os.environ.get(name)
        case ast.Call(
            func=ast.Attribute(value=ast.Attribute(attr="environ"), attr="get") | ast.Attribute(attr="getenv"),
            args=[ast.Constant(value=str(name)), *default],
        ):
            return os.environ.get(name) or (_literal(default[0]) if default else None)
    return None


_MKDOCS = _Kind(
    read=_from_yaml,
    site_url="site_url",
    output="site_dir",
    outputs=("site",),
    content="docs_dir",
    default_content="docs",
    suffixes=(".md", ".markdown", ".html", ".ipynb"),
    inherits=lambda values: values.get("INHERIT"),
)
_ZENSICAL = replace(_MKDOCS, read=_from_project_table, inherits=lambda _: None)


def _hugo(read: Callable[[str], _Values], signs: frozenset[str] = frozenset()) -> _Kind:
    return _Kind(
        read=_lower(read),
        site_url="baseurl",
        output="publishdir",
        outputs=("public",),
        content="contentdir",
        default_content="content",
        suffixes=(".md", ".html", ".adoc", ".org", ".rst"),
        signs=signs,
    )


_PELICAN = _Kind(
    read=_from_python,
    site_url="SITEURL",
    output="OUTPUT_PATH",
    outputs=("output",),
    content="PATH",
    suffixes=(".md", ".rst", ".html"),
)
_PUBLISHED = replace(_PELICAN, inherits=lambda _: "pelicanconf.py")
_SPHINX = _Kind(
    read=_from_python,
    site_url="html_baseurl",
    outputs=("_build/html", "_build/dirhtml", "../build/html", "../build/dirhtml", "../_build/html"),
    suffixes=(".rst", ".md", ".ipynb", ".txt"),
    signs=frozenset({"html_baseurl", "html_theme", "project", "master_doc", "root_doc"}),
)
_LEGACY = frozenset({"baseurl"})
_KINDS: dict[str, _Kind] = {
    "zensical.toml": _ZENSICAL,  # which Zensical reads before it looks for mkdocs.yml
    "mkdocs.yml": _MKDOCS,
    "mkdocs.yaml": _MKDOCS,
    "properdocs.yml": _MKDOCS,
    "properdocs.yaml": _MKDOCS,
    "hugo.toml": _hugo(_from_toml),
    "hugo.yaml": _hugo(_from_yaml),
    "hugo.yml": _hugo(_from_yaml),
    "hugo.json": _hugo(_from_json),
    "config/_default/hugo.toml": _hugo(_from_toml),
    "config/_default/hugo.yaml": _hugo(_from_yaml),
    "config/_default/config.toml": _hugo(_from_toml, _LEGACY),
    "config/_default/config.yaml": _hugo(_from_yaml, _LEGACY),
    "config.toml": _hugo(_from_toml, _LEGACY),
    "config.yaml": _hugo(_from_yaml, _LEGACY),
    "config.yml": _hugo(_from_yaml, _LEGACY),
    "config.json": _hugo(_from_json, _LEGACY),
    "publishconf.py": _PUBLISHED,
    "pelicanconf.py": _PELICAN,
    "conf.py": _SPHINX,
}
