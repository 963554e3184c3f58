import os

from django.core.wsgi import get_wsgi_application

from config.preparation import prepare_for_threads

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

application = get_wsgi_application()
prepare_for_threads()
