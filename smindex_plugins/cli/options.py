"""Options that several commands share, and the parsing of their values."""

from collections.abc import Callable, Collection, Iterable, Sequence
from contextlib import suppress
from typing import Any

import click
from click.core import ParameterSource
from click.shell_completion import CompletionItem

from smindex_plugins.base import addresses
from smindex_plugins.base.files import local_path
from smindex_plugins.base.formats import report_form
from smindex_plugins.base.limits import ANSWER_SECONDS, RUN_SECONDS
from smindex_plugins.base.model import LEVELS
from smindex_plugins.base.outputs import refuse_foreign
from smindex_plugins.base.settings import OPTIONS, Settings, SettingsError
from smindex_plugins.base.text import WrongOptionsError
from smindex_plugins.base.yaml_values import load_yaml
from smindex_plugins.cli.output import say

Function = Callable[..., Any]
Decorator = Callable[[Function], Function]

INPUT, NETWORK, OUTPUT = "Input", "Network", "Output"
"""Headings in the help."""


class HeadedOption(click.Option):
    """An option with its heading in the help and the notes below it."""

    def __init__(
        self,
        *names: Any,  # noqa: ANN401 - as click's
        group: str,
        notes: Sequence[tuple[str, str]] = (),
        **attributes: Any,  # noqa: ANN401 - as click's
    ) -> None:
        super().__init__(*names, **attributes)
        self.group = group
        self.notes = notes

    def get_help_extra(self, ctx: click.Context) -> click.types.OptionHelpExtra:
        """Return the default without a trailing `.0`. The range appears only in error messages."""
        extra = super().get_help_extra(ctx)
        extra.pop("range", None)
        if "default" in extra:
            extra["default"] = extra["default"].removesuffix(".0")
        return extra


def option(group: str, *names: str, **attributes: Any) -> Decorator:  # noqa: ANN401 - as click's
    """Add an option."""
    return click.option(*names, cls=HeadedOption, group=group, **attributes)


def flag(group: str, *names: str, help: str) -> Decorator:  # noqa: A002 - as click's
    """Add an option without a value."""
    return option(group, *names, is_flag=True, help=help)


def printing(group: str, name: str, lines: Callable[[], Iterable[str]], meaning: str) -> Decorator:
    """Add an option that prints some lines and exits."""

    def callback(context: click.Context, _: click.Parameter, is_given: bool) -> None:  # noqa: FBT001 - as click calls it
        if is_given and not context.resilient_parsing:
            for line in lines():
                say(line)
            context.exit()

    return option(
        group,
        name,
        is_flag=True,
        is_eager=True,
        expose_value=False,
        callback=callback,
        help=meaning,
    )


def together(*decorators: Decorator) -> Decorator:
    """Add several options in this order."""

    def add(function: Function) -> Function:
        for decorator in reversed(decorators):
            function = decorator(function)
        return function

    return add


def read_by(read: Callable[[str], object]) -> Function:
    """Return a callback that parses a value. Errors of the parser become errors of the option."""

    def callback(
        _: click.Context, __: click.Parameter, given: str | tuple[str, ...] | None
    ) -> object:
        if given is None:
            return None
        try:
            if isinstance(given, tuple):
                return tuple(map(read, given))
            return read(given)
        except (SettingsError, ValueError) as error:
            raise click.BadParameter(str(error)) from error

    return callback


def starting_with(names: Iterable[str]) -> Callable[..., list[str]]:
    """Return a function that completes names in a shell."""

    def complete(_: click.Context, __: click.Parameter, begin: str) -> list[str]:
        return [name for name in names if name.startswith(begin)]

    return complete


def complete_files(_: click.Context, __: click.Parameter, begin: str) -> list[CompletionItem]:
    """Complete files and directories in a shell. For text, click completes nothing by itself."""
    return [CompletionItem(begin, type="file")]


def read_place(given: str) -> str:
    """Return a directory on this machine, or the URL of a directory in object storage.

    Raises:
        ValueError: it is neither.
    """
    if given.lower().startswith("memory:"):
        message = f"{given} ends with the command. Pass a directory"
        raise ValueError(message)
    return local_path(given)


def refuse(names: Collection[str], where: str) -> None:
    """Refuse options that have no effect.

    Raises:
        WrongOptionsError: one of them was given.
    """
    context = click.get_current_context()
    problems = []
    for parameter in context.command.params:
        if parameter.name not in names:
            continue
        source = context.get_parameter_source(parameter.name)
        if source is ParameterSource.COMMANDLINE:
            problems.append(f"{parameter.opts[-1]} has no effect {where}. Remove it.")
    if problems:
        raise WrongOptionsError(problems)


# --- Input ---

SITE_URL = option(
    INPUT,
    "--site-url",
    metavar="URL",
    callback=read_by(addresses.site_url),
    help="URL that serves the directory (default: from the configuration or the sitemaps).",
)
PLACE = together(
    SITE_URL,
    option(
        INPUT,
        "--index-filename",
        metavar="NAME",
        help="File name of the index (default: a common name).",
    ),
)


def _origin_and_robots(given: str) -> tuple[str, str]:
    name, _, robots = given.partition("=")
    origin = addresses.read_origin(name)
    return origin, robots or f"{origin}/robots.txt"


CROSS_SITE = option(
    INPUT,
    "--cross-site",
    metavar="ORIGIN[=ROBOTS]",
    multiple=True,
    callback=read_by(_origin_and_robots),
    help=(
        "Allow URLs of another site. Its robots.txt must have a Sitemap: line for this index."
        " ROBOTS is the path or URL of that robots.txt (default: ORIGIN/robots.txt). Repeatable."
    ),
)


def seconds(name: str, default: float, meaning: str) -> Decorator:
    """Add an option for a time of at most one day."""
    day = click.FloatRange(0, 86_400, min_open=default > 0)
    return option(NETWORK, name, metavar="SECONDS", type=day, default=default, help=meaning)


WAITING = together(
    seconds("--timeout", ANSWER_SECONDS, "Timeout for each request."),
    seconds(
        "--deadline",
        RUN_SECONDS,
        "Timeout for all requests together. The summary lists what was skipped.",
    ),
)

# --- Output ---

VERBOSE = flag(
    OUTPUT, "-v", "--verbose", help="Print all results, not only the first of each kind."
)
QUIET = flag(OUTPUT, "-q", "--quiet", help="Print only errors.")
FAIL_ON = option(
    OUTPUT,
    "--fail-on",
    type=click.Choice(LEVELS),
    default="error",
    help="Exit with code 1 if there is a finding at this level or above.",
)
DRY_RUN = flag(OUTPUT, "--dry-run", help="Show what would change, without writing any files.")
MANNER = together(DRY_RUN, FAIL_ON, VERBOSE, QUIET)


def form_option(*accepted: str) -> Decorator:
    """Add the option --format for standard output."""
    formats = click.Choice(accepted)
    return option(OUTPUT, "--format", "form", type=formats, default="text", help="Output format.")


def files_option(*accepted: str) -> Decorator:
    """Add the option -o for files in several formats."""
    known = (".html", ".md", ".json")
    suffixes = [suffix for suffix in known if report_form(f"name{suffix}") in accepted]
    listed = ", ".join(suffixes)

    def read(name: str) -> tuple[str, str]:
        found = report_form(name)
        if found not in accepted:
            message = f"{name} does not end in {' or '.join(suffixes)}"
            raise ValueError(message)
        refuse_foreign(name)
        return name, found or ""

    return option(
        OUTPUT,
        *("-o", "--output"),
        metavar="FILE",
        multiple=True,
        callback=read_by(read),
        help=f"Write the output to a file. Its suffix sets the format: {listed}. Repeatable.",
    )


# --- Site options ---


def set_option(*accepted: str) -> Decorator:
    """Add the option --set for these site options."""

    def read(_: click.Context, __: click.Parameter, given: tuple[str, ...]) -> dict[str, object]:
        values: dict[str, object] = {}
        errors: list[tuple[str, str]] = []
        for each in given:
            name, _sign, text = each.partition("=")
            if not text:
                errors.append((each, "write NAME=VALUE, such as section_depth=2."))
            elif name in values:
                errors.append(
                    (name, "it is set twice. Write a list: --set 'exclude=[drafts/, tags/]'.")
                )
            else:
                values[name] = text
                with suppress(ValueError):  # a pattern such as **/*.pdf is not YAML
                    values[name] = load_yaml(text)
        try:
            Settings.load(values)
        except SettingsError as error:
            errors += error.errors
        else:
            errors += [
                (name, "it has no effect here. Remove it.")
                for name in values
                if name not in accepted
            ]
        if errors:
            raise WrongOptionsError(f"--set {name}: {problem}" for name, problem in errors)
        return values

    notes = []
    for each in OPTIONS:
        if each.name in accepted:
            default = "" if each.default in (None, ()) else str(each.default).lower()
            meaning = each.meaning.replace("`", "")
            notes.append((f"{each.name}={default}", meaning))
    return option(
        "Site options",
        *("--set", "settings"),
        metavar="NAME=VALUE",
        multiple=True,
        callback=read,
        shell_complete=starting_with([f"{name}=" for name in accepted]),
        help=(
            "Set a site option to a YAML value: --set section_depth=2 --set 'exclude=[drafts/,"
            " tags/]'. Repeatable. The options and their defaults are:"
        ),
        notes=notes,
    )
