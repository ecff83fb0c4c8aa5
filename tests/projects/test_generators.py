"""The table of generators: each row beside a project as the generator lays it out."""

from pathlib import Path

import pytest

from smindex_plugins.projects._configuration import configuration_of
from smindex_plugins.projects._generators import GENERATORS
from tests.support.planted import write

PLANTED = {
    "zensical.toml": ("site", "docs/{path}.md"),
    "mkdocs.yml": ("site", "docs/{path}.md"),
    "properdocs.yml": ("site", "docs/{path}.md"),
    "hugo.yaml": ("public", "content/{path}.md"),
    "config/_default/hugo.toml": ("public", "content/{path}.md"),
    "publishconf.py": ("output", "{path}.md"),
    "pelicanconf.py": ("output", "{path}.md"),
    "docusaurus.config.ts": ("build", "blog/????-??-??-{name}.mdx"),
    "astro.config.mjs": ("dist", "src/content/docs/{path}.md"),
    ".vitepress/config.mts": (".vitepress/dist", "{path}.md"),
    ".vitepress/config/index.ts": (".vitepress/dist", "{path}.md"),
    "docs/.vitepress/config.ts": ("docs/.vitepress/dist", "docs/{path}.md"),
    ".eleventy.js": ("_site", "content/{path}/{name}.md"),
    "eleventy.config.mjs": ("_site", "src/{path}.njk"),
    "next.config.mjs": ("out", "app/{path}/page.tsx"),
    "nuxt.config.ts": (".output/public", "app/pages/{path}.vue"),
    "book.toml": ("book", "src/{path}.md"),
    "_config.yml": ("_site", "_posts/????-??-??-{name}.markdown"),
}
"""The output and one pattern of the sources, by the file that identifies the project."""


@pytest.mark.parametrize("file", PLANTED)
def test_an_empty_file_of_a_generator_is_enough(tmp_path: Path, file: str) -> None:
    write(tmp_path, {file: ""})
    found = configuration_of(str(tmp_path))
    assert found is not None
    output, pattern = PLANTED[file]
    assert (found.file, found.output) == (str(tmp_path / file), str(tmp_path / output))
    assert str(tmp_path / pattern) in found.sources


def test_hexo_is_told_from_jekyll_by_its_package_or_its_directories(tmp_path: Path) -> None:
    write(tmp_path, {"_config.yml": "url: https://e.org\nroot: /blog/\npublic_dir: out\n"})
    found = configuration_of(str(tmp_path))
    assert found
    assert found.generator.name == "Jekyll"
    write(tmp_path, {"source/_posts/a.md": "", "scaffolds/post.md": ""})
    found = configuration_of(str(tmp_path))
    assert found
    assert (found.generator.name, found.site_url, found.output) == (
        "Hexo",
        "https://e.org/blog",
        str(tmp_path / "out"),
    )
    (tmp_path / "scaffolds/post.md").unlink()
    (tmp_path / "scaffolds").rmdir()
    write(
        tmp_path,
        {
            "package.json": '{"dependencies": {"hexo": "^7.0.0"}}',
            "_config.yml": "source_dir: text\n",
        },
    )
    found = configuration_of(str(tmp_path))
    assert found
    assert (found.generator.name, found.output) == ("Hexo", str(tmp_path / "public"))
    assert str(tmp_path / "text/_posts/{name}.md") in found.sources


def test_each_generator_has_a_planted_project(tmp_path: Path) -> None:
    write(tmp_path, {**dict.fromkeys(PLANTED, ""), "conf.py": "project = 'A'"})
    for generator in GENERATORS:
        assert any(list(tmp_path.glob(file)) for file in generator.files), generator.name


@pytest.mark.parametrize(
    ("files", "output", "pattern"),
    [
        (
            {"book.toml": "[book]\nsrc = 'text'\n[build]\nbuild-dir = 'out'\n"},
            "out",
            "text/{path}.md",
        ),
        (
            {"_config.yml": "source: docs\ndestination: public\n"},
            "public",
            "docs/_posts/????-??-??-{name}.md",
        ),
    ],
)
def test_data_files_can_name_other_directories(
    tmp_path: Path, files: dict[str, str | bytes], output: str, pattern: str
) -> None:
    write(tmp_path, files)
    found = configuration_of(str(tmp_path))
    assert found is not None
    assert found.output == str(tmp_path / output)
    assert str(tmp_path / pattern) in found.sources


def test_the_docs_of_a_docusaurus_with_versions_are_the_next_version(tmp_path: Path) -> None:
    write(tmp_path, {"docusaurus.config.js": ""})
    found = configuration_of(str(tmp_path))
    assert found
    assert str(tmp_path / "{path}.md") in found.sources
    write(tmp_path, {"versions.json": "[]"})
    found = configuration_of(str(tmp_path))
    assert found
    assert str(tmp_path / "{path}.md") not in found.sources
