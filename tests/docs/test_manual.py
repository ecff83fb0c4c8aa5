"""What the manual in `sample_sites/mkdocs` says is so."""

import re
import textwrap
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from smindex_plugins.history import machine
from smindex_plugins.settings import Settings
from tests.support.options import options_table

MANUAL = Path(__file__).parents[2] / "sample_sites/mkdocs"
PAGES = sorted((MANUAL / "docs").rglob("*.md"))
BEGIN, END = "<!-- options -->\n", "<!-- /options -->"


def test_the_options_of_the_manual_are_made_of_the_settings() -> None:
    """To write them anew, print `options_table()` of the README's tests."""
    page = (MANUAL / "docs/manual/options.md").read_text(encoding="utf-8")
    assert page.partition(BEGIN)[2].partition(END)[0] == f"\n{options_table()}\n"


def test_every_configuration_in_the_manual_is_one_that_the_plugin_accepts() -> None:
    given = [options for block in yaml_blocks() for options in plugin_options(block)]
    assert len(given) >= 5
    for options in given:
        Settings.load(options)


@pytest.mark.parametrize(
    ("variable", "page", "words"),
    [
        ("GITHUB_ACTIONS", "github-actions", ("fetch-depth: 0", "filter: blob:none")),
        ("GITLAB_CI", "gitlab", ("GIT_DEPTH: 0",)),
        ("NETLIFY", "netlify", (f"{machine.UNSHALLOW} || true;",)),
        ("CF_PAGES", "cloudflare-pages", (f"{machine.UNSHALLOW} || true;",)),
        ("VERCEL", "vercel", ("VERCEL_DEEP_CLONE=true",)),
        ("READTHEDOCS", "read-the-docs", ("post_checkout:", f"{machine.UNSHALLOW} || true")),
    ],
)
def test_the_page_of_a_service_has_the_line_that_a_build_there_prints(
    variable: str, page: str, words: tuple[str, ...]
) -> None:
    recipe = (MANUAL / f"docs/dates/ci/{page}.md").read_text(encoding="utf-8")
    printed = machine.whole_history({variable: "1"})
    for line in words:
        assert line in re.sub("['\"]", "", printed)
        assert line in re.sub("['\"]", "", recipe)


def test_every_page_of_the_manual_is_in_its_navigation_or_left_out_on_purpose() -> None:
    text = (MANUAL / "mkdocs.yml").read_text(encoding="utf-8")
    missing = [page for page in PAGES if page.relative_to(MANUAL / "docs").as_posix() not in text]
    assert {page.parent.name for page in missing} == {"internal", "drafts"}


def test_every_picture_of_the_manual_is_shown_and_small() -> None:
    shown = {
        (page.parent / path).resolve()
        for page in PAGES
        for path in re.findall(r"!\[[^]]+\]\((.+?)\)", page.read_text())
    }
    assert shown == {path.resolve() for path in (MANUAL / "docs").rglob("*.png")}
    assert all(path.stat().st_size < 100_000 for path in shown)


class Loader(yaml.SafeLoader):
    """Reads YAML in which a value is that of an environment variable, else a default."""


def _default(loader: Loader, node: yaml.SequenceNode) -> object:
    return loader.construct_sequence(node)[-1]


Loader.add_constructor("!ENV", _default)


def yaml_blocks() -> Iterator[Any]:
    """Read every block of YAML in the manual, whose environment variables have their default."""
    for page in PAGES:
        for block in re.findall(r"^```yaml\n(.+?)^```", page.read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE):
            yield Loader(textwrap.dedent(block)).get_data()


def plugin_options(block: Any) -> Iterator[dict[str, Any]]:  # noqa: ANN401 - whatever YAML holds
    """Give the options of the plugin in a mkdocs.yml, none where it has none."""
    plugins = block.get("plugins") if isinstance(block, dict) else None
    for plugin in plugins or []:
        if isinstance(plugin, dict) and "sitemap-index" in plugin:
            yield plugin["sitemap-index"]
