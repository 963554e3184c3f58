"""The service's addresses, as where all mail providers are named in the settings."""

from config.urls import *  # noqa: F403
from config.urls import urlpatterns as usual
from inbound.providers import VIEWS, patterns

urlpatterns = [*usual, *patterns(list(VIEWS))]
