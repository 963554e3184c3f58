"""Admin pages for received email, without its content."""

from django.contrib import admin

from core.admin import ReadOnlyAdmin
from inbound.models import InboundMail, MailCount


@admin.register(InboundMail)
class InboundMails(ReadOnlyAdmin, admin.ModelAdmin):  # type: ignore[type-arg]
    """The content and its size are hidden because they can reveal a sealed move."""

    list_display = (
        "received_at",
        "source",
        "purpose",
        "verdict",
        "user",
        "envelope_from",
        "attachments",
        "tries",
    )
    list_filter = ("verdict", "source", "purpose")
    list_select_related = ("user",)
    search_fields = ("user__username", "envelope_from", "=message_id")
    fields = (*list_display, "notification", "message_id", "has_moved", "handled_at", "due_at")
    ordering = ("-received_at",)
    show_full_result_count = False


@admin.register(MailCount)
class MailCounts(ReadOnlyAdmin, admin.ModelAdmin):  # type: ignore[type-arg]
    list_display = ("day", "source", "verdict", "count")
    list_filter = ("verdict", "source")
    ordering = ("-day", "source", "verdict")
