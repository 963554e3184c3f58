from importlib import import_module

from django.apps import AppConfig


class ClockConfig(AppConfig):
    name = "clock"

    def ready(self) -> None:
        """Import the modules that register listeners, tasks, hourly jobs and metrics."""
        for module in ("deadlines", "stand_ins", "listeners", "sweep"):
            import_module(f"clock.{module}")
