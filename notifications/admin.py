"""The delivery log for operators, without the content of any email or webhook call."""

from django.contrib import admin
from django.utils.html import format_html_join
from django.utils.safestring import SafeString, mark_safe

from core.admin import ReadOnlyAdmin
from notifications import archive
from notifications.models import ArchivedNotifications, Notification, WebhookCall


@admin.register(Notification)
class Notifications(ReadOnlyAdmin, admin.ModelAdmin):  # type: ignore[type-arg]
    """Lists notifications. To find those that couldn't be sent, filter by the delivery state "dead"."""

    list_display = ("id", "kind", "match_id", "user", "delivery", "why", "tries", "created_at", "due_at", "sent_at")
    list_filter = ("delivery", "kind")
    list_select_related = ("user",)
    search_fields = ("=match__id", "user__username")
    fields = ("kind", "match", "user", "seat", "turn", "delivery", "why", "tries", "created_at", "due_at", "sent_at")
    ordering = ("-created_at",)
    show_full_result_count = False


@admin.register(ArchivedNotifications)
class Archives(ReadOnlyAdmin, admin.ModelAdmin):  # type: ignore[type-arg]
    """Lists the users and matches that have archived notifications. Each entry's page lists the notifications."""

    list_display = ("match_id", "user", "first_at", "last_at")
    list_select_related = ("user",)
    search_fields = ("=match__id", "user__username")
    fields = ("match", "user", "notifications")
    readonly_fields = ("notifications",)
    ordering = ("-last_at",)
    show_full_result_count = False

    @admin.display(description="notifications")
    def notifications(self, of: ArchivedNotifications) -> SafeString:
        lines = [(f"{one.created_at:%Y-%m-%d %H:%M:%S}", one.kind, one.delivery, one.why) for one in archive.unpack(of)]
        return format_html_join(mark_safe("<br>"), "{} {} {} {}", lines)


@admin.register(WebhookCall)
class Calls(ReadOnlyAdmin, admin.ModelAdmin):  # type: ignore[type-arg]
    list_display = ("id", "notification", "delivery", "status", "why", "tries", "created_at", "due_at", "sent_at")
    list_filter = ("delivery", "status")
    list_select_related = ("notification",)
    fields = ("notification", "delivery", "status", "why", "tries", "created_at", "due_at", "sent_at")
    ordering = ("-created_at",)
    show_full_result_count = False
