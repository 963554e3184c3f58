from importlib import import_module

from django.apps import AppConfig


class ClockConfig(AppConfig):
    name = "clock"

    def ready(self) -> None:
        """These register themselves: listeners, tasks, chores and figures."""
        for module in ("deadlines", "stand_ins", "listeners", "sweep"):
            import_module(f"clock.{module}")
