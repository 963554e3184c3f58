from django.urls import include, path

from web import accounts, enter, invitation, login, mail_folder, pages
from web.pages import home

urlpatterns = [
    path("", home),
    path("log-in", login.log_in, name="log-in"),
    path("log-out", login.log_out, name="log-out"),
    path("matches/<slug:match_id>/enter/<str:token>", enter.enter),
    path("matches/<slug:match_id>/leave-session", enter.leave),
    path("matches/<slug:match_id>", include("web.match.urls")),
    path("invitations/<str:token>", invitation.invitation),
    path("confirm/<str:token>", accounts.confirm),
    path("reset/<str:token>", accounts.reset),
    path("change-address/<str:token>", accounts.change_address),
    path("mail/unsubscribe/<str:token>", pages.unsubscribe),
    path("mail/", mail_folder.mails),
    path("mail/<slug:name>", mail_folder.mail),
    path("mail/<slug:name>/html", mail_folder.mail_html),
]
