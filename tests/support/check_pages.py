"""The pages of the manual on what is found: one for each check and message, and an index of them in groups."""

import contextlib
import io
import json
import re
import tempfile
from collections.abc import Iterator
from pathlib import Path

from smindex_plugins.catalogue import CATALOGUE, CHECKED, NEEDS, Kind
from smindex_plugins.cli.main import main
from tests.support.build_examples import BUILD_EXAMPLES, BuildExample
from tests.support.build_situations import BUILD_SITUATIONS
from tests.support.check_situations import CHECK_SITUATIONS
from tests.support.examples import EXAMPLES, Example
from tests.support.planted import write
from tests.support.situations import message_about

GROUPS: dict[str, str] = {
    "The file of a sitemap": """
        unreadable-sitemap unsupported-format wrong-namespace leading-whitespace wrong-encoding document-type
        compression-error empty-sitemap too-large too-many-urls feed-as-sitemap unfetched-sitemap
        sitemap-redirects wrong-content-type""",
    "Tags": """
        missing-loc repeated-tag unknown-tag missing-tag invalid-attribute invalid-value stray-text retired-tag
        padded-value ignored-hints""",
    "URLs": """
        invalid-url unescaped-url twice-escaped-url doubled-slash private-host url-with-fragment url-too-long
        www-mismatch outside-scope duplicate-url twin-url unlistable-url entry-too-large shared-url
        canonical-outside""",
    "The index": """
        sitemap-outside-index missing-sitemap nested-index too-many-sitemaps unlisted-sitemap redundant-sitemap
        listed-beside-index unproven-cross-site""",
    "Dates": """
        invalid-date future-date stale-index-date build-stamp false-date uncompared-dates undated-pages
        undated-by-nature sources-not-found bulk-commit uncommitted-edits""",
    "Pages": """
        missing-page page-error page-unreachable empty-page page-redirects noindex-page noindex-in-body
        canonical-elsewhere listed-error-page unlisted-page orphan-page unlisted-but-linked unreadable-directory
        nothing-listed noindex-not-rendered stray-pages failed-filter""",
    "robots.txt": """
        robots-blocks-page robots-blocks-image robots-blocks-sitemap robots-unreachable robots-without-sitemap
        robots-without-index robots-names-other-address robots-names-missing-sitemap robots-relative-sitemap
        robots-is-html robots-in-subdirectory robots-not-written""",
    "Languages": """
        invalid-hreflang hreflang-without-self hreflang-contradiction hreflang-not-mutual missing-variant
        accidental-translation""",
    "Images, videos and news": """
        invalid-media-url too-many-images video-is-its-page old-news too-many-news""",
    "Options and front matter": """
        unmatched-pattern unread-options invalid-front-matter unknown-dependency private-address
        doubtful-address""",
    "Tables": """
        invalid-rows repeated-rows""",
    "Writing, joining, and other tools": """
        file-not-ours cannot-write directory-in-use unreadable-versions
        version-without-sitemap nothing-to-list read-the-docs-address read-the-docs-sitemap""",
}
"""The names in the order of the index; a test sees to it that each has one place."""
SITUATIONS = CHECK_SITUATIONS | BUILD_SITUATIONS
_LANGUAGES = {".xml": "xml", ".html": "html", ".txt": "text"}


def check_pages() -> dict[str, str]:
    """Return the pages, by the names of their files."""
    return {"index.md": _index(), **{f"{kind.name}.md": "\n".join(_page(kind)) for kind in CATALOGUE.values()}}


def _index() -> str:
    lines = [
        "# Checks and messages",
        "",
        "Every finding ends with its name in brackets. Each name has a page, which says what it means, shows an",
        "example, and says how to fix it. `smindex check --list` prints the same list.",
        "",
    ]
    for title, names in GROUPS.items():
        lines += [f"## {title}", "", "| name | what must be so |", "|---|---|"]
        for kind in map(CATALOGUE.__getitem__, names.split()):
            lines.append(f"| [{kind.name}]({kind.name}.md)<br>{kind.level} | {as_markdown(kind.rule)} |")
        lines.append("")
    return "\n".join(lines)


def _page(kind: Kind) -> Iterator[str]:
    yield from (f"# {kind.name}", "", f"**The rule:** {as_markdown(kind.rule)}", "")
    yield from (f"- **Level:** {_level(kind)}", f"- **Found by:** {_found_by(kind)}")
    if kind.console:
        yield f"- **In Search Console:** {as_markdown(kind.console)}"
    yield from ("", "## How to fix it", "", as_markdown(kind.fix), "")
    if example := EXAMPLES.get(kind.name):
        yield from _example(kind, example)
    if built := BUILD_EXAMPLES.get(kind.name):
        yield from _build_example(kind, built)
    if situation := SITUATIONS.get(kind.name):
        yield from ("## Example", "", _shown(situation.words), "", f"{situation.who} says:", "")
        yield from ("```text", _shown(message_about(kind.name, situation)), "```", "")
    yield from ("[All checks and messages](index.md)", "")


def _level(kind: Kind) -> str:
    return kind.level


def _found_by(kind: Kind) -> str:
    if kind.name in GROUPS["Tables"].split():
        return "`smindex pages`"
    if kind.name not in CHECKED:
        return "a build or `smindex join`"
    return f"`smindex check`{' of ' + _command(NEEDS[kind.needs]) if kind.needs else ''}"


def _command(words: str) -> str:
    return re.sub(r"(--\w+)", r"`\1`", words)


def _example(kind: Kind, example: Example) -> Iterator[str]:
    yield from ("## Example", "")
    if example.wrong:
        yield from (f"In `{example.file}`:", "", *_block(example, example.wrong))
    yield from ("`smindex check` says:", "", "```text", *_said(kind, example), "```", "")
    if example.wrong and example.lines(example.right).strip():
        yield from ("This is right:", "", *_block(example, example.right))
    elif example.wrong:
        yield from ("It is right without that entry.", "")


def _build_example(kind: Kind, example: BuildExample) -> Iterator[str]:
    where = "the front matter of `guide.md`" if example.place == "guide.md" else f"`{example.place}`"
    message = next(words for name, words in example.reported() if name == kind.name)
    yield from ("## Example", "", f"In {where}:", "", *example.block(example.wrong))
    yield from ("A build says:", "", "```text", message, "```", "")
    if example.right:
        yield from ("This is right:", "", *example.block(example.right))


def _block(example: Example, wanted: str) -> list[str]:
    language = _LANGUAGES[Path(example.file).suffix]
    lines = _shown(example.lines(wanted)).rstrip("\n").splitlines()
    return [f"```{language}", *(part for line in lines for part in _broken(line)), "```", ""]


def _broken(line: str) -> list[str]:
    """Break a long line between its elements."""
    return re.sub(r"(</[\w:]+>|/>)(?=<(?!/))", "\\1\n", line).splitlines() if len(line) > _WIDTH else [line]


_WIDTH = 90
"""Characters."""


def _said(kind: Kind, example: Example) -> list[str]:
    return [
        _shown(f"{finding['where']}: {finding['problem']} {finding['fix']} [{kind.name}]")
        for finding in found(example)
        if finding["check"] == kind.name
    ][:2]


def found(example: Example, *, is_mended: bool = False) -> list[dict[str, str]]:
    """Return what a check finds in the site of an example."""
    with tempfile.TemporaryDirectory() as directory, contextlib.redirect_stdout(io.StringIO()) as out:
        write(Path(directory), example.mended() if is_mended else example.files)
        main(["check", directory, "--site-url", example.address, "--format", "json"])
        findings: list[dict[str, str]] = json.loads(out.getvalue())["findings"]
        return findings


def _shown(text: str) -> str:
    """Return a text with the addresses that examples have in the manual."""
    return re.sub(r"\be\.(org|net)\b", r"example.\1", text)


def as_markdown(text: str) -> str:
    """Give a text in which elements of XML stay visible."""
    return re.sub(r"(?<!`)(<[^<>]+>)(?!`)", r"`\1`", text)
