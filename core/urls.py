from django.urls import path
from drf_spectacular.views import SpectacularJSONAPIView

from core.openapi import Docs

urlpatterns = [
    path("openapi.json", SpectacularJSONAPIView.as_view(), name="openapi"),
    path("docs", Docs.as_view(url_name="openapi"), name="docs"),
]
