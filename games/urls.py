from django.conf import settings
from django.urls import path

from games.home import home
from games.mail import folder_pages, invitation_page, pages
from games.mail.inbound import providers

urlpatterns = [
    path("", home),
    path("matches/<slug:match_id>", pages.match),
    path("invitations/<str:token>", invitation_page.invitation),
    path("mail/unsubscribe/<str:token>", pages.unsubscribe),
    path("mail/", folder_pages.mails),
    path("mail/<slug:name>", folder_pages.mail),
    path("mail/<slug:name>/html", folder_pages.mail_html),
    *providers.patterns(settings.INBOUND_PROVIDERS),
]
