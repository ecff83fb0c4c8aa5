"""Numbers in words."""

_UNITS = ("bytes", "KiB", "MiB", "GiB")


def percent(share: float) -> str:
    """Return a share in percent. A share above zero is never shown as zero."""
    return "< 0.1 %" if 0 < share < 0.001 else f"{100 * share:.1f} %"  # noqa: PLR2004 - as it is shown


def size(count: float) -> str:
    """Return a number of bytes."""
    unit = 0
    while count >= 1024 and unit < len(_UNITS) - 1:  # noqa: PLR2004 - the step between the units
        count, unit = count / 1024, unit + 1
    return (
        f"{count:,.0f} {_UNITS[unit]}"
        if unit == 0 or count == int(count)
        else f"{count:,.1f} {_UNITS[unit]}"
    )


def more(count: int) -> str:
    """Return the last line of a list that omits this many items, or an empty string if it is
    complete.
    """
    return f"… and {count:,} more" if count > 0 else ""
