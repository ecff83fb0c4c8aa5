"""Reads the configuration of a project without running it, with its generator's defaults."""

import ast
import csv
import glob
import io
import json
import os
import re
import shutil
import subprocess
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, NamedTuple
from urllib.parse import urljoin

from smindex_plugins.base import urls
from smindex_plugins.base.files import read_text, up_to_repository
from smindex_plugins.base.invalid_text import InvalidTextError
from smindex_plugins.base.settings import OPTIONS, Settings, SettingsError, unknown
from smindex_plugins.base.text import printable
from smindex_plugins.base.toml_and_json import load_json, load_toml
from smindex_plugins.base.yaml_values import load_yaml
from smindex_plugins.html.front_matter import switch
from smindex_plugins.projects._generators import GENERATORS, Generator

_MAX_LEVELS = 4
"""How many directories above the built site are searched. A configuration farther up belongs to
another site."""
_HUGO_SECONDS = 60
_TOO_DEEP = "it is nested too deeply"
_DIRECTORIES = (
    os.path.join("config", "_default"),
    os.path.join(".vitepress", "config"),
    ".vitepress",
)
"""The directories of a project in which its configuration may be."""
_SPHINX_NAMES = frozenset({"html_baseurl", "html_theme", "project", "master_doc", "root_doc"})
"""Any file can be called conf.py. One that assigns one of these names belongs to Sphinx."""
_SPHINX_PAGES = (
    *("_downloads/", "_images/", "_modules/", "_sources/", "_static/"),
    *("genindex.html", "genindex-?.html", "genindex-all.html", "*-modindex.html", "search.html"),
    *("genindex/", "genindex-?/", "genindex-all/", "*-modindex/", "search/"),
)
"""Patterns of pages that Sphinx generates and no sitemap lists."""
_PELICAN_SUFFIXES = (".md", ".markdown", ".mkd", ".mdown", ".rst", ".adoc")
_STATUS = re.compile(
    r"^:?(?:status:\s*(draft|hidden|skip)|(noindex|private):\s*(?:true|yes|on))\b",
    re.IGNORECASE | re.MULTILINE,
)
"""The metadata of Pelican, in Markdown and reStructuredText, that keeps a page out of all lists."""
_OF_EVERY_PLUGIN = ("enabled",)
"""The options that MkDocs and Zensical themselves give to every plugin."""
_VERSION = "MIKE_DOCS_VERSION"
"""The environment variable with which mike tells MkDocs and Zensical which version they build."""
_THEME = re.compile("^material(?:x)?/")
"""The prefix of the plugins of Material and MaterialX, which is optional."""
SLUGIFY = "pymdownx.slugs.slugify"
"""The name of the function that the blog's option ``post_slugify`` usually names."""
_NESTING = frozenset({"pymdownx", "pymdownx.blocks", "zensical", "zensical.extensions"})
"""The starts of names of Markdown extensions, which Zensical also reads as tables."""
_PRINT_SITE_PAGES = ("print_page/index.html", "print_page.html")
_ENVIRONMENT = re.compile(
    r"[\w.]*(?:environ(?:\.get)?|getenv)[\[(]'(\w+)'(?:, (?:'(.*)'|.*))?[\])]"
)
"""How Python code reads an environment variable, with a default."""


class Plugin(NamedTuple):
    """One instance of a plugin of MkDocs or Zensical."""

    name: str
    """Its name without the prefix of its theme: `blog` for `material/blog`."""
    given: object
    """Its options as written."""

    @property
    def options(self) -> Mapping[str, object]:
        """Its options. Empty if there are none, or if they are not a mapping."""
        return self.given if isinstance(self.given, dict) else {}

    @property
    def is_on(self) -> bool:
        """Whether its option ``enabled``, which all plugins of Material have, leaves it on."""
        return switch(self.options.get("enabled")) is not False


@dataclass(frozen=True, kw_only=True)
class Configuration:
    """A generator's configuration file, and its settings for the site. All paths are absolute."""

    file: str
    generator: Generator
    site_url: str = field(default="", repr=False)
    """The address as written. Empty if there is none, or if it is computed or only a path."""
    version: str = ""
    """The directory of the version below the address as written, if mike builds one. It is part of
    `site_url`."""
    output: str = ""
    """Empty if the file can't be read."""
    content: str = ""
    """The directory of the source files, if it differs from the directory of the configuration."""
    sources: tuple[str, ...] = ()
    """Patterns of the source files, in which `{path}` is the path of a page."""
    values: Mapping[str, object] = field(default_factory=dict, repr=False)
    """The generator's own options as written. Those that are computed are None. Empty if the
    file is code."""
    plugin_entries: tuple[Plugin, ...] = field(default=(), repr=False)
    """The plugins of MkDocs or Zensical, in order. Some, such as the blog, can have several
    instances."""
    extensions: Mapping[str, Mapping[str, object]] = field(default_factory=dict, repr=False)
    """The Markdown extensions of MkDocs or Zensical, with their options."""
    options: Mapping[str, object] = field(default_factory=dict)
    """The plugin's options as written, and the host's own defaults. Empty without the plugin."""
    settings: Settings | None = None
    """The same, validated. None if the plugin is not used, or its options are not valid."""
    templates: tuple[str, ...] = ()
    """Patterns of pages that the theme, a plugin or the generator itself adds, and that no sitemap
    lists."""
    drafts: tuple[str, ...] = ()
    """The directories of drafts."""
    redirects: str = ""
    """The file of redirects for sphinxext-rediraffe. Empty if they are in the configuration
    itself."""
    runs_plugin: bool = False
    """Whether Pelican runs the plugin, which knows more about the pages than their files show."""
    problem: str = ""
    """Why the file, or only the plugin's options in it, can't be read."""
    line: int = 0
    """The line with the problem, counted from 1. 0 if it is in no line of its own."""

    @property
    def where(self) -> str:
        """The name of the file in messages about the problem, with the line if there is one."""
        name = os.path.relpath(self.file)
        if self.line:
            return f"{name}, line {self.line}"
        return name

    @property
    def address(self) -> str:
        """The option that sets the address, with its file. Empty if there is no such option."""
        name = self.generator.address or self.generator.address_in_code
        if not name:
            return ""
        option = f"{os.path.relpath(self.file)}: {name}"
        if self.version:
            return f"{option}, and {self.version} of {_VERSION}"
        return option

    @property
    def project(self) -> str:
        """The directory of the project that the file belongs to."""
        directory = os.path.dirname(self.file)
        for place in _DIRECTORIES:
            directory = directory.removesuffix(os.sep + place)
        return directory

    def instances(self, name: str) -> list[Mapping[str, object]]:
        """Return the options of each instance of a plugin that is on."""
        return [
            entry.options for entry in self.plugin_entries if entry.name == name and entry.is_on
        ]

    @property
    def source_directory(self) -> str:
        """The directory of the source files."""
        return self.content or self.project

    @cached_property
    def statuses(self) -> Mapping[str, str]:
        """The status, such as ``draft``, that keeps Pelican texts out of all lists, by name.

        The names are those of the files, without a suffix.
        """
        found: dict[str, str] = {}
        if self.generator.name != "Pelican" or not self.content:
            return found
        for directory, _, names in os.walk(self.content):
            for name in names:
                stem, suffix = os.path.splitext(name)
                if suffix not in _PELICAN_SUFFIXES:
                    continue
                with suppress(OSError):
                    text = read_text(os.path.join(directory, name), "replace")
                    status = _STATUS.search(text)
                    if status:
                        written = status[1] or status[2]
                        found.setdefault(stem, written.lower())
        return found

    @cached_property
    def made_of(self) -> Mapping[str, str]:
        """The source of each page by its output file.

        Empty without Hugo, because only Hugo knows its languages.
        """
        if self.generator.name != "Hugo":
            return {}
        project = self.project
        answer = _ask_hugo(project, "list", "all", "--noBuildLock")
        table = answer[answer.find("path,") :]
        found: dict[str, str] = {}
        for row in csv.DictReader(io.StringIO(table, newline="")):
            source = os.path.join(project, row.get("path") or "")
            url = urls.normal(row.get("permalink") or "")
            if not url or not os.path.isfile(source) or not urls.is_within(url, urls.NO_ADDRESS):
                continue
            file = urls.find_file(self.output, urls.NO_ADDRESS, url, urls.answering_files)
            if file:
                found[file] = source
        return found


def places(directory: str) -> Iterator[str]:
    """Return a directory and those above it, up to the root of its repository."""
    return up_to_repository(os.path.realpath(directory), _MAX_LEVELS)


def configurations(directory: str) -> Iterator[Configuration]:
    """Yield the configurations of the project in a directory."""
    return _read_all(directory, lambda generator: generator.files)


def with_other_names(directory: str) -> Iterator[Configuration]:
    """Yield the configurations that their generator reads only if it is given their names.

    A project can have one for each language, or one for each host.
    """
    return _read_all(directory, lambda generator: generator.other_files)


def _read_all(
    directory: str, patterns_of: Callable[[Generator], Iterable[str]]
) -> Iterator[Configuration]:
    """Yield the configurations in a directory whose names have one of a generator's patterns."""
    directory = os.path.realpath(directory)
    for generator in GENERATORS:
        for pattern in patterns_of(generator):
            for name in sorted(glob.iglob(pattern, root_dir=directory)):
                file = os.path.join(directory, name)
                found = read(file, generator) if os.path.isfile(file) else None
                if found:
                    yield found


def configuration_of(directory: str) -> Configuration | None:
    """Return the configuration of the project in a directory.

    If there are several, one with a built site wins.
    """
    found = list(configurations(directory))
    for configuration in found:
        if os.path.isdir(configuration.output):
            return configuration
    return found[0] if found else None


def around(directory: str) -> Iterator[Configuration]:
    """Yield the configurations that may belong to a built directory: in it, above it, and here."""
    here = os.path.realpath(".")
    for place in dict.fromkeys((*places(directory), here)):
        yield from configurations(place)


def read(file: str, generator: Generator) -> Configuration | None:
    """Return the configuration in a file, or None if the file belongs to something else."""
    found = Configuration(file=file, generator=generator)
    line = 0
    try:
        values = load(file) if generator.is_read else {}
        complete = _READERS.get(generator.name, _located)
        return complete(replace(found, values=values), values)
    except InvalidTextError as error:
        problem = error.problem
        line = error.line
    except OSError as error:
        problem = f"it can't be read: {error.strerror}"
    except RecursionError:
        problem = _TOO_DEEP
    except Exception:  # noqa: BLE001 - a value of a different type than expected can raise anything
        problem = f"a value in it is not of the type that {generator.name} reads"
    is_ambiguous = os.path.basename(file).startswith(("conf.", "config.", "_config."))
    return None if is_ambiguous else replace(found, problem=problem, line=line)


def load(file: str) -> dict[str, Any]:
    """Return the table in a TOML, JSON or YAML file, or the values that a Python file assigns.

    Nothing is run.

    Raises:
        OSError: it is not a regular file, or can't be read.
        InvalidTextError: it is not valid.
    """
    text = read_text(file)
    _, suffix = os.path.splitext(file)
    if suffix == ".py":
        return _python(text)
    if suffix == ".toml":
        return load_toml(text)
    if suffix == ".json":
        values = load_json(text)
    else:
        apply_slugify = f"tag:yaml.org,2002:python/object/apply:{SLUGIFY}"
        values = load_yaml(text, {"!ENV": _environment, apply_slugify: _slugify})
    return values if isinstance(values, dict) else {}


def _load_other(file: str) -> dict[str, Any]:
    """Return the values of a file that a configuration is based on, if there is one.

    Raises:
        OSError: it can't be read.
        InvalidTextError: it is not valid. The message names the file.
    """
    try:
        return load(file) if os.path.isfile(file) else {}
    except InvalidTextError as error:
        raise InvalidTextError(error.at(os.path.relpath(file))) from error


def _environment(given: object) -> object:
    """Return the value of `!ENV NAME` or `!ENV [NAME, ..., default]`, as the generators read it."""
    names = list(given) if isinstance(given, list) else [given]
    default = names.pop() if len(names) > 1 else None
    for name in names:
        text = os.environ.get(str(name))
        if text:
            return load_yaml(text)
    return default


def _slugify(given: object) -> object:
    """Return a call of that function in YAML in the form that it has in TOML.

    There, lower case is the default.
    """
    keywords = {"case": "none"}
    if isinstance(given, dict) and isinstance(given.get("kwds"), dict):
        keywords |= given["kwds"]
    return {"object": SLUGIFY, "kwds": keywords}


def _python(text: str) -> dict[str, Any]:
    """Return the values that Python code assigns to names. Computed values are None.

    Raises:
        InvalidTextError: it is not valid Python.
    """
    what = "it is not valid Python"
    if "\0" in text:
        raise InvalidTextError(what, "it contains a null character")
    try:
        with warnings.catch_warnings(action="ignore"):  # the generator itself shows them
            body = ast.parse(text).body
    except SyntaxError as error:
        reason = ""
        if "digits" not in error.msg:
            reason = re.split(r" \(|\. ", error.msg, maxsplit=1)[0]
        line = error.lineno or 0
        column = error.offset or 0
        raise InvalidTextError(what, reason, line=line, column=column) from error
    except (RecursionError, MemoryError) as error:
        raise InvalidTextError(_TOO_DEEP) from error
    values: dict[str, Any] = {}
    for statement in body:
        if isinstance(statement, ast.Assign):
            targets = statement.targets
            value = _value(statement.value)
        elif isinstance(statement, ast.AnnAssign) and statement.value:
            targets = [statement.target]
            value = _value(statement.value)
        else:
            continue
        for target in targets:
            if isinstance(target, ast.Name):
                values[target.id] = value
    return values


def _value(node: ast.expr) -> object:
    """Return the value of a literal, of a call of `dict`, or of an environment variable."""
    with suppress(ValueError, TypeError):
        variable = _ENVIRONMENT.fullmatch(ast.unparse(node))
        if variable:
            return os.environ.get(variable[1]) or variable[2]
        if isinstance(node, ast.Call) and ast.unparse(node.func) == "dict" and not node.args:
            return {word.arg: ast.literal_eval(word.value) for word in node.keywords if word.arg}
        return ast.literal_eval(node)
    return None


def _text(values: object, key: str) -> str:
    """Return the text under a key such as `book.src`, or an empty string.

    With a null character, it names no file and no address.
    """
    for part in key.split("."):
        values = values.get(part) if isinstance(values, dict) else None
    return values if isinstance(values, str) and "\0" not in values else ""


def _located(found: Configuration, values: Mapping[str, object]) -> Configuration:
    """Return a configuration with its address and its directories.

    These are relative to the project. Those that are not set are the usual ones of the generator.
    The first output that exists is the one.
    """
    generator = found.generator
    project = found.project
    url_option, content_option, output_option = generator.options
    site_url = _text(values, url_option)
    content = _text(values, content_option)
    output = _text(values, output_option)
    if site_url.startswith("/"):
        site_url = ""
    place = os.path.normpath(os.path.join(project, content or generator.content))
    outputs = []
    for directory in [output] if output else generator.outputs:
        path = os.path.join(project, directory)
        outputs.append(os.path.normpath(path))
    sources = []
    for stem in generator.sources:
        path = os.path.join(place, stem)
        sources += [path + suffix for suffix in generator.suffixes]
    return replace(
        found,
        site_url=site_url.strip(),
        output=next(filter(os.path.isdir, outputs), outputs[0]),
        content=place if place != project else "",
        sources=tuple(sources),
    )


def _with_options(
    found: Configuration, name: str, given: object, **defaults: object
) -> Configuration:
    """Return a configuration with the plugin's options, which are under a name in its file."""
    if not isinstance(given, dict):
        return replace(found, problem=f"{name} is not a dict of plain values")
    known = [option.name for option in OPTIONS]
    options = dict(defaults)
    strange = []
    for key, value in given.items():
        if key in known:
            if value is not None:
                options[key] = value
        elif key not in _OF_EVERY_PLUGIN:
            strange.append(str(key))
    try:
        settings = Settings.load(options)
    except SettingsError as error:
        problem, _, _ = str(error).partition("\n")
        return replace(found, problem=problem)
    problem = ""
    if strange:
        first = strange[0]
        problem = f"{printable(first)}: {unknown(first, known)}"
    return replace(found, options=options, settings=settings, problem=problem)


def _mkdocs(found: Configuration, values: dict[str, Any]) -> Configuration:
    values = _inherited(found.file, values)
    if isinstance(values.get("project"), dict) and found.file.endswith(".toml"):  # of Zensical
        values = values["project"]
    entries = tuple(_plugin_entries(values.get("plugins")))
    templates = ["search.html"]
    theme = values.get("theme")
    if isinstance(theme, dict):
        static = theme.get("static_templates") or ()
        templates += [name for name in static if isinstance(name, str)]
    if any(entry.name == "print-site" for entry in entries):
        templates += _PRINT_SITE_PAGES
    found = replace(
        _located(found, values),
        values=values,
        templates=tuple(templates),
        plugin_entries=entries,
        extensions=dict(_extensions(values.get("markdown_extensions"))),
    )
    found = _versioned(found)
    for entry in entries:
        if entry.name in {"sitemap-index", "sitemap_index"}:
            # Of two entries of this plugin, MkDocs uses the first.
            return _with_options(found, entry.name, entry.given or {})
    return found


def _plugin_entries(given: object) -> Iterator[Plugin]:
    """Yield the plugins of MkDocs or Zensical."""
    for name, options in _entries(given):
        yield Plugin(_THEME.sub("", str(name)), options)


def _entries(given: object) -> Iterator[tuple[Any, object]]:
    """Yield names with options in a list or a mapping, and in TOML in a list of tables."""
    for each in given if isinstance(given, list) else [given]:
        if isinstance(each, str):
            yield each, None
        elif isinstance(each, dict):
            yield from each.items()


def _versioned(found: Configuration) -> Configuration:
    """Return a configuration with the address of the version that mike builds.

    As in mike's plugin and in Zensical, the canonical version takes its place.
    """
    given = [entry.options for entry in found.plugin_entries if entry.name == "mike"]
    options = given[0] if given else {}
    version = os.environ.get(_VERSION, "")
    if not version or not found.site_url or options.get("enabled") is False:
        return found
    version = _text(options, "canonical_version") or version
    root = found.site_url.rstrip("/")
    address = urljoin(f"{root}/", f"{version}/")
    return replace(found, site_url=address, version=version)


def _extensions(given: object) -> Iterator[tuple[str, Mapping[str, object]]]:
    """Yield the Markdown extensions, with their options. In TOML, their names can be nested."""
    for name, options in _entries(given):
        if not isinstance(options, dict):
            yield name, {}
        elif name in _NESTING:
            inner = {f"{name}.{part}": value for part, value in options.items()}
            yield from _extensions(inner)
        else:
            yield name, options


def _inherited(file: str, values: dict[str, Any]) -> dict[str, Any]:
    """Return the values of an MkDocs configuration, including inherited ones.

    Raises:
        InvalidTextError: an inherited file is not valid, or inherits from itself.
    """
    file = os.path.realpath(file)
    files = {file}
    own = values
    while True:
        parent = os.path.join(os.path.dirname(file), _text(own, "INHERIT"))
        if not os.path.isfile(parent):
            return values
        file = os.path.realpath(parent)
        if file in files:
            message = f"{os.path.relpath(parent)}: it inherits from itself"
            raise InvalidTextError(message)
        files.add(file)
        own = _load_other(parent)
        values = merged(own, values)


def merged(
    base: Mapping[str, Any], own: Mapping[str, Any], *, joins_lists: bool = False
) -> dict[str, Any]:
    """Return a mapping with the values of another one, which count first.

    Mappings in them are merged too. Lists are replaced, or joined.
    """
    found = {**base, **own}
    for key in base.keys() & own.keys():
        outer = base[key]
        inner = own[key]
        if isinstance(outer, dict) and isinstance(inner, dict):
            found[key] = merged(outer, inner, joins_lists=joins_lists)
        elif joins_lists and isinstance(outer, list) and isinstance(inner, list):
            found[key] = [*outer, *inner]
    return found


def _hugo(found: Configuration, values: dict[str, Any]) -> Configuration | None:
    values = {key.lower(): value for key, value in values.items()}
    if os.path.basename(found.file).startswith("config.") and "baseurl" not in values:
        return None
    with suppress(ValueError):
        text = _ask_hugo(found.project, "config", "--format", "json")
        start = text.index("{")
        answer = json.loads(text[start:])
        if answer.get("baseurl") == "https://example.org/":  # the default of newer versions of Hugo
            del answer["baseurl"]
        values |= answer
    given = {option: values.get(option.lower()) for option in found.generator.options}
    return _located(replace(found, values=values), given)


def _ask_hugo(directory: str, *question: str) -> str:
    """Return the output of Hugo for a project, or an empty string if Hugo fails.

    It downloads nothing for this.
    """
    hugo = shutil.which("hugo")
    if not hugo or not os.path.isabs(hugo):  # Windows searches the current directory first
        return ""
    environment = {**os.environ, "HUGO_MODULE_PROXY": "off", "HUGO_SECURITY_HTTP_URLS": "none"}
    if question[0] == "list":
        environment["HUGO_BASEURL"] = urls.NO_ADDRESS
    try:
        done = subprocess.run(  # noqa: S603 - the user's own program, with fixed arguments
            [hugo, *question],
            cwd=directory,
            env=environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=_HUGO_SECONDS,
            check=True,
        )
        return done.stdout.decode()
    except (OSError, ValueError, subprocess.SubprocessError):
        return ""


def _pelican(found: Configuration, values: dict[str, Any]) -> Configuration:
    base = os.path.join(os.path.dirname(found.file), "pelicanconf.py")
    values = _load_other(base) | values
    drafts = ["drafts/"]
    for kind in ("", "PAGE_", "LANG_"):
        place, _, _ = _text(values, f"DRAFT_{kind}SAVE_AS").partition("{")
        if place.endswith("/"):
            drafts.append(place)
    found = _located(replace(found, values=values), values)
    of_articles = values.get("ARTICLE_PATHS") or ()
    of_pages = values.get("PAGE_PATHS") or ("pages",)
    sources = []
    for place in dict.fromkeys(("", *of_articles, *of_pages)):
        # a page need not be saved where its text is
        stem = os.path.join(place, "{path}")
        sources += [pattern.replace("{path}", stem) for pattern in found.sources]
    plugins = values.get("PLUGINS") or ()
    found = replace(
        found,
        sources=tuple(sources),
        drafts=tuple(drafts),
        runs_plugin=any(re.search("sitemap[-_]index", str(plugin)) for plugin in plugins),
    )
    name = "SITEMAP_INDEX"
    if name not in values:  # the plugin may not be used at all
        return found
    return _with_options(found, name, values[name], pagination=False)


def _sphinx(found: Configuration, values: dict[str, Any]) -> Configuration | None:
    if _SPHINX_NAMES.isdisjoint(values):
        return None
    redirects = _text(values, "rediraffe_redirects")
    if redirects:
        redirects = os.path.join(os.path.dirname(found.file), redirects)
    found = replace(_located(found, values), redirects=redirects, templates=_SPHINX_PAGES)
    if "smindex_plugins.sphinx" not in read_text(found.file):
        return found
    return _with_options(found, "sitemap_index", values.get("sitemap_index", {}))


def _docusaurus(found: Configuration, values: dict[str, Any]) -> Configuration:
    """In a site with versions, `docs/` is the next version, which is not at the usual URLs."""
    project = found.project
    found = _located(found, values)
    if not glob.glob("*versions.json", root_dir=project):
        return found
    usual = f"{project}/{{"
    sources = [pattern for pattern in found.sources if not pattern.startswith(usual)]
    return replace(found, sources=tuple(sources))


def _hexo(found: Configuration, values: dict[str, Any]) -> Configuration | None:
    if not _is_hexo(found.project):
        return None
    address = _text(values, "url").rstrip("/")
    root = _text(values, "root").strip("/")
    if address and root and not address.endswith(f"/{root}"):
        address = f"{address}/{root}"
    return _located(found, {**values, "url": address})


def _is_hexo(project: str) -> bool:
    """Whether a project uses Hexo, whose configuration has the name of Jekyll's."""
    with suppress(OSError):
        package = read_text(os.path.join(project, "package.json"), "replace")
        if re.search(r'"hexo"\s*:\s*["{]', package):
            return True
    posts = os.path.join(project, "source/_posts")
    scaffolds = os.path.join(project, "scaffolds")
    return os.path.isdir(posts) and os.path.isdir(scaffolds)


def _jekyll(found: Configuration, values: dict[str, Any]) -> Configuration | None:
    if _is_hexo(found.project):
        return None
    address = _text(values, "url")
    if address:
        address = address.rstrip("/") + _text(values, "baseurl")
    return _located(found, {**values, "url": address})


_READERS: dict[str, Callable[[Configuration, dict[str, Any]], Configuration | None]] = {
    **dict.fromkeys(("Zensical", "MkDocs", "ProperDocs"), _mkdocs),
    "Hugo": _hugo,
    "Pelican": _pelican,
    "Sphinx": _sphinx,
    "Docusaurus": _docusaurus,
    "Hexo": _hexo,
    "Jekyll": _jekyll,
}
"""What differs between generators in reading their configurations."""
