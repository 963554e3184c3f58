from importlib import import_module

from django.apps import AppConfig
from django.urls import register_converter


class RowId:
    """A number that the database can hold; an address with any other one does not exist."""

    regex = r"[0-9]{1,18}"

    def to_python(self, value: str) -> int:
        return int(value)

    def to_url(self, value: int) -> str:
        return str(value)


class CoreConfig(AppConfig):
    name = "core"

    def ready(self) -> None:
        register_converter(RowId, "id")
        for module in ("checks", "housekeeping", "metrics_page", "old_database"):
            import_module(f"core.{module}")
