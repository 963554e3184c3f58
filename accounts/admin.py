from typing import Any, ClassVar

from django.contrib import admin
from django.contrib.admin.forms import AdminAuthenticationForm
from django.contrib.auth.admin import UserAdmin
from django.contrib.auth.forms import AdminUserCreationForm
from django.core.exceptions import ValidationError

from accounts.models import User
from accounts.tokens import spend_log_in
from rest.address import address_of
from rest.refusal import Refused


class NewUser(AdminUserCreationForm):  # type: ignore[type-arg]
    class Meta:
        model = User
        fields = ("username", "email")


class GuardedLogIn(AdminAuthenticationForm):
    """Operators' passwords are worth guessing too."""

    def clean(self) -> dict[str, Any]:
        try:
            account = self.cleaned_data.get("username", "").lower()
            spend_log_in(account, address_of(self.request) if self.request else "")
        except Refused as refused:
            raise ValidationError(f"{refused.message} {refused.hint}") from None
        return super().clean()


admin.site.login_form = GuardedLogIn
admin.site.site_header = admin.site.site_title = "Turnpost"


@admin.register(User)
class Users(UserAdmin):  # type: ignore[type-arg]
    add_form = NewUser
    add_fieldsets = ((None, {"fields": ("username", "email", "usable_password", "password1", "password2")}),)
    fieldsets: ClassVar = (
        (None, {"fields": ("username", "email", "email_confirmed_at", "password")}),
        ("Profile", {"fields": ("display_name", "time_zone", "language")}),
        ("Notices", {"fields": ("notice_delivery", "quiet_from", "quiet_until", "remind_at")}),
        ("Rights", {"fields": ("is_active", "is_staff", "is_superuser", "groups", "user_permissions")}),
        ("Dates", {"fields": ("date_joined", "last_login")}),
    )
    readonly_fields = ("date_joined", "last_login")
    list_display = ("username", "email", "display_name", "email_confirmed_at", "is_active", "is_staff")
    list_filter = ("is_active", "is_staff")
    search_fields = ("username", "email", "display_name")
