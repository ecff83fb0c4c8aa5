"""The forms that options can have: each in words, and with the function that reads a value."""

import difflib
import re
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from smindex_plugins.text import brief, masked, printable, quoted


class SettingsError(Exception):
    """A configuration is wrong. ``errors`` holds every mistake in it as ``(key, message)``."""

    def __init__(self, errors: Iterable[tuple[str, str]]) -> None:
        self.errors = tuple((masked(printable(key)), masked(printable(message))) for key, message in errors)
        super().__init__("\n".join(f"{key}: {message}" for key, message in self.errors))


@dataclass(frozen=True, slots=True)
class Form:
    """What an option accepts: in words, as a test, and as the function that makes the value or raises ValueError."""

    accepted: str
    is_right: Callable[[Any], bool]
    make: Callable[[Any], Any] = lambda value: value
    schema: Mapping[str, Any] = field(default_factory=dict, compare=False)
    """The same as a JSON schema, as far as possible. Editors use it to show a mistake while somebody types."""

    def read(self, value: object) -> Any:  # noqa: ANN401 - any field's type
        """Return the value, or raise a `SettingsError` with the keys of its wrong parts."""
        with suppress(ValueError):
            if self.is_right(value):
                return self.make(value)
        raise SettingsError([("", f"got {brief(value)}; accepted: {self.accepted}")])


def number(least: int, most: int) -> Form:
    """Return the form of a whole number."""
    return Form(
        f"a whole number from {least:,} to {most:,}",
        lambda value: type(value) is int and least <= value <= most,
        schema={"type": "integer", "minimum": least, "maximum": most},
    )


def choice(*choices: str) -> Form:
    """Return the form of a choice between words."""
    accepted = " or ".join(f"'{choice}'" for choice in choices)
    values = [*choices, *([False] if "off" in choices else [])]  # YAML 1.1 reads a bare `off` as false
    return Form(
        accepted,
        lambda value: isinstance(value, str | bool) and value in values,
        lambda value: value or "off",
        {"enum": values},
    )


def text(accepted: str, pattern: str) -> Form:
    """Return the form of a text that a regular expression matches as a whole."""
    return Form(
        accepted,
        lambda value: isinstance(value, str) and bool(re.fullmatch(pattern, value, re.DOTALL)),
        schema={
            "type": "string",
            "pattern": f"^(?:{pattern})$".replace(r"\Z", "$"),
            "patternErrorMessage": f"Accepted: {accepted}",
        },
    )


def optional(form: Form) -> Form:
    """Return the form of a value that may be none."""
    return Form(form.accepted, lambda _: True, lambda value: None if value is None else form.read(value), form.schema)


def listing(accepted: str, of: Form, least: int = 0) -> Form:
    """Return the form of a list of texts. One text alone is a list too."""

    def read(value: object) -> tuple[Any, ...]:
        return tuple(read_all((f"[{at}]", of, each) for at, each in enumerate(many(value))))

    return Form(
        accepted,
        lambda value: isinstance(value, str | list | tuple) and len(many(value)) >= least,
        read,
        {**of.schema, "type": ["string", "array"], "items": of.schema, "minItems": least},
    )


def many(value: Any) -> Any:  # noqa: ANN401 - a list, if its form is right
    """Return a value as a list. A text becomes a list of one."""
    return [value] if isinstance(value, str) else value


def table(accepted: str, make: Callable[..., Any], **keys: Form) -> Form:
    """Return the form of a table with fixed keys. A function makes the value from theirs."""

    def read(value: Mapping[str, object]) -> Any:  # noqa: ANN401 - what `make` returns
        return make(**read_options(keys, {**dict.fromkeys(keys), **value}, before="."))

    schema = {
        "type": "object",
        "properties": {name: {"description": form.accepted, **form.schema} for name, form in keys.items()},
        "required": [*keys],
        "additionalProperties": False,
    }
    return Form(accepted, lambda value: isinstance(value, Mapping), read, schema)


def mapping(accepted: str, key: Form, of: Form, arrange: Callable[..., Iterable[Any]] = tuple) -> Form:
    """Return the form of a table with keys of the user's choice. The default is the empty tuple."""

    def read(value: Mapping[object, object]) -> tuple[tuple[str, Any], ...]:
        parts = [(f"[{brief(each)}]", form, part) for each in value for form, part in ((key, each), (of, value[each]))]
        read = iter(read_all(parts))
        return tuple(arrange(zip(read, read, strict=True)))

    return Form(
        accepted,
        lambda value: isinstance(value, Mapping) or value == (),
        lambda value: read(value or {}),
        {"type": "object", "propertyNames": key.schema, "additionalProperties": of.schema},
    )


def read_options(
    forms: Mapping[str, Form], given: Mapping[str, object], errors: Iterable[tuple[str, str]] = (), *, before: str = ""
) -> dict[str, Any]:
    """Return the values of the given options, or raise all mistakes in them, together with earlier ones."""
    names = [quoted(key) if isinstance(key, str) else brief(key) for key in given if key not in forms]
    strange = [(before + name, unknown(name, list(forms))) for name in names]
    chosen = [name for name in forms if name in given]
    values = read_all(((before + name, forms[name], given[name]) for name in chosen), [*strange, *errors])
    return dict(zip(chosen, values, strict=True))


def read_all(parts: Iterable[tuple[str, Form, object]], errors: Iterable[tuple[str, str]] = ()) -> list[Any]:
    """Return the values of parts with keys and forms, or raise all mistakes in them, after earlier ones."""
    values, found = [], [*errors]
    for key, form, given in parts:
        try:
            values.append(form.read(given))
        except SettingsError as error:
            found += [(key + below, message) for below, message in error.errors]
    if found:
        raise SettingsError(found)
    return values


_SAME = {**dict.fromkeys(("ignore", "ignored", "skip", "omit", "blacklist"), "exclude"), "url": "site_url"}
"""Names that other tools use, and what they are called here."""


def unknown(key: str, known: list[str]) -> str:
    """Return the message about an unknown option, with the name that may be meant."""
    same = _SAME.get(key.lower())
    nearest = [same] if same in known else difflib.get_close_matches(key, known, n=1, cutoff=0.5)
    return f"no such option; did you mean '{nearest[0]}'?" if nearest else f"no such option; known: {', '.join(known)}"


SWITCH = Form("true or false", lambda value: isinstance(value, bool), schema={"type": "boolean"})
