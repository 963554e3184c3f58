from typing import Any, ClassVar

from django.contrib import admin
from django.contrib.admin.forms import AdminAuthenticationForm
from django.contrib.auth.admin import UserAdmin
from django.contrib.auth.forms import AdminUserCreationForm
from django.core.exceptions import PermissionDenied, ValidationError
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse

from accounts import profile
from accounts.models import User
from accounts.tokens import count_login
from core.admin import is_allowed_lookup
from core.rate_limits import address_of
from core.refusals import Refused


class NewUser(AdminUserCreationForm):  # type: ignore[type-arg]
    class Meta:
        model = User
        fields = ("username", "email")


class GuardedLogIn(AdminAuthenticationForm):
    """Limits login attempts, because attackers also try to guess operators' passwords."""

    def clean(self) -> dict[str, Any]:
        login, address = self.cleaned_data.get("username", ""), address_of(self.request) if self.request else ""
        try:
            may_try = count_login(login, address)
        except Refused as refused:
            raise ValidationError(f"{refused.message} {refused.hint}") from None
        cleaned = super().clean()
        if not may_try:
            raise self.get_invalid_login_error()
        return cleaned


admin.site.login_form = GuardedLogIn
admin.site.site_header = admin.site.site_title = "Turnpost"


@admin.register(User)
class Users(UserAdmin):  # type: ignore[type-arg]
    """Operators can lock and delete accounts, but not take them over.

    They cannot set a password or an address here, because anyone who can log in as a player can see that player's
    sealed moves.
    """

    add_form = NewUser
    add_fieldsets = ((None, {"fields": ("username", "email", "usable_password", "password1", "password2")}),)
    fieldsets: ClassVar = (
        (None, {"fields": ("username", "email", "email_confirmed_at")}),
        ("Profile", {"fields": ("display_name", "time_zone", "language")}),
        ("Notifications", {"fields": ("mail_frequency", "quiet_from", "quiet_until", "remind_at")}),
        ("Permissions", {"fields": ("is_active", "is_staff", "is_superuser", "groups", "user_permissions")}),
        ("Dates", {"fields": ("date_joined", "last_login")}),
    )
    readonly_fields = ("date_joined", "last_login")
    set_by_their_user = ("email", "email_confirmed_at")
    list_display = ("username", "email", "display_name", "email_confirmed_at", "is_active", "is_staff")
    list_filter = ("is_active", "is_staff")
    search_fields = ("username", "email", "display_name")

    def get_readonly_fields(self, request: HttpRequest, obj: User | None = None) -> tuple[str, ...]:
        return self.readonly_fields if obj is None else (*self.readonly_fields, *self.set_by_their_user)

    def save_model(self, request: HttpRequest, obj: User, form: Any, change: bool) -> None:
        """Save only the fields that the operator changed, because others may have been updated since the form was
        opened."""
        columns = {field.name for field in obj._meta.concrete_fields}
        obj.save(update_fields=[name for name in form.changed_data if name in columns] if change else None)

    def user_change_password(self, request: HttpRequest, id: str, form_url: str = "") -> HttpResponse:  # noqa: A002
        raise PermissionDenied

    def lookup_allowed(self, lookup: str, value: str, request: HttpRequest) -> bool:
        return is_allowed_lookup(self.model, lookup, (*self.list_display, *self.list_filter))

    def get_deleted_objects(self, objs: Any, request: HttpRequest) -> Any:
        """Allow deleting a user together with related rows that operators cannot delete separately."""
        shown, counts, _, protected = super().get_deleted_objects(objs, request)
        return shown, counts, set(), protected

    def delete_model(self, request: HttpRequest, obj: User) -> None:
        profile.remove(obj)

    def delete_queryset(self, request: HttpRequest, queryset: QuerySet[User]) -> None:
        for user in queryset:
            profile.remove(user)
