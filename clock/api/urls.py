from django.urls import include, path

from clock.api import inbox, proposals, vacations

one_match = [
    path("abandon", proposals.Abandon.as_view()),
    path("back", proposals.Back.as_view()),
    path("resign", proposals.Resign.as_view()),
    path("proposals", proposals.Proposals.as_view()),
    path("proposals/<id:number>/vote", proposals.Vote.as_view()),
    path("proposals/<id:number>/accept", proposals.Accept.as_view()),
    path("proposals/<id:number>/decline", proposals.Decline.as_view()),
]
urlpatterns = [
    path("matches/<slug:match_id>/", include(one_match)),
    path("me/inbox", inbox.Inbox.as_view()),
    path("me/vacations", vacations.Vacations.as_view()),
    path("me/vacations/<id:vacation_id>", vacations.OneVacation.as_view()),
]
