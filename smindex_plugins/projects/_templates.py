"""Detects which sources of pages show other pages or data, by what they call.

The text of a template is searched for the documented calls of its language. Nothing of it is run.
Parts that a theme puts on every page, such as headers and menus, do not count.
"""

import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache, cached_property, partial

from smindex_plugins.base.files import read_text
from smindex_plugins.base.patterns import find_files
from smindex_plugins.html import front_matter
from smindex_plugins.html.front_matter import FrontMatter
from smindex_plugins.projects._configuration import Configuration

ANY = ""
"""The directory of listed pages, if the template does not name it."""
_LIQUID = (".html", ".md", ".markdown", ".liquid", ".njk", ".xml")
_SCRIPTS = (".astro", ".vue", ".svelte", ".tsx", ".jsx", ".ts", ".js", ".mjs", ".mdx", ".md")
_ENDS = ("", *_SCRIPTS, *(f"{os.sep}index{suffix}" for suffix in _SCRIPTS))
"""What imports leave out at the end of a path."""
_DATA = (".json", ".yaml", ".yml", ".csv", ".toml", ".txt", ".md", ".mdx")
"""The suffixes of files that show their content where they are imported."""
_MOST_FILES = 200
"""How many files of one page are followed."""

# https://jekyllrb.com/docs/variables/ and https://shopify.github.io/liquid/
_RAW = re.compile(r"\{#.*?#\}|\{%-?\s*(raw|comment)\s*-?%\}.*?\{%-?\s*end\1\s*-?%\}", re.DOTALL)
_TAG = re.compile(r"\{%.*?%\}|\{\{.*?\}\}", re.DOTALL)
_SITE = re.compile(r"(?<![\w.])site\.(\w+)(?:\.(\w+)|\[)?")
_JEKYLL_LISTS = {
    "posts": "_posts",
    "related_posts": "_posts",
    "categories": "_posts",
    "tags": "_posts",
    "pages": ANY,
    "html_pages": ANY,
    "documents": ANY,
    "collections": ANY,
}
"""The lists of pages in `site`, and the directories of these pages."""
_JEKYLL_UNKNOWN = frozenset({"static_files", "html_files"})
_GITHUB_UNKNOWN = frozenset(
    (
        "contributors",
        "releases",
        "latest_release",
        "public_repositories",
        "organization_members",
        "versions",
    )
)
"""What `site.github` has from GitHub. The rest are constants:
https://jekyll.github.io/github-metadata/site.github/"""
_LAYOUTS_OF_LISTS = frozenset(
    (
        "home",
        "blog",
        "archive",
        "archives",
        "posts",
        "post-list",
        "category",
        "categories",
        "tag",
        "tags",
        "collection",
    )
)
"""The layouts of lists in Minima, Minimal Mistakes, Chirpy and other themes."""
_PAGINATOR = re.compile(r"(?<![\w.])(?:paginator|pagination)\.")
_INCLUDE = re.compile(
    r"\{%-?\s*(?:include(?:_cached|_relative)?|render|from|import|extends)\s+['\"]?([\w./-]+)"
)
# https://www.11ty.dev/docs/collections/ and https://www.11ty.dev/docs/data-global/
_COLLECTION = re.compile(r"(?<![\w.])collections(?:\.|\[)")
_LOOP = re.compile(r"\{%-?\s*for\s+[\w\s,]+?\s+in\s+([A-Za-z_]\w*)")
_ASSIGNED = re.compile(r"\{%-?\s*(?:assign|set|capture|for)\s+([\w\s,]+?)\s*(?:=|\bin\b|-?%\})")
_GIVEN_BY_ELEVENTY = frozenset(
    {"page", "site", "collections", "pagination", "paginator", "include", "layout", "loop"}
)

# https://docs.astro.build/en/reference/modules/astro-content/,
# https://vite.dev/guide/features#glob-import, https://content.nuxt.com/docs/utils/query-collection
# and https://vitepress.dev/guide/data-loading
_COLLECTED = re.compile(
    r"\b(?:getCollection|getEntry|getEntries|queryCollection\w*)\(\s*(?:['\"`]([\w-]+)['\"`])?"
)
_GLOBBED = re.compile(
    r"\b(?:import\.meta\.glob(?:Eager)?|Astro\.glob|require\.context)(?:<[^(]*>)?\(\s*(?:\[\s*)?['\"`]([^'\"`]+)"
)
_OF_PAGES = re.compile(r"\b(?:mdx?|markdown|astro|html|vue|tsx|jsx)\b[^/]*$|\*$")
_OF_VALUES = re.compile(r"\.(?:json|ya?ml|csv|toml)$")
"""What a pattern finds. Images show nothing that a date is about."""
_QUERIED = re.compile(
    r"\bqueryContent\(|<ContentList\b|<ContentQuery\b|\bcreateContentLoader\("
    r"|\b(?:contentlayer|content-collections|velite)\b|\buse(?:GlobalData|PluginData|AllDocsData|DocsData)\("
)
_FETCHED = re.compile(
    r"(?:\bawait\s+(?:fetch|axios(?:\.get)?|graphql|client\.\w+)|(?<![\w.])\$fetch|\buseFetch)\((?!.{0,200}\bmethod\b)"
    r"|\bgetLiveCollection\(",
    re.DOTALL,
)
"""A request while the site is built. One with another method sends a form."""
_READ_FROM_DISK = re.compile(
    r"\b(?:readFile|readFileSync|readdir|readdirSync|globSync|fast-glob)\b"
)
_IMPORT = re.compile(r"""\b(?:from|import|import\(|require\()\s*['"]([^'"\n]+)['"]""")
_SHARED = re.compile(
    r"layout|header|footer|menu|sidebar|seo|analytics|theme|(?:base)?head(?=\.)|nav(?:bar|igation)?(?=[._-]|$)",
    re.IGNORECASE,
)
"""Occurs in the names of components that a theme puts on every page."""
_CODE = re.compile(r"^(```|~~~).*?^\1|`[^`\n]+`", re.DOTALL | re.MULTILINE)
"""Code that a Markdown page only shows."""
_RUN = re.compile(r"^(?:import|export)\b[^\n]*|<script\b.*?</script>", re.DOTALL | re.MULTILINE)
"""The code that a Markdown page runs."""
_ELEMENT = re.compile(r"^[ \t]*[<{].*$", re.MULTILINE)
"""A line of Markdown with a component or an expression."""
_FOR_BROWSERS = re.compile(r"<script\b.*?</script>|\A\s*['\"]use client['\"].*", re.DOTALL)
"""Code that runs only in browsers."""
_CONSTANTS = re.compile(
    r"(?:package|(?:site|config|const|meta|settings|i18n|locale)\w*)\.", re.IGNORECASE
)
"""The names of files with the constants of a site, such as its title, which say nothing about one
page."""
_COMPONENT = re.compile(r"</?[A-Z]\w*[^>]*>")
_NO_TEXT = re.compile(rf"<(script|style)\b.*?</\1>|<!--.*?-->|{_COMPONENT.pattern}", re.DOTALL)
_WITHOUT_TEXT = frozenset({"Jekyll", "Hexo", "Hugo", "Eleventy"})
"""The generators whose layout shows everything on a page without text."""
_OF_DATA = re.compile(r"[/\\]_?data[/\\.]", re.IGNORECASE)
"""Occurs in the paths of scripts that contain data."""
_COMMENT = re.compile(r"<!--.*?-->|/\*.*?\*/|\{/\*.*?\*/\}|(?<![:'\"])//[^\n]*", re.DOTALL)

# https://www.sphinx-doc.org/en/master/usage/extensions/autodoc.html
_DOCUMENTED_BY_SPHINX = re.compile(
    r"^(?:\.\."
    r" |`{3,}\{|:{3,}\{)(?:auto(?:module|class|function|summary|api\w+)|click|argparse|postlist)\b",
    re.MULTILINE,
)
_LIKE_MKDOCS = frozenset({"MkDocs", "ProperDocs", "Zensical"})


@dataclass(slots=True)
class Drawn:
    """What a source shows besides its own text."""

    lists: set[str] = field(default_factory=set)
    """The directories of the pages that it lists; `ANY` if they can be in any directory."""
    tags: set[str] = field(default_factory=set)
    """How the ids of headings start below which it lists the pages with a tag, such as `tag:`."""
    files: set[str] = field(default_factory=set)
    """The data files that it shows, as absolute paths."""
    is_unknown: bool = False
    """Whether it also shows something that is not known."""


class TemplateReader:
    """Reads the templates in the project of a generator.

    Templates that pages share are read once.
    """

    def __init__(self, configuration: Configuration, read: Callable[[str], FrontMatter]) -> None:
        self.root = configuration.project
        self.content = configuration.source_directory
        """The directory of its sources."""
        self.generator = configuration.generator.name
        self._tags_plugins = configuration.instances("tags")
        self._read = read
        """Returns the front matter of a source."""
        self._tags = cache(_tags)
        self.drawn_by_layout = cache(self._drawn_by_layout)

    def drawn_by(self, source: str) -> Drawn:
        """Return what a source shows besides its own text."""
        drawn = Drawn()
        suffix = os.path.splitext(source)[1].lower()
        if self.generator == "Sphinx":  # whose directives can be written like code
            drawn.is_unknown = _DOCUMENTED_BY_SPHINX.search(_text(source)) is not None
        if self.generator in _LIKE_MKDOCS:
            self._read_mkdocs(source, drawn)
        if self._is_liquid and suffix in _LIQUID:
            self._read_liquid(source, drawn)
        if self._is_script and suffix in _SCRIPTS:
            for _ in _followed(source, partial(self._read_script, drawn)):
                pass
        return drawn

    def leaves_all_to_others(self, source: str) -> bool:
        """Whether a source has no text, so that its layout or a component shows everything."""
        text = front_matter.body(_text(source))
        is_made = self.generator in _WITHOUT_TEXT
        if self.generator == "VitePress":
            is_made = _COMPONENT.search(text) is not None
        if not is_made:
            return False
        shown = _NO_TEXT.sub("", text)
        return not shown.strip()

    def layout_of(self, source: str) -> str:
        """Return the layout that the front matter of a source sets, or an empty string."""
        if not self._is_liquid:
            return ""
        meta = self._read(source).meta or {}
        layout = meta.get("layout")
        return layout if isinstance(layout, str) else ""

    def _drawn_by_layout(self, name: str) -> Drawn:
        """Return what a layout shows besides the text of the page.

        A layout of a theme is known by its usual names.
        """
        for place in (
            "_layouts",
            "_includes",
            "_includes/layouts",
            "src/_includes",
            "src/_includes/layouts",
        ):
            for end in ("", ".html", ".njk", ".liquid"):
                file = os.path.join(self.content, place, name + end)
                if os.path.isfile(file):
                    return self.drawn_by(file)
        if name in _LAYOUTS_OF_LISTS:
            return Drawn(lists={"_posts"})
        return Drawn()

    @property
    def _is_liquid(self) -> bool:
        return self.generator in {"Jekyll", "Eleventy"}

    @property
    def _is_script(self) -> bool:
        return self.generator in {"Astro", "Next.js", "Nuxt", "VitePress", "Docusaurus"}

    def _read_mkdocs(self, source: str, drawn: Drawn) -> None:
        """Note lists of tags: https://squidfunk.github.io/mkdocs-material/plugins/tags/."""
        text = _CODE.sub("", _text(source))
        name = os.path.relpath(source, self.content).replace(os.sep, "/")
        for options in self._tags_plugins:
            directive = str(options.get("listings_directive") or "material/tags")
            marker = rf"<!--\s*{re.escape(directive)}\b"
            if name not in self._tags_files(options) and not re.search(marker, text):
                continue
            form = str(options.get("tags_slugify_format") or "tag:{slug}")
            heading, _, _ = form.partition("{")
            drawn.tags.add(heading)
            if not heading:  # then any heading could be that of a tag
                drawn.is_unknown = True

    def _tags_files(self, options: Mapping[str, object]) -> set[object]:
        """Return the lists of tags that need no directive, which older options name.

        Zensical ignores these.
        """
        if self.generator == "Zensical":
            return set()
        files = {options.get("tags_file")}
        extra = options.get("tags_extra_files")
        if isinstance(extra, dict):
            files.update(extra)
        return files

    # --- Jekyll and Eleventy ---

    def _read_liquid(self, source: str, drawn: Drawn) -> None:
        """Note what a template and the templates that it includes call."""
        meta = self._read(source).meta or {}
        found = []
        for file in _followed(source, self._included):
            found += self._tags(file)
        tags = " ".join(found)
        if "pagination" in meta or _PAGINATOR.search(tags):
            drawn.lists.add("_posts" if self.generator == "Jekyll" else ANY)
        if self.generator == "Jekyll":
            for name, part in _SITE.findall(tags):
                self._note_site(name, part, drawn)
            return
        if _COLLECTION.search(tags):
            drawn.lists.add(ANY)
        self._note_loops(tags, meta, drawn)

    def _included(self, file: str) -> Iterator[str]:
        """Yield the templates that a template includes, without those of every page of a theme."""
        tags = " ".join(self._tags(file))
        places = [os.path.dirname(file)]
        places += (os.path.join(self.content, place) for place in self._include_directories)
        for name in _INCLUDE.findall(tags):
            if _SHARED.search(os.path.basename(name)):
                continue
            path = _first_template(places, name)
            if path:
                yield path

    @cached_property
    def _include_directories(self) -> tuple[str, ...]:
        usual = ("_includes", "src/_includes", "content/_includes", "")
        return tuple(filter(self._has, usual))

    def _note_site(self, name: str, part: str, drawn: Drawn) -> None:
        """Note what `site.name` of Jekyll is: a list of pages, data, or a constant."""
        if name in _JEKYLL_LISTS:
            drawn.lists.add(_JEKYLL_LISTS[name])
        elif name == "data":
            files = self._data_files("_data", part)
            drawn.files.update(files)
            drawn.is_unknown |= not files
        elif name in _JEKYLL_UNKNOWN or (name == "github" and part in _GITHUB_UNKNOWN):
            drawn.is_unknown = True
        elif self._has(f"_{name}"):
            drawn.lists.add(f"_{name}")

    def _note_loops(self, tags: str, meta: Mapping[str, object], drawn: Drawn) -> None:
        """Note the data that Eleventy's loops show.

        A name from the front matter, or set in the template, is known.
        """
        assigned: set[str] = set()
        for names in _ASSIGNED.findall(tags):
            assigned.update(re.findall(r"\w+", names))
        for name in set(_LOOP.findall(tags)) - assigned - _GIVEN_BY_ELEVENTY:
            if name.lower() in meta:
                continue
            files = []
            for place in ("_data", "src/_data", "content/_data"):
                files += self._data_files(place, name)
            drawn.files.update(files)
            if not files or any(_FETCHED.search(_text(file)) for file in files):
                drawn.is_unknown = True

    def _data_files(self, directory: str, name: str) -> list[str]:
        """Return the files of a data directory with a name, or all of them if it is computed."""
        place = os.path.join(self.content, directory)
        if not name:
            return find_files(place, "**/*.*")
        return [*find_files(place, f"{name}.*"), *find_files(place, f"{name}/**/*.*")]

    def _has(self, directory: str) -> bool:
        return os.path.isdir(os.path.join(self.content, directory))

    # --- Generators with components ---

    def _read_script(self, drawn: Drawn, file: str) -> Iterator[str]:
        """Note what a file calls, and yield the files of the project that it imports."""
        text, code = _text_and_code(file)
        drawn.lists.update(_COLLECTED.findall(text))
        for pattern in _GLOBBED.findall(text):
            if _OF_PAGES.search(pattern):
                drawn.lists.add(_directory_of(pattern))
            elif _OF_VALUES.search(pattern):
                drawn.files.update(self._globbed(pattern, file))
        if _QUERIED.search(text):
            drawn.lists.add(ANY)
        if _READ_FROM_DISK.search(code):  # posts, or data
            drawn.lists.add(ANY)
        if _FETCHED.search(code):
            drawn.is_unknown = True
        for imported in _IMPORT.findall(code):
            path = self._imported(imported, file)
            name = os.path.basename(path)
            is_data = path.endswith(_DATA)
            may_be_data = is_data or _OF_DATA.search(path.removeprefix(self.root))
            if may_be_data and not _CONSTANTS.match(name):
                drawn.files.add(path)
            if path and not is_data and not _SHARED.search(name):
                yield path

    def _globbed(self, pattern: str, importer: str) -> Iterator[str]:
        """Yield the files that match a pattern, relative to a script, or after `/` to the root."""
        place = os.path.dirname(importer)
        if pattern.startswith("/"):
            place = self.root
            pattern = pattern.lstrip("/")
        return map(os.path.normpath, find_files(place, pattern))

    def _imported(self, name: str, importer: str) -> str:
        """Return the file of the project that an import names, or an empty string."""
        name, _, _ = name.partition("?")
        if name.startswith("."):
            places = [os.path.join(os.path.dirname(importer), name)]
        elif name.startswith(("@", "~", "#", "$", "/")):
            path = name.lstrip("@~#$/")
            places = []
            for inside in (path, path.removeprefix("site/")):
                for place in ("src", "", "app"):
                    places.append(os.path.join(self.root, place, inside))
        else:
            return ""
        for place in places:
            for end in _ENDS:
                file = os.path.normpath(place + end)
                if os.path.isfile(file):
                    return file
        return ""


def _first_template(places: Iterable[str], name: str) -> str | None:
    """Return the first file in several directories that an include can mean."""
    for place in places:
        for end in ("", ".html", ".liquid", ".njk"):
            path = os.path.join(place, name + end)
            if os.path.isfile(path):
                return path
    return None


def _followed(source: str, find: Callable[[str], Iterable[str]]) -> Iterator[str]:
    """Yield a file and the files that it includes, directly or indirectly."""
    waiting = [source]
    known = {source}
    while waiting and len(known) < _MOST_FILES:
        file = waiting.pop()
        for other in find(file):
            if other not in known:
                known.add(other)
                waiting.append(other)
        yield file


def _tags(file: str) -> list[str]:
    """Return the tags and outputs of a Liquid or Nunjucks template."""
    template = _RAW.sub("", _text(file))
    return _TAG.findall(template)


def _text_and_code(file: str) -> tuple[str, str]:
    """Return what calls something in a file, and the part of it that runs when the site is built.

    Both are without comments.
    """
    text = _text(file)
    if file.endswith((".md", ".mdx")):
        text = _CODE.sub("", text)
        code = "\n".join(_RUN.findall(text))
        text = "\n".join([code, *_ELEMENT.findall(text)])
    elif file.endswith(".vue"):
        code = text
    else:
        code = _FOR_BROWSERS.sub("", text)
    return _COMMENT.sub("", text), _COMMENT.sub("", code)


def _directory_of(pattern: str) -> str:
    """Return the directory that a pattern such as `../blog/*.md` searches, as its path's end."""
    fixed = re.split(r"[*?{\[]", pattern, maxsplit=1)[0]
    return os.path.dirname(fixed).lstrip("./@~")


def _text(file: str) -> str:
    try:
        return read_text(file, "replace")
    except OSError:
        return ""
