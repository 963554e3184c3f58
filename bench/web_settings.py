"""The service as it runs, with the floors beside it at addresses of their own, and nobody told to slow down."""

from config.settings import *  # noqa: F403
from config.settings import RATES
from core.rates import Rate

ROOT_URLCONF = "bench.floors"
RATES = dict.fromkeys(RATES, Rate(10**8, 60))
LOGGING_CONFIG = None
