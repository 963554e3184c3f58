"""The service's URLs with all mail providers enabled."""

from config.urls import *  # noqa: F403
from config.urls import urlpatterns as usual
from inbound.providers import VIEWS, patterns

urlpatterns = [*usual, *patterns(list(VIEWS))]
