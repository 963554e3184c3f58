"""Check the output of --json against its documented shape."""

from functools import cache
from typing import Any

from jsonschema import Draft202012Validator

from cli.json_shapes import OUTPUT, Problem, json_schema


@cache
def validator(command: str) -> Draft202012Validator:
    return Draft202012Validator(json_schema(Problem if command == "problem" else OUTPUT[command]))


def check(command: str, document: Any) -> None:
    validator(command.replace("_", " ")).validate(document)
