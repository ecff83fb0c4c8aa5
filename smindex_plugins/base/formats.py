"""The output formats of commands, and the format that the name of a file implies."""

import os
from typing import Literal

Form = Literal["text", "json", "markdown"]
FORMS: tuple[Form, ...] = ("text", "json", "markdown")
ReportForm = Literal["text", "json", "markdown", "html"]
REPORT_FORMS: tuple[ReportForm, ...] = ("text", "json", "markdown", "html")
_SUFFIXES: dict[str, ReportForm] = {
    ".html": "html",
    ".htm": "html",
    ".md": "markdown",
    ".json": "json",
}


def report_form(name: str) -> ReportForm | None:
    """Return the output format that a file name implies."""
    return _SUFFIXES.get(os.path.splitext(name)[1].lower())
