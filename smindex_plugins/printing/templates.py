"""The templates of reports, and their filters."""

import base64
import hashlib
import re
from collections.abc import Iterable
from functools import cache

from jinja2 import Environment, PackageLoader, StrictUndefined, pass_eval_context, select_autoescape
from jinja2.nodes import EvalContext
from markupsafe import Markup, escape

from smindex_plugins.base.limits import MAX_LINE
from smindex_plugins.base.text import counted, printable
from smindex_plugins.printing.words import decoded, more, percent, size


def render(package: str, template: str, **data: object) -> str:
    """Return a template of one of our packages with its data."""
    return _environment(package).get_template(template).render(data)


@cache
def _environment(package: str) -> Environment:
    environment = Environment(
        loader=PackageLoader(f"smindex_plugins.{package}"),
        autoescape=select_autoescape(["html.j2"]),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        finalize=_printable,
    )
    environment.filters |= {
        "code": _code,
        "counted": counted,
        "decoded": decoded,
        "fitting": _fitting,
        "percent": percent,
        "size": size,
    }
    environment.filters |= {"digest": _digest, "with_code": _with_code}
    environment.filters["number"] = "{:,}".format
    environment.tests["http"] = _is_http
    environment.globals["more"] = more
    return environment


@pass_eval_context
def _printable(context: EvalContext, value: object) -> object:
    """Return the value of an HTML expression as text that is safe to show.

    In Markdown, `code` does this.
    """
    if context.autoescape and isinstance(value, str) and not isinstance(value, Markup):
        return printable(value, MAX_LINE)
    return value


def _code(text: object, most: int = 2_500) -> str:
    """Return a text as Markdown code, in which nothing is special except `|` in tables."""
    shown = printable(str(text), most)
    return f"`{shown.replace('`', chr(39))}`"


def _with_code(text: str) -> Markup:
    """Return a text as HTML, with the text between backticks as code."""
    escaped = str(escape(printable(text, MAX_LINE)))
    return Markup(re.sub("`([^`]+)`", r"<code>\1</code>", escaped))  # noqa: S704 - it is escaped


def _digest(text: str) -> str:
    """Return the digest with which a content security policy allows a style or script."""
    digest = hashlib.sha256(text.encode()).digest()
    return f"sha256-{base64.b64encode(digest).decode()}"


def _fitting(lines: Iterable[str], room: int) -> list[str]:
    """Return the first lines that fit in a list of this many characters.

    GitHub allows 65,536 in a comment.
    """
    kept = []
    for line in lines:
        room -= len(f"- {line}\n")
        if room < 0:
            break
        kept.append(line)
    return kept


def _is_http(url: str) -> bool:
    return url.startswith(("https://", "http://")) and url.isprintable()
