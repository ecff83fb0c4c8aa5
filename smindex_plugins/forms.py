"""The forms that options can have: each in words, and with the function that reads it."""

import difflib
import re
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Any


class SettingsError(Exception):
    """A configuration is wrong. ``errors`` holds every mistake in it as ``(key, message)``."""

    def __init__(self, errors: Iterable[tuple[str, str]]) -> None:
        self.errors = tuple(errors)
        super().__init__("\n".join(f"{key}: {message}" for key, message in self.errors))


@dataclass(frozen=True, slots=True)
class Form:
    """What an option accepts: in words, as a test, and with the function that makes its value or raises ValueError."""

    accepted: str
    is_right: Callable[[Any], bool]
    make: Callable[[Any], Any] = lambda value: value

    def read(self, value: object) -> Any:  # noqa: ANN401 - any field's type
        """Return the value that is given, or raise a `SettingsError` with the keys of its parts."""
        with suppress(ValueError):
            if self.is_right(value):
                return self.make(value)
        raise SettingsError([("", f"got {value!r}; accepted: {self.accepted}")])


def number(least: int, most: int) -> Form:
    """Return the form of a whole number."""
    accepted = f"a whole number from {least:,} to {most:,}"
    return Form(accepted, lambda value: type(value) is int and least <= value <= most)


def choice(*choices: str) -> Form:
    """Return the form of one of some words."""
    accepted = " or ".join(f"'{choice}'" for choice in choices)
    values = {*choices, *([False] if "off" in choices else [])}  # YAML 1.1 reads a bare `off` as false
    return Form(accepted, lambda value: isinstance(value, str | bool) and value in values, lambda value: value or "off")


def text(accepted: str, pattern: str) -> Form:
    """Return the form of a text that is all as a regular expression says."""
    return Form(accepted, lambda value: isinstance(value, str) and bool(re.fullmatch(pattern, value, re.DOTALL)))


def optional(form: Form) -> Form:
    """Return the form of a value that may be none."""
    return Form(form.accepted, lambda _: True, lambda value: None if value is None else form.read(value))


def listing(accepted: str, of: Form, least: int = 0) -> Form:
    """Return the form of a list of texts, or of one that stands alone."""

    def read(value: object) -> tuple[Any, ...]:
        return tuple(read_all((f"[{at}]", of, each) for at, each in enumerate(many(value))))

    return Form(accepted, lambda value: isinstance(value, str | list | tuple) and len(many(value)) >= least, read)


def many(value: Any) -> Any:  # noqa: ANN401 - a list, if its form is right
    """Return what is given for a list: a text stands for a list of itself."""
    return [value] if isinstance(value, str) else value


def table(accepted: str, make: Callable[..., Any], **keys: Form) -> Form:
    """Return the form of a table with certain keys, and with the function that takes their values."""

    def read(value: Mapping[str, object]) -> Any:  # noqa: ANN401 - what `make` returns
        return make(**read_options(keys, {**dict.fromkeys(keys), **value}, before="."))

    return Form(accepted, lambda value: isinstance(value, Mapping), read)


def mapping(accepted: str, key: Form, of: Form, arrange: Callable[..., Iterable[Any]] = tuple) -> Form:
    """Return the form of a table whose keys the user chooses; the default is the empty tuple."""

    def read(value: Mapping[object, object]) -> tuple[tuple[str, Any], ...]:
        parts = [(f"[{each!r}]", form, part) for each in value for form, part in ((key, each), (of, value[each]))]
        read = iter(read_all(parts))
        return tuple(arrange(zip(read, read, strict=True)))

    return Form(accepted, lambda value: isinstance(value, Mapping) or value == (), lambda value: read(value or {}))


def read_options(
    forms: Mapping[str, Form], given: Mapping[str, object], errors: Iterable[tuple[str, str]] = (), *, before: str = ""
) -> dict[str, Any]:
    """Return the values of the options that are given, or raise every mistake in them, and the others."""
    strange = [(f"{before}{key}", unknown(str(key), list(forms))) for key in given if key not in forms]
    chosen = [name for name in forms if name in given]
    values = read_all(((before + name, forms[name], given[name]) for name in chosen), [*strange, *errors])
    return dict(zip(chosen, values, strict=True))


def read_all(parts: Iterable[tuple[str, Form, object]], errors: Iterable[tuple[str, str]] = ()) -> list[Any]:
    """Return the values of parts, given with their keys and forms, or raise every mistake in them, after the others."""
    values, found = [], [*errors]
    for key, form, given in parts:
        try:
            values.append(form.read(given))
        except SettingsError as error:
            found += [(key + below, message) for below, message in error.errors]
    if found:
        raise SettingsError(found)
    return values


def unknown(key: str, known: list[str]) -> str:
    """Return the message that there is no option of a name, with the one that may be meant."""
    nearest = difflib.get_close_matches(key, known, n=1, cutoff=0.5)
    return f"no such option; did you mean '{nearest[0]}'?" if nearest else f"no such option; known: {', '.join(known)}"


SWITCH = Form("true or false", lambda value: isinstance(value, bool))
