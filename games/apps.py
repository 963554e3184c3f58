from importlib import import_module

from django.apps import AppConfig


class GamesConfig(AppConfig):
    name = "games"

    def ready(self) -> None:
        """Import the modules that register listeners, tasks, hourly jobs and metrics."""
        for module in (
            "api.problems",
            "selectors.exports",
            "services.archiving",
            "services.departures",
            "services.orders",
            "services.bot_moves",
            "services.reviews",
        ):
            import_module(f"games.{module}")
