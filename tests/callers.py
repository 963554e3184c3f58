"""API clients that log in with a real token and go through the whole stack."""

from datetime import timedelta

from rest_framework.test import APIClient

from accounts.models import Token, User


def caller(user: User | None = None, name: str = "test") -> APIClient:
    client = APIClient()
    if user is not None:
        secret = Token.objects.create(user, timedelta(days=3650), name=name)[1]
        client.credentials(HTTP_AUTHORIZATION=f"Bearer {secret}")
    return client


def token_of(client: APIClient) -> str:
    return str(vars(client)["_credentials"]["HTTP_AUTHORIZATION"]).removeprefix("Bearer ")
