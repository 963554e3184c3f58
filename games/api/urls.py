from django.urls import include, path

from games.api import catalogue, chat, invitations, lobby, matches, moves, orders, records, updates

one_match = [
    path("updates", updates.Updates.as_view()),
    path("choices", moves.Choices.as_view()),
    path("moves", moves.Moves.as_view()),
    path("orders", orders.Orders.as_view()),
    path("orders/resume", orders.Resume.as_view()),
    path("orders/<id:number>", orders.OneOrder.as_view()),
    path("log", records.Log.as_view()),
    path("boards", records.Boards.as_view()),
    path("receipts", records.Receipts.as_view()),
    path("review", records.Review.as_view()),
    path("proof", records.Proof.as_view()),
    path("messages", chat.Messages.as_view()),
    path("messages/<id:number>/report", chat.MessageReport.as_view()),
    path("note", chat.OwnNote.as_view()),
    path("join", lobby.Join.as_view()),
    path("salt", lobby.Salt.as_view()),
    path("rematch", lobby.Rematch.as_view()),
    path("decline", lobby.Decline.as_view()),
    path("leave", lobby.Leave.as_view()),
    path("bots", lobby.Bots.as_view()),
    path("start", lobby.Start.as_view()),
    path("cancel", lobby.Cancel.as_view()),
    path("invitations", lobby.Invitations.as_view()),
    path("invitations/<id:number>", lobby.OneInvitation.as_view()),
]
urlpatterns = [
    path("matches/<slug:match_id>/", include(one_match)),
    path("matches/<slug:match_id>", matches.OneMatch.as_view()),
    path("matches", matches.Matches.as_view()),
    path("games", catalogue.Games.as_view()),
    path("games/<slug:slug>", catalogue.OneGame.as_view()),
    path("games/<slug:slug>/rules", catalogue.Rules.as_view()),
    path("invitees", invitations.Invitees.as_view()),
    path("invitations/<str:token>", invitations.Invitation.as_view()),
    path("invitations/<str:token>/accept", invitations.Accept.as_view()),
]
