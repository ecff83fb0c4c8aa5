"""The part of JSON Schema that the schemas of this repository use; what they do not use is refused."""

import json
import re
from collections.abc import Callable, Iterator
from typing import Any

_TYPES: dict[str, tuple[type, ...]] = {
    "boolean": (bool,),
    "object": (dict,),
    "array": (list,),
    "string": (str,),
    "integer": (int,),
    "number": (int, float),
    "null": (type(None),),
}
_SIZES: dict[str, tuple[type, Callable[[Any, Any], bool]]] = {
    "minimum": (int, lambda value, least: value >= least),
    "maximum": (int, lambda value, most: value <= most),
    "minItems": (list, lambda value, least: len(value) >= least),
    "maxItems": (list, lambda value, most: len(value) <= most),
    "minLength": (str, lambda value, least: len(value) >= least),
    "maxLength": (str, lambda value, most: len(value) <= most),
    "pattern": (str, lambda value, pattern: re.search(pattern, value) is not None),
    "required": (dict, lambda value, names: set(names) <= set(value)),
}
_SAY_NOTHING = {
    *(
        "$schema",
        "$id",
        "$defs",
        "definitions",
        "title",
        "description",
        "markdownDescription",
        "default",
        "patternErrorMessage",
    ),
    *("properties", "additionalProperties", "propertyNames", "items"),
}


def mistakes(value: Any, schema: Any, root: dict[str, Any] | None = None, at: str = "") -> list[str]:  # noqa: ANN401 - what JSON holds
    """Give what in a value is not as a schema says, each with its place."""
    if schema is False:
        return [f"{at}: unknown"]
    root = schema if root is None else root
    found = []
    for keyword, wanted in schema.items():
        if keyword == "$ref":
            _, kind, name = wanted.split("/")
            found += mistakes(value, root[kind][name], root, at)
        elif keyword == "anyOf":
            tried = [mistakes(value, each, root, at) for each in wanted]
            found += [] if [] in tried else tried[0]
        else:
            found += [f"{at}: {problem}" for problem in _assert(value, keyword, wanted)]
            for name, part, form in _parts(value, keyword, schema):
                found += mistakes(part, form, root, f"{at}/{name}")
    return found


def _parts(value: Any, keyword: str, schema: dict[str, Any]) -> Iterator[tuple[object, Any, Any]]:  # noqa: ANN401 - what JSON holds
    """Give what a keyword looks at inside a value: its name, itself, and its schema."""
    wanted = schema[keyword]
    if isinstance(value, dict):
        if keyword == "properties":
            yield from ((name, value[name], wanted[name]) for name in wanted.keys() & value.keys())
        elif keyword == "additionalProperties":
            yield from ((name, value[name], wanted) for name in value.keys() - schema.get("properties", {}).keys())
        elif keyword == "propertyNames":
            yield from ((name, name, wanted) for name in value)
    elif isinstance(value, list) and keyword == "items":
        forms = wanted if isinstance(wanted, list) else [wanted] * len(value)
        yield from ((number, *pair) for number, pair in enumerate(zip(value, forms, strict=False)))


def _assert(value: Any, keyword: str, wanted: Any) -> Iterator[str]:  # noqa: ANN401 - what JSON holds
    """Judge a value by a keyword that looks at nothing inside it; of a value of another type it says nothing."""
    if keyword in _SIZES:
        type_, is_right = _SIZES[keyword]
        is_wrong = isinstance(value, type_) and not is_right(value, wanted)
    elif keyword == "type":
        types = [wanted] if isinstance(wanted, str) else wanted
        is_wrong = not any(isinstance(value, _TYPES[each]) for each in types) or (
            isinstance(value, bool) and "boolean" not in types
        )
    elif keyword in {"const", "enum"}:
        is_wrong = json.dumps(value) not in map(json.dumps, wanted if keyword == "enum" else [wanted])
    else:
        is_wrong = keyword not in _SAY_NOTHING
    if is_wrong:
        yield f"{value!r} is not of {keyword} {wanted!r}"
