"""What a generator's configuration says, without running it: where the site is served, built, and written."""

import ast
import json
import os
import re
import warnings
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace

import yaml

from smindex_plugins import tomltext, yamltext
from smindex_plugins.files import open_text
from smindex_plugins.limits import MAX_CONFIGURATION, MAX_PYTHON

_MOST_LEVELS = 4
"""How many directories above the built one are searched. A configuration farther away is not of this site."""
_SPHINX_DIRECTORIES = ("source", "docs", "docs/source", "doc", "doc/source")
"""The directories of conf.py in Sphinx projects, below the one in which `make html` runs."""

_ENVIRONMENT = re.compile(r"[\w.]*(?:environ(?:\.get)?|getenv)[\[(]'(\w+)'(?:, (?:'(.*)'|.*))?[\])]")
"""How Python code reads a variable of the environment, with a default."""
_Values = Mapping[str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Configuration:
    """A configuration file, and what it says about its site. All paths are absolute."""

    file: str
    key: str
    """The name of the option for a site's address in this generator."""
    given: str | None = field(default=None, repr=False)
    """The address as it is written. Empty if it is computed, or from a variable that is not set."""
    output: str = ""
    content: str = ""
    """The directory of the source files, if it is not the directory of the configuration."""
    sources: tuple[str, ...] = ()
    """Patterns of the source files, in which `{path}` is the path of a page."""
    command: str = ""
    """The command that builds the site."""
    parent: str = ""
    """The file that this one inherits from."""
    problem: str = ""
    """Why it cannot be read, if so."""


def above(directory: str) -> Iterator[Configuration]:
    """Yield the configurations in a built directory and above it, the nearest first."""
    built_in = os.path.dirname(os.path.realpath(directory))
    for place in places(directory):
        yield from _in(place, _KINDS)
        yield from (found for found in _sphinx_below(place) if os.path.dirname(found.output) == built_in)


def all_beside(directory: str) -> list[Configuration]:
    """Return all configurations of the project in a directory."""
    return [*_in(directory, _KINDS), *_sphinx_below(directory)]


def beside(directory: str) -> Configuration | None:
    """Return the configuration of the project in a directory. Of several, one with a built site comes first."""
    found = all_beside(directory)
    built = (configuration for configuration in found if os.path.isdir(configuration.output))
    return next(built, found[0] if found else None)


def places(directory: str) -> Iterator[str]:
    """Return a directory and those above it, up to the root of its repository, for files that may belong to it."""
    directory = os.path.realpath(directory)
    for _ in range(_MOST_LEVELS):
        yield directory
        if os.path.exists(os.path.join(directory, ".git")):
            return
        directory = os.path.dirname(directory)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Kind:
    """One kind of configuration: its keys, and their defaults."""

    read: Callable[[str], _Values]
    site_url: str
    output: str = ""
    outputs: tuple[str, ...]
    """The default, or several, of which the first that exists counts."""
    content: str = ""
    default_content: str = ""
    suffixes: tuple[str, ...]
    command: str
    parent: str = ""
    """The file to inherit from, or the key that names it."""
    signs: frozenset[str] = frozenset()
    """Keys of which one must be there, if the name of the file alone proves nothing."""
    fold: Callable[[str], str] = str
    """Brings a key, written in any case, to the form of the table."""


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
        return (
            None if kind.signs else Configuration(file=path, key=kind.site_url, command=kind.command, problem=problem)
        )
    if kind.signs and kind.signs.isdisjoint(values):
        return None
    named, content = (values.get(kind.fold(key)) for key in (kind.output, kind.content))
    outputs = [os.path.normpath(os.path.join(directory, name)) for name in ([named] if named else kind.outputs)]
    sources = os.path.normpath(os.path.join(directory, content or kind.default_content))
    return Configuration(
        file=path,
        key=kind.site_url,
        given=values.get(kind.fold(kind.site_url)),
        output=next(filter(os.path.isdir, outputs), outputs[0]),
        content=sources if sources != directory else "",
        sources=tuple(os.path.join(sources, "{path}") + suffix for suffix in kind.suffixes),
        command=kind.command,
        parent=os.path.join(directory, kind.parent) if kind.parent else "",
    )


def _values(path: str, kind: _Kind) -> _Values:
    """Return the values in a file, and the missing ones from the file that it inherits from."""
    values = kind.read(read_text(path))
    inherited = os.path.join(os.path.dirname(path), values.get(kind.parent, kind.parent))
    if kind.parent and os.path.isfile(inherited):
        values = {**kind.read(read_text(inherited)), **values}
    return {kind.fold(name): value for name, value in values.items()}


def read_text(path: str) -> str:
    """Return the text of a configuration.

    Raises:
        ValueError: it is longer than people write one.
    """
    most = MAX_PYTHON if path.endswith(".py") else MAX_CONFIGURATION
    with open_text(path) as file:
        text = file.read(most + 1)
    if len(text) > most:
        message = f"it has more than {most:,} characters"
        raise ValueError(message)
    return text


def _from_yaml(text: str) -> _Values:
    """Return the texts at the top of a YAML document. Nothing is constructed, so no tag has an effect."""
    return {key: _scalar(resolved(given)) for key, given in yamltext.entries(yamltext.compose(text)).items()}


def _scalar(node: yaml.Node) -> str:
    return str(node.value) if isinstance(node, yaml.ScalarNode) and not node.tag.endswith(":null") else ""


def resolved(node: yaml.Node) -> yaml.Node:
    """Return the value of `!ENV NAME` or `!ENV [NAME, ..., default]`, as the generators read it."""
    if node.tag != "!ENV":
        return node
    items = node.value if isinstance(node, yaml.SequenceNode) else [node]
    given = [str(item.value) for item in items if isinstance(item, yaml.ScalarNode)] or [""]
    names, default = (given[:-1], given[-1]) if len(given) > 1 else (given, "")
    return yaml.ScalarNode("", next(filter(None, map(os.environ.get, names)), default))


def _from_toml(text: str) -> _Values:
    """Return the texts at the top of a TOML document, or under `project` in it."""
    settings = tomltext.load(text)
    project = settings.get("project")
    return _texts(project if isinstance(project, dict) else settings)


def _texts(settings: object) -> _Values:
    entries = settings.items() if isinstance(settings, dict) else ()
    return {key: value if isinstance(value, str) else "" for key, value in entries}


def _from_python(text: str) -> _Values:
    """Return the texts that Python code assigns to names, without running it."""
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
    """Return the text of an expression: a literal, or a variable of the environment."""
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
    command="mkdocs build",
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
    command="hugo",
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
    command="pelican",
)
_SPHINX = _Kind(
    read=_from_python,
    site_url="html_baseurl",
    outputs=("_build/html", "_build/dirhtml", "../build/html", "../build/dirhtml", "../_build/html"),
    suffixes=(".rst", ".md", ".ipynb", ".txt"),
    command="make html",
    signs=frozenset({"html_baseurl", "html_theme", "project", "master_doc", "root_doc"}),
)
_KINDS: dict[str, _Kind] = {
    # Zensical reads its own before it looks for mkdocs.yml.
    "zensical.toml": replace(_MKDOCS, read=_from_toml, command="zensical build"),
    **dict.fromkeys(("mkdocs.yml", "mkdocs.yaml"), _MKDOCS),
    **dict.fromkeys(("properdocs.yml", "properdocs.yaml"), replace(_MKDOCS, command="properdocs build")),
    **{
        f"{place}{stem}.{suffix}": replace(_HUGO, read=read, signs=signs)
        for stem, signs in (("hugo", frozenset[str]()), ("config", frozenset({"baseurl"})))
        for place in ("", "config/_default/")
        for suffix, read in _HUGO_FORMATS.items()
    },
    "publishconf.py": replace(_PELICAN, parent="pelicanconf.py", command="pelican -s publishconf.py"),
    "pelicanconf.py": _PELICAN,
    "conf.py": _SPHINX,
}
