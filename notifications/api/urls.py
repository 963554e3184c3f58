from django.urls import include, path

from notifications.api import calendar, notifications, webhooks

one_webhook = [
    path("test", webhooks.Test.as_view()),
    path("enable", webhooks.Enable.as_view()),
    path("calls", webhooks.Calls.as_view()),
]
urlpatterns = [
    path("matches/<slug:match_id>/mute", notifications.Mute.as_view()),
    path("me/notifications", notifications.Notifications.as_view()),
    path("me/test-mail", notifications.TestMail.as_view()),
    path("me/calendar", calendar.Calendar.as_view()),
    path("me/webhooks", webhooks.Webhooks.as_view()),
    path("me/webhooks/<id:number>", webhooks.OneWebhook.as_view()),
    path("me/webhooks/<id:number>/", include(one_webhook)),
]
