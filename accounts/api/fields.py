"""Serializer fields for accounts."""

from typing import Any

from rest_framework import serializers

from accounts.passwords import LONGEST_PASSWORD
from accounts.validators import (
    LONGEST_ADDRESS,
    validate_address_length,
    validate_domain,
    validate_is_no_bot_label,
    validate_language,
    validate_name,
    validate_printable,
    validate_time_zone,
    validate_username,
)


def username(**options: Any) -> serializers.CharField:
    return serializers.CharField(
        max_length=30, validators=[validate_username], help_text="3 to 30 letters (a-z), digits, _ or -.", **options
    )


def email(**options: Any) -> serializers.EmailField:
    """Reject quoted control characters before the @. They are technically valid, but only attackers use them."""
    return serializers.EmailField(
        max_length=LONGEST_ADDRESS,
        validators=[validate_printable, validate_address_length, validate_domain],
        **options,
    )


def password(**options: Any) -> serializers.CharField:
    return serializers.CharField(
        max_length=LONGEST_PASSWORD, trim_whitespace=False, write_only=True, style={"input_type": "password"}, **options
    )


def display_name(**options: Any) -> serializers.CharField:
    validators = [validate_name, validate_is_no_bot_label]
    return serializers.CharField(max_length=60, allow_blank=True, validators=validators, **options)


def time_zone(**options: Any) -> serializers.CharField:
    return serializers.CharField(
        max_length=64, validators=[validate_time_zone], help_text="For example Europe/Berlin.", **options
    )


def language(**options: Any) -> serializers.CharField:
    return serializers.CharField(max_length=16, validators=[validate_language], **options)


def signed(**options: Any) -> serializers.CharField:
    return serializers.CharField(max_length=1000, help_text="The last part of the link in the email.", **options)
