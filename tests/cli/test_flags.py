"""Every option as a flag."""

import argparse

import pytest

from smindex_plugins.cli import flags
from smindex_plugins.model import NamedSection
from smindex_plugins.settings import OPTIONS, Settings


def parsed(*arguments: str) -> dict[str, object]:
    parser = argparse.ArgumentParser()
    flags.add_flags(parser)
    return flags.given_options(parser.parse_args(arguments))


def test_there_is_a_flag_for_every_option_and_its_default_is_not_given() -> None:
    parser = argparse.ArgumentParser()
    flags.add_flags(parser)
    shown = parser.format_help()
    assert all(f" --{option.name.replace('_', '-')}" in shown for option in OPTIONS)
    assert "`" not in shown
    assert parsed() == {}


@pytest.mark.parametrize(
    ("arguments", "option", "value"),
    [
        (["--section-depth", "2"], "section_depth", 2),
        (["--gzip"], "gzip", True),
        (["--no-pagination"], "pagination", False),
        (["--exclude", "drafts/", "--exclude", "*.html"], "exclude", ("drafts/", "*.html")),
        (["--lastmod", "off"], "lastmod", "off"),
        (["--ignore-revs-file", ".revs"], "ignore_revs_file", ".revs"),
        (["--depends", "{'a/': ['b/*.yml']}"], "depends", (("a/", ("b/*.yml",)),)),
        (["--sections", "[{name: api, urls: ['r/']}]"], "sections", (NamedSection(name="api", urls=("r/",)),)),
    ],
)
def test_what_a_flag_gives(arguments: list[str], option: str, value: object) -> None:
    assert getattr(Settings.load(parsed(*arguments)), option) == value
