from django.urls import include, path

from games.api import catalogue, clock, invitations, lobby, matches, moves, notices, records, talk, webhooks

of_one_match = [
    path("choices", moves.Choices.as_view()),
    path("moves", moves.Moves.as_view()),
    path("log", records.Log.as_view()),
    path("boards", records.Boards.as_view()),
    path("receipts", records.Receipts.as_view()),
    path("proof", records.Proof.as_view()),
    path("messages", talk.Messages.as_view()),
    path("note", talk.OwnNote.as_view()),
    path("mute", notices.Mute.as_view()),
    path("join", lobby.Join.as_view()),
    path("decline", lobby.Decline.as_view()),
    path("leave", lobby.Leave.as_view()),
    path("start", lobby.Start.as_view()),
    path("cancel", lobby.Cancel.as_view()),
    path("abandon", lobby.Abandon.as_view()),
    path("back", clock.Back.as_view()),
    path("proposals", clock.Proposals.as_view()),
    path("proposals/<id:number>/vote", clock.Vote.as_view()),
    path("proposals/<id:number>/accept", clock.Accept.as_view()),
    path("proposals/<id:number>/decline", clock.Decline.as_view()),
    path("invitations", lobby.Invitations.as_view()),
    path("invitations/<id:number>", lobby.OneInvitation.as_view()),
]
of_one_webhook = [
    path("test", webhooks.Test.as_view()),
    path("enable", webhooks.Enable.as_view()),
    path("calls", webhooks.Calls.as_view()),
]
urlpatterns = [
    path("matches/<slug:match_id>/", include(of_one_match)),
    path("matches/<slug:match_id>", matches.OneMatch.as_view()),
    path("matches", matches.Matches.as_view()),
    path("games", catalogue.Games.as_view()),
    path("games/<slug:slug>", catalogue.OneGame.as_view()),
    path("games/<slug:slug>/rules", catalogue.Rules.as_view()),
    path("me/notices", notices.Notices.as_view()),
    path("me/test-mail", notices.TestMail.as_view()),
    path("me/webhooks", webhooks.Webhooks.as_view()),
    path("me/webhooks/<id:number>", webhooks.OneWebhook.as_view()),
    path("me/webhooks/<id:number>/", include(of_one_webhook)),
    path("invitations/<str:token>", invitations.Invitation.as_view()),
    path("invitations/<str:token>/accept", invitations.Accept.as_view()),
]
