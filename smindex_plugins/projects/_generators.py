"""The known generators: the files of their projects, their outputs, and their sources."""

from typing import NamedTuple

from smindex_plugins.html.front_matter import MARKDOWN

_DATE = "????-??-??-"
"""The date with which the names of posts begin."""
_HUGO = ("hugo", "config", "config/_default/hugo", "config/_default/config")
_SCRIPTS = (".tsx", ".jsx", ".ts", ".js")


class Generator(NamedTuple):
    """The files of a generator's projects. All paths are relative to the project."""

    name: str
    files: tuple[str, ...]
    """Its configuration. Any of these files identifies it; `*` is any text."""
    outputs: tuple[str, ...]
    """Where it writes the site. The first directory that exists counts."""
    suffixes: tuple[str, ...]
    """The suffixes of its sources."""
    sources: tuple[str, ...] = ("{path}",)
    """Patterns of its sources without these endings, relative to the content."""
    content: str = ""
    """The directory of the sources."""
    command: str = "npm run build"
    """The command that builds the site."""
    other_files: tuple[str, ...] = ()
    """Other usual names of its configuration, which have to be passed to it."""
    options: tuple[str, str, str] = ("", "", "")
    """The options in its configuration for the address, the directory of the sources, and the
    output."""

    address_in_code: str = ""
    """The option for the address, if its configuration is code."""
    has_readmes: bool = False
    """Whether README.md can be the index of its directory."""

    @property
    def address(self) -> str:
        """The option for the address of the site, or an empty string."""
        return self.options[0]

    @property
    def is_read(self) -> bool:
        """Whether its configuration is read.

        If not, it is code, and the usual locations are used.
        """
        return any(self.options)


_MKDOCS = Generator(
    "MkDocs",
    ("mkdocs.yml", "mkdocs.yaml"),
    other_files=("mkdocs[._-]*.yml", "mkdocs[._-]*.yaml"),
    outputs=("site",),
    content="docs",
    suffixes=(*MARKDOWN, ".html", ".ipynb"),
    command="mkdocs build",
    options=("site_url", "docs_dir", "site_dir"),
    has_readmes=True,
)
_PELICAN = Generator(
    "Pelican",
    ("pelicanconf.py",),
    outputs=("output",),
    suffixes=(".md", ".rst", ".html"),
    command="pelican",
    options=("SITEURL", "PATH", "OUTPUT_PATH"),
)
GENERATORS = (
    # Zensical reads its own file before it looks for mkdocs.yml.
    _MKDOCS._replace(
        name="Zensical",
        files=("zensical.toml",),
        other_files=("zensical[._-]*.toml",),
        command="zensical build",
    ),
    _MKDOCS,
    _MKDOCS._replace(
        name="ProperDocs",
        files=("properdocs.yml", "properdocs.yaml"),
        other_files=("properdocs[._-]*.yml", "properdocs[._-]*.yaml"),
        command="properdocs build",
    ),
    Generator(
        "Hugo",
        tuple(f"{stem}.{end}" for stem in _HUGO for end in ("toml", "yaml", "yml", "json")),
        outputs=("public",),
        content="content",
        suffixes=(".md", ".html", ".adoc", ".org", ".rst"),
        command="hugo",
        options=("baseURL", "contentDir", "publishDir"),
    ),
    _PELICAN._replace(files=("publishconf.py",), command="pelican -s publishconf.py"),
    _PELICAN,
    Generator(
        "Sphinx",
        # `make html` runs in the directory above most of these.
        (
            "conf.py",
            "source/conf.py",
            "docs/conf.py",
            "docs/source/conf.py",
            "doc/conf.py",
            "doc/source/conf.py",
        ),
        outputs=(
            "_build/html",
            "_build/dirhtml",
            "../build/html",
            "../build/dirhtml",
            "../_build/html",
        ),
        suffixes=(".rst", ".md", ".ipynb", ".txt"),
        command="make html",
        options=("html_baseurl", "", ""),
    ),
    Generator(
        "Docusaurus",
        ("docusaurus.config.*",),
        outputs=("build",),
        sources=(
            "{path}",
            "src/pages/{path}",
            f"blog/{_DATE}{{name}}",
            f"blog/{_DATE}{{name}}/index",
        ),
        suffixes=(".md", ".mdx", *_SCRIPTS),
        address_in_code="url",
        has_readmes=True,
    ),
    Generator(  # also Starlight
        "Astro",
        ("astro.config.*",),
        outputs=("dist",),
        sources=("src/content/{path}", "src/content/docs/{path}", "src/pages/{path}"),
        suffixes=(".md", ".mdx", ".astro"),
        address_in_code="site",
    ),
    Generator(
        "VitePress",
        (
            ".vitepress/config.*",
            ".vitepress/config/index.*",
            "docs/.vitepress/config.*",
            "docs/.vitepress/config/index.*",
        ),
        outputs=(".vitepress/dist",),
        suffixes=(".md",),
        address_in_code="sitemap.hostname",
    ),
    Generator(
        "Eleventy",
        ("eleventy.config.*", ".eleventy.js"),
        outputs=("_site",),
        sources=(
            "{path}",
            "{path}/{name}",
            "content/{path}",
            "content/{path}/{name}",
            "src/{path}",
            "src/{path}/{name}",
        ),
        suffixes=(".md", ".njk", ".liquid", ".html"),
        command="npx @11ty/eleventy",
    ),
    Generator(
        "Next.js",
        ("next.config.*",),
        outputs=("out",),
        sources=("app/{path}/page", "src/app/{path}/page", "pages/{path}", "src/pages/{path}"),
        suffixes=(*_SCRIPTS, ".mdx", ".md"),
    ),
    Generator(
        "Nuxt",
        ("nuxt.config.*",),
        outputs=(".output/public",),
        sources=("app/pages/{path}", "pages/{path}", "content/{path}"),
        suffixes=(".vue", ".md"),
        address_in_code="site.url",
        command="npx nuxt generate",
    ),
    Generator(
        "mdBook",
        ("book.toml",),
        outputs=("book",),
        content="src",
        suffixes=(".md",),
        command="mdbook build",
        options=("", "book.src", "build.build-dir"),
        has_readmes=True,
    ),
    Generator(  # its reader requires more than the file, which is also that of Jekyll
        "Hexo",
        ("_config.yml", "_config.yaml"),
        outputs=("public",),
        content="source",
        sources=("{path}", "_posts/{path}", "_posts/{name}"),
        suffixes=(".md", ".markdown", ".html"),
        command="npx hexo generate",
        options=("url", "source_dir", "public_dir"),
    ),
    Generator(
        "Jekyll",
        ("_config.yml", "_config.yaml", "_config.toml"),
        outputs=("_site",),
        sources=("{path}", "_{path}", f"_posts/{_DATE}{{name}}", f"*/_posts/{_DATE}{{name}}"),
        suffixes=(".md", ".markdown", ".html"),
        command="jekyll build",
        options=("url", "source", "destination"),
        has_readmes=True,
    ),
)
