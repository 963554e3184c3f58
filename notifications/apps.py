from importlib import import_module

from django.apps import AppConfig


class NotificationsConfig(AppConfig):
    name = "notifications"

    def ready(self) -> None:
        """These register themselves: listeners, tasks, chores and figures."""
        for module in ("listeners", "exports", "mail.sender", "webhooks.sender"):
            import_module(f"notifications.{module}")
