"""Every regular expression of the package: of whatever there is more, the time grows as its length does."""

import ast
import importlib
import importlib.util
import itertools
import pkgutil
import re
import time
from collections.abc import Iterator
from functools import lru_cache, partial
from pathlib import Path
from typing import Any

import pytest

import smindex_plugins
from tests.support.growth import is_linear

BOUNDED = {
    "_CHARSET": "it looks at the first 4,096 bytes",
    "_USER": "it gets words that end with the sign for which it looks",
}
"""Expressions that are not linear by themselves, and why what they read is."""

ANYWHERE = {"search", "sub", "subn", "split", "findall", "finditer"}
HEADS = ("", "a", "1", "<", "<meta ", "---\n", "{% ", '; rel="', "//", "a:", "http://", "1;")
PIECES = (
    *"a1 ,;:/.&<>\"'=-%#@([{}]|\n\t\0_*?!\\",
    *("//a:b", "a.", ".a", "a-", "/a", "1.", "12", "%4", "::", "a: ", " a", "a=", "= ", "='", '="', "\\'", "- "),
    *("<a ", "<a b='", "<!--", "-->", "<meta ", "<script>", "</", "<?xml ", "<url>", "<url><loc>a</loc>", "encoding="),
    *("charset=", "canonical ", "; rel=", "url(", " on", "href = ", "location.", "url =", "404/", "page/", ".html"),
    *("P1D", "T1H", "mon", "after :", "&nbsp;", "&#1", "#[", "(a", "(a)", "environ", "getenv('a'", "sitemap", ".xml"),
    *("{%", "%}", "8<"),
)
SUSPICIOUS = 0.001
"""Seconds for a short text; one that is read in linear time takes a twentieth."""


def sources() -> Iterator[tuple[str, str]]:
    for module in pkgutil.walk_packages(smindex_plugins.__path__, "smindex_plugins."):
        if not module.ispkg and ".hosts." not in module.name and is_importable(module.name):
            path = Path(str(importlib.import_module(module.name).__file__))
            yield module.name, path.read_text(encoding="utf-8")


def is_importable(module: str) -> bool:
    """Whether what a module is built on is installed here. Spark is not; its modules have no expression."""
    spec = importlib.util.find_spec(module)
    text = Path(str(spec and spec.origin)).read_text(encoding="utf-8")
    needs_spark = "from pyspark" in text or "import spark_" in text or "import on_spark" in text
    assert not (needs_spark and re.search(r"^import re$", text, re.MULTILINE)), f"{module}: try its expressions too"
    return not needs_spark


def expressions() -> Iterator[Any]:
    """Yield each expression that has a name, or is written where it is used, with the method that is used of it."""
    package = dict(sources())
    for module, text in package.items():
        for name, value in vars(importlib.import_module(module)).items():
            if isinstance(value, re.Pattern) and re.search(rf"^{name} =", text, re.MULTILINE):
                used = {way for each in package.values() for way in re.findall(rf"\b{name}\.(\w+)", each)}
                ways = {"findall" if way in ANYWHERE else way for way in used & {"match", "fullmatch", *ANYWHERE}}
                yield from (pytest.param(value, way, id=f"{module}-{name}-{way}") for way in ways or {"match"})
        for call in ast.walk(ast.parse(text)):
            match call:
                case ast.Call(
                    func=ast.Attribute(ast.Name("re"), way), args=[ast.Constant(str() | bytes() as pattern), *_]
                ) if way != "compile":
                    way = "findall" if way in ANYWHERE else way
                    yield pytest.param(re.compile(pattern), way, id=f"{module}-{call.lineno}-{way}")


@lru_cache(maxsize=4_096)
def grown(head: str, piece: str, length: int) -> str:
    return f"{head}{piece * (length // len(piece))}\v"


@pytest.mark.parametrize(("expression", "way"), list(expressions()))
def test_an_expression_takes_time_that_grows_as_its_text_does(
    expression: re.Pattern[Any], way: str, request: pytest.FixtureRequest
) -> None:
    if any(f"-{name}-" in request.node.name for name in BOUNDED):
        return

    def run(text: str) -> None:
        getattr(expression, way)(text.encode() if isinstance(expression.pattern, bytes) else text)

    for head, piece in itertools.product(HEADS, PIECES):
        text_of = partial(grown, head, piece)
        started = time.process_time()
        run(text_of(4_096))
        if time.process_time() - started > SUSPICIOUS:
            assert not is_linear(run, text_of), (head, piece)
