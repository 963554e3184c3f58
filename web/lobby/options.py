"""Turn the options of a game into form fields, based on their types."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

from games.engine import text
from games.engine.registry import AnyEngine

PREFIX = "option-"


@dataclass(frozen=True)
class Choice:
    value: str
    label: str
    is_default: bool


@dataclass(frozen=True)
class OptionField:
    """A form field for an option, which is either a list of choices or a number."""

    option: str
    about: str
    choices: tuple[Choice, ...] = ()
    minimum: int | None = None
    maximum: int | None = None
    default: str = ""

    @property
    def name(self) -> str:
        return PREFIX + self.option

    @property
    def label(self) -> str:
        return self.option.replace("_", " ").capitalize()

    def in_words(self, value: Any) -> str:
        """Describe a value, for example as "modern (2 to 5 players)"."""
        written = str(value).lower() if isinstance(value, bool) else str(value)
        label = next((choice.label for choice in self.choices if choice.value == written), written)
        name, _, meaning = label.partition(": ")
        return f"{name} ({meaning})" if meaning else name


def fields_of(engine: AnyEngine) -> list[OptionField]:
    return [field_of(name, schema) for name, schema in text.schemas(engine.options).items()]


def field_of(name: str, schema: Mapping[str, Any]) -> OptionField:
    about, default = schema.get("description", ""), schema.get("default")
    values = schema["anyOf"][0] if "anyOf" in schema else schema
    if values.get("type") == "boolean":
        choices = (Choice("true", _("Yes"), default is True), Choice("false", _("No"), default is False))
        return OptionField(name, about, choices)
    if "enum" in values:
        return OptionField(name, about, tuple(choices_of(schema, values["enum"])))
    written = "" if default is None else str(default)
    return OptionField(name, about, (), values.get("minimum"), values.get("maximum"), written)


def choices_of(schema: Mapping[str, Any], values: list[str]) -> Iterator[Choice]:
    """List the choices, with the default first."""
    meanings, default = schema.get("meanings", {}), schema.get("default")
    for value in sorted(values, key=lambda value: value != default):
        label = f"{value}: {meanings[value]}" if value in meanings else str(value)
        yield Choice(str(value), label, value == default)


def options_in(form: Mapping[str, str], engine: AnyEngine) -> dict[str, Any]:
    """Return the chosen options, which the engine then checks. If a number is left empty, the default applies."""
    return {field.option: value_of(field, form[field.name]) for field in fields_of(engine) if form.get(field.name)}


def value_of(field: OptionField, written: str) -> Any:
    if {choice.value for choice in field.choices} == {"true", "false"}:
        return {"true": True, "false": False}.get(written, written)
    is_number = not field.choices and written.isascii() and written.isdigit()
    return int(written) if is_number else written
