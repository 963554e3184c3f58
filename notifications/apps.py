from importlib import import_module

from django.apps import AppConfig


class NotificationsConfig(AppConfig):
    name = "notifications"

    def ready(self) -> None:
        """Import the modules that register listeners, tasks, hourly jobs and metrics."""
        for module in ("listeners", "exports", "archiving", "mail.sender", "webhooks.sender"):
            import_module(f"notifications.{module}")
