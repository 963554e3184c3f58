"""Admin pages for received email, without its content."""

from django.contrib import admin

from core.admin import ReadOnlyAdmin
from inbound.models import InboundMail, MailCount


@admin.register(InboundMail)
class InboundMails(ReadOnlyAdmin, admin.ModelAdmin):  # type: ignore[type-arg]
    """Lists received messages. Their content and size are hidden, because both can reveal a sealed move."""

    list_display = (
        "received_at",
        "source",
        "purpose",
        "result",
        "user",
        "envelope_from",
        "attachments",
        "tries",
    )
    list_filter = ("result", "source", "purpose")
    list_select_related = ("user",)
    search_fields = ("user__username", "envelope_from", "=message_id")
    fields = (*list_display, "notification", "message_id", "has_moved", "handled_at", "due_at")
    ordering = ("-received_at",)
    show_full_result_count = False


@admin.register(MailCount)
class MailCounts(ReadOnlyAdmin, admin.ModelAdmin):  # type: ignore[type-arg]
    list_display = ("day", "source", "result", "count")
    list_filter = ("result", "source")
    ordering = ("-day", "source", "result")
