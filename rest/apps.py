from importlib import import_module

from django.apps import AppConfig
from django.urls import register_converter

from rest.converters import IdConverter


class RestConfig(AppConfig):
    name = "rest"

    def ready(self) -> None:
        register_converter(IdConverter, "id")
        import_module("rest.checks")
