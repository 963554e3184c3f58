from importlib import import_module

from django.apps import AppConfig


class InboundConfig(AppConfig):
    name = "inbound"

    def ready(self) -> None:
        """Import the modules that register letters, tasks, chores and metrics."""
        for module in ("answers", "handling", "imap"):
            import_module(f"inbound.{module}")
