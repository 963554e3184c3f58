from importlib import import_module

from django.apps import AppConfig


class StreamConfig(AppConfig):
    name = "stream"

    def ready(self) -> None:
        """Import the modules that register listeners and hourly jobs."""
        for module in ("listeners", "store"):
            import_module(f"stream.{module}")
