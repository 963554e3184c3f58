from django.conf import settings

from inbound import providers

urlpatterns = list(providers.patterns(settings.INBOUND_PROVIDERS))
