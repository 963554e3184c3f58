from importlib import import_module

from django.apps import AppConfig


class AccountsConfig(AppConfig):
    name = "accounts"

    def ready(self) -> None:
        """These register themselves: listeners, tasks, chores and figures."""
        for module in ("registration", "tokens"):
            import_module(f"accounts.{module}")
