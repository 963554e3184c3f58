from django.urls import path

from stream.api.stream import Stream

urlpatterns = [path("stream", Stream.as_view())]
