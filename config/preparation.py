from importlib import import_module

from django.conf import settings

from core import structs
from games.engine.registry import engines


def prepare_for_threads() -> None:
    """Import everything that threads may use, so that all structs can be prepared before any threads start."""
    import_module(settings.ROOT_URLCONF)
    engines()
    structs.prepare()
