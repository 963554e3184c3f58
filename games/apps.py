from importlib import import_module

from django.apps import AppConfig


class GamesConfig(AppConfig):
    name = "games"

    def ready(self) -> None:
        """These register themselves: listeners, tasks, chores and figures."""
        for module in ("api.problems", "selectors.exports", "services.departures"):
            import_module(f"games.{module}")
