from importlib import import_module

from django.apps import AppConfig
from django.urls import register_converter

from core.url_converters import IdConverter


class CoreConfig(AppConfig):
    name = "core"

    def ready(self) -> None:
        register_converter(IdConverter, "id")
        import_module("core.checks")
