from django.urls import include, path

from web import accounts, calendar, enter, invitation, login, mail_folder, pages, registration
from web.home import home, try_it
from web.lobby import lists, new_match
from web.match import page
from web.rules import game_rules
from web.settings import account, delivery_log, devices, profile, vacations, webhooks
from web.settings import calendar as calendar_settings

urlpatterns = [
    path("", home),
    path("try", try_it),
    path("rules/<slug:slug>", game_rules),
    path("log-in", login.log_in, name="log-in"),
    path("log-in/<str:token>", login.log_in_by_link),
    path("log-out", login.log_out, name="log-out"),
    path("matches/", lists.my_matches),
    path("matches/open", lists.open_matches),
    path("matches/new", new_match.new_match),
    path("matches/<slug:match_id>/enter/<str:token>", enter.enter),
    path("matches/<slug:match_id>/leave-session", enter.leave),
    path("matches/<slug:match_id>", page.show),
    path("matches/<slug:match_id>/", include("web.match.urls")),
    path("settings/", profile.view),
    path("settings/vacations", vacations.view),
    path("settings/calendar", calendar_settings.view),
    path("settings/devices", devices.view),
    path("settings/webhooks", webhooks.view),
    path("settings/deliveries", delivery_log.view),
    path("settings/account", account.view),
    path("settings/export.json", account.export),
    path("invitations/<str:token>", invitation.invitation),
    path("register", registration.register, name="register"),
    path("register/<uuid:registration_id>", registration.enter_code),
    path("confirm/<str:token>", registration.confirm),
    path("reset", accounts.ask_for_reset),
    path("reset/<str:token>", accounts.reset),
    path("change-address/<str:token>", accounts.change_address),
    path("calendar/<str:token>.ics", calendar.feed),
    path("mail/unsubscribe/<str:token>", pages.unsubscribe),
    path("mail/", mail_folder.mails),
    path("mail/<slug:name>", mail_folder.mail),
    path("mail/<slug:name>/html", mail_folder.mail_html),
]
