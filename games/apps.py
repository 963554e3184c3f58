from importlib import import_module

from django.apps import AppConfig


class GamesConfig(AppConfig):
    name = "games"

    def ready(self) -> None:
        """These listen to accounts, and nobody else imports them."""
        for listener in ("games.services.departures", "games.selectors.exports"):
            import_module(listener)
