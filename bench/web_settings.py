"""The service's settings, without rate limits and with additional URLs for the floors."""

from config.settings import *  # noqa: F403
from config.settings import RATES
from core.rates import Rate

ROOT_URLCONF = "bench.floors"
RATES = dict.fromkeys(RATES, Rate(10**8, 60))
LOGGING_CONFIG = None
