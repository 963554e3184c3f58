"""Examples for the API document, in one line each."""

from typing import Any

from drf_spectacular.utils import OpenApiExample


def sent(name: str, value: Any) -> OpenApiExample:
    return OpenApiExample(name, value, request_only=True)


def answered(name: str, value: Any, status: int = 200) -> OpenApiExample:
    return OpenApiExample(name, value, response_only=True, status_codes=[str(status)])
