"""What is fuzzed, one reader a process: `python -m tests.benchmarks.fuzz_targets NAME` with libFuzzer's arguments.

A reader fails where it raises anything, takes long, or where what it reads contradicts itself.
"""

import contextlib
import importlib
import io
import sys
from collections.abc import Callable
from typing import Any

Target = Callable[[bytes], None]
URL = "https://e.org/docs/a.xml"
NAMES = ("sitemap", "robots", "page")


def _sitemap() -> Target:
    from smindex_plugins import checks  # noqa: PLC0415 - imported where it is instrumented
    from smindex_plugins.sitemaps import parsing, reading  # noqa: PLC0415 - imported where it is instrumented
    from smindex_plugins.sitemaps.document import Document  # noqa: PLC0415 - as above

    selection = checks.Selection(frozenset(checks.CATALOGUE))

    def judge(content: bytes, url: str) -> Document:
        document = reading.read(io.BytesIO(content), Document(url=url))
        survey = checks.Survey()
        survey.add(document)
        for finding in (*selection.judge(document), *selection.judge(survey)):
            assert finding.problem, finding
            assert finding.fix, finding
        return document

    def target(content: bytes) -> None:
        kind, content = content[:1], content[1:]
        document = judge(content, URL.replace(".xml", {b"g": ".xml.gz", b"t": ".txt"}.get(kind, ".xml")))
        fast = Document(url=URL)
        with contextlib.suppress(UnicodeDecodeError):
            content.decode()
            if reading._read_plain(content, fast):
                slow = Document(url=URL)
                parsing.read_xml(content, slow)
                assert not slow.findings, slow.findings
                assert (fast.urls, fast.dates, fast.kind) == (slow.urls, slow.dates, slow.kind)
                assert [fast.line(n) for n in range(fast.count)] == [slow.line(n) for n in range(slow.count)]
        assert len(document.urls) == len(document.dates) <= document.count

    return target


def _robots() -> Target:
    from smindex_plugins import checks  # noqa: PLC0415 - as above
    from smindex_plugins.sitemaps import robots  # noqa: PLC0415 - as above

    def target(content: bytes) -> None:
        found = robots.parse(content, url="https://e.org/robots.txt")
        assert all(finding.fix for finding in checks.Selection().judge(found))
        for path in ("", "a", "a/b.html?c=d", "%C3%A4/$*"):
            rule = found.blocks("https://e.org/" + path)
            assert rule is None or rule

    return target


def _page() -> Target:
    from smindex_plugins import urls  # noqa: PLC0415 - as above
    from smindex_plugins.pages import head  # noqa: PLC0415 - as above

    def target(content: bytes) -> None:
        said = head.read_stream(io.BytesIO(content), URL)
        assert said.canonical != URL
        for url in filter(None, [said.canonical, said.refresh, *(url for _, url in said.alternates)]):
            assert urls.normalise(url) == url

    return target


def main() -> None:
    """Fuzz one reader until libFuzzer ends the process."""
    name, *arguments = sys.argv[1:]
    atheris: Any = importlib.import_module("atheris")
    with atheris.instrument_imports(include=["smindex_plugins"]):
        target = {"sitemap": _sitemap, "robots": _robots, "page": _page}[name]()
    atheris.Setup([sys.argv[0], *arguments], target)
    atheris.Fuzz()


if __name__ == "__main__":
    main()
