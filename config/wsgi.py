import gc
import os

from django.core.wsgi import get_wsgi_application

from config.preparation import prepare_for_threads

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

application = get_wsgi_application()
prepare_for_threads()

# What has been loaded so far is needed until the process ends, and requests leave few cycles behind.
gc.freeze()
gc.set_threshold(10_000)
