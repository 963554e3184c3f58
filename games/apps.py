from importlib import import_module

from django.apps import AppConfig


class GamesConfig(AppConfig):
    name = "games"

    def ready(self) -> None:
        """Import modules that register listeners, tasks, hourly jobs or metrics."""
        for module in (
            "api.problems",
            "selectors.exports",
            "services.departures",
            "services.bot_moves",
            "services.reviews",
        ):
            import_module(f"games.{module}")
