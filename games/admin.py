"""Admin pages for operators. They never show positions, secrets, moves, notes or stored results."""

from typing import Any, ClassVar

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils import timezone
from django.utils.html import format_html_join
from django.utils.safestring import SafeString, mark_safe

from core.admin import ReadOnlyAdmin
from games.engine.text import counted
from games.models import Event, Invitation, Match, Message, Report, Seat
from games.selectors import match_log
from games.selectors.loading import LoadedMatch


class Seats(ReadOnlyAdmin, admin.TabularInline):  # type: ignore[type-arg]
    model = Seat
    fields = (
        "number",
        "user",
        "bot_name",
        "bot_level",
        "joined_at",
        "awaited_since",
        "deadline",
        "bank",
        "timeouts",
        "stand_in_since",
        "points",
        "place",
    )


@admin.register(Match)
class Matches(ReadOnlyAdmin, admin.ModelAdmin):  # type: ignore[type-arg]
    list_display = ("id", "game", "title", "phase", "turn", "owner", "created_at", "started_at", "ended_at")
    list_filter = ("phase", "game", "is_private")
    list_select_related = ("owner",)
    search_fields = ("id", "title", "owner__username")
    fieldsets: ClassVar = (
        (None, {"fields": ("id", "game", "title", "owner", "is_private", "phase", "turn")}),
        (
            "Terms",
            {
                "fields": (
                    "options",
                    "seat_count",
                    "move_time",
                    "bank",
                    "weekends_off",
                    "patience",
                    "allows_bots",
                    "absent",
                    "think",
                )
            },
        ),
        ("Dates", {"fields": ("created_at", "expires_at", "started_at", "ended_at")}),
        ("Fairness", {"fields": ("secret_hash", "events_made", "head")}),
        ("Result", {"fields": ("outcome",)}),
        ("Log", {"fields": ("log",)}),
    )
    inlines: ClassVar = [Seats]
    show_full_result_count = False

    @admin.display(description="events")
    def log(self, match: Match) -> SafeString:
        """List the events, from their rows or from the archive."""
        events = match_log.events(LoadedMatch(match, []))
        return format_html_join(mark_safe("<br>"), "{}. {} {}", map(line_of, events))


def line_of(event: Event) -> tuple[int, str, str]:
    what = event.content if event.audience is None else "hidden from some players"
    return event.number, f"{event.happened_at:%Y-%m-%d %H:%M:%S}", what


@admin.register(Invitation)
class Invitations(ReadOnlyAdmin, admin.ModelAdmin):  # type: ignore[type-arg]
    list_display = ("match_id", "invited_by", "user", "email", "answer", "made_at")
    list_filter = ("answer",)
    list_select_related = ("invited_by", "user")
    search_fields = ("=match__id", "email", "user__username", "invited_by__username")
    fields = ("match", "invited_by", "user", "email", "answer", "made_at")
    show_full_result_count = False


@admin.register(Message)
class Messages(ReadOnlyAdmin, admin.ModelAdmin):  # type: ignore[type-arg]
    """Lists messages and lets operators delete them."""

    list_display = ("match_id", "author", "text", "posted_at")
    list_select_related = ("author",)
    search_fields = ("=match__id", "author__username")
    fields = ("match", "author", "text", "posted_at")
    show_full_result_count = False

    def has_delete_permission(self, request: HttpRequest, *args: Any) -> bool:
        return admin.ModelAdmin.has_delete_permission(self, request, *args)


@admin.register(Report)
class Reports(ReadOnlyAdmin, admin.ModelAdmin):  # type: ignore[type-arg]
    """Lists messages that players have reported. To remove a message, delete it under Messages."""

    list_display = ("made_at", "match_id", "author", "text", "reported_by", "reason", "closed_at")
    list_filter = ("closed_at",)
    list_select_related = ("author", "reported_by")
    search_fields = ("=match__id", "author__username", "reported_by__username")
    fields = ("match", "message", "author", "text", "reported_by", "reason", "made_at", "closed_at")
    ordering = ("-made_at",)
    actions = ("delete_messages", "close")
    show_full_result_count = False

    @admin.action(description="Close the selected reports", permissions=["close"])
    def close(self, request: HttpRequest, reports: QuerySet[Report]) -> None:
        closed = reports.filter(closed_at=None).update(closed_at=timezone.now())
        self.message_user(request, f"Closed: {counted(closed, 'report')}.")

    @admin.action(description="Delete the reported messages and close the reports", permissions=["close"])
    def delete_messages(self, request: HttpRequest, reports: QuerySet[Report]) -> None:
        ids = list(reports.values_list("pk", flat=True))
        Message.objects.filter(reports__in=ids).delete()
        self.close(request, Report.objects.filter(pk__in=ids))

    def has_close_permission(self, request: HttpRequest) -> bool:
        return request.user.has_perm("games.change_report")
