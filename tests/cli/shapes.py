"""The documented shapes of --json, as schemas."""

import json
from functools import cache
from importlib.resources import files
from typing import Any

from jsonschema import Draft202012Validator
from referencing import Registry, Resource


@cache
def registry() -> Registry[Any]:
    schemas = [json.loads(path.read_text()) for path in files("cli").joinpath("schemas").iterdir()]
    return Registry().with_resources((schema["$id"], Resource.from_contents(schema)) for schema in schemas)


def check(shape: str, document: Any) -> None:
    schema = registry().contents(f"{shape}.json")
    Draft202012Validator(schema, registry=registry()).validate(document)
