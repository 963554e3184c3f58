from django.contrib import admin
from django.urls import include, path

from core.health import healthz, readyz
from core.metrics_page import metrics
from core.signatures import key_document

urlpatterns = [
    path("api/v1/", include("games.api.urls")),
    path("api/v1/", include("clock.api.urls")),
    path("api/v1/", include("notifications.api.urls")),
    path("api/v1/", include("stream.api.urls")),
    path("api/v1/", include("accounts.api.urls")),
    path("api/v1/", include("core.urls")),
    path("healthz", healthz),
    path("readyz", readyz),
    path("metrics", metrics),
    path(".well-known/turnpost-key.json", key_document),
    path("admin/", admin.site.urls),
    path("", include("web.urls")),
    path("", include("inbound.providers")),
]
handler400 = "core.error_pages.bad_request"
handler403 = "core.error_pages.permission_denied"
handler404 = "core.error_pages.not_found"
handler500 = "core.error_pages.server_error"
