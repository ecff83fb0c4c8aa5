"""The JSON schemas by which editors know the options accept and refuse what the options do."""

import json
import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from smindex_plugins.base.settings import OPTIONS
from smindex_plugins.base.text import WrongOptionsError
from smindex_plugins.projects.find import find_site
from tests.support.planted.options import ACCEPTED, MISTAKEN, REFUSED
from tests.support.schema import mistakes, mkdocs_schema, pyproject_schema

SCHEMAS = {"mkdocs": mkdocs_schema(), "pyproject": pyproject_schema()}
UNTOLD: list[tuple[str, object]] = [
    ("section_depth", 1.0),  # JSON has one kind of number
    # `$` of Python, but not that of an editor, is before the last line break too
    ("index_filename", "a.xml\n"),
    ("sections", [{"name": "api", "urls": ["reference/"]}] * 2),  # a name that another section has
]
"""What is refused, and a schema can't tell, or tells an editor only."""


def is_valid(form: str, options: object) -> bool:
    of_mkdocs = {"plugins": ["search", {"sitemap-index": options}]}
    return not mistakes(
        of_mkdocs if form == "mkdocs" else {"tool": {"smindex": options}}, SCHEMAS[form]
    )


def wrong() -> Iterator[tuple[str, object]]:
    given = [(option, value) for option, values in REFUSED for value in values]
    given += [(option, value) for option, value, _ in MISTAKEN] + [("section_dept", 1)]
    yield from (pair for pair in given if pair not in UNTOLD and not isinstance(pair[1], set))


@pytest.mark.parametrize("form", SCHEMAS)
def test_a_schema_is_made_of_the_options(form: str) -> None:
    """UPDATE_SCHEMAS=1 writes it anew."""
    path = Path(__file__).parents[2] / f"smindex_plugins/schemas/{form}.json"
    text = json.dumps(SCHEMAS[form], indent=2, ensure_ascii=False) + "\n"
    if os.environ.get("UPDATE_SCHEMAS"):
        path.write_text(text, encoding="utf-8")
    assert path.read_text(encoding="utf-8") == text


@pytest.mark.parametrize("form", SCHEMAS)
@pytest.mark.parametrize(
    ("option", "given"),
    [
        *((option, given) for option, given, _ in ACCEPTED),
        *((option.name, None) for option in OPTIONS),
    ],
)
def test_a_schema_accepts_what_an_option_accepts(form: str, option: str, given: object) -> None:
    assert is_valid(form, json.loads(json.dumps({option: given})))


@pytest.mark.parametrize("form", SCHEMAS)
@pytest.mark.parametrize(("option", "given"), list(wrong()))
def test_a_schema_refuses_what_an_option_refuses(form: str, option: str, given: object) -> None:
    assert not is_valid(form, {option: given})


@pytest.mark.parametrize(
    ("option", "right", "wrong"),
    [
        ("directory", "public", ["", 1]),
        ("site_url", "https://example.org/", ["", True]),
        ("sources", "docs/{path}.md", ["docs/", "{other}/{path}"]),
        ("sources", ["a/{name}.md", "{path}"], [[], [1], ["a"]]),
        ("clean_urls", True, ["yes", 1]),
    ],
)
def test_the_table_of_pyproject_has_options_of_its_own(
    tmp_path: Path, option: str, right: object, wrong: list[object]
) -> None:
    assert is_valid("pyproject", {option: right})
    assert not is_valid("mkdocs", {option: right})
    for given in wrong:
        table = json.dumps(given)  # which TOML reads, too
        (tmp_path / "pyproject.toml").write_text(f"[tool.smindex]\n{option} = {table}\n")
        with pytest.raises(WrongOptionsError, match=rf"\[tool\.smindex\] {option}"):
            find_site(str(tmp_path))
        assert not is_valid("pyproject", {option: given})


def test_the_schema_of_mkdocs_leaves_alone_what_is_not_of_the_plugin() -> None:
    right: list[object] = [
        {},
        {"site_name": "Test", "plugins": None},
        {"plugins": "search"},
        {"plugins": ["sitemap-index", {"search": {"lang": "en"}}, {"sitemap-index": None}]},
        {"plugins": {"search": {}, "sitemap-index": {"exclude": ["a/"]}}},
        {"plugins": [{"sitemap_index": {"gzip": True}}]},
        # as !ENV is seen
        {"plugins": [{"sitemap-index": {"undated": ["UNDATED", "warn"], "gzip": ["CI", False]}}]},
    ]
    assert [document for document in right if mistakes(document, SCHEMAS["mkdocs"])] == []
    wrong = (
        {"plugins": {"sitemap-index": {"gzip": 1}}},
        {"plugins": [{"sitemap_index": {"gzip": 1}}]},
    )
    assert [document for document in wrong if not mistakes(document, SCHEMAS["mkdocs"])] == []
