"""Callers of the API as it is called from outside: a real token, JSON both ways."""

from typing import Any

from knox.models import AuthToken
from knox.settings import knox_settings
from rest_framework.test import APIClient

from accounts.models import User

ROOT = "/api/v1"


class Caller:
    def __init__(self, user: User | None = None) -> None:
        self.user = user
        self.client = APIClient()
        if user:
            _, token = AuthToken.objects.create(user, expiry=None)
            self.client.credentials(HTTP_AUTHORIZATION=f"{knox_settings.AUTH_HEADER_PREFIX} {token}")

    def get(self, path: str, **headers: str) -> Any:
        return self.client.get(ROOT + path, headers=headers)

    def post(self, path: str, body: Any = None, **headers: str) -> Any:
        return self.client.post(ROOT + path, {} if body is None else body, format="json", headers=headers)

    def put(self, path: str, body: Any) -> Any:
        return self.client.put(ROOT + path, body, format="json")

    def delete(self, path: str) -> Any:
        return self.client.delete(ROOT + path)


def callers(*users: User) -> list[Caller]:
    return [Caller(user) for user in users]
