"""The delivery log for operators, without the content of any email or webhook call."""

from django.contrib import admin

from core.admin import ReadOnlyAdmin
from notifications.models import Notification, WebhookCall


@admin.register(Notification)
class Notifications(ReadOnlyAdmin, admin.ModelAdmin):  # type: ignore[type-arg]
    """To see what couldn't be sent, filter by the delivery state "dead"."""

    list_display = ("id", "kind", "match_id", "user", "delivery", "why", "tries", "created_at", "due_at", "sent_at")
    list_filter = ("delivery", "kind")
    list_select_related = ("user",)
    search_fields = ("=match__id", "user__username")
    fields = ("kind", "match", "user", "seat", "turn", "delivery", "why", "tries", "created_at", "due_at", "sent_at")
    ordering = ("-created_at",)
    show_full_result_count = False


@admin.register(WebhookCall)
class Calls(ReadOnlyAdmin, admin.ModelAdmin):  # type: ignore[type-arg]
    list_display = ("id", "notification", "delivery", "status", "why", "tries", "created_at", "due_at", "sent_at")
    list_filter = ("delivery", "status")
    list_select_related = ("notification",)
    fields = ("notification", "delivery", "status", "why", "tries", "created_at", "due_at", "sent_at")
    ordering = ("-created_at",)
    show_full_result_count = False
