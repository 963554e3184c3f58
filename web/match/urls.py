from django.urls import path

from web.match import moves, page, records, talk

urlpatterns = [
    path("live", page.live),
    path("choose", moves.choose),
    path("move", moves.play),
    path("play/<str:token>", moves.play_from_mail),
    path("messages", talk.say),
    path("messages/<id:number>/report", talk.report),
    path("resign", talk.resign),
    path("note", talk.write_note),
    path("proposals", talk.propose),
    path("proposals/<id:number>/vote", talk.vote),
    path("proposals/<id:number>/answer", talk.answer_offer),
    path("abandon", talk.abandon),
    path("back", talk.come_back),
    path("mute", talk.mute),
    path("log", records.log),
    path("history", records.past),
    path("rules", records.rules),
    path("proof", records.proof),
    path("proof.json", records.proof_file),
    path("export.json", records.export),
]
