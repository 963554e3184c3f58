"""Generate values from the API schema: a valid value, and copies of it in which one part is replaced with HOLE."""

from collections.abc import Iterator
from typing import Any

from tests.games.api.document import document

Schema = dict[str, Any]

HOLE = "\N{WHITE CIRCLE}"
TEXTS = {
    "date": "2030-01-01",
    "email": "ann@example.org",
    "time": "12:00",
    "uuid": "0b9a1c52-6f0e-4b8e-9d5f-0d5c7a1e2f34",
}
AN_HOUR = 3600


def forms(schema: Schema) -> list[Schema]:
    """Return the alternatives of a schema, with references resolved."""
    if "$ref" in schema:
        return forms(document()["components"]["schemas"][schema["$ref"].rpartition("/")[2]])
    either = schema.get("oneOf") or schema.get("anyOf") or schema.get("allOf")
    return [form for one in either for form in forms(one)] if either else [schema]


def filled(schema: Schema) -> Any:
    """Return a minimal valid value.

    Alternatives without a pattern are preferred, because values for patterns cannot be generated.
    """
    form = min(forms(schema), key=lambda one: "pattern" in one)
    if "default" in form or "enum" in form:
        return form.get("default", form.get("enum", [None])[0])
    match form.get("type"):
        case "object":
            return {name: filled(form["properties"][name]) for name in form.get("required", [])}
        case "array":
            return [filled(form["items"])]
        case "integer":
            return form.get("minimum", AN_HOUR)
        case "boolean":
            return True
        case "string" if "pattern" not in form:
            return TEXTS.get(form.get("format", ""), "anything")
    raise ValueError(f"The document needs an example of {schema}.")


def with_holes(schema: Schema, value: Any = None) -> Iterator[Any]:
    """Yield HOLE itself, and then the value with one part replaced with HOLE, for each part at any depth."""
    yield HOLE
    for form in forms(schema):
        if form.get("type") == "object":
            yield from objects_with_holes(form, value if isinstance(value, dict) else filled(form))
        elif form.get("type") == "array":
            yield from ([part] for part in with_holes(form["items"]))


def objects_with_holes(form: Schema, whole: dict[str, Any]) -> Iterator[dict[str, Any]]:
    named = form.get("properties", {})
    free: dict[str, Schema] = (
        {name: {} for name in [*whole, "anything"]} if form.get("additionalProperties", False) is not False else {}
    )
    for name, inner in {**free, **named}.items():
        yield from ({**whole, name: part} for part in with_holes(inner, whole.get(name)))
