"""The API docs and the OpenAPI document."""

from functools import cache
from threading import Lock
from typing import Any

from django.conf import settings
from django.http import HttpResponse
from django.urls import path
from drf_spectacular.generators import SchemaGenerator
from drf_spectacular.renderers import OpenApiJsonRenderer
from drf_spectacular.utils import extend_schema
from drf_spectacular.views import SpectacularJSONAPIView, SpectacularSwaggerSplitView
from rest_framework.request import Request
from rest_framework.response import Response


class Document(SpectacularJSONAPIView):
    """Serves the OpenAPI document. Each process builds it once, at the first request."""

    @extend_schema(exclude=True)
    def get(self, request: Request, *args: Any, **kwargs: Any) -> HttpResponse:
        with BUILDING:
            document = built_document()
        headers = {"Content-Disposition": 'inline; filename="Turnpost.json"'}
        return HttpResponse(document, content_type=request.accepted_renderer.media_type, headers=headers)


BUILDING = Lock()
"""A lock for the generator, which two threads can't use at the same time."""


@cache
def built_document() -> bytes:
    schema = SchemaGenerator().get_schema(public=True)  # type: ignore[no-untyped-call]
    return bytes(OpenApiJsonRenderer().render(schema, renderer_context={}))


class Docs(SpectacularSwaggerSplitView):
    """Serves Swagger UI and allows the inline styles it needs. Scripts are as restricted as on every other page."""

    @extend_schema(exclude=True)
    def get(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        response: Response = super().get(request, *args, **kwargs)  # type: ignore[no-untyped-call]
        policy = settings.CONTENT_SECURITY_POLICY.replace("style-src 'self'", "style-src 'self' 'unsafe-inline'")
        response.headers["Content-Security-Policy"] = policy
        return response


urlpatterns = [
    path("openapi.json", Document.as_view(), name="openapi"),
    path("docs", Docs.as_view(url_name="openapi"), name="docs"),
]
