from importlib import import_module

from django.apps import AppConfig


class AccountsConfig(AppConfig):
    name = "accounts"

    def ready(self) -> None:
        """Import modules that register listeners, tasks, hourly jobs or metrics."""
        for module in ("registration", "tokens"):
            import_module(f"accounts.{module}")
