"""The table of what `smindex check` finds, as documentation shows it."""

from smindex_plugins.checks import CHECKED


def checks_table() -> str:
    """Give the table of the checks."""
    lines = ["| check | level | what must be so | in Search Console |", "|---|---|---|---|"]
    for kind in CHECKED.values():
        level = f"{kind.level}, with `--advice`" if kind.is_advice else kind.level
        meaning, console = (text.replace("<", "`<").replace(">", ">`") for text in (kind.meaning, kind.console))
        lines.append(f"| `{kind.name}` | {level} | {meaning} | {console} |")
    return "\n".join(lines) + "\n"
