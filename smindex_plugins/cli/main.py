"""The entry point of `smindex`, with its subcommands, help and exit codes."""

import sys
from collections.abc import Sequence
from importlib import import_module
from itertools import chain
from typing import Any

import click

from smindex_plugins import __version__
from smindex_plugins.base.text import ExplainedError, WrongOptionsError, did_you_mean
from smindex_plugins.cli.command import Command, keep_lines
from smindex_plugins.cli.output import complain, prepare

_CANNOT_RUN = 2
_CONTEXT = {"help_option_names": ["-h", "--help"], "max_content_width": 100, "show_default": True}
_COMMANDS = {
    "Write sitemaps": {
        "build": "Write the sitemaps and the index of a built site.",
        "join": "Write one index in ROOT that lists the sitemaps of all builds below it.",
        "pages": "Write the sitemaps and the index of a site from a table of its pages.",
    },
    "Inspect sitemaps": {
        "check": "Find problems in the sitemaps of a built site or a live site.",
        "report": "Show what the sitemaps contain: sections, dates, sizes, and omitted pages.",
        "explain": (
            "Explain a check, or why a page is listed or omitted and where its date comes from."
        ),
        "diff": "Compare the sitemaps of two versions of a site, page by page.",
    },
    "Notify search engines": {
        "announce": "Notify search engines of added, changed and removed pages with IndexNow.",
        "console": "Submit an index to Google Search Console, or show its status.",
    },
    "Help": {"help": "Show help for smindex or a command."},
}
"""The commands under each heading, with the first sentence of their help: to list them, none is
imported."""


class Commands(click.Group):
    """A command group that imports a command only when it is used."""

    def __init__(self, *args: Any, **attributes: Any) -> None:  # noqa: ANN401 - as click's
        super().__init__(*args, **attributes)
        self.help = keep_lines(self.help)

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - as click's
        """Return the names of the commands."""
        return list(chain.from_iterable(_COMMANDS.values()))

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Return a command. The error for an unknown name suggests the most similar one."""
        names = self.list_commands(ctx)
        found: click.Command | None = super().get_command(ctx, cmd_name)
        if not found and cmd_name in names:
            found = getattr(import_module(f"smindex_plugins.cli.{cmd_name}"), cmd_name)
        if not found and not ctx.resilient_parsing:
            nearest = did_you_mean(cmd_name, names)
            message = f"No such command '{cmd_name}'."
            if nearest:
                message += f" Did you mean '{nearest}'?"
            ctx.fail(message)
        return found

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002 - as click's
        """Write the commands, grouped under headings."""
        for title, meanings in _COMMANDS.items():
            with formatter.section(title):
                formatter.write_dl(list(meanings.items()))


@click.group(
    cls=Commands,
    invoke_without_command=True,
    subcommand_metavar="[COMMAND] [ARGS]...",
    context_settings=_CONTEXT,
)
@click.version_option(__version__, message="smindex %(version)s")
@click.pass_context
def smindex(context: click.Context) -> int:
    """Write, show and check the sitemaps of a static site.

    Get started:
      smindex build                        write the sitemaps of the built site
      smindex report                       show what they contain
      smindex check                        find problems in them
      smindex check https://example.org/   find problems in a live site
      smindex build --help                 show help for a command

    Exit codes:
      0    success
      1    problems were found
      2    the command could not run
      130  the command was interrupted (Ctrl+C, SIGINT)
      143  the command was terminated (SIGTERM)
    """
    context.call_on_close(sys.stdout.flush)  # click exits silently if the reader closes the pipe
    if not context.invoked_subcommand:
        click.echo(context.get_help())
    return _CANNOT_RUN  # a script that lost its arguments must fail


@smindex.command("help", cls=Command)
@click.argument("names", metavar="[COMMAND]", nargs=-1)
def show_help(names: tuple[str, ...]) -> int:
    """Show help for smindex or a command."""
    return main([*names, "--help"])


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command and return its exit code."""
    prepare()
    try:
        code: int = smindex.main(arguments, "smindex", standalone_mode=False)
    except click.Abort:
        raise KeyboardInterrupt from None
    except click.ClickException as error:
        complain(error.format_message())
        if isinstance(error, click.UsageError) and error.ctx:
            complain(f"see `{error.ctx.command_path} --help`.")
    except WrongOptionsError as error:
        for problem in error.problems:
            complain(problem)
    except (ExplainedError, ValueError) as error:
        complain(f"{error}.")
    except OSError as error:
        complain(f"{error.filename or 'the output'}: {error.strerror or error}.")
    else:
        return code
    return _CANNOT_RUN
