"""API clients that authenticate with a real token and speak JSON."""

from typing import Any

from accounts.models import User
from tests.callers import caller

ROOT = "/api/v1"


class Caller:
    def __init__(self, user: User | None = None) -> None:
        self.user = user
        self.client = caller(user)

    def get(self, path: str, **headers: str) -> Any:
        return self.client.get(ROOT + path, headers=headers)

    def post(self, path: str, body: Any = None, **headers: str) -> Any:
        return self.client.post(ROOT + path, {} if body is None else body, format="json", headers=headers)

    def put(self, path: str, body: Any) -> Any:
        return self.client.put(ROOT + path, body, format="json")

    def patch(self, path: str, body: Any) -> Any:
        return self.client.patch(ROOT + path, body, format="json")

    def delete(self, path: str) -> Any:
        return self.client.delete(ROOT + path)
