"""Finds settings without effect and other tools that write sitemaps, for every host alike."""

import re
from collections.abc import Collection, Iterator, Mapping

from smindex_plugins.base.catalogue import OTHER_SITEMAP_TOOL, UNREAD_SETTING
from smindex_plugins.base.model import Finding
from smindex_plugins.base.settings import OPTIONS
from smindex_plugins.base.text import did_you_mean

ACCEPTED: Mapping[str, str] = {option.name: option.accepted for option in OPTIONS}
"""What each option accepts."""
_SIMILAR = 0.88
"""How similar a name must be: `sitemap_indx` resembles `sitemap_index`, but `sitemap` and
`site_index` do not."""


def misnamed(name: str, given: Mapping[str, object], options: object) -> Iterator[Finding]:
    """Yield the settings whose names only resemble that of the options.

    ``options`` are those that the host reads. A setting that they contain is only a step towards
    them.
    """
    read = options if isinstance(options, Mapping) else {}
    right = _plain(name)
    single = {right + _plain(option): option for option in ACCEPTED}
    for wrong, value in given.items():
        if wrong == name:
            continue
        where = f"the setting `{wrong}`"
        plain = _plain(wrong)
        option = single.get(plain)
        if option is not None:
            if read.get(option) != value:
                fix = f"Write `{name} = {{{option!r}: ...}}`."
                yield UNREAD_SETTING.at(where, "nothing reads it.", fix)
        elif isinstance(value, Mapping) and _resembles(plain, right):
            if value.items() <= read.items():
                continue
            problem = "nothing reads it, so its options have no effect."
            fix = f"Rename it to `{name}`."
            if read:
                fix = f"Move its options to `{name}`, and remove it."
            yield UNREAD_SETTING.at(where, problem, fix)


def _plain(name: str) -> str:
    return re.sub(r"[\W_]", "", name).lower()


def _resembles(plain: str, right: str) -> bool:
    return right in plain or bool(did_you_mean(plain, [right], _SIMILAR))


def left_over(
    tool: str,
    where: str,
    left: Collection[str],
    replaced: Mapping[str, str],
    *,
    name: str,
    options: object,
) -> Iterator[Finding]:
    """Yield a finding if there are options of a tool that does not run.

    ``replaced`` maps them to the equivalent options, or to what users must know instead.
    """
    if not left:
        return
    read = options if isinstance(options, Mapping) else {}
    moves = []
    notes = []
    for each in left:
        new = replaced.get(each, each)
        if new not in ACCEPTED:
            notes.append(new)
        elif new not in read:
            moves.append(f"Instead of `{each}`, set `{new}` in {name} to {ACCEPTED[new]}.")
    problem = f"nothing reads what is set for {tool}, which doesn't run: {', '.join(left)}."
    removal = "Remove it." if len(left) == 1 else "Remove them."
    steps = dict.fromkeys([*moves, removal, *notes])
    yield UNREAD_SETTING.at(where, problem, " ".join(filter(None, steps)))


def other_tool(tool: str, where: str, fix: str) -> Finding:
    """Return the finding about another tool that writes a sitemap of its own."""
    return OTHER_SITEMAP_TOOL.at(
        where, f"{tool} writes another sitemap, with other pages and dates.", fix
    )
