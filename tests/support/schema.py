"""Validates values against the JSON schemas of this repository."""

from typing import Any

from jsonschema import validators


def mistakes(value: Any, schema: dict[str, Any]) -> list[str]:  # noqa: ANN401 - what JSON holds
    """Return what in a value a schema forbids, each with its place."""
    validator = validators.validator_for(schema)
    validator.check_schema(schema)
    return [f"{error.json_path}: {error.message}" for error in validator(schema).iter_errors(value)]
