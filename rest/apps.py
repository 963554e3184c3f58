from django.apps import AppConfig
from django.urls import register_converter

from rest.converters import IdConverter


class RestConfig(AppConfig):
    name = "rest"

    def ready(self) -> None:
        register_converter(IdConverter, "id")
