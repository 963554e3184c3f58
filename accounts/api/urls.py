from django.urls import path

from accounts.api.addresses import AddressChange, AddressChanges
from accounts.api.blocks import Blocks, OneBlock
from accounts.api.me import Bot, Deletion, Export, Me
from accounts.api.passwords import Password, PasswordReset, PasswordResets
from accounts.api.registrations import Confirmation, Mails, Registrations
from accounts.api.sessions import OneSession, Sessions
from accounts.api.tokens import CurrentToken, OneToken, Tokens

urlpatterns = [
    path("registrations", Registrations.as_view()),
    path("registrations/confirm", Confirmation.as_view()),
    path("registrations/<uuid:registration_id>/mails", Mails.as_view()),
    path("tokens", Tokens.as_view()),
    path("tokens/current", CurrentToken.as_view()),
    path("tokens/<str:token_id>", OneToken.as_view()),
    path("sessions", Sessions.as_view()),
    path("sessions/<str:session_id>", OneSession.as_view()),
    path("password-resets", PasswordResets.as_view()),
    path("password-resets/confirm", PasswordReset.as_view()),
    path("address-changes", AddressChanges.as_view()),
    path("address-changes/confirm", AddressChange.as_view()),
    path("me", Me.as_view()),
    path("me/password", Password.as_view()),
    path("me/bot", Bot.as_view()),
    path("me/export", Export.as_view()),
    path("me/blocks", Blocks.as_view()),
    path("me/blocks/<slug:username>", OneBlock.as_view()),
    path("me/deletion", Deletion.as_view()),
]
