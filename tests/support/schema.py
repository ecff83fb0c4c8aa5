"""JSON schemas: what they forbid, and those by which editors know the options, made of what the
options accept.
"""

from collections.abc import Iterable, Mapping
from typing import Any

from jsonschema import validators

from smindex_plugins.base.settings import OPTIONS, Option
from smindex_plugins.projects.find import OWN

_DIALECT = "http://json-schema.org/draft-07/schema#"
"""The newest that the language servers of YAML and of TOML both know."""


_VARIABLE = {
    "type": "array",
    "items": [{"type": "string", "pattern": "^[A-Z_][A-Z0-9_]*$"}],
    "minItems": 2,
}
"""What editors see of `!ENV [NAME, default]`."""
_SHOWN = ("description", "markdownDescription", "default")


def mkdocs_schema() -> dict[str, Any]:
    """Give the schema of a mkdocs.yml, of which it judges the plugin alone."""
    table = _table(OPTIONS)
    table["properties"] = {
        name: _or_variable(schema) for name, schema in table["properties"].items()
    }
    options = {"$ref": "#/definitions/options"}
    entry = {"properties": dict.fromkeys(("sitemap-index", "sitemap_index"), options)}
    return {
        "$schema": _DIALECT,
        "title": "The plugin sitemap-index in mkdocs.yml",
        "type": "object",
        "properties": {"plugins": {"items": {"$ref": "#/definitions/plugin"}, **entry}},
        "definitions": {
            "plugin": {"description": "One entry of `plugins`.", **entry},
            "options": table,
        },
    }


def pyproject_schema() -> dict[str, Any]:
    """Give the schema of a pyproject.toml, of which it judges the table [tool.smindex] alone."""
    tool = {"type": "object", "properties": {"smindex": {"$ref": "#/definitions/smindex"}}}
    return {
        "$schema": _DIALECT,
        "title": "The table [tool.smindex] in pyproject.toml",
        "type": "object",
        "properties": {"tool": tool},
        "definitions": {"smindex": _table([*OWN, *OPTIONS])},
    }


def _table(options: Iterable[Option]) -> dict[str, Any]:
    """Give the schema of a table of options, each of which may be left empty."""
    properties = {}
    for option in options:
        described = _described(option)  # first, and in place of the description of what it accepts
        properties[option.name] = described | _nullable(_explained(option.schema)) | described
    return {"type": ["object", "null"], "properties": properties, "additionalProperties": False}


def _described(option: Option) -> dict[str, Any]:
    default = {} if option.default in (None, ()) else {"default": option.default}
    text = f"{option.meaning}\n\nAccepts {option.accepted}."
    # editors read one or the other
    return {"description": text, "markdownDescription": text, **default}


def _explained(schema: Mapping[str, Any]) -> dict[str, Any]:
    """Add, at every pattern, what an editor shows in place of the regular expression."""
    parts = {
        key: _explained(part) if isinstance(part, Mapping) else part for key, part in schema.items()
    }
    return (
        {**parts, "patternErrorMessage": f"Accepted: {schema['description']}"}
        if "pattern" in schema
        else parts
    )


def _nullable(schema: dict[str, Any]) -> dict[str, Any]:
    if "enum" in schema:
        return {**schema, "enum": [*schema["enum"], None]}
    types = schema["type"]
    return {**schema, "type": [*([types] if isinstance(types, str) else types), "null"]}


def _or_variable(schema: dict[str, Any]) -> dict[str, Any]:
    """Give the schema of an option of MkDocs, which an editor takes for a list if it is `!ENV
    [NAME, default]`.
    """
    if "array" in schema.get("type", ()):
        return schema
    shown = {key: value for key, value in schema.items() if key in _SHOWN}
    accepted = {key: value for key, value in schema.items() if key not in _SHOWN}
    return {**shown, "anyOf": [accepted, _VARIABLE]}


def mistakes(value: Any, schema: dict[str, Any]) -> list[str]:  # noqa: ANN401 - what JSON holds
    """Return what in a value a schema forbids, each with its place."""
    validator = validators.validator_for(schema)
    validator.check_schema(schema)
    return [f"{error.json_path}: {error.message}" for error in validator(schema).iter_errors(value)]
