"""In the OpenAPI document, every operation has a summary, and every body has examples that match its schema."""

import pytest
from drf_spectacular.utils import OpenApiExample
from jsonschema import Draft202012Validator

from core.openapi import Shapes, add_component, as_part_of
from core.shapes import Acknowledgement, Page, Shape
from tests.games.api.document import document


def operations():
    for path, methods in document()["paths"].items():
        for method, operation in methods.items():
            yield f"{method} {path}", operation


def bodies():
    """Yield every JSON body in the document with a name for the test."""
    for name, operation in operations():
        described = {"request": operation.get("requestBody", {})} | operation["responses"]
        for part, body in described.items():
            if content := body.get("content", {}).get("application/json"):
                yield f"{name} {part}", content


def has_fields(content):
    schema = content["schema"]
    named = document()["components"]["schemas"].get(schema.get("$ref", "").rpartition("/")[2], schema)
    return (named.get("properties") != {} and "properties" in named) or "items" in named or "anyOf" in named


OPERATIONS = dict(operations())
BODIES = dict(bodies())


def test_the_document_has_operations_and_bodies():
    assert len(OPERATIONS) > 60
    assert len(BODIES) > 70


@pytest.mark.parametrize("name", OPERATIONS)
def test_an_operation_has_a_short_summary(name):
    summary = OPERATIONS[name].get("summary", "")
    assert 3 <= len(summary) <= 60
    assert summary[0].isupper()
    assert not summary.endswith(".")


@pytest.mark.parametrize("name", BODIES)
def test_a_body_with_fields_has_an_example(name):
    assert not has_fields(BODIES[name]) or BODIES[name]["examples"]


@pytest.mark.parametrize("name", [name for name, content in BODIES.items() if "examples" in content])
def test_every_example_matches_its_schema(name):
    schema = {"components": document()["components"]} | BODIES[name]["schema"]
    for example in BODIES[name]["examples"].values():
        assert [error.message for error in Draft202012Validator(schema).iter_errors(example["value"])] == []


def test_the_example_of_an_error_matches_its_schema():
    for response in document()["components"]["responses"].values():
        content = response["content"]["application/json"]
        schema = {"components": document()["components"]} | content["schema"]
        Draft202012Validator(schema).validate(content["example"])


def test_every_reference_resolves():
    def references(value):
        if isinstance(value, dict):
            for name, inner in value.items():
                yield from [inner] if name == "$ref" else references(inner)
        elif isinstance(value, list):
            for inner in value:
                yield from references(inner)

    components = {f"#/components/{kind}/{name}" for kind, all_of in document()["components"].items() for name in all_of}
    assert set(references(document())) <= components


class Card(Shape, frozen=True):
    """A card
    of the deck."""

    colour: str


def test_a_struct_becomes_a_component_with_its_docstring():
    shapes = Shapes()
    assert shapes.schema(Card) == {"$ref": "#/components/schemas/Card"}
    assert shapes.components["Card"]["description"] == "A card\nof the deck."
    assert shapes.components["Card"]["required"] == ["colour"]


def test_the_schemas_of_lists_and_pages_and_alternatives_refer_to_the_schemas_of_structs():
    shapes, card = Shapes(), {"$ref": "#/components/schemas/Card"}
    assert shapes.schema(list[Card]) == {"type": "array", "items": card}
    shapes.schema(Page[Card])
    assert shapes.components["Page_Card_"]["properties"]["results"]["items"] == card
    assert shapes.schema(Card | Acknowledgement) == {"anyOf": [card, {"$ref": "#/components/schemas/Acknowledgement"}]}


def test_two_components_cannot_share_a_name():
    components = {"Card": {"type": "object"}}
    add_component(components, "Card", {"type": "object"})
    with pytest.raises(ValueError, match="two different components named Card"):
        add_component(components, "Card", {"type": "string"})


def test_the_example_of_an_entry_is_also_shown_inside_a_list_or_page():
    example = OpenApiExample("Green", {"colour": "G"})
    assert as_part_of(Card, example).value == {"colour": "G"}
    assert as_part_of(list[Card], example).value == [{"colour": "G"}]
    assert as_part_of(Page[Card], example).value["results"] == [{"colour": "G"}]
    assert example.value == {"colour": "G"}
