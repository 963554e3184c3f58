from importlib import import_module

from django.apps import AppConfig


class AccountsConfig(AppConfig):
    name = "accounts"

    def ready(self) -> None:
        """Import the modules that register listeners, tasks, hourly jobs and metrics."""
        for module in ("registration", "tokens"):
            import_module(f"accounts.{module}")
