"""The API docs and the OpenAPI document."""

from typing import Any

from django.conf import settings
from django.urls import path
from drf_spectacular.utils import extend_schema
from drf_spectacular.views import SpectacularJSONAPIView, SpectacularSwaggerSplitView
from rest_framework.request import Request
from rest_framework.response import Response


class Docs(SpectacularSwaggerSplitView):
    """Allows inline styles, which Swagger UI needs. Scripts are as restricted as everywhere else."""

    @extend_schema(exclude=True)
    def get(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        response: Response = super().get(request, *args, **kwargs)  # type: ignore[no-untyped-call]
        policy = settings.CONTENT_SECURITY_POLICY.replace("style-src 'self'", "style-src 'self' 'unsafe-inline'")
        response.headers["Content-Security-Policy"] = policy
        return response


urlpatterns = [
    path("openapi.json", SpectacularJSONAPIView.as_view(), name="openapi"),
    path("docs", Docs.as_view(url_name="openapi"), name="docs"),
]
