from importlib import import_module

from django.apps import AppConfig
from django.urls import register_converter

from core import field_messages


class RowId:
    """Matches IDs that fit into the database. URLs with larger numbers get a 404."""

    regex = r"[0-9]{1,18}"

    def to_python(self, value: str) -> int:
        return int(value)

    def to_url(self, value: int) -> str:
        return str(value)


class CoreConfig(AppConfig):
    name = "core"

    def ready(self) -> None:
        register_converter(RowId, "id")
        field_messages.install()
        for module in ("checks", "housekeeping", "metrics_page", "old_database"):
            import_module(f"core.{module}")
