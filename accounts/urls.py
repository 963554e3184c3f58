from django.urls import path

from accounts import pages

urlpatterns = [
    path("confirm/<str:token>", pages.confirm),
    path("reset/<str:token>", pages.reset),
    path("change-address/<str:token>", pages.change_address),
]
