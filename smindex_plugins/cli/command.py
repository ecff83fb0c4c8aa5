"""The form of a command: its help with grouped options, and no empty values."""

from collections import defaultdict
from inspect import cleandoc
from typing import Any

import click


class Command(click.Command):
    """A command with grouped options."""

    def __init__(self, *args: Any, **attributes: Any) -> None:  # noqa: ANN401 - as click's
        super().__init__(*args, **attributes)
        self.help = keep_lines(self.help)

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the options, grouped under headings."""
        groups = defaultdict[str, list[tuple[str, str]]](list)
        for parameter in self.get_params(ctx):
            if not isinstance(parameter, click.Option):
                continue
            record = parameter.get_help_record(ctx)
            if record:
                title = getattr(parameter, "group", "Help")
                notes = getattr(parameter, "notes", ())
                groups[title] += [record, *notes]
        for title, records in groups.items():
            with formatter.section(title):
                formatter.write_dl(records)

    def invoke(self, ctx: click.Context) -> Any:  # noqa: ANN401 - as click's
        """Run the command, unless a value is empty, for example from a variable that is not set."""
        for parameter in self.params:
            value = ctx.params.get(parameter.name or "")
            values = value if isinstance(value, tuple) else (value,)
            if "" in values:
                message = "it is empty."
                raise click.BadParameter(message, ctx, parameter)
        return super().invoke(ctx)


def keep_lines(text: str | None) -> str:
    """Return a help text in which click does not wrap paragraphs with indented lines."""
    paragraphs = []
    for paragraph in cleandoc(text or "").split("\n\n"):
        has_indented_lines = "\n  " in f"\n{paragraph}"
        paragraphs.append(f"\b\n{paragraph}" if has_indented_lines else paragraph)
    return "\n\n".join(paragraphs)
