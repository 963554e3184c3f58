from typing import Any

from rest_framework import serializers

from games.engine.text import listing


class StrictSerializer(serializers.Serializer[Any]):
    """Refuses fields that it does not know: a misspelt one would otherwise be lost without a word."""

    def to_internal_value(self, data: Any) -> Any:
        if isinstance(data, dict):
            known = [name for name, field in self.fields.items() if not field.read_only]
            if unknown := [str(name) for name in data if name not in known]:
                said = f"There is no such field here. {f'Known: {listing(known)}.' if known else 'It takes none.'}"
                raise serializers.ValidationError({name: [said] for name in unknown})
        return super().to_internal_value(data)


class SentenceSerializer(serializers.Serializer[Any]):
    """An answer that is only a sentence."""

    message = serializers.CharField()
