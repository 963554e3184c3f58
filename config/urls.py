from django.contrib import admin
from django.urls import include, path

from metrics.page import metrics
from rest.health import healthz, readyz

urlpatterns = [
    path("api/v1/", include("games.api.urls")),
    path("healthz", healthz),
    path("readyz", readyz),
    path("metrics", metrics),
    path("admin/", admin.site.urls),
    path("", include("accounts.urls")),
    path("", include("games.urls")),
    path("api/v1/", include("rest.urls")),
    path("api/v1/", include("accounts.api.urls")),
]
handler400 = "rest.pages.bad_request"
handler403 = "rest.pages.permission_denied"
handler404 = "rest.pages.not_found"
handler500 = "rest.pages.server_error"
