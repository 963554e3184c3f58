"""What a request handler starts from: parse, call, answer."""

from typing import Any

from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.serializers import Serializer
from rest_framework.views import APIView


class PublicView(APIView):
    """For anybody. A token is not even looked at, so an old one does no harm."""

    authentication_classes = ()
    permission_classes = (AllowAny,)


def read(serializer: type[Serializer[Any]], request: Request) -> dict[str, Any]:
    """The body as this serializer understands it, or a refusal that names the fields."""
    parsed = serializer(data=request.data)
    parsed.is_valid(raise_exception=True)
    return dict(parsed.validated_data)
