"""The API document: every call about matches has examples, and they are what they say."""

from copy import deepcopy

import pytest
from jsonschema import Draft202012Validator

from tests.games.api.document import document

OURS = ("/games", "/matches", "/invitations", "/me/webhooks")


def nullable_as_in_json_schema(value):
    """OpenAPI 3.0 says `nullable: true` where JSON Schema lists null among the types."""
    if isinstance(value, list):
        return [nullable_as_in_json_schema(one) for one in value]
    if not isinstance(value, dict):
        return value
    plain = {name: nullable_as_in_json_schema(one) for name, one in value.items() if name != "nullable"}
    return {"anyOf": [plain, {"type": "null"}]} if value.get("nullable") is True else plain


def bodies():
    """Every JSON body of our operations that the document describes, with a name for it."""
    for path, operations in document()["paths"].items():
        if not path.startswith(tuple(f"/api/v1{part}" for part in OURS)):
            continue
        for method, operation in operations.items():
            described = {"request": operation.get("requestBody", {})} | operation["responses"]
            for name, body in described.items():
                content = body.get("content", {}).get("application/json")
                if content:
                    yield f"{method} {path} {name}", content


def has_fields(content):
    schema = content["schema"]
    named = document()["components"]["schemas"].get(schema.get("$ref", "").rpartition("/")[2], schema)
    return (named.get("properties") != {} and "properties" in named) or "items" in named or "anyOf" in named


BODIES = dict(bodies())


def test_there_are_bodies():
    assert len(BODIES) > 30


@pytest.mark.parametrize("name", BODIES)
def test_a_body_with_fields_has_an_example(name):
    assert not has_fields(BODIES[name]) or BODIES[name]["examples"]


@pytest.mark.parametrize("name", [name for name, content in BODIES.items() if "examples" in content])
def test_an_example_fits_its_shape(name):
    whole = nullable_as_in_json_schema({"components": deepcopy(document()["components"])})
    schema = whole | nullable_as_in_json_schema(BODIES[name]["schema"])
    for example in BODIES[name]["examples"].values():
        assert [error.message for error in Draft202012Validator(schema).iter_errors(example["value"])] == []


def test_every_operation_says_in_a_sentence_what_it_does():
    for path, operations in document()["paths"].items():
        for method, operation in operations.items():
            assert operation.get("description") or operation.get("summary"), f"{method} {path}"
