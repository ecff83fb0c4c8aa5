"""Adds redirects for renamed pages to a file in the format of `_redirects`, which can be the
author's work.
"""

import os
from collections.abc import Iterable
from typing import NamedTuple

from smindex_plugins.base import files, urls
from smindex_plugins.base.host_rules import GONE, HostRules, Redirect, is_same
from smindex_plugins.base.model import Spot
from smindex_plugins.base.rule_files import parse_rules
from smindex_plugins.base.text import WrongOptionsError
from smindex_plugins.projects.renames import redirect_line
from smindex_plugins.reading.web import MOST_REDIRECTS

_KIND = "_redirects"


class RedirectFile(NamedTuple):
    """A file of redirects, or the place for a new one."""

    path: str
    content: bytes
    rules: HostRules


class Additions(NamedTuple):
    """The redirects that a file lacks."""

    content: bytes
    """The content of the file with them. The lines that it had are as they were."""
    lines: list[str]
    obstacles: list[str]
    """Why other redirects are not added, in words."""


def read_redirects(path: str) -> RedirectFile:
    """Read the file to which redirects are added. It need not exist.

    Raises:
        OSError: it can't be read.
        WrongOptionsError: it contains something else than redirects.
    """
    rules = HostRules()
    if not os.path.lexists(os.path.realpath(path)):
        return RedirectFile(path, b"", rules)
    content = files.read(path)
    parse_rules(rules, content, _KIND, Spot(path, path))
    if rules.unread and not rules.redirects:
        problem = (
            "it is not in the format of _redirects, so it is unchanged. Choose another name, or"
            " remove the file."
        )
        raise WrongOptionsError([f"{path}: {problem}"])
    return RedirectFile(path, content, rules)


def add_redirects(file: RedirectFile, renamed: Iterable[tuple[str, str]]) -> Additions:
    """Return the redirects that a file lacks for renamed pages, given as old and new normalized
    URLs.

    The rules of the file are extended, so that no redirect is added twice.
    """
    lines, obstacles = list[str](), list[str]()
    for url, to in renamed:
        if is_same(url, to):
            continue
        line = redirect_line(url, to)
        first = file.rules.first(url)
        if first and first.status not in GONE and is_same(first.to, to):
            continue
        if first:
            answer = (
                f"{first.where}: it applies to {urls.path(url)} first, so no redirect to"
                f" {urls.path(to)} is added."
            )
            obstacles.append(f"{answer} Add `{line}` above it, or remove it.")
        elif back := _rule_back(file.rules, url, to):
            answer = (
                f"{back.where}: it leads from {urls.path(to)} back to {urls.path(url)}, so no"
                " redirect is added."
            )
            obstacles.append(f"{answer} Remove it, and run the command again.")
        else:
            lines.append(line)
            parse_rules(file.rules, line.encode(), _KIND, Spot(file.path, file.path))
    return Additions(
        files.with_lines(file.content, lines) if lines else file.content, lines, obstacles
    )


def _rule_back(rules: HostRules, url: str, to: str) -> Redirect | None:
    """Return the rule that leads from the target of a new redirect back to its source, or None."""
    at = to
    for _ in range(MOST_REDIRECTS):
        rule = rules.first(at)
        if rule is None or not rule.to:
            return None
        if is_same(rule.to, url):
            return rule
        at = rule.to
    return None
