"""What the configuration of a site generator says, without running it: where the site is served, built, and written."""

import ast
import json
import os
import re
import tomllib
import warnings
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace

import yaml

from smindex_plugins import urls, yamltext

_MOST_LEVELS = 4
"""Directories above the built one that are looked into: a configuration further away is that of something else."""
_MOST_BYTES = 1 << 20
_SPHINX_DIRECTORIES = ("source", "docs", "docs/source", "doc", "doc/source")
"""Where a Sphinx project keeps its conf.py, below the directory in which `make html` is run."""

_ENVIRONMENT = re.compile(r"[\w.]*(?:environ(?:\.get)?|getenv)[\[(]'(\w+)'(?:, (?:'(.*)'|.*))?[\])]")
"""How Python reads a variable, with what holds where it is not set."""
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


def configured_address(directory: str) -> str | None:
    """Return the URL that a configuration beside a built directory or above it names for its site, or None."""
    for found in above(directory):
        with suppress(ValueError):
            return urls.site_url(found.given)
    return None


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
    """Return a directory and those above it, up to the root of its repository, where a file may belong to it."""
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
    parent: str = ""
    """The file that says what this one does not, or the key that names it."""
    signs: frozenset[str] = frozenset()
    """Keys one of which must be there, where the name of the file alone proves nothing."""
    fold: Callable[[str], str] = str
    """Brings a key, which may be written in any case, to the one form in which the signs are."""


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
        return None if kind.signs else Configuration(file=path, key=kind.site_url, problem=problem)
    if kind.signs and kind.signs.isdisjoint(values):
        return None
    given, named, content = (values.get(kind.fold(key), "") for key in (kind.site_url, kind.output, kind.content))
    outputs = [os.path.normpath(os.path.join(directory, name)) for name in ([named] if named else kind.outputs)]
    stem = os.path.join(os.path.normpath(os.path.join(directory, content or kind.default_content)), "{path}")
    return Configuration(
        file=path,
        key=kind.site_url,
        given=given,
        output=next(filter(os.path.isdir, outputs), outputs[0]),
        sources=tuple(stem + suffix for suffix in kind.suffixes),
    )


def _values(path: str, kind: _Kind) -> _Values:
    """Read a file, and what it says nothing of from the one that it inherits from."""
    values = kind.read(_text(path))
    inherited = os.path.join(os.path.dirname(path), values.get(kind.parent, kind.parent))
    if kind.parent and os.path.isfile(inherited):
        values = {**kind.read(_text(inherited)), **values}
    return {kind.fold(name): value for name, value in values.items()}


def _text(path: str) -> str:
    with open(path, encoding="utf-8-sig") as file:
        return file.read(_MOST_BYTES)


def _from_yaml(text: str) -> _Values:
    """Read the texts at the top of a document, of which nothing is constructed, so that no tag does anything."""
    root = yamltext.compose(text)
    entries = root.value if isinstance(root, yaml.MappingNode) else []
    return {
        str(key.value): str(node.value) for key, given in entries if isinstance(node := _plain(given), yaml.ScalarNode)
    }


def _plain(node: yaml.Node) -> yaml.Node:
    """Return what `!ENV NAME` or `!ENV [NAME, ..., default]` stands for, as the generators that know it do."""
    if node.tag != "!ENV":
        return node
    given = [str(item.value) for item in node.value] if isinstance(node, yaml.SequenceNode) else [str(node.value)]
    names, default = (given[:-1], given[-1]) if len(given) > 1 else (given, "")
    return yaml.ScalarNode("", next(filter(None, map(os.environ.get, names)), default))


def _from_toml(text: str) -> _Values:
    """Read the texts at the top, or where there is a project in that."""
    settings = tomllib.loads(text)
    project = settings.get("project")
    return _texts(project if isinstance(project, dict) else settings)


def _texts(settings: object) -> _Values:
    entries = settings.items() if isinstance(settings, dict) else ()
    return {key: value for key, value in entries if isinstance(value, str)}


def _from_python(text: str) -> _Values:
    """Read the texts that are assigned to names, without running anything."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of what is wrong in there, its own generator tells
        body = ast.parse(text).body
    values: dict[str, str | None] = {}
    for statement in body:
        if isinstance(statement, ast.Assign | ast.AnnAssign):
            targets = statement.targets if isinstance(statement, ast.Assign) else [statement.target]
            values |= {target.id: _literal(statement.value) for target in targets if isinstance(target, ast.Name)}
    return _texts(values)


def _literal(node: ast.AST | None) -> str | None:
    """Return the text that an expression is: a literal, or a variable of the environment."""
    if isinstance(node, ast.Constant):
        return node.value if isinstance(node.value, str) else None
    variable = _ENVIRONMENT.fullmatch(ast.unparse(node)) if node else None
    return os.environ.get(variable[1]) or variable[2] if variable else None


_MKDOCS = _Kind(
    read=_from_yaml,
    site_url="site_url",
    output="site_dir",
    outputs=("site",),
    content="docs_dir",
    default_content="docs",
    suffixes=(".md", ".markdown", ".html", ".ipynb"),
    parent="INHERIT",
)
_HUGO = _Kind(
    read=_from_toml,
    site_url="baseURL",
    output="publishDir",
    outputs=("public",),
    content="contentDir",
    default_content="content",
    suffixes=(".md", ".html", ".adoc", ".org", ".rst"),
    fold=str.lower,
)
_HUGO_FORMATS: dict[str, Callable[[str], _Values]] = {
    "toml": _from_toml,
    "yaml": _from_yaml,
    "yml": _from_yaml,
    "json": lambda text: _texts(json.loads(text)),
}
_PELICAN = _Kind(
    read=_from_python,
    site_url="SITEURL",
    output="OUTPUT_PATH",
    outputs=("output",),
    content="PATH",
    suffixes=(".md", ".rst", ".html"),
)
_SPHINX = _Kind(
    read=_from_python,
    site_url="html_baseurl",
    outputs=("_build/html", "_build/dirhtml", "../build/html", "../build/dirhtml", "../_build/html"),
    suffixes=(".rst", ".md", ".ipynb", ".txt"),
    signs=frozenset({"html_baseurl", "html_theme", "project", "master_doc", "root_doc"}),
)
_KINDS: dict[str, _Kind] = {
    "zensical.toml": replace(_MKDOCS, read=_from_toml),  # which Zensical reads before it looks for mkdocs.yml
    **dict.fromkeys(("mkdocs.yml", "mkdocs.yaml", "properdocs.yml", "properdocs.yaml"), _MKDOCS),
    **{
        f"{place}{stem}.{suffix}": replace(_HUGO, read=read, signs=signs)
        for stem, signs in (("hugo", frozenset[str]()), ("config", frozenset({"baseurl"})))
        for place in ("", "config/_default/")
        for suffix, read in _HUGO_FORMATS.items()
    },
    "publishconf.py": replace(_PELICAN, parent="pelicanconf.py"),
    "pelicanconf.py": _PELICAN,
    "conf.py": _SPHINX,
}
