"""The table of the options, as documentation shows it."""

from smindex_plugins.settings import OPTIONS


def options_table() -> str:
    """Give the table of the options."""
    lines = ["| option | default | accepts | meaning |", "|---|---|---|---|"]
    lines += [
        f"| `{option.name}` | {_shown(option.default)} | {option.accepted} | {option.meaning} |" for option in OPTIONS
    ]
    return "\n".join(lines) + "\n"


def _shown(default: object) -> str:
    if default is None:
        return "none"
    return f"`{str(default).lower() if isinstance(default, bool) else [] if default == () else default}`"
