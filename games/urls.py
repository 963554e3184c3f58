from django.urls import path

from games.mail import folder_pages, pages

urlpatterns = [
    path("matches/<slug:match_id>", pages.match),
    path("invitations/<str:token>", pages.invitation),
    path("mail/unsubscribe/<str:token>", pages.unsubscribe),
    path("mail/", folder_pages.mails),
    path("mail/<slug:name>", folder_pages.mail),
    path("mail/<slug:name>/html", folder_pages.mail_html),
]
