"""Options that several commands share, and how their values are read."""

from collections.abc import Callable, Collection
from contextlib import suppress
from functools import reduce
from inspect import cleandoc
from typing import Any

import click
from click.core import ParameterSource

from smindex_plugins import addresses
from smindex_plugins.limits import ANSWER_SECONDS, RUN_SECONDS
from smindex_plugins.projects import WrongOptionsError
from smindex_plugins.reports import LEVELS, report_form
from smindex_plugins.settings import OPTIONS, Settings, SettingsError
from smindex_plugins.settings import Option as SiteOption
from smindex_plugins.yaml_values import load_yaml

Function = Callable[..., Any]
Decorator = Callable[[Function], Function]

INPUT, NETWORK, OUTPUT = "Input", "Network", "Output"
"""The headings of the help."""
_SUFFIXES = {"html": ".html", "markdown": ".md", "json": ".json"}


class Option(click.Option):
    """An option, with its heading in the help."""

    def __init__(self, *names: Any, group: str, **attributes: Any) -> None:  # noqa: ANN401 - as click's
        super().__init__(*names, **attributes)
        self.group = group


class Command(click.Command):
    """A command with grouped options."""

    def __init__(self, *args: Any, **attributes: Any) -> None:  # noqa: ANN401 - as click's
        super().__init__(*args, **attributes)
        self.help = keep_lines(self.help)

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the options below their headings."""
        groups: dict[str, list[tuple[str, str]]] = {}
        site_options: list[SiteOption] = []
        for parameter in self.get_params(ctx):
            record = isinstance(parameter, click.Option) and parameter.get_help_record(ctx)
            if record:
                groups.setdefault(getattr(parameter, "group", "Help"), []).append(record)
            if isinstance(parameter, SetOption):
                site_options = [each for each in OPTIONS if each.name in parameter.accepted]
        if site_options:
            groups["Names for --set, with their defaults"] = [
                (
                    f"{each.name}={'' if each.default in (None, ()) else str(each.default).lower()}",
                    each.meaning.replace("`", ""),
                )
                for each in site_options
            ]
        for title, records in groups.items():
            with formatter.section(title):
                formatter.write_dl(records)

    def invoke(self, ctx: click.Context) -> Any:  # noqa: ANN401 - as click's
        """Run the command, unless a value is empty, which is usually that of a variable that is not set."""
        for parameter in self.params:
            value = ctx.params.get(parameter.name or "")
            if "" in (value if isinstance(value, tuple) else (value,)):
                message = "it is empty."
                raise click.BadParameter(message, ctx, parameter)
        return super().invoke(ctx)


def keep_lines(text: str | None) -> str:
    """Return the text of a help in which click does not wrap the paragraphs with indented lines."""
    paragraphs = cleandoc(text or "").split("\n\n")
    return "\n\n".join(f"\b\n{each}" if "\n  " in f"\n{each}" else each for each in paragraphs)


def option(*names: str, group: str, **attributes: Any) -> Decorator:  # noqa: ANN401 - as click's
    """Add an option."""
    return click.option(*names, cls=Option, group=group, **attributes)


def together(*decorators: Decorator) -> Decorator:
    """Add several options in their order."""
    return lambda function: reduce(lambda added, decorator: decorator(added), reversed(decorators), function)


def read_by(read: Callable[[str], object]) -> Function:
    """Return a callback that reads a value. What is wrong with it is said in the words of the reader."""

    def callback(_: click.Context, __: click.Parameter, given: str | tuple[str, ...] | None) -> object:
        try:
            return tuple(map(read, given)) if isinstance(given, tuple) else given if given is None else read(given)
        except (SettingsError, ValueError) as error:
            raise click.BadParameter(str(error)) from error

    return callback


def refuse(names: Collection[str], where: str) -> None:
    """Refuse options that have no effect.

    Raises:
        WrongOptionsError: some of them were given.
    """
    context = click.get_current_context()
    problems = [
        f"{parameter.opts[-1]} has no effect {where}. Leave it out."
        for parameter in context.command.params
        if parameter.name in names and context.get_parameter_source(parameter.name) is ParameterSource.COMMANDLINE
    ]
    if problems:
        raise WrongOptionsError(problems)


# --- What to look at ---

SITE_URL = option(
    "--site-url",
    group=INPUT,
    metavar="URL",
    callback=read_by(addresses.site_url),
    help="The URL that serves the directory (default: from the configuration or the sitemaps).",
)
PLACE = together(
    SITE_URL,
    option("--index-filename", group=INPUT, metavar="NAME", help="File name of the index (default: a usual name)."),
)


def _origin_and_robots(given: str) -> tuple[str, str]:
    name, _, robots = given.partition("=")
    origin = addresses.read_origin(name)
    return origin, robots or f"{origin}/robots.txt"


CROSS_SITE = option(
    "--cross-site",
    group=INPUT,
    metavar="ORIGIN[=ROBOTS]",
    multiple=True,
    callback=read_by(_origin_and_robots),
    help="Allow URLs of another site. Its robots.txt must have a Sitemap: line for our index. ROBOTS is the path or "
    "URL of that robots.txt (default: ORIGIN/robots.txt). Repeatable.",
)
SECONDS = click.FloatRange(0, 86_400, min_open=True)
WAITING = together(
    option(
        "--timeout",
        group=NETWORK,
        metavar="SECONDS",
        type=SECONDS,
        default=ANSWER_SECONDS,
        show_default=True,
        help="Timeout for each request.",
    ),
    option(
        "--deadline",
        group=NETWORK,
        metavar="SECONDS",
        type=SECONDS,
        default=RUN_SECONDS,
        show_default=True,
        help="Timeout for all requests together. The summary says what was left out.",
    ),
)

# --- How to print ---

VERBOSE = option(
    "-v", "--verbose", group=OUTPUT, is_flag=True, help="Print everything, not only the first of each kind."
)
QUIET = option("-q", "--quiet", group=OUTPUT, is_flag=True, help="Print nothing but errors.")
FAIL_ON = option(
    "--fail-on",
    group=OUTPUT,
    type=click.Choice(LEVELS),
    default="error",
    show_default=True,
    help="Exit with 1 if there is a finding of this level or a worse one.",
)
MANNER = together(
    option("--dry-run", group=OUTPUT, is_flag=True, help="Show what would change, but write nothing."),
    FAIL_ON,
    VERBOSE,
    QUIET,
)


def form_option(*accepted: str) -> Decorator:
    """Add the option --format for what is printed."""
    return option(
        *("--format", "form"),
        group=OUTPUT,
        type=click.Choice(accepted),
        default="text",
        show_default=True,
        help="Format of what is printed.",
    )


def files_option(*accepted: str) -> Decorator:
    """Add the option -o for files in several formats."""
    suffixes = [_SUFFIXES[each] for each in accepted if each in _SUFFIXES]

    def read(name: str) -> tuple[str, str]:
        found = report_form(name)
        if found not in accepted:
            message = f"{name} ends in none of {', '.join(suffixes)}"
            raise ValueError(message)
        return name, found or ""

    return option(
        *("-o", "--output"),
        group=OUTPUT,
        metavar="FILE",
        multiple=True,
        callback=read_by(read),
        help=f"Write a file. Its suffix is the format: {', '.join(suffixes)}. Repeatable.",
    )


# --- The options of a site ---


class SetOption(Option):
    """The option --set, with the names that it accepts."""

    def __init__(self, *names: Any, accepted: Collection[str], **attributes: Any) -> None:  # noqa: ANN401 - as click's
        super().__init__(*names, callback=self._read, **attributes)
        self.accepted = accepted

    def _read(self, _: click.Context, __: click.Parameter, given: tuple[str, ...]) -> dict[str, object]:
        values: dict[str, object] = {}
        errors: list[tuple[str, str]] = []
        for each in given:
            name, _sign, text = each.partition("=")
            if not text:
                errors.append((each, "write NAME=VALUE, such as section_depth=2."))
            elif name in values:
                errors.append((name, "it is given twice. Write a list: --set 'exclude=[drafts/, tags/]'."))
            else:
                values[name] = text
                with suppress(ValueError):  # a pattern such as **/*.pdf is not YAML
                    values[name] = load_yaml(text)
        try:
            Settings.load(values)
        except SettingsError as error:
            errors += error.errors
        else:
            errors += [(name, "it has no effect here. Leave it out.") for name in values if name not in self.accepted]
        if errors:
            raise WrongOptionsError(f"--set {name}: {problem}" for name, problem in errors)
        return values


def set_option(*accepted: str) -> Decorator:
    """Add the option --set."""
    return click.option(
        *("--set", "settings"),
        cls=SetOption,
        accepted=accepted,
        group=INPUT,
        metavar="NAME=VALUE",
        multiple=True,
        help="Set an option of the site. The value is YAML: --set section_depth=2 --set 'exclude=[drafts/, tags/]'. "
        "Repeatable.",
    )
