from importlib import import_module

from django.apps import AppConfig


class InboundConfig(AppConfig):
    name = "inbound"

    def ready(self) -> None:
        """These register themselves: listeners, tasks, chores and figures."""
        for module in ("answers", "handling", "imap"):
            import_module(f"inbound.{module}")
