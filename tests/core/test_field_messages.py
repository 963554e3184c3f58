"""Every field of every request rejects invalid input in plain English."""

import re
from importlib import import_module
from typing import Any

import pytest
from django.conf import settings
from rest_framework import serializers

import_module(settings.ROOT_URLCONF)

ANYTHING = type(serializers.DictField().child)
OURS = ("accounts", "clock", "core", "games", "inbound", "notifications", "web")
LONG_NUMBER, LONG_TEXT = "9" * 2000, "x" * 20_000
WRONG: list[Any] = [
    None,
    "",
    " ",
    [],
    {},
    [[]],
    {"a": {}},
    True,
    -1,
    10**30,
    LONG_NUMBER,
    LONG_TEXT,
    "nonsense",
    "\x00",
    ["x"] * 99,
]
RAW = re.compile(
    r"Ensure|[Ff]ormat|pattern|hh:mm|YYYY|uuuuuu|boolean|integer|string\b|dictionary|NoneType|\bdict\b|\bint\b|\bstr\b|"
    r"valid choice|may not be|[{}<>\[\]]|\\"
)


def subclasses(kind):
    for one in kind.__subclasses__():
        yield one
        yield from subclasses(one)


def fields_of(serializer):
    for name, field in serializer().fields.items():
        yield pytest.param(field, id=f"{serializer.__module__}.{serializer.__name__}.{name}")
        child = getattr(field, "child", None)
        if child and not isinstance(child, ANYTHING):
            yield pytest.param(child, id=f"{serializer.__module__}.{serializer.__name__}.{name}[]")


REQUESTS = [one for one in subclasses(serializers.Serializer) if one.__module__.startswith(OURS)]
FIELDS = [field for request in REQUESTS for field in fields_of(request)]


def messages(detail):
    if isinstance(detail, dict):
        return [message for inner in detail.values() for message in messages(inner)]
    if isinstance(detail, list):
        return [message for inner in detail for message in messages(inner)]
    return [str(detail)]


def complaints(field, value):
    try:
        field.run_validation(value)
    except serializers.ValidationError as error:
        return messages(error.detail)
    return []


def test_the_test_finds_requests_to_check():
    assert len(REQUESTS) > 20
    assert len(FIELDS) > 60


@pytest.mark.parametrize("field", FIELDS)
def test_no_field_message_is_technical(field):
    said = [message for value in WRONG for message in complaints(field, value)]
    assert said
    for message in said:
        shown = message.replace(LONG_NUMBER, "…").replace(LONG_TEXT, "…")
        assert not RAW.search(shown), shown
        assert shown[0].isupper() or shown[0] == "'", shown
        assert shown.endswith((".", "?")), shown


@pytest.mark.parametrize("request_body", REQUESTS)
def test_a_request_that_is_not_an_object_is_refused_in_plain_words(request_body):
    assert complaints(request_body(), [1]) == ["Must be a JSON object."]


@pytest.mark.parametrize(
    ("field", "value", "message"),
    [
        (serializers.TimeField(), "9pm", "Enter a time like 22:00."),
        (serializers.DateField(), "tomorrow", "Enter a date like 2026-12-24."),
        (serializers.IntegerField(max_value=20), 21, "Must be at most 20."),
        (serializers.CharField(max_length=5), "too long", "Must be at most 5 characters long."),
        (serializers.BooleanField(), "maybe", "Must be true or false."),
    ],
)
def test_messages_say_what_to_enter(field, value, message):
    assert complaints(field, value) == [message]
