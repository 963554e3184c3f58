"""Plain-language error messages for serializer fields, which replace those of the REST framework."""

from typing import Any

from rest_framework import serializers

MESSAGES: dict[type[serializers.Field[Any, Any, Any, Any]], dict[str, str]] = {
    serializers.Field: {"required": "This field is required.", "null": "This field can't be null."},
    serializers.BooleanField: {"invalid": "Must be true or false."},
    serializers.CharField: {
        "invalid": "Must be text.",
        "blank": "This field can't be empty.",
        "max_length": "Must be at most {max_length} characters long.",
        "min_length": "Must be at least {min_length} characters long.",
    },
    serializers.EmailField: {"invalid": "Enter an email address like ann@example.org."},
    serializers.RegexField: {"invalid": "This value is invalid."},
    serializers.UUIDField: {"invalid": "This ID is invalid."},
    serializers.IntegerField: {
        "invalid": "Must be a whole number.",
        "max_value": "Must be at most {max_value}.",
        "min_value": "Must be at least {min_value}.",
        "max_string_length": "The number is too large.",
    },
    serializers.ChoiceField: {"invalid_choice": "Must be one of: {choices}."},
    serializers.MultipleChoiceField: {
        "invalid_choice": "Each entry must be one of: {choices}.",
        "not_a_list": "Must be a list.",
        "empty": "The list can't be empty.",
    },
    serializers.DateField: {
        "invalid": "Enter a date like 2026-12-24.",
        "datetime": "Enter a date like 2026-12-24, without a time.",
    },
    serializers.TimeField: {"invalid": "Enter a time like 22:00."},
    serializers.DictField: {"not_a_dict": "Must be a JSON object.", "empty": "The object can't be empty."},
    serializers.ListField: {
        "not_a_list": "Must be a list.",
        "empty": "The list can't be empty.",
        "min_length": "The list needs at least {min_length} entries.",
        "max_length": "The list can have at most {max_length} entries.",
    },
    serializers.Serializer: {"invalid": "Must be a JSON object."},
}


class ChoiceField(serializers.ChoiceField):
    def fail(self, key: str, **values: Any) -> Any:
        super().fail(key, **values, choices=", ".join(map(str, self.choices)))


class MultipleChoiceField(ChoiceField, serializers.MultipleChoiceField):
    pass


def install() -> None:
    for field, messages in MESSAGES.items():
        field.default_error_messages = {**field.default_error_messages, **messages}
