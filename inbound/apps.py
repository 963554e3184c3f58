from django.apps import AppConfig


class InboundConfig(AppConfig):
    name = "inbound"

    def ready(self) -> None:
        from inbound.answer_letter import answer
        from notifications import letters
        from notifications.models.notification import NotificationKind

        letters.register(NotificationKind.ANSWER, answer)
