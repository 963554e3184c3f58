"""Every call of the API document, with addresses and bodies made of the document itself: a new endpoint is attacked
like the others without anybody thinking of it."""

import json
from collections.abc import Iterator, Mapping
from itertools import product
from typing import Any

from tests.api.clients import ROOT, Caller
from tests.api.document import document

Names = Mapping[str, list[Any]]

CALLS = [(method, path.removeprefix(ROOT)) for path, operations in document()["paths"].items() for method in operations]


def operation(method: str, path: str) -> dict[str, Any]:
    found: dict[str, Any] = document()["paths"][ROOT + path][method]
    return found


def takes_a_body(method: str, path: str) -> bool:
    return "requestBody" in operation(method, path)


def bodies(method: str, path: str) -> list[Any]:
    """The examples of the document, or an empty body."""
    content = operation(method, path).get("requestBody", {}).get("content", {}).get("application/json", {})
    return [example["value"] for example in content.get("examples", {}).values()] or [{}]


def parameters(method: str, path: str, place: str) -> list[str]:
    return [one["name"] for one in operation(method, path).get("parameters", []) if one["in"] == place]


def addresses(method: str, path: str, names: Names) -> Iterator[str]:
    """The address with everything that its parameters can name."""
    asked = parameters(method, path, "path")
    for values in product(*(names[name] for name in asked)):
        filled = path
        for name, value in zip(asked, values, strict=True):
            filled = filled.replace(f"{{{name}}}", str(value))
        yield filled


def queries(method: str, path: str) -> list[str]:
    """One for each value of what is chosen from a list, or none."""
    asked = [one for one in operation(method, path).get("parameters", []) if one["in"] == "query"]
    return [f"?{one['name']}={value}" for one in asked for value in one["schema"].get("enum", [])] or [""]


def send(caller: Caller, method: str, address: str, body: Any) -> Any:
    """The body as JSON, or as it is if it is made of bytes."""
    content = body if isinstance(body, bytes) else json.dumps(body).encode()
    return caller.client.generic(
        method.upper(), ROOT + address, b"" if method in ("get", "delete") else content, "application/json"
    )
